#pragma once

#include "engine/kube/running_release.h"
#include "sequence/settings.h"
#include "sequence/simulated_cluster.h"
#include "sequence/simulation_result.h"

#include <cstdint>
#include <vector>

namespace previct::sequence {

/// What upstream leaves to chance, as fixed in one scenario. All false: the primary scenario, which is reported first.
struct Scenario {
  bool calls_first = false;      ///< eviction calls leave before the status of the preemptor is written
  bool reversed = false;         ///< parallel calls leave in the opposite order, those of a drain too
  bool immediate_exits = false;  ///< victims terminate at once instead of using their whole grace period
  bool other_ties = false;       ///< of several possible nodes, another than the first is chosen
  /// With `other_ties`, which node each choice takes, in turn: 0 for the first, 1 for the last, 2 for the one before
  /// it.
  std::vector<std::uint32_t> picks = {1};
  bool half_second =
      /// the clock starts half a second later; grace and back-off end at its whole seconds
      false;
  bool slow_cycles = false;    ///< the thread is late, so that each cycle sees the effects of the one before
  bool late_arrivals = false;  ///< a pod arrives after the other events of that moment
  bool conflicts = false;      ///< the evictions of a drain read a budget before the first of them has changed it
  bool other_order = false;    ///< the scheduler holds the pods of each node in the reverse order of the input
  /// The order in which pods of equal priority came into the queue at the start; empty: by creation time, then by name.
  std::vector<PodId> turns{};

  friend auto operator==(const Scenario&, const Scenario&) -> bool = default;
};

/// The scenarios in which other nodes or victims are chosen wherever the primary one chose among equals
/// (chose_among_equals()). Each of up to 16 equal nodes is chosen in one of them (in a large
/// simulation, of up to four); of more, one other.
[[nodiscard]] auto with_other_choices(const SimulationResult& primary) -> std::vector<Scenario>;

/// Simulates kube-scheduler's next cycles in one scenario. `objects` are changed meanwhile and restored on return.
///
/// A discrete-event simulation: one scheduling thread, which each status update of a failed pod blocks until it is
/// answered; preemption tasks in parallel to it (or, if synchronous, in it); binding in parallel to it; one client with
/// a rate limit. kube::attempt makes the decision of each cycle. Equal input gives an equal simulation for any number
/// of threads.
///
/// Errors: those of the scheduler configuration.
/// Source: kubernetes v1.35.4 pkg/scheduler: schedule_one.go, framework/preemption/preemption.go (prepareCandidate,
/// prepareCandidateAsync, IsPodRunningPreemption), eventhandlers.go, backend/queue.
[[nodiscard]] auto simulate_kube(Objects& objects, const Settings& settings, const Scenario& course)
    -> Result<SimulationResult>;
/// The same for several simulations of the same `objects`; `cluster` is a snapshot of them.
[[nodiscard]] auto simulate_kube(Objects& objects, const Snapshot& cluster, const Settings& settings,
                                 const Scenario& course) -> Result<SimulationResult>;

/// The release, the mode of preemption, and how the release is known.
[[nodiscard]] auto behaves_of(const kube::RunningRelease& running, const SimulationResult& play) -> std::string;

/// Simulates other scenarios, too, and lists every possible ending of the races.
[[nodiscard]] auto kube_sequence(Objects& objects, const Settings& settings) -> Result<Sequence>;

}  // namespace previct::sequence
