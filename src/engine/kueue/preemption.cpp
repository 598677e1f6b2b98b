#include "engine/kueue/preemption.h"

#include <algorithm>
#include <array>
#include <set>

namespace previct::kueue {

Trial::Trial(const Controller& of)
    : controller(&of),
      tree(of.tree()),
      removed(of.inventory().workloads().size(), 0),
      topology(of.inventory().topologies(), of.inventory().settings().gates.topology_overlapping) {
  if (of.inventory().topologies().all().empty()) return;
  for (const QueueId queue : of.inventory().queues().ids()) {
    for (const WorkloadId id : of.holding(queue)) {
      for (const TopologyUse& use : of.state(id).topology) topology.start_with(use);
    }
  }
}

void Trial::change_topology(WorkloadId id, std::int64_t sign) {
  const Controller::WorkloadState& state = controller->state(id);
  if (state.topology.empty()) return;
  const QueueInfo& queue = controller->inventory().queues()[state.holds_in];
  for (const TopologyUse& use : state.topology) {
    if (queue.uses_flavor(use.flavor)) topology.add(use, sign);
  }
}

auto Trial::place(const PlacementRequests& requests, bool without_workloads) const -> Placements {
  const Inventory& inventory = controller->inventory();
  const Gates& gates = inventory.settings().gates;
  return kueue::place(inventory.topologies(), topology, requests, without_workloads,
                      {gates.topology_mixed, gates.topology_overlapping}, inventory.cluster());
}

auto Trial::node_of(WorkloadId id) const -> QuotaNodeId {
  return controller->inventory().queues()[controller->state(id).holds_in].node;
}

void Trial::remove(WorkloadId id) {
  removed[id] = 1;
  change_topology(id, -1);
  tree.give_back(node_of(id), controller->state(id).usage);
}

void Trial::put_back(WorkloadId id) {
  removed[id] = 0;
  change_topology(id, 1);
  tree.take(node_of(id), controller->state(id).usage);
}

auto Trial::fits(QueueId queue, const Requests& requests, bool borrowing) const -> bool {
  const QuotaNodeId node = controller->inventory().queues()[queue].node;
  const bool has_quota = std::all_of(requests.begin(), requests.end(), [&](const Request& each) {
    return (borrowing || !tree.borrows(node, each.of, each.amount)) && each.amount <= tree.free(node, each.of);
  });
  return has_quota && (to_place == nullptr || to_place->empty() || !place(*to_place).failure);
}

auto reason_name(PreemptionReason reason) -> std::string_view {
  constexpr std::array<std::string_view, 4> kNames = {"InClusterQueue", "InCohortReclamation",
                                                      "InCohortReclaimWhileBorrowing", "InCohortFairSharing"};
  return kNames[static_cast<std::size_t>(reason)];
}

auto holds_any(const Controller& controller, WorkloadId workload, const std::vector<FlavorResource>& of) -> bool {
  const std::vector<FlavorResource>& held = controller.state(workload).flavors;
  return std::any_of(held.begin(), held.end(),
                     [&](FlavorResource each) { return std::find(of.begin(), of.end(), each) != of.end(); });
}

void fill_back(Trial& trial, QueueId queue, const Requests& requests, bool borrowing, std::vector<Target>& targets,
               Pass* pass) {
  for (std::size_t i = targets.size() - 1; i-- > 0;) {
    const WorkloadId spared = targets[i].workload;
    trial.put_back(spared);
    if (!trial.fits(queue, requests, borrowing)) {
      trial.remove(spared);
      continue;
    }
    if (pass != nullptr) pass->put_back.push_back(spared);
    targets[i] = targets.back();
    targets.pop_back();
  }
}

auto find_targets(Trial& trial, WorkloadId workload, QueueId queue, const std::vector<FlavorResource>& needs,
                  const Requests& requests, const PlacementRequests& to_place, Trace* trace) -> std::vector<Target> {
  if (trace != nullptr) {
    trace->needs = needs;
    trace->requests = requests;
  }
  const bool fair = trial.controller->inventory().settings().fair;
  trial.to_place = &to_place;
  std::vector<Target> found = (fair ? fair_targets : classical_targets)(trial, workload, queue, needs, requests, trace);
  trial.to_place = nullptr;
  return found;
}

auto no_candidates(const Trial& trial, QueueId queue, const Trace& trace)
    -> std::vector<std::pair<WorkloadId, NoCandidate>> {
  const Controller& controller = *trial.controller;
  const Inventory& inventory = controller.inventory();
  const QueueInfo& own = inventory.queues()[queue];
  std::vector<QuotaNodeId> mine = trial.tree.ancestors(own.node);
  mine.push_back(own.node);
  std::set<WorkloadId> candidates;
  for (const Candidate& each : trace.candidates) candidates.insert(each.workload);
  std::vector<std::pair<WorkloadId, NoCandidate>> found;
  for (const QuotaNodeId node : trial.tree.cluster_queues(trial.tree.root(own.node))) {
    const QueueId other = inventory.queue_of_node(node);
    const Policy policy = other == queue ? own.within : own.reclaim;
    bool within = false;
    if (other != queue) {
      within = trial.tree.within_nominal(node, trace.needs);
      for (const QuotaNodeId above : trial.tree.ancestors(node)) {
        if (inventory.settings().fair || std::find(mine.begin(), mine.end(), above) != mine.end()) break;
        within = within || trial.tree.within_nominal(above, trace.needs);
      }
    }
    for (const WorkloadId id : controller.holding(other)) {
      if (candidates.contains(id)) continue;
      found.emplace_back(id, policy == Policy::never                   ? NoCandidate::policy_never
                             : within                                  ? NoCandidate::within_nominal
                             : !holds_any(controller, id, trace.needs) ? NoCandidate::other_flavor
                                                                       : NoCandidate::priority);
    }
  }
  return found;
}

}  // namespace previct::kueue
