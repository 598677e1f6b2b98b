#pragma once

#include "engine/kueue/controller.h"

#include <optional>
#include <vector>

namespace previct::kueue {

/// The state on which one cycle works: usage that changes while workloads are tried, and which are removed for a while.
struct Trial {
  explicit Trial(const Controller& of)
      : controller(&of), tree(of.tree()), removed(of.inventory().workloads().size(), 0) {}

  const Controller* controller;
  QuotaTree tree;
  IdVector<WorkloadId, char> removed;

  void remove(WorkloadId id);
  void put_back(WorkloadId id);
  /// Is there quota for all of `requests`? `borrowing`: even if the ClusterQueue borrows then.
  [[nodiscard]] auto fits(QueueId queue, const Requests& requests, bool borrowing) const -> bool;

 private:
  [[nodiscard]] auto node_of(WorkloadId id) const -> QuotaNodeId;
};

enum class PreemptionReason : std::uint8_t {
  in_cluster_queue,
  in_cohort_reclamation,
  in_cohort_reclaim_while_borrowing,
  in_cohort_fair_sharing
};
/// As conditions have it: `InClusterQueue`.
[[nodiscard]] auto reason_name(PreemptionReason reason) -> std::string_view;

struct Target {
  WorkloadId workload;
  PreemptionReason reason{};
  friend auto operator==(const Target&, const Target&) -> bool = default;
};

/// A workload that may be preempted.
struct Candidate {
  WorkloadId workload;
  PreemptionReason reason{};
  bool while_borrowing = true;  ///< false: only if the own queue stays within its nominal quota
  QuotaNodeId below{};          ///< the common ancestor; none: it is in the same queue
};

enum class PassedOver : std::uint8_t { only_without_borrowing, back_to_nominal };
enum class StepRule : std::uint8_t { classical, same_queue, within_nominal, first_strategy, second_strategy };

/// One candidate that was tried: why it was removed, or not, and whether the workload fits then.
struct Step {
  WorkloadId workload{};
  std::optional<PreemptionReason> reason{};  ///< none: it was not removed
  StepRule rule = StepRule::classical;
  FairStrategy strategy{};
  double preemptor_share = 0;
  double old_share = 0;
  std::optional<double> new_share{};
  std::optional<bool> passed{};
  bool fits = false;
};

/// One pass over the candidates.
struct Pass {
  std::optional<bool> borrowing{};
  bool fits = false;
  std::vector<Step> steps{};
  std::vector<std::pair<WorkloadId, PassedOver>> passed_over{};
  std::vector<WorkloadId> put_back{};
};

/// How a search went, for explanations.
struct Trace {
  std::vector<FlavorResource> needs{};
  Requests requests{};
  std::vector<Candidate> candidates{};
  std::vector<Pass> passes{};
};

/// The victims by which `workload` would fit in `queue`; empty: there are none. `needs`: of which it lacks quota.
/// The trial is as it was afterwards.
[[nodiscard]] auto find_targets(Trial& trial, WorkloadId workload, QueueId queue,
                                const std::vector<FlavorResource>& needs, const Requests& requests,
                                Trace* trace = nullptr) -> std::vector<Target>;

/// Why a workload of the tree is no candidate, the first that applies.
enum class NoCandidate : std::uint8_t { policy_never, within_nominal, other_flavor, priority };
[[nodiscard]] auto no_candidates(const Trial& trial, QueueId queue, const Trace& trace)
    -> std::vector<std::pair<WorkloadId, NoCandidate>>;

// -- of the two searches

[[nodiscard]] auto classical_targets(Trial& trial, WorkloadId workload, QueueId queue,
                                     const std::vector<FlavorResource>& needs, const Requests& requests, Trace* trace)
    -> std::vector<Target>;
[[nodiscard]] auto fair_targets(Trial& trial, WorkloadId workload, QueueId queue,
                                const std::vector<FlavorResource>& needs, const Requests& requests, Trace* trace)
    -> std::vector<Target>;
/// Does it hold any of these?
[[nodiscard]] auto holds_any(const Controller& controller, WorkloadId workload, const std::vector<FlavorResource>& of)
    -> bool;
/// Puts targets back that are not needed, the last but one first; the last takes the place of each.
void fill_back(Trial& trial, QueueId queue, const Requests& requests, bool borrowing, std::vector<Target>& targets,
               Pass* pass);

}  // namespace previct::kueue
