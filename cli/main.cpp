#include "cli/interrupt.h"
#include "cli/mcp/worker.h"
#include "cli/run.h"
#include "system/begin.h"
#include "system/signals.h"

#include <chrono>

namespace {

// Runs before any other initialization, when memory may already be short.
[[gnu::constructor(101)]] void begin() {
  previct::cli::install_fault_handlers();
}

auto now() -> previct::Instant {
  const auto time = std::chrono::system_clock::now().time_since_epoch();
  return {std::chrono::duration_cast<std::chrono::seconds>(time).count(), 0};
}

}  // namespace

auto main(int count, char** words) -> int {
  previct::system::open_standard_streams();
  previct::system::end_by_broken_pipe();
  previct::cli::install_signal_handlers();
  const std::vector<std::string> said = previct::system::words_of(count, words);
  if (previct::cli::mcp::is_worker(said)) return previct::cli::mcp::work(said, now);
  return previct::cli::run(said, now);
}
