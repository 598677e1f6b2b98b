#pragma once

#include "base/instant.h"
#include "cli/mcp/reply.h"
#include "cli/mcp/tools.h"
#include "system/copy.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace previct::cli::mcp {

/// Limits of a worker.
struct WorkerLimits {
  std::uint64_t memory = 0;  ///< bytes; 0: 4 GiB
  unsigned threads = 0;      ///< 0: one per processor
};

/// A process that reads the inputs of calls once, and answers each call in a copy of itself; on a system without
/// copies, a process that answers one call. So a hostile input, or a call that was cancelled, can end only a worker,
/// calls cannot influence each other, and the copy may change what was read. The kernel ends workers when the server
/// ends.
class Worker {
 public:
  /// Starts a process for calls with the same inputs, or for one call without inputs. Fails if the system refuses.
  [[nodiscard]] static auto start(const Call& first, const WorkerLimits& limits, Instant (*clock)())
      -> Result<std::unique_ptr<Worker>>;
  Worker(const Worker&) = delete;
  auto operator=(const Worker&) -> Worker& = delete;

  /// Returns true if the call has the inputs that the worker has read.
  [[nodiscard]] auto serves(const Call& call) const -> bool;
  /// Sends a call; the previous one must be answered. Returns false if the process has ended.
  [[nodiscard]] auto send(const Call& call) -> bool;

  /// Readable when receive() has something to do.
  [[nodiscard]] auto replies() const -> int { return process_->replies().number(); }
  /// Takes what has arrived. Returns the reply once it is complete, also an error if the process has ended.
  [[nodiscard]] auto receive() -> std::optional<Reply>;
  /// Returns true if no further call can be sent: the process has ended, or an input has changed.
  [[nodiscard]] auto ended() const -> bool { return ended_; }

 private:
  Worker(std::unique_ptr<system::BackgroundProcess> process, std::string key)
      : process_(std::move(process)), key_(std::move(key)) {}
  [[nodiscard]] auto why_it_ended() -> Reply;

  std::unique_ptr<system::BackgroundProcess> process_;
  std::string key_;
  std::string arrived_{};
  bool ended_ = false;
};

/// Returns true if this program was started as a worker, by these words.
[[nodiscard]] auto is_worker(const std::vector<std::string>& words) -> bool;
/// Answers calls on standard input, as Worker::start() says. Returns the exit status.
[[nodiscard]] auto work(const std::vector<std::string>& words, Instant (*clock)()) -> int;

}  // namespace previct::cli::mcp
