#include "tell/kube/evidence_fields.h"

#include "base/text.h"
#include "engine/kube/tolerance.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::kube {
namespace {

auto class_of(const Snapshot& cluster, PodId pod) -> const PriorityClass* {
  return cluster.priority_class(cluster.pod(pod).spec.priority_class_name);
}

auto has(const Snapshot& cluster, const PriorityClass& c, std::string_view annotation) -> bool {
  const Symbol key = cluster.symbol(annotation);
  return key && c.meta.annotations.has(key);
}

auto budget_of(const Snapshot& cluster, const Reason& violated) -> const PodDisruptionBudget& {
  return cluster.objects().disruption_budgets[static_cast<std::size_t>(violated.b)];
}

auto name_of(const Snapshot& cluster, const PodDisruptionBudget& budget) -> std::string {
  return fmt::format("{}/{}", cluster.text(budget.meta.ns), cluster.text(budget.meta.name));
}

}  // namespace

auto evidence_of(const Snapshot& cluster, PodId pod, const Reason& reason) -> std::vector<Evidence> {
  std::vector<Evidence> out;
  if (const PriorityClass* c = class_of(cluster, pod); c != nullptr && reason.rule != Rule::tolerance_no_class) {
    const bool minimum = reason.rule == Rule::tolerance_minimum_reached;
    const Rule field = minimum ? Rule::tolerance_minimum_reached : Rule::tolerance_forever;
    if (has(cluster, *c, minimum ? kMinimumAnnotation : kSecondsAnnotation)) {
      out.push_back({fmt::format("PriorityClass/{}", cluster.text(c->meta.name)), std::string(info(field).field),
                     c->meta.source});
    }
  }
  if (reason.rule == Rule::tolerance_runs || is_ended_tolerance(reason.rule)) {
    out.push_back({fmt::format("Pod/{}", cluster.key(pod)), std::string(info(Rule::tolerance_runs).field),
                   cluster.pod(pod).meta.source});
  }
  return out;
}

auto why_no_toleration(const Words& words, const Snapshot& cluster, PodId pod, const Reason& reason) -> std::string {
  if (reason.rule == Rule::tolerance_no_class) return "lower priority";
  const PriorityClass* c = class_of(cluster, pod);
  const bool silent = c != nullptr && !has(cluster, *c, kMinimumAnnotation) && !has(cluster, *c, kSecondsAnnotation);
  return silent && reason.rule == Rule::tolerance_minimum_reached ? "lower priority, no toleration"
                                                                  : words.ours(reason);
}

auto budget_words(const Snapshot& cluster, const Reason& violated) -> std::string {
  const PodDisruptionBudget& budget = budget_of(cluster, violated);
  const std::int32_t allowed = std::max(budget.status.disruptions_allowed, 0);
  if (allowed > 0) {
    return fmt::format("{} (allows {}, counted for other pods)", name_of(cluster, budget),
                       counted(static_cast<std::size_t>(allowed), "disruption", "disruptions"));
  }
  return fmt::format("{} (allows 0 more disruptions)", name_of(cluster, budget));
}

auto evidence_of_budget(const Snapshot& cluster, const Reason& violated) -> Evidence {
  const PodDisruptionBudget& budget = budget_of(cluster, violated);
  return {fmt::format("PodDisruptionBudget/{}", name_of(cluster, budget)), "status.disruptionsAllowed",
          budget.meta.source};
}

auto words_of_no_profile(std::string_view scheduler_name) -> std::string {
  return fmt::format("the scheduler has no profile named {}, so it never tries the pod", scheduler_name);
}

auto class_that_never_preempts(const Snapshot& cluster, PodId pod) -> const PriorityClass* {
  const PriorityClass* c = class_of(cluster, pod);
  return c != nullptr && c->preemption_policy == cluster.known().never ? c : nullptr;
}

}  // namespace previct::kube
