#include "engine/kueue/assignment.h"

#include "cluster/matching.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <span>
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

void add_once(std::vector<WhyNot>& list, const WhyNot& reason) {
  if (std::find(list.begin(), list.end(), reason) == list.end()) list.push_back(reason);
}

class Assigner {
 public:
  Assigner(Trial& trial, WorkloadId workload, QueueId queue)
      : trial_(trial),
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
      if (!assign_group(group)) break;
    }
    return std::move(assignment_);
  }

 private:
  struct Search {
    std::vector<ChosenFlavor> chosen{};
    std::vector<WhyNot> reasons{};
    std::vector<Attempt> looked_at{};
  };

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
        set.mode = i == 0 ? mode_of(set.flavors[i].way) : std::min(set.mode, mode_of(set.flavors[i].way));
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
      if (const auto why = refusal(flavor, ids)) {
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

  // Returns the reason, apart from quota, why the pods cannot run on nodes of the flavor.
  [[nodiscard]] auto refusal(const FlavorOfGroup& flavor, const std::vector<std::size_t>& ids) const
      -> std::optional<WhyNot> {
    if (flavor.object == nullptr) return WhyNot{.kind = WhyNot::Kind::flavor_missing, .flavor = flavor.name};
    for (const std::size_t id : ids) {
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
      if (worst.way == ByWay::no_fit) break;
      chosen.push_back({each.resource, flavor.name, found.way, found.level, 0});
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
    const std::vector<Target> targets = find_targets(trial_, workload_, id_, {of}, {{of, request}});
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
  if (sets.empty()) return Mode::no_fit;
  return std::min_element(sets.begin(), sets.end(),
                          [](const AssignedPodSet& a, const AssignedPodSet& b) { return a.mode < b.mode; })
      ->mode;
}

auto Assignment::needs(const FlavorResources& names) const -> std::vector<FlavorResource> {
  std::vector<FlavorResource> found;
  for (const AssignedPodSet& set : sets) {
    for (const ChosenFlavor& each : set.flavors) {
      const FlavorResource of = names.find(each.flavor, each.resource);
      if (mode_of(each.way) == Mode::preempt && std::find(found.begin(), found.end(), of) == found.end())
        found.push_back(of);
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

auto assign(Trial& trial, WorkloadId workload, QueueId queue, const std::vector<std::int64_t>& counts) -> Assignment {
  return Assigner(trial, workload, queue).run(counts);
}

}  // namespace previct::kueue
