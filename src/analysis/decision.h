#pragma once

#include "analysis/subject.h"
#include "base/shared_list.h"
#include "engine/engine.h"
#include "tell/answer.h"

#include <map>
#include <string>
#include <vector>

namespace previct {

/// An answer that holds names only, so that it can be compared with an answer about another cluster.
struct Decision {
  bool asked = true;  ///< false: the pod does not exist or no engine can answer; `sentence` says why
  Outcome outcome = Outcome::pending;
  std::string node;
  SharedList<std::string> tied;  ///< by name
  /// `NAMESPACE/NAME`, most important first; objects that are not pods if the engine evicts such objects.
  std::vector<std::string> victims;
  std::vector<std::string> assigned{};  ///< as in Verdict
  std::vector<std::string> one_end{};   ///< the victims of one end: fewer than `victims` if there are several
  SharedList<std::string> possible;     ///< every possible victim, by name: on any tied node, in any order
  std::int32_t pdb_violations = 0;      ///< victims whose budget allows no more disruptions
  bool open = false;                    ///< other pods may be evicted in place of some victims
  std::vector<std::string> certain{};   ///< the victims in whose place no other pod may be evicted
  std::string sentence;
  Instant next_change = Instant::never();

  /// Returns true if the scheduler chooses among equal nodes or pods; `node` and `victims` are then one choice.
  [[nodiscard]] auto chooses() const -> bool { return open || tied.size() > 1; }

  /// Compares outcome, nodes and victims, each as a set: which of several equal choices comes first depends on the
  /// order of objects. Wording and time of validity may differ.
  friend auto operator==(const Decision& a, const Decision& b) -> bool;
};

[[nodiscard]] auto decision_of(const Answer& answer, const Snapshot& cluster) -> Decision;

/// `preempts ml/a on gpu-1`, or the sentence if no victim can be named.
[[nodiscard]] auto words_of(const Decision& decision) -> std::string;

/// What protects a pod from being preempted.
struct ProtectionSummary {
  std::string priority_class;  ///< `-` if it has none
  std::string words;           ///< `for 10m, against priority < 10000`, `forever, …`, `ended`

  friend auto operator==(const ProtectionSummary&, const ProtectionSummary&) -> bool = default;
};

/// The longest protection of each pod, which may have one row for each kind of eviction.
[[nodiscard]] auto longest_by_pod(const Protections& protections) -> std::map<PodId, const Protection*>;

/// For how long a leaf queue protects its pods from those of another.
struct QueuePair {
  std::string victim;
  std::string preemptor;

  friend auto operator<=>(const QueuePair&, const QueuePair&) = default;
};
struct QueueLength {
  std::string action;
  std::int64_t nanos = 0;
  std::string length;
  std::string set_by;

  [[nodiscard]] auto words() const -> std::string;  ///< `3m0s (leaf2)`

  friend auto operator==(const QueueLength&, const QueueLength&) -> bool = default;
};
using QueueLengths = std::map<QueuePair, QueueLength>;

/// All decisions and protections of one state of a cluster.
struct ClusterDecisions {
  Instant now;
  struct Rules {
    std::string engine;
    std::string behaves;
    friend auto operator==(const Rules&, const Rules&) -> bool = default;
  };
  std::vector<Rules> rules;                   ///< of the protections, then of other engines' decisions; no duplicates
  std::map<std::string, Decision> decisions;  ///< by pod
  std::map<std::string, ProtectionSummary> shields;  ///< of the protected pods
  bool knows_protection = true;                      ///< false: the rules say nothing about it
  std::string queue_setting;                         ///< what the scheduler calls `queues`: `min-runtime`
  QueueLengths queues;                               ///< by pair of leaf queues
  std::size_t queues_left_out = 0;  ///< number of leaf queues, if they are too many to compare in pairs
  std::vector<Gap> gaps;            ///< without duplicates
};

/// Evaluates `subjects` (`NAMESPACE/NAME`; missing ones are skipped) and the protection of all pods. `engine`: as for
/// choose_engine().
[[nodiscard]] auto evaluate_cluster(Objects& objects, const Question& question, const std::string& engine,
                                    const std::vector<std::string>& subjects) -> Result<ClusterDecisions>;

/// Decides about `subjects` on one state, and writes the decisions to `stock`, and adds their rules and their gaps.
[[nodiscard]] auto decide_subjects(const Snapshot& cluster, const Question& question, const std::string& engine,
                                   const std::vector<std::string>& subjects, ClusterDecisions& stock) -> Result<void>;

/// The pending pods of one namespace or (empty) of all.
[[nodiscard]] auto pending_names(Objects& objects, std::string_view ns) -> std::vector<std::string>;

}  // namespace previct
