#pragma once

#include <string>

namespace previct::cli {

/// From now on every signal that would end the program and can be caught says one line, removes the files that are
/// being written, and ends the program by that very signal, so that a shell sees 130 or 143 and stops its loop. A
/// broken pipe says nothing.
void end_cleanly_when_interrupted();

/// From now on a fault of the program's own (a failed assertion, an access outside its memory, an exception where none
/// may pass) says one line, removes the files that are being written and ends it with status 70, without a core dump;
/// memory that runs out ends it with status 2 where it does: what unwinds or is put away then may need some itself.
void end_cleanly_when_broken();

/// The answer is out. Memory that runs out from now on, while everything is put away, does not change its status.
void answer_is_out(int status);

/// A new file beside `path`, under a name that no other has. It is removed with this, and if the program ends before
/// that, unless it was given another name.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(const std::string& path);
  UnfinishedFile(const UnfinishedFile&) = delete;
  auto operator=(const UnfinishedFile&) -> UnfinishedFile& = delete;
  ~UnfinishedFile();

  /// Open to be written, and closed by who writes. Negative if there is no such file: errno says why.
  [[nodiscard]] auto descriptor() const -> int { return descriptor_; }
  [[nodiscard]] auto name() const -> const char*;

 private:
  struct Slot;  // what a signal handler can reach of it
  Slot* slot_ = nullptr;
  int descriptor_ = -1;

  friend void remove_unfinished_files();
};

}  // namespace previct::cli
