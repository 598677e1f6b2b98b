#pragma once

#include "base/descriptor.h"
#include "base/instant.h"
#include "cli/mcp/reply.h"
#include "cli/mcp/tools.h"
#include "system/copy.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace previct::cli::mcp {

/// Limits of a worker.
struct WorkerLimits {
  std::uint64_t memory = 0;  ///< bytes; 0: 4 GiB
  unsigned threads = 0;      ///< 0: one per processor
};

/// A process that reads the inputs of calls once, and answers each call in a copy of itself. So a hostile input, or a
/// call that was cancelled, can end only a worker, calls cannot influence each other, and the copy may change what was
/// read. The kernel ends workers when the server ends.
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
  [[nodiscard]] auto replies() const -> int { return replies_.number(); }
  /// Takes what has arrived. Returns the reply once it is complete, also an error if the process has ended.
  [[nodiscard]] auto receive() -> std::optional<Reply>;
  /// Returns true if no further call can be sent: the process has ended, or an input has changed.
  [[nodiscard]] auto ended() const -> bool { return ended_; }

 private:
  Worker(std::unique_ptr<system::BackgroundCopy> process, Descriptor calls, Descriptor replies, std::string key)
      : process_(std::move(process)), calls_(std::move(calls)), replies_(std::move(replies)), key_(std::move(key)) {}
  [[nodiscard]] auto why_it_ended() -> Reply;

  std::unique_ptr<system::BackgroundCopy> process_;
  Descriptor calls_;
  Descriptor replies_;
  std::string key_;
  std::string arrived_{};
  bool ended_ = false;
};

}  // namespace previct::cli::mcp
