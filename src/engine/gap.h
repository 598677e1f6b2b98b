#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// The things that an answer may not know. engine/gaps.def has one line of words for each.
enum class GapRule : std::uint16_t {
#define PREVICT_GAP(name, kind, what, follows, because) name,
#include "engine/gaps.def"
#undef PREVICT_GAP
};

enum class GapKind : std::uint8_t {
  missing_kind,  ///< the input lacks it
  unmodelled,
  assumption,
  condition  ///< belongs to an `Assumption`, is never a gap by itself
};
[[nodiscard]] auto kind_of(GapRule rule) -> GapKind;

/// Something that an answer does not know, as a value; tell/gap_words.h has the words.
struct Gap {
  GapRule rule{};
  std::vector<std::string> operands{};  ///< names from the input and numbers, in the order of the rule's words
  bool decides = false;             ///< affects this decision: the outcome is `unknown`, with this gap as the reason
  bool could_change_answer = true;  ///< false: for the record only, the answer stands
  bool decides_node = false;        ///< this gap alone makes the node of a pod that fits unknown
  bool manifests_only = false;      ///< of a missing kind: the input has manifests of it, and the cluster may have more
  bool only_before = false;         ///< in a comparison: the gap existed before the change but not after it

  [[nodiscard]] auto kind() const -> GapKind { return kind_of(rule); }
  /// Returns true if the gap is that the input lacks this kind of object.
  [[nodiscard]] auto lacks(std::string_view kind) const -> bool {
    return this->kind() == GapKind::missing_kind && !operands.empty() && operands.front() == kind;
  }
};

/// Returns true if the answer could be different if this were known. Assumptions are reported but count as known unless
/// they decide.
[[nodiscard]] auto may_change_answer(const Gap& gap) -> bool;

/// Returns the first gap that decides; null: none does.
[[nodiscard]] auto deciding_gap(const std::vector<Gap>& gaps) -> const Gap*;

/// Returns true if both gaps are about the same thing, even with different consequences.
[[nodiscard]] auto same_gap(const Gap& a, const Gap& b) -> bool;

/// Adds to `to` the gaps of `from` that it does not contain yet. Of two about the same thing, it keeps the one with the
/// greater consequences.
void add_gaps(const std::vector<Gap>& from, std::vector<Gap>& to);

}  // namespace previct
