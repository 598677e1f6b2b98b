#include "tell/gap_words.h"

#include "base/shortened.h"
#include "base/text.h"
#include "tell/braces.h"

#include <fmt/format.h>

#include <charconv>

namespace previct {
namespace {

/// Expands the text between braces: `0`, `0|pod|pods`, `0?is|are`.
auto expand(std::string_view field, const std::vector<std::string>& operands) -> std::string {
  const std::size_t index = static_cast<std::size_t>(field.front() - '0');
  if (index >= operands.size()) return fmt::format("{{{}}}", field);
  const std::string& operand = operands[index];
  if (field.size() == 1) return shortened(operand);
  std::size_t number = 0;
  std::from_chars(operand.data(), operand.data() + operand.size(), number);
  const std::size_t bar = field.find('|', 2);
  const std::string one(field.substr(2, bar - 2));
  const std::string many(field.substr(bar + 1));
  if (field[1] == '|') return counted(number, one, many);
  return number == 1 ? one : many;
}

auto filled(std::string_view pattern, const Gap& gap) -> std::string {
  return replace_braced(pattern, [&](std::string_view braced) { return expand(braced, gap.operands); });
}

auto row_of(const Gap& gap) -> const GapRow& {
  return gap_rows().at(static_cast<std::size_t>(gap.rule));
}

}  // namespace

auto gap_rows() -> const std::vector<GapRow>& {
  static const std::vector<GapRow> kRows = {
#define PREVICT_GAP(name, kind, what, follows, because) {#name, GapKind::kind, what, follows, because},
#include "engine/gaps.def"
#undef PREVICT_GAP
  };
  return kRows;
}

auto what_words(const Gap& gap) -> std::string {
  return (gap.only_before ? "before: " : "") + filled(row_of(gap).what, gap);
}

auto follows_words(const Gap& gap) -> std::string {
  return filled(row_of(gap).follows, gap);
}

auto because_words(const Gap& gap) -> std::string {
  const GapRow& row = row_of(gap);
  if (gap.manifests_only) {
    const std::string has = fmt::format("the input has only manifests of {}", what_words(gap));
    if (gap.operands.size() == 2) return has + ", and the cluster may have others";
    return fmt::format("the pod uses the {} {}, but {}", gap.rule == GapRule::missing_volumes ? "claims" : "claim",
                       shortened(gap.operands[2]), has);
  }
  if (!row.because.empty()) return filled(row.because, gap);
  switch (row.kind) {
    case GapKind::missing_kind: return what_words(gap) + " is not in the input";
    case GapKind::unmodelled: return what_words(gap) + " is not modeled";
    case GapKind::assumption:
    case GapKind::condition: break;
  }
  return what_words(gap);
}

auto doubt_of_rollouts(const std::vector<Gap>& gaps) -> std::string {
  const auto rolls_out = [](const Gap& gap) { return gap.rule == GapRule::rollout_of_change; };
  const auto first = std::find_if(gaps.begin(), gaps.end(), rolls_out);
  if (first == gaps.end()) return {};
  const auto count = std::count_if(first, gaps.end(), rolls_out);
  return count == 1 ? fmt::format("cannot tell, because {}. Without it: ", because_words(*first))
                    : fmt::format("cannot tell, because {} rollouts are not modeled (below). Without them: ", count);
}

auto kind_words(GapKind kind) -> std::string_view {
  switch (kind) {
    case GapKind::missing_kind: return "not in the input";
    case GapKind::unmodelled: return "not modeled";
    case GapKind::assumption: return "assumed";
    case GapKind::condition: return "on condition";
  }
  return "";
}

auto gap_in_one(const Gap& gap) -> std::string {
  const std::string follows = follows_words(gap);
  return fmt::format("{}{}{}", what_words(gap), follows.empty() ? "" : "; ", follows);
}

auto gap_words(const Gap& gap) -> std::string {
  const std::string_view label = gap.manifests_only ? "only manifests in the input" : kind_words(gap.kind());
  return fmt::format("{}: {}", label, gap_in_one(gap));
}

}  // namespace previct
