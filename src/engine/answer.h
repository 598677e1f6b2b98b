#pragma once

#include "api/meta.h"
#include "base/instant.h"
#include "report/report.h"

#include <array>
#include <optional>
#include <string>
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

/// A field of the input that a statement rests on. `object` is `Kind/name` or `Kind/ns/name`.
struct Evidence {
  std::string object;
  std::string field;  ///< path as in api/locate.h
  Source source;
};

/// A pod that would be evicted.
struct VictimLine {
  PodId pod;
  std::string rule;     ///< stable id, e.g. "kube.victim.lower-priority"
  std::string why;      ///< the same in words
  bool certain = true;  ///< false: some of the possible outcomes spare it
  std::vector<Evidence> evidence;
  Json toleration;  ///< engine's account of its protection, for JSON; may be null
  /// The pods of which it is one that are all the same to the scheduler, some of which go and some stay; else empty.
  std::vector<PodId> one_of{};
};

/// A pod that the scheduler spares although it is of lower rank.
struct ToleratingLine {
  PodId pod;
  std::string rule;
  std::string why;                   ///< in full words: `for ever, against priority < 10000`
  Instant since;                     ///< Instant{}: unknown
  Instant until = Instant::never();  ///< first instant at which it no longer tolerates
  std::vector<Evidence> evidence;
  Json toleration;
};

/// What the answer does not know, and which conclusion that weakens.
struct Gap {
  enum class Kind : std::uint8_t { missing_kind, unmodelled, assumption } kind = Kind::assumption;
  std::string what;                 ///< `PodDisruptionBudget`, `DynamicResources`, "built-in priority classes added"
  std::string weakens;              ///< "violations are counted as 0"; may be empty for assumptions
  bool could_change_answer = true;  ///< false: for the record only, the answer stands
  bool decides = false;             ///< takes part in this very decision: the outcome is `unknown`, and says so
  std::string because{};            ///< with `decides`: what follows "cannot tell, because"; empty: made of `what`
};

/// What an engine that looks at one node after the other found about one of them.
struct NodeFinding {
  std::string node;
  bool fits = false;                                ///< it takes the pod as it is
  bool candidate = false;                           ///< evicting `victims` makes room
  bool chosen = false;                              ///< a candidate than which none is better
  std::vector<PodId> victims;                       ///< most important first
  std::int32_t pdb_violations = 0;                  ///< victims whose disruption budget allows no more
  std::vector<std::vector<PodId>> interchangeable;  ///< groups of pods any of which might go in place of a victim
  std::string why;                                  ///< why it neither fits nor is a candidate
};

/// A node that the scheduler might choose, and what that would cost.
struct PossibleNode {
  std::string node;
  double likely = 1;    ///< the chance that it is chosen, from 0 to 1, as far as the rules tell
  double at_least = 0;  ///< bounds of that chance
  double at_most = 1;
  bool best = false;                ///< none is better: with several of them, they tie
  std::vector<VictimLine> victims;  ///< most important first
  std::int32_t pdb_violations = 0;  ///< victims whose disruption budget allows no more
};

/// How sure it is where a choice is up to chance.
struct Odds {
  std::vector<PossibleNode> nodes;  ///< most likely first
  std::size_t candidates = 0;       ///< nodes on which evicting pods makes room
  std::size_t sample = 0;           ///< as many of them the scheduler compares; all, if it is no less
  std::string rests_on;             ///< what the chances rest on, in words
};

/// Could the answer be another one if this were known? Assumptions are told, and count as known unless they decide.
[[nodiscard]] auto weakens(const Gap& gap) -> bool;

/// Those of `from` that are not in `to` yet, by kind and object.
void add_gaps(const std::vector<Gap>& from, std::vector<Gap>& to);

/// What the answer would be if something that is not known were so.
struct Assuming {
  std::string condition;  ///< "if the claim ml/data exists and every node reaches its volume"; empty: leaving it aside
  Outcome outcome = Outcome::pending;
  std::string node;
  std::string sentence;  ///< as Answer::sentence
};

