#pragma once

#include "api/configurations.h"
#include "api/upstream.h"
#include "api/wire.h"
#include "base/diagnostics.h"
#include "cluster/snapshot.h"
#include "engine/required_kind.h"
#include "engine/verdict.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace previct {

class ChangedCluster;

enum class Switch : std::uint8_t { automatic, on, off };

/// What is asked, and under which assumptions. Options that an engine does not have are ignored by it.
struct Question : Configurations {
  std::string kind = "pod";  ///< "pod", or what an engine is asked about otherwise (Engine::asked_kind)
  std::string ns;
  std::string name;
  Instant now;

  bool engine_chosen = false;                    ///< --engine: by these rules, whatever scheduler the pod names
  Switch toleration_plugin = Switch::automatic;  ///< kube: PreemptionToleration instead of DefaultPreemption
  std::string k8s_version;                       ///< kube: "1.33", "v1.33.4"; empty: as the input shows
  std::string feature_gates;                     ///< kube: "A=true,B=false"
  std::string kai_version;                       ///< kai: "0.14", "v0.14.7"; empty: as the input shows
  std::string yunikorn_version;                  ///< yunikorn: "1.6", "1.6.3"; empty: as the input shows
  std::string yunikorn_mode = "release";         ///< yunikorn: "release" or "design-1.5.1"
  std::string shard;                             ///< kai: name of the SchedulingShard
  std::string kueue_version;                     ///< kueue: "0.19.0"; empty: the one whose answers were compared
  std::size_t cycles = 5;                        ///< kueue: as many are looked at, as long as something changes

  std::string against;               ///< tolerations: a priority class, a priority, a queue; empty: any
  std::string preemptor_scheduler;   ///< tolerations, kube: the preemptors' schedulerName; empty: any that preempts
  std::int64_t flush_seconds = 300;  ///< kube: how long a failed pod stays aside (--unschedulable-flush)
  bool brief = false;                ///< outcome, victims, next change and gaps only: no tables, no evidence
  bool only_if_in = false;           ///< fit: of a pod that is not let in, nothing more is looked for
  bool documents = true;             ///< what only JSON shows is made, too; not if no format shows it

  std::vector<std::string> only_nodes;  ///< --node: explain these in full
  bool show_all = false;                ///< --show all: fold nothing
  bool show_chosen_only = false;        ///< --show chosen: of the nodes, only the chosen one
  unsigned threads = 1;
  std::vector<PodId> marked{};              ///< plays: victims of earlier decisions that are still there
  bool triggered = false;                   ///< plays, yunikorn: the pod has preempted before, which it does only once
  std::vector<Reservation> reservations{};  ///< plays, yunikorn
};

/// An object of the kind that an engine is asked about (Engine::asked_kind).
struct AskedObject {
  std::string ns;
  std::string name;
};

/// A scheduler's way of deciding. An engine is one folder under src/engine: its rules, its words and one object
/// of this interface named `<folder>_engine`, which the build finds by itself.
class Engine {
 public:
  virtual ~Engine() = default;

  [[nodiscard]] virtual auto name() const -> std::string_view = 0;

  /// Would this scheduler be the one to take the pod, as far as the input shows? For `--engine auto`; the first
  /// engine by rank that says yes gets it.
  [[nodiscard]] virtual auto takes(const Snapshot& cluster, PodId pod) const -> bool = 0;
  [[nodiscard]] virtual auto rank() const -> int = 0;

  /// The schedulerName of its pods unless its configuration has another one; empty: pods do not name it.
  [[nodiscard]] virtual auto scheduler_name() const -> std::string_view { return {}; }

  /// The kinds it reads, in the order in which `inspect` lists them.
  [[nodiscard]] virtual auto needs() const -> std::span<const RequiredKind> { return {}; }

  /// Can nothing be said of this input without the kind? So it is of those that every answer needs, and of those that
  /// an object of the input names.
  [[nodiscard]] virtual auto needed_for(const Snapshot& /*cluster*/, const RequiredKind& need) const -> bool {
    return need.always;
  }

  /// What a question may name beside a pod: `podgroup`; empty: nothing.
  [[nodiscard]] virtual auto asked_kind() const -> std::string_view { return {}; }

  /// What of that kind waits for it, in the order in which it is tried; of one namespace or (empty) of all.
  [[nodiscard]] virtual auto pending(const Snapshot& /*cluster*/, const Question& /*question*/,
                                     std::string_view /*ns*/) const -> Result<std::vector<AskedObject>> {
    return std::vector<AskedObject>{};
  }

  /// What of that kind stands for an object of another one, such as a Job; none: nothing does.
  [[nodiscard]] virtual auto stands_for(const Snapshot& /*cluster*/, std::string_view /*kind*/, std::string_view /*ns*/,
                                        std::string_view /*name*/) const -> std::optional<AskedObject> {
    return {};
  }

