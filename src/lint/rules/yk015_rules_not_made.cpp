#include "engine/yunikorn/config.h"
#include "engine/yunikorn/config_check.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& yk015_rules_not_made_rule =
    Rule{.id = "YK015",
         .name = "placement-rules-not-made",
         .severity = Severity::error,
         .title = "a placement rule that cannot be created",
         .why =
             "YuniKorn still loads the configuration. When it starts, it creates no placement rule at all and rejects "
             "every application.",
         .how_to_fix = "Correct the rule: provided, tag (with a value), user, or fixed (with the name of a queue).",
         .source = "apache/yunikorn-core pkg/scheduler/placement/placement.go NewPlacementManager, rule.go newRule",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const Manifest* manifest : repository.of(kind::kYunikornQueues)) {
             auto config = yunikorn::read_config(manifest->tape, 0, FileId{0});
             if (!config || !yunikorn::check(*config)) continue;  // YK012 reports it
             for (const yunikorn::PartitionConfig& partition : config->partitions) {
               if (const auto fault = yunikorn::rules_fault(partition)) found.failure(*manifest, *fault);
             }
           }
         }};

}  // namespace previct::lint
