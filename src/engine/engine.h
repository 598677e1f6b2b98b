#pragma once

#include "api/configurations.h"
#include "api/upstream.h"
#include "api/wire.h"
#include "base/diagnostics.h"
#include "base/extent.h"
#include "cluster/snapshot.h"
#include "engine/parameter.h"
#include "engine/required_kind.h"
#include "engine/scheduler_options.h"
#include "engine/simulated_cycles.h"
#include "engine/verdict.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace previct {

class ChangedCluster;

/// A question to an engine, with the assumptions under which it is asked.
struct Question : Configurations, SchedulerOptions {
  std::string kind = "pod";  ///< "pod", or the kind that the engine names (Engine::asked_kind)
  std::string ns;
  std::string name;
  Instant now;

  std::string against;              ///< tolerations: a priority class, a priority or a queue; empty: any
  std::string preemptor_scheduler;  ///< tolerations, kube: schedulerName of the preemptors; empty: any that preempts
  /// kube: how long a failed pod stays unschedulable (--unschedulable-flush); none: see engine/kube/client_limits.h
  std::optional<std::int64_t> flush_seconds;
  bool brief = false;                ///< only outcome, victims, next change and gaps: no tables, no evidence
  std::size_t among = 100;           ///< brief: the number of such questions; in a short list, each is searched longer
  bool only_if_schedulable = false;  ///< fit: if the pod is not schedulable, compute nothing more
  bool documents = true;             ///< also compute what only JSON shows; false if no output format shows it
  bool evidence = true;              ///< of it, also Answer::evidence, and the evidence of Protections
  bool tables = true;                ///< also compute the tables and the details; false if no output format shows them
  bool findings = true;              ///< also compute Answer::findings
  /// Also choose the node under an assumption, and try each zone in which volumes that are not in the input may be.
  bool follows_assumptions = true;
  /// Also look for the time at which the answer changes; false: only if the sentence names it. If it is not looked for,
  /// Verdict::next_change may be too early.
  bool next_change = true;
  /// Also find the victims on possible nodes other than that of the verdict.
  bool possible_victims = true;
  Extent extent{};  ///< of lists that only JSON shows; the other items are null

  std::vector<std::string> only_nodes;  ///< --node: nodes to explain in full
  bool show_all = false;                ///< --show all: fold nothing
  bool keeps_full = false;              ///< a format also shows what is folded
  bool show_chosen_only = false;        ///< --show chosen: show no node but the chosen one
  unsigned threads = 1;
  std::vector<PodId> marked{};  ///< simulations: victims of earlier decisions that are not deleted yet
  bool triggered = false;       ///< simulations, yunikorn: the pod has preempted before, which it may do only once
  std::vector<Reservation> reservations{};  ///< simulations, yunikorn
  /// sweep: settings by their keys (Engine::number_settings); they override those of files.
  std::vector<std::pair<std::string, std::string>> settings{};
};

/// A numeric setting of a scheduler, or one that is a length of time, of which `sweep` can try values.
struct NumberSetting {
  std::string_view key;
  bool is_time = false;  ///< in seconds
};

/// An object of the kind that an engine is asked about (Engine::asked_kind).
struct AskedObject {
  std::string ns;
  std::string name;
  bool waits_for_others = false;  ///< it has what it needs of this scheduler, and waits for something else
};

/// The rules by which one scheduler decides. An engine is one folder under src/engine: its rules, its words and one
/// object of this interface named `<folder>_engine`, which the build finds by itself.
class Engine {
 public:
  virtual ~Engine() = default;

  [[nodiscard]] virtual auto name() const -> std::string_view = 0;

  /// Returns true if this scheduler would schedule the pod, as far as the input shows. With `--engine auto`, the first
  /// engine by rank that returns true gets the pod.
  [[nodiscard]] virtual auto owns_pod(const Snapshot& cluster, PodId pod) const -> bool = 0;
  [[nodiscard]] virtual auto rank() const -> int = 0;

  /// Returns true if it may evict the running pod although another scheduler has placed it.
  [[nodiscard]] virtual auto evicts_pod_of_others(const Snapshot& /*cluster*/, PodId /*pod*/) const -> bool {
    return false;
  }

  /// The schedulerName of its pods unless its configuration sets another one; empty: pods do not name it.
  [[nodiscard]] virtual auto scheduler_name() const -> std::string_view { return {}; }

  /// The kinds that it reads, in the order in which `inspect` lists them: first the kind about which it decides.
  [[nodiscard]] virtual auto needs() const -> std::span<const RequiredKind> { return {}; }

