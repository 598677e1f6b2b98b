#include "lint/rule.h"

namespace previct::lint {

const Rule& po011_not_a_string_rule =
    Rule{.id = "PO011",
         .name = "not-a-string",
         .severity = Severity::error,
         .title = "a label or annotation that is not a string",
         .why = "The API takes strings only: a number or a boolean without quotes makes it refuse the whole object.",
         .mend = "Put the value into quotes.",
         .source = "kubernetes apimachinery ObjectMeta (map[string]string)",
         .bad = R"(apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: low
  annotations:
    preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority: 10000
    preemption-toleration.scheduling.x-k8s.io/toleration-seconds: 600
value: 8000
)",
         .good = R"(apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata:
  name: low
  annotations:
    preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority: "10000"
    preemption-toleration.scheduling.x-k8s.io/toleration-seconds: "600"
value: 8000
)",
         .check = [](const Repository& repository, Found& found) {
           const auto check = [&](const Value& metadata) {
             for (const char* map : {"annotations", "labels"}) {
               for (const Value& entry : metadata[map]) {
                 if (entry.is_string()) continue;
                 auto note = found.value(
                     entry, fmt::format("{} {} is not a string",
                                        map == std::string_view("labels") ? "label" : "annotation", entry.key()));
                 if (entry.is_scalar()) note.fix_value(quoted(entry.text()));
               }
             }
           };
           for (const Manifest& manifest : repository.manifests()) {
             if (has_known_api(manifest)) check(manifest["metadata"]);
           }
           for (const PodShape& pod : repository.pods()) {
             if (!pod.is_pod && has_known_api(*pod.manifest)) check(pod.metadata);
           }
         }};

}  // namespace previct::lint
