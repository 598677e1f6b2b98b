#include "base/contains.h"
#include "base/go.h"
#include "base/text.h"
#include "lint/budget_index.h"
#include "lint/rule.h"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

namespace previct::lint {
namespace {

/// The number of pods of a budget in a dump, if its controller requires all of them to be healthy.
/// Source: kubernetes pkg/controller/disruption/disruption.go getExpectedPodCount, updatePdbStatus, v1.35.
auto pods_that_all_count(const Manifest& budget) -> std::optional<std::int64_t> {
  const auto number = [&](const char* path) { return go::parse_int(budget.in(path).text(), 64); };
  const auto pods = number("status.expectedPods");
  const auto healthy = number("status.desiredHealthy");
  if (!budget.stored || !pods || !healthy || *pods < 1 || *healthy < *pods) return {};
  if (number("status.observedGeneration") != number("metadata.generation")) return {};
  return pods;
}

/// The pods that manifests promise a budget, if they say so: the replicas of Deployments and the like that it selects.
/// Unknown if it selects anything else, or if something else sets the number of replicas.
class Replicas {
 public:
  explicit Replicas(const Repository& repository) : repository_(repository) {
    const BudgetIndex index(repository);
    for (const PodShape& pod : repository.pods()) {
      for (const Manifest* budget : index.of(pod)) {
        Sum& sum = sums_[budget];
        // The API server sets 1 if it is left out. Source: pkg/apis/apps/v1/defaults.go SetDefaults_Deployment.
        const Value written = pod.manifest->in("spec.replicas");
        const auto replicas = written ? go::parse_int(written.text(), 32) : std::optional<std::int64_t>(1);
        const bool counted = contains({"Deployment", "StatefulSet", "ReplicaSet", "ReplicationController"},
                                      std::string_view(pod.manifest->kind));
        sum.known = sum.known && counted && !pod.is_pod && replicas;
        sum.pods += replicas.value_or(0);
        sum.by_default = sum.by_default || !written;
        sum.of.push_back(pod.manifest);
      }
    }
  }

  struct Sum {
    bool known = true;
    std::int64_t pods = 0;
    bool by_default = false;  ///< some manifest leaves the replicas out
    std::vector<const Manifest*> of = {};
  };
  /// The pods of the budget if it requires all of them. A percentage is rounded up.
  /// Source: kubernetes pkg/controller/disruption/disruption.go getExpectedPodCount, v1.35.
  [[nodiscard]] auto all_required(const Manifest& budget) const -> const Sum* {
    const auto found = sums_.find(&budget);
    if (repository_.is_partial() || budget.stored || found == sums_.end()) return nullptr;
    const Sum& sum = found->second;
    const Value least = budget.in("spec.minAvailable");
    std::string_view text = least.text();
    const bool percentage = least.is_string() && text.ends_with('%');
    if (percentage) text.remove_suffix(1);
    const auto number = go::parse_int(text, 32);
    if (!sum.known || sum.pods < 1 || !number || (least.is_string() && !percentage)) return nullptr;
    const std::int64_t healthy = percentage ? (*number * sum.pods + 99) / 100 : *number;
    return healthy >= sum.pods && !is_scaled(sum) ? &sum : nullptr;
  }

 private:
  /// Returns true if an autoscaler or a kustomization may set the replicas.
  [[nodiscard]] auto is_scaled(const Sum& sum) const -> bool {
    const auto& all = repository_.tree().manifests();
    return std::any_of(all.begin(), all.end(), [&](const Manifest& each) {
      if (each.kind == "Kustomization" && each["replicas"]) return true;
      const Value target = each.in("spec.scaleTargetRef.name");  // a HorizontalPodAutoscaler, a ScaledObject
      return target && std::any_of(sum.of.begin(), sum.of.end(),
                                   [&](const Manifest* workload) { return target.is(workload->name); });
    });
  }

  const Repository& repository_;
  std::map<const Manifest*, Sum> sums_;
};

}  // namespace

const Rule& pd002_never_allows_rule = Rule{
    .id = "PD002",
    .name = "never-allows",
    .severity = Severity::warning,
    .title = "a budget that never allows a disruption",
    .why =
        "It looks like complete protection, but preemption only prefers nodes without a violation: if there is no "
        "such node, it evicts the pods anyway. Meanwhile, the budget blocks every drain. A budget that requires "
        "as many pods as its workloads have replicas allows none either, for example minAvailable: 1 with replicas: "
        "1, which is also the default.",
    .how_to_fix = "Protect pods by priority or a toleration, and let the budget allow one disruption.",
    .source =
        "kubernetes pkg/scheduler/framework/preemption (violations are counted, not forbidden); "
        "kubernetes/kubernetes#91492",
    .check = [](const Repository& repository, FindingSink& found) {
      if (repository.of(kind::kBudget).empty()) return;
      const Replicas replicas(repository);
      for (const Manifest* budget : repository.of(kind::kBudget)) {
        const Value most = budget->in("spec.maxUnavailable");
        const Value least = budget->in("spec.minAvailable");
        const Value at = most.is("0") || most.is("0%") ? most : least.is("100%") ? least : Value();
        if (!budget->in("spec.selector")) continue;  // PD001 reports that it covers no pod
        const Value limit = most ? most : least;
        if (const auto pods = at || !limit ? std::nullopt : pods_that_all_count(*budget)) {
          found.field(limit, fmt::format("budget {} allows no disruption of its {}: it wants {} healthy, and "
                                         "preemption may still evict them",
                                         budget->name, counted(static_cast<std::size_t>(*pods), "pod", "pods"),
                                         budget->in("status.desiredHealthy").text()));
        }
        const Replicas::Sum* const all = at || most ? nullptr : replicas.all_required(*budget);
        if (all != nullptr) {
          const std::string pods = all->pods == 1 ? "the only replica" : fmt::format("all {} replicas", all->pods);
          const char* defaults = all->by_default ? " (replicas defaults to 1, unless an autoscaler sets it)" : "";
          found.field(least, fmt::format("budget {} allows no disruption: minAvailable {} requires {} of {}{}{}, and "
                                         "preemption may still evict its pods",
                                         budget->name, least.text(), pods, all->of.front()->identity(),
                                         and_more(all->of.size()), defaults));
        }
        if (!at) continue;
        found.field(at, fmt::format("budget {} never allows a disruption, and preemption may still evict its pods",
                                    budget->name));
      }
    }};

}  // namespace previct::lint
