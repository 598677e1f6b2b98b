#include "lint/rule.h"
#include "lint/selectors.h"

namespace previct::lint {

const Rule& pd008_matches_nothing_rule =
    Rule{.id = "PD008",
         .name = "matches-nothing",
         .severity = Severity::warning,
         .title = "a budget whose selector matches no pod and no template",
         .why =
             "The budget protects nobody: often a label was renamed in the template and not here. (Nothing is said if "
             "the input holds no pods of the namespace.)",
         .mend = "Compare the selector with the labels of the template.",
         .source = "the input itself",
         .bad = R"(apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: web
spec:
  minAvailable: 1
  selector:
    matchLabels: {app: webb}
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
  minAvailable: 1
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
             const Value selector = budget->in("spec.selector");
             if (!selector || is_empty_selector(selector)) continue;
             bool any = false;
             bool matched = false;
             for (const PodShape& pod : repository.pods()) {
               if (!same_namespace(pod.ns(), budget->ns)) continue;
               any = true;
               matched = matched || selects(selector, pod.labels());
             }
             if (any && !matched)
               found.field(selector, fmt::format("budget {} matches no pod and no template", budget->name));
           }
         }};

}  // namespace previct::lint
