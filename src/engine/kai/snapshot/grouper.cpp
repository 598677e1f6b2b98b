#include "engine/kai/snapshot/grouper.h"

#include "api/kai_queue_label.h"
#include "base/go.h"
#include "engine/kai/snapshot/priority_classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace previct::kai {
namespace {

auto value_of(const Snapshot& cluster, const SymbolMap& map, std::string_view key) -> std::string {
  const Symbol symbol = cluster.symbol(key);
  return symbol ? std::string(cluster.text(map.get(symbol))) : std::string();
}

auto controller_of(const Pod& pod) -> const OwnerReference* {
  const auto found = std::find_if(pod.meta.owners.begin(), pod.meta.owners.end(),
                                  [](const OwnerReference& o) { return o.controller; });
  if (found != pod.meta.owners.end()) return &*found;
  return pod.meta.owners.empty() ? nullptr : &pod.meta.owners.front();
}

// Returns the priority class by the kind of workload: services and notebooks are non-preemptible; everything else is
// training.
auto class_by_kind(std::string_view kind) -> std::string {
  constexpr std::array<std::string_view, 4> kServices = {"ReplicaSet", "Deployment", "Revision", "Service"};
  if (std::find(kServices.begin(), kServices.end(), kind) != kServices.end()) return "inference";
  return kind == "Notebook" ? "build" : "train";
}

}  // namespace

auto group_name_of(const Snapshot& cluster, PodId id) -> std::string_view {
  const Symbol key = cluster.symbol("pod-group-name");
  return key ? cluster.text(cluster.pod(id).meta.annotations.get(key)) : std::string_view();
}

auto assumed_group(const Snapshot& cluster, PodId id) -> AssumedGroup {
  const Pod& pod = cluster.pod(id);
  const OwnerReference* owner = controller_of(pod);
  const std::string_view kind = owner == nullptr ? "Pod" : cluster.text(owner->kind);
  const bool per_job = kind == "Job" && owner->uid;
  AssumedGroup group;
  group.ns = cluster.text(pod.meta.ns);
  group.name = fmt::format("pg-{}-{}", cluster.text(per_job ? owner->name : pod.meta.name),
                           cluster.text(per_job ? owner->uid : pod.meta.uid));
  group.queue = queue_of_labels(cluster.objects(), pod.meta.labels);
  const auto& classes = cluster.derived<PriorityClasses>();
  const std::string named = value_of(cluster, pod.meta.labels, "priorityClassName");
  const std::string spec(cluster.text(pod.spec.priority_class_name));
  for (const std::string& name : {named, spec, class_by_kind(kind)}) {
    if (!classes.value_of(name)) continue;
    group.priority_class = name;
    break;
  }
  group.preemptibility = value_of(cluster, pod.meta.labels, "kai.scheduler/preemptibility");
  const auto delay = parse_go_duration(value_of(cluster, pod.meta.annotations, "kai.scheduler/preemption-delay"));
  if (delay && *delay > 0) group.preemption_delay = *delay;

  if (per_job) {
    const auto least = go::parse_int(value_of(cluster, pod.meta.annotations, "kai.scheduler/batch-min-member"), 32);
    if (least && *least > 0) group.min_member = static_cast<std::int32_t>(*least);
  }

  for (const PodId other : cluster.pods().ids()) {
    const OwnerReference* theirs = controller_of(cluster.pod(other));
    const bool same_job = per_job && theirs != nullptr && theirs->uid == owner->uid;
    if (other == id || (same_job && group_name_of(cluster, other).empty())) group.pods.push_back(other);
  }
  return group;
}

}  // namespace previct::kai
