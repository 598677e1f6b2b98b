#include "api/schedulers.h"

#include "api/pod.h"
#include "base/symbols.h"

#include <algorithm>

namespace previct {

auto SchedulerInfo::marks(const Pod& pod, const Symbols& symbols) const -> bool {
  const Symbol own_label = symbols.find(label);
  if (!label.empty() && own_label && pod.meta.labels.has(own_label)) return true;
  const Symbol own_gate = symbols.find(gate);
  return !gate.empty() && own_gate &&
         std::any_of(pod.spec.scheduling_gates.begin(), pod.spec.scheduling_gates.end(),
                     [&](const Named& each) { return each.name == own_gate; });
}

}  // namespace previct
