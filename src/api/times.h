#pragma once

#include "api/cluster_event.h"
#include "api/kueue.h"
#include "api/node.h"
#include "api/pod.h"

#include <optional>
#include <string_view>

namespace previct {

/// Visits the timestamps of an object that show when an input was taken: calls `visit(path, condition, at)` for each,
/// where `path` is the path of the field and `condition` the type of its condition, if any
/// (`status.conditions[type=…].` then precedes the path). `at` is a std::optional<Instant>.
template <class T, class Visit>
void each_time(const T& object, Visit visit) {
  visit("metadata.creationTimestamp", Symbol{}, object.meta.created);
}

template <class Visit>
void each_time(const Pod& pod, Visit visit) {
  visit("metadata.creationTimestamp", Symbol{}, pod.meta.created);
  visit("status.startTime", Symbol{}, pod.status.start_time);
  for (const Condition& condition : pod.status.conditions) {
    visit("lastTransitionTime", condition.type, condition.last_transition);
  }
}

template <class Visit>
void each_time(const kueue::Workload& workload, Visit visit) {
  visit("metadata.creationTimestamp", Symbol{}, workload.meta.created);
  for (const Condition& condition : workload.status.conditions) {
    visit("lastTransitionTime", condition.type, condition.last_transition);
  }
}

template <class Visit>
void each_time(const ClusterEvent& event, Visit visit) {
  visit("metadata.creationTimestamp", Symbol{}, event.meta.created);
  visit("eventTime", Symbol{}, event.time);
  visit("lastTimestamp", Symbol{}, event.last_time);
  visit("series.lastObservedTime", Symbol{}, event.series.last_observed);
}

template <class Visit>
void each_time(const Node& node, Visit visit) {
  visit("metadata.creationTimestamp", Symbol{}, node.meta.created);
  for (const NodeCondition& condition : node.status.conditions) {
    visit("lastHeartbeatTime", condition.type, condition.last_heartbeat);
    visit("lastTransitionTime", condition.type, condition.last_transition);
  }
}

}  // namespace previct
