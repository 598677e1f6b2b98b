#pragma once

#include "api/objects.h"
#include "engine/gap.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// A kind of object that an engine reads: one row of its table, from which its gaps and `inspect` speak.
struct RequiredKind {
  const KindInfo* kind;
  bool always = false;       ///< every answer needs it; else only those about pods that have to do with it
  std::string_view without;  ///< what holds if the input lacks it: "every eviction is assumed to be allowed"
};

/// What holds without the kind called `name` (short); it must be in the table.
[[nodiscard]] constexpr auto without(std::span<const RequiredKind> needs, std::string_view name) -> std::string_view {
  return std::find_if(needs.begin(), needs.end(), [&](const RequiredKind& need) { return need.kind->name == name; })
      ->without;
}

/// Neither an object of this kind (as in Objects::counts) nor a list of it, be it empty, was read.
[[nodiscard]] auto lacks(const Objects& objects, std::string_view kind) -> bool;
[[nodiscard]] inline auto lacks(const Objects& objects, const KindInfo& kind) -> bool {
  return lacks(objects, kind.key);
}

/// The cluster may hold objects of this kind that were not read: it is lacking, or there are only manifests of it (see
/// InputSummary::by_hand).
[[nodiscard]] auto may_hold_more(const Objects& objects, const KindInfo& kind) -> bool;

/// What lacking the kind called `name` (short; it must be in the table) leaves open; nothing if it was read.
[[nodiscard]] auto missing_kind(const Objects& objects, std::span<const RequiredKind> needs, std::string_view name)
    -> std::vector<Gap>;

/// The same of all kinds that every answer needs.
[[nodiscard]] auto missing_kinds(const Objects& objects, std::span<const RequiredKind> needs) -> std::vector<Gap>;

/// Without nodes nothing can be told.
void without_nodes_decides(std::vector<Gap>& gaps);

}  // namespace previct
