#pragma once

#include <string>

namespace previct::cli {

/// From now on Ctrl-C, SIGTERM, SIGHUP and SIGXFSZ say one line, remove the file that is being written, and end the
/// program by that very signal, so that a shell sees 130 or 143 and stops its loop.
void end_cleanly_when_interrupted();

/// From now on a fault of the program's own (a failed assertion, an access outside its memory, an exception where none
/// may pass) says one line, removes the file that is being written and ends it with status 70, without a core dump;
/// memory that runs out ends it with status 2 where it does: what unwinds or is put away then may need some itself.
void end_cleanly_when_broken();

/// The answer is out. Memory that runs out from now on, while everything is put away, does not change its status.
void answer_is_out(int status);

/// A new file beside `path`, under a name that no other has. It is removed with this, and if the program ends before
/// that, unless it was given another name. One at a time.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(const std::string& path);
  UnfinishedFile(const UnfinishedFile&) = delete;
  auto operator=(const UnfinishedFile&) -> UnfinishedFile& = delete;
  ~UnfinishedFile();

  /// Open to be written, and closed by who writes. Negative if there is no such file: errno says why.
  [[nodiscard]] auto descriptor() const -> int { return descriptor_; }
  [[nodiscard]] static auto name() -> const char*;

 private:
  int descriptor_ = -1;
};

}  // namespace previct::cli
