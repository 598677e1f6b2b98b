#include "engine/kai/snapshot/sub_groups.h"

#include <algorithm>
#include <map>
#include <string>

namespace previct::kai {
namespace {

auto lower(std::string_view text) -> std::string {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return out;
}

const SubGroupShape kRefused = {{{"default", 1}}, {}};

}  // namespace

auto sub_groups_of(const Snapshot& cluster, const PodGroupSpec& spec) -> SubGroupShape {
  if (spec.sub_groups.empty()) {
    SubGroupShape shape{{{"default", spec.min_member.value_or(1)}}, {}};
    if (spec.min_sub_group) shape.tree.inners.push_back({"", spec.min_sub_group, {}, {0}});
    return shape;
  }
  std::map<std::string_view, std::size_t> by_name;
  std::map<std::string, std::vector<std::size_t>, std::less<>> children;  // by the parent's name; "" is the root
  children.emplace();
  for (std::size_t i = 0; i < spec.sub_groups.size(); ++i) {
    const SubGroup& each = spec.sub_groups[i];
    if (!by_name.emplace(cluster.text(each.name), i).second) return kRefused;
    children[lower(cluster.text(each.parent))].push_back(i);
  }
  for (const auto& [parent, below] : children) {
    if (!parent.empty() && !by_name.contains(parent)) return kRefused;
  }
  // Depth first, so that parents stand before children and sets come in upstream's order.
  SubGroupShape shape;
  struct Open {
    std::string_view name;
    std::optional<std::int32_t> min;
    std::uint32_t parent;
  };
  std::vector<Open> open{{"", spec.min_sub_group, 0}};
  while (!open.empty()) {
    const Open at = open.back();
    open.pop_back();
    const auto index = static_cast<std::uint32_t>(shape.tree.inners.size());
    shape.tree.inners.push_back({at.name, at.min, {}, {}});
    if (index != 0) shape.tree.inners[at.parent].inners.push_back(index);
    const std::vector<std::size_t>& below = children.find(at.name)->second;
    for (const std::size_t child : below) {
      const SubGroup& each = spec.sub_groups[child];
      if (children.contains(cluster.text(each.name))) continue;
      shape.tree.inners[index].sets.push_back(static_cast<std::uint32_t>(shape.sets.size()));
      shape.sets.emplace_back(cluster.text(each.name), std::max(0, each.min_member.value_or(0)));
    }
    for (auto child = below.rbegin(); child != below.rend(); ++child) {
      const SubGroup& each = spec.sub_groups[*child];
      if (!children.contains(cluster.text(each.name))) continue;
      open.push_back({cluster.text(each.name), each.min_sub_group, index});
    }
  }
  return shape;
}

}  // namespace previct::kai
