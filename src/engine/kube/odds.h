#pragma once

#include "engine/kube/attempt.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace previct::kube {

/// A node on which preemption works, as the choice among such nodes sees it.
struct Contender {
  NodeId node;
  std::uint32_t rank = 0;  ///< 0: none is better; equal: tied on all criteria
  bool clean = true;       ///< no disruption budget is violated there
};

/// How likely the scheduler is to take a node.
struct Chance {
  NodeId node;
  double likely = 0;    ///< if dry runs end in the order in which they begin
  double at_least = 0;  ///< whatever the order in which they end
  double at_most = 1;
};

/// How likely each node is that the scheduler might choose.
struct Chances {
  /// What is known of the order in which nodes are dry-run.
  enum class Order : std::uint8_t {
    any,   ///< the order of a Go map: every order counts as equally likely
    cycle  ///< a known order, begun at a random place
  };
  Order order = Order::any;
  std::vector<Chance> nodes;  ///< most likely first, then in the order in which the cluster has them
};

/// Dry runs that may be under way when the one is found with which the sample is full: upstream has 16 workers.
/// Source: pkg/scheduler/framework/parallelize/parallelism.go DefaultParallelism.
constexpr std::int64_t kDryRunsInFlight = 15;

/// Nodes are dry-run in a random order until `sample` candidates are found, at least one of them without a violation;
/// the best of them is taken, and any of those that tie. What the dry runs still under way then find counts, too,
/// unless that list is full; then it is lost, and a quick one has taken the place of a slow one. That makes the bounds:
/// they hold for dry runs that overtake no more than 15 others. Up to 8 candidates are kept in one bucket of a Go map,
/// which is read from a random one of its 8 places on: so ties among them are bounded, too. Source:
/// preemption/preemption.go DryRunPreemption, pickOneNodeForPreemption, candidateList; v1.35.4.
[[nodiscard]] auto odds_in_any_order(const std::vector<Contender>& candidates, std::int64_t sample)
    -> std::vector<Chance>;

/// The same where the order is known and only the place at which it begins is random. `potential`: all nodes that are
/// dry-run, in their order; none where preemption does not work. Every chance follows from counting, the bounds hold
/// for dry runs that overtake each other.
[[nodiscard]] auto odds_in_cycle(const std::vector<std::optional<Contender>>& potential, std::int64_t sample)
    -> std::vector<Chance>;

/// Up to so many nodes share few buckets of a Go map, in which they keep the order of the scheduler's list: then not
/// every order is as likely, and the bounds are those of any order, begun at a random one of `potential` nodes.
/// Measured: with 12 nodes and a sample of 3 chances differ by up to 0.04, with 120 nothing is seen.
constexpr std::size_t kFewNodes = 112;
void widen_for_any_order(const std::vector<Contender>& candidates, std::int64_t potential, std::int64_t sample,
                         std::vector<Chance>& chances);

/// The odds of a decision to preempt. Up to 1.31 nodes are dry-run in the order of the snapshot (`listed`), since then
/// in that of a Go map, which for 8 nodes and fewer is the order of the snapshot, begun somewhere.
/// Source: preemption/preemption.go findCandidates, 1.31 nodesWherePreemptionMightHelp; framework/interface.go
/// NodesForStatusCode; schedule_one.go findNodesThatPassFilters; v1.35.4.
[[nodiscard]] auto chances(const NodeInfoSnapshot& node_infos, const Decision& decision, PodId subject, bool listed)
    -> Chances;

}  // namespace previct::kube
