#pragma once

#include "base/descriptor.h"
#include "base/diagnostics.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

/// Copies of this process, which start with all of its memory: what they do, and how they end, changes nothing here.
namespace previct::system {

/// Returns true if the system makes such copies.
[[nodiscard]] auto makes_copies() -> bool;

/// Runs `work` in a copy that the kernel ends when this process ends, and waits for its end. Returns its exit status;
/// 128 + signal if a signal ended it; negative if the system refuses. `work` must not return. A system without copies
/// runs it in this process, which so ends.
[[nodiscard]] auto run_in_copy(const std::function<void()>& work) -> int;

/// A process that works in the background, in a process group of its own and with standard streams that lead nowhere:
/// a copy, or, on a system without copies, this program started again. The kernel ends it when this process ends.
class BackgroundProcess {
 public:
  struct Work {
    /// Reads calls from one descriptor and writes replies to the other. Must not return.
    std::function<void(int calls, int replies)> run;
    /// The words with which this program does the same, with its standard input and output.
    std::vector<std::string> words;
  };
  /// The status of a copy that cannot be limited so is `no_memory`; of one that an exception ends, `bug`.
  struct Statuses {
    int no_memory = 0;
    int bug = 0;
  };
  /// Starts the work with at most `memory` bytes of data. Fails if the system refuses.
  [[nodiscard]] static auto start(const Work& work, std::uint64_t memory, Statuses statuses)
      -> Result<std::unique_ptr<BackgroundProcess>>;
  BackgroundProcess(const BackgroundProcess&) = delete;
  auto operator=(const BackgroundProcess&) -> BackgroundProcess& = delete;
  /// Ends the process, and those that it started.
  ~BackgroundProcess();

  /// For writing calls.
  [[nodiscard]] auto calls() const -> const Descriptor& { return calls_; }
  /// For reading replies; does not wait for them (process.h, do_not_wait()).
  [[nodiscard]] auto replies() const -> const Descriptor& { return replies_; }

 private:
  BackgroundProcess(std::intptr_t process, Descriptor calls, Descriptor replies)
      : process_(process), calls_(std::move(calls)), replies_(std::move(replies)) {}

  std::intptr_t process_;  // as the system names it
  Descriptor calls_;
  Descriptor replies_;
};

}  // namespace previct::system
