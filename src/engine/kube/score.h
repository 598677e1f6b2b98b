#pragma once

#include "api/scheduler_arguments.h"
#include "engine/gap.h"
#include "engine/kube/filter.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace previct::kube {

/// Source of all scores: kubernetes/kubernetes: pkg/scheduler/framework/plugins, v1.31 to v1.37.
class Score;

/// Plugin arguments (pluginConfig[].args) that change scores; missing ones have upstream's default.
struct ScoreSettings {
  ScoringStrategy strategy;              ///< NodeResourcesFitArgs.scoringStrategy
  std::vector<ResourceWeight> balanced;  ///< NodeResourcesBalancedAllocationArgs.resources
  NodeAffinitySpec added_affinity;       ///< NodeAffinityArgs.addedAffinity; only its preferred terms are used
  /// ScheduleAnyway constraints of PodTopologySpreadArgs.defaultConstraints, for pods without constraints of their own.
  std::vector<TopologySpreadConstraint> default_spread;
  bool system_spread = true;  ///< these are the scheduler's built-in ones: nodes need not have all their labels
  std::int32_t hard_pod_affinity_weight = 1;
  bool ignores_preferred_terms_of_others = false;
  std::vector<ShapePoint> volume_shape;  ///< VolumeBindingArgs.shape

  /// Returns the defaults.
  [[nodiscard]] static auto standard(const Snapshot& cluster) -> ScoreSettings;
  /// Fills in the defaults that depend on the other settings.
  void complete(const Snapshot& cluster);
};

/// The input of a score plugin.
struct Scoring {
  const Incoming& incoming;
  const ScoreSettings& settings;
  bool prepared = true;  ///< its PreScore runs
};

/// A score plugin of the default profile. Each file in scores/ defines one, which the build finds.
struct ScoreInfo {
  std::string_view name;  ///< upstream's plugin name
  auto(*make)(const Scoring& scoring) -> std::unique_ptr<Score>;
  /// The error of Score if PreScore is disabled; none: Score works without it.
  std::optional<Rule> without_state = {};
};

/// The lowest and the highest score of all nodes found.
struct ScoreRange {
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
};

constexpr std::int64_t kMaxNodeScore = 100;

/// One score plugin in one attempt: the state of its PreScore, and its scores of the nodes on which the pod fits.
///
/// The nodes to choose from change (add, remove), since the scheduler may look at some only. After update() the scores
/// are those for the current nodes.
class Score {
 public:
  virtual ~Score() = default;

  struct Prepared {
    bool skip = false;            ///< it scores no node
    std::optional<Reason> error;  ///< ends the attempt
  };
  /// Runs PreScore, or the first part of Score if PreScore is disabled. Called once, before anything else.
  [[nodiscard]] virtual auto prepare() -> Prepared { return {}; }

  /// Returns true if the score of a node may depend on the current nodes; without normalization. For other plugins,
  /// add(), remove() and update() have no effect, and leaves_out() is always false.
  [[nodiscard]] virtual auto counts_nodes() const -> bool { return false; }
  virtual void add(NodeId /*node*/) {}
  virtual void remove(NodeId /*node*/) {}
  /// Called after add() and remove(). Returns true if the scores of nodes added earlier may have changed.
  [[nodiscard]] virtual auto update() -> bool { return false; }

  /// Returns the score of a current node.
  [[nodiscard]] virtual auto of(NodeId node) const -> std::int64_t = 0;
  /// Sets `scores`, as many as `nodes`, to the scores of these nodes.
  virtual void of_all(std::span<const NodeId> nodes, std::span<std::int64_t> scores) const {
    score_each(*this, nodes, scores);
  }

  /// NormalizeScore. Returns false if scores stay unchanged.
  [[nodiscard]] virtual auto normalizes() const -> bool { return false; }
  /// Returns true if the node is excluded from normalization and gets 0.
  [[nodiscard]] virtual auto leaves_out(NodeId /*node*/) const -> bool { return false; }
  [[nodiscard]] virtual auto normalized(std::int64_t score, const ScoreRange& /*all*/) const -> std::int64_t {
    return score;
  }

  /// Returns the gap that makes its scores uncertain; the scores then follow the input literally. Each of
  /// alternatives() has a possible normalized score for each of `nodes`; if there are none, a score may be anything
  /// from at_least() to at_most().
  [[nodiscard]] virtual auto doubt() const -> std::optional<Gap> { return {}; }
  [[nodiscard]] virtual auto alternatives(std::span<const NodeId> /*nodes*/) const
      -> std::vector<std::vector<std::int64_t>> {
    return {};
  }
  [[nodiscard]] virtual auto at_least(NodeId /*node*/) const -> std::int64_t { return 0; }
  [[nodiscard]] virtual auto at_most(NodeId /*node*/) const -> std::int64_t { return kMaxNodeScore; }

 protected:
  /// of_all() of a final class whose of() the compiler can see.
  template <class Plugin>
  static void score_each(const Plugin& plugin, std::span<const NodeId> nodes, std::span<std::int64_t> scores) {
    for (std::size_t i = 0; i < nodes.size(); ++i) scores[i] = plugin.of(nodes[i]);
  }
};

/// Returns a score normalized by plugins/helper/normalize_score.go DefaultNormalizeScore.
[[nodiscard]] auto normalized_by_default(std::int64_t score, std::int64_t highest, bool reverse) -> std::int64_t;

/// Returns the value of a piecewise linear function through the points of a shape, whose scores are multiplied by ten.
/// Source: plugins/helper/shape_score.go BuildBrokenLinearFunction.
[[nodiscard]] auto on_broken_line(const std::vector<ShapePoint>& shape, std::int64_t utilization) -> std::int64_t;

/// Returns the same for the requested share of a capacity; more than the capacity counts as all of it.
[[nodiscard]] auto on_broken_line(const std::vector<ShapePoint>& shape, std::int64_t requested, std::int64_t capacity)
    -> std::int64_t;

/// Returns all score plugins, by name.
[[nodiscard]] auto scores() -> const std::vector<const ScoreInfo*>&;
/// Returns null if there is no such plugin.
[[nodiscard]] auto find_score(std::string_view name) -> const ScoreInfo*;

}  // namespace previct::kube
