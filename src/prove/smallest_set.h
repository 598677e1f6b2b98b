#pragma once

#include "engine/kube/smallest_sets.h"
#include "tell/answer.h"

#include <optional>
#include <string>
#include <vector>

namespace previct::prove {

/// A set of victims that is better than the one of the scheduler.
struct BetterSet {
  kube::SmallestSets::Found found;
  /// The scheduler finds these victims on this node, too, but this criterion decides for another node …
  std::optional<kube::Rule> lost_by;
  std::vector<PodId> instead;  ///< … or, on this node, it evicts these pods, because it keeps …
  PodId kept;                  ///< … this one first; none: not known
};

/// Whether a smaller or cheaper set of victims exists for a pending pod, on any node.
struct SmallestSet {
  PodId pod;
  NodeId node;
  std::vector<PodId> victims;  ///< of the scheduler
  kube::Price price;           ///< of these
  std::optional<BetterSet> fewer;
  std::optional<BetterSet> cheaper;
  std::size_t nodes = 0;     ///< where evictions help; all were searched, except for …
  std::vector<NodeId> open;  ///< … these, where the search stopped
  bool sampled = false;      ///< the scheduler may stop before it has tried the chosen node
  std::string engine;
  std::string behaves;
  std::vector<Gap> gaps;
};

/// Searches for it. Fails if the pod evicts no pod now, or if it is not known which ones.
[[nodiscard]] auto smallest_set_of(const Engine& engine, const Snapshot& cluster, Question question, PodId pod)
    -> Result<SmallestSet>;

}  // namespace previct::prove
