#pragma once

#include "api/meta.h"
#include "engine/verdict.h"
#include "report/report.h"

#include <string>
#include <vector>

namespace previct {

/// A field of the input that supports a statement. `object` is `Kind/name` or `Kind/ns/name`.
struct Evidence {
  std::string object;
  std::string field;  ///< path as in api/locate.h
  Source source;
};

/// A victim with its explanation.
struct VictimLine : Victim {
  std::string why{};  ///< the rule as text
  std::vector<Evidence> evidence{};
  Json toleration{};  ///< the engine's details of its protection, for JSON; may be null
};

/// A pod that is spared, with its explanation.
struct ToleratingLine : Tolerating {
  std::string why{};  ///< as text: `forever, against priority < 10000`
  std::vector<Evidence> evidence{};
  Json toleration{};
};

/// The result for one node, from an engine that tries nodes one at a time.
struct NodeFinding {
  std::string node;
  bool fits = false;                                ///< the pod fits without evictions
  bool candidate = false;                           ///< the pod fits if `victims` are evicted
  bool chosen = false;                              ///< no other candidate is better
  std::vector<PodId> victims;                       ///< most important first
  std::int32_t pdb_violations = 0;                  ///< victims whose disruption budget allows no more evictions
  std::vector<std::vector<PodId>> interchangeable;  ///< groups of pods that could replace a victim
  std::string why;                                  ///< why it neither fits nor is a candidate
};

/// The node on which a pod of the subject's group would run.
struct Placement {
  PodId pod;
  std::string node;
};

/// A device of a node that pods share.
struct SharedDevice {
  struct Use {
    PodId pod;
    double now = 0;   ///< its part of the device, from 0 to 1
    double then = 0;  ///< the same after the decision is carried out
  };
  std::string node;
  std::string name;  ///< the scheduler's name for it; empty: a device that no pod shares yet
  std::vector<Use> uses;
};

/// The answer under the assumption that something unknown were the case.
struct Assuming {
  std::string condition;  ///< as in Assumption
  Outcome outcome = Outcome::pending;
  std::string node;
  std::string sentence;  ///< as Answer::sentence
};

/// Why a pod stays pending, in one clause, so that lists can count pods by cause.
struct Cause {
  std::string id{};     ///< id of the rule and its subject: `kube.filter.insufficient cpu`
  std::string words{};  ///< `nodes lack cpu`

  friend auto operator==(const Cause& a, const Cause& b) -> bool { return a.id == b.id; }
};

/// A verdict as text, tables and JSON. Strings are raw (see report.h).
struct Answer : Verdict {
  std::string behaves;             ///< the release whose behavior this is: `1.35 + PreemptionToleration`
  std::string sentence;            ///< the verdict, without the subject: "would preempt 2 pods on node gpu-2"
  Cause cause;                     ///< for outcome `pending`; empty if the engine has none
  std::string next_change_words;   ///< what happens at `next_change`
  std::string scheduler_message;   ///< what the scheduler writes on the pod, byte for byte
  bool message_varies = false;     ///< or the same for another node that ties, or with its parts in another order
  std::vector<Assuming> assuming;  ///< `assumed` as text

  // Only in full answers:
  std::vector<VictimLine> victim_lines;  ///< of `victims`, then those of other nodes that are an equally good choice
  std::vector<ToleratingLine> tolerating_lines;  ///< of `tolerating`
  /// Only from engines that decide about groups; otherwise the subject is on `node`.
  std::vector<Placement> placements;
  std::vector<SharedDevice> devices;  ///< on the nodes that the decision is about
  Json criteria;                      ///< the engine's numbers for the choice; may be null
  std::string odds_rest_on;           ///< the basis of the chances in `odds`
  std::vector<Block> details;         ///< the engine's own tables: nodes, queues, groups
  std::vector<Evidence> fields;       ///< evidence for the sentence and the details, except for victims
  std::vector<NodeFinding> findings;  ///< best node first; only from engines that try nodes one at a time
  std::optional<Table> reasons;       ///< why no node is suitable, with counts; shown before the nodes
  std::optional<Table> node_table;    ///< the findings for display; shown before the details
  Json nodes;                         ///< the findings as JSON; may be null
  Json evidence;                      ///< the engine's facts; the schema is fixed by its specification
};

/// A value in a column that only one engine has: the heading in tables, and the key in documents.
struct OwnColumn {
  std::string_view head;
  std::string_view key;
  std::string value;
};

/// A pod and its protection from being evicted for others.
struct Protection {
  ToleratingLine line;
  /// Against some preemptors only, or only while something else holds, such as that others suffice; one of `own` says
  /// which.
  bool partial = false;
  /// For a partial protection: the only pods against which it holds, `pods of batch`; or empty.
  std::string only_against;
  bool ended = false;            ///< the protection has ended
  bool node_fails = false;       ///< not by a toleration: preemption fails on the whole node
  std::vector<OwnColumn> own{};  ///< the same columns for all pods
};

/// The number of protected pods that the short form of the list shows at most.
constexpr std::size_t kProtectedInShortForm = 20;

/// Which pods are protected against which preemptors, in the whole cluster. Rows that nobody sees (Question::tables,
/// Question::extent) may lack their reason and evidence.
struct Protections {
  std::string engine;
  std::string behaves;
  std::string against;           ///< `high (9000)`, `any higher priority`, a queue
  std::string never_preempts;    ///< why it preempts no pod, so that none has to tolerate it; empty: it may
  std::vector<Protection> rows;  ///< earliest end first
  std::vector<Gap> gaps;
  std::optional<Gap> unknown{};  ///< what the input lacks, so that it is not known which pods are protected
};

/// A pod, class or queue that might evict one given pod.
struct PossiblePreemptor {
  std::string who;       ///< a class, a pending pod, a queue
  std::string rank;      ///< its priority, or what else determines its rank
  bool pending = false;  ///< a pending pod, not only a possibility
  Instant from;          ///< Instant{}: at once; never: not while the cluster stays unchanged
  std::string rule;
  std::string why;
  std::vector<Evidence> evidence;
};

/// The reverse: the possible preemptors of one pod.
struct PossiblePreemptors {
  std::string engine;
  std::string behaves;
  PodId subject;
  std::string one = "class or pending pod";  ///< what a row stands for, singular and plural
  std::string many = "classes and pending pods";
  std::vector<PossiblePreemptor> rows;
  std::vector<Gap> gaps;
  std::optional<Gap> unknown{};  ///< a missing object without which none of them is known
};

}  // namespace previct
