#include "lint/rule.h"

namespace previct::lint {

const Rule& ka021_saturation_name_rule = Rule{
    .id = "KA021",
    .name = "saturation-name",
    .severity = Severity::warning,
    .title = "a saturation multiplier under a name that is not read",
    .why =
        "The proportion plugin reads the argument under the misspelled name relcaimerSaturationMultiplier. It ignores "
        "the name in the project's guide, and the correct spelling.",
    .how_to_fix = "Write relcaimerSaturationMultiplier, as in the code.",
    .source = "kai-scheduler/KAI-Scheduler pkg/scheduler/plugins/proportion (argument names)",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const Manifest* shard : repository.of(kind::kKaiShard)) {
        for (const char* name : {"reclaimerUtilizationMultiplier", "reclaimerSaturationMultiplier"}) {
          const Value argument = shard->in("spec.plugins.proportion.arguments")[name];
          if (!argument) continue;
          found
              .key(argument, fmt::format("argument {} is not read; the code reads relcaimerSaturationMultiplier", name))
              .fix_key("relcaimerSaturationMultiplier");
        }
      }
    }};

}  // namespace previct::lint
