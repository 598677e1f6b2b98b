#include "cli/excerpt.h"

#include "base/text.h"
#include "cli/file.h"

#include <algorithm>
#include <fstream>
#include <limits>

namespace previct::cli {
namespace {

constexpr std::size_t kLongest = 200;  // maximum bytes shown

// The bytes of `line` before the value of its first key; without a key, its indentation.
auto before_value(std::string_view line) -> std::size_t {
  const std::size_t begin = std::min(line.find_first_not_of(" -\t{"), line.size());
  constexpr std::string_view kOfKeys = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._/\"'";
  const std::size_t colon = std::min(line.find_first_not_of(kOfKeys, begin), line.size());
  if (colon == begin || colon >= line.size() || line[colon] != ':') return begin;
  return std::min(line.find_first_not_of(" \t", colon + 1), line.size());
}

}  // namespace

auto excerpt_of(std::string_view line, const Place& place) -> Excerpt {
  if (place.line == 0 || place.column == 0 || place.column > line.size()) return {};
  const std::size_t mark = place.column - 1;
  std::size_t length = 1;
  while (mark + length < line.size() && (static_cast<unsigned char>(line[mark + length]) & 0xc0U) == 0x80) ++length;
  const std::size_t safe = before_value(line);
  const std::size_t begin = mark > safe || mark + length > kLongest ? mark : 0;
  const std::size_t end = std::max(mark + length, begin == 0 ? std::min(safe, kLongest) : 0);
  return {
      .line = place.line, .text = std::string(line.substr(begin, end - begin)), .from = mark - begin, .length = length};
}

auto excerpt_at(const Place& place, const Files& files) -> Excerpt {
  if (!place.file || place.line == 0 || place.column == 0) return {};
  const std::string& name = files.name(place.file);
  if (!is_regular(name)) return {};
  std::ifstream stream(name, std::ios::binary);
  for (std::uint32_t line = 1; line < place.line && stream; ++line)
    stream.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  constexpr std::size_t kMost = std::size_t{1} << 16U;
  std::string line(kMost, '\0');
  stream.read(line.data(), static_cast<std::streamsize>(line.size()));
  line.resize(static_cast<std::size_t>(stream.gcount()));
  line.resize(std::min(line.find_first_of("\r\n"), line.size()));
  // Compressed data is no text.
  return valid_utf8_size(line) == line.size() && line.find('\0') == std::string::npos ? excerpt_of(line, place)
                                                                                      : Excerpt{};
}

}  // namespace previct::cli
