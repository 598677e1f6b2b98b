#include "lint/kai.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& ka008_top_queue_decides_rule =
    Rule{.id = "KA008",
         .name = "top-queue-decides",
         .severity = Severity::info,
         .title = "a reclaim min-runtime that does not protect against other top-level queues",
         .why =
             "Between two top-level queues, with reclaimResolveMethod lca, only the value of the victim's top-level "
             "queue counts, or the default. Values of its descendants do not count.",
         .how_to_fix = "Set the value on the top-level queue, or use reclaimResolveMethod: queue.",
         .source =
             "kai-scheduler/KAI-Scheduler pkg/scheduler/plugins/minruntime/resolver.go; golden cases of different "
             "top queues",
         .check = [](const Repository& repository, FindingSink& found) {
           const KaiQueues queues(repository);
           const auto& shards = repository.of(kind::kKaiShard);
           const bool by_queue = std::any_of(shards.begin(), shards.end(), [](const Manifest* shard) {
             return shard->in("spec.plugins.minruntime.arguments.reclaimResolveMethod").is("queue");
           });
           const auto tops = std::count_if(queues.all().begin(), queues.all().end(),
                                           [](const KaiQueues::Queue& queue) { return queue.parent == nullptr; });
           if (by_queue || tops < 2) return;
           for (const KaiQueues::Queue& queue : queues.all()) {
             const Value own = queue.spec()["reclaimMinRuntime"];
             const auto path = KaiQueues::path(queue);
             if (kai_duration(own).value_or(0) <= 0 || path.size() < 2) continue;
             const Value above = path.front()->spec()["reclaimMinRuntime"];
             if (kai_duration(above).value_or(-1) >= *kai_duration(own)) continue;
             auto note = found.field(
                 own, fmt::format("queue {}: against other top-level queues {} applies, not {}", queue.name(),
                                  above ? fmt::format("{} of {}", above.text(), path.front()->name())
                                        : std::string("the default"),
                                  own.text()));
             if (above) note.related(above, fmt::format("queue {}", path.front()->name()));
           }
         }};

}  // namespace previct::lint
