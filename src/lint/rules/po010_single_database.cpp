#include "lint/rule.h"

#include <optional>

namespace previct::lint {

const Rule& po010_single_database_rule =
    Rule{.id = "PO010",
         .name = "single-database",
         .severity = Severity::warning,
         .title = "a StatefulSet of one replica in the lowest class",
         .why = "Its only pod is among the first victims, and no other replica takes over.",
         .how_to_fix = "Give it a class above the work that may be interrupted.",
         .source = "kubernetes pkg/scheduler/framework/preemption (lowest priority is evicted first)",
         .bad = R"(apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: low
value: 100
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: high
value: 9000
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: db
spec:
  replicas: 1
  selector:
    matchLabels: {app: a}
  template:
    metadata:
      labels: {app: a}
    spec:
      priorityClassName: low
      containers:
      - name: c
        image: c
)",
         .good = R"(apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: low
value: 100
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: high
value: 9000
---
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: db
spec:
  replicas: 1
  selector:
    matchLabels: {app: a}
  template:
    metadata:
      labels: {app: a}
    spec:
      priorityClassName: high
      containers:
      - name: c
        image: c
)",
         .check = [](const Repository& repository, FindingSink& found) {
           std::optional<std::int64_t> lowest;
           for (const PriorityClassShape& each : repository.classes()) {
             if (each.manifest != nullptr && each.value && (!lowest || *each.value < *lowest)) lowest = each.value;
           }
           for (const PodShape& pod : repository.pods()) {
             const Value replicas = pod.manifest->in("spec.replicas");
             if (!pod.of("StatefulSet") || pod.class_name().empty() || (replicas && !replicas.is("1"))) continue;
             if (repository.of(kind::kPriorityClass).size() < 2 || repository.priority_of(pod) != lowest) continue;
             found.value(pod.spec["priorityClassName"], fmt::format("{} has one replica and the lowest class, {}",
                                                                    pod.manifest->identity(), pod.class_name()));
           }
         }};

}  // namespace previct::lint
