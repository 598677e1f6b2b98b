#pragma once

#include "analysis/subject.h"
#include "engine/engine.h"
#include "tell/answer.h"

#include <map>
#include <string>
#include <vector>

namespace previct {

/// An answer by names alone, so that it can be compared with that about another cluster.
struct Decision {
  bool asked = true;  ///< false: there is no such pod, or nobody can answer; `sentence` says why
  Outcome outcome = Outcome::pending;
  std::string node;
  std::vector<std::string> tied;
  /// `NAMESPACE/NAME`, most important first; of an engine that evicts other objects than pods these
  std::vector<std::string> victims;
  std::vector<std::string> assigned{};  ///< as in Verdict
  std::vector<std::string> possible;    ///< all that may be evicted, by name: on any node that ties, in any order
  bool open = false;                    ///< others may be evicted in place of some of them
  std::string sentence;
  Instant next_change = Instant::never();

  /// The same outcome, nodes and victims; how it is put and until when it holds may differ.
  friend auto operator==(const Decision& a, const Decision& b) -> bool {
    return a.asked == b.asked && a.outcome == b.outcome && a.node == b.node && a.tied == b.tied &&
           a.victims == b.victims && a.assigned == b.assigned && a.possible == b.possible;
  }
};

[[nodiscard]] auto decision_of(const Answer& answer, const Snapshot& cluster) -> Decision;

/// `preempts ml/a on gpu-1`, or the sentence if there is nobody to name.
[[nodiscard]] auto words_of(const Decision& decision) -> std::string;

/// What protects a pod from being preempted.
struct ProtectionSummary {
  std::string priority_class;  ///< `-` if it has none
  std::string words;           ///< `for 10m, against priority < 10000`, `forever, …`, `ended`

  friend auto operator==(const ProtectionSummary&, const ProtectionSummary&) -> bool = default;
};

/// A pod may have a row for each way of being evicted; the longest protection counts.
[[nodiscard]] auto longest_by_pod(const Protections& protections) -> std::map<PodId, const Protection*>;

/// All decisions and protections of one state of a cluster.
struct Stock {
  Instant now;
  struct Rules {
    std::string engine;
    std::string behaves;
    friend auto operator==(const Rules&, const Rules&) -> bool = default;
  };
  std::vector<Rules> rules;                   ///< of the protections, then of the decisions of other engines; each once
  std::map<std::string, Decision> decisions;  ///< by pod
  std::map<std::string, ProtectionSummary> shields;  ///< of the pods that have one
  std::vector<Gap> gaps;                             ///< each once
};

/// Asks about `subjects` (`NAMESPACE/NAME`; of those that are not there nothing is said) and about everybody's
/// protection. `engine`: as for choose_engine().
[[nodiscard]] auto take_stock(Objects& objects, const Question& question, const std::string& engine,
                              const std::vector<std::string>& subjects) -> Result<Stock>;

/// The pods that wait for a scheduler, of one namespace or (empty) of all.
[[nodiscard]] auto pending_names(Objects& objects, std::string_view ns) -> std::vector<std::string>;

}  // namespace previct
