#include "engine/kueue/assignment.h"

#include "base/add_once.h"
#include "cluster/matching.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <map>
#include <span>
#include <string_view>
#include <utility>

namespace previct::kueue {
namespace {

struct Found {
  ByWay way = ByWay::no_fit;
  std::size_t level = std::numeric_limits<std::size_t>::max();
};

auto severity_of(const WhyNot& why) -> Severity {
  return why.kind == WhyNot::Kind::over_capacity ? Severity::over_capacity : Severity::quota_used;
}

/// Go's hash/fnv New64a.
auto fnv1a_64(std::string_view text) -> std::uint64_t {
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3U;
  }
  return hash;
}

class Assigner {
 public:
  Assigner(Trial& trial, WorkloadId workload, QueueId queue, const Assignment* nominated)
      : trial_(trial),
        nominated_(nominated),
        controller_(*trial.controller),
        inventory_(controller_.inventory()),
        settings_(inventory_.settings()),
        queue_(inventory_.queues()[queue]),
        object_(*inventory_.workloads()[workload].object),
        workload_(workload),
        id_(queue) {}

  auto run(const std::vector<std::int64_t>& counts) -> Assignment {
    scale(counts);
    for (const std::vector<std::size_t>& group : groups()) {
      if (!assign_group(group)) return std::move(assignment_);
    }
    if (assignment_.mode() != Mode::no_fit && needs_topology(inventory_, workload_, id_)) place();
    return std::move(assignment_);
  }

 private:
  struct Search {
    std::vector<ChosenFlavor> chosen{};
    std::vector<WhyNot> reasons{};
    std::vector<Attempt> looked_at{};
  };

  // Checks whether the pods fit into the topology, after there is quota for them. If they only fit once other workloads
  // are gone, victims are needed although there is quota.
  void place() {
    const PlacementRequests requests = placement_requests(inventory_, workload_, id_, assignment_);
    if (assignment_.mode() == Mode::fit) {
      const Placements found = trial_.place(requests);
      if (found.failure) {
        AssignedPodSet& set = failed(found);
        set.reasons.push_back(
            {.kind = WhyNot::Kind::no_placement, .flavor = found.failed_flavor, .placement = found.failure});
        decide(set, Mode::preempt);
      } else {
        set_placements(inventory_, workload_, found, assignment_);
      }
    }
    if (assignment_.mode() != Mode::preempt) return;
    const Placements found = trial_.place(requests, true);
    if (found.failure) {
      AssignedPodSet& set = failed(found);
      set.never_fits = found.failure;
      for (Attempt& each : set.attempts) {
        if (each.flavor != found.failed_flavor || !settings_.gates.granular_reasons) continue;
        each.mode = Mode::no_fit;
        each.severity = Severity::topology;
      }
      decide(set, Mode::no_fit);
      return;
    }
    for (const PlacementRequest& each : requests) {
      for (AssignedPodSet& set : assignment_.sets) {
        if (set.index == each.set) decide(set, Mode::preempt);
      }
    }
  }
  auto failed(const Placements& found) -> AssignedPodSet& {
    return *std::find_if(assignment_.sets.begin(), assignment_.sets.end(),
                         [&](const AssignedPodSet& each) { return each.index == found.failed_set; });
  }
  // The flavors of pod sets of one group are the same.
  void decide(const AssignedPodSet& set, Mode mode) {
    const auto group_of = [&](std::size_t index) {
      const auto& topology = object_.spec.pod_sets[index].topology;
      return topology ? topology->group : Symbol{};
    };
    const Symbol group = group_of(set.index);
    const std::size_t index = set.index;
    for (AssignedPodSet& each : assignment_.sets) {
      if (each.index != index && (!group || group_of(each.index) != group)) continue;
      for (ChosenFlavor& flavor : each.flavors) flavor.mode = mode;
      if (!each.reasons.empty() && !each.flavors.empty()) each.mode = mode;
    }
    assignment_.decided = mode;
  }

