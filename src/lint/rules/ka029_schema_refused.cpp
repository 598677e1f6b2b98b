#include "lint/kai_schema.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& ka029_schema_refused_rule = Rule{
    .id = "KA029",
    .name = "schema-refused",
    .severity = Severity::error,
    .title = "an object of KAI that the API server refuses",
    .why = "A field that the CRD requires is missing, or the CRD does not allow a value. The object is not created.",
    .how_to_fix = "Correct the value that the finding names.",
    .source = "kai-scheduler/KAI-Scheduler deployments/kai-scheduler/crds (0.17)",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const Manifest& manifest : repository.manifests()) {
        for (SchemaFault& fault : faults_of_kai(manifest)) {
          if (fault.kind == SchemaFault::Kind::refused) found.field(fault.at, std::move(fault.message));
        }
      }
    }};

}  // namespace previct::lint
