#include "tell/words_page.h"

#include "tell/gap_words.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct {
namespace {

// A vertical bar would end the cell.
auto cell(std::string_view text) -> std::string {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

void add_reasons(const Teller& teller, std::string& page) {
  const std::vector<ReasonRow> rows = teller.reasons();
  if (rows.empty()) return;
  const bool upstream =
      std::any_of(rows.begin(), rows.end(), [](const ReasonRow& row) { return !row.upstream.empty(); });
  page += fmt::format("\n## {}\n\n| ID | Meaning |{} Source |\n| --- | --- |{} --- |\n", teller.name(),
                      upstream ? " The scheduler's message |" : "", upstream ? " --- |" : "");
  for (const ReasonRow& row : rows) {
    page += fmt::format("| `{}` | {} |", row.id, cell(row.words));
    if (upstream) page += fmt::format(" {} |", cell(row.upstream));
    page += fmt::format(" {} |\n", cell(row.source));
  }
}

void add_gaps_of(GapKind kind, std::string& page) {
  page +=
      fmt::format("\n### {}\n\n| Name | What | What follows | After \"cannot tell, because\" |\n", kind_words(kind));
  page += "| --- | --- | --- | --- |\n";
  for (const GapRow& row : gap_rows()) {
    if (row.kind != kind) continue;
    page += fmt::format("| `{}` | {} | {} | {} |\n", row.name, cell(row.what), cell(row.follows), cell(row.because));
  }
}

}  // namespace

auto words_page() -> std::string {
  std::string page =
      "# Every reason, in words\n\n"
      "What the engines answer with are values: a rule, its operands, its evidence. Here are the words that are made "
      "of them, for reviewers and translators. Operands are in braces; of `{0|pod|pods}`, the word that suits the "
      "number is taken.\n\n"
      "<!-- Written from rules.def and gaps.def in src/engine by PREVICT_UPDATE=1 unit_tests \"[manual]\". "
      "-->\n";
  for (const Teller* teller : tellers()) add_reasons(*teller, page);
  page +=
      "\n## What an answer may not know\n\nIf the decision depends on one of these, the verdict is \"cannot tell, "
      "because …\". If the last column is empty, the text is derived from the second column: \"… is not in the "
      "input\", \"… is not modeled\".\n";
  for (const GapKind kind : {GapKind::missing_kind, GapKind::unmodelled, GapKind::assumption, GapKind::condition})
    add_gaps_of(kind, page);
  return page;
}

}  // namespace previct
