#pragma once

#include "api/capture.h"
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

/// Of a command that writes a capture, -o FILE is --to FILE if it names a file and no format: it has a dot or a slash.
void take_target_from_outputs(Options& options);

/// What --to and --force say. Fails if the file is there already, or named as something that is not written.
[[nodiscard]] auto capture_file_of(const Options& options) -> Result<CaptureFile>;

/// Packs and writes the capture, for its owner alone; how many bytes it takes.
[[nodiscard]] auto write_capture(const CaptureFile& file, std::string_view lines) -> Result<std::size_t>;

/// What was captured, and what was not.
[[nodiscard]] auto capture_report(const Capture& manifest, const CaptureFile& file, std::size_t bytes) -> Report;

}  // namespace previct::cli
