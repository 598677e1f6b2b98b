#pragma once

#include "api/pod.h"
#include "base/id.h"
#include "base/instant.h"
#include "engine/gap.h"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace previct {

/// The decision in terms common to all schedulers (`verdict.outcome` of the JSON).
enum class Outcome : std::uint8_t {
  fits,  ///< enough resources are free; no pod is evicted
  preempts,
  pending,       ///< nothing can be freed for it now
  not_eligible,  ///< may not preempt: policy Never, preemption delay …
  waits,         ///< victims of an earlier preemption are still terminating
  gated,
  deleting,
  scheduled,  ///< already on a node
  error,      ///< the scheduler's own attempt ends in an error
  unknown     ///< the decision depends on something that is not modeled or not in the input
};
inline constexpr std::array kOutcomes = {Outcome::fits,  Outcome::preempts, Outcome::pending,  Outcome::not_eligible,
                                         Outcome::waits, Outcome::gated,    Outcome::deleting, Outcome::scheduled,
                                         Outcome::error, Outcome::unknown};
[[nodiscard]] auto outcome_name(Outcome outcome) -> std::string_view;

/// Pods that are equal to the scheduler. The victims among them share one list.
using EqualPods = std::shared_ptr<const std::vector<PodId>>;

/// A pod that would be evicted.
struct Victim {
  PodId pod;
  std::string_view rule{};  ///< stable id, e.g. "kube.victim.lower-priority"
  bool certain = true;      ///< false: in some possible outcomes it is not evicted
  EqualPods one_of{};       ///< set if it is one of several equal pods of which only some are evicted
};

/// Pods that wait for this decision; another scheduler places them once it is carried out.
struct ReleasedPods {
  std::string what;        ///< `pod set main`
  Pod pod{};               ///< one of those that do not exist yet
  Symbol runtime_class{};  ///< of that pod
  bool admitted = false;   ///< the API server has accepted that pod: it is like those that exist
  std::size_t count = 0;   ///< the number of all
  std::vector<std::pair<PodId, PodSpec>> existing{};  ///< those that exist, and their specs once they are released
  std::optional<Gap> placed_elsewhere{};  ///< what decides where they run, and is not known; none: the scheduler alone
};

/// For a decision with several possible ends, one of which is simulated: its victims that could be replaced by others.
struct ReplaceableVictims {
  std::vector<PodId> taken;
  std::vector<PodId> out_of;  ///< all that may be evicted, including `taken`; empty: their number is unknown, too
  bool equal = true;          ///< the pods are equal to the scheduler
};

/// A pod of lower rank that the scheduler nevertheless does not evict, because it tolerates the preemption.
struct Tolerating {
  PodId pod;
  std::string_view rule{};
  Instant since{};                   ///< Instant{}: unknown
  Instant until = Instant::never();  ///< first instant at which it no longer tolerates the preemption
};

/// A node that the scheduler might choose, and the cost of choosing it.
struct PossibleNode {
  NodeId node;
  double likely = 1;    ///< estimated chance that it is chosen, from 0 to 1
  double at_least = 0;  ///< bounds of that chance
  double at_most = 1;
  bool best = false;            ///< no node is better; if several have this set, they tie
  std::vector<Victim> victims;  ///< most important first
  /// Victims whose disruption budget allows no more disruptions; for engines that do not check budgets, set only in
  /// full answers.
  std::int32_t pdb_violations = 0;
};

/// The chances of each node where the choice is random.
struct Odds {
  std::vector<PossibleNode> nodes;  ///< most likely first
  std::size_t candidates = 0;       ///< nodes on which preemption works
  std::size_t sample = 0;  ///< number of candidates that the scheduler compares; all if it is at least `candidates`
};

/// What the verdict may be in the other orders in which the scheduler may keep pods that are equal to it. The order
/// follows from the scheduler's history, which no dump shows.
struct Orders {
  struct OnNode {
    std::string node;
    std::size_t fewest = 0;  ///< victims
    std::size_t most = 0;
    std::int32_t fewest_pdb_violations = 0;
    std::int32_t most_pdb_violations = 0;
    std::vector<PodId> ever;  ///< all pods that may be evicted
  };
  /// Every node that may be chosen, that of the verdict first; empty: there are too many orders to try them all.
  std::vector<OnNode> nodes;
};

/// The end of a protection that made this verdict possible while the pod was waiting. It is not an event, so a
/// scheduler tries the pod again only after some other event or at the periodic flush of unschedulable pods.
struct UnobservedExpiry {
  PodId pod;  ///< the pod that was protected
  Instant at;
  Instant tried_by;  ///< latest instant at which the scheduler retries without another event
};

/// What an engine found, in its own terms: each engine has its own subclass, which only its explainer (src/tell) reads.
/// Refers to the snapshot and is large; reset it when keeping many verdicts.
struct EngineTrace {
  EngineTrace() = default;
  EngineTrace(const EngineTrace&) = delete;
  auto operator=(const EngineTrace&) -> EngineTrace& = delete;
  virtual ~EngineTrace() = default;
};

