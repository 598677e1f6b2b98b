#include "lint/rule.h"
#include "lint/tolerations.h"

namespace previct::lint {

const Rule& pt009_not_on_class_rule =
    Rule{.id = "PT009",
         .name = "not-on-class",
         .severity = Severity::error,
         .title = "a toleration that is not an annotation of a PriorityClass",
         .why =
             "The plugin reads the annotations of PriorityClasses and nothing else: on pods, templates and "
             "namespaces, and as labels, the keys do nothing.",
         .how_to_fix = "Move both keys to the annotations of the PriorityClass that the pods name.",
         .source =
             "kubernetes-sigs/scheduler-plugins pkg/preemptiontoleration/preemption_toleration.go "
             "(getPriorityClass, then its annotations)",
         .check = [](const Repository& repository, FindingSink& found) {
           const auto check = [&](const Value& map, std::string_view where) {
             for (const Value& entry : map) {
               if (!entry.key().starts_with(kTolerationPrefix)) continue;
               found.key(entry, fmt::format("{} has no effect on {}", entry.key(), where))
                   .note("only annotations of a PriorityClass are read");
             }
           };
           for (const Manifest& manifest : repository.manifests()) {
             const bool is_class = manifest.kind == "PriorityClass";
             if (!is_class) check(manifest.in("metadata.annotations"), fmt::format("a {}", manifest.kind));
             check(manifest.in("metadata.labels"), is_class ? "labels" : fmt::format("a {}", manifest.kind));
           }
           for (const PodShape& pod : repository.pods()) {
             if (!pod.is_pod) check(pod.metadata["annotations"], "a template");
           }
         }};

}  // namespace previct::lint
