#include "system/terminal.h"

#include <unistd.h>

namespace previct::system {

auto is_terminal(int descriptor) -> bool {
  return ::isatty(descriptor) == 1;
}

auto takes_colors(int /*descriptor*/) -> bool {
  return true;
}

auto terminals_take_utf8() -> bool {
  return false;
}

auto keys_that_end_input() -> std::string_view {
  return "Ctrl-D";
}

}  // namespace previct::system
