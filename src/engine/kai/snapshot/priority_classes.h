#pragma once

#include "cluster/snapshot.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace previct::kai {

/// The values of the PriorityClasses. If the input has none, they are those of the pods that name the class, because
/// the API server has set them and no value of a class can change; then those that KAI's chart gives its own classes.
/// Source: kai-scheduler/KAI-Scheduler deployments/kai-scheduler/templates/priorityclasses; kubernetes/kubernetes
/// plugin/pkg/admission/priority/admission.go, pkg/apis/scheduling/validation ValidatePriorityClassUpdate, v1.35.
class PriorityClasses {
 public:
  explicit PriorityClasses(const Snapshot& cluster);

  /// None: the class does not exist, or its value is not known.
  [[nodiscard]] auto value_of(std::string_view name) const -> std::optional<std::int32_t>;

 private:
  std::unordered_map<std::string_view, std::int32_t> values_;
};

}  // namespace previct::kai