  /// Of how many pods such objects of the input decide, whether or not the pods exist.
  [[nodiscard]] virtual auto pods_of_objects(const Snapshot& /*cluster*/) const -> std::size_t { return 0; }

  /// Do pods come and go in groups?
  [[nodiscard]] virtual auto decides_about_groups() const -> bool { return false; }

  /// Do priority classes alone say who may evict whom? Else queues do.
  [[nodiscard]] virtual auto goes_by_classes() const -> bool { return false; }

  /// Does --node show one node step by step?
  [[nodiscard]] virtual auto explains_nodes() const -> bool { return false; }

  /// Does it follow a KubeSchedulerConfiguration?
  [[nodiscard]] virtual auto reads_scheduler_config() const -> bool { return false; }

  /// The schedulerNames of the pods that its configuration is for, in its order. None: no configuration is given, or
  /// the engine has none.
  [[nodiscard]] virtual auto configured_schedulers(const Snapshot& /*cluster*/, const Question& /*question*/) const
      -> Result<std::vector<std::string>> {
    return std::vector<std::string>{};
  }

  /// Is the configuration that it has in a ConfigMap given in another way?
  [[nodiscard]] virtual auto is_configured_by(const Configurations& /*given*/) const -> bool { return false; }

  /// The causes of disruptions, as JSON names them (`kai.reclaim`), that its decisions explain.
  [[nodiscard]] virtual auto causes() const -> std::span<const std::string_view> { return {}; }

  /// Are all victims of a preemptor on the node that it gets?
  [[nodiscard]] virtual auto preempts_on_one_node() const -> bool { return false; }

  /// Is there anything in --assume that it reads?
  [[nodiscard]] virtual auto reads_assumptions() const -> bool { return false; }

  /// Does a decision count for the next pod of the same cycle? Else all of a cycle are made on one snapshot.
  [[nodiscard]] virtual auto acts_at_once() const -> bool { return false; }

  /// The name of the group that decides together with this pod, in the pod's namespace; empty: the pod decides alone.
  [[nodiscard]] virtual auto group_of(const Snapshot& /*cluster*/, PodId /*pod*/) const -> std::string_view {
    return {};
  }

  /// Writes what the scheduler notes on other objects when it starts a pod; a simulation of several cycles calls it.
  virtual void note_start(const Snapshot& /*cluster*/, PodId /*pod*/, Instant /*at*/,
                          ChangedCluster& /*objects*/) const {}

  /// How long a pod's age can matter to a decision: pods that have run longer are alike.
  [[nodiscard]] virtual auto longest_protection(const Snapshot& /*cluster*/) const -> Duration { return {}; }

  /// What it keeps between cycles that a play of several of them leaves out.
  [[nodiscard]] virtual auto forgotten_between_cycles() const -> std::vector<Gap> { return {}; }

  /// What would happen, as far as it can be told (`conclude`). Fails only when the question cannot be put: no such pod,
  /// a broken configuration file.
  [[nodiscard]] auto decide(const Snapshot& cluster, const Question& question) const -> Result<Verdict>;

  /// Fails if this scheduler would not start with the configuration that the question gives it.
  [[nodiscard]] virtual auto check_configuration(const Snapshot& /*cluster*/, const Question& /*question*/) const
      -> Result<void> {
    return {};
  }

 private:
  /// The nodes, be they in the input or not, that alone can change a verdict that was given; nothing: any node.
  [[nodiscard]] virtual auto nodes_that_matter(const Verdict& /*verdict*/) const -> std::optional<std::vector<Symbol>> {
    return {};
  }

  /// The verdict, with all that is not known of it among its gaps.
  [[nodiscard]] virtual auto verdict_on(const Snapshot& cluster, const Question& question) const -> Result<Verdict> = 0;
};

/// All engines, by rank.
[[nodiscard]] auto engines() -> const std::vector<const Engine*>&;

/// The engine of this name; null if there is none.
[[nodiscard]] auto find_engine(std::string_view name) -> const Engine*;

/// The first of `engines` that takes the pod; null if none does.
[[nodiscard]] auto engine_of(const std::vector<const Engine*>& engines, const Snapshot& cluster, PodId pod)
    -> const Engine*;

/// The schedulerName of a pod; default-scheduler if it has none, as the API server fills in.
[[nodiscard]] auto scheduler_of(const Snapshot& cluster, PodId pod) -> std::string;

/// The schedulerName of a pod that is made for a question: default-scheduler, or the only profile of the configuration.
/// Fails if the configuration has several profiles and none of that name: which one is meant is not known.
[[nodiscard]] auto scheduler_for_new_pods(const Snapshot& cluster, const Question& question) -> Result<std::string>;

}  // namespace previct
