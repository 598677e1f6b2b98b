#include "engine/kueue/cycle.h"

#include "cluster/matching.h"
#include "engine/kueue/tournament.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace previct::kueue {
namespace {

// If victims are needed, the pods are placed as if these were gone; without victims, as if no workload used anything,
// so that later workloads of the cycle do not take the place. Source: scheduler.go updateAssignmentForTAS.
void place_nominated(Trial& trial, WorkloadId workload, QueueId queue, Nomination& nomination) {
  Assignment& assignment = nomination.assignment;
  const Inventory& inventory = trial.controller->inventory();
  if (assignment.mode() != Mode::preempt || !needs_topology(inventory, workload, queue)) return;
  const PlacementRequests to_place = placement_requests(inventory, workload, queue, assignment);
  for (const Target& each : nomination.targets) trial.remove(each.workload);
  const Placements found = trial.place(to_place, nomination.targets.empty());
  for (const Target& each : nomination.targets) trial.put_back(each.workload);
  set_placements(inventory, workload, found, assignment);
}

/// Searches an admission with fewer pods, down to the minimum of each pod set. Source:
/// pkg/scheduler/flavorassigner/podset_reducer.go.
class Reduction {
 public:
  Reduction(Trial& trial, WorkloadId workload, QueueId queue, const Assignment* nominated)
      : trial_(trial), workload_(workload), queue_(queue), nominated_(nominated) {
    for (const PodSet& set : trial.controller->inventory().workloads()[workload].object->spec.pod_sets) {
      full_.push_back(count_of(set));
      slack_.push_back(full_.back() - set.min_count.value_or(static_cast<std::int32_t>(full_.back())));
      total_ += std::max<std::int64_t>(slack_.back(), 0);
    }
  }
  [[nodiscard]] auto possible() const -> bool { return total_ > 0; }

