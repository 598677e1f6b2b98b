#pragma once

#include "engine/kueue/account.h"

#include <string>
#include <string_view>
#include <vector>

/// The messages of Kueue itself, byte for byte. Source: kubernetes-sigs/kueue v0.19.0 pkg/scheduler/scheduler.go,
/// pkg/scheduler/flavorassigner, pkg/scheduler/preemption, pkg/controller/core/workload_controller.go.
namespace previct::kueue {

/// `insufficient unused quota for cpu in flavor spot, 2 more needed`
[[nodiscard]] auto message_of(const WhyNot& why, const Inventory& inventory) -> std::string;

/// Condition QuotaReserved of the workload after the cycle.
[[nodiscard]] auto message_of(const Entry& entry, const Inventory& inventory) -> std::string;
[[nodiscard]] auto reason_of(const Entry& entry, const Inventory& inventory) -> std::string_view;

/// Condition Preempted of a victim.
[[nodiscard]] auto preempted_message(const Entry& entry, const Target& target, const Controller& start) -> std::string;

/// The events of the workload in that cycle, as `TYPE REASON: NOTE`, sorted.
[[nodiscard]] auto events_of(const Entry& entry, const Controller& start) -> std::vector<std::string>;

/// Condition QuotaReserved of a workload that is in no queue.
struct QuotaReservedCondition {
  std::string reason;
  std::string message;
};
[[nodiscard]] auto condition_of(const EngineTrace& account) -> QuotaReservedCondition;

/// `admitted`, `noFit`, `noLocalQueue` …
[[nodiscard]] auto outcome_name(EntryOutcome outcome) -> std::string_view;
[[nodiscard]] auto not_queued_name(NotQueued why) -> std::string_view;
[[nodiscard]] auto phase_name(Phase phase) -> std::string_view;
[[nodiscard]] auto no_candidate_name(NoCandidate why) -> std::string_view;
[[nodiscard]] auto passed_over_name(PassedOver why) -> std::string_view;
[[nodiscard]] auto strategy_name(FairStrategy strategy) -> std::string_view;

/// Returns the name of the ClusterQueue in which the workload is pending, or whose quota it holds, whether it exists or
/// not; may be empty.
[[nodiscard]] auto queue_name(const EngineTrace& account) -> std::string_view;

}  // namespace previct::kueue
