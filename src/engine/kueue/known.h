#pragma once

#include "engine/engine.h"
#include "engine/kueue/course.h"
#include "engine/kueue/inventory.h"

#include <array>
#include <memory>
#include <string>

namespace previct::kueue {

/// What all questions about one cluster need, made once.
struct Known {
  explicit Known(const Snapshot& /*cluster*/) {}

  std::string brought;  // what the question brought: another one, other settings
  std::shared_ptr<const Inventory> inventory;
  Instant moment;  // of the futures
  std::array<std::unique_ptr<Future>, 2> futures;
};

/// Errors: the Configuration cannot be read; cohorts are nested too deep to be walked.
[[nodiscard]] auto known(const Snapshot& cluster, const Question& question) -> Result<std::shared_ptr<const Inventory>>;

/// From the moment of the question on; after known(). Kept, so that many questions about one moment share it.
[[nodiscard]] auto future(const Snapshot& cluster, const Question& question, Controller::Ties ties) -> Future&;

}  // namespace previct::kueue
