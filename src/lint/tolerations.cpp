#include "lint/tolerations.h"

#include "base/go.h"

namespace previct::lint {

auto toleration_policies(const Repository& repository) -> std::vector<TolerationPolicy> {
  std::vector<TolerationPolicy> policies;
  for (const PriorityClassShape& each : repository.classes()) {
    const Value annotations = each.annotations();
    TolerationPolicy policy{.of = &each, .minimum = annotations[kMinimumKey], .seconds = annotations[kSecondsKey]};
    if (!policy.minimum && !policy.seconds) continue;
    if (policy.minimum) policy.minimum_number = go::parse_int(policy.minimum.text(), 32);
    if (policy.seconds) policy.seconds_number = go::parse_int(policy.seconds.text(), 64);
    policies.push_back(policy);
  }
  return policies;
}

}  // namespace previct::lint
