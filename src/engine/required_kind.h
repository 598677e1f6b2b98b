#pragma once

#include "api/objects.h"
#include "engine/gap.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// A kind of object that an engine reads: one row of the engine's table, from which gaps and `inspect` are made.
struct RequiredKind {
  const KindInfo* kind;
  bool always = false;       ///< every answer needs it; otherwise only answers about pods that it concerns
  std::string_view without;  ///< the consequence if the input lacks it: "every eviction is assumed to be allowed"
};

/// Returns the consequence of lacking the kind with the short name `name`, which must be in the table.
[[nodiscard]] constexpr auto without(std::span<const RequiredKind> needs, std::string_view name) -> std::string_view {
  return std::find_if(needs.begin(), needs.end(), [&](const RequiredKind& need) { return need.kind->name == name; })
      ->without;
}

/// Returns true if neither an object of this kind (as in Objects::counts) nor a list of it, even an empty one, was
/// read.
[[nodiscard]] auto lacks(const Objects& objects, std::string_view kind) -> bool;
[[nodiscard]] inline auto lacks(const Objects& objects, const KindInfo& kind) -> bool {
  return lacks(objects, kind.key);
}

/// Returns true if the cluster may hold objects of this kind that were not read: the kind is missing, or the input has
/// only manifests of it (see InputSummary::by_hand).
[[nodiscard]] auto may_hold_more(const Objects& objects, const KindInfo& kind) -> bool;

/// Returns the gap of lacking the kind with the short name `name`, which must be in the table; empty if it was read.
[[nodiscard]] auto missing_kind(const Objects& objects, std::span<const RequiredKind> needs, std::string_view name)
    -> std::vector<Gap>;

/// Returns the gap of the first of the kinds `names` that the input lacks.
[[nodiscard]] auto first_missing(const Objects& objects, std::span<const RequiredKind> needs,
                                 std::initializer_list<std::string_view> names) -> std::optional<Gap>;

/// Returns the gaps of all kinds that every answer needs.
[[nodiscard]] auto missing_kinds(const Objects& objects, std::span<const RequiredKind> needs) -> std::vector<Gap>;

/// Makes the gap about missing nodes decisive: without nodes, no answer is possible.
void make_missing_nodes_decisive(std::vector<Gap>& gaps);

}  // namespace previct
