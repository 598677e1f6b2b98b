#pragma once

#include "api/capture.h"
#include "cli/command.h"
#include "cli/file.h"
#include "cli/options.h"
#include "report/report.h"

#include <cstddef>
#include <string>

namespace previct::cli {

/// The file that a capture is written to.
struct CaptureFile {
  enum class Packing : std::uint8_t { none, gzip, zstd };

  std::string path;
  Packing packing = Packing::none;
  bool documents = false;  ///< YAML documents; else JSON lines
  bool replace = false;
};

/// A state as a capture: its manifest, and the whole text.
struct CapturedState {
  Capture manifest;
  std::string text;
};

/// Captures a state with these configurations. Fails if a configuration cannot be read.
[[nodiscard]] auto captured(const Loaded& loaded, const Configurations& configurations, Instant clock)
    -> Result<CapturedState>;

/// Captures what -f names, or everything that schedulers read from the cluster.
[[nodiscard]] auto capture_inputs(Session& session) -> Result<CapturedState>;

/// For a command that writes a capture, -o FILE means --to FILE if the value is a file and no format: it has a dot or a
/// slash.
void take_target_from_outputs(Options& options);

/// The target of --to and --force. Fails if the file exists, or if its name has an unsupported format.
[[nodiscard]] auto capture_file_of(const Options& options) -> Result<CaptureFile>;

/// A capture that is compressed, but not yet in its place.
struct StagedCapture {
  StagedFile file;
  std::size_t bytes = 0;
};
[[nodiscard]] auto stage_capture(const CaptureFile& file, std::string_view lines) -> Result<StagedCapture>;

/// Compresses and writes the capture, readable only by its owner; returns its size in bytes.
[[nodiscard]] auto write_capture(const CaptureFile& file, std::string_view lines) -> Result<std::size_t>;

/// What was captured, and what was not captured.
[[nodiscard]] auto capture_report(const Capture& manifest, const CaptureFile& file, std::size_t bytes) -> Report;

}  // namespace previct::cli
