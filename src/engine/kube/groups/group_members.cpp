#include "api/fields.h"
#include "engine/kube/groups/group_attempt.h"

#include <algorithm>
#include <map>

namespace previct::kube {
namespace {

/// More kinds would make more combinations than are examined.
constexpr std::size_t kMostKinds = 4;

// Returns what the pod requests of the scheduler, to compare pods. Volumes without storage are left out, because their
// generated names differ.
auto asks_for(const Snapshot& cluster, PodId pod) -> std::map<std::string, std::string> {
  PodSpec spec = cluster.pod(pod).spec;
  if (!spec.has_storage()) spec.volumes = {};
  return fields_of(std::move(spec), cluster.symbols());
}

void by_kind(const NodeInfoSnapshot& node_infos, PodId asked, GroupDecision& out) {
  const Snapshot& cluster = node_infos.cluster();
  std::vector<std::map<std::string, std::string>> wants = {asks_for(cluster, asked)};
  out.kinds = {{}};
  for (const PodId id : out.waiting) {
    const Pod& other = cluster.pod(id);
    if (other.spec.scheduler_name != cluster.pod(asked).spec.scheduler_name) {
      out.doubt = GroupDecision::Doubt::schedulers;
      return;
    }
    auto fields = asks_for(cluster, id);
    const auto same = std::find(wants.begin(), wants.end(), fields);
    if (same != wants.end()) {
      out.kinds[static_cast<std::size_t>(same - wants.begin())].push_back(id);
    } else {
      wants.push_back(std::move(fields));
      out.kinds.push_back({id});
    }
  }
  if (out.kinds.size() > kMostKinds) out.doubt = GroupDecision::Doubt::unlike;
}

}  // namespace

auto group_of(const NodeInfoSnapshot& node_infos, const Profile& profile, PodId pod) -> GroupDecision {
  const Snapshot& cluster = node_infos.cluster();
  GroupDecision out;
  out.group = cluster.derived<Groups>().of(pod);
  if (out.group == nullptr) return out;
  const bool gates_hold = profile.runs_before_queue("SchedulingGates");
  for (const PodId id : out.group->pods) {
    const Pod& other = cluster.pod(id);
    if (other.spec.node_name) ++out.placed;
    const bool held = gates_hold && !other.spec.scheduling_gates.empty();
    if (!other.spec.node_name && !other.meta.deleting && !held) out.waiting.push_back(id);
  }
  const std::optional<std::int32_t> gang = out.group->gang();
  if (gang && profile.runs_before_queue("GangScheduling")) out.needed = std::max<std::int64_t>(1, *gang - out.placed);

  const Release& release = node_infos.release();
  const bool alone = out.waiting.size() == 1 && out.needed == 1;
  if (out.group->object == nullptr || (!release.has(Change::workload_preemption) && !alone)) {
    out.doubt = GroupDecision::Doubt::one_by_one;
  } else if (release.has(Change::topology_placements)) {
    out.doubt = GroupDecision::Doubt::topology;
  } else if (out.group->object->spec.has_claims) {
    out.doubt = GroupDecision::Doubt::claims;
  }
  if (out.doubt == GroupDecision::Doubt::none) by_kind(node_infos, pod, out);
  return out;
}

}  // namespace previct::kube
