#include "report/html_columns.h"

#include <algorithm>
#include <string_view>

namespace previct {
namespace {

constexpr std::size_t kPaper = 104;         // letters of a table's font between the margins of A4
constexpr std::size_t kBetweenColumns = 2;  // letters between two columns
constexpr std::size_t kBrokenWidth = 12;    // letters of a column whose words are broken

// Browsers break lines at blanks and after hyphens and slashes.
auto longest_word(std::string_view text) -> std::size_t {
  std::size_t longest = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" -/\n"), text.size() - 1) + 1;
    longest = std::max(longest, end);
    text.remove_prefix(end);
  }
  return longest;
}

}  // namespace

auto columns_to_break(const Table& table, const std::vector<bool>& shown) -> std::vector<bool> {
  std::vector<std::size_t> widths(table.columns.size(), 0);
  std::vector<bool> broken(table.columns.size(), false);
  std::size_t sum = 0;
  for (std::size_t c = 0; c < widths.size(); ++c) {
    if (!shown[c]) continue;
    widths[c] = longest_word(table.columns[c].head);
    for (const auto& row : table.rows) {
      const std::string& text = row[c].text;
      widths[c] = std::max(widths[c], is_kept_whole(table.columns[c], text) ? text.size() : longest_word(text));
    }
    sum += widths[c] + kBetweenColumns;
  }
  while (sum > kPaper) {
    const auto widest = std::max_element(widths.begin(), widths.end());
    if (*widest <= kBrokenWidth) return shown;
    broken[static_cast<std::size_t>(widest - widths.begin())] = true;
    sum -= *widest - kBrokenWidth;
    *widest = kBrokenWidth;
  }
  return broken;
}

auto is_kept_whole(const Column& column, std::string_view text) -> bool {
  constexpr std::size_t kLongest = 20;
  return column.numeric || (text.size() <= kLongest && text.find(' ') == std::string_view::npos);
}

}  // namespace previct
