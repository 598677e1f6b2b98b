#include "system/terminal.h"

#include "system/windows/wide.h"

namespace previct::system {

auto is_terminal(int descriptor) -> bool {
  DWORD mode = 0;
  return GetConsoleMode(handle_of(descriptor), &mode) != 0;
}

auto columns_of(int descriptor) -> std::size_t {
  CONSOLE_SCREEN_BUFFER_INFO told{};
  if (GetConsoleScreenBufferInfo(handle_of(descriptor), &told) == 0) return 0;
  return static_cast<std::size_t>(told.srWindow.Right - told.srWindow.Left + 1);
}

// open_standard_streams() asked for them.
auto takes_colors(int descriptor) -> bool {
  DWORD mode = 0;
  return GetConsoleMode(handle_of(descriptor), &mode) != 0 && (mode & ENABLE_VIRTUAL_TERMINAL_PROCESSING) != 0;
}

// write_some() converts what a console shows.
auto terminals_take_utf8() -> bool {
  return true;
}

auto keys_that_end_input() -> std::string_view {
  return "Ctrl-Z and Enter";
}

}  // namespace previct::system
