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
#include <vector>

namespace previct {

/// The decision in words common to all schedulers (`verdict.outcome` of the JSON).
enum class Outcome : std::uint8_t {
  fits,  ///< room is there; nobody is evicted
  preempts,
  pending,       ///< nothing can be freed for it now
  not_eligible,  ///< may not preempt: policy Never, preemption delay …
  waits,         ///< victims of an earlier preemption are still terminating
  gated,
  deleting,
  scheduled,  ///< already on a node
  error,      ///< the scheduler's own attempt ends in an error
  unknown     ///< cannot tell: what is not modelled or not in the input takes part in this decision
};
inline constexpr std::array kOutcomes = {Outcome::fits,  Outcome::preempts, Outcome::pending,  Outcome::not_eligible,
                                         Outcome::waits, Outcome::gated,    Outcome::deleting, Outcome::scheduled,
                                         Outcome::error, Outcome::unknown};
[[nodiscard]] auto outcome_name(Outcome outcome) -> std::string_view;

/// Pods that are all the same to the scheduler. The victims among them share one list.
using EqualPods = std::shared_ptr<const std::vector<PodId>>;

/// A pod that would be evicted.
struct Victim {
  PodId pod;
  std::string_view rule{};  ///< stable id, e.g. "kube.victim.lower-priority"
  bool certain = true;      ///< false: some of the possible outcomes spare it
  EqualPods one_of{};       ///< set if it is one of equal pods, some of which go and some stay
};

/// Pods that wait for this decision, and that another scheduler places once it has come true.
struct ReleasedPods {
  std::string what;       ///< `pod set main`
  Pod pod{};              ///< one of them
  std::size_t count = 0;  ///< how many there are
};

/// Where one possible end of a decision is taken for all: its victims in whose place others may be evicted.
struct OpenVictims {
  std::vector<PodId> taken;
  std::vector<PodId> out_of;  ///< all that may be evicted, those taken included; empty: how many is open, too
  bool equal = true;          ///< they are equal to the scheduler
};

/// A pod that the scheduler spares although it is of lower rank.
struct Tolerating {
  PodId pod;
  std::string_view rule{};
  Instant since{};                   ///< Instant{}: unknown
  Instant until = Instant::never();  ///< first instant at which it no longer tolerates
};

/// A node that the scheduler might choose, and what that would cost.
struct PossibleNode {
  std::string node;
  double likely = 1;    ///< the chance that it is chosen, from 0 to 1, as far as the rules tell
  double at_least = 0;  ///< bounds of that chance
  double at_most = 1;
  bool best = false;                ///< none is better: with several of them, they tie
  std::vector<Victim> victims;      ///< most important first
  std::int32_t pdb_violations = 0;  ///< victims whose disruption budget allows no more
};

/// How sure it is where a choice is up to chance.
struct Odds {
  std::vector<PossibleNode> nodes;  ///< most likely first
  std::size_t candidates = 0;       ///< nodes on which evicting pods makes room
  std::size_t sample = 0;           ///< as many of them the scheduler compares; all, if it is no less
};

/// What the verdict may be in the other orders in which the scheduler may hold pods that are equal to it: they follow
/// from its history, which no dump shows.
struct Orders {
  struct OnNode {
    std::string node;
    std::size_t fewest = 0;  ///< victims
    std::size_t most = 0;
    std::int32_t fewest_pdb_violations = 0;
    std::int32_t most_pdb_violations = 0;
    std::vector<PodId> ever;  ///< all that may go
  };
  /// Every node that may be chosen, that of the verdict first; empty: there are too many orders to try them all.
  std::vector<OnNode> nodes;
};

/// The end of a protection by which a verdict came about while the pod was waiting. It is no event, so that a scheduler
/// tries the pod again only after another one, or for having left it aside for long.
struct UnnoticedEnd {
  PodId pod;  ///< that was protected
  Instant at;
  Instant tried_by;  ///< latest moment at which an otherwise quiet scheduler tries again
};

/// What an engine found, in its own terms: each engine has its own, and its teller (src/tell) alone looks into it. It
/// refers to the snapshot, and is large: who keeps many verdicts lets go of it.
struct Account {
  Account() = default;
  Account(const Account&) = delete;
  auto operator=(const Account&) -> Account& = delete;
  virtual ~Account() = default;
};

/// What the verdict would be if something that is not known were so.
struct Assumption {
  std::optional<Gap> condition{};  ///< `if_volume_exists`, `if_only_zone`; none: leaving it aside
  Outcome outcome = Outcome::pending;
  std::string node;
  std::shared_ptr<const Account> account;
};

/// A node that is kept for a pod until it runs.
struct Reservation {
  NodeId node;
  PodId pod;
  bool required = false;  ///< the pod can run nowhere else
};

/// An engine's answer to "what would happen to this pod?", by values alone: enough to compare, judge and count. Words,
/// tables and JSON are made of it by src/tell, if somebody reads them. Names are raw, as the input has them.
struct Verdict {
  std::string engine;        ///< `kube`
  PodId subject;             ///< none if the question was about a group
  std::string subject_name;  ///< `ml/train-big-0`
  Outcome outcome = Outcome::pending;
  std::string node;                 ///< the chosen node; empty if none, or if a gap decides which
  std::vector<std::string> tied;    ///< all nodes the scheduler might choose, the chosen one included
  std::string internal_error;       ///< a mistake of this program kept it from answering; exit status 70
  bool untried = false;             ///< its scheduler never tries to place it: no profile, queue or partition takes it
  bool in_vain = false;             ///< pods would be evicted for it, and it would still not fit
  std::vector<Assumption> assumed;  ///< of outcome `unknown`: the verdicts there are, each under its condition

