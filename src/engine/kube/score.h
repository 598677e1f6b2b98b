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

/// Arguments of plugins (pluginConfig[].args) that change what they give; what is left out has upstream's default.
struct ScoreSettings {
  ScoringStrategy strategy;              ///< NodeResourcesFitArgs.scoringStrategy
  std::vector<ResourceWeight> balanced;  ///< NodeResourcesBalancedAllocationArgs.resources
  NodeAffinitySpec added_affinity;       ///< NodeAffinityArgs.addedAffinity, of which the preferred terms count
  /// PodTopologySpreadArgs.defaultConstraints that only rank nodes, for pods without constraints of their own.
  std::vector<TopologySpreadConstraint> default_spread;
  bool system_spread = true;  ///< these are the scheduler's own: nodes need not have the label of each
  std::int32_t hard_pod_affinity_weight = 1;
  bool ignores_preferred_terms_of_others = false;
  std::vector<ShapePoint> volume_shape;  ///< VolumeBindingArgs.shape

  /// The defaults.
  [[nodiscard]] static auto standard(const Snapshot& cluster) -> ScoreSettings;
  /// Fills in the defaults that follow from what is said.
  void complete(const Snapshot& cluster);
};

/// What a score plugin may look at when it is made.
struct Scoring {
  const Incoming& incoming;
  const ScoreSettings& settings;
  bool prepared = true;  ///< its PreScore runs
};

/// A score plugin of the default profile. One file in scores/ defines one; the build finds it.
struct ScoreInfo {
  std::string_view name;  ///< upstream's plugin name
  auto(*make)(const Scoring& scoring) -> std::unique_ptr<Score>;
  std::optional<Rule> without_state = {};  ///< what Score fails with if PreScore is switched off; none: it does without
};

/// The scores of all nodes found lie between these.
struct ScoreRange {
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
};

constexpr std::int64_t kMaxNodeScore = 100;

/// One score plugin in one attempt: what its PreScore found out, and what it gives to the nodes on which the pod fits.
///
/// The nodes among which the scheduler chooses come and go (add, remove), as it may look at some only; after update()
/// the scores are those among the nodes that are there.
class Score {
 public:
  virtual ~Score() = default;

  struct Prepared {
    bool skip = false;            ///< it gives nothing to any node
    std::optional<Reason> error;  ///< ends the attempt
  };
  /// PreScore, or what Score does first where PreScore is switched off. Called once, before anything else.
  [[nodiscard]] virtual auto prepare() -> Prepared { return {}; }

  virtual void add(NodeId /*node*/) {}
  virtual void remove(NodeId /*node*/) {}
  /// After that: may it give other scores now to nodes that were there before?
  [[nodiscard]] virtual auto update() -> bool { return false; }

  /// Score, of a node that is there.
  [[nodiscard]] virtual auto of(NodeId node) const -> std::int64_t = 0;

  /// NormalizeScore: False if scores stay as they are.
  [[nodiscard]] virtual auto normalizes() const -> bool { return false; }
  /// The node takes no part in it, and gets 0.
  [[nodiscard]] virtual auto leaves_out(NodeId /*node*/) const -> bool { return false; }
  [[nodiscard]] virtual auto normalized(std::int64_t score, const ScoreRange& /*all*/) const -> std::int64_t {
    return score;
  }

  /// What it would have to know to say what it gives. Then scores follow from the input by the letter. Normalized,
  /// nodes may get what one of the alternatives() says, each of which has a value for each of `nodes`; where there is
  /// none, anything from at_least() to at_most().
  [[nodiscard]] virtual auto doubt() const -> std::optional<Gap> { return {}; }
  [[nodiscard]] virtual auto alternatives(std::span<const NodeId> /*nodes*/) const
      -> std::vector<std::vector<std::int64_t>> {
    return {};
  }
  [[nodiscard]] virtual auto at_least(NodeId /*node*/) const -> std::int64_t { return 0; }
  [[nodiscard]] virtual auto at_most(NodeId /*node*/) const -> std::int64_t { return kMaxNodeScore; }
};

/// What plugins/helper/normalize_score.go DefaultNormalizeScore makes of a score.
[[nodiscard]] auto normalized_by_default(std::int64_t score, std::int64_t highest, bool reverse) -> std::int64_t;

/// A broken line through points of a shape, whose scores count ten times. Source: plugins/helper/shape_score.go
/// BuildBrokenLinearFunction.
[[nodiscard]] auto on_broken_line(const std::vector<ShapePoint>& shape, std::int64_t utilization) -> std::int64_t;

/// The same of what is requested of a capacity; more than all of it counts as all.
[[nodiscard]] auto on_broken_line(const std::vector<ShapePoint>& shape, std::int64_t requested, std::int64_t capacity)
    -> std::int64_t;

/// All score plugins, by name.
[[nodiscard]] auto scores() -> const std::vector<const ScoreInfo*>&;
/// Null if there is no such plugin.
[[nodiscard]] auto find_score(std::string_view name) -> const ScoreInfo*;

}  // namespace previct::kube
