#pragma once

#include "backtest/record.h"

#include <set>
#include <string>
#include <vector>

namespace previct::backtest {

/// The evictions of pods of one workload and class.
struct Toll {
  std::string workload{};
  std::string priority_class{};
  BySide<std::size_t> evictions{};
  BySide<double> cpu_hours{};
  BySide<double> device_hours{};
  std::size_t start_unknown = 0;  ///< victims whose lost work is not counted
  BySide<std::size_t> again{};    ///< evicted pods that started after an earlier eviction of their workload
  BySide<std::size_t>
      in_a_row{};  ///< the most evictions of the workload, each of a pod that started after the one before
  BySide<std::size_t> runs_finished{};  ///< pods that the states show to succeed, and that were not evicted before
  /// Of the evicted pods with an epoch:
  bool has_epoch = false;
  BySide<std::size_t> epochs_finished{};
  BySide<std::size_t> epochs_lost{};
  BySide<std::size_t> before_first{};  ///< pods that had finished no epoch
};

/// A pod that waited in one or more successive states.
struct Wait {
  std::string pod{};
  std::string workload{};
  std::string priority_class{};
  std::int64_t priority = 0;
  Instant since{};
  Instant last{};                             ///< the last state in which it pends
  BySide<std::optional<Instant>> gets{};      ///< the first state in which it gets a node; none: in no state
  BySide<std::vector<std::string>> evicts{};  ///< the victims that count for it

  /// Until it gets a node, or until it was last seen.
  [[nodiscard]] auto seconds(Side side) const -> std::int64_t;
};

/// A decision by the rules as they were that does not fit what happened next.
struct Difference {
  Instant at{};
  std::string pod{};
  std::string rules{};     ///< `preempts ml/a`
  std::string happened{};  ///< `pending`, `bound on n1`, `bound on n1, and ml/a still runs`
};

/// One state, for the curve.
struct Moment {
  Instant at{};
  std::size_t pending = 0;
  BySide<std::size_t> evictions{};  ///< that count for this state
  std::size_t happened = 0;         ///< preemptions that this state is the first to show
};

struct Backtest {
  std::vector<std::string> change{};
  std::vector<std::string> rules{};
  std::vector<std::string> gaps{};
  bool complete = true;
  std::vector<std::string> left_out{};  ///< states that cannot be read: the file, and why
  std::vector<Moment> moments{};
  std::vector<Toll> tolls{};  ///< most evictions first
  std::vector<Wait> waits{};
  BySide<std::size_t> budgets{};   ///< victims whose budget allows no more disruptions
  std::size_t finished = 0;        ///< pods that the states show to succeed
  BySide<std::size_t> runs_cut{};  ///< how many of them were evicted before
  /// Choices of a victim that counted as evicted before. In the cluster, another pod may be evicted in its place.
  BySide<std::size_t> chosen_again{};
  std::size_t undecided = 0;         ///< decisions that are not known
  std::size_t open = 0;              ///< decisions to evict pods in whose place others may be evicted
  std::size_t agree = 0;             ///< decisions by the rules as they were that fit what happened next
  std::vector<Difference> differ{};  ///< those that do not
  std::size_t unseen = 0;            ///< preemptors between two states whose decision no state shows
  std::size_t happened = 0;          ///< preemptions that the states show
  std::size_t expected = 0;          ///< those of a victim that the rules name
  std::int64_t usual_seconds = 0;    ///< the median distance of two states
  std::int64_t longest_seconds = 0;
  std::size_t long_distances = 0;  ///< longer than three times the median

  [[nodiscard]] auto evictions(Side side) const -> std::size_t;
  /// If each choice of a victim counts.
  [[nodiscard]] auto evictions_at_most(Side side) const -> std::size_t;
  /// The evictions of both sides, in the way to count by which the change costs more.
  [[nodiscard]] auto evictions_at_worst() const -> BySide<std::size_t>;
  /// The share of decisions that fit what happened, from 0 to 1; none if nothing can be compared.
  [[nodiscard]] auto agreement() const -> std::optional<double>;
};

/// Joins the records of all states, in the order of time. Fails if they are not all states of one backtest.
///
/// A decision that lets a pod in, or evicts others for it, counts once: in the first state in which it is made. Another
/// one counts if the pod did preempt others again. A pod is evicted at most once on each side. Each state is as it was
/// recorded: what a change would have altered in it is not known. A state that cannot be read is left out, and nothing
/// is compared with it. Fails if none can be read.
[[nodiscard]] auto join(std::vector<StateRecord> records) -> Result<Backtest>;

/// The records of a part of the states (`2/8`), which `--merge` joins with those of the other parts.
[[nodiscard]] auto part_report(const std::string& part, std::size_t states, Json records) -> Report;

/// `kind: BacktestReport`. `records`: the lines of jsonl.
[[nodiscard]] auto backtest_report(const Backtest& result, Json records, bool show_all, bool keeps_full) -> Report;

}  // namespace previct::backtest
