#include "lint/rule.h"

namespace previct::lint {

const Rule& du007_no_api_version_rule =
    Rule{.id = "DU007",
         .name = "no-api-version",
         .severity = Severity::error,
         .title = "an object without apiVersion",
         .why = "kubectl refuses the object: apiVersion is not set. The samples in KEP-205 have this mistake.",
         .how_to_fix = "Add the apiVersion of the kind.",
         .source = "kubernetes apimachinery pkg/runtime/serializer/json (Object 'apiVersion' is missing)",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const Manifest& manifest : repository.manifests()) {
             const Value kind = manifest["kind"];
             if (!kind || manifest["apiVersion"] || manifest.wrapper != nullptr) continue;
             if (manifest.group.empty() && manifest.kind != "Pod") continue;  // a kind of another tool
             found.value(kind, fmt::format("{} has no apiVersion", manifest.identity()));
           }
         }};

}  // namespace previct::lint
