#pragma once

#include "engine/kube/selection.h"

#include <memory>
#include <vector>

namespace previct::kube {

/// One plugin of an attempt with its scores.
struct PluginScores {
  const ScorePlugin* plugin = nullptr;
  std::unique_ptr<Score> score;
  bool skipped = false;
  bool normalizes = false;
  std::vector<std::int64_t> scores{};  ///< by index among all nodes found
  std::vector<std::int64_t> normalized{};
};

/// The feasible nodes, of which the scheduler scores the first `size` that it finds: a sample is a window on the ring
/// of the nodes, and one begins at each node. The referenced objects must outlive it.
struct Samples {
  std::vector<PluginScores>& plugins;
  const std::vector<NodeId>& nodes;  ///< in the order of the scheduler's list; more than `size`
  /// By index in `nodes`: the number of start positions from which the search finds this node first.
  const std::vector<std::size_t>& starts;
  std::size_t size = 0;
  bool drawn = false;  ///< one of the best nodes is drawn; otherwise, it is the root of a heap
};

/// Sets `best`, `first`, `shares` and `samples` of a selection whose `starts` is set.
void choose_in_samples(const Samples& samples, Selection& selection);

}  // namespace previct::kube
