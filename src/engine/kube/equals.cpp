#include "engine/kube/equals.h"

#include <algorithm>
#include <set>

namespace previct::kube {

auto interchangeable_victims(const Decision& decision, const NodeInfoSnapshot& node_infos, NodeId node,
                             std::int32_t preemptor_priority) -> std::vector<std::vector<PodId>> {
  if (node_infos.strictly_ordered(node)) return {};
  std::set<PodId> tolerating;
  // A large cluster has many, ordered by node.
  const auto first = std::partition_point(decision.tolerances.begin(), decision.tolerances.end(),
                                          [&](const PodTolerance& t) { return t.node < node; });
  for (auto t = first; t != decision.tolerances.end() && t->node == node; ++t) {
    if (t->tolerance.answer == Tolerance::Answer::yes) tolerating.insert(t->pod);
  }
  const std::set<PodId> victims(decision.nodes[node].run->victims.begin(), decision.nodes[node].run->victims.end());
  std::vector<std::vector<const PodInfo*>> groups;
  for (const PodInfo& pod : node_infos.pods_on(node)) {
    if (pod.priority >= preemptor_priority || tolerating.contains(pod.pod)) continue;
    const auto same = std::find_if(groups.begin(), groups.end(),
                                   [&](const auto& group) { return interchangeable(*group.front(), pod); });
    if (same == groups.end()) {
      groups.push_back({&pod});
    } else {
      same->push_back(&pod);
    }
  }
  std::vector<std::vector<PodId>> result;
  for (const auto& group : groups) {
    const bool concerned =
        std::any_of(group.begin(), group.end(), [&](const PodInfo* p) { return victims.contains(p->pod); });
    if (group.size() < 2 || !concerned) continue;
    std::vector<PodId>& pods = result.emplace_back();
    for (const PodInfo* p : group) pods.push_back(p->pod);
  }
  return result;
}

EqualPodGroups::EqualPodGroups(const Decision& decision, const NodeInfoSnapshot& node_infos, NodeId node,
                               std::int32_t preemptor_priority)
    : node_infos_(node_infos) {
  std::vector<std::vector<PodId>> groups = interchangeable_victims(decision, node_infos, node, preemptor_priority);
  std::erase_if(groups,
                [&](const auto& group) { return count_evicted(*decision.nodes[node].run, group) == group.size(); });
  if (groups.empty()) return;
  std::map<PodId, const PodInfo*> placed;
  for (const PodInfo& pod : node_infos.pods_on(node)) placed.emplace(pod.pod, &pod);
  for (auto& group : groups) {
    const std::int32_t priority = node_infos.cluster().pod(group.front()).spec.priority;
    const PodInfo& first = *placed.at(group.front());
    const bool same =
        std::all_of(group.begin(), group.end(), [&](PodId pod) { return alike(node_infos, first, *placed.at(pod)); });
    if (!same) {
      unlike_sizes_ = unlike_sizes_ || std::any_of(group.begin(), group.end(), [&](PodId pod) {
                        return !same_size(node_infos, first, *placed.at(pod));
                      });
      doubtful_up_to_ = unlike_ ? std::max(doubtful_up_to_, priority) : priority;
      unlike_ = true;
    }
    for (const PodId pod : group) split_of_.emplace(pod, split_.size());
    split_.push_back(std::move(group));
  }
}

auto EqualPodGroups::group_of(PodId victim) const -> const std::vector<PodId>* {
  const auto found = split_of_.find(victim);
  return found == split_of_.end() ? nullptr : &split_[found->second];
}

// Pods whose budget is exhausted are reprieved before all others, so a doubt about one of them affects all others.
auto EqualPodGroups::certain(PodId victim) const -> bool {
  if (group_of(victim) != nullptr) return false;
  if (!unlike_) return true;
  const bool budgets_matter = !node_infos_.cluster().objects().disruption_budgets.empty();
  return !budgets_matter && node_infos_.cluster().pod(victim).spec.priority > doubtful_up_to_;
}

}  // namespace previct::kube
