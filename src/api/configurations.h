#pragma once

#include "base/place.h"
#include "input/documents.h"
#include "input/sources.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// A document that configures a scheduler, as bytes. The lines before it in its file are present but empty, so that
/// places in the document are places in the file.
struct ConfigFile {
  FileId file;  ///< registered in Objects::files
  std::string bytes;
};

/// Documents that influence decisions together with the objects of a cluster, but are not objects themselves.
/// configuration_kinds() lists them.
struct Configurations {
  std::optional<ConfigFile> scheduler_config;  ///< kube: KubeSchedulerConfiguration
  std::optional<ConfigFile> yunikorn_config;   ///< yunikorn: a bare queues.yaml
  std::optional<ConfigFile> assumptions;       ///< facts that no dump contains (kind: Assumptions)
  std::optional<ConfigFile> kueue_config{};    ///< kueue: the Configuration of its controller

  /// Replaces the configurations that `later` has, too.
  void replace_by(const Configurations& later);
  [[nodiscard]] auto empty() const -> bool;
};

/// A kind of configuration.
struct ConfigurationKind {
  std::optional<ConfigFile> Configurations::*member = nullptr;
  std::string_view title;  ///< in reports, before the name of the file
  std::string_view flag;   ///< of the command line, without dashes: names a file with it
  /// Returns true if the mapping at `object` is one.
  auto(*recognizes)(const Tape& tape, std::uint32_t object) -> bool;
};
[[nodiscard]] auto configuration_kinds() -> std::span<const ConfigurationKind>;

/// Returns true if the object is a scheduler configuration.
[[nodiscard]] auto is_configuration(const FoundObject& found) -> bool;

/// Finds configurations among objects.
class ConfigurationFinder {
 public:
  enum class Found : std::uint8_t { no, yes, again };

  /// Records the object if it is a configuration. Returns `again` if another one of its kind was found before.
  [[nodiscard]] auto take(const FoundObject& found, FileId file) -> Found;
  /// Forgets what was found in this file, which is read again or left out.
  void forget(FileId file);
  /// The configurations that occur exactly once; if a kind occurs several times, none of them is used. Errors: the text
  /// of a configuration cannot be read again.
  [[nodiscard]] auto read(const Sources& sources) const -> Result<Configurations>;

 private:
  std::vector<std::vector<Place>> found_ = std::vector<std::vector<Place>>(configuration_kinds().size());
};

}  // namespace previct