  void scale(const std::vector<std::int64_t>& counts) {
    sets_ = inventory_.requests(workload_);
    const Symbol pods = inventory_.cluster().known().pods;
    const bool counts_pods = queue_.group_of(pods) != nullptr;
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      PodSetRequest& set = sets_[i];
      if (!counts.empty() && set.count != 0 && counts[i] != set.count) {
        for (ResourceAmount& each : set.requests) each.amount = times({each.amount.value / set.count}, counts[i]);
        set.count = counts[i];
      }
      if (!counts_pods) continue;
      const auto at = std::find_if(set.requests.begin(), set.requests.end(),
                                   [&](const ResourceAmount& each) { return text(each.resource) >= "pods"; });
      if (at != set.requests.end() && at->resource == pods) {
        at->amount = {set.count};
      } else {
        set.requests.insert(at, {pods, {set.count}});
      }
    }
  }

  // Pod sets of a group with the same name get their flavors together.
  [[nodiscard]] auto groups() const -> std::vector<std::vector<std::size_t>> {
    std::vector<std::vector<std::size_t>> all;
    std::map<Symbol, std::size_t> named;
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      const auto& topology = object_.spec.pod_sets[i].topology;
      const Symbol group = topology ? topology->group : Symbol{};
      const auto [at, added] = group ? named.try_emplace(group, all.size()) : std::pair(named.end(), true);
      if (added) {
        all.push_back({i});
      } else {
        all[at->second].push_back(i);
      }
    }
    return all;
  }

  auto assign_group(const std::vector<std::size_t>& ids) -> bool {
    std::vector<ResourceAmount> wanted;
    for (const std::size_t id : ids) {
      for (const ResourceAmount& each : sets_[id].requests) {
        const auto same = std::find_if(wanted.begin(), wanted.end(),
                                       [&](const ResourceAmount& one) { return one.resource == each.resource; });
        if (same == wanted.end()) {
          wanted.push_back(each);
        } else {
          same->amount = same->amount + each.amount;
        }
      }
    }
    std::sort(wanted.begin(), wanted.end(),
              [&](const ResourceAmount& a, const ResourceAmount& b) { return text(a.resource) < text(b.resource); });
    if (settings_.gates.hashed_requests && compares_all_resources(settings_.release)) sort_by_hash(wanted);
    std::vector<ChosenFlavor> flavors;
    std::vector<WhyNot> reasons;
    std::vector<Attempt> attempts;
    bool failed = false;
    for (const ResourceAmount& each : wanted) {
      const FlavorGroup* const group = queue_.group_of(each.resource);
      if (group == nullptr && (each.amount == kNothing || settings_.ignores_undeclared)) continue;
      if (std::any_of(flavors.begin(), flavors.end(),
                      [&](const ChosenFlavor& one) { return one.resource == each.resource; }))
        continue;
      Search found = find_flavor(group, ids, wanted, each.resource);
      merge(found.looked_at, each.resource, group, attempts);
      if (found.chosen.empty()) {
        flavors.clear();
        reasons = std::move(found.reasons);
        failed = true;
        break;
      }
      for (const ChosenFlavor& one : found.chosen) {
        std::erase_if(flavors, [&](const ChosenFlavor& old) { return old.resource == one.resource; });
        flavors.push_back(one);
      }
      reasons.insert(reasons.end(), found.reasons.begin(), found.reasons.end());
    }
    std::sort(flavors.begin(), flavors.end(),
              [&](const ChosenFlavor& a, const ChosenFlavor& b) { return text(a.resource) < text(b.resource); });
    std::sort(attempts.begin(), attempts.end(),
              [&](const Attempt& a, const Attempt& b) { return text(a.flavor) < text(b.flavor); });
    for (const std::size_t id : ids) failed = !add_set(id, flavors, reasons, attempts) || failed;
    return !failed;
  }

  // The first resource for which no flavor is found ends the search. Source: pkg/resources/slice_requests.go, v0.19.2.
  void sort_by_hash(std::vector<ResourceAmount>& amounts) const {
    const auto hash = [&](const ResourceAmount& each) { return fnv1a_64(text(each.resource)); };
    std::stable_sort(amounts.begin(), amounts.end(),
                     [&](const ResourceAmount& a, const ResourceAmount& b) { return hash(a) < hash(b); });
  }

  // Returns false if the pod set gets no flavor but needs one.
  auto add_set(std::size_t id, const std::vector<ChosenFlavor>& flavors, const std::vector<WhyNot>& reasons,
               const std::vector<Attempt>& attempts) -> bool {
    AssignedPodSet& set = assignment_.sets.emplace_back();
    set.index = id;
    set.count = sets_[id].count;
    set.requests = sets_[id].requests;
    set.reasons = reasons;
    set.attempts = attempts;
    for (const ChosenFlavor& each : flavors) {
      const auto wanted = std::find_if(set.requests.begin(), set.requests.end(),
                                       [&](const ResourceAmount& one) { return one.resource == each.resource; });
      if (wanted == set.requests.end()) continue;
      set.flavors.push_back(each);
      assignment_.level = std::max(assignment_.level, each.level);
      add(assignment_.usage, inventory_.names().find(each.flavor, each.resource), wanted->amount);
    }
    if (!reasons.empty()) {
      set.mode = Mode::no_fit;
      for (std::size_t i = 0; i < set.flavors.size(); ++i)
        set.mode = i == 0 ? set.flavors[i].mode : std::min(set.mode, set.flavors[i].mode);
    }
    return set.requests.empty() || !set.flavors.empty();
  }

  auto find_flavor(const FlavorGroup* group, const std::vector<std::size_t>& ids,
                   const std::vector<ResourceAmount>& all, Symbol resource) -> Search {
    Search search;
    if (group == nullptr) {
      search.reasons.push_back({.kind = WhyNot::Kind::undeclared, .resource = resource});
      return search;
    }
    std::vector<ResourceAmount> wanted;
    for (const ResourceAmount& each : all) {
      if (group->covers(each.resource)) wanted.push_back(each);
    }
    const bool remembers = settings_.gates.flavor_fungibility;
    const int first = remembers ? controller_.last_tried(workload_, ids.front(), resource) + 1 : 0;
    const int count = static_cast<int>(group->flavors.size());
    Found best;
    int last = -1;
    bool stopped = false;
    for (int index = first; index < count && !stopped; ++index) {
      last = index;
      const FlavorOfGroup& flavor = group->flavors[static_cast<std::size_t>(index)];
      if (nominated_ != nullptr && !was_nominated(flavor.name, ids, resource)) {
        search.reasons.push_back({.kind = WhyNot::Kind::not_nominated, .flavor = flavor.name, .resource = resource});
        continue;
      }
      if (const auto why = refusal(flavor, *group, ids)) {
        search.reasons.push_back(*why);
        search.looked_at.push_back({flavor.name, Mode::no_fit, ByWay::no_fit, 0, {*why}, Severity::no_matching_flavor});
        continue;
      }
      std::vector<ChosenFlavor> chosen;
      const Found found = try_flavor(flavor, wanted, chosen, search);
      if (!remembers) {
        if (found.way <= best.way) continue;
        best = found;
        search.chosen = std::move(chosen);
        if (found.way != ByWay::fit) continue;
        search.reasons.clear();
        return search;
      }
      stopped = !goes_on(found);
      if (stopped || better(found, best)) {
        best = found;
        search.chosen = std::move(chosen);
      }
    }
    const int tried = !remembers ? 0 : last == count - 1 ? -1 : last;
    for (ChosenFlavor& each : search.chosen) each.tried = tried;
    if (best.way == ByWay::fit) search.reasons.clear();
    return search;
  }

  // In the cycle in which they were nominated, a workload keeps its flavors. Source:
  // shouldSkipBasedOnNominationMapping.
  [[nodiscard]] auto was_nominated(Symbol flavor, const std::vector<std::size_t>& ids, Symbol resource) const -> bool {
    return std::any_of(nominated_->sets.begin(), nominated_->sets.end(), [&](const AssignedPodSet& set) {
      return std::find(ids.begin(), ids.end(), set.index) != ids.end() &&
             std::any_of(set.flavors.begin(), set.flavors.end(),
                         [&](const ChosenFlavor& each) { return each.resource == resource && each.flavor == flavor; });
    });
  }

  // Whether the flavor has the topology that the pods need. Source: checkPodSetAndFlavorMatchForTAS.
  [[nodiscard]] auto topology_refusal(const FlavorOfGroup& flavor, const FlavorGroup& group, std::size_t id) const
      -> std::optional<WhyNot> {
    if (!settings_.gates.topology) return {};
    const PodSet& set = object_.spec.pod_sets[id];
    const bool has_topology = bool{flavor.object->spec.topology};
    if (!asks_for_topology(set)) {
      if (queue_.only_topology || !has_topology) return {};
      return WhyNot{.kind = WhyNot::Kind::only_topology, .flavor = flavor.name};
    }
    if (!has_topology) {
      // A flavor that only has resources which the pods do not request may go with one that has a topology.
      const Capacity& request = inventory_.pods(workload_)[id].request;
      const Symbol pods = inventory_.cluster().known().pods;
      const bool overlaps = std::any_of(request.begin(), request.end(), [&](const auto& each) {
        return each.first != pods && group.covers(each.first);
      });
      if (!overlaps) return {};
      return WhyNot{.kind = WhyNot::Kind::no_topology, .flavor = flavor.name};
    }
    const TopologyFlavor* const topology = inventory_.topologies().find(flavor.name);
    if (topology != nullptr && !has_levels_of(*topology, *set.topology))
      return WhyNot{.kind = WhyNot::Kind::no_level, .flavor = flavor.name};
    return {};
  }

  // Returns the reason, apart from quota, why the pods cannot run on nodes of the flavor.
  [[nodiscard]] auto refusal(const FlavorOfGroup& flavor, const FlavorGroup& group,
                             const std::vector<std::size_t>& ids) const -> std::optional<WhyNot> {
    if (flavor.object == nullptr) return WhyNot{.kind = WhyNot::Kind::flavor_missing, .flavor = flavor.name};
    for (const std::size_t id : ids) {
      if (const auto why = topology_refusal(flavor, group, id)) return why;
      const PodSpec& spec = object_.spec.pod_sets[id].pod_template.spec;
      if (const Taint* const taint = untolerated(spec, *flavor.object))
        return WhyNot{.kind = WhyNot::Kind::taint, .flavor = flavor.name, .taint = taint};
      if (!has_affinity(spec, flavor.object->spec.node_labels))
        return WhyNot{.kind = WhyNot::Kind::affinity, .flavor = flavor.name};
    }
    return {};
  }

  [[nodiscard]] auto untolerated(const PodSpec& spec, const ResourceFlavor& flavor) const -> const Taint* {
    const WellKnown& known = inventory_.cluster().known();
    const std::span of_pod(spec.tolerations.begin(), spec.tolerations.size());
    for (const Taint& taint : flavor.spec.node_taints) {
      if (taint.effect != known.no_schedule && taint.effect != known.no_execute) continue;
      if (!tolerates(of_pod, taint, known) && !tolerates(flavor.spec.tolerations, taint, known)) return &taint;
    }
    return nullptr;
  }

  // Selectors only count for the keys that the flavor has; a term of which nothing remains matches.
  [[nodiscard]] auto has_affinity(const PodSpec& spec, const SymbolMap& labels) const -> bool {
    for (const auto& [key, value] : spec.node_selector) {
      if (labels.has(key) && labels.get(key) != value) return false;
    }
    if (!spec.affinity.node.required || spec.affinity.node.required->terms.empty()) return true;
    const Symbols& symbols = inventory_.cluster().objects().symbols;
    return std::any_of(spec.affinity.node.required->terms.begin(), spec.affinity.node.required->terms.end(),
                       [&](const NodeSelectorTerm& term) {
                         return std::all_of(term.match_expressions.begin(), term.match_expressions.end(),
                                            [&](const Requirement& each) {
                                              return !labels.has(each.key) || matches(each, labels, symbols);
                                            });
                       });
  }

  auto try_flavor(const FlavorOfGroup& flavor, const std::vector<ResourceAmount>& wanted,
                  std::vector<ChosenFlavor>& chosen, Search& search) -> Found {
    Found worst{ByWay::fit, 0};
    Attempt attempt{.flavor = flavor.name};
    for (const ResourceAmount& each : wanted) {
      std::optional<WhyNot> why;
      const Found found = has_quota(flavor.name, each, why);
      if (why) {
        add_once(attempt.reasons, *why);
        search.reasons.push_back(*why);
      }
      if (found.way == ByWay::no_fit) attempt.severity = std::max(attempt.severity, severity_of(*why));
      attempt.level = std::max(attempt.level, found.level);
      if (better(worst, found)) worst = found;
      if (worst.way == ByWay::no_fit) {
        if (!compares_all_resources(settings_.release)) break;
        continue;
      }
      chosen.push_back({each.resource, flavor.name, found.way, mode_of(found.way), found.level, 0});
    }
    attempt.way = worst.way;
    attempt.mode = mode_of(worst.way);
    search.looked_at.push_back(std::move(attempt));
    return worst;
  }

  auto has_quota(Symbol flavor, const ResourceAmount& wanted, std::optional<WhyNot>& why) -> Found {
    const FlavorResource of = inventory_.names().find(flavor, wanted.resource);
    const QuotaTree& tree = trial_.tree;
    const Amount assumed = amount_of(assignment_.usage, of);
    const Amount request = assumed + wanted.amount;
    const Amount most = tree.potential(queue_.node, of);
    if (request > most) {
      why = WhyNot{WhyNot::Kind::over_capacity, flavor, wanted.resource, nullptr, assumed, wanted.amount, most};
      return {ByWay::no_fit, 0};
    }
    const QuotaTree::Level level = tree.level(queue_.node, of, request);
    const Amount free = tree.free(queue_.node, of);
    if (request <= free) return {ByWay::fit, level.height};
    why = WhyNot{WhyNot::Kind::short_of, flavor, wanted.resource, nullptr, assumed, wanted.amount, request - free};
    const bool preempts_to_borrow = queue_.borrows_to_preempt || (settings_.fair && queue_.reclaim != Policy::never);
    if (tree.nominal(queue_.node, of) < request && !level.may_reclaim && !preempts_to_borrow)
      return {ByWay::no_fit, level.height};
    const std::vector<Target> targets = find_targets(trial_, workload_, id_, {of}, {{of, request}}, {});
    if (targets.empty()) return {ByWay::no_candidates, level.height};
    for (const Target& each : targets) trial_.remove(each.workload);
    const std::size_t height = tree.level(queue_.node, of, request).height;
    for (const Target& each : targets) trial_.put_back(each.workload);
    const bool own = std::any_of(targets.begin(), targets.end(),
                                 [&](const Target& each) { return controller_.state(each.workload).holds_in == id_; });
    return {own ? ByWay::preempt : ByWay::reclaim, height};
  }

  [[nodiscard]] auto better(const Found& a, const Found& b) const -> bool {
    if (a.way == ByWay::no_fit || b.way == ByWay::no_fit) return a.way != ByWay::no_fit;
    const bool lacks = a.way == ByWay::no_candidates;
    if (lacks != (b.way == ByWay::no_candidates) && has_flavor_fixes(settings_.release)) return !lacks;
    if (queue_.preemption_over_borrowing) return a.level != b.level ? a.level < b.level : a.way > b.way;
    return a.way != b.way ? a.way > b.way : a.level < b.level;
  }

  // Returns true if the next flavor is tried, too.
  [[nodiscard]] auto goes_on(const Found& found) const -> bool {
    const bool preempts = found.way == ByWay::preempt || found.way == ByWay::reclaim;
    return found.way <= ByWay::no_candidates || (preempts && queue_.next_flavor_before_preempting) ||
           (found.level != 0 && queue_.next_flavor_before_borrowing);
  }

  // Merges the attempts for one resource with those for other resources of the pod set, by flavor.
  static void merge(const std::vector<Attempt>& more, Symbol resource, const FlavorGroup* group,
                    std::vector<Attempt>& attempts) {
    if (more.empty()) return;
    for (const Attempt& each : more) {
      const auto same =
          std::find_if(attempts.begin(), attempts.end(), [&](const Attempt& one) { return one.flavor == each.flavor; });
      if (same == attempts.end()) {
        attempts.push_back(each);
        continue;
      }
      same->severity = std::max(same->severity, each.severity);
      // If victims are searched for both, the worse way is kept.
      const auto by_victims = [](const Attempt& one) { return one.way != ByWay::no_fit && one.way != ByWay::fit; };
      if (by_victims(each)) same->way = by_victims(*same) ? std::min(same->way, each.way) : each.way;
      same->mode = std::min(same->mode, each.mode);
      same->level = std::max(same->level, each.level);
      for (const WhyNot& reason : each.reasons) add_once(same->reasons, reason);
    }
    for (Attempt& each : attempts) {
      const bool of_group = std::any_of(group->flavors.begin(), group->flavors.end(),
                                        [&](const FlavorOfGroup& flavor) { return flavor.name == each.flavor; });
      const bool looked_at =
          std::any_of(more.begin(), more.end(), [&](const Attempt& one) { return one.flavor == each.flavor; });
      if (!of_group || looked_at) continue;
      each.severity = Severity::no_matching_flavor;
      each.mode = Mode::no_fit;
      add_once(each.reasons, {.kind = WhyNot::Kind::not_provided, .flavor = each.flavor, .resource = resource});
    }
  }

  [[nodiscard]] auto text(Symbol symbol) const -> std::string_view { return inventory_.text(symbol); }

  Trial& trial_;
  const Assignment* nominated_;
  const Controller& controller_;
  const Inventory& inventory_;
  const Settings& settings_;
  const QueueInfo& queue_;
  const Workload& object_;
  WorkloadId workload_;
  QueueId id_;
  std::vector<PodSetRequest> sets_;
  Assignment assignment_;
};

}  // namespace