  /// Returns true if no answer is possible on this input without the kind: every answer needs it, or an object of the
  /// input refers to it.
  [[nodiscard]] virtual auto needed_for(const Snapshot& /*cluster*/, const RequiredKind& need) const -> bool {
    return need.always;
  }

  /// The kind that a question may name instead of a pod, such as `podgroup`; empty: none.
  [[nodiscard]] virtual auto asked_kind() const -> std::string_view { return {}; }

  /// Returns the pending objects of that kind in the order in which they are tried, of namespace `ns` or (if empty) of
  /// all.
  [[nodiscard]] virtual auto pending(const Snapshot& /*cluster*/, const Question& /*question*/,
                                     std::string_view /*ns*/) const -> Result<std::vector<AskedObject>> {
    return std::vector<AskedObject>{};
  }

  /// Returns the object of that kind that represents an object of another kind, such as a Job; nothing if there is
  /// none.
  [[nodiscard]] virtual auto representative_of(const Snapshot& /*cluster*/, std::string_view /*kind*/,
                                               std::string_view /*ns*/, std::string_view /*name*/) const
      -> std::optional<AskedObject> {
    return {};
  }

  /// Kinds that previct does not read, of whose objects representative_of() may know one: `JobSet`.
  [[nodiscard]] virtual auto represented_kinds() const -> std::span<const std::string_view> { return {}; }

  /// Returns the objects of that kind that wait for a decision, in the order of the input, if the scheduler decides
  /// about them before their pods exist.
  [[nodiscard]] virtual auto waiting_without_pods(const Objects& /*objects*/) const -> std::vector<AskedObject> {
    return {};
  }

  /// Adds to `objects` what the scheduler's controllers create for a new object of another kind instead of its pods.
  /// Returns false if they create nothing. Errors: the input lacks what the created object depends on.
  [[nodiscard]] virtual auto create_for(const FoundObject& /*found*/, FileId /*file*/, Objects& /*objects*/) const
      -> Result<bool> {
    return false;
  }

  /// Returns for how many pods such objects of the input decide, whether or not the pods exist.
  [[nodiscard]] virtual auto pods_of_objects(const Snapshot& /*cluster*/) const -> std::size_t { return 0; }

  /// Returns true if a pod without spec.nodeName is on its way to a node: the scheduler does not decide about it again.
  [[nodiscard]] virtual auto is_being_bound(const Snapshot& /*cluster*/, PodId /*pod*/) const -> bool { return false; }

  /// Returns true if pods are placed and evicted in groups.
  [[nodiscard]] virtual auto decides_about_groups() const -> bool { return false; }

  /// Returns true if only priority classes decide which pods may evict which; false if queues do.
  [[nodiscard]] virtual auto preempts_by_priority_class() const -> bool { return false; }

  /// Returns true if --node can explain one node step by step.
  [[nodiscard]] virtual auto explains_nodes() const -> bool { return false; }

  /// Returns true if the engine reads a KubeSchedulerConfiguration.
  [[nodiscard]] virtual auto reads_scheduler_config() const -> bool { return false; }

  /// Returns the schedulerNames of the pods that its configuration serves, in the order of the configuration; empty if
  /// no configuration is given or the engine has none.
  [[nodiscard]] virtual auto configured_schedulers(const Snapshot& /*cluster*/, const Question& /*question*/) const
      -> Result<std::vector<std::string>> {
    return std::vector<std::string>{};
  }

  /// Returns true if `given` contains the configuration that this scheduler otherwise keeps in a ConfigMap.
  [[nodiscard]] virtual auto is_configured_by(const Configurations& /*given*/) const -> bool { return false; }

  /// The causes of disruption that its decisions explain, as JSON names them (`kai.reclaim`).
  [[nodiscard]] virtual auto causes() const -> std::span<const std::string_view> { return {}; }

  /// Returns true if all victims of a preemptor are on the node that the preemptor gets.
  [[nodiscard]] virtual auto preempts_on_one_node() const -> bool { return false; }

  /// Returns true if the engine reads some part of --assume.
  [[nodiscard]] virtual auto reads_assumptions() const -> bool { return false; }

  /// Returns true if a decision affects the next pod of the same cycle; false if all decisions of a cycle are based on
  /// one snapshot.
  [[nodiscard]] virtual auto sees_own_decisions_in_cycle() const -> bool { return false; }

  /// The name of the group that decides together with this pod, in the pod's namespace; empty: the pod decides alone.
  [[nodiscard]] virtual auto group_of(const Snapshot& /*cluster*/, PodId /*pod*/) const -> std::string_view {
    return {};
  }

