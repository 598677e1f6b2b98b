#include "sequence/stale_gangs.h"

#include <algorithm>
#include <map>
#include <set>

namespace previct::sequence {

auto has_stale_gang(const Snapshot& cluster) -> bool {
  const Symbol name_of_group = cluster.symbol("pod-group-name");
  if (!name_of_group) return false;
  std::map<Symbol, std::int32_t> active;
  std::set<Symbol> ended;  // a gang with a pod that has succeeded is not stale
  for (const PodId id : cluster.pods().ids()) {
    const Pod& pod = cluster.pod(id);
    const Symbol name = pod.meta.annotations.get(name_of_group);
    if (cluster.node_of(id) && !cluster.finished(id) && !pod.meta.deleting) ++active[name];
    if (pod.status.phase == cluster.known().succeeded) ended.insert(name);
  }
  const auto& groups = cluster.objects().kai_pod_groups;
  return std::any_of(groups.begin(), groups.end(), [&](const kai::PodGroup& group) {
    const auto& grace = group.spec.staleness_grace_period;
    const bool never = grace && grace->nanos < 0;
    const auto found = active.find(group.meta.name);
    return !never && found != active.end() && !ended.contains(group.meta.name) &&
           found->second < group.spec.min_member.value_or(1);
  });
}

}  // namespace previct::sequence
