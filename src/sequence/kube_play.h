#pragma once

#include "sequence/settings.h"
#include "sequence/simulated_cluster.h"

namespace previct::sequence {

/// What is left open by upstream and chosen by one course of events. All false: the course that is told first.
struct Course {
  bool calls_first = false;  ///< the preemption's own calls leave before the status of its preemptor is written
  bool reversed = false;     ///< calls made in parallel leave in the opposite order
  bool quick_exits = false;  ///< victims end as soon as they are told to, not after their whole grace
  bool other_ties = false;   ///< of several possible nodes the last is chosen, not the first
  bool half_second =
      false;  ///< the play begins half a second later by the clock, whose whole seconds end grace and back-off
  bool slow_cycles = false;  ///< the thread is late, so that each cycle sees what the one before has led to
  bool other_order = false;  ///< the scheduler holds the pods of each node in the opposite of the input's order
  /// In which order pods of equal priority came into the queue at the start; empty: by creation time, then by name.
  std::vector<PodId> turns{};

  friend auto operator==(const Course&, const Course&) -> bool = default;
};

/// kube-scheduler's next cycles, one course of them. `objects` are changed while it runs and are as before on return.
///
/// A discrete-event simulation: one scheduling thread, which every status update of a failed pod blocks until it is
/// answered; preemption tasks beside it (or, synchronous, in it); binding beside it; one client with a rate limit.
/// The decision of each cycle is kube::attempt's. Same input, same play, for any number of threads.
///
/// Errors: those of the scheduler configuration.
/// Source: kubernetes v1.35.4 pkg/scheduler: schedule_one.go, framework/preemption/preemption.go
/// (prepareCandidate, prepareCandidateAsync, IsPodRunningPreemption), eventhandlers.go, backend/queue.
[[nodiscard]] auto kube_play(Objects& objects, const Settings& settings, const Course& course) -> Result<Play>;

/// The same with its races: plays other courses, too, and lists every way it can end.
[[nodiscard]] auto kube_sequence(Objects& objects, const Settings& settings) -> Result<Sequence>;

}  // namespace previct::sequence
