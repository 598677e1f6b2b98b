#include "sequence/simulation_result.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::sequence {

auto since(Instant start, Instant at) -> Time {
  constexpr std::int64_t kFar = 100LL * 365 * 86400;
  const Instant near = std::clamp(at, start.plus_seconds(-kFar), start.plus_seconds(kFar));
  return (near.seconds - start.seconds) * kSecond + near.nanos - start.nanos;
}

auto SimulationResult::key(PodId id, const Snapshot& cluster) const -> std::string {
  const ObjectMeta& meta = pod(id, cluster).meta;
  return fmt::format("{}/{}", cluster.text(meta.ns), cluster.text(meta.name));
}

auto chose_among_equals(const SimulationResult& play) -> bool {
  return play.node_choices > 0 ||
         std::any_of(play.steps.begin(), play.steps.end(), [](const Step& step) { return !step.open.taken.empty(); });
}

auto SimulationResult::evicted_of_input() const -> std::set<PodId> {
  std::set<PodId> pods = drained;
  for (const Step& step : steps) {
    if (step.what == EventKind::deleting && step.by && step.pod.index < pods_before) pods.insert(step.pod);
  }
  return pods;
}

auto what_name(EventKind what) -> std::string_view {
  switch (what) {
    case EventKind::arrives: return "arrives";
    case EventKind::created: return "created";
    case EventKind::preempts: return "preempts";
    case EventKind::fails: return "fails";
    case EventKind::waits: return "waits";
    case EventKind::held: return "held";
    case EventKind::released: return "released";
    case EventKind::requeued: return "requeued";
    case EventKind::nominated: return "nominated";
    case EventKind::cleared: return "nomination-cleared";
    case EventKind::marked: return "disruption-target";
    case EventKind::deleting: return "deleting";
    case EventKind::gone: return "gone";
    case EventKind::finished: return "finished";
    case EventKind::gives_up: return "gives-up";
    case EventKind::call_failed: return "call-failed";
    case EventKind::refused: return "eviction-refused";
    case EventKind::takes: return "takes";
    case EventKind::bound: return "bound";
  }
  return "";
}

auto end_name(End::Kind kind) -> std::string_view {
  switch (kind) {
    case End::Kind::bound: return "bound";
    case End::Kind::evicted: return "evicted";
    case End::Kind::waits: return "waits";
    case End::Kind::stuck: return "stuck";
    case End::Kind::unschedulable: return "unschedulable";
    case End::Kind::pending: return "pending";
    case End::Kind::gated: return "gated";
    case End::Kind::deleting: return "deleting";
    case End::Kind::finished: return "finished";
    case End::Kind::removed: return "removed";
    case End::Kind::not_simulated: return "not-simulated";
    case End::Kind::error: return "error";
  }
  return "";
}

}  // namespace previct::sequence
