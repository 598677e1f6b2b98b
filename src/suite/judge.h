#pragma once

#include "suite/tested_cluster.h"
#include "tell/answer.h"
#include "tell/queue_protection.h"

namespace previct::suite {

/// An expectation that fails.
struct Failed {
  std::string what;  ///< `victims`, `outcome`, `tolerates`, …
  std::string want;
  std::string got;
  std::vector<std::string> because;  ///< the reasons, with `file:line:col` of the deciding fields
};

/// The classes, queues and rules that the cases involve.
struct Coverage {
  std::vector<std::string> classes, classes_seen;
  std::vector<std::string> queues, queues_seen;
  std::vector<std::string> rules_seen;

  /// Percentage of classes and queues that a suite exercises, rounded down; 100 if there are none.
  [[nodiscard]] auto percent() const -> std::uint32_t;
  void know(const Objects& objects);                        ///< adds everything that can be covered
  void see(const Answer& answer, const Snapshot& cluster);  ///< adds what a decision covers
  void see(const Protection& row, const Snapshot& cluster);
};

/// Returns the parts of `expect` that the answer fails. The answer must be a full one. If the scheduler may choose
/// between equal nodes, the expectation must hold for each of them.
[[nodiscard]] auto judge(const Expectation& expect, const Answer& answer, const Snapshot& cluster, Instant now)
    -> std::vector<Failed>;

/// The same for protections, without a preemptor.
[[nodiscard]] auto judge(const Expectation& expect, const Protections& protections, const Snapshot& cluster,
                         Instant now) -> std::vector<Failed>;

/// The same for the time for which a queue is protected.
[[nodiscard]] auto judge(const Lengths& expect, const QueueProtection& protection) -> std::vector<Failed>;

/// The pods that are evicted in some outcome that the scheduler may choose.
[[nodiscard]] auto possible_victims(const Answer& answer, const Snapshot& cluster) -> std::vector<std::string>;

}  // namespace previct::suite
