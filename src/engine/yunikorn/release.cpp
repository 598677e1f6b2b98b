#include "engine/yunikorn/release.h"

#include "engine/yunikorn/nodes.h"

#include <algorithm>

namespace previct::yunikorn {
namespace {

/// Returns true if there are several possible results and one of them has no victims.
auto may_have_no_victims(const VictimSets& possible) -> bool {
  const auto empty = [](const std::vector<PodId>& set) { return set.empty(); };
  return std::any_of(possible.sets.begin(), possible.sets.end(), empty) &&
         !std::all_of(possible.sets.begin(), possible.sets.end(), empty);
}

class Attempt {
 public:
  Attempt(const PartitionContext& core, PodId ask, const ReleaseOptions& options, Moment& now)
      : core_(core), predicates_(core, ask, options.volumes_everywhere), triggered_(options.ask_triggered), now_(now) {
    decision_.ask = core.allocation(ask);
    decision_.headroom = core.queues().headroom(decision_.ask.queue);
  }

  auto run() -> ReleaseDecision {
    look_around();
    if (!replaces() && !held_back()) decision_.ask.required_node ? try_required_node() : try_nodes();
    if (decision_.node && !decision_.ask.required_node) decision_.room = core_.room(decision_.node);
    return std::move(decision_);
  }

 private:
  [[nodiscard]] auto ask() const -> const Allocation& { return decision_.ask; }
  [[nodiscard]] auto app() const -> const Application& { return core_.app(ask().app); }
  [[nodiscard]] auto has_headroom() const -> bool { return fits_where_limited(decision_.headroom, ask().size); }

  void end(ReleaseOutcome outcome, Rule rule) {
    decision_.outcome = outcome;
    decision_.rule = rule;
  }

  /// Computes what is reported about every pod, even if the scheduler does not get that far with it.
  void look_around() {
    if (!ask().required_node) {
      decision_.queue = look_at_queues(core_, ask());
      return;
    }
    decision_.node = core_.cluster().find_node(ask().required_node);
    if (!decision_.node) return;
    decision_.room = core_.room(decision_.node);
    std::vector<Allocation> pods;
    for (const PodId pod : core_.allocations_on(decision_.node)) pods.push_back(core_.allocation(pod));
    decision_.required = attempt_required_node(ask(), decision_.room, pods);
  }

  // ---------------------------------------------------------------- placeholders of a gang

  /// Returns true if the pod replaces a placeholder of its gang, or waits for one. Then nothing else is tried.
  /// Source: application.go tryPlaceholderAllocate, canReplace.
  auto replaces() -> bool {
    const std::vector<PodId> places = places_of_group();
    if (places.empty()) return false;
    Replacement& replacement = decision_.replacement.emplace();
    for (const PodId id : places) {
      const Allocation place = core_.allocation(id);
      if (place.released || place.preempted) continue;
      const Resources rest = place.size - ask().size;
      const bool too_small = std::any_of(rest.begin(), rest.end(), [](const auto& entry) { return entry.amount < 0; });
      (too_small ? replacement.too_small : replacement.large_enough).push_back(id);
      if (too_small || predicates_.reservation(place.node)) continue;
      if (std::find(replacement.nodes.begin(), replacement.nodes.end(), place.node) == replacement.nodes.end()) {
        replacement.nodes.push_back(place.node);
      }
    }
    if (replacement.nodes.empty() && !replacement.large_enough.empty()) {
      replacement.elsewhere = true;
      if (const NodeId node = first_that_fits(core_, ask(), predicates_)) replacement.nodes.push_back(node);
    }
    if (replacement.nodes.empty()) {
      end(ReleaseOutcome::pending, Rule::no_place);
    } else {
      end(ReleaseOutcome::allocated, Rule::takes_place);
      decision_.node = replacement.nodes.front();
    }
    return true;
  }

  [[nodiscard]] auto places_of_group() const -> std::vector<PodId> {
    std::vector<PodId> places;
    const std::string_view group = core_.group_of(ask().pod);
    if (group.empty() || core_.holds_place(ask().pod)) return places;
    for (const PodId id : core_.cluster().pods().ids()) {
      const bool ours = core_.app_of(id) == ask().app && core_.known(id) && core_.cluster().node_of(id);
      if (ours && core_.holds_place(id) && core_.group_of(id) == group) places.push_back(id);
    }
    return places;
  }

  // ---------------------------------------------------------------- what prevents the pod from being considered

  /// Source: queue.go TryAllocate, application.go tryAllocate.
  auto held_back() -> bool {
    if (!app().running) {
      decision_.full = core_.queues().full_of_applications(ask().queue);
      if (decision_.full) return stop(Rule::applications_full);
      decision_.limit = core_.limits().full_of_applications(app().user.name, app().group, ask().app, ask().queue);
      if (!decision_.limit.kind.empty()) return stop(Rule::limit_of_applications);
    }
    decision_.limit = core_.limits().short_of_room(app().user.name, app().group, ask().queue, ask().size);
    return !decision_.limit.kind.empty() && stop(Rule::limit_of_resources);
  }
  auto stop(Rule rule) -> bool {
    end(ReleaseOutcome::pending, rule);
    return true;
  }

