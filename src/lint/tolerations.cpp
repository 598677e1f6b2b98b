#include "lint/tolerations.h"

namespace previct::lint {

auto toleration_policies(const Repository& repository) -> std::vector<TolerationPolicy> {
  std::vector<TolerationPolicy> policies;
  for (const PriorityClassShape& each : repository.classes()) {
    const Value annotations = each.annotations();
    TolerationPolicy policy{.of = &each, .minimum = annotations[kMinimumKey], .seconds = annotations[kSecondsKey]};
    if (!policy.minimum && !policy.seconds) continue;
    const auto text = [](const Value& value) { return value ? std::optional(value.text()) : std::nullopt; };
    // A class value that the API server would refuse counts as absent.
    const std::int64_t value = each.value.value_or(0);
    const bool fits = value >= INT32_MIN && value <= INT32_MAX;
    policy.read =
        kep205::read_policy(static_cast<std::int32_t>(fits ? value : 0), text(policy.minimum), text(policy.seconds));
    policies.push_back(policy);
  }
  return policies;
}

}  // namespace previct::lint
