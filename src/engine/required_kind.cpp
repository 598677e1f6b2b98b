#include "engine/required_kind.h"

namespace previct {

auto lacks(const Objects& objects, std::string_view kind) -> bool {
  const std::string key(kind);
  return !objects.counts.contains(key) && !objects.listed.contains(key);
}

auto may_hold_more(const Objects& objects, const KindInfo& kind) -> bool {
  return lacks(objects, kind) || (objects.manifest_only_kinds.contains(std::string(kind.name)) &&
                                  !objects.listed.contains(std::string(kind.key)));
}

namespace {

auto missing(const Objects& objects, const RequiredKind& need) -> std::vector<Gap> {
  if (!may_hold_more(objects, *need.kind)) return {};
  bool some = false;  // objects from an overlay or from manifests
  objects.each_store([&](std::string_view store, const auto& held) {
    some = some || (store == need.kind->store_name && !held.empty());
  });
  const bool manifests_only = some && !lacks(objects, *need.kind);
  const std::string_view holds = !some            ? need.without
                                 : manifests_only ? "previct assumes that the cluster has no others"
                                                  : "previct assumes that those which were added are all";
  Gap gap{GapRule::missing, {std::string(need.kind->name), std::string(holds)}};
  gap.manifests_only = manifests_only;
  return {std::move(gap)};
}

}  // namespace

auto missing_kind(const Objects& objects, std::span<const RequiredKind> needs, std::string_view name)
    -> std::vector<Gap> {
  return missing(objects, *std::find_if(needs.begin(), needs.end(),
                                        [&](const RequiredKind& each) { return each.kind->name == name; }));
}

auto first_missing(const Objects& objects, std::span<const RequiredKind> needs,
                   std::initializer_list<std::string_view> names) -> std::optional<Gap> {
  for (const std::string_view name : names) {
    std::vector<Gap> gaps = missing_kind(objects, needs, name);
    if (!gaps.empty()) return std::move(gaps.front());
  }
  return {};
}

auto missing_kinds(const Objects& objects, std::span<const RequiredKind> needs) -> std::vector<Gap> {
  std::vector<Gap> gaps;
  for (const RequiredKind& need : needs) {
    if (need.always) add_gaps(missing(objects, need), gaps);
  }
  return gaps;
}

void make_missing_nodes_decisive(std::vector<Gap>& gaps) {
  for (Gap& gap : gaps) {
    if (!gap.lacks("Node")) continue;
    gap.rule = GapRule::missing_nodes;
    gap.decides = true;
  }
}

}  // namespace previct
