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

/// Other names for all that somebody named. A text gets one new name wherever it stands, so that selectors match, nodes
/// are found and topologies meet as before; new names sort as the old ones did, because schedulers break ties by name.
///
/// What stays: names that Kubernetes or a scheduler gave (`kubernetes.io/hostname`, `kube-system`, `nvidia.com/gpu`,
/// `yunikorn.apache.org/queue`, `root`), words of the API, numbers and lengths of time where they are read as such,
/// kinds of owners, and all quantities and times.
class Renaming final : public Words {
 public:
  /// Fails if a configuration cannot be read: what is in it, nobody knows.
  [[nodiscard]] static auto of(const Objects& objects, const Configurations& configurations) -> Result<Renaming>;

  [[nodiscard]] auto text(Symbol symbol) const -> std::string_view override;
  [[nodiscard]] auto embedded(const EmbeddedText& value) const -> std::string override;
  [[nodiscard]] auto name(std::string_view text, Role role) const -> std::string override;

  /// The new name of a text; the text itself if it stays.
  [[nodiscard]] auto name_of(std::string_view text) const -> std::string;
  /// The same of `NAMESPACE/NAME`.
  [[nodiscard]] auto key_of(std::string_view key) const -> std::string;

  struct Counts {
    std::size_t names = 0;   ///< of objects and their parts
    std::size_t labels = 0;  ///< keys and values
    std::size_t nodes = 0;   ///< of the names, those of nodes
  };
  [[nodiscard]] auto counts() const -> Counts;

  /// Old and new, in the order of both.
  [[nodiscard]] auto pairs() const -> const std::map<std::string, std::string, std::less<>>& { return names_; }

 private:
  struct Wanted;
  class Making;

  std::map<std::string, std::string, std::less<>> names_;
  std::vector<std::string> texts_;  ///< by symbol
  std::map<std::string, Role, std::less<>> roles_;
};

}  // namespace previct::capture
