#pragma once

#include "api/configurations.h"
#include "api/objects.h"
#include "capture/capture.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace previct::capture {

/// New names for everything that users named. A text gets the same new name wherever it occurs, so that selectors, node
/// names and topologies match as before. New names sort like the old ones, because schedulers break ties by name.
///
/// These texts stay: names that Kubernetes or a scheduler define (`kubernetes.io/hostname`, `kube-system`,
/// `nvidia.com/gpu`, `yunikorn.apache.org/queue`, `root`), words of the API, numbers and durations where they are read
/// as such, kinds of owners, and all quantities and times.
class Renaming final : public Words {
 public:
  /// Fails if a configuration cannot be read, because its content is unknown.
  [[nodiscard]] static auto of(const Objects& objects, const Configurations& configurations) -> Result<Renaming>;

  [[nodiscard]] auto text(Symbol symbol) const -> std::string_view override;
  [[nodiscard]] auto embedded(const EmbeddedText& value) const -> std::string override;
  [[nodiscard]] auto name(std::string_view text, Role role) const -> std::string override;

  /// The new name of a text, or the text itself if it stays.
  [[nodiscard]] auto name_of(std::string_view text) const -> std::string;
  /// As name_of(), for `NAMESPACE/NAME`.
  [[nodiscard]] auto key_of(std::string_view key) const -> std::string;

  struct Counts {
    std::size_t names = 0;   ///< names of objects and their parts
    std::size_t labels = 0;  ///< keys and values
    std::size_t nodes = 0;   ///< names of nodes, included in `names`
  };
  [[nodiscard]] auto counts() const -> Counts;

  /// Old and new names; both sort in the order of this map.
  [[nodiscard]] auto pairs() const -> const std::map<std::string, std::string, std::less<>>& { return names_; }

 private:
  struct Wanted;
  class Making;

  std::map<std::string, std::string, std::less<>> names_;
  std::vector<std::string> texts_;  ///< indexed by symbol
  std::map<std::string, Role, std::less<>> roles_;
};

}  // namespace previct::capture
