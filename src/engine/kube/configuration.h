#pragma once

#include "api/configurations.h"
#include "api/scheduler_config.h"
#include "cluster/snapshot.h"
#include "engine/kube/release.h"
#include "input/tape.h"

#include <string_view>

namespace previct::kube {

/// A KubeSchedulerConfiguration as it stands in a file.
struct ReadConfiguration {
  FileId file;
  std::uint32_t line_offset = 0;  ///< lines of the file before the text that was recorded
  Tape tape;
  SchedulerConfig config;
  Release release;         ///< of the scheduler that it is for
  bool any_build = false;  ///< an unknown plugin that is no slip is one of the scheduler's own build

  [[nodiscard]] auto place(std::uint32_t index) const -> Place;
  /// Of `profiles[1].plugins.filter`; where nothing stands there, of what comes nearest above it.
  [[nodiscard]] auto place_of(std::string_view path) const -> Place;
};

/// Reads the configuration among the documents of a file; it may also stand in a ConfigMap, as text.
///
/// Errors, each with its place: no such document, or two; a version that the release does not read; a field that is not
/// known, occurs twice or has a value of the wrong type, as upstream's strict decoding has it. Source:
/// cmd/kube-scheduler/app/options/configfile.go loadConfig, v1.35.
[[nodiscard]] auto read_configuration(const Snapshot& cluster, const Release& release, const ConfigFile& file,
                                      Diagnostics& diagnostics) -> Result<ReadConfiguration>;

/// The same of a configuration that was found already: `tape` holds nothing else.
[[nodiscard]] auto decode_configuration(const Snapshot& cluster, const Release& release, const Tape& tape, FileId file,
                                        Diagnostics& diagnostics) -> Result<ReadConfiguration>;

}  // namespace previct::kube
