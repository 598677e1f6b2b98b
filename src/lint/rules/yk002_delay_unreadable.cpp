#include "base/instant.h"
#include "lint/rule.h"
#include "lint/yunikorn.h"

namespace previct::lint {

const Rule& yk002_delay_unreadable_rule =
    Rule{.id = "YK002",
         .name = "delay-unreadable",
         .severity = Severity::error,
         .title = "a preemption.delay that is malformed or not above 0",
         .why = "The queue silently uses the default of 30s.",
         .how_to_fix = "Write a duration with a unit: 10s.",
         .source = "apache/yunikorn-core pkg/scheduler/objects/queue.go (preemption.delay)",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const YunikornQueue& queue : yunikorn_queues(repository)) {
             const Value delay = queue.property("preemption.delay");
             if (!delay || parse_go_duration(delay.text()).value_or(0) > 0) continue;
             found.value(delay,
                         fmt::format("queue {}: preemption.delay \"{}\" is not a duration above 0: 30s is used instead",
                                     queue.path, delay.text()));
           }
         }};

}  // namespace previct::lint
