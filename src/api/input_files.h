#pragma once

#include "base/diagnostics.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace previct {

/// The contents of a directory.
struct Folder {
  std::vector<std::string> files;  ///< files that may hold objects, sorted by name
  std::size_t ignored = 0;         ///< other files
  std::size_t folders = 0;         ///< sub-directories that were not read
  std::optional<Failure> closed;   ///< the first sub-directory that cannot be read, in a recursive walk
  std::size_t older_states = 0;    ///< files of a series before its newest
  std::string newest_state{};      ///< with older_states: the last file that is read in their place
  std::size_t links = 0;           ///< links to directories or with the name of a dump; they are not followed
};

/// The regular files in the directory at `path` that may hold objects: those with the name of a dump; with `recursive`,
/// at any depth, and also those that begin like a dump. Of a series of states (input/series.h), only the newest is
/// read, because the others are the same cluster at other times. Links are not followed. Errors (`file` as place): the
/// error of the operating system; no such file; more than 100,000 files.
[[nodiscard]] auto input_files(const std::string& path, bool recursive, FileId file) -> Result<Folder>;

}  // namespace previct
