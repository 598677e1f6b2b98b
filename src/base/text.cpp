#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace previct {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Characters that have no visible form of their own and reorder, hide or join text.
constexpr std::array<Range, 16> kHidden = {{{0x00ad, 0x00ad},
                                            {0x034f, 0x034f},
                                            {0x061c, 0x061c},
                                            {0x115f, 0x1160},
                                            {0x17b4, 0x17b5},
                                            {0x180b, 0x180f},
                                            {0x200b, 0x200f},
                                            {0x2028, 0x202e},
                                            {0x2060, 0x206f},
                                            {0x3164, 0x3164},
                                            {0xfe00, 0xfe0f},
                                            {0xfeff, 0xfeff},
                                            {0xfdd0, 0xfdef},  // noncharacters of Unicode
                                            {0xfff9, 0xfffb},
                                            {0xfffe, 0xffff},  // noncharacters, also forbidden in XML
                                            {0xe0000, 0xe0fff}}};

constexpr std::array<Range, 11> kWide = {{{0x1100, 0x115f},
                                          {0x2e80, 0x303e},
                                          {0x3041, 0xa4cf},
                                          {0xa960, 0xa97f},
                                          {0xac00, 0xd7a3},
                                          {0xf900, 0xfaff},
                                          {0xfe30, 0xfe6f},
                                          {0xff00, 0xff60},
                                          {0xffe0, 0xffe6},
                                          {0x1f300, 0x1faff},
                                          {0x20000, 0x3fffd}}};

template <std::size_t N>
auto within(char32_t c, const std::array<Range, N>& ranges) -> bool {
  return std::any_of(ranges.begin(), ranges.end(), [c](Range r) { return c >= r.first && c <= r.last; });
}

// The edit distance: how many letters must be changed, inserted, removed, or swapped with their neighbor.
auto edits_between(std::string_view a, std::string_view b) -> std::size_t {
  std::vector<std::size_t> before_last;
  std::vector<std::size_t> last(a.size() + 1);
  for (std::size_t i = 0; i <= a.size(); ++i) last[i] = i;
  for (std::size_t j = 1; j <= b.size(); ++j) {
    std::vector<std::size_t> row(a.size() + 1, j);
    for (std::size_t i = 1; i <= a.size(); ++i) {
      row[i] = std::min({last[i - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U), last[i] + 1, row[i - 1] + 1});
      const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (exchanged) row[i] = std::min(row[i], before_last[i - 2] + 1);
    }
    before_last = std::exchange(last, std::move(row));
  }
  return last.back();
}

}  // namespace

auto decode_utf8(std::string_view text) -> DecodedCharacter {
  if (text.empty()) return {};
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (length == 0 || first > 0xf4 || text.size() < length) return {};
  char32_t value = first & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {};
    value = (value << 6U) | (byte(i) & 0x3fU);
  }
  constexpr std::array<char32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xd800 && value <= 0xdfff;
  if (value < kSmallest[length] || value > 0x10ffff || surrogate) return {};
  return {value, length};
}

auto valid_utf8_size(std::string_view text) -> std::size_t {
  std::size_t size = 0;
  while (size < text.size()) {
    // Nearly all of a dump is ASCII: check eight characters at a time.
    std::uint64_t eight = 0;
    if (text.size() - size >= sizeof eight) {
      std::memcpy(&eight, text.data() + size, sizeof eight);
      if ((eight & 0x8080'8080'8080'8080U) == 0) {
        size += sizeof eight;
        continue;
      }
    }
    const std::size_t length = decode_utf8(text.substr(size)).length;
    if (length == 0) break;
    size += length;
  }
  return size;
}

void append_utf8(std::string& out, char32_t character) {
  const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80U | (character >> shift & 0x3fU)); };
  if (character < 0x80) {
    out += static_cast<char>(character);
  } else if (character < 0x800) {
    out += static_cast<char>(0xc0U | character >> 6U);
    tail(0);
  } else if (character < 0x10000) {
    out += static_cast<char>(0xe0U | character >> 12U);
    tail(6);
    tail(0);
  } else {
    out += static_cast<char>(0xf0U | character >> 18U);
    tail(12);
    tail(6);
    tail(0);
  }
}

auto escaped(std::string_view text) -> std::string {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto [c, length] = decode_utf8(text);
    if (length == 0) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
      text.remove_prefix(1);
      continue;
    }
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c < 0x20 || (c >= 0x7f && c < 0xa0)) {
      out += fmt::format("\\x{:02x}", static_cast<std::uint32_t>(c));
    } else if (within(c, kHidden)) {
      out += c > 0xffff ? fmt::format("\\U{:08x}", static_cast<std::uint32_t>(c))
                        : fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c));
    } else {
      out.append(text.substr(0, length));
    }
    text.remove_prefix(length);
  }
  return out;
}

auto display_width(std::string_view text) -> std::size_t {
  std::size_t width = 0;
  while (!text.empty()) {
    const auto [c, length] = decode_utf8(text);
    text.remove_prefix(std::max<std::size_t>(length, 1));
    const bool combining = c >= 0x0300 && c <= 0x036f;
    if (!combining) width += within(c, kWide) ? 2U : 1U;
  }
  return width;
}

auto wrapped(std::string_view text, std::size_t width) -> std::vector<std::string> {
  if (width == 0 || display_width(text) <= width) return {std::string(text)};
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty()) {
    const std::size_t blank = text.find(' ');
    const std::string_view word = text.substr(0, blank);
    text.remove_prefix(blank == std::string_view::npos ? text.size() : blank + 1);
    if (!line.empty() && display_width(line) + 1 + display_width(word) > width) {
      lines.push_back(line);
      line.clear();
    }
    if (!line.empty()) line += ' ';
    line += word;
  }
  lines.push_back(line);
  return lines;
}

auto nearest(std::string_view word, const std::vector<std::string>& candidates) -> std::optional<std::string> {
  constexpr std::size_t kMaxEdits = 2;
  std::optional<std::string> best;
  std::size_t best_edits = kMaxEdits + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(candidate.size(), word.size());
    if (longer - std::min(candidate.size(), word.size()) > kMaxEdits) continue;
    const std::size_t edits = edits_between(word, candidate);
    // Less than half of a word may be edited: `utc` does not suggest `at`. Of equally near candidates, the one with the
    // same first letter is chosen: `nod` suggests node, not pod.
    const auto alike = [&](const std::string& other) { return !word.empty() && other.starts_with(word.front()); };
    const bool nearer = edits < best_edits || (best && edits == best_edits && alike(candidate) && !alike(*best));
    if (nearer && 2 * edits < longer) {
      best_edits = edits;
      best = candidate;
    }
  }
  return best;
}

auto counted(std::size_t n, std::string_view one, std::string_view many) -> std::string {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

auto joined(const std::vector<std::string>& parts, std::string_view separator) -> std::string {
  return fmt::format("{}", fmt::join(parts, separator));
}

auto joined_up_to(std::size_t most, std::vector<std::string> parts) -> std::string {
  const std::size_t more = parts.size() > most ? parts.size() - most : 0;
  parts.resize(parts.size() - more);
  return joined(parts, ", ") + (more == 0 ? "" : fmt::format(" and {} more", more));
}

}  // namespace previct
