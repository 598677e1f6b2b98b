#include "engine/kai/snapshot/nesting.h"

#include "base/ascii.h"
#include "engine/nesting.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace previct::kai {
namespace {

struct Nested {
  std::string name;
  std::string parent;  // empty: at the top
};

// Entries that are reachable only through a loop are in no tree and do not count.
auto depth_of(const std::vector<Nested>& all) -> std::size_t {
  std::multimap<std::string_view, const Nested*> below;
  for (const Nested& each : all) below.emplace(each.parent, &each);
  std::size_t depth = 0;
  std::vector<std::string_view> level = {""};
  while (true) {
    std::vector<std::string_view> next;
    for (const std::string_view name : level) {
      const auto [first, last] = below.equal_range(name);
      for (auto each = first; each != last; ++each) next.push_back(each->second->name);
      below.erase(first, last);
    }
    if (next.empty()) return depth;
    ++depth;
    level = std::move(next);
  }
}

auto too_deep(std::string_view what, std::size_t depth, std::size_t most, const ObjectMeta& meta) {
  return fail(fmt::format("{} {} deep; previct supports at most {}", what, depth, most), meta.source);
}

}  // namespace

auto check_nesting(const Snapshot& cluster) -> Result<void> {
  const auto text = [&](Symbol symbol) { return std::string(cluster.text(symbol)); };
  std::vector<Nested> queues;
  for (const Queue& queue : cluster.objects().kai_queues)
    queues.push_back({text(queue.meta.name), text(queue.spec.parent_queue)});
  if (const std::size_t depth = depth_of(queues); depth > kDeepest)
    return too_deep("the KAI queues are nested", depth, kDeepest, cluster.objects().kai_queues.front().meta);
  for (const PodGroup& group : cluster.objects().kai_pod_groups) {
    std::vector<Nested> sub_groups;
    for (const SubGroup& each : group.spec.sub_groups)
      sub_groups.push_back({text(each.name), lower_case(cluster.text(each.parent))});
    if (const std::size_t depth = depth_of(sub_groups); depth > kDeepest)
      return too_deep(fmt::format("the sub-groups of PodGroup {} are nested", text(group.meta.name)), depth, kDeepest,
                      group.meta);
  }
  for (const Topology& topology : cluster.objects().kai_topologies) {
    if (const std::size_t levels = topology.spec.levels.size(); levels > kMostLevels) {
      return fail(fmt::format("Topology {} has {} levels; the API server allows {}", text(topology.meta.name), levels,
                              kMostLevels),
                  topology.meta.source);
    }
  }
  return {};
}

}  // namespace previct::kai
