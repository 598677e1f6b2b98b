#pragma once

#include "engine/engine.h"
#include "engine/yunikorn/configuration.h"
#include "engine/yunikorn/partition_context.h"

#include <memory>
#include <string>

namespace previct::yunikorn {

/// What all questions about one cluster need, made once: the configuration read, the queues filled.
struct Known {
  explicit Known(const Snapshot& /*cluster*/) {}

  std::string brought;  // what the question brought: another one, another core
  std::shared_ptr<const Setup> setup;
  std::shared_ptr<const PartitionContext> core;
};

/// Errors: as of read_setup; a queue that is named too deep to be walked.
[[nodiscard]] auto known(const Snapshot& cluster, const Question& question) -> Result<const Known*>;

}  // namespace previct::yunikorn
