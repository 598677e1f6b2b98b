#include "lint/rule.h"

namespace previct::lint {

const Rule& pt008_annotation_singular_rule =
    Rule{.id = "PT008",
         .name = "annotation-singular",
         .severity = Severity::error,
         .title = "metadata.annotation instead of metadata.annotations",
         .why =
             "metadata has no field annotation. Lenient clients drop it silently, and with it the toleration. Samples "
             "of KEP-205, and copies of them, have it.",
         .how_to_fix = "Write annotations.",
         .source = "kubernetes apimachinery pkg/apis/meta/v1/types.go ObjectMeta; samples of KEP-205",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const Manifest& manifest : repository.manifests()) {
             if (const Value field = manifest.in("metadata.annotation")) {
               found.key(field, "unknown field metadata.annotation, did you mean annotations?").fix_key("annotations");
             }
           }
           for (const PodShape& pod : repository.pods()) {
             const Value field = pod.metadata["annotation"];
             if (pod.is_pod || !field) continue;
             found.key(field, "unknown field metadata.annotation, did you mean annotations?").fix_key("annotations");
           }
         }};

}  // namespace previct::lint
