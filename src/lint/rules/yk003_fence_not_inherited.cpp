#include "base/ascii.h"
#include "engine/yunikorn/config.h"
#include "lint/rule.h"
#include "lint/yunikorn.h"

namespace previct::lint {

const Rule& yk003_fence_not_inherited_rule =
    Rule{.id = "YK003",
         .name = "fence-not-inherited",
         .severity = Severity::info,
         .title = "a fenced parent queue whose child queues are not fenced",
         .why =
             "The fence keeps the preemption of the queues below it within the parent queue. It does not protect these "
             "queues from each other, because the only value of preemption.policy that children inherit is disabled.",
         .how_to_fix = "If the children should not preempt each other, set fence on them as well.",
         .source = "apache/yunikorn-core pkg/scheduler/objects/queue.go (filterParentProperty)",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const YunikornQueue& queue : yunikorn_queues(repository)) {
             const Value policy = queue.property("preemption.policy");
             const Value children = queue.queue["queues"];
             if (lower_case(policy.text()) != "fence" || children.size() < 2) continue;
             const bool fenced = std::any_of(children.begin(), children.end(), [](const Value& child) {
               return static_cast<bool>(child["properties"]["preemption.policy"]);
             });
             if (!fenced)
               found.field(policy,
                           fmt::format("the {} queues below {} may preempt each other", children.size(), queue.path));
           }
         }};

}  // namespace previct::lint
