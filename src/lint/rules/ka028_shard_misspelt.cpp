#include "base/text.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& ka028_shard_misspelt_rule =
    Rule{.id = "KA028",
         .name = "shard-misspelt",
         .severity = Severity::error,
         .title = "a misspelled field or placement strategy of a SchedulingShard",
         .why =
             "kubectl refuses a field that the API does not have. If it is applied without validation, the API server "
             "drops the field, and the default applies. An unknown strategy counts as binpack for nodes, and as spread "
             "for shared GPUs.",
         .how_to_fix = "Correct the name.",
         .source =
             "kai-scheduler/KAI-Scheduler deployments/kai-scheduler/crds/kai.scheduler_schedulingshards.yaml, "
             "pkg/apis/kai/v1/schedulingshard_types.go, pkg/scheduler/plugins/nodeplacement",
         .check = [](const Repository& repository, FindingSink& found) {
           const std::vector<std::string> known = {"actions",
                                                   "args",
                                                   "goMemLimit",
                                                   "goMemLimitRatio",
                                                   "kValue",
                                                   "minRuntime",
                                                   "partitionLabelValue",
                                                   "placementStrategy",
                                                   "plugins",
                                                   "queueDepthPerAction",
                                                   "scenarioSearchBudgets",
                                                   "usageDBConfig"};
           for (const Manifest* shard : repository.of(kind::kKaiShard)) {
             for (const Value& field : (*shard)["spec"]) {
               if (std::find(known.begin(), known.end(), field.key()) != known.end()) continue;
               // An unknown field without a similar known one may belong to a newer release.
               if (const auto meant = nearest(field.key(), known)) {
                 found
                     .key(field,
                          fmt::format("shard {}: unknown field {}, did you mean {}?", shard->name, field.key(), *meant))
                     .fix_key(*meant);
               }
             }
             for (const Value& strategy : shard->in("spec.placementStrategy")) {
               if (strategy.is("binpack") || strategy.is("spread")) continue;
               found.value(strategy, fmt::format("shard {}: placement strategy \"{}\" is neither binpack nor spread",
                                                 shard->name, strategy.text()));
             }
           }
         }};

}  // namespace previct::lint
