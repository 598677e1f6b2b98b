#pragma once

#include "api/cluster_event.h"
#include "api/kai.h"
#include "api/kueue.h"
#include "api/node.h"
#include "api/pod.h"
#include "base/symbols.h"

#include <optional>
#include <string_view>

namespace previct {

/// Visits the timestamps of an object that show when an input was taken: calls `visit(path, condition, at)` for each,
/// where `path` is the path of the field and `condition` the type of its condition, if any
/// (`status.conditions[type=…].` then precedes the path). `at` is a std::optional<Instant>.
template <class T, class Visit>
void each_time(const T& object, const Symbols& /*symbols*/, Visit visit) {
  visit("metadata.creationTimestamp", Symbol{}, object.meta.created);
}

template <class Visit>
void each_time(const Pod& pod, const Symbols& /*symbols*/, Visit visit) {
  visit("metadata.creationTimestamp", Symbol{}, pod.meta.created);
  visit("status.startTime", Symbol{}, pod.status.start_time);
  for (const Condition& condition : pod.status.conditions) {
    visit("lastTransitionTime", condition.type, condition.last_transition);
  }
}

template <class Visit>
void each_time(const kueue::Workload& workload, const Symbols& /*symbols*/, Visit visit) {
  visit("metadata.creationTimestamp", Symbol{}, workload.meta.created);
  for (const Condition& condition : workload.status.conditions) {
    visit("lastTransitionTime", condition.type, condition.last_transition);
  }
}

template <class Visit>
void each_time(const ClusterEvent& event, const Symbols& /*symbols*/, Visit visit) {
  visit("metadata.creationTimestamp", Symbol{}, event.meta.created);
  visit("eventTime", Symbol{}, event.time);
  visit("lastTimestamp", Symbol{}, event.last_time);
  visit("series.lastObservedTime", Symbol{}, event.series.last_observed);
}

template <class Visit>
void each_time(const Node& node, const Symbols& /*symbols*/, Visit visit) {
  visit("metadata.creationTimestamp", Symbol{}, node.meta.created);
  for (const NodeCondition& condition : node.status.conditions) {
    visit("lastHeartbeatTime", condition.type, condition.last_heartbeat);
    visit("lastTransitionTime", condition.type, condition.last_transition);
  }
}

/// KAI's scheduler and its binder note in annotations when something happened to the group.
template <class Visit>
void each_time(const kai::PodGroup& group, const Symbols& symbols, Visit visit) {
  visit("metadata.creationTimestamp", Symbol{}, group.meta.created);
  for (const std::string_view key : {"kai.scheduler/last-start-timestamp", "kai.scheduler/last-eviction-timestamp",
                                     "kai.scheduler/stale-podgroup-timestamp"}) {
    const Symbol symbol = symbols.find(key);
    if (!symbol || !group.meta.annotations.has(symbol)) continue;
    visit("metadata.annotations[\"" + std::string(key) + "\"]", Symbol{},
          parse_instant(symbols.text(group.meta.annotations.get(symbol))));
  }
}

}  // namespace previct
