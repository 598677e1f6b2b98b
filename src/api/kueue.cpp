#include "api/kueue.h"

#include "api/schedulers.h"
#include "base/symbols.h"

#include <algorithm>
#include <string>

namespace previct::kueue {
namespace {

constexpr std::size_t kMostDomains = 100'000;         // of one slice; the API allows no more
constexpr std::size_t kMostText = 16U * 1024 * 1024;  // of the expanded values of one assignment

// Returns false if the slice contradicts itself, or would become too large.
auto expand(const TopologySlice& slice, std::size_t levels, Symbols& symbols, std::size_t& text,
            std::vector<TopologyDomain>& domains) -> bool {
  if (slice.domain_count < 0 || static_cast<std::size_t>(slice.domain_count) > kMostDomains ||
      slice.values_per_level.size() != levels)
    return false;
  const auto count = static_cast<std::size_t>(slice.domain_count);
  const auto fits = [&](const LevelValues& each) { return each.universal || each.individual.roots.size() == count; };
  if (!std::all_of(slice.values_per_level.begin(), slice.values_per_level.end(), fits)) return false;
  if (!slice.pod_counts.universal && slice.pod_counts.individual.size() != count) return false;
  for (std::size_t i = 0; i < count; ++i) {
    TopologyDomain& domain = domains.emplace_back();
    domain.count = slice.pod_counts.universal ? *slice.pod_counts.universal : slice.pod_counts.individual[i];
    for (const LevelValues& each : slice.values_per_level) {
      if (each.universal) {
        domain.values.push_back(*each.universal);
        continue;
      }
      std::string value(symbols.text(each.individual.prefix));
      value += symbols.text(each.individual.roots[i]);
      value += symbols.text(each.individual.suffix);
      text += value.size();
      if (text > kMostText) return false;
      domain.values.push_back(symbols.intern(value));
    }
  }
  return true;
}

void expand(TopologyAssignment& assignment, Symbols& symbols) {
  std::vector<TopologyDomain> domains;
  std::size_t text = 0;
  for (const TopologySlice& slice : assignment.slices) {
    if (domains.size() > kMostDomains || !expand(slice, assignment.levels.size(), symbols, text, domains)) return;
  }
  assignment.domains.insert(assignment.domains.end(), domains.begin(), domains.end());
  assignment.slices.clear();
}

}  // namespace

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
  if (!status.admission) return;
  for (PodSetAssignment& set : status.admission->pod_sets) {
    if (set.topology) expand(*set.topology, symbols);
  }
}

auto is_managed(const Pod& pod, const Symbols& symbols) -> bool {
  return schedulers::kueue.marks(pod, symbols);
}

}  // namespace previct::kueue
