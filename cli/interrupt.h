#pragma once

#include <string>

namespace previct::cli {

/// From now on Ctrl-C and SIGTERM say one line, remove the file that is being written, and end the program by that very
/// signal, so that a shell sees 130 or 143 and stops its loop.
void end_cleanly_when_interrupted();

/// The file at `path` is removed if the program is interrupted while this lives.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(const std::string& path);
  UnfinishedFile(const UnfinishedFile&) = delete;
  auto operator=(const UnfinishedFile&) -> UnfinishedFile& = delete;
  ~UnfinishedFile();
};

}  // namespace previct::cli
