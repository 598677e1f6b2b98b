#pragma once

#include "engine/engine.h"
#include "engine/kube/score.h"

#include <string>
#include <vector>

namespace previct::kube {

/// A plugin that runs at PostFilter.
struct PostFilter {
  enum class Kind : std::uint8_t { dynamic_resources, default_preemption, preemption_toleration, unmodelled };

  Kind kind = Kind::default_preemption;
  std::int64_t candidate_percentage = 10;  ///< for a preemption plugin: minCandidateNodesPercentage
  std::int64_t candidate_absolute = 100;   ///< minCandidateNodesAbsolute
  std::string name;                        ///< name of an unmodelled plugin

  [[nodiscard]] auto preempts() const -> bool {
    return kind == Kind::default_preemption || kind == Kind::preemption_toleration;
  }
};

/// A part of a profile that may affect a decision and is not modeled.
struct Unmodelled {
  enum class Part : std::uint8_t {
    queueing,  ///< may prevent any attempt for the pod
    filter,    ///< may refuse nodes, the whole pod, or reprieves
    fits,      ///< may refuse a node on which the pod fits: an extender's filter
    victims,   ///< may change on which nodes preemption works, and the victims: an extender's preemption
    scores,    ///< may change which feasible node is chosen
    later      ///< may hold the pod back after a node is chosen
  };

  Part part = Part::filter;
  std::string what;                    ///< `filter plugin NodeNUMAResource`
  std::vector<std::string> resources;  ///< an extender handles only pods that request one of these; empty: all pods
};

/// How the pods of a profile preempt.
enum class Preempting : std::uint8_t {
  never,             ///< no preemption plugin runs
  by_priority,       ///< DefaultPreemption runs, alone or with PreemptionToleration: it ignores tolerations
  with_tolerations,  ///< PreemptionToleration runs alone
};

/// A plugin that runs at Score.
struct ScorePlugin {
  std::string name;
  const ScoreInfo* info = nullptr;  ///< null: not modeled
  std::int64_t weight = 1;
  std::optional<std::size_t> pre_score{};  ///< its position in PreScore; none: it does not run there
};

/// One scheduler profile: which plugins run, in which order, with which arguments. Upstream can disable and order the
/// two parts of a filter plugin, PreFilter and Filter, separately.
struct Profile {
  std::string scheduler_name{upstream::kDefaultScheduler};
  std::vector<std::string> others_in_queue;    ///< names of the other profiles of the same kube-scheduler
  std::vector<std::string> pre_enqueue;        ///< modeled plugins only
  std::vector<const FilterInfo*> pre_filters;  ///< in the order in which they run
  std::vector<const FilterInfo*> filters;
  std::vector<PostFilter> post_filters;
  std::vector<ScorePlugin> scores;           ///< in the order in which they run
  std::vector<ScorePlugin> only_pre_scored;  ///< run at PreScore only, where an error ends the attempt
  FilterSettings settings;
  ScoreSettings score_settings;
  /// Percentage of all nodes after which the search for feasible nodes may stop; 0: derived from their number.
  std::int32_t percentage_of_nodes = 0;
  bool configured = false;   ///< read from a configuration, which shows the plugins that run
  bool takes_first = false;  ///< nothing scores nodes, so the first feasible node is chosen
  std::vector<Unmodelled> unmodelled;
  std::vector<Gap> gaps;  ///< assumptions

  [[nodiscard]] auto tolerates() const -> bool;  ///< true if PreemptionToleration runs
  [[nodiscard]] auto preempts() const -> bool;   ///< true if any preemption plugin runs
  [[nodiscard]] auto preempting() const -> Preempting;
  [[nodiscard]] auto runs_before_queue(std::string_view plugin) const -> bool;

  /// Returns the default profile; with `toleration`, PreemptionToleration replaces DefaultPreemption.
  [[nodiscard]] static auto standard(const Snapshot& cluster, bool toleration, const Release& release) -> Profile;
};

/// The newest minor release for which there is a build of PreemptionToleration. Source:
/// kubernetes-sigs/scheduler-plugins: go.mod, v0.34.7 (1.34) and its main branch (1.35).
inline constexpr int kNewestWithToleration = 35;

/// Returns true if PreemptionToleration may run in some profile, as far as the question and the input show.
[[nodiscard]] auto toleration_may_run(const Snapshot& cluster, const Question& question) -> bool;

/// Returns true for the name of a scheduler that is known to decide by its own rules.
[[nodiscard]] auto is_foreign(std::string_view scheduler_name) -> bool;

/// Fails if kube-scheduler would not start with the given configuration. Reports warnings about what it reads.
[[nodiscard]] auto check_profiles(const Snapshot& cluster, const Question& question) -> Result<void>;

/// Returns the schedulerNames of the profiles in the given KubeSchedulerConfiguration, in its order; empty if none is
/// given.
[[nodiscard]] auto profile_names(const Snapshot& cluster, const Question& question) -> Result<std::vector<std::string>>;

/// Returns the profile that serves the pods of a schedulerName: from the given KubeSchedulerConfiguration, else from
/// that of a ConfigMap in the input, else the default one; then --toleration-plugin is applied. Nothing: no profile has
/// that name, so this scheduler ignores the pods.
///
/// Errors: a configuration that kube-scheduler would refuse, with its reason and its place (config_validation.h).
[[nodiscard]] auto profile_for(const Snapshot& cluster, const std::string& scheduler_name, const Question& question)
    -> Result<std::optional<Profile>>;

}  // namespace previct::kube
