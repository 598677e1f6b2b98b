#include "system/process.h"

namespace previct::system {

auto last_line(std::string_view text) -> std::string {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
  const std::size_t from = text.rfind('\n');
  return std::string(from == std::string_view::npos ? text : text.substr(from + 1));
}

auto Running::words() const -> std::string {
  return last_line(words_);
}

}  // namespace previct::system
