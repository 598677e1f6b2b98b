#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// What an answer may not know. Each has one line of words in engine/gaps.def.
enum class GapRule : std::uint8_t {
#define PREVICT_GAP(name, kind, what, follows, because) name,
#include "engine/gaps.def"
#undef PREVICT_GAP
};

enum class GapKind : std::uint8_t {
  missing_kind,  ///< the input lacks it
  unmodelled,
  assumption,
  condition  ///< of an `Assumption`, never a gap by itself
};
[[nodiscard]] auto kind_of(GapRule rule) -> GapKind;

/// Something that an answer does not know, as a value: tell/gap_words.h has the words.
struct Gap {
  GapRule rule{};
  std::vector<std::string> operands{};  ///< names out of the input and numbers, in the order of the rule's words
  bool decides = false;                 ///< takes part in this very decision: the outcome is `unknown`, and says so
  bool could_change_answer = true;      ///< false: for the record only, the answer stands
  bool decides_node = false;            ///< by it alone, the node of a pod that fits is not known
  bool only_before = false;             ///< of a comparison: it held before the change, and not after it

  [[nodiscard]] auto kind() const -> GapKind { return kind_of(rule); }
  /// Is this about a kind of objects that the input lacks?
  [[nodiscard]] auto lacks(std::string_view kind) const -> bool {
    return this->kind() == GapKind::missing_kind && !operands.empty() && operands.front() == kind;
  }
};

/// Could the answer be another one if this were known? Assumptions are told, and count as known unless they decide.
[[nodiscard]] auto weakens(const Gap& gap) -> bool;

/// Do they tell of the same thing, be it with other consequences?
[[nodiscard]] auto same_gap(const Gap& a, const Gap& b) -> bool;

/// Those of `from` that are not in `to` yet.
void add_gaps(const std::vector<Gap>& from, std::vector<Gap>& to);

}  // namespace previct
