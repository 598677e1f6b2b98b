#include "lint/kai.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& ka012_limit_unset_rule =
    Rule{.id = "KA012",
         .name = "limit-unset",
         .severity = Severity::warning,
         .title = "a queue with a quota whose limit is 0 or not set",
         .why =
             "An unset limit is 0: the queue may not use the resource at all, not even within its quota. -1 means "
             "unlimited.",
         .how_to_fix = "Write limit: -1, or the intended number.",
         .source =
             "kai-scheduler/KAI-Scheduler docs/queues/README.md (limit: 0 or unset) and "
             "pkg/scheduler/plugins/proportion (allocated + asked > limit is refused)",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const Manifest* queue : repository.of(kind::kKaiQueue)) {
             for (const Value& resource : queue->in("spec.resources")) {
               const std::string_view name = resource.key();
               if (name != "cpu" && name != "gpu" && name != "memory") continue;  // KA020 reports it as unused
               const Value limit = resource["limit"];
               if (!resource["quota"] || resource["quota"].is("0") || (limit && kai_amount(limit) != 0)) continue;
               auto note = limit ? found.field(limit, "") : found.key(resource, "");
               note.say(fmt::format("queue {}: the limit of {} is {}, so no pod may use it; -1 means unlimited",
                                    queue->name, name, limit ? "0" : "not set, which is 0"));
             }
           }
         }};

}  // namespace previct::lint
