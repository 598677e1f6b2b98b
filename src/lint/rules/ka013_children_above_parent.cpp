#include "lint/kai.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& ka013_children_above_parent_rule =
    Rule{.id = "KA013",
         .name = "children-above-parent",
         .severity = Severity::warning,
         .title = "quotas of child queues that add up to more than the quota of the parent",
         .why =
             "Shares are distributed from the top down, so the children cannot all get their quota at once. The "
             "webhook only warns, and only if it is enabled.",
         .how_to_fix = "Raise the quota of the parent, or lower the quotas of the children.",
         .source = "kai-scheduler/KAI-Scheduler pkg/scheduler/plugins/proportion (division of a level); queue webhook",
         .check = [](const Repository& repository, FindingSink& found) {
           const KaiQueues queues(repository);
           for (const KaiQueues::Queue& parent : queues.all()) {
             for (const char* name : {"cpu", "memory", "gpu"}) {
               const Value own = parent.spec()["resources"][name]["quota"];
               const double quota = kai_amount(own);
               if (!own || quota < 0) continue;
               double sum = 0;
               for (const KaiQueues::Queue& child : queues.all()) {
                 if (child.parent == &parent)
                   sum += std::max(0.0, kai_amount(child.spec()["resources"][name]["quota"]));
               }
               if (sum <= quota) continue;
               found.field(own, fmt::format("queue {}: its children have {} of {} in quotas, it has {}", parent.name(),
                                            sum, name, quota));
             }
           }
         }};

}  // namespace previct::lint
