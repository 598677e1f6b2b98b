#include "base/go.h"
#include "base/text.h"
#include "lint/rule.h"

#include <optional>

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

}  // namespace

const Rule& pd002_never_allows_rule =
    Rule{.id = "PD002",
         .name = "never-allows",
         .severity = Severity::warning,
         .title = "a budget that never allows a disruption",
         .why =
             "It looks like complete protection, but preemption only prefers nodes without a violation: if there is no "
             "such node, it evicts the pods anyway. Meanwhile, the budget blocks every drain.",
         .how_to_fix = "Protect pods by priority or a toleration, and let the budget allow one disruption.",
         .source =
             "kubernetes pkg/scheduler/framework/preemption (violations are counted, not forbidden); "
             "kubernetes/kubernetes#91492",
         .check = [](const Repository& repository, FindingSink& found) {
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
             if (!at) continue;
             found.field(at, fmt::format("budget {} never allows a disruption, and preemption may still evict its pods",
                                         budget->name));
           }
         }};

}  // namespace previct::lint
