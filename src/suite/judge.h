#pragma once

#include "suite/tested_cluster.h"
#include "tell/answer.h"
#include "tell/queue_protection.h"

namespace previct::suite {

/// An expectation that does not hold.
struct Failed {
  std::string what;  ///< `victims`, `outcome`, `tolerates`, …
  std::string want;
  std::string got;
  std::vector<std::string> because;  ///< what decides it, with `file:line:col` of the deciding fields
};

/// Which classes, queues and rules the cases had to do with.
struct Coverage {
  std::vector<std::string> classes, classes_seen;
  std::vector<std::string> queues, queues_seen;
  std::vector<std::string> rules_seen;

  /// Of 100, as many of the classes and queues as a suite exercises, rounded down; 100 if there are none.
  [[nodiscard]] auto percent() const -> std::uint32_t;
  void know(const Objects& objects);                        ///< what there is to be covered
  void see(const Answer& answer, const Snapshot& cluster);  ///< a decision
  void see(const Protection& row, const Snapshot& cluster);
};

/// What of `expect` the answer does not keep. The answer must be a full one. Where the scheduler may choose between
/// equal nodes, the expectation has to hold for each of them.
[[nodiscard]] auto judge(const Expectation& expect, const Answer& answer, const Snapshot& cluster, Instant now)
    -> std::vector<Failed>;

/// The same for what is protected, where nobody asks.
[[nodiscard]] auto judge(const Expectation& expect, const Protections& protections, const Snapshot& cluster,
                         Instant now) -> std::vector<Failed>;

/// The same for how long a queue is protected.
[[nodiscard]] auto judge(const Lengths& expect, const QueueProtection& protection) -> std::vector<Failed>;

/// The pods that any outcome the scheduler may choose would evict.
[[nodiscard]] auto possible_victims(const Answer& answer, const Snapshot& cluster) -> std::vector<std::string>;

}  // namespace previct::suite
