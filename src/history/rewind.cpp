#include "history/rewind.h"

#include "api/upstream.h"
#include "base/contains.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace previct::history {
namespace {

// Victims of one decision are evicted as fast as the client's rate limit allows; later evictions belong to another
// decision.
constexpr std::int64_t kBetweenVictims = 10;  // seconds

auto grace_of(const Pod& pod) -> std::int64_t {
  if (pod.meta.deletion_grace_seconds) return *pod.meta.deletion_grace_seconds;
  return pod.spec.termination_grace_seconds.value_or(upstream::kDefaultGraceSeconds);
}

// A pod of the group that was not placed yet at `at`; any of its pods if nothing shows that.
auto pod_of(const Engine& engine, const Snapshot& cluster, const Named& group, Instant at) -> PodId {
  const WellKnown& known = cluster.known();
  PodId any;
  for (const PodId id : cluster.pods().ids()) {
    const Pod& pod = cluster.pod(id);
    if (cluster.text(pod.meta.ns) != group.ns || engine.group_of(cluster, id) != group.name) continue;
    if (!any) any = id;
    const Condition* scheduled = pod.condition(known.pod_scheduled);
    const bool later =
        scheduled != nullptr && scheduled->last_transition && scheduled->last_transition->plus_seconds(1) > at;
    if (cluster.pending(id) || later) return id;
  }
  return any;
}

}  // namespace

auto same_moment(const Preemption& a, const Preemption& b) -> bool {
  if (a.exact && b.exact) return false;
  return a.at.plus_seconds(kSameMoment) >= b.at && b.at.plus_seconds(kSameMoment) >= a.at;
}

auto engine_of(Cause cause) -> const Engine* {
  const auto found = std::find_if(engines().begin(), engines().end(), [id = cause_id(cause)](const Engine* engine) {
    return contains(engine->causes(), id);
  });
  return found == engines().end() ? nullptr : *found;
}

auto preemptions_of(const Snapshot& cluster, const std::vector<Disruption>& all, const Timeline& timeline)
    -> std::vector<Preemption> {
  std::vector<Preemption> out;
  // The latest preemption of each preemptor and node.
  struct Latest {
    std::size_t index = 0;  // index into `out`
    Instant last{};         // time of its last victim
    std::optional<Instant> decided{};
  };
  std::map<std::pair<PodId, std::string>, Latest> latest;
  // One victim may belong to several decisions in quick succession: each has an event.
  struct Taken {
    const Disruption* victim = nullptr;
    const Named* by = nullptr;
    PodId preemptor{};
    std::string node{};
    Instant at{};
  };
  std::vector<Taken> taken;
  const auto take = [&](const Disruption& d, const Named& by, const std::string& node, Instant at) {
    const Engine& engine = *engine_of(d.cause);
    const PodId preemptor = by.kind == engine.asked_kind() ? pod_of(engine, cluster, by, at) : by.pod;
    if (preemptor) taken.push_back({&d, &by, preemptor, engine.preempts_on_one_node() ? node : std::string(), at});
  };
  for (const Disruption& d : all) {
    if (engine_of(d.cause) == nullptr) continue;
    if (d.by) take(d, *d.by, d.node, d.at);
    for (const Disruption::Also& also : d.also_by)
      take(d, also.by, also.node.empty() ? d.node : also.node, also.at == Instant{} ? d.at : also.at);
  }
  std::stable_sort(taken.begin(), taken.end(), [](const Taken& a, const Taken& b) { return a.at < b.at; });
  std::set<std::pair<PodId, Instant>> taken_by_one;  // an attempt preempts once, on one node
  for (const Taken& t : taken) {
    const auto [known, first] = latest.try_emplace({t.preemptor, t.node});
    Latest& before = known->second;
    const std::optional<Instant> decided = timeline.decided(t.by->uid, t.at);
    const bool another = first || before.last.plus_seconds(kBetweenVictims) < t.at ||
                         (decided && decided != before.decided && *decided > before.last);
    if (another) {
      before.index = out.size();
      before.decided = decided;
      const bool exact = decided && taken_by_one.insert({t.preemptor, *decided}).second;
      out.push_back(
          {engine_of(t.victim->cause), t.preemptor, t.node, exact ? std::min(*decided, t.at) : t.at, exact, {}});
    }
    before.last = t.at;
    out[before.index].victims.push_back(t.victim);
  }
  std::stable_sort(out.begin(), out.end(), [](const Preemption& a, const Preemption& b) { return a.at < b.at; });
  return out;
}

