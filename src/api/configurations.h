#pragma once

#include "base/place.h"
#include "input/documents.h"
#include "input/sources.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace previct {

/// A document that says how a scheduler runs, as bytes. Lines before it in its file are there, but empty, so that
/// places in it are those of the file.
struct ConfigFile {
  FileId file;  ///< registered in Objects::files
  std::string bytes;
};

/// What decides together with the objects of a cluster, but is none of them.
struct Configurations {
  std::optional<ConfigFile> scheduler_config;  ///< kube: KubeSchedulerConfiguration
  std::optional<ConfigFile> yunikorn_config;   ///< yunikorn: a bare queues.yaml
  std::optional<ConfigFile> assumptions;       ///< what no dump contains (kind: Assumptions)
  std::optional<ConfigFile> kueue_config{};    ///< kueue: the Configuration of its controller

  /// Those that `later` holds count instead of these.
  void replace_by(const Configurations& later);
};

/// Is it one of them?
[[nodiscard]] auto is_configuration(const FoundObject& found) -> bool;

/// Finds them among objects.
class ConfigurationFinder {
 public:
  enum class Found : std::uint8_t { no, yes, again };

  /// Is this one, and the first of its kind?
  [[nodiscard]] auto take(const FoundObject& found, FileId file) -> Found;
  /// What was found in this file does not count: it is read once more, or left out.
  void forget(FileId file);
  /// Those of which there was one; of a kind that was found again none counts. Errors: its text cannot be read again.
  [[nodiscard]] auto read(const Sources& sources) const -> Result<Configurations>;

 private:
  std::array<std::vector<Place>, 4> found_;  // in the order of the members of Configurations
};

}  // namespace previct