/// An engine's answer to "what would happen to this pod?", in terms that every report, test and comparison can
/// use. Strings are raw (see report.h).
struct Answer {
  std::string engine;        ///< `kube`
  std::string behaves;       ///< the release whose behaviour this is: `1.35 + PreemptionToleration`
  PodId subject;             ///< none if the question was about a group
  std::string subject_name;  ///< `ml/train-big-0`
  Outcome outcome = Outcome::pending;
  std::string node;                ///< the chosen node; empty if none
  std::vector<std::string> tied;   ///< all nodes the scheduler might choose, the chosen one included
  bool internal_error = false;     ///< a mistake of this program kept it from answering; exit status 70
  bool in_vain = false;            ///< pods would be evicted for it, and it would still not fit
  std::string sentence;            ///< the verdict, without the subject: "would preempt 2 pods on node gpu-2"
  std::vector<Assuming> assuming;  ///< of outcome `unknown`: the answers there are, each under its condition
  Json criteria;                   ///< engine's numbers behind the choice; may be null

  std::vector<VictimLine> victims;  ///< most important first; on `node`, if several nodes are possible
  std::optional<Odds> odds;         ///< if several nodes may be chosen, and the engine tells of all of them
  std::vector<ToleratingLine> tolerating;
  Instant next_change = Instant::never();  ///< the answer holds on [now, next_change)
  std::string next_change_words;           ///< what happens then
  Instant acted_on_by = Instant::never();  ///< latest moment at which an otherwise quiet scheduler acts on that change
  std::string scheduler_message;           ///< byte for byte what the scheduler writes on the pod
  std::vector<Gap> gaps;
  std::vector<Block> details;         ///< the engine's own tables: nodes, queues, groups
  std::vector<Evidence> fields;       ///< what the sentence and the details rest on, beside the victims
  std::vector<std::string> feasible;  ///< the nodes that take it as they are, where the engine knows all of them
  std::vector<NodeFinding> findings;  ///< best node first; of full answers of engines that go from node to node
  std::optional<Table> reasons;       ///< why no node does, counted; shown before the nodes
  std::optional<Table> node_table;    ///< the findings for people; shown before the details
  Json nodes;                         ///< the findings for programs; may be null
  Json evidence;                      ///< the engine's facts, shape fixed by its specification
};

/// An answer in which a gap decides becomes `unknown`: its verdict leads with what is not known, and what was found
/// becomes an answer under a condition (those that the engine gives in `assuming`, else the one found, leaving the gap
/// aside). No victim is certain then. Other answers stay as they are.
void conclude(Answer& answer);

/// `1 in 6`; from a half on, `62 %`.
[[nodiscard]] auto chance_words(double chance) -> std::string;

/// The pods that go whatever comes, and all that may go: on any node, and any of those that are all the same.
[[nodiscard]] auto certain_victims(const Answer& answer) -> std::vector<PodId>;
[[nodiscard]] auto possible_victims(const Answer& answer) -> std::vector<PodId>;

/// Does it come to run, be it at the cost of others?
[[nodiscard]] auto gets_in(const Answer& answer) -> bool;

/// A pod and its protection against being evicted for others.
struct Protection {
  ToleratingLine line;
  bool partial = false;            ///< against some only, or while others suffice; one of `extra` says which
  bool ended = false;              ///< it was protected, and is no longer
  std::vector<std::string> extra;  ///< the engine's own columns
};

/// Who is protected against whom, over the whole cluster.
struct Protections {
  std::string engine;
  std::string behaves;
  std::string against;                     ///< `high (9000)`, `any higher priority`, a queue
  std::vector<std::string> extra_columns;  ///< heads of Protection::extra
  std::vector<Protection> rows;            ///< soonest end first
  std::vector<Gap> gaps;
};

/// Somebody who might evict one given pod.
struct Taker {
  std::string who;       ///< a class, a pending pod, a queue
  std::string rank;      ///< its priority, or what else ranks it
  bool pending = false;  ///< a pending pod, not a mere possibility
  Instant from;          ///< Instant{}: at once; never: for as long as things are as they are
  std::string rule;
  std::string why;
  std::vector<Evidence> evidence;
};

/// The same read the other way round: who could take one pod.
struct Takers {
  std::string engine;
  std::string behaves;
  PodId subject;
  std::string one = "class or pending pod";  ///< what a row stands for, and several
  std::string many = "classes and pending pods";
  std::vector<Taker> rows;
  std::vector<Gap> gaps;
};

}  // namespace previct