Rewind::Rewind(Objects& objects, const Past& past, const Preemption& preemption, const Guess& guess)
    : objects_(objects),
      past_(past),
      cluster_(past.cluster),
      preemption_(preemption),
      guess_(guess),
      at_(preemption.at),
      changed_(objects) {
  for (const PodId id : objects_.pods.ids()) rewind_pod(id);
  bring_back_victims();
  forget_later_evictions();
  end_earlier_victims();
  nominate_earlier_preemptors();
  shift_budgets();
  const auto later = [&](const Node& node) { return node.meta.created && *node.meta.created > at_; };
  const auto count = static_cast<std::size_t>(std::count_if(objects_.nodes.begin(), objects_.nodes.end(), later));
  changed_.remove_nodes(later);
  remark(count);
}

void Rewind::remark(std::size_t later_nodes) {
  remarks_.push_back(fmt::format("{} pending again", cluster_.key(preemption_.preemptor)));
  const auto say = [&](std::size_t count, const char* one, const char* many, const char* what) {
    if (count > 0) remarks_.push_back(fmt::format("{} {}", counted(count, one, many), what));
  };
  say(revived_, "pod", "pods", "restored");
  say(unbound_, "pod bound later", "pods bound later", "pending again");
  say(placed_, "pod bound before", "pods bound before", "placed");
  say(later_, "later pod", "later pods", "removed");
  say(gone_, "pod preempted before", "pods preempted before", "removed");
  say(later_nodes, "later node", "later nodes", "removed");
  say(std::min(guess_.ended, ending_.size()), "terminating pod", "terminating pods", "assumed to be gone");
  if (guess_.after_same_moment) remarks_.emplace_back("other preemptions at the same time were decided before it");
  if (guess_.vanished_ended)
    say(past_.vanished.size(), "pod only in the earlier dump", "pods only in the earlier dump", "assumed to be gone");
}

auto Rewind::bound_later(const Pod& pod) const -> bool {
  if (!pod.spec.node_name) return false;
  if (const Timeline::Bound* bound = past_.timeline.bound(cluster_.text(pod.meta.uid))) return bound->at > at_;
  const WellKnown& known = cluster_.known();
  const Condition* scheduled = pod.condition(known.pod_scheduled);
  return scheduled != nullptr && scheduled->status == known.true_status && scheduled->last_transition &&
         *scheduled->last_transition > at_;
}

void Rewind::revive(PodId id) {
  Pod& pod = changed_.pod(id);
  pod.meta.deleting.reset();
  pod.meta.deletion_grace_seconds.reset();
  pod.status.phase = objects_.symbols.intern("Running");
  erase_if(pod.status.conditions, [&](const Condition& c) { return c.type == cluster_.known().disruption_target; });
  ++revived_;
}

void Rewind::rewind_pod(PodId id) {
  const Pod& pod = objects_.pods[id];
  if (id == preemption_.preemptor) return changed_.release(id);
  // Creation times are whole seconds. A pod created in the same second is probably a victim's replacement, unless an
  // event shows that it was on a node by then.
  const Timeline::Bound* bound = past_.timeline.bound(cluster_.text(pod.meta.uid));
  // A pod for which another preemption had been decided existed too.
  const bool decided = std::any_of(past_.preemptions.begin(), past_.preemptions.end(), [&](const Preemption& other) {
    return other.preemptor == id && decided_before(other);
  });
  const bool seen = decided || (bound != nullptr && bound->at <= at_);
  if (pod.meta.created && pod.meta.created->plus_seconds(1) > at_ && !seen) {
    ++later_;
    return changed_.hide(id);
  }
  const bool victim = std::any_of(preemption_.victims.begin(), preemption_.victims.end(),
                                  [&](const Disruption* d) { return d->pod.pod == id; });
  if (victim) return;
  const WellKnown& known = cluster_.known();
  if (bound_later(pod)) {
    ++unbound_;
    return changed_.release(id);
  }
  if (bound != nullptr && bound->at <= at_ && cluster_.pending(id)) {
    changed_.bind(id, objects_.symbols.intern(bound->node), bound->at);
    ++placed_;
    return;
  }
  const Condition* target = pod.condition(known.disruption_target);
  const bool target_later = target != nullptr && target->last_transition && *target->last_transition > at_;
  const bool ends_later = pod.meta.deleting && pod.meta.deleting->plus_seconds(-grace_of(pod)) > at_;
  // A pod is no longer ready from the time at which it finished.
  const Condition* ready = pod.condition(cluster_.symbol("Ready"));
  const bool finished_later = cluster_.finished(id) && ready != nullptr && ready->status != known.true_status &&
                              ready->last_transition && *ready->last_transition > at_;
  if (target_later || ends_later || finished_later) revive(id);
}

