#pragma once

#include "engine/engine.h"
#include "engine/kueue/course.h"
#include "engine/kueue/inventory.h"

#include <map>
#include <memory>
#include <string>

namespace previct::kueue {

/// What all questions about one cluster share, built once.
struct Known {
  explicit Known(const Snapshot& /*cluster*/) {}

  std::string brought;  // inputs from the question: others need other settings
  std::shared_ptr<const Inventory> inventory;
  Instant moment;  // time of the futures
  std::map<TieOrder, Future> futures;
};

/// Errors: the Configuration cannot be read; cohorts are nested too deeply.
[[nodiscard]] auto known(const Snapshot& cluster, const Question& question) -> Result<std::shared_ptr<const Inventory>>;

/// Returns the future from the time of the question on; call known() first. Cached, so that many questions about one
/// time share it.
[[nodiscard]] auto future(const Snapshot& cluster, const Question& question, TieOrder ties) -> Future&;

}  // namespace previct::kueue
