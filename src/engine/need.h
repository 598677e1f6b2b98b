#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

namespace previct {

/// A kind of object that an engine reads: one row of its table, from which its gaps and `inspect` speak.
struct Need {
  std::string_view kind;     ///< as in Objects::counts: `Pod`, `policy/PodDisruptionBudget`
  bool always = false;       ///< every answer needs it; else only those about pods that have to do with it
  std::string_view without;  ///< what holds if the input lacks it: "violations are counted as 0"
};

/// `PodDisruptionBudget` of `policy/PodDisruptionBudget`.
[[nodiscard]] constexpr auto short_kind(std::string_view kind) -> std::string_view {
  return kind.substr(kind.rfind('/') + 1);
}

/// What holds without the kind called `name` (short); it must be in the table.
[[nodiscard]] constexpr auto without(std::span<const Need> needs, std::string_view name) -> std::string_view {
  return std::find_if(needs.begin(), needs.end(), [&](const Need& need) { return short_kind(need.kind) == name; })
      ->without;
}

}  // namespace previct
