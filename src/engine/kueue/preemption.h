#pragma once

#include "engine/kueue/controller.h"
#include "engine/kueue/placement.h"

#include <optional>
#include <vector>

namespace previct::kueue {

/// The state on which one cycle works: the usage, which changes while workloads are tried, and the workloads that are
/// temporarily removed.
struct Trial {
  explicit Trial(const Controller& of);

  const Controller* controller;
  QuotaTree tree;
  IdVector<WorkloadId, char> removed;
  TopologyState topology;
  /// While victims are searched for: the pods that must also fit into the topology; null: none.
  const PlacementRequests* to_place = nullptr;

  void remove(WorkloadId id);
  void put_back(WorkloadId id);
  /// Returns where the pods fit. `without_workloads`: as if no workload used anything.
  [[nodiscard]] auto place(const PlacementRequests& requests, bool without_workloads = false) const -> Placements;
  /// Returns true if there is quota for all of `requests`, and room for `to_place`. `borrowing`: even if the
  /// ClusterQueue has to borrow.
  [[nodiscard]] auto fits(QueueId queue, const Requests& requests, bool borrowing) const -> bool;

 private:
  [[nodiscard]] auto node_of(WorkloadId id) const -> QuotaNodeId;
  void change_topology(WorkloadId id, std::int64_t sign);
};

enum class PreemptionReason : std::uint8_t {
  in_cluster_queue,
  in_cohort_reclamation,
  in_cohort_reclaim_while_borrowing,
  in_cohort_fair_sharing
};
/// Returns the name used in conditions: `InClusterQueue`.
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
  bool while_borrowing = true;  ///< false: only if its own queue stays within its nominal quota
  QuotaNodeId below{};          ///< the common ancestor; none: same queue
};

enum class PassedOver : std::uint8_t { only_without_borrowing, back_to_nominal };
enum class StepRule : std::uint8_t { classical, same_queue, within_nominal, first_strategy, second_strategy };

/// One candidate that was tried: why it was removed or not, and whether the workload fits then.
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

/// The steps of a search, for explanations.
struct Trace {
  std::vector<FlavorResource> needs{};
  Requests requests{};
  std::vector<Candidate> candidates{};
  std::vector<Pass> passes{};
};

/// Returns the victims with which `workload` would fit in `queue`; empty if there are none. `needs`: the resources that
/// lack quota. The trial is unchanged afterwards.
/// `to_place`: the pods that must also fit into the topology.
[[nodiscard]] auto find_targets(Trial& trial, WorkloadId workload, QueueId queue,
                                const std::vector<FlavorResource>& needs, const Requests& requests,
                                const PlacementRequests& to_place, Trace* trace = nullptr) -> std::vector<Target>;

/// Why a workload of the tree is not a candidate; the first reason that applies.
enum class NoCandidate : std::uint8_t { policy_never, within_nominal, other_flavor, priority };
[[nodiscard]] auto no_candidates(const Trial& trial, QueueId queue, const Trace& trace)
    -> std::vector<std::pair<WorkloadId, NoCandidate>>;

// -- functions of the two searches

[[nodiscard]] auto classical_targets(Trial& trial, WorkloadId workload, QueueId queue,
                                     const std::vector<FlavorResource>& needs, const Requests& requests, Trace* trace)
    -> std::vector<Target>;
[[nodiscard]] auto fair_targets(Trial& trial, WorkloadId workload, QueueId queue,
                                const std::vector<FlavorResource>& needs, const Requests& requests, Trace* trace)
    -> std::vector<Target>;
/// Returns true if the workload holds any of these.
[[nodiscard]] auto holds_any(const Controller& controller, WorkloadId workload, const std::vector<FlavorResource>& of)
    -> bool;
/// Restores targets that are not needed, starting with the last but one; the last target replaces each restored one.
void fill_back(Trial& trial, QueueId queue, const Requests& requests, bool borrowing, std::vector<Target>& targets,
               Pass* pass);

}  // namespace previct::kueue
