#pragma once

#include "api/configurations.h"
#include "api/scheduler_config.h"
#include "cluster/snapshot.h"
#include "engine/kube/release.h"
#include "input/tape.h"

#include <string>
#include <string_view>
#include <vector>

namespace previct::kube {

/// A KubeSchedulerConfiguration as written in a file.
struct ReadConfiguration {
  FileId file;
  std::uint32_t line_offset = 0;  ///< lines of the file before the recorded text
  Tape tape;
  SchedulerConfig config;
  Release release;         ///< release of the scheduler that reads it
  bool any_build = false;  ///< an unknown plugin that is not a misspelling belongs to a custom build of the scheduler

  [[nodiscard]] auto place(std::uint32_t index) const -> Place;
  /// Returns the place of a path such as `profiles[1].plugins.filter`, or of its nearest ancestor that exists.
  [[nodiscard]] auto place_of(std::string_view path) const -> Place;
};

/// Reads the configuration from the documents of a file, where it may also be the text of a ConfigMap.
///
/// Errors, each with its place: no such document, or two of them; a version that the release does not read; a field
/// that is unknown, duplicate or of the wrong type, as in upstream's strict decoding.
/// Source: cmd/kube-scheduler/app/options/configfile.go loadConfig, v1.35.
[[nodiscard]] auto read_configuration(const Snapshot& cluster, const Release& release, const ConfigFile& file,
                                      Diagnostics& diagnostics) -> Result<ReadConfiguration>;

/// Returns the schedulerNames of the profiles in the configuration, in its order; empty if the text has not exactly one
/// configuration. Checks nothing else.
[[nodiscard]] auto scheduler_names_in(const ConfigFile& file) -> std::vector<std::string>;

/// Does the same as read_configuration() for a configuration that was already found; `tape` holds only that
/// configuration.
[[nodiscard]] auto decode_configuration(const Snapshot& cluster, const Release& release, const Tape& tape, FileId file,
                                        Diagnostics& diagnostics) -> Result<ReadConfiguration>;

}  // namespace previct::kube
