#include "engine/kube/groups/group.h"

#include "engine/kube/plugins.h"
#include "engine/required_kind.h"

#include <algorithm>

namespace previct::kube {
namespace {

auto incomplete(std::size_t pods, const std::optional<GangPolicy>& gang) -> std::optional<Reason> {
  const auto there = static_cast<std::int64_t>(pods);
  if (!gang || there >= gang->min_count) return {};
  return Reason{Rule::gang_incomplete, there, gang->min_count};
}

auto held_by_workload(const Snapshot& cluster, const Pod& pod) -> std::optional<Reason> {
  const WorkloadReference& ref = pod.spec.workload_ref;
  const auto& workloads = cluster.objects().workloads;
  const auto workload = std::find_if(workloads.begin(), workloads.end(), [&](const Workload& w) {
    return w.meta.ns == pod.meta.ns && w.meta.name == ref.workload;
  });
  if (workload == workloads.end()) return Reason{Rule::workload_missing, operand(ref.workload)};
  const auto& groups = workload->spec.pod_groups;
  const auto group =
      std::find_if(groups.begin(), groups.end(), [&](const WorkloadGroup& g) { return g.name == ref.pod_group; });
  if (group == groups.end()) return Reason{Rule::workload_group_missing, operand(ref.pod_group), operand(ref.workload)};
  std::size_t there = 0;
  for (const PodId id : cluster.pods().ids()) {
    const Pod& other = cluster.pod(id);
    there += other.meta.ns == pod.meta.ns && other.spec.workload_ref == ref && !cluster.finished(id) ? 1U : 0U;
  }
  return incomplete(there, group->policy.gang);
}

auto is_of_same_group(const RejectedPod& rejected, const ClusterEvent& event) -> bool {
  const Pod& ours = rejected.object();
  const Pod& theirs = *event.new_pod;
  if (!in_a_group(rejected.node_infos, rejected.pod) || ours.meta.ns != theirs.meta.ns) return false;
  return rejected.node_infos.release().has(Change::groups_of_workloads)
             ? ours.spec.workload_ref == theirs.spec.workload_ref
             : ours.spec.scheduling_group.pod_group == theirs.spec.scheduling_group.pod_group;
}

}  // namespace

auto Group::gang() const -> std::optional<std::int32_t> {
  if (object == nullptr || !object->spec.policy.gang) return {};
  return object->spec.policy.gang->min_count;
}

auto Group::priority() const -> std::int32_t {
  return object == nullptr ? 0 : object->spec.priority.value_or(0);
}

Groups::Groups(const Snapshot& cluster) : cluster_(cluster) {
  for (const PodId id : cluster.pods().ids()) {
    const Pod& pod = cluster.pod(id);
    if (pod.spec.scheduling_group.pod_group && !cluster.finished(id))
      groups_[{pod.meta.ns, pod.spec.scheduling_group.pod_group}].pods.push_back(id);
  }
  for (const PodGroup& object : cluster.objects().pod_groups) {
    const auto group = groups_.find({object.meta.ns, object.meta.name});
    if (group != groups_.end()) group->second.object = &object;
  }
}

auto Groups::of(PodId pod) const -> const Group* {
  const Pod& p = cluster_.pod(pod);
  const auto found = groups_.find({p.meta.ns, p.spec.scheduling_group.pod_group});
  return found == groups_.end() ? nullptr : &found->second;
}

auto in_a_group(const NodeInfoSnapshot& node_infos, PodId pod) -> bool {
  const PodSpec& spec = node_infos.cluster().pod(pod).spec;
  return bool{node_infos.release().has(Change::groups_of_workloads) ? spec.workload_ref.workload
                                                                    : spec.scheduling_group.pod_group};
}

auto schedules_gangs(const Release& release) -> bool {
  return works_in(release, "GangScheduling");
}

auto placed_together(const NodeInfoSnapshot& node_infos, PodId pod) -> bool {
  const Release& release = node_infos.release();
  return release.has(Change::pod_groups) && release.has(Change::groups_in_cycles) && in_a_group(node_infos, pod) &&
         !lacks(node_infos.cluster().objects(), kind_of_groups(release));
}

auto kind_of_groups(const Release& release) -> const KindInfo& {
  return release.has(Change::groups_of_workloads) ? kinds::workloads : kinds::pod_groups;
}

auto events_of_gangs(const Release& release) -> EventTable {
  const bool by_workload = release.has(Change::groups_of_workloads);
  EventTable table = {{assigned_pods(release), action::kAdd, is_of_same_group},
                      {by_workload ? Resource::workload : Resource::pod_group, action::kAdd}};
  if (!release.has(Change::pods_told_apart)) return table;
  table.push_back({Resource::unscheduled_pod, action::kAdd, is_of_same_group});
  table.push_back({Resource::pod_group, action::kUpdate});
  return table;
}

auto held_by_group(const NodeInfoSnapshot& node_infos, PodId pod) -> std::optional<Reason> {
  const Snapshot& cluster = node_infos.cluster();
  if (!in_a_group(node_infos, pod) || lacks(cluster.objects(), kind_of_groups(node_infos.release()))) return {};
  const Pod& p = cluster.pod(pod);
  if (node_infos.release().has(Change::groups_of_workloads)) return held_by_workload(cluster, p);
  const Group* group = cluster.derived<Groups>().of(pod);
  if (group == nullptr) return {};
  if (group->object == nullptr) return Reason{Rule::group_missing, operand(p.spec.scheduling_group.pod_group)};
  return incomplete(group->pods.size(), group->object->spec.policy.gang);
}

}  // namespace previct::kube
