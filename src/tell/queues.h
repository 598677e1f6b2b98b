#pragma once

#include "engine/queue_reach.h"
#include "engine/verdict.h"
#include "report/report.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct {

/// An amount and how people write it: `0.5`, `12Gi`.
struct Amount {
  double value = 0;
  std::string text;
};

/// What a queue has of one resource. Absent: without end, or the engine has no such thing.
struct QueueAmounts {
  std::string resource;
  Amount allocated;
  std::optional<Amount> requested;   ///< pending pods included
  std::optional<Amount> quota;       ///< what it is entitled to: KAI's quota, YuniKorn's guaranteed share
  std::optional<Amount> fair_share;  ///< quota and its part of what others leave, at this moment
  std::optional<Amount> limit;
};

/// A queue of a tree; parents stand before their children, siblings by name.
struct QueueLine {
  std::string name;
  std::uint32_t depth = 0;
  bool leaf = false;
  std::size_t running = 0;            ///< pods; those of inner queues are in their leaves
  std::size_t pending = 0;            ///< pods
  std::vector<QueueAmounts> amounts;  ///< of resources that some queue is bounded in
};

/// What comes of a pending pod, or of a group or workload: `who` is `ml/train`.
struct QueueAsk {
  std::string who;
  std::size_t queue = 0;  ///< index of the line
  std::size_t pods = 1;   ///< that are pending
  Outcome outcome = Outcome::pending;
  std::vector<PodId> victims;
};

/// The queues of a scheduler that goes by them.
struct Queues {
  std::string engine;
  std::string behaves;
  std::string quota_word;         ///< what this scheduler calls it: `quota`, `guaranteed share`
  std::string limit_word;         ///< `limit`, `max`
  std::string others_verb;        ///< what a queue does to others: `reclaim from`, `preempt`
  std::string scheduler;          ///< as sentences name it: `KAI Scheduler`
  std::string asks_noun = "pod";  ///< what is asked about: `pod`, `group`, `workload`
  std::vector<QueueLine> lines;
  std::vector<std::size_t> leaves;              ///< indices into lines
  std::vector<std::vector<QueueReach>> reach;   ///< [by][of], both as in `leaves`
  std::map<PodId, std::size_t> queue_of;        ///< the line of each running or pending pod
  std::map<std::string_view, std::string> why;  ///< rules of `reach` in words
  std::optional<std::vector<QueueAsk>> asks;    ///< by name; absent: each pending pod is to be asked about
  std::string refused;                          ///< why the scheduler decides nothing at all; empty: it does
  std::vector<Gap> gaps;
  std::vector<std::string> notes;  ///< what the numbers leave out
};

/// The queues as bars, one picture for each resource: what is used within the quota, above it, and above the fair
/// share. Without those that nobody uses, asks for or is entitled to.
[[nodiscard]] auto queue_pictures(const Queues& queues) -> std::vector<Picture>;

/// The same amounts in a table: a row for each queue and resource.
[[nodiscard]] auto queue_table(const Queues& queues) -> Table;

}  // namespace previct
