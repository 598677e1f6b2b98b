#include "api/toleration_annotations.h"

#include "base/go.h"

namespace previct::kep205 {

auto read_policy(std::int32_t class_value, std::optional<std::string_view> minimum,
                 std::optional<std::string_view> seconds) -> Policy {
  Policy policy;
  policy.minimum_preemptable_priority = static_cast<std::int32_t>(go::add(class_value, 1));
  if (minimum) {
    if (const auto value = go::parse_int(*minimum, 32)) policy.minimum_number = static_cast<std::int32_t>(*value);
    policy.minimum_preemptable_priority = policy.minimum_number.value_or(0);
    policy.malformed = !policy.minimum_number;
  }
  if (seconds) {
    policy.seconds_number = go::parse_int(*seconds, 64);
    policy.toleration_seconds = policy.seconds_number.value_or(0);
    policy.malformed = policy.malformed || !policy.seconds_number;
    policy.has_seconds = true;
  }
  return policy;
}

}  // namespace previct::kep205
