#include "engine/required_kind.h"

namespace previct {

auto lacks(const Objects& objects, std::string_view kind) -> bool {
  const std::string key(kind);
  return !objects.counts.contains(key) && !objects.listed.contains(key);
}

auto may_hold_more(const Objects& objects, std::string_view kind) -> bool {
  return lacks(objects, kind) ||
         (objects.by_hand.contains(std::string(short_kind(kind))) && !objects.listed.contains(std::string(kind)));
}

auto missing_kind(const Objects& objects, std::span<const RequiredKind> needs, std::string_view name)
    -> std::vector<Gap> {
  const auto need =
      std::find_if(needs.begin(), needs.end(), [&](const RequiredKind& each) { return short_kind(each.kind) == name; });
  if (!may_hold_more(objects, need->kind)) return {};
  bool some = false;  // of an overlay, or manifests
  objects.each_store(
      [&](std::string_view kind, const auto& store) { some = some || (kind == name && !store.empty()); });
  const std::string_view holds = some ? "previct assumes that those which were added are all" : need->without;
  return {{GapRule::missing, {std::string(name), std::string(holds)}}};
}

auto missing_kinds(const Objects& objects, std::span<const RequiredKind> needs) -> std::vector<Gap> {
  std::vector<Gap> gaps;
  for (const RequiredKind& need : needs) {
    if (need.always) add_gaps(missing_kind(objects, needs, short_kind(need.kind)), gaps);
  }
  return gaps;
}

void without_nodes_decides(std::vector<Gap>& gaps) {
  for (Gap& gap : gaps) {
    if (!gap.lacks("Node")) continue;
    gap.rule = GapRule::missing_nodes;
    gap.decides = true;
  }
}

}  // namespace previct
