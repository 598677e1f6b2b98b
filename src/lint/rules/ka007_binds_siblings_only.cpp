#include "lint/kai.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& ka007_binds_siblings_only_rule =
    Rule{.id = "KA007",
         .name = "binds-siblings-only",
         .severity = Severity::info,
         .title = "a reclaim min-runtime that protects only against sibling queues",
         .why =
             "With reclaimResolveMethod lca, the value of the child of the common ancestor counts. Against more "
             "distant queues, that child is an ancestor of this queue, whose value is lower or not set.",
         .how_to_fix = "Set the value on the ancestor queue, or use reclaimResolveMethod: queue.",
         .source =
             "kai-scheduler/KAI-Scheduler pkg/scheduler/plugins/minruntime/resolver.go; worked examples of the "
             "design document",
         .check = [](const Repository& repository, FindingSink& found) {
           const bool by_queue = std::any_of(
               repository.of(kind::kKaiShard).begin(), repository.of(kind::kKaiShard).end(), [](const Manifest* shard) {
                 return shard->in("spec.plugins.minruntime.arguments.reclaimResolveMethod").is("queue");
               });
           const KaiQueues queues(repository);
           for (const KaiQueues::Queue& queue : queues.all()) {
             const Value own = queue.spec()["reclaimMinRuntime"];
             const auto nanos = kai_duration(own);
             const auto path = KaiQueues::path(queue);
             if (by_queue || !nanos || *nanos <= 0 || path.size() < 3) continue;
             // Against pods of a queue with another parent, the first value that is set counts, from the parent upward.
             for (std::size_t i = path.size() - 1; i-- > 0;) {
               const Value above = path[i]->spec()["reclaimMinRuntime"];
               if (!above && i > 0) continue;
               if (above && kai_duration(above).value_or(0) >= *nanos) break;
               auto note = found.field(
                   own, fmt::format("queue {}: {} protects only against its siblings; against queues outside {} {}",
                                    queue.name(), own.text(), path[path.size() - 2]->name(),
                                    above ? fmt::format("it is {}", above.text()) : "the default counts"));
               if (above) note.related(above, fmt::format("queue {}", path[i]->name()));
               break;
             }
           }
         }};

}  // namespace previct::lint
