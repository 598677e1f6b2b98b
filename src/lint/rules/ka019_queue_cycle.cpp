#include "lint/kai.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& ka019_queue_cycle_rule =
    Rule{.id = "KA019",
         .name = "queue-cycle",
         .severity = Severity::error,
         .title = "queues whose parents form a cycle",
         .why = "The scheduler follows the parents without end, because it does not check for cycles.",
         .how_to_fix = "Set another parent for one of them.",
         .source =
             "kai-scheduler/KAI-Scheduler pkg/scheduler/plugins/proportion (walk to the top); no check in the "
             "webhook",
         .check = [](const Repository& repository, FindingSink& found) {
           const KaiQueues queues(repository);
           for (const KaiQueues::Queue& queue : queues.all()) {
             if (!queue.in_cycle) continue;
             found.value(queue.spec()["parentQueue"],
                         fmt::format("queue {} is its own ancestor, through {}", queue.name(), queue.parent->name()));
           }
         }};

}  // namespace previct::lint
