#pragma once

#include "engine/gap.h"

#include <string>
#include <string_view>
#include <vector>

/// What is not known, in words: the lines of engine/gaps.def with the gap's operands in them.
namespace previct {

/// `PodDisruptionBudget`, `filter plugin Mine`
[[nodiscard]] auto what_words(const Gap& gap) -> std::string;

/// What follows from it: `every eviction is assumed to be allowed`; empty if nothing is to be said.
[[nodiscard]] auto follows_words(const Gap& gap) -> std::string;

/// Behind "cannot tell, because": `the input holds no nodes`.
[[nodiscard]] auto because_words(const Gap& gap) -> std::string;

/// `not in the input`, `not modelled`, `assumed`
[[nodiscard]] auto kind_words(GapKind kind) -> std::string_view;

/// `not in the input: PodDisruptionBudget; every eviction is assumed to be allowed`
[[nodiscard]] auto gap_words(const Gap& gap) -> std::string;

/// What it is and what follows, without its kind.
[[nodiscard]] auto gap_in_one(const Gap& gap) -> std::string;

/// A line of the catalogue, as it is written there.
struct GapRow {
  std::string_view name;
  GapKind kind;
  std::string_view what;
  std::string_view follows;
  std::string_view because;
};
[[nodiscard]] auto gap_rows() -> const std::vector<GapRow>&;

}  // namespace previct
