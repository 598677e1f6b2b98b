#include "system/terminal.h"

#include <sys/ioctl.h>

namespace previct::system {

auto columns_of(int descriptor) -> std::size_t {
  winsize size{};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace previct::system
