#include "lint/rule.h"

namespace previct::lint {

const Rule& po011_not_a_string_rule =
    Rule{.id = "PO011",
         .name = "not-a-string",
         .severity = Severity::error,
         .title = "a label or annotation that is not a string",
         .why = "The API takes strings only: a number or a boolean without quotes makes it refuse the whole object.",
         .how_to_fix = "Put the value into quotes.",
         .source =
             "kubernetes apimachinery ObjectMeta (map[string]string); kustomize kyaml/yaml setMapInMetadata, which "
             "quotes the annotations of every object that kustomize builds",
         .check = [](const Repository& repository, FindingSink& found) {
           const auto check = [&](const Value& map, std::string_view what) {
             for (const Value& entry : map) {
               if (entry.is_string()) continue;
               auto note = found.value(entry, fmt::format("{} {} is not a string", what, entry.key()));
               if (entry.is_scalar()) note.fix_quotes();
             }
           };
           for (const Manifest& manifest : repository.manifests()) {
             if (!has_known_api(manifest)) continue;
             check(manifest.in("metadata.labels"), "label");
             // kustomize writes annotations as strings; it does not change labels and templates.
             if (!repository.scope().kustomized) check(manifest.in("metadata.annotations"), "annotation");
           }
           for (const PodShape& pod : repository.pods()) {
             if (pod.is_pod || !has_known_api(*pod.manifest)) continue;
             check(pod.metadata["annotations"], "annotation");
             check(pod.labels(), "label");
           }
         }};

}  // namespace previct::lint