  // ---------------------------------------------------------------- nodes

  /// Tries a pod that can run on one node only. Its queue's headroom is checked first; the filters of its node are run
  /// only if the node has enough free resources.
  void try_required_node() {
    if (!decision_.node || !has_headroom()) {
      return end(ReleaseOutcome::pending, has_headroom() ? Rule::node_unknown : Rule::no_headroom);
    }
    const bool room = fits(decision_.room.available(), ask().size);
    if (room) {
      if (const Predicates::Refusal refusal = predicates_.allocation(decision_.node)) {
        decision_.unsuited.push_back({decision_.node, *refusal});
      } else {
        decision_.over_max = core_.over_max(ask());
        if (!decision_.over_max) return end(ReleaseOutcome::allocated, Rule::allocated);
      }
    }
    if (!fits(decision_.room.total, ask().size)) return end(ReleaseOutcome::pending, Rule::larger_than_node);
    decision_.reserved = decision_.node;
    if (decision_.over_max) return end(ReleaseOutcome::reserved, Rule::over_max);
    if (room) return end(ReleaseOutcome::reserved, Rule::predicates_fail);
    if (triggered_) return end(ReleaseOutcome::reserved, Rule::triggered_before);
    // Each cycle sees the candidates in another order, until one order yields victims.
    const bool varies = may_have_no_victims(decision_.required->possible);
    if (!varies && decision_.required->victims.empty()) {
      return end(ReleaseOutcome::reserved, Rule::required_node_no_help);
    }
    end(varies ? ReleaseOutcome::varies : ReleaseOutcome::preempted, Rule::required_node_preempts);
    for (const std::vector<PodId>& victims : decision_.required->possible.sets) {
      if (victims.empty()) continue;
      if (const auto refusal = predicates_.afterwards(decision_.node, victims)) {
        decision_.refused_without_victims = *refusal;
      }
      break;
    }
  }

  /// Tries a pod that may run anywhere: first the headroom of its queues, then free resources of the nodes, then
  /// preemption from other queues.
  void try_nodes() {
    if (!has_headroom()) return ask_queues(false);
    const NodeSearch search = search_nodes(core_, ask(), predicates_);
    if (search.fits) {
      decision_.node = search.fits;
      return end(ReleaseOutcome::allocated, Rule::allocated);
    }
    for (const auto& [node, refusal] : search.unsuited) {
      decision_.unsuited.push_back({node, refusal});
    }
    decision_.over_max = search.over_max;
    constexpr std::int64_t kReservationDelay = 2'000'000'001;  // older than two seconds
    if (now_.reached(ask().created.plus_nanos(kReservationDelay))) {
      if (!search.not_reserved) {
        decision_.reserved = search.to_reserve;
      } else {
        decision_.not_reserved = {search.to_reserve, *search.not_reserved};
      }
    }
    ask_queues(true);
  }

  void ask_queues(bool nodes_tried) {
    decision_.queue = attempt_queue_preemption(core_, ask(), predicates_, triggered_, nodes_tried, now_);
    const std::vector<QueueSolution>& ends = decision_.queue->solutions;
    const auto somebody = [](const QueueSolution& end) { return end.rule == Rule::queue_preempts; };
    const bool some = std::any_of(ends.begin(), ends.end(), somebody);
    const bool all = std::all_of(ends.begin(), ends.end(), somebody);
    // The ask has then used up its only preemption, and keeps the node that it would have been given.
    const auto in_vain =
        std::find_if(ends.begin(), ends.end(), [](const QueueSolution& end) { return end.rule == Rule::zero_request; });
    if (in_vain != ends.end()) decision_.reserved = in_vain->node;
    const ReleaseOutcome otherwise = decision_.reserved ? ReleaseOutcome::reserved : ReleaseOutcome::pending;
    end(some ? all ? ReleaseOutcome::preempted : ReleaseOutcome::varies : otherwise,
        ends.empty() ? Rule::no_node_helps : ends.front().rule);
    const auto first = std::find_if(ends.begin(), ends.end(), somebody);
    decision_.node = first == ends.end() ? NodeId{} : first->node;
  }

  const PartitionContext& core_;
  Predicates predicates_;
  bool triggered_;
  Moment& now_;
  ReleaseDecision decision_;
};

}  // namespace

auto outcome_word(ReleaseOutcome outcome) -> std::string_view {
  switch (outcome) {
    case ReleaseOutcome::allocated: return "allocated";
    case ReleaseOutcome::preempted: return "preempted";
    case ReleaseOutcome::reserved: return "reserved";
    case ReleaseOutcome::pending: return "pending";
    case ReleaseOutcome::varies: return "varies";
    case ReleaseOutcome::foreign: return "not-scheduled-by-yunikorn";
  }
  return "pending";
}

auto decide_release(const PartitionContext& core, PodId ask, const ReleaseOptions& options, Moment& now)
    -> ReleaseDecision {
  return Attempt(core, ask, options, now).run();
}

}  // namespace previct::yunikorn