  /// Returns these pending pods in the order in which the scheduler tries them now; a simulation of several cycles
  /// calls it. Errors: as for decide().
  [[nodiscard]] virtual auto in_order_of_attempts(const Snapshot& /*cluster*/, const Question& /*question*/,
                                                  std::vector<PodId> pods) const -> Result<std::vector<PodId>> {
    return pods;
  }

  /// Writes what the scheduler notes on a pod that it starts, as its verdict says, and on other objects; a simulation
  /// of several cycles calls it.
  virtual void note_start(const Snapshot& /*cluster*/, PodId /*pod*/, Instant /*at*/, const Verdict& /*verdict*/,
                          ChangedCluster& /*objects*/) const {}

  /// How long a pod's age can matter to a decision: pods that have run longer are alike.
  [[nodiscard]] virtual auto longest_protection(const Snapshot& /*cluster*/) const -> Duration { return {}; }

  /// Returns the settings that Question::settings may hold for this question.
  [[nodiscard]] virtual auto number_settings(const Question& /*question*/) const -> std::span<const NumberSetting> {
    return {};
  }

  /// Returns the fields of its own objects of which `sweep` can try values.
  [[nodiscard]] virtual auto parameters() const -> std::span<const FieldParameter> { return {}; }

  /// Returns true if it simulates the next cycles itself (simulate()); false: they are simulated pod by pod
  /// (src/sequence).
  [[nodiscard]] virtual auto simulates_cycles() const -> bool { return false; }

  /// Returns what becomes of all pending objects of asked_kind() in at most Question::cycles cycles; for engines that
  /// simulate their cycles. Errors: as for decide().
  [[nodiscard]] virtual auto simulate(const Snapshot& /*cluster*/, const Question& /*question*/) const
      -> Result<SimulatedCycles> {
    return SimulatedCycles{};
  }

  /// Returns the state that the scheduler keeps between cycles and that a simulation of several cycles leaves out.
  [[nodiscard]] virtual auto state_lost_between_cycles() const -> std::vector<Gap> { return {}; }

  /// Derives from the snapshot what every question needs (Snapshot::derived), for a program that answers many.
  virtual void prepare(const Snapshot& /*cluster*/) const {}

  /// Takes over what was derived from the cluster `before` these changes, as far as they leave it as it is. Answers
  /// about `cluster` are the same, and cost less. `before` must outlive `cluster`.
  virtual void take_over(const Snapshot& /*before*/, const ChangedCluster& /*changes*/,
                         const Snapshot& /*cluster*/) const {}
  /// Copies what was derived from a snapshot to another one of the same objects, which another thread will use.
  virtual void copy_derived(const Snapshot& /*from*/, const Snapshot& /*cluster*/) const {}

  /// Returns what would happen, as far as it is known (see `conclude`). Fails only if the question cannot be asked:
  /// there is no such pod, or a configuration file is broken.
  [[nodiscard]] auto decide(const Snapshot& cluster, const Question& question) const -> Result<Verdict>;

  /// Fails if this scheduler would not start with the configuration given in the question.
  [[nodiscard]] virtual auto check_configuration(const Snapshot& /*cluster*/, const Question& /*question*/) const
      -> Result<void> {
    return {};
  }

 private:
  /// Returns the only nodes, in the input or not, that can change the given verdict; nothing: any node can.
  [[nodiscard]] virtual auto decisive_nodes(const Verdict& /*verdict*/) const -> std::optional<std::vector<Symbol>> {
    return {};
  }

  /// Returns the verdict; its gaps list everything that is not known of it.
  [[nodiscard]] virtual auto verdict_on(const Snapshot& cluster, const Question& question) const -> Result<Verdict> = 0;
};

/// All engines, by rank.
[[nodiscard]] auto engines() -> const std::vector<const Engine*>&;

/// Returns the engine of this name, or null.
[[nodiscard]] auto find_engine(std::string_view name) -> const Engine*;

/// Returns the first of `engines` that takes the pod, or null.
[[nodiscard]] auto engine_of(const std::vector<const Engine*>& engines, const Snapshot& cluster, PodId pod)
    -> const Engine*;

/// Returns the schedulerName of a pod, or default-scheduler if it has none, which is the API server's default.
[[nodiscard]] auto scheduler_of(const Snapshot& cluster, PodId pod) -> std::string;

/// Returns the schedulerName of a pod that is created for a question: default-scheduler, or that of the only profile in
/// the configuration. Fails if the configuration has several profiles and none is default-scheduler, because it is not
/// known which one is meant.
[[nodiscard]] auto scheduler_for_new_pods(const Snapshot& cluster, const Question& question) -> Result<std::string>;

}  // namespace previct
