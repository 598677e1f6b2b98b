#pragma once

#include "engine/kube/attempt.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace previct::kube {

/// A candidate node in the choice among candidates.
struct Contender {
  NodeId node;
  std::uint32_t rank = 0;  ///< 0: no candidate is better; equal ranks tie on all criteria
  bool clean = true;       ///< no disruption budget is violated there
};

/// The chance that the scheduler chooses a node.
struct Chance {
  NodeId node;
  double likely = 0;    ///< if dry runs end in the order in which they start
  double at_least = 0;  ///< bound for any order in which they end
  double at_most = 1;
};

/// The chances of all nodes that the scheduler might choose.
struct Chances {
  /// The order in which nodes are dry-run, as far as it is known.
  enum class Order : std::uint8_t {
    any,   ///< the order of a Go map: every order counts as equally likely
    cycle  ///< a known order with a random start
  };
  Order order = Order::any;
  std::vector<Chance> nodes;  ///< most likely first, then in cluster order
};

/// Dry runs that may still be running when the one that fills the sample is found: upstream has 16 workers.
/// Source: pkg/scheduler/framework/parallelize/parallelism.go DefaultParallelism.
constexpr std::int64_t kDryRunsInFlight = 15;

/// Returns the chances if nodes are dry-run in random order until `sample` candidates are found, at least one of them
/// without a violation. The best candidate is chosen, or any of those that tie.
///
/// Candidates found by dry runs that are still running at that moment count, too, unless their list is full; then they
/// are lost, and a faster dry run has taken the place of a slower one. This gives the bounds, which hold if a dry run
/// overtakes no more than 15 others. Up to 8 candidates are in one bucket of a Go map, which is read from a random one
/// of its 8 slots: this bounds the ties among them.
/// Source: preemption/preemption.go DryRunPreemption, pickOneNodeForPreemption, candidateList; v1.35.4.
[[nodiscard]] auto odds_in_any_order(const std::vector<Contender>& candidates, std::int64_t sample)
    -> std::vector<Chance>;

/// Returns the chances if the order is known and only its start is random. `potential`: all nodes that are dry-run, in
/// their order; nothing for a node where preemption does not work. The chances are counted exactly; the bounds cover
/// dry runs that overtake each other.
[[nodiscard]] auto odds_in_cycle(const std::vector<std::optional<Contender>>& potential, std::int64_t sample)
    -> std::vector<Chance>;

/// Up to this many nodes are in few buckets of a Go map, which keep the order of the scheduler's list. Then the orders
/// are not equally likely, and the bounds are those of any order with a start at any of `potential` nodes. Measured:
/// with 12 nodes and a sample of 3, chances differ by up to 0.04; with 120 nodes no difference is visible.
constexpr std::size_t kFewNodes = 112;
void widen_for_any_order(const std::vector<Contender>& candidates, std::int64_t potential, std::int64_t sample,
                         std::vector<Chance>& chances);

/// Returns the chances of a decision to preempt. Up to 1.31, nodes are dry-run in the order of the snapshot (`listed`);
/// since 1.32 in that of a Go map, which for up to 8 nodes is the order of the snapshot with a random start.
/// Source: preemption/preemption.go findCandidates, 1.31 nodesWherePreemptionMightHelp; framework/interface.go
/// NodesForStatusCode; schedule_one.go findNodesThatPassFilters; v1.35.4.
[[nodiscard]] auto chances(const NodeInfoSnapshot& node_infos, const Decision& decision, PodId subject, bool listed)
    -> Chances;

}  // namespace previct::kube
