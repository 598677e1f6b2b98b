#include "system/process.h"

#include "system/child_output.h"

namespace previct::system {

auto last_line(std::string_view text) -> std::string {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
  const std::size_t from = text.rfind('\n');
  return std::string(from == std::string_view::npos ? text : text.substr(from + 1));
}

void Running::read(std::string& into) {
  constexpr std::size_t kAtOnce = std::size_t{1} << 20U;
  for (std::size_t taken = 0; out_ && taken < kAtOnce;) {
    const auto got = read_some(out_, into, std::string::npos);
    if (!got) out_.reset();
    if (got.value_or(0) == 0) break;
    taken += *got;
  }
  while (errors_) {
    const auto got = read_some(errors_, words_, kErrorsKept);
    said_ += got.value_or(0);
    if (!got || said_ > kMostErrors) errors_.reset();
    if (said_ > kMostErrors) kill();
    if (got.value_or(0) == 0) break;
  }
}

auto Running::words() const -> std::string {
  return last_line(words_);
}

}  // namespace previct::system
