#pragma once

#include <string>

namespace previct::cli {

/// Installs handlers for all signals that end the program and can be caught. They print one line, remove unfinished
/// files, and end the program by the same signal, so that a shell sees 130 or 143 and stops its loop. SIGPIPE prints
/// nothing.
void install_signal_handlers();

/// Installs handlers for faults of the program itself (a failed assertion, an invalid memory access, an exception where
/// none is allowed). They print one line, remove unfinished files and exit with status 70, without a core dump. Out of
/// memory exits at once with status 2, because unwinding may need memory itself.
void install_fault_handlers();

/// Must be called after the answer is printed: running out of memory during cleanup then does not change the exit
/// status.
void answer_is_out(int status);

/// A new file next to `path`, with a unique name. It is removed by the destructor, and if the program ends before,
/// unless it was renamed.
class UnfinishedFile {
 public:
  explicit UnfinishedFile(const std::string& path, bool for_owner_only = false);
  UnfinishedFile(const UnfinishedFile&) = delete;
  auto operator=(const UnfinishedFile&) -> UnfinishedFile& = delete;
  ~UnfinishedFile();

  /// Open for writing; the caller closes it. Negative if the file could not be created: errno has the reason.
  [[nodiscard]] auto descriptor() const -> int { return descriptor_; }
  [[nodiscard]] auto name() const -> const char*;

 private:
  struct Slot;  // the part that a signal handler can access
  Slot* slot_ = nullptr;
  int descriptor_ = -1;

  friend void remove_unfinished_files();
};

}  // namespace previct::cli
