#pragma once

#include "api/meta.h"
#include "engine/verdict.h"
#include "report/report.h"

#include <string>
#include <vector>

namespace previct {

/// A field of the input that a statement rests on. `object` is `Kind/name` or `Kind/ns/name`.
struct Evidence {
  std::string object;
  std::string field;  ///< path as in api/locate.h
  Source source;
};

/// A victim, and what is said of it.
struct VictimLine : Victim {
  std::string why{};  ///< the rule in words
  std::vector<Evidence> evidence{};
  Json toleration{};  ///< engine's account of its protection, for JSON; may be null
};

/// A pod that is spared, and what is said of it.
struct ToleratingLine : Tolerating {
  std::string why{};  ///< in full words: `forever, against priority < 10000`
  std::vector<Evidence> evidence{};
  Json toleration{};
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

/// Where a pod of the subject's group would run.
struct Placement {
  PodId pod;
  std::string node;
};

/// A device of a node that pods have parts of.
struct SharedDevice {
  struct Use {
    PodId pod;
    double now = 0;   ///< its part of the device, from 0 to 1
    double then = 0;  ///< when the decision is carried out
  };
  std::string node;
  std::string name;  ///< as the scheduler calls it; empty: one that no pod shares yet
  std::vector<Use> uses;
};

/// What the answer would be if something that is not known were so.
struct Assuming {
  std::string condition;  ///< as in Assumption
  Outcome outcome = Outcome::pending;
  std::string node;
  std::string sentence;  ///< as Answer::sentence
};

/// Why a pod stays pending, in one clause, so that lists can count pods by it.
struct Cause {
  std::string id{};     ///< the rule's, and what it is about: `kube.filter.insufficient cpu`
  std::string words{};  ///< `nodes lack cpu`

  friend auto operator==(const Cause& a, const Cause& b) -> bool { return a.id == b.id; }
};

/// A verdict in words, tables and JSON. Strings are raw (see report.h).
struct Answer : Verdict {
  std::string behaves;             ///< the release whose behaviour this is: `1.35 + PreemptionToleration`
  std::string sentence;            ///< the verdict, without the subject: "would preempt 2 pods on node gpu-2"
  Cause cause;                     ///< of outcome `pending`; empty where the engine has none
  std::string next_change_words;   ///< what happens at `next_change`
  std::string scheduler_message;   ///< byte for byte what the scheduler writes on the pod
  bool message_varies = false;     ///< or the same of another node that ties, or with its parts in another order
  std::vector<Assuming> assuming;  ///< `assumed` in words

  // Of answers in full only:
  std::vector<VictimLine> victim_lines;  ///< of `victims`, then those of the other nodes that are as good a choice
  std::vector<ToleratingLine> tolerating_lines;  ///< of `tolerating`
  std::vector<Placement> placements;             ///< of engines that decide about groups; else the subject is on `node`
  std::vector<SharedDevice> devices;             ///< of the nodes that the decision is about
  Json criteria;                                 ///< engine's numbers behind the choice; may be null
  std::string odds_rest_on;                      ///< what the chances in `odds` rest on
  std::vector<Block> details;                    ///< the engine's own tables: nodes, queues, groups
  std::vector<Evidence> fields;                  ///< what the sentence and the details rest on, beside the victims
  std::vector<NodeFinding> findings;             ///< best node first; of engines that go from node to node
  std::optional<Table> reasons;                  ///< why no node does, counted; shown before the nodes
  std::optional<Table> node_table;               ///< the findings for people; shown before the details
  Json nodes;                                    ///< the findings for programs; may be null
  Json evidence;                                 ///< the engine's facts, shape fixed by its specification
};

/// A pod and its protection against being evicted for others.
struct Protection {
  ToleratingLine line;
  bool partial = false;            ///< against some only, or while others suffice; one of `extra` says which
  std::string only_against;        ///< of a partial one, whose pods alone it holds against: `pods of batch`; or empty
  bool ended = false;              ///< it was protected, and is no longer
  bool node_fails = false;         ///< not by a toleration: preemption fails on its whole node
  std::vector<std::string> extra;  ///< the engine's own columns
};

/// Who is protected against whom, over the whole cluster.
struct Protections {
  std::string engine;
  std::string behaves;
  std::string against;                     ///< `high (9000)`, `any higher priority`, a queue
  std::string never_preempts;              ///< why it preempts no pod, so that none tolerates it; empty: it may
  std::vector<std::string> extra_columns;  ///< of Protection::extra, as documents call them
  std::vector<std::string> extra_heads{};  ///< and tables, if they call them otherwise
  std::vector<Protection> rows;            ///< soonest end first
  std::vector<Gap> gaps;
};

/// Somebody who might evict one given pod.
struct PossiblePreemptor {
  std::string who;       ///< a class, a pending pod, a queue
  std::string rank;      ///< its priority, or what else ranks it
  bool pending = false;  ///< a pending pod, not a mere possibility
  Instant from;          ///< Instant{}: at once; never: for as long as things are as they are
  std::string rule;
  std::string why;
  std::vector<Evidence> evidence;
};

/// The same read the other way round: who could take one pod.
struct PossiblePreemptors {
  std::string engine;
  std::string behaves;
  PodId subject;
  std::string one = "class or pending pod";  ///< what a row stands for, and several
  std::string many = "classes and pending pods";
  std::vector<PossiblePreemptor> rows;
  std::vector<Gap> gaps;
};

}  // namespace previct
