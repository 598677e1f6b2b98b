#include "tell/cause_counts.h"

#include "base/text.h"
#include "tell/gap_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace previct {

void CauseCounts::add(std::string_view id, std::string_view words) {
  if (words.empty()) {
    ++others_;
    return;
  }
  Count& count = by_id_[std::string(id)];
  count.words = words;
  ++count.pods;
}

void CauseCounts::add(const Gap& gap) {
  const bool lacks_kind = gap.kind() == GapKind::missing_kind && !gap.operands.empty();
  const std::string words = because_words(gap);
  Count& count = by_id_[lacks_kind ? gap.operands.front() : words];
  if (count.pods == 0) count.words = words;
  if (count.words != words) count.words = fmt::format("{} is {}", what_words(gap), kind_words(gap.kind()));
  ++count.pods;
}

auto CauseCounts::words() const -> std::string {
  if (is_one()) return by_id_.begin()->second.words;
  std::vector<const Count*> counts;
  for (const auto& [id, count] : by_id_) counts.push_back(&count);
  std::stable_sort(counts.begin(), counts.end(), [](const Count* a, const Count* b) { return a->pods > b->pods; });
  if (counts.empty()) return {};
  constexpr std::size_t kNamed = 3;
  std::size_t others = others_;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    if (i < kNamed) {
      parts.push_back(fmt::format("{}: {}", counts[i]->pods, counts[i]->words));
    } else {
      others += counts[i]->pods;
    }
  }
  if (others > 0) parts.push_back(fmt::format("{}: other causes", others));
  return joined(parts, "; ");
}

}  // namespace previct