auto mode_of(ByWay way) -> Mode {
  return way == ByWay::fit ? Mode::fit : way == ByWay::no_fit ? Mode::no_fit : Mode::preempt;
}

auto mode_name(Mode mode) -> std::string_view {
  constexpr std::array<std::string_view, 3> kNames = {"NoFit", "Preempt", "Fit"};
  return kNames[static_cast<std::size_t>(mode)];
}

auto Assignment::mode() const -> Mode {
  if (sets.empty() || error != TopologyError::no) return Mode::no_fit;
  if (decided) return *decided;
  return std::min_element(sets.begin(), sets.end(),
                          [](const AssignedPodSet& a, const AssignedPodSet& b) { return a.mode < b.mode; })
      ->mode;
}

auto Assignment::needs(const FlavorResources& names) const -> std::vector<FlavorResource> {
  std::vector<FlavorResource> found;
  for (const AssignedPodSet& set : sets) {
    for (const ChosenFlavor& each : set.flavors) {
      const FlavorResource of = names.find(each.flavor, each.resource);
      if (each.mode == Mode::preempt && std::find(found.begin(), found.end(), of) == found.end()) found.push_back(of);
    }
  }
  return found;
}

auto Assignment::requests(const FlavorResources& names) const -> Requests {
  Requests found;
  for (const AssignedPodSet& set : sets) {
    for (const ResourceAmount& each : set.requests) {
      const auto chosen = std::find_if(set.flavors.begin(), set.flavors.end(),
                                       [&](const ChosenFlavor& one) { return one.resource == each.resource; });
      if (each.amount != kNothing && chosen != set.flavors.end())
        add(found, names.find(chosen->flavor, each.resource), each.amount);
    }
  }
  return found;
}

