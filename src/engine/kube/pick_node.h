#pragma once

#include "engine/kube/victims.h"

#include <cstdint>
#include <vector>

namespace previct::kube {

/// A node on which preemption works.
struct Candidate {
  NodeId node;
  const DryRun* run = nullptr;
};

/// The choice among candidates.
struct Choice {
  std::vector<NodeId> chosen;    ///< equal on all criteria; upstream picks any of them; sorted by name
  std::vector<NodeId> possible;  ///< every node that upstream could pick, as it compares a sample only; in dump order
  bool sampled = false;          ///< there are more candidates than the sample holds
  std::int64_t sample = 0;       ///< number of candidates that upstream collects before it stops
};

/// Returns true if `a` is the better choice; false both ways if they tie.
[[nodiscard]] auto better(const DryRun& a, const DryRun& b) -> bool;

/// Returns the criterion that makes `winner` better than `loser`; pick_tie if none does.
/// Source: preemption/preemption.go pickOneNodeForPreemption: fewest PDB violations, lowest priority of the first
/// victim, lowest sum of priorities, fewest victims, latest earliest start of the most important victims.
[[nodiscard]] auto deciding_rule(const DryRun& winner, const DryRun& loser) -> Rule;

/// Returns the number of candidates that upstream collects before it stops.
/// Source: defaultpreemption calculateNumCandidates.
[[nodiscard]] auto sample_size(std::int64_t potential_nodes, std::int64_t percentage, std::int64_t absolute)
    -> std::int64_t;

/// Picks a node. `potential_nodes`: number of nodes worth trying. The sample is `percentage` % of them, at least
/// `absolute`.
[[nodiscard]] auto pick_node(const NodeInfoSnapshot& node_infos, const std::vector<Candidate>& candidates,
                             std::int64_t potential_nodes, std::int64_t percentage, std::int64_t absolute) -> Choice;

}  // namespace previct::kube
