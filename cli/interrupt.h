#pragma once

#include <string>

namespace previct::cli {

/// From now on Ctrl-C, SIGTERM, SIGHUP and SIGXFSZ say one line, remove the file that is being written, and end the
/// program by that very signal, so that a shell sees 130 or 143 and stops its loop.
void end_cleanly_when_interrupted();

/// From now on a fault of the program's own (a failed assertion, an access outside its memory, an exception where none
/// may pass) says one line, removes the file that is being written and ends it with status 70, without a core dump;
/// memory that ran out where it cannot be told otherwise ends it with status 2.
void end_cleanly_when_broken();

/// The file at `path` is removed if the program is interrupted while this lives.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(const std::string& path);
  UnfinishedFile(const UnfinishedFile&) = delete;
  auto operator=(const UnfinishedFile&) -> UnfinishedFile& = delete;
  ~UnfinishedFile();
};

}  // namespace previct::cli
