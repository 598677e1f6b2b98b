#pragma once

#include <string>

namespace previct {

/// The files that this process has read, or that a program which it ran has read for it. The functions that open files
/// for reading record them here (descriptor.h), so that no reader of inputs can forget to; code that writes a file
/// checks the record (cli/file.h). There is one record for the whole process, because a file is an input no matter
/// which part of the program reads it. All functions are thread-safe.

/// Records an open file: its device and inode, and `path`, which may later refer to another file.
void note_read(int descriptor, const std::string& path);
/// Records a file that another program reads. Does nothing if the file does not exist.
void note_read(const std::string& path);
/// Records all files below a folder: another program reads whichever of them it needs.
void note_read_below(const std::string& folder);

/// Returns true if the regular file at `path` is one of the recorded files, under any name. False if there is no such
/// file.
[[nodiscard]] auto was_read(const std::string& path) -> bool;
/// As above, for an open file.
[[nodiscard]] auto was_read(int descriptor) -> bool;

/// Forgets all recorded files, at the start of a run.
void forget_files_read();

}  // namespace previct
