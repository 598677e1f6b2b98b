#pragma once

#include "cluster/snapshot.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace previct::history {

/// What kube-scheduler's events record about its cycles, to the microsecond: conditions have whole seconds, and an
/// eviction happens some time after the decision.
///
/// Source: kubernetes/kubernetes: pkg/scheduler/schedule_one.go, handleSchedulingFailure (FailedScheduling, which is
/// also written for a pod that has just been nominated; then its note only has the filters' reasons, without a part
/// about preemption) and bindingCycle (Scheduled, `Successfully assigned NS/NAME to NODE`); v1.35.
class Timeline {
 public:
  explicit Timeline(const Snapshot& cluster);

  struct Bound {
    Instant at;
    std::string node;
  };
  /// When and where the pod of this uid was bound, according to an event.
  [[nodiscard]] auto bound(std::string_view uid) const -> const Bound*;

  /// A pod in an event, and the time of the event.
  struct Sighting {
    std::string uid;
    std::string name;  ///< `ns/name`
    Instant at;
  };
  /// Pods that were nominated or bound, in the order of the events.
  [[nodiscard]] auto sightings() const -> const std::vector<Sighting>& { return sightings_; }

  /// When the scheduler reported a preemption for the pod of this uid, a victim of which was evicted at `evicted`: the
  /// last attempt until then that ended with a nomination. The report may come shortly after the eviction. Nullopt if
  /// there is no event.
  [[nodiscard]] auto decided(std::string_view uid, Instant evicted) const -> std::optional<Instant>;

 private:
  std::unordered_map<std::string, Bound> bound_;
  std::unordered_map<std::string, std::vector<Instant>> nominated_;
  std::vector<Sighting> sightings_;
};

}  // namespace previct::history
