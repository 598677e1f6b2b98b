#pragma once

#include "engine/yunikorn/quota_preemption.h"
#include "report/report.h"

#include <string>
#include <vector>

/// Quota preemption in words.
namespace previct::yunikorn {

/// `queue root.a uses more than its max (vcore 1): 1m after …, the scheduler evicts ns/w`, without the full stop.
[[nodiscard]] auto quota_words(const PartitionContext& core, const QuotaPreemption& one) -> std::string;

/// `the scheduler evicts it 1m after …: the queue uses more than its max (vcore 1)`; empty for pods that are not
/// evicted.
[[nodiscard]] auto quota_words(const PartitionContext& core, const std::vector<QuotaPreemption>& all, PodId pod)
    -> std::string;

/// Returns the lines of all queues, and the order of eviction. `all` must not be empty.
[[nodiscard]] auto quota_paragraph(const PartitionContext& core, const std::vector<QuotaPreemption>& all) -> Paragraph;

[[nodiscard]] auto quota_json(const PartitionContext& core, const std::vector<QuotaPreemption>& all) -> Json;

}  // namespace previct::yunikorn
