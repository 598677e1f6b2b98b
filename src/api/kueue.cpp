#include "api/kueue.h"

#include "api/schedulers.h"
#include "base/symbols.h"

namespace previct::kueue {

void ClusterQueue::unpack(Symbols& symbols) {
  if (!spec.cohort) spec.cohort = spec.cohort_of_v1beta1;
  spec.cohort_of_v1beta1 = {};
  if (spec.admission_checks.checks.empty()) {
    for (const Symbol check : spec.admission_checks_of_v1beta1) spec.admission_checks.checks.push_back({check, {}});
  }
  spec.admission_checks_of_v1beta1.clear();
  for (Symbol* const rule : {&spec.fungibility.when_can_borrow, &spec.fungibility.when_can_preempt}) {
    const std::string_view word = symbols.text(*rule);
    if (word == "Borrow" || word == "Preempt") *rule = symbols.intern("MayStopSearch");
  }
}

void Workload::unpack(Symbols& symbols) {
  const std::string_view source = symbols.text(spec.class_source_of_v1beta1);
  if (!spec.priority_class.name && spec.class_name_of_v1beta1) {
    const bool of_pods = source.starts_with("scheduling.k8s.io");
    spec.priority_class.name = spec.class_name_of_v1beta1;
    spec.priority_class.group = symbols.intern(of_pods ? "scheduling.k8s.io" : "kueue.x-k8s.io");
    spec.priority_class.kind = symbols.intern(of_pods ? "PriorityClass" : "WorkloadPriorityClass");
  }
  spec.class_name_of_v1beta1 = {};
  spec.class_source_of_v1beta1 = {};
}

auto is_managed(const Pod& pod, const Symbols& symbols) -> bool {
  return schedulers::kueue.marks(pod, symbols);
}

}  // namespace previct::kueue
