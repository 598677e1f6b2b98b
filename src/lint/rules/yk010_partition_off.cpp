#include "lint/rule.h"
#include "lint/yunikorn.h"

namespace previct::lint {

const Rule& yk010_partition_off_rule =
    Rule{.id = "YK010",
         .name = "partition-off",
         .severity = Severity::warning,
         .title = "queues have preemption settings, but preemption is disabled for the partition",
         .why =
             "With preemption.enabled: false in the partition, queues do not preempt each other, and their "
             "preemption.policy and preemption.delay have no effect. (Preemption for DaemonSets stays enabled.)",
         .how_to_fix = "Remove the settings, or enable preemption.",
         .source = "apache/yunikorn-core pkg/scheduler/partition.go (isPreemptionEnabled)",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const YunikornQueue& queue : yunikorn_queues(repository)) {
             const Value enabled = queue.partition["preemption"]["enabled"];
             if (!enabled.is("false")) continue;
             for (const char* key : {"preemption.policy", "preemption.delay"}) {
               const Value property = queue.property(key);
               if (!property) continue;
               found
                   .field(property,
                          fmt::format("queue {}: {} has no effect, because preemption is disabled", queue.path, key))
                   .related(enabled, "here");
             }
           }
         }};

}  // namespace previct::lint
