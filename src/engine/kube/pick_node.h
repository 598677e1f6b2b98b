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
  std::vector<NodeId> chosen;    ///< equal on all criteria; upstream takes any of them; sorted by name
  std::vector<NodeId> possible;  ///< every node that upstream could take, as it looks at a sample only; in dump order
  bool sampled = false;          ///< there are more candidates than the sample holds
  std::int64_t sample = 0;       ///< candidates that upstream collects before it stops
};

/// Is `a` the better choice? Neither of two that tie is.
[[nodiscard]] auto better(const DryRun& a, const DryRun& b) -> bool;

/// Which criterion decides that `winner` is better than `loser`; pick_tie if none does.
/// Source: preemption/preemption.go pickOneNodeForPreemption: fewest PDB violations, lowest priority of the first
/// victim, lowest sum of priorities, fewest victims, latest earliest start of the most important victims.
[[nodiscard]] auto deciding_rule(const DryRun& winner, const DryRun& loser) -> Rule;

/// Candidates that upstream collects before it stops. Source: defaultpreemption calculateNumCandidates.
[[nodiscard]] auto sample_size(std::int64_t potential_nodes, std::int64_t percentage, std::int64_t absolute)
    -> std::int64_t;

/// `potential_nodes`: how many nodes were worth trying. The sample is percentage % of them, at least `absolute`.
[[nodiscard]] auto pick_node(const NodeInfoSnapshot& node_infos, const std::vector<Candidate>& candidates,
                             std::int64_t potential_nodes, std::int64_t percentage, std::int64_t absolute) -> Choice;

}  // namespace previct::kube