  std::vector<Victim> victims;      ///< most important first; on `node`, if several nodes are possible
  std::int32_t pdb_violations = 0;  ///< victims whose disruption budget allows no more; where the engine does not look
                                    ///< at budgets, in answers in full alone
  std::optional<Odds> odds;         ///< if several nodes may be chosen, and the engine tells of all of them
  std::optional<Orders> orders;     ///< if who goes, how many or where hangs on the order of equal pods
  /// Where several ends of this decision are possible, the victims of each; that of `node` first, which is the one that
  /// plays take. Empty: all of `victims` go together, or the ends are too many to list.
  std::vector<std::vector<PodId>> ends;
  std::vector<Tolerating> tolerating;
  Instant next_change = Instant::never();  ///< the verdict holds on [now, next_change)
  Instant acted_on_by = Instant::never();  ///< latest moment at which an otherwise quiet scheduler acts on that change
  std::optional<UnnoticedEnd> unnoticed_end;  ///< which has just let the pod preempt
  std::optional<Reservation> reserves;        ///< yunikorn: the node that is kept for it
  std::vector<Gap> gaps;
  std::vector<ReleasedPods> releases;  ///< of engines that decide before another scheduler does
  std::vector<std::string> evicted;    ///< objects that it evicts, whether or not their pods exist: `workload/ml/a`
  std::vector<std::string> assigned;   ///< what it gets, if that is no node: `main/cpu: spot`; by name
  std::vector<std::string> feasible;   ///< the nodes that take it as they are, where the engine knows all of them
  std::uint64_t work = 0;  ///< how many pods and nodes were looked at for it, where the engine counts: for bounds
  std::shared_ptr<const Account> account;  ///< null: nothing more is known
};

/// A verdict in which a gap decides becomes `unknown`: what was found becomes a verdict under a condition (those that
/// the engine gives in `assumed`, else the one found, leaving the gap aside). No victim is certain then. Other verdicts
/// stay as they are.
void conclude(Verdict& verdict);

/// The pods that go whatever comes, and all that may go: on any node, and any of those that are all the same.
[[nodiscard]] auto certain_victims(const Verdict& verdict) -> std::vector<PodId>;
[[nodiscard]] auto possible_victims(const Verdict& verdict) -> std::vector<PodId>;

/// Of one end of the verdict.
[[nodiscard]] auto open_victims(const Verdict& verdict, const std::vector<PodId>& of_end) -> OpenVictims;

/// How many go at most in one end.
[[nodiscard]] auto most_victims(const Verdict& verdict) -> std::size_t;

/// Does it come to run, be it at the cost of others?
[[nodiscard]] auto gets_in(const Verdict& verdict) -> bool;

}  // namespace previct
