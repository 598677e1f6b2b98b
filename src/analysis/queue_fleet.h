#pragma once

#include "analysis/report_context.h"
#include "engine/engine.h"
#include "tell/queues.h"

#include <vector>

namespace previct {

/// Which queue can evict pods of which, and whom it would hit.
struct QueueFleet : Queues {
  std::string ns;                 ///< whose pending pods were asked about; empty: all
  std::vector<QueueAsk> pending;  ///< by name
  std::vector<Answer> answers;    ///< the same, as far as conditions (--fail-on) look at them
};

/// Of schedulers that go by queues. KAI's groups are decided in one cycle, as it does; YuniKorn's pods each alone.
[[nodiscard]] auto queue_fleet(const Engine& engine, const Snapshot& cluster, const Question& question)
    -> Result<QueueFleet>;

/// `kind: QueueFleetReport`.
[[nodiscard]] auto queue_fleet_report(const QueueFleet& fleet, const ReportContext& context) -> Report;

}  // namespace previct