/// The verdict under an assumption about something that is not known.
struct Assumption {
  std::optional<Gap> condition{};  ///< `if_volume_exists`, `if_only_zone`; none: the gap is ignored
  Outcome outcome = Outcome::pending;
  std::string node;
  std::shared_ptr<const EngineTrace> account;
};

/// A node that is reserved for a pod until it runs.
struct Reservation {
  NodeId node;
  PodId pod;
  bool required = false;  ///< the pod can run on no other node
};

/// An engine's answer to "what would happen to this pod?", as plain values, enough to compare, judge and count.
/// src/tell makes words, tables and JSON of it if they are needed. Names are raw, as in the input.
struct Verdict {
  std::string engine;        ///< `kube`
  PodId subject;             ///< none if the question was about a group
  std::string subject_name;  ///< `ml/train-big-0`
  Outcome outcome = Outcome::pending;
  std::string node;                 ///< the chosen node; empty if none, or if a gap decides which
  std::vector<NodeId> tied;         ///< all nodes the scheduler might choose, the chosen one included; by name
  std::string internal_error;       ///< a bug of previct prevented an answer; exit status 70
  bool never_tried = false;         ///< its scheduler never tries to place it: no profile, queue or partition takes it
  bool in_vain = false;             ///< pods would be evicted for it, and it would still not fit
  std::vector<Assumption> assumed;  ///< for outcome `unknown`: the possible verdicts, each with its condition

  std::vector<Victim> victims;  ///< most important first; those on `node` if several nodes are possible
  /// Victims whose disruption budget allows no more disruptions; for engines that do not check budgets, set only in
  /// full answers.
  std::int32_t pdb_violations = 0;
  std::optional<Odds> odds;      ///< set if several nodes may be chosen and the engine knows the chances of all
  std::optional<Orders> orders;  ///< set if the order of equal pods affects the victims, their number or the node
  /// The victims of each possible end of this decision if there are several. The first entry belongs to `node` and is
  /// the one that simulations use. Empty: all of `victims` are evicted together, or there are too many ends to list.
  std::vector<std::vector<PodId>> ends;
  std::vector<Tolerating> tolerating;
  Instant next_change = Instant::never();  ///< the verdict holds on [now, next_change)
  Instant acted_on_by = Instant::never();  ///< latest instant at which the scheduler acts on it without another event
  std::optional<UnobservedExpiry> unobserved_expiry;  ///< the end of a protection that now allows the preemption
  std::optional<Reservation> reserves;                ///< yunikorn: the node that is reserved for it
  std::vector<Gap> gaps;
  std::vector<ReleasedPods> releases;  ///< for engines that decide before another scheduler does
  std::vector<PodId> ending;          ///< with `releases`: other pods that end, pending ones of what it evicts included
  std::optional<Gap> more_come;       ///< with `releases`: other pods may come first that the input does not contain
  std::optional<Gap> more_end;        ///< with `releases`: more pods may end than `victims` and `ending`, because of it
  std::vector<std::string> evicted;   ///< objects that it evicts, whether or not their pods exist: `workload/ml/a`
  std::string evicted_for{};          ///< of what has its node or quota: for what it is evicted next: `workload/ml/b`
  std::vector<std::string> assigned;  ///< what it gets instead of a node: `main/cpu: spot`; by name
  std::vector<NodeId> feasible;       ///< nodes on which it fits without preemption, if the engine knows all of them
  std::uint64_t work = 0;  ///< number of pods and nodes examined, if the engine counts them: for bounds in tests
  std::shared_ptr<const EngineTrace> account;  ///< null: nothing more is known
};

/// Changes a verdict in which a gap decides to `unknown`. What was found becomes conditional: the verdicts that the
/// engine put into `assumed`, or else the verdict found with the gap ignored. No victim is certain then. Other verdicts
/// stay unchanged.
void conclude(Verdict& verdict);

/// Returns the pods that are evicted in any case; and all pods that may be evicted, on any node, including those equal
/// to a victim.
[[nodiscard]] auto certain_victims(const Verdict& verdict) -> std::vector<PodId>;
[[nodiscard]] auto possible_victims(const Verdict& verdict) -> std::vector<PodId>;

/// Returns the uncertain victims of one end of the verdict, and the pods that may be evicted in their place.
[[nodiscard]] auto replaceable_victims(const Verdict& verdict, const std::vector<PodId>& of_end) -> ReplaceableVictims;

/// Returns the victims of one end, that of `node`: those that a simulation evicts.
[[nodiscard]] auto victims_of_one_end(const Verdict& verdict) -> std::vector<PodId>;

/// Returns the largest number of victims in one end.
[[nodiscard]] auto most_victims(const Verdict& verdict) -> std::size_t;

/// Returns true if the pod gets a node, with or without preemption.
[[nodiscard]] auto is_schedulable(const Verdict& verdict) -> bool;

}  // namespace previct