auto Rewind::decided_before(const Preemption& other) const -> bool {
  if (&other == &preemption_) return false;
  return other.at < at_ || (guess_.after_same_moment && same_moment(other, preemption_));
}

auto Rewind::is_ours(const Disruption& victim) const -> bool {
  return std::find(preemption_.victims.begin(), preemption_.victims.end(), &victim) != preemption_.victims.end();
}

// Restores its own victims, and those of other preemptions that still ran or were terminating.
void Rewind::bring_back_victims() {
  for (const Disruption* victim : preemption_.victims) bring_back(*victim, lost_);
  for (const Preemption& other : past_.preemptions) {
    if (&other == &preemption_) continue;
    for (const Disruption* victim : other.victims) {
      // A victim that runs in the input was not changed, and one that was deleted later was restored.
      if (is_ours(*victim) || victim->in_memory || victim->pod.pod) continue;
      const std::size_t before = objects_.pods.size();
      bring_back(*victim, others_lost_);
      if (before == objects_.pods.size()) continue;
      end_if_evicted(PodId{static_cast<std::uint32_t>(before)}, victim->at);
    }
  }
}

void Rewind::end_if_evicted(PodId id, Instant evicted) {
  if (evicted == Instant{} || evicted >= at_) return;
  // The API server writes whole seconds.
  const Instant end = Instant{evicted.seconds, 0}.plus_seconds(grace_of(objects_.pods[id]));
  if (end <= at_) {
    ++gone_;
    return changed_.hide(id);
  }
  ending_.emplace_back(evicted, id);
  changed_.pod(id).meta.deleting = end;
}

void Rewind::bring_back(const Disruption& victim, std::vector<std::string>& lost) {
  if (victim.pod.pod) {
    revive(victim.pod.pod);
    if (!objects_.pods[victim.pod.pod].spec.node_name) {
      objects_.pods[victim.pod.pod].spec.node_name = objects_.symbols.intern(victim.node);
    }
    return;
  }
  // An earlier state has it.
  const auto& replaced = objects_.replaced_pods;
  const auto shown = std::find_if(replaced.begin(), replaced.end(), [&](const Pod& pod) {
    return !victim.pod.uid.empty() && objects_.symbols.text(pod.meta.uid) == victim.pod.uid && pod.spec.node_name;
  });
  if (shown != replaced.end()) {
    changed_.add(*shown);
    return revive(PodId{static_cast<std::uint32_t>(objects_.pods.size() - 1)});
  }
  if (past_.state_before && victim.at != Instant{} && victim.at < *past_.state_before) return;
  // A pod that was bound to its node later did not exist yet.
  const Timeline::Bound* bound = past_.timeline.bound(victim.pod.uid);
  if (!is_ours(victim) && bound != nullptr && bound->at > at_) return;
  // Its sibling: the pod recreated with its name, or a pod of the same controller.
  PodId sibling = cluster_.find_pod(victim.pod.ns, victim.pod.name);
  for (const PodId id : cluster_.pods().ids()) {
    if (sibling) break;
    const ObjectMeta& meta = cluster_.pod(id).meta;
    const std::string_view prefix = cluster_.text(meta.generate_name);
    if (!prefix.empty() && cluster_.text(meta.ns) == victim.pod.ns && victim.pod.name.starts_with(prefix) &&
        victim.pod.name.find('-', prefix.size()) == std::string::npos) {
      sibling = id;
    }
  }
  if (!sibling || victim.node.empty()) {
    lost.push_back(victim.pod.text());
    return;
  }
  Pod pod = cluster_.pod(sibling);
  pod.meta.name = objects_.symbols.intern(victim.pod.name);
  pod.meta.uid = objects_.symbols.intern(victim.pod.uid);
  pod.meta.created.reset();
  pod.meta.deleting.reset();
  pod.meta.deletion_grace_seconds.reset();
  pod.spec.node_name = objects_.symbols.intern(victim.node);
  // Without an event its start is unknown: early enough for any limited toleration to have ended.
  pod.status = {};
  pod.status.phase = objects_.symbols.intern("Running");
  const Instant since = bound == nullptr ? Instant{} : Instant{bound->at.seconds, 0};
  pod.status.conditions.push_back({.type = cluster_.known().pod_scheduled,
                                   .status = cluster_.known().true_status,
                                   .reason = {},
                                   .last_transition = since});
  made_after_.emplace_back(victim.pod.text(), cluster_.key(sibling));
  changed_.add(std::move(pod));
}

