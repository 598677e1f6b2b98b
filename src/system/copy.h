#pragma once

#include "base/diagnostics.h"

#include <cstdint>
#include <functional>
#include <memory>

#include <sys/types.h>

/// Copies of this process, which start with all of its memory: what they do, and how they end, changes nothing here.
namespace previct::system {

/// Runs `work` in a copy that the kernel ends when this process ends, and waits for its end. Returns its exit status;
/// 128 + signal if a signal ended it; negative if the system refuses. `work` must not return.
[[nodiscard]] auto run_in_copy(const std::function<void()>& work) -> int;

/// A copy that works in the background, in a process group of its own and with standard streams that lead nowhere. The
/// kernel ends it when this process ends.
class BackgroundCopy {
 public:
  /// Runs `work`, which must not return, with at most `memory` bytes of data. Fails if the system refuses. The status
  /// of a copy that cannot be limited so is `no_memory`; of one that an exception ends, `bug`.
  struct Statuses {
    int no_memory = 0;
    int bug = 0;
  };
  [[nodiscard]] static auto start(const std::function<void()>& work, std::uint64_t memory, Statuses statuses)
      -> Result<std::unique_ptr<BackgroundCopy>>;
  BackgroundCopy(const BackgroundCopy&) = delete;
  auto operator=(const BackgroundCopy&) -> BackgroundCopy& = delete;
  /// Ends the copy, and its copies.
  ~BackgroundCopy();

 private:
  explicit BackgroundCopy(pid_t process) : process_(process) {}

  pid_t process_;
};

}  // namespace previct::system
