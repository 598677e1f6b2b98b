#pragma once

#include "cluster/snapshot.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace previct::history {

/// What kube-scheduler's events tell of its own cycles, to the microsecond: conditions know whole seconds, and an
/// eviction comes some time after the decision.
///
/// Source: kubernetes/kubernetes: pkg/scheduler/schedule_one.go, handleSchedulingFailure (FailedScheduling, which is
/// written also for a pod that has just been nominated; its note then holds the filters' reasons alone, without what
/// preemption says) and bindingCycle (Scheduled, `Successfully assigned NS/NAME to NODE`); v1.35.
class Timeline {
 public:
  explicit Timeline(const Snapshot& cluster);

  struct Bound {
    Instant at;
    std::string node;
  };
  /// When and where the pod of this uid was bound, if an event says so.
  [[nodiscard]] auto bound(std::string_view uid) const -> const Bound*;

  /// A pod that some event shows, and when.
  struct Sighting {
    std::string uid;
    std::string name;  ///< `ns/name`
    Instant at;
  };
  /// Pods that were nominated or bound, in the order of the events.
  [[nodiscard]] auto sightings() const -> const std::vector<Sighting>& { return sightings_; }

  /// When the scheduler told that it decided to preempt for the pod of this uid, a victim of which was evicted at
  /// `evicted`: its last attempt until then that ended with a nomination. It may come shortly behind the eviction. None
  /// if no event tells.
  [[nodiscard]] auto decided(std::string_view uid, Instant evicted) const -> std::optional<Instant>;

 private:
  std::unordered_map<std::string, Bound> bound_;
  std::unordered_map<std::string, std::vector<Instant>> nominated_;
  std::vector<Sighting> sightings_;
};

}  // namespace previct::history
