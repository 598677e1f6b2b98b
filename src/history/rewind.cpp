#include "history/rewind.h"

#include "api/upstream.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace previct::history {
namespace {

// Victims of one decision are evicted as fast as the client's rate limit lets; what comes later is another decision.
constexpr std::int64_t kBetweenVictims = 10;  // seconds

auto grace_of(const Pod& pod) -> std::int64_t {
  if (pod.meta.deletion_grace_seconds) return *pod.meta.deletion_grace_seconds;
  return pod.spec.termination_grace_seconds.value_or(upstream::kDefaultGraceSeconds);
}

// How far apart the first evictions of decisions can be whose order they do not tell.
constexpr std::int64_t kSameMoment = 2;  // seconds

}  // namespace

auto neighbours(const Preemption& a, const Preemption& b) -> bool {
  return a.at.plus_seconds(kSameMoment) >= b.at && b.at.plus_seconds(kSameMoment) >= a.at;
}

auto preemptions_of(const std::vector<Disruption>& all) -> std::vector<Preemption> {
  std::vector<Preemption> out;
  std::map<std::pair<PodId, std::string>, std::size_t> latest;  // index into `out`
  for (const Disruption& d : all) {
    if ((d.cause != Cause::preemption && d.cause != Cause::unnamed_scheduler) || !d.by || !d.by->pod) continue;
    const auto [known, first] = latest.try_emplace({d.by->pod, d.node}, out.size());
    if (first || out[known->second].victims.back()->at.plus_seconds(kBetweenVictims) < d.at) {
      known->second = out.size();
      out.push_back({d.by->pod, d.node, d.at, {}});
    }
    out[known->second].victims.push_back(&d);
  }
  std::stable_sort(out.begin(), out.end(), [](const Preemption& a, const Preemption& b) { return a.at < b.at; });
  return out;
}

Rewind::Rewind(Objects& objects, const Snapshot& cluster, const Preemption& preemption,
               const std::vector<Disruption>& all, bool after_neighbours)
    : objects_(objects),
      cluster_(cluster),
      preemption_(preemption),
      all_(all),
      at_(preemption.at),
      after_neighbours_(after_neighbours),
      pod_count_(objects.pods.size()) {
  for (const PodId id : objects_.pods.ids()) rewind_pod(id);
  for (const Disruption* victim : preemption_.victims) bring_back(*victim);
  end_earlier_victims();
  nominate_earlier_preemptors();
  const auto later = [&](const Node& node) { return node.meta.created && *node.meta.created > at_; };
  const auto count = static_cast<std::size_t>(std::count_if(objects_.nodes.begin(), objects_.nodes.end(), later));
  if (count > 0) {
    nodes_ = objects_.nodes.items();
    std::erase_if(objects_.nodes.items(), later);
  }
  remarks_.push_back(fmt::format("{} pending again", cluster_.key(preemption_.preemptor)));
  if (revived_ > 0) remarks_.push_back(fmt::format("{} restored", counted(revived_, "pod", "pods")));
  if (unbound_ > 0)
    remarks_.push_back(fmt::format("{} pending again", counted(unbound_, "pod bound later", "pods bound later")));
  if (later_ > 0) remarks_.push_back(fmt::format("{} removed", counted(later_, "later pod", "later pods")));
  if (gone_ > 0)
    remarks_.push_back(fmt::format("{} removed", counted(gone_, "pod preempted before", "pods preempted before")));
  if (count > 0) remarks_.push_back(fmt::format("{} removed", counted(count, "later node", "later nodes")));
}

Rewind::~Rewind() {
  if (!nodes_.empty()) objects_.nodes.items() = std::move(nodes_);
  for (auto saved = saved_.rbegin(); saved != saved_.rend(); ++saved)
    objects_.pods[saved->first] = std::move(saved->second);
  objects_.pods.items().resize(pod_count_);
}

auto Rewind::touch(PodId id) -> Pod& {
  Pod& pod = objects_.pods[id];
  saved_.emplace_back(id, pod);
  return pod;
}

// To a scheduler, a pod that has finished is not there; its id stays.
void Rewind::hide(PodId id) {
  touch(id).status.phase = cluster_.known().succeeded;
}

void Rewind::make_pending(PodId id) {
  Pod& pod = touch(id);
  pod.spec.node_name = {};
  pod.status.phase = {};
  pod.status.start_time.reset();
  pod.status.nominated_node_name = {};
  pod.meta.deleting.reset();
  pod.meta.deletion_grace_seconds.reset();
  erase_if(pod.status.conditions, [&](const Condition& c) {
    return c.type == cluster_.known().pod_scheduled || c.type == cluster_.known().disruption_target;
  });
}

