#pragma once

#include "engine/gap.h"

#include <string>
#include <string_view>
#include <vector>

/// Gaps as text: the lines of engine/gaps.def with the gap's operands inserted.
namespace previct {

/// `PodDisruptionBudget`, `filter plugin Mine`
[[nodiscard]] auto what_words(const Gap& gap) -> std::string;

/// Returns what follows from the gap: `every eviction is assumed to be allowed`; empty if there is nothing to say.
[[nodiscard]] auto follows_words(const Gap& gap) -> std::string;

/// Returns the text that follows "cannot tell, because": `the input has no nodes`.
[[nodiscard]] auto because_words(const Gap& gap) -> std::string;

/// Returns the start of a first line that says which rollouts are not modeled: new pods follow the changed templates.
/// Empty if no gap is about a rollout.
[[nodiscard]] auto doubt_of_rollouts(const std::vector<Gap>& gaps) -> std::string;

/// `not in the input`, `not modeled`, `assumed`
[[nodiscard]] auto kind_words(GapKind kind) -> std::string_view;

/// `not in the input: PodDisruptionBudget; every eviction is assumed to be allowed`, `only manifests in the input: …`
[[nodiscard]] auto gap_words(const Gap& gap) -> std::string;

/// Returns what is unknown and what follows, without the kind.
[[nodiscard]] auto gap_in_one(const Gap& gap) -> std::string;

/// A line of the catalogue, unexpanded.
struct GapRow {
  std::string_view name;
  GapKind kind;
  std::string_view what;
  std::string_view follows;
  std::string_view because;
};
[[nodiscard]] auto gap_rows() -> const std::vector<GapRow>&;

}  // namespace previct
