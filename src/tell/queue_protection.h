#pragma once

#include "engine/gap.h"
#include "tell/answer.h"

#include <cstdint>
#include <string>
#include <vector>

namespace previct {

/// How long a pod of one leaf queue is protected, from its start, against pods of other queues, by the settings of
/// queues alone.
struct QueueProtection {
  std::string victim;
  std::vector<std::string> preemptors;  ///< leaf queues against which it is protected in this way, by name
  std::string action;                   ///< what the preemptors do: `reclaim`; `preempt` within the queue
  std::int64_t nanos = 0;               ///< 0 or less: never
  std::string length;                   ///< `3m0s`
  std::string set_by;                   ///< the queue whose setting applies, or the origin of the default
  std::string path;                     ///< how the setting was found
  std::vector<Evidence> evidence;
};

struct QueueProtections {
  std::string engine;
  std::string behaves;
  std::string setting;                ///< the scheduler's name for it: `min-runtime`
  std::vector<std::string> leaves;    ///< the leaf queues that are compared, by name
  std::vector<QueueProtection> rows;  ///< by victim, then action, then preemptors
  std::vector<Gap> gaps;
};

}  // namespace previct
