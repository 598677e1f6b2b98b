#pragma once

#include "analysis/report_context.h"
#include "engine/engine.h"
#include "tell/queue_protection.h"
#include "tell/queues.h"

#include <map>
#include <optional>
#include <vector>

namespace previct {

/// Which queues can evict pods of which queues, and the effect of the pending pods.
struct QueueFleet : Queues {
  std::string ns;                               ///< the namespace of the pending pods in question; empty: all
  std::vector<QueueAsk> pending;                ///< by name
  std::vector<Answer> answers;                  ///< one per entry of `pending`; only fields for --fail-on are set
  std::optional<QueueProtections> protections;  ///< lengths of the protection between queues, if there is any
  std::vector<Gap> left_out;                    ///< what is pending for other schedulers
  /// The pending pods that `pending` omits, without a known queue or group, decided one by one; empty if too many.
  std::map<Outcome, std::size_t> others;
};

/// For schedulers with queues. KAI's groups are decided together in one cycle; YuniKorn's pods are decided separately.
[[nodiscard]] auto queue_fleet(const Engine& engine, const Snapshot& cluster, const Question& question)
    -> Result<QueueFleet>;

/// `kind: QueueFleetReport`.
[[nodiscard]] auto queue_fleet_report(const QueueFleet& fleet, const ReportContext& context) -> Report;

}  // namespace previct
