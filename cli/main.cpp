#include "cli/interrupt.h"
#include "cli/run.h"
#include "system/signals.h"

#include <chrono>

#include <fcntl.h>
#include <unistd.h>

namespace {

// Runs before any other initialization, when memory may already be short.
[[gnu::constructor(101)]] void begin() {
  previct::cli::install_fault_handlers();
}

}  // namespace

auto main(int count, char** words) -> int {
  // Opens closed standard streams on /dev/null, read-only, so that no file opened later gets their numbers.
  while (true) {
    const int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (descriptor > STDERR_FILENO) close(descriptor);
    if (descriptor < 0 || descriptor > STDERR_FILENO) break;
  }
  previct::system::end_by_broken_pipe();
  previct::cli::install_signal_handlers();
  return previct::cli::run({words, words + count}, [] {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return previct::Instant{std::chrono::duration_cast<std::chrono::seconds>(now).count(), 0};
  });
}