auto Assignment::tried() const -> std::vector<Controller::Tried> {
  std::vector<Controller::Tried> all;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    for (const ChosenFlavor& each : sets[i].flavors) all.push_back({i, each.resource, each.tried});
  }
  return all;
}

auto Assignment::has_untried() const -> bool {
  return std::any_of(sets.begin(), sets.end(), [](const AssignedPodSet& set) {
    return std::any_of(set.flavors.begin(), set.flavors.end(),
                       [](const ChosenFlavor& each) { return each.tried != -1; });
  });
}

auto assign(Trial& trial, WorkloadId workload, QueueId queue, const std::vector<std::int64_t>& counts,
            const Assignment* nominated) -> Assignment {
  return Assigner(trial, workload, queue, nominated).run(counts);
}

auto asks_for_topology(const PodSet& set) -> bool {
  const auto& request = set.topology;
  return request && (request->unconstrained || request->required || request->preferred || request->slice_required ||
                     request->slice_size || !request->slice_constraints.empty());
}

auto needs_topology(const Inventory& inventory, WorkloadId workload, QueueId queue) -> bool {
  if (!inventory.settings().gates.topology) return false;
  const std::vector<PodSet>& sets = inventory.workloads()[workload].object->spec.pod_sets;
  return std::any_of(sets.begin(), sets.end(), asks_for_topology) ||
         (inventory.queues()[queue].only_topology && !inventory.queues()[queue].groups.empty());
}

