#pragma once

#include "engine/engine.h"
#include "engine/yunikorn/configuration.h"
#include "engine/yunikorn/partition_context.h"
#include "engine/yunikorn/quota_preemption.h"

#include <memory>
#include <string>

namespace previct::yunikorn {

/// What all questions about one cluster share, built once: the configuration that was read, and the queues with their
/// pods.
struct Known {
  explicit Known(const Snapshot& /*cluster*/) {}

  std::string brought;  // inputs from the question: others need another core
  std::shared_ptr<const Setup> setup;
  std::shared_ptr<const PartitionContext> core;
  std::shared_ptr<const std::vector<QuotaPreemption>> quota;
};

/// Errors: those of read_setup; a queue that is nested too deeply.
[[nodiscard]] auto known(const Snapshot& cluster, const Question& question) -> Result<const Known*>;

}  // namespace previct::yunikorn