// Ends earlier victims that an earlier dump still shows running, and pods whose end has no trace.
void Rewind::end_earlier_victims() {
  for (const Disruption& d : past_.disruptions) {
    if (!d.pod.pod || d.at == Instant{} || d.at >= at_ || d.in_memory) continue;
    const Pod& pod = objects_.pods[d.pod.pod];
    if (is_ours(d) || pod.meta.deleting || !pod.spec.node_name || cluster_.finished(d.pod.pod)) continue;
    end_if_evicted(d.pod.pod, d.at);
  }
  std::stable_sort(ending_.begin(), ending_.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < std::min(guess_.ended, ending_.size()); ++i) changed_.hide(ending_[i].second);
  if (!guess_.vanished_ended) return;
  for (const PodId id : past_.vanished) changed_.hide(id);
}

void Rewind::shift_budgets() {
  if (objects_.disruption_budgets.empty()) return;
  for (const Preemption& other : past_.preemptions) {
    const bool before = decided_before(other);
    const std::int32_t change = before && guess_.budgets == Guess::Budgets::lowered   ? -1
                                : !before && guess_.budgets == Guess::Budgets::raised ? 1
                                                                                      : 0;
    for (const Disruption* victim : other.victims) {
      if (!victim->by || victim->by->pod != other.preemptor) continue;  // counted with the preemption that evicted it
      const Pod* pod = victim->pod.pod ? &objects_.pods[victim->pod.pod] : nullptr;
      for (std::size_t i = changed_.pods_before(); pod == nullptr && i < objects_.pods.size(); ++i) {
        const Pod& made = objects_.pods.items()[i];
        if (cluster_.text(made.meta.uid) == victim->pod.uid) pod = &made;
      }
      if (pod == nullptr) continue;
      budgets_moved_ |= changed_.shift_budgets_of(*pod, change);
    }
  }
  if (guess_.budgets == Guess::Budgets::lowered)
    remarks_.emplace_back("allowed disruptions of budgets reduced by the earlier evictions");
  if (guess_.budgets == Guess::Budgets::raised)
    remarks_.emplace_back("allowed disruptions of budgets increased by the later evictions");
}

// KAI records the eviction on the group of the preemptor, which then waits for a while.
void Rewind::forget_later_evictions() {
  const Symbol key = cluster_.symbol("kai.scheduler/last-eviction-timestamp");
  for (std::size_t i = 0; key && i < objects_.kai_pod_groups.size(); ++i) {
    const Annotations& annotations = objects_.kai_pod_groups[i].meta.annotations;
    const auto noted = parse_instant(cluster_.text(annotations.get(key)));
    if (!noted || *noted < Instant{at_.seconds, 0}) continue;
    Annotations rest;
    for (const auto& [name, value] : annotations) {
      if (name != key) rest.set(name, value);
    }
    changed_.kai_group(i).meta.annotations = rest;
  }
}

void Rewind::nominate_earlier_preemptors() {
  for (const Preemption& other : past_.preemptions) {
    if (other.preemptor == preemption_.preemptor || !decided_before(other)) continue;
    if (objects_.pods[other.preemptor].spec.node_name || other.node.empty()) continue;
    changed_.pod(other.preemptor).status.nominated_node_name = objects_.symbols.intern(other.node);
  }
}

}  // namespace previct::history
