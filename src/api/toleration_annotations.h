#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

/// KEP-205: the annotations of a PriorityClass by which its pods tolerate preemption, as the PreemptionToleration
/// plugin reads them. Used both by the engine and by lint.
/// Source: kubernetes-sigs/scheduler-plugins: apis/scheduling,
/// pkg/preemptiontoleration/preemption_toleration_policy.go.
namespace previct::kep205 {

/// The common prefix of the keys below and of older spellings, which no release reads.
inline constexpr std::string_view kAnyPrefix = "preemption-toleration.";
inline constexpr std::string_view kPrefix = "preemption-toleration.scheduling.x-k8s.io/";
inline constexpr std::string_view kMinimum = "preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority";
inline constexpr std::string_view kSeconds = "preemption-toleration.scheduling.x-k8s.io/toleration-seconds";

struct Policy {
  std::optional<std::int32_t> minimum_number;  ///< none: absent, or not an int32 in base 10
  std::optional<std::int64_t> seconds_number;  ///< none: absent, or not an int64 in base 10
  bool malformed = false;                      ///< one of them exists and does not parse: no toleration at all
  bool has_seconds = false;
  std::int32_t minimum_preemptable_priority =
      0;  ///< the effective value; without the annotation, the class's value + 1, which wraps as in Go
  std::int64_t toleration_seconds = 0;  ///< the effective value; without the annotation 0; negative: forever
};

/// Parses the texts of the annotations; none: absent.
[[nodiscard]] auto read_policy(std::int32_t class_value, std::optional<std::string_view> minimum,
                               std::optional<std::string_view> seconds) -> Policy;

}  // namespace previct::kep205
