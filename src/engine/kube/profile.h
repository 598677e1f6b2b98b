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
  std::int64_t candidate_percentage = 10;  ///< of a preemption plugin: minCandidateNodesPercentage
  std::int64_t candidate_absolute = 100;   ///< minCandidateNodesAbsolute
  std::string name;                        ///< of an unmodelled one

  [[nodiscard]] auto preempts() const -> bool {
    return kind == Kind::default_preemption || kind == Kind::preemption_toleration;
  }
};

/// Something of a profile that may take part in a decision and is not modelled.
struct Unmodelled {
  enum class Part : std::uint8_t {
    queueing,  ///< may keep the pod from being tried at all
    filter,    ///< may refuse nodes, the whole pod, or the pods to put back
    fits,      ///< may refuse a node on which the pod fits: an extender's filter
    victims,   ///< may change which nodes can be freed, and by whom: an extender's preemption
    scores,    ///< may change which of the nodes that fit is chosen
    later      ///< may hold the pod back once a node is chosen
  };

  Part part = Part::filter;
  std::string what;                    ///< `filter plugin NodeNUMAResource`
  std::vector<std::string> resources;  ///< an extender looks only at pods that want one of these; empty: at all
};

/// How the pods of a profile preempt.
enum class Preempting : std::uint8_t {
  never,             ///< no preemption plugin runs
  by_priority,       ///< DefaultPreemption runs, alone or beside PreemptionToleration: it heeds no toleration
  with_tolerations,  ///< PreemptionToleration alone
};

/// A plugin that runs at Score.
struct ScorePlugin {
  std::string name;
  const ScoreInfo* info = nullptr;  ///< null: it is not modelled
  std::int64_t weight = 1;
  std::optional<std::size_t> pre_score{};  ///< its place in the order of PreScore; none: it does not run there
};

/// One scheduler profile: which plugins run, in which order, with which arguments. Upstream lets the two halves of a
/// filter plugin, PreFilter and Filter, be turned off and ordered one by one.
struct Profile {
  std::string scheduler_name{upstream::kDefaultScheduler};
  std::vector<std::string> others_in_queue;    ///< names of the other profiles of the same kube-scheduler
  std::vector<std::string> pre_enqueue;        ///< of those that are modelled
  std::vector<const FilterInfo*> pre_filters;  ///< in the order in which they run
  std::vector<const FilterInfo*> filters;
  std::vector<PostFilter> post_filters;
  std::vector<ScorePlugin> scores;  ///< in the order in which they run
  FilterSettings settings;
  ScoreSettings score_settings;
  std::int32_t percentage_of_nodes = 0;  ///< of all that the search for nodes with room goes on for; 0: by their number
  bool takes_first = false;              ///< nothing scores nodes, so that the first one with room is enough
  std::vector<Unmodelled> unmodelled;
  std::vector<Gap> gaps;  ///< what was assumed

  [[nodiscard]] auto tolerates() const -> bool;  ///< does PreemptionToleration run?
  [[nodiscard]] auto preempts() const -> bool;   ///< does any preemption plugin run?
  [[nodiscard]] auto preempting() const -> Preempting;
  [[nodiscard]] auto runs_before_queue(std::string_view plugin) const -> bool;

  /// The default profile; with `toleration`, PreemptionToleration stands in DefaultPreemption's place.
  [[nodiscard]] static auto standard(const Snapshot& cluster, bool toleration, const Release& release) -> Profile;
};

/// The newest minor release for which there is a build of PreemptionToleration.
/// Source: kubernetes-sigs/scheduler-plugins: go.mod, v0.34.7 (1.34) and its main branch (1.35).
inline constexpr int kNewestWithToleration = 35;

/// May PreemptionToleration run in some profile, as far as the question and the input show?
[[nodiscard]] auto toleration_may_run(const Snapshot& cluster, const Question& question) -> bool;

/// Is it the name of a scheduler that is known to decide by rules of its own?
[[nodiscard]] auto is_foreign(std::string_view scheduler_name) -> bool;

/// Would kube-scheduler start with the configuration given? Warns of what it reads with a remark.
[[nodiscard]] auto check_profiles(const Snapshot& cluster, const Question& question) -> Result<void>;

/// The schedulerNames of the profiles of the KubeSchedulerConfiguration given, in its order; none: there is none.
[[nodiscard]] auto profile_names(const Snapshot& cluster, const Question& question) -> Result<std::vector<std::string>>;

/// The profile that serves the pods of a schedulerName: from the KubeSchedulerConfiguration given, or the default one;
/// then as --toleration-plugin wants it. Empty: no profile has that name, so this scheduler ignores them.
///
/// Errors: a configuration that kube-scheduler would refuse, with its reason and its place (config_validation.h).
[[nodiscard]] auto profile_for(const Snapshot& cluster, const std::string& scheduler_name, const Question& question)
    -> Result<std::optional<Profile>>;

}  // namespace previct::kube
