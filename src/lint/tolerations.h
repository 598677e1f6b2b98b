#pragma once

#include "lint/repository.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace previct::lint {

inline constexpr std::string_view kTolerationPrefix = "preemption-toleration.scheduling.x-k8s.io/";
inline constexpr std::string_view kMinimumKey =
    "preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority";
inline constexpr std::string_view kSecondsKey = "preemption-toleration.scheduling.x-k8s.io/toleration-seconds";

/// The toleration that a PriorityClass declares, as the PreemptionToleration plugin reads it.
/// Source: kubernetes-sigs/scheduler-plugins pkg/preemptiontoleration/preemption_toleration_policy.go.
struct TolerationPolicy {
  const PriorityClassShape* of = nullptr;
  Value minimum = {};  ///< as written; nothing if the annotation is absent
  Value seconds = {};
  std::optional<std::int64_t> minimum_number = {};  ///< none: absent or no int32
  std::optional<std::int64_t> seconds_number = {};  ///< none: absent or no int64

  [[nodiscard]] auto broken() const -> bool {
    return (minimum && !minimum_number) || (seconds && !seconds_number);
  }
  /// What the plugin goes by: value + 1 if absent.
  [[nodiscard]] auto effective_minimum() const -> std::int64_t {
    return minimum_number.value_or(of->value.value_or(0) + 1);
  }
  /// Pods of the class are left alone by somebody for some time.
  [[nodiscard]] auto tolerates() const -> bool {
    return !broken() && of->value && effective_minimum() > *of->value + 1 && seconds_number.value_or(0) != 0;
  }
  [[nodiscard]] auto name() const -> const std::string& { return of->name; }
};

/// Of all classes with at least one of the two annotations.
[[nodiscard]] auto toleration_policies(const Repository& repository) -> std::vector<TolerationPolicy>;

}  // namespace previct::lint
