#pragma once

#include "base/diagnostics.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace previct {

/// What is in a directory.
struct Folder {
  std::vector<std::string> files;  ///< that may hold objects, sorted by name
  std::size_t ignored = 0;         ///< other files
  std::size_t folders = 0;         ///< in it, that were not looked into
  std::optional<Failure> closed;   ///< the first sub-folder that cannot be read, of a walk to any depth
  std::size_t links = 0;           ///< to directories, or named as dumps are: they are not followed
};

/// The regular files in the directory at `path` that may hold objects: those named as dumps are; with `recursive`, at
/// any depth, also those that begin like one. Links are not followed. Errors (`file` as place): what the operating
/// system says; no such file; more than 100,000 files.
[[nodiscard]] auto input_files(const std::string& path, bool recursive, FileId file) -> Result<Folder>;

}  // namespace previct
