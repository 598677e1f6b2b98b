#pragma once

#include <string>

namespace previct {

/// The files that this process has read, or that a program it ran has read for it. What opens a file to read it notes
/// it here (descriptor.h), so that no reader of inputs can forget to; what writes a file asks (cli/file.h). One for the
/// whole process, as a file is an input no matter which part of the program reads it. Every function may be called by
/// any thread.

/// Notes a file that is open: its device and inode, and `path`, which may lead to another file later.
void note_read(int descriptor, const std::string& path);
/// Notes a file that another program reads. Nothing happens if there is none.
void note_read(const std::string& path);
/// Notes all files below a folder: another program reads whichever of them it needs.
void note_read_below(const std::string& folder);

/// Is the regular file at `path` one of them, by whatever name? False if there is none.
[[nodiscard]] auto was_read(const std::string& path) -> bool;
/// The same for a file that is open.
[[nodiscard]] auto was_read(int descriptor) -> bool;

/// Forgets all of them: a run begins.
void forget_files_read();

}  // namespace previct
