#pragma once

#include "engine/queue_reach.h"
#include "engine/verdict.h"
#include "report/report.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace previct {

/// An amount and its text: `0.5`, `12Gi`.
struct Amount {
  double value = 0;
  std::string text;
};

/// The amounts of one resource for a queue. Absent: unlimited, or the engine has no such concept.
struct QueueAmounts {
  std::string resource;
  Amount allocated;
  std::optional<Amount> requested;   ///< including pending pods
  std::optional<Amount> quota;       ///< what the queue is entitled to: KAI's quota, YuniKorn's guaranteed share
  std::optional<Amount> fair_share;  ///< quota plus its part of what others leave, at this time
  std::optional<Amount> limit;
  std::optional<Amount> borrowed{};  ///< of Kueue: what it uses beyond its quota
  /// Of Kueue: what others use of its quota. If it is not known which of several lenders the amount is from, `value` is
  /// the most, and the text is a range: `0 to 2`.
  std::optional<Amount> lent{};
};

/// A queue of a tree; parents come before their children, siblings are ordered by name.
struct QueueLine {
  std::string name;
  std::uint32_t depth = 0;
  bool leaf = false;
  std::size_t running = 0;            ///< number of pods; pods of inner queues are counted in their leaf queues
  std::size_t pending = 0;            ///< number of pods
  std::vector<QueueAmounts> amounts;  ///< of resources for which some queue has a bound
};

/// The outcome of a pending pod, or of a group or workload: `who` is `ml/train`.
struct QueueAsk {
  std::string who;
  std::size_t queue = 0;  ///< index of the line
  std::size_t pods = 1;   ///< number of pending pods
  Outcome outcome = Outcome::pending;
  std::vector<PodId> victims;  ///< of all possible results
  std::vector<PodId> certain;  ///< those that every result has
  std::size_t most = 0;        ///< the largest number of victims of one result
  /// Objects that it evicts, with the line of their queue, whether or not their pods exist: `ml/a`.
  std::vector<std::pair<std::string, std::size_t>> evicted{};

  /// Adds a victim of the only result.
  void add_victim(PodId victim) {
    victims.push_back(victim);
    certain.push_back(victim);
    ++most;
  }
};

/// The queues of a scheduler that uses queues.
struct Queues {
  std::string engine;
  std::string behaves;
  std::string quota_word;         ///< the scheduler's name for it: `quota`, `guaranteed share`
  std::string limit_word;         ///< `limit`, `max`
  std::string others_verb;        ///< what a queue does to others: `reclaim from`, `preempt`
  std::string scheduler;          ///< name in sentences: `KAI Scheduler`
  std::string asks_noun = "pod";  ///< kind of subject: `pod`, `group`, `workload`
  std::vector<QueueLine> lines;
  std::vector<std::size_t> leaves;              ///< indices into lines
  std::vector<std::vector<QueueReach>> reach;   ///< [by][of], both as in `leaves`
  std::map<PodId, std::size_t> queue_of;        ///< the line of each running or pending pod
  std::map<std::string_view, std::string> why;  ///< rules of `reach` as text
  /// Ordered by name; absent: each pending pod needs a question of its own.
  std::optional<std::vector<QueueAsk>> asks;
  std::vector<Outcome> without_queue{};  ///< of Kueue: the outcomes of pending workloads that are in none of the queues
  std::vector<PodId>
      of_stale_gangs{};  ///< pods that KAI evicts for no other pod, as their gangs are below their minimum
  std::string refused;   ///< why the scheduler decides nothing at all; empty: it does
  std::vector<Gap> gaps;
  std::vector<std::string> notes;  ///< what the numbers omit
};

/// Returns the queues as bars, one picture for each resource: usage within the quota, above it, and above the fair
/// share. Omits resources that no queue uses, requests or is entitled to.
[[nodiscard]] auto queue_pictures(const Queues& queues) -> std::vector<Picture>;

/// Returns the same amounts as a table with one row for each queue and resource.
[[nodiscard]] auto queue_table(const Queues& queues) -> Table;

/// Returns the same amounts of one queue for documents: `[{resource, used, requested, quota, fairShare, limit}]`.
[[nodiscard]] auto resources_json(const QueueLine& line) -> Json;

}  // namespace previct
