#include "engine/gap.h"

#include <algorithm>
#include <array>

namespace previct {
namespace {

auto weight(const Gap& gap) -> int {
  return gap.decides ? 2 : gap.could_change_answer ? 1 : 0;
}

}  // namespace

auto kind_of(GapRule rule) -> GapKind {
  // Clang deduces the size of a std::array of at most 256 elements.
  constexpr auto kKinds = std::to_array<GapKind>({
#define PREVICT_GAP(name, kind, what, follows, because) GapKind::kind,
#include "engine/gaps.def"
#undef PREVICT_GAP
  });
  return kKinds.at(static_cast<std::size_t>(rule));
}

auto may_change_answer(const Gap& gap) -> bool {
  // The other releases were evaluated and give other answers.
  if (gap.rule == GapRule::other_releases_differ) return true;
  return gap.decides || (gap.kind() != GapKind::assumption && gap.could_change_answer);
}

auto deciding_gap(const std::vector<Gap>& gaps) -> const Gap* {
  const auto found = std::find_if(gaps.begin(), gaps.end(), [](const Gap& gap) { return gap.decides; });
  return found == gaps.end() ? nullptr : &*found;
}

auto same_gap(const Gap& a, const Gap& b) -> bool {
  // Several rules may report the same missing kind; one gap for it is enough.
  if (a.kind() == GapKind::missing_kind && !a.operands.empty()) return b.lacks(a.operands.front());
  return a.rule == b.rule && a.operands == b.operands;
}

void add_gaps(const std::vector<Gap>& from, std::vector<Gap>& to) {
  for (const Gap& gap : from) {
    const auto known = std::find_if(to.begin(), to.end(), [&](const Gap& each) { return same_gap(each, gap); });
    if (known == to.end()) {
      to.push_back(gap);
      continue;
    }
    const bool node = known->decides_node || gap.decides_node;
    if (weight(gap) > weight(*known)) *known = gap;
    known->decides_node = node;
  }
}

}  // namespace previct
