#include "base/go.h"
#include "lint/rule.h"
#include "lint/yunikorn.h"

#include <vector>

namespace previct::lint {
namespace {

/// Returns true if the queue has a setting that only matters if it preempts.
auto wants_to_preempt(const YunikornQueue& queue) -> bool {
  const auto offset = go::parse_int(queue.property("priority.offset").text(), 32);
  return queue.property("preemption.delay") || (offset && *offset > 0);
}

}  // namespace

const Rule& yk005_no_guarantee_rule =
    Rule{.id = "YK005",
         .name = "no-guarantee",
         .severity = Severity::warning,
         .title = "a queue with preemption settings but without guaranteed resources",
         .why =
             "A queue can preempt only up to its guaranteed resources. If neither the queue nor an ancestor has "
             "guaranteed resources, its pods never preempt pods of other queues, whatever their priority, offset or "
             "delay. (Pods of a DaemonSet still "
             "preempt on their node.)",
         .how_to_fix = "Set guaranteed resources for the queue.",
         .source =
             "apache/yunikorn-core pkg/scheduler/objects/preemption.go (guarantees check); "
             "apache/yunikorn-core#639, #636",
         .check = [](const Repository& repository, FindingSink& found) {
           const std::vector<YunikornQueue> queues = yunikorn_queues(repository);
           const auto guaranteed = [](const YunikornQueue& queue) {
             return queue.queue["resources"]["guaranteed"].size() > 0;
           };
           if (std::none_of(queues.begin(), queues.end(), guaranteed)) return;
           for (const YunikornQueue& queue : queues) {
             if (!queue.leaf()) continue;
             bool any = guaranteed(queue);
             for (std::size_t at = queue.parent; at != YunikornQueue::kNone && !any; at = queues[at].parent) {
               any = guaranteed(queues[at]);
             }
             const Value name = queue.queue["name"];
             if (any || !name || !wants_to_preempt(queue)) continue;
             found.value(name, fmt::format("queue {} has no guarantee and cannot preempt other queues", queue.path));
           }
         }};

}  // namespace previct::lint