auto check_that_places(const Inventory& inventory, const QueueInfo& queue, Symbol flavor) -> const AdmissionCheck* {
  const auto& all = inventory.cluster().objects().admission_checks;
  for (const CheckOfFlavors& check : queue.object->spec.admission_checks.checks) {
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const AdmissionCheck& each) { return each.meta.name == check.name; });
    if (found == all.end()) continue;
    const std::string_view controller = inventory.text(found->spec.controller_name);
    const bool applies = check.on_flavors.empty() ||
                         std::find(check.on_flavors.begin(), check.on_flavors.end(), flavor) != check.on_flavors.end();
    if (controller == kMultiKueue || (controller == kProvisioning && applies)) return &*found;
  }
  return nullptr;
}

auto placement_requests(const Inventory& inventory, WorkloadId workload, QueueId queue_id, Assignment& assignment)
    -> PlacementRequests {
  PlacementRequests requests;
  if (!needs_topology(inventory, workload, queue_id)) return requests;
  const QueueInfo& queue = inventory.queues()[queue_id];
  const Workload& object = *inventory.workloads()[workload].object;
  const std::vector<PodOfSet>& pods = inventory.pods(workload);
  const auto fails = [&](const AssignedPodSet& set, TopologyError error) {
    if (assignment.error != TopologyError::no) return;
    assignment.error = error;
    assignment.failed_set = set.index;
  };
  for (const AssignedPodSet& set : assignment.sets) {
    const PodSet& of = object.spec.pod_sets[set.index];
    const bool asks = asks_for_topology(of);
    if ((!asks && !queue.only_topology) || set.count == 0 || set.placed) continue;
    const auto has_topology = [&](const FlavorOfGroup& each) {
      return each.object != nullptr && inventory.topologies().find(each.name) != nullptr;
    };
    const bool any = std::any_of(queue.groups.begin(), queue.groups.end(), [&](const FlavorGroup& group) {
      return std::any_of(group.flavors.begin(), group.flavors.end(), has_topology);
    });
    if (!any) {
      fails(set, TopologyError::no_information);
      continue;
    }
    std::vector<Symbol> flavors;
    for (const ChosenFlavor& each : set.flavors) {
      const bool known = std::find(flavors.begin(), flavors.end(), each.flavor) != flavors.end();
      if (!known && inventory.topologies().find(each.flavor) != nullptr) flavors.push_back(each.flavor);
    }
    if (flavors.size() != 1) {
      std::sort(flavors.begin(), flavors.end(),
                [&](Symbol a, Symbol b) { return inventory.text(a) < inventory.text(b); });
      if (assignment.error == TopologyError::no) assignment.error_flavors = flavors;
      fails(set, flavors.empty() ? TopologyError::no_flavor : TopologyError::several_flavors);
      continue;
    }
    // The topology is assigned later: in the worker cluster, or once the nodes are provisioned.
    if (check_that_places(inventory, queue, flavors.front()) != nullptr) continue;
    requests.push_back({.set = set.index,
                        .object = &of,
                        .spec = &pods[set.index].spec,
                        .flavor = flavors.front(),
                        .count = set.count,
                        .one_pod = pods[set.index].request,
                        .implied = !asks});
  }
  return requests;
}

void set_placements(const Inventory& inventory, WorkloadId workload, const Placements& placements,
                    Assignment& assignment) {
  const std::vector<PodOfSet>& pods = inventory.pods(workload);
  assignment.topology_usage.clear();
  for (AssignedPodSet& set : assignment.sets) {
    const auto found = placements.sets.find(set.index);
    if (found != placements.sets.end()) {
      set.placed = found->second;
      for (const ChosenFlavor& each : set.flavors) {
        if (inventory.topologies().find(each.flavor) != nullptr) set.topology_flavor = each.flavor;
      }
    }
    if (!set.placed) continue;
    for (const PlacedPods& each : *set.placed)
      assignment.topology_usage.push_back({set.topology_flavor, each.domain, pods[set.index].request, each.count});
  }
}

}  // namespace previct::kueue
