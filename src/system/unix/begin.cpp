#include "system/begin.h"

#include <fcntl.h>
#include <unistd.h>

namespace previct::system {

void open_standard_streams() {
  // Read-only: writing to a stream that was closed fails.
  while (true) {
    const int descriptor = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (descriptor > STDERR_FILENO) ::close(descriptor);
    if (descriptor < 0 || descriptor > STDERR_FILENO) break;
  }
}

auto words_of(int count, char** words) -> std::vector<std::string> {
  return {words, words + count};
}

}  // namespace previct::system
