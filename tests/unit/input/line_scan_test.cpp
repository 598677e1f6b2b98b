#include "input/line_scan.h"

#include <catch2/catch.hpp>

#include <random>
#include <string>
#include <vector>

namespace previct {
namespace {

/// Returns the shape by its definition, line by line, of a text whose last line does not begin with a blank.
auto shape_by_lines(const std::string& text, char open) -> std::uint32_t {
  LineShape shape;
  for (std::size_t at = 0;;) {
    const std::size_t feed = text.find('\n', at);
    if (feed == std::string::npos) return 0;
    if (feed > at && text[feed - 1] == open) shape.opens(shape.lines);
    ++shape.lines;
    at = feed + 1;
    if (text[at] != ' ' && text[at] != '\n') return (shape.number + shape.lines) | 1U;
  }
}

TEST_CASE("line scan: the shape of an object depends only on its lines") {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const char open = round % 2 == 0 ? ':' : '{';
    std::string text = "- a: b\n";
    for (std::size_t lines = random() % 60; lines > 0; --lines) {
      if (random() % 8 == 0) text += '\n';
      text += "  " + std::string(random() % 20, ' ') + std::string(random() % 90, 'x');
      text += random() % 3 == 0 ? std::string(1, open) + "\n" : "y\n";
    }
    text += "- a: c\n";
    const std::size_t size = text.size();
    text.append(kScanPadding, '\0');
    // At any memory offset, with unreadable memory after the padding.
    for (const std::size_t offset : {0U, 1U, 31U, 63U}) {
      std::vector<char> bytes(offset + text.size());
      text.copy(bytes.data() + offset, text.size());
      const char* const at = bytes.data() + offset;
      const auto is_last = [](const char* line) { return *line != ' ' && *line != '\n'; };
      CHECK(shape_of_lines(at, at + size, open, {0, ' '}, is_last) == shape_by_lines(text, open));
    }
  }
}

}  // namespace
}  // namespace previct
