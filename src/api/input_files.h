#pragma once

#include "base/diagnostics.h"

#include <cstddef>
#include <string>
#include <vector>

namespace previct {

/// The regular files in the directory at `path` that may hold objects, sorted by name; `ignored` counts the others.
/// Those named as dumps are; with `recursive`, at any depth, also those that begin like one. Links are not followed.
/// Errors (`file` as place): what the operating system says; no such file; more than 100,000 files.
[[nodiscard]] auto input_files(const std::string& path, bool recursive, FileId file, std::size_t& ignored)
    -> Result<std::vector<std::string>>;

}  // namespace previct
