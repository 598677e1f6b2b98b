#include "cli/progress.h"

#include "base/text.h"
#include "cli/file.h"

#include <fmt/format.h>

namespace previct::cli {
namespace {

constexpr std::string_view kErase = "\r\x1b[K";

auto amount(std::uint64_t done, std::uint64_t total) -> std::string {
  constexpr std::uint64_t kMega = 1'000'000;
  if (total == 0) return fmt::format("{} MB", done / kMega);
  return fmt::format("{}/{} MB  {}%", done / kMega, total / kMega, done * 100 / total);
}

}  // namespace

auto progress_words(std::string_view name, std::uint64_t done, std::uint64_t total, std::size_t width) -> std::string {
  const std::string numbers = amount(done, total);
  for (const std::string_view shown : {name, name.substr(name.rfind('/') + 1)}) {
    std::string line = fmt::format("reading {}  {}", escaped(shown), numbers);
    if (display_width(line) < width) return line;
  }
  return fmt::format("reading  {}", numbers);
}

ProgressLine::~ProgressLine() {
  if (shown_) write_message(kErase);
}

void ProgressLine::at(std::string_view name, std::uint64_t done, std::uint64_t total) {
  if (width_ == 0) return;
  const Clock::time_point now = Clock::now();
  if (now < next_) return;
  next_ = now + kStep;
  shown_ = true;
  write_message(fmt::format("{}{}", kErase, progress_words(name, done, total, width_)));
}

void Phases::end(std::string_view what) {
  const auto now = std::chrono::steady_clock::now();
  if (wanted_)
    write_message(
        fmt::format("previct: {}: {:.2f} s\n", escaped(what), std::chrono::duration<double>(now - start_).count()));
  start_ = now;
}

}  // namespace previct::cli
