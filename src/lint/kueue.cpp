#include "lint/kueue.h"

#include <algorithm>

namespace previct::lint {

auto KueueQuota::amount(std::string_view field) const -> std::optional<Quantity> {
  const Value value = resource[field];
  return value ? Quantity::parse(value.text()) : std::nullopt;
}

auto kueue_quotas(const Manifest& queue) -> std::vector<KueueQuota> {
  std::vector<KueueQuota> all;
  for (const Value& group : queue.in("spec.resourceGroups")) {
    for (const Value& flavor : group["flavors"]) {
      for (const Value& resource : flavor["resources"]) all.push_back({flavor, resource});
    }
  }
  return all;
}

auto kueue_cohort(const Manifest& queue) -> Value {
  const Value named = queue.in("spec.cohortName");
  return named ? named : queue.in("spec.cohort");
}

auto kueue_policy(const Manifest& queue, std::string_view field) -> std::string_view {
  const std::string_view policy = queue.in("spec.preemption")[field].text();
  return policy.empty() ? "Never" : policy;
}

auto find_named(const Repository& repository, std::string_view kind, std::string_view name, std::string_view ns)
    -> const Manifest* {
  if (name.empty()) return nullptr;  // what has no name is not what is not named
  const auto& all = repository.of(kind);
  const auto found = std::find_if(all.begin(), all.end(), [&](const Manifest* each) {
    return each->name == name && (ns.empty() || each->ns == ns);
  });
  return found == all.end() ? nullptr : *found;
}

auto has_condition(const Manifest& workload, std::string_view type) -> bool {
  for (const Value& each : workload.in("status.conditions")) {
    if (each["type"].is(type)) return each["status"].is("True");
  }
  return false;
}

auto is_pending_workload(const Manifest& workload) -> bool {
  return !has_condition(workload, "Finished") && !has_condition(workload, "QuotaReserved") &&
         !workload.in("spec.active").is("false");
}

auto queue_of_workload(const Repository& repository, const Manifest& workload) -> const Manifest* {
  const Manifest* const local =
      find_named(repository, kind::kLocalQueue, workload.in("spec.queueName").text(), workload.ns);
  if (local == nullptr) return nullptr;
  return find_named(repository, kind::kClusterQueue, local->in("spec.clusterQueue").text());
}

}  // namespace previct::lint