  /// Returns the nomination with as many pods as possible; none if it does not fit even with the fewest. Like upstream,
  /// assumes that fewer pods fit more easily.
  auto search() -> std::optional<Nomination> {
    std::int64_t low = 0;
    std::int64_t high = total_ + 1;
    while (low < high) {
      const std::int64_t middle = (low + high) / 2;
      if (try_with(middle)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    if (!found_ || found_at_ != low) return {};
    return std::move(found_);
  }

 private:
  auto try_with(std::int64_t step) -> bool {
    std::vector<std::int64_t> counts;
    for (std::size_t i = 0; i < full_.size(); ++i) {
      const auto less = static_cast<__int128>(slack_[i]) * step / total_;
      counts.push_back(full_[i] - static_cast<std::int64_t>(less));
    }
    Nomination tried{assign(trial_, workload_, queue_, counts, nominated_), {}};
    if (tried.assignment.mode() == Mode::preempt)
      tried.targets = targets_of(trial_, workload_, queue_, tried.assignment);
    if (tried.assignment.mode() != Mode::fit && tried.targets.empty()) return false;
    found_ = std::move(tried);
    found_at_ = step;
    return true;
  }

  Trial& trial_;
  WorkloadId workload_;
  QueueId queue_;
  const Assignment* nominated_;
  std::vector<std::int64_t> full_;
  std::vector<std::int64_t> slack_;
  std::int64_t total_ = 0;
  std::optional<Nomination> found_;
  std::int64_t found_at_ = -1;
};

class Cycle {
 public:
  Cycle(Controller& controller, std::string_view only)
      : controller_(controller), inventory_(controller.inventory()), trial_(controller), only_(only) {}

  auto run() -> CycleFacts {
    facts_.at = controller_.now();
    controller_.begin_cycle();
    nominate_heads();
    order();
    for (Entry& entry : facts_.entries) finish(entry);
    controller_.rank();
    std::sort(facts_.refused.begin(), facts_.refused.end(), [&](const Entry& a, const Entry& b) {
      return inventory_.workloads()[a.workload].key < inventory_.workloads()[b.workload].key;
    });
    return std::move(facts_);
  }

 private:
  void nominate_heads() {
    std::vector<std::pair<WorkloadId, QueueId>> heads;
    for (const QueueId id : inventory_.queues().ids()) {
      const QueueInfo& queue = inventory_.queues()[id];
      if (queue.inactive != Inactive::no || (!only_.empty() && queue.scope != only_)) continue;
      if (const WorkloadId head = controller_.head(id)) heads.emplace_back(head, id);
    }
    for (const auto& [head, queue] : heads) {
      Entry entry{.workload = head, .queue = queue};
      entry.refused = refusal(controller_, head, queue);
      if (entry.refused != Refused::no) {
        refuse(std::move(entry));
        continue;
      }
      controller_.forget_if_changed(head, queue);
      Nomination nomination = nominate(trial_, head, queue);
      entry.assignment = std::move(nomination.assignment);
      entry.mode = entry.assignment.mode();
      entry.targets = std::move(nomination.targets);
      nominated_.push_back(std::move(entry));
    }
  }

  void refuse(Entry entry) {
    entry.outcome = EntryOutcome::inadmissible;
    controller_.set(entry.workload, ConditionType::quota_reserved, Status::no, "Pending");
    if (!inventory_.queues()[entry.queue].strict || entry.refused == Refused::namespace_mismatch)
      controller_.put_aside(entry.workload);
    facts_.refused.push_back(std::move(entry));
  }

  // Sorts the nominated entries. Returns the positions of equal ones: their order matters if they share a scope,
  // whatever entries of other scopes are between them.
  template <typename Before>
  auto sorted_with_equals(const Before& before) -> std::vector<std::vector<std::size_t>> {
    std::vector<std::vector<std::size_t>> found;
    std::stable_sort(nominated_.begin(), nominated_.end(), before);
    for (std::size_t begin = 0, end = 0; begin < nominated_.size(); begin = end) {
      std::map<std::string_view, std::vector<std::size_t>> equals;  // by scope
      for (; end < nominated_.size() && !before(nominated_[begin], nominated_[end]); ++end)
        equals[inventory_.queues()[nominated_[end].queue].scope].push_back(end);
      for (auto& [scope, at] : equals) {
        if (at.size() > 1) found.push_back(std::move(at));
      }
    }
    return found;
  }

  void order_equals(const std::vector<std::vector<std::size_t>>& equals) {
    for (const std::vector<std::size_t>& at : equals) {
      std::vector<QueueId> queues;
      for (const std::size_t i : at) queues.push_back(nominated_[i].queue);
      std::vector<Entry> ordered;
      for (const std::size_t i : controller_.ties().order_of(inventory_.queues()[queues.front()].scope, queues))
        ordered.push_back(std::move(nominated_[at[i]]));
      for (std::size_t i = 0; i < at.size(); ++i) nominated_[at[i]] = std::move(ordered[i]);
    }
  }

  // With fair sharing, the order of trees is not defined. Source: pkg/scheduler/fair_sharing_iterator.go getCq.
  [[nodiscard]] auto has_several_trees() const -> bool {
    std::map<std::string_view, std::string_view> trees;  // by scope
    return std::any_of(nominated_.begin(), nominated_.end(), [&](const Entry& entry) {
      const QueueInfo& queue = inventory_.queues()[entry.queue];
      return trees.try_emplace(queue.scope, queue.tree).first->second != queue.tree;
    });
  }

  void order() {
    const auto sooner = [&](const Entry& a, const Entry& b) {
      const std::int64_t mine = inventory_.workloads()[a.workload].priority();
      const std::int64_t theirs = inventory_.workloads()[b.workload].priority();
      if (inventory_.settings().gates.priority_sorting && mine != theirs) return mine > theirs;
      return controller_.queue_time(a.workload) < controller_.queue_time(b.workload);
    };
    if (inventory_.settings().fair) {
      // Heads of one tree that are equal apart from their shares may turn out to be equal; the tournament notes it.
      const bool any_order = has_several_trees();
      if (any_order) controller_.note_tie();
      order_equals(sorted_with_equals([&](const Entry& a, const Entry& b) { return !any_order && sooner(a, b); }));
      Tournament tournament(trial_, nominated_);
      while (Entry* const next = tournament.next()) {
        process(*next);
        facts_.entries.push_back(std::move(*next));
      }
      return;
    }
    const auto before = [&](const Entry& a, const Entry& b) {
      if (a.assignment.level != b.assignment.level) return a.assignment.level < b.assignment.level;
      return sooner(a, b);
    };
    const std::vector<std::vector<std::size_t>> equals = sorted_with_equals(before);
    if (!equals.empty()) controller_.note_tie();
    order_equals(equals);
    for (Entry& entry : nominated_) {
      process(entry);
      facts_.entries.push_back(std::move(entry));
    }
  }

  void process(Entry& entry) {
    const QueueInfo& queue = inventory_.queues()[entry.queue];
    // Workloads of different queues are nominated independently, often for the same nodes.
    if (!entry.assignment.topology_usage.empty() && inventory_.settings().gates.topology_recompute &&
        room_for(entry, queue) == Room::no_topology) {
      controller_.forget(entry.workload);
      Nomination again = nominate(trial_, entry.workload, entry.queue, &entry.assignment);
      entry.assignment = std::move(again.assignment);
      entry.mode = entry.assignment.mode();
      entry.targets = std::move(again.targets);
    }
    for (const Target& each : entry.targets) entry.ongoing.push_back(controller_.is_evicted(each.workload) ? 1 : 0);
    if (entry.mode == Mode::no_fit) {
      entry.outcome = EntryOutcome::no_fit;
    } else if (entry.mode == Mode::preempt && entry.targets.empty()) {
      entry.outcome = EntryOutcome::no_candidates;
      // A queue that can reclaim from any workload needs no reservation.
      if (queue.reclaim != Policy::any) {
        reserve_quota(entry, queue);
        take_topology(entry);
      }
    } else if (std::any_of(entry.targets.begin(), entry.targets.end(),
                           [&](const Target& each) { return taken_.contains(each.workload); })) {
      entry.outcome = EntryOutcome::skipped;
      entry.skipped = Skipped::overlapping_targets;
    } else if (room_for(entry, queue) != Room::enough) {
      entry.outcome = EntryOutcome::skipped;
      entry.skipped = Skipped::no_longer_fits;
    } else {
      for (const Target& each : entry.targets) taken_.insert(each.workload);
      trial_.tree.take(queue.node, entry.assignment.usage);
      take_topology(entry);
      entry.outcome = entry.mode == Mode::preempt  ? EntryOutcome::preempting
                      : checks_ready(entry, queue) ? EntryOutcome::admitted
                                                   : EntryOutcome::reserved;
    }
  }

  // Reserves the quota that the workload waits for, so that later entries of the cycle do not get it. Source:
  // scheduler.go quotaResourcesToReserve.
  void reserve_quota(const Entry& entry, const QueueInfo& queue) {
    for (const Request& each : entry.assignment.usage) {
      const Amount nominal = trial_.tree.nominal(queue.node, each.of);
      const Amount used = trial_.tree.usage(queue.node, each.of);
      const Quota* const quota = trial_.tree.quota(queue.node, each.of);
      Amount kept = each.amount;
      if (entry.assignment.level == 0) {
        kept = std::max(kNothing, std::min(each.amount, nominal - used));
      } else if (quota != nullptr && quota->borrowing_limit) {
        kept = std::min(each.amount, (nominal + *quota->borrowing_limit) - used);
      }
      trial_.tree.take(queue.node, each.of, kept);
    }
  }

  void take_topology(const Entry& entry) {
    for (const TopologyUse& use : entry.assignment.topology_usage) trial_.topology.add(use, 1);
  }

  enum class Room : std::uint8_t { enough, no_quota, no_topology };
  // Returns whether the entry fits once all victims of this cycle, and its own targets, are gone.
  auto room_for(const Entry& entry, const QueueInfo& queue) -> Room {
    std::vector<WorkloadId> gone(taken_.begin(), taken_.end());
    for (const Target& each : entry.targets) gone.push_back(each.workload);
    for (const WorkloadId id : gone) trial_.remove(id);
    const bool has_quota =
        std::all_of(entry.assignment.usage.begin(), entry.assignment.usage.end(),
                    [&](const Request& each) { return trial_.tree.free(queue.node, each.of) >= each.amount; });
    const Snapshot& cluster = inventory_.cluster();
    const Room room =
        !has_quota ? Room::no_quota
        : trial_.topology.fits(entry.assignment.topology_usage, cluster.known().pods, cluster.objects().symbols)
            ? Room::enough
            : Room::no_topology;
    for (const WorkloadId id : gone) trial_.put_back(id);
    return room;
  }

  [[nodiscard]] auto checks_ready(const Entry& entry, const QueueInfo& queue) const -> bool {
    std::set<Symbol> flavors;
    for (const AssignedPodSet& set : entry.assignment.sets) {
      for (const ChosenFlavor& each : set.flavors) flavors.insert(each.flavor);
    }
    const auto& states = inventory_.workloads()[entry.workload].object->status.admission_checks;
    const auto listed = [&](Symbol check) {
      return std::any_of(states.begin(), states.end(),
                         [&](const AdmissionCheckState& each) { return each.name == check; });
    };
    for (const CheckOfFlavors& check : queue.object->spec.admission_checks.checks) {
      const bool applies =
          check.on_flavors.empty() || std::any_of(check.on_flavors.begin(), check.on_flavors.end(),
                                                  [&](Symbol flavor) { return flavors.contains(flavor); });
      if (applies && !listed(check.name)) return false;
    }
    if (controller_.state(entry.workload).checks_reset) return states.empty();
    return std::all_of(states.begin(), states.end(),
                       [&](const AdmissionCheckState& each) { return inventory_.text(each.state) == "Ready"; });
  }

  void finish(const Entry& entry) {
    const QueueInfo& queue = inventory_.queues()[entry.queue];
    const WorkloadId id = entry.workload;
    if (takes_quota_now(entry.outcome)) return admit(entry);
    const bool at_once = entry.outcome == EntryOutcome::preempting || entry.outcome == EntryOutcome::skipped;
    if (entry.outcome == EntryOutcome::preempting) {
      for (const Target& each : entry.targets) {
        if (controller_.is_evicted(each.workload)) continue;
        controller_.set(each.workload, ConditionType::preempted, Status::yes, reason_name(each.reason));
        controller_.set(each.workload, ConditionType::evicted, Status::yes, "Preempted");
      }
      if (!queue.strict) controller_.stick(entry.queue, id);
    }
    if (at_once && !(entry.outcome == EntryOutcome::skipped && inventory_.settings().gates.keeps_scan_progress)) {
      controller_.forget(id);
    } else {
      controller_.remember(id, entry.assignment.tried(), entry.queue);
    }
    controller_.set(id, ConditionType::quota_reserved, Status::no, "Pending");
    if (queue.strict || at_once || entry.assignment.has_untried()) return;
    controller_.put_aside(id);
    if (!inventory_.settings().gates.equivalence_hashing) return;
    // An equivalent workload would have the same result.
    for (const WorkloadId other : queue.workloads) {
      if (other == id || !controller_.waits(other) || !alike(id, other)) continue;
      controller_.put_aside(other);
      facts_.alike.emplace_back(other, id);
    }
  }

  [[nodiscard]] auto alike(WorkloadId a, WorkloadId b) const -> bool {
    if (inventory_.workloads()[a].priority() != inventory_.workloads()[b].priority()) return false;
    const auto& sets = inventory_.requests(a);
    const auto& others = inventory_.requests(b);
    const bool same = std::equal(sets.begin(), sets.end(), others.begin(), others.end(),
                                 [](const PodSetRequest& x, const PodSetRequest& y) {
                                   return x.name == y.name && x.count == y.count && x.requests == y.requests;
                                 });
    return same && inventory_.shape(a) == inventory_.shape(b);
  }

  void admit(const Entry& entry) {
    const FlavorResources& names = inventory_.names();
    Requests usage;
    std::vector<FlavorResource> flavors;
    std::vector<PodSetRequest> sets;
    for (const AssignedPodSet& set : entry.assignment.sets) {
      for (const ChosenFlavor& each : set.flavors) {
        const FlavorResource of = names.find(each.flavor, each.resource);
        const auto wanted = std::find_if(set.requests.begin(), set.requests.end(),
                                         [&](const ResourceAmount& one) { return one.resource == each.resource; });
        if (wanted != set.requests.end()) add(usage, of, wanted->amount);
        flavors.push_back(of);
      }
      sets.push_back({{}, set.count, set.requests});
    }
    controller_.reserve(entry.workload, entry.queue, std::move(usage), std::move(flavors),
                        entry.assignment.topology_usage, entry.outcome == EntryOutcome::admitted);
    controller_.add_penalty(entry.workload, sets);
  }

  Controller& controller_;
  const Inventory& inventory_;
  Trial trial_;
  std::string_view only_;
  std::vector<Entry> nominated_;
  std::set<WorkloadId> taken_;  // targets of earlier entries of this cycle
  CycleFacts facts_;
};

}  // namespace

auto Entry::same(const Entry& other) const -> bool {
  // An entry that does not fit has no flavors; which ones were tried does not matter.
  const bool has_flavors = mode != Mode::no_fit;
  const auto same_set = [&](const AssignedPodSet& a, const AssignedPodSet& b) {
    if (a.index != b.index || a.reasons != b.reasons) return false;
    return !has_flavors ||
           (a.count == b.count && std::equal(a.flavors.begin(), a.flavors.end(), b.flavors.begin(), b.flavors.end(),
                                             [](const ChosenFlavor& x, const ChosenFlavor& y) {
                                               return x.resource == y.resource && x.flavor == y.flavor;
                                             }));
  };
  return workload == other.workload && queue == other.queue && outcome == other.outcome && skipped == other.skipped &&
         refused == other.refused && mode == other.mode &&
         (!has_flavors || assignment.level == other.assignment.level) && targets == other.targets &&
         ongoing == other.ongoing && shares == other.shares &&
         std::equal(assignment.sets.begin(), assignment.sets.end(), other.assignment.sets.begin(),
                    other.assignment.sets.end(), same_set);
}

auto takes_quota_now(EntryOutcome outcome) -> bool {
  return outcome == EntryOutcome::admitted || outcome == EntryOutcome::reserved;
}

auto assigned_by(const Inventory& inventory, const Entry& entry) -> std::vector<std::string> {
  std::vector<std::string> all;
  if (entry.refused != Refused::no) return all;
  const Workload& object = *inventory.workloads()[entry.workload].object;
  for (const AssignedPodSet& set : entry.assignment.sets) {
    const PodSet& of = object.spec.pod_sets[set.index];
    const std::string_view name = name_of(of, inventory.cluster());
    for (const ChosenFlavor& each : set.flavors)
      all.push_back(fmt::format("{}/{}: {}", name, inventory.text(each.resource), inventory.text(each.flavor)));
    if (set.count != count_of(of)) all.push_back(fmt::format("{}: {} pods", name, set.count));
  }
  std::sort(all.begin(), all.end());
  return all;
}

auto CycleFacts::find(WorkloadId workload) const -> const Entry* {
  for (const std::vector<Entry>* list : {&entries, &refused}) {
    for (const Entry& each : *list) {
      if (each.workload == workload) return &each;
    }
  }
  return nullptr;
}

auto CycleFacts::same(const CycleFacts& other) const -> bool {
  const auto same = [](const Entry& a, const Entry& b) { return a.same(b); };
  return gone == other.gone &&
         std::equal(entries.begin(), entries.end(), other.entries.begin(), other.entries.end(), same) &&
         std::equal(refused.begin(), refused.end(), other.refused.begin(), other.refused.end(), same);
}

auto targets_of(Trial& trial, WorkloadId workload, QueueId queue, Assignment assignment, Trace* trace)
    -> std::vector<Target> {
  const Inventory& inventory = trial.controller->inventory();
  for (AssignedPodSet& each : assignment.sets) each.placed.reset();
  const PlacementRequests to_place = placement_requests(inventory, workload, queue, assignment);
  // The number of pods is only counted while flavors are assigned. Source: flavorassigner.go TotalRequestsFor.
  Requests requests = assignment.requests(inventory.names());
  const Symbol pods = inventory.cluster().known().pods;
  std::erase_if(requests, [&](const Request& each) { return inventory.names()[each.of].resource == pods; });
  return find_targets(trial, workload, queue, assignment.needs(inventory.names()), requests, to_place, trace);
}

auto nominate(Trial& trial, WorkloadId workload, QueueId queue, const Assignment* nominated) -> Nomination {
  const Inventory& inventory = trial.controller->inventory();
  Nomination found{assign(trial, workload, queue, {}, nominated), {}};
  const Mode mode = found.assignment.mode();
  if (mode == Mode::fit) return found;
  if (mode == Mode::preempt) found.targets = targets_of(trial, workload, queue, found.assignment);
  if (found.targets.empty() && inventory.settings().gates.partial_admission) {
    Reduction reduction(trial, workload, queue, nominated);
    if (reduction.possible()) {
      if (auto reduced = reduction.search()) found = *std::move(reduced);
    }
  }
  place_nominated(trial, workload, queue, found);
  return found;
}

auto refusal(const Controller& controller, WorkloadId workload, QueueId queue) -> Refused {
  const Inventory& inventory = controller.inventory();
  const Workload& object = *inventory.workloads()[workload].object;
  for (const AdmissionCheckState& each : object.status.admission_checks) {
    const std::string_view state = inventory.text(each.state);
    const bool failed = state == "Retry" || state == "Rejected";
    if (failed && !controller.state(workload).checks_reset) return Refused::failed_checks;
  }
  if (inventory.queues()[queue].inactive == Inactive::cycle) return Refused::queue_inactive;
  const ClusterQueueSpec& spec = inventory.queues()[queue].object->spec;
  if (!matches(spec.namespace_selector, inventory.namespace_labels(object.meta.ns),
               inventory.cluster().objects().symbols))
    return Refused::namespace_mismatch;
  return inventory.refusal(workload).empty() ? Refused::no : Refused::resources;
}

auto run_cycle(Controller& controller, std::string_view only) -> CycleFacts {
  return Cycle(controller, only).run();
}

}  // namespace previct::kueue
