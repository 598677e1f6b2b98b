#include "sequence/play.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::sequence {

auto since(Instant start, Instant at) -> Time {
  constexpr std::int64_t kFar = 100LL * 365 * 86400;
  const Instant near = std::clamp(at, start.plus_seconds(-kFar), start.plus_seconds(kFar));
  return (near.seconds - start.seconds) * kSecond + near.nanos - start.nanos;
}

auto Play::key(PodId id, const Snapshot& cluster) const -> std::string {
  const ObjectMeta& meta = pod(id, cluster).meta;
  return fmt::format("{}/{}", cluster.text(meta.ns), cluster.text(meta.name));
}

auto what_name(What what) -> std::string_view {
  switch (what) {
    case What::arrives: return "arrives";
    case What::created: return "created";
    case What::preempts: return "preempts";
    case What::fails: return "fails";
    case What::waits: return "waits";
    case What::held: return "held";
    case What::released: return "released";
    case What::requeued: return "requeued";
    case What::nominated: return "nominated";
    case What::cleared: return "nomination-cleared";
    case What::marked: return "disruption-target";
    case What::deleting: return "deleting";
    case What::gone: return "gone";
    case What::finished: return "finished";
    case What::gives_up: return "gives-up";
    case What::call_failed: return "call-failed";
    case What::takes: return "takes";
    case What::bound: return "bound";
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
