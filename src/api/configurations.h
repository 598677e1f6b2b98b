#pragma once

#include "base/place.h"
#include "input/documents.h"
#include "input/sources.h"

#include <array>
#include <optional>
#include <string>

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

  /// Those that `later` holds count instead of these.
  void replace_by(const Configurations& later);
};

/// Finds them among objects.
class ConfigurationFinder {
 public:
  enum class Found : std::uint8_t { no, yes, again };

  /// Is this one, and the first of its kind?
  [[nodiscard]] auto take(const FoundObject& found, FileId file) -> Found;
  /// Those of which there was one; of a kind that was found again none counts.
  [[nodiscard]] auto read(const Sources& sources) const -> Result<Configurations>;

 private:
  struct Kind {
    Place place = {};
    std::size_t count = 0;
  };
  std::array<Kind, 3> kinds_;  // in the order of the members of Configurations
};

}  // namespace previct
