#include "cli/terminal.h"

#include "system/terminal.h"

#include <algorithm>
#include <charconv>

namespace previct::cli {
namespace {

auto variable(Environment environment, const char* name) -> std::string_view {
  const char* value = environment(name);
  return value == nullptr ? std::string_view() : std::string_view(value);
}

auto columns(int descriptor, Environment environment) -> std::size_t {
  const std::string_view given = variable(environment, "COLUMNS");
  std::size_t width = 0;
  std::from_chars(given.data(), given.data() + given.size(), width);
  if (width > 0) return width;
  constexpr std::size_t kUsual = 80;
  const std::size_t told = system::columns_of(descriptor);
  return told > 0 ? told : kUsual;
}

auto takes_utf8(Environment environment) -> bool {
  if (system::terminals_take_utf8()) return true;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    std::string value(variable(environment, name));
    if (value.empty()) continue;
    for (char& c : value) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    return value.find("UTF-8") != std::string::npos || value.find("UTF8") != std::string::npos;
  }
  return false;
}

}  // namespace

auto wants_color(std::string_view color, bool is_terminal, Environment environment) -> bool {
  if (color == "always") return true;
  if (color == "never" || !variable(environment, "NO_COLOR").empty()) return false;
  for (const char* force : {"CLICOLOR_FORCE", "FORCE_COLOR"}) {
    const std::string_view value = variable(environment, force);
    if (!value.empty() && value != "0") return true;
  }
  return is_terminal && variable(environment, "CLICOLOR") != "0" && variable(environment, "TERM") != "dumb";
}

auto terminal_of(int descriptor, std::string_view color, Environment environment) -> Terminal {
  Terminal terminal;
  terminal.is_terminal = system::is_terminal(descriptor);
  terminal.color = wants_color(color, terminal.is_terminal, environment) &&
                   (!terminal.is_terminal || system::takes_colors(descriptor));
  if (terminal.is_terminal) {
    terminal.width = columns(descriptor, environment);
    terminal.utf8 = takes_utf8(environment);
  }
  return terminal;
}

}  // namespace previct::cli
