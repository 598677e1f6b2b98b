#include "cli/interrupt.h"
#include "cli/run.h"

#include <chrono>
#include <csignal>

#include <fcntl.h>
#include <unistd.h>

namespace {

// Before anything else of the program is made: memory may be short already then.
[[gnu::constructor(101)]] void begin() {
  previct::cli::end_cleanly_when_broken();
}

}  // namespace

auto main(int count, char** words) -> int {
  // A closed standard stream stays one that cannot be used: no file that is opened later takes its number.
  while (true) {
    const int descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (descriptor > STDERR_FILENO) close(descriptor);
    if (descriptor < 0 || descriptor > STDERR_FILENO) break;
  }
  std::signal(SIGPIPE, SIG_DFL);
  previct::cli::end_cleanly_when_interrupted();
  return previct::cli::run({words, words + count}, [] {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return previct::Instant{std::chrono::duration_cast<std::chrono::seconds>(now).count(), 0};
  });
}
