#include "lint/kai.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& ka009_lowers_parent_rule = Rule{
    .id = "KA009",
    .name = "lowers-parent",
    .severity = Severity::warning,
    .title = "a min-runtime lower than that of the parent queue",
    .why = "Against sibling queues, the lower value counts, so the protection of the parent does not hold among them.",
    .how_to_fix = "Remove the value to inherit the parent's, or raise it.",
    .source =
        "kai-scheduler/KAI-Scheduler pkg/scheduler/plugins/minruntime/resolver.go; worked examples of the "
        "design document (leaf1: 0s under 600s)",
    .check = [](const Repository& repository, FindingSink& found) {
      const KaiQueues queues(repository);
      for (const KaiQueues::Queue& queue : queues.all()) {
        const auto path = KaiQueues::path(queue);
        for (const char* key : {"reclaimMinRuntime", "preemptMinRuntime"}) {
          const Value own = queue.spec()[key];
          const auto nanos = kai_duration(own);
          if (!nanos || *nanos < 0) continue;
          for (std::size_t i = path.empty() ? 0 : path.size() - 1; i-- > 0;) {
            const Value above = path[i]->spec()[key];
            if (!above) continue;
            if (kai_duration(above).value_or(0) > *nanos) {
              found
                  .value(own, fmt::format("queue {} lowers {} from {} (queue {}) to {}", queue.name(), key,
                                          above.text(), path[i]->name(), own.text()))
                  .related(above, fmt::format("queue {}", path[i]->name()));
            }
            break;
          }
        }
      }
    }};

}  // namespace previct::lint
