#include "base/text.h"
#include "lint/kai_schema.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& ka030_field_unknown_rule = Rule{
    .id = "KA030",
    .name = "field-unknown",
    .severity = Severity::warning,
    .title = "a field of an object of KAI that its CRD does not have",
    .why =
        "kubectl refuses the object. If it is applied without validation, the API server drops the field, and the "
        "default applies. (KA020 and KA028 report misspelled fields of queues and shards.)",
    .how_to_fix = "Correct the name. If a newer release of KAI has the field, ignore this rule.",
    .source = "kai-scheduler/KAI-Scheduler deployments/kai-scheduler/crds (0.5 to 0.17)",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const Manifest& manifest : repository.manifests()) {
        for (const SchemaFault& fault : faults_of_kai(manifest)) {
          if (fault.kind != SchemaFault::Kind::unknown) continue;
          const bool near = !fault.meant.empty();
          const std::string hint = near ? fmt::format(", did you mean {}?", fault.meant) : "";
          // KA028 reports misspelled fields.
          if (near && manifest.kind == "SchedulingShard" && fault.message.rfind('.') == 4) continue;
          auto note = found.key(
              fault.at, fmt::format("{}: the CRD of KAI has no field {}{}", manifest.identity(), fault.message, hint));
          if (near) note.fix_key(fault.meant);
        }
      }
    }};

}  // namespace previct::lint
