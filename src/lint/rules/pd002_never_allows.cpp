#include "lint/rule.h"

namespace previct::lint {

const Rule& pd002_never_allows_rule =
    Rule{.id = "PD002",
         .name = "never-allows",
         .severity = Severity::warning,
         .title = "a budget that never allows a disruption",
         .why =
             "It reads as a hard shield, but preemption only prefers nodes without a violation: when no node is left, "
             "it evicts the pods all the same. Meanwhile the budget blocks every drain.",
         .mend = "Protect pods by priority or a toleration, and let the budget allow one disruption.",
         .source =
             "kubernetes pkg/scheduler/framework/preemption (violations are counted, not forbidden); "
             "kubernetes/kubernetes#91492",
         .bad = R"(apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: web
spec:
  maxUnavailable: 0
  selector:
    matchLabels: {app: a}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  selector:
    matchLabels: {app: a}
  template:
    metadata:
      labels: {app: a}
    spec:
      containers:
      - name: c
        image: c
)",
         .good = R"(apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: web
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {app: a}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  selector:
    matchLabels: {app: a}
  template:
    metadata:
      labels: {app: a}
    spec:
      containers:
      - name: c
        image: c
)",
         .check = [](const Repository& repository, Found& found) {
           for (const Manifest* budget : repository.of(kind::kBudget)) {
             const Value most = budget->in("spec.maxUnavailable");
             const Value least = budget->in("spec.minAvailable");
             const Value at = most.is("0") || most.is("0%") ? most : least.is("100%") ? least : Value();
             if (!at || !budget->in("spec.selector")) continue;  // without one it covers no pod, says PD001
             found.field(at, fmt::format("budget {} never allows a disruption, and preemption may still evict its pods",
                                         budget->name));
           }
         }};

}  // namespace previct::lint
