#include "report/brief.h"

#include "base/text.h"

#include <fmt/format.h>

namespace previct {
namespace {

constexpr std::size_t kRows = 8;

}  // namespace

auto first_rows(Table table, std::size_t rows) -> Table {
  if (table.rows.size() <= rows + 1) return table;  // the line about one more row is as long as the row
  const std::size_t more = table.rows.size() - rows;
  table.rows.resize(rows);
  table.footer.insert(table.footer.begin(),
                      Line{{{fmt::format("+ {}", counted(more, "more row", "more rows")), Tone::dim}}});
  return table;
}

auto rest_line(std::string_view what) -> Line {
  return {{{fmt::format("-v shows everything{}{}", what.empty() ? "" : ": ", what), Tone::dim}}};
}

auto brief_of(const Report& report) -> std::vector<Block> {
  if (!report.brief.empty()) return report.brief;
  std::vector<Block> blocks;
  bool cut = false;
  for (const Block& block : report.blocks) {
    const Table* const table = std::get_if<Table>(&block);
    const Paragraph* const paragraph = std::get_if<Paragraph>(&block);
    if (std::holds_alternative<Picture>(block)) continue;
    if ((table != nullptr && table->only_in_full) || (paragraph != nullptr && paragraph->only_in_full)) {
      cut = true;
    } else if (table != nullptr) {
      cut = cut || table->rows.size() > kRows + 1;
      blocks.emplace_back(first_rows(*table, kRows));
    } else {
      blocks.push_back(block);
    }
  }
  if (cut) blocks.emplace_back(rest_line({}));
  return blocks;
}

}  // namespace previct