void Rewind::revive(PodId id) {
  Pod& pod = touch(id);
  pod.meta.deleting.reset();
  pod.meta.deletion_grace_seconds.reset();
  pod.status.phase = {};
  erase_if(pod.status.conditions, [&](const Condition& c) { return c.type == cluster_.known().disruption_target; });
  ++revived_;
}

void Rewind::rewind_pod(PodId id) {
  const Pod& pod = objects_.pods[id];
  if (id == preemption_.preemptor) return make_pending(id);
  // Creations know whole seconds. One of the same second is rather a victim's replacement than a pod that was there.
  if (pod.meta.created && pod.meta.created->plus_seconds(1) > at_) {
    ++later_;
    return hide(id);
  }
  const bool victim = std::any_of(preemption_.victims.begin(), preemption_.victims.end(),
                                  [&](const Disruption* d) { return d->pod.pod == id; });
  if (victim) return;
  const WellKnown& known = cluster_.known();
  if (const Condition* scheduled = pod.condition(known.pod_scheduled);
      pod.spec.node_name && scheduled != nullptr && scheduled->status == known.true_status &&
      scheduled->last_transition && *scheduled->last_transition > at_) {
    ++unbound_;
    return make_pending(id);
  }
  const Condition* target = pod.condition(known.disruption_target);
  const bool target_later = target != nullptr && target->last_transition && *target->last_transition > at_;
  const bool ends_later = pod.meta.deleting && pod.meta.deleting->plus_seconds(-grace_of(pod)) > at_;
  // A pod that has run to its end is no longer ready from then on.
  const Condition* ready = pod.condition(cluster_.symbol("Ready"));
  const bool finished_later = cluster_.finished(id) && ready != nullptr && ready->status != known.true_status &&
                              ready->last_transition && *ready->last_transition > at_;
  if (target_later || ends_later || finished_later) revive(id);
}

void Rewind::bring_back(const Disruption& victim) {
  if (victim.pod.pod) {
    revive(victim.pod.pod);
    if (!objects_.pods[victim.pod.pod].spec.node_name) {
      objects_.pods[victim.pod.pod].spec.node_name = objects_.symbols.intern(victim.node);
    }
    return;
  }
  // Its sibling: recreated under its name, or by the same controller.
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
    lost_.push_back(victim.pod.text());
    return;
  }
  Pod pod = cluster_.pod(sibling);
  pod.meta.name = objects_.symbols.intern(victim.pod.name);
  pod.meta.uid = objects_.symbols.intern(victim.pod.uid);
  pod.meta.created.reset();
  pod.meta.deleting.reset();
  pod.meta.deletion_grace_seconds.reset();
  pod.spec.node_name = objects_.symbols.intern(victim.node);
  // When it began is not known: long enough ago for a toleration that ends to have ended.
  pod.status = {};
  pod.status.conditions.push_back({.type = cluster_.known().pod_scheduled,
                                   .status = cluster_.known().true_status,
                                   .reason = {},
                                   .last_transition = Instant{}});
  made_after_.emplace_back(victim.pod.text(), cluster_.key(sibling));
  objects_.pods.add(std::move(pod));
}

// Those that an earlier dump still shows as they were.
void Rewind::end_earlier_victims() {
  for (const Disruption& d : all_) {
    if (!d.pod.pod || d.at == Instant{} || d.at >= at_ || d.in_memory) continue;
    const bool ours =
        std::find(preemption_.victims.begin(), preemption_.victims.end(), &d) != preemption_.victims.end();
    const Pod& pod = objects_.pods[d.pod.pod];
    if (ours || pod.meta.deleting || !pod.spec.node_name) continue;
    const Instant end = d.at.plus_seconds(grace_of(pod));
    if (end <= at_) {
      ++gone_;
      hide(d.pod.pod);
    } else {
      touch(d.pod.pod).meta.deleting = end;
    }
  }
}

void Rewind::nominate_earlier_preemptors() {
  for (const Preemption& other : preemptions_of(all_)) {
    const bool before = other.at < at_ || (after_neighbours_ && neighbours(other, preemption_));
    if (other.preemptor == preemption_.preemptor || !before) continue;
    if (objects_.pods[other.preemptor].spec.node_name || other.node.empty()) continue;
    touch(other.preemptor).status.nominated_node_name = objects_.symbols.intern(other.node);
  }
}

}  // namespace previct::history
