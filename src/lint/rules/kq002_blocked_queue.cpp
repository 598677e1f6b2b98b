#include "lint/kueue_state.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& kq002_blocked_queue_rule = Rule{
    .id = "KQ002",
    .name = "blocked-queue",
    .severity = Severity::warning,
    .title = "a StrictFIFO ClusterQueue whose first workload waits while later ones would fit",
    .why = "StrictFIFO admits no workload before the first one, however small the others are.",
    .how_to_fix = "Use BestEffortFIFO, or make the first workload fit.",
    .source = "kubernetes-sigs/kueue pkg/cache/queue/cluster_queue.go RequeueIfNotPresent; #8309, #4809",
    .check = [](const Repository& repository, FindingSink& found) {
      const KueueState& state = repository.derived<KueueState>();
      const KueueState::Tried* first = nullptr;
      bool told = false;
      for (const KueueState::Tried& each : state.tried()) {
        if (first == nullptr || first->queue != each.queue) {
          first = &each;
          told = false;
          continue;
        }
        const bool waits = first->nomination.assignment.mode() != kueue::Mode::fit && first->nomination.targets.empty();
        const bool strict = state.inventory()->queues()[each.queue].strict;
        if (told || !strict || !waits || each.nomination.assignment.mode() != kueue::Mode::fit) continue;
        told = true;
        const Manifest* const queue = state.manifest_of(each.queue);
        if (queue == nullptr) continue;
        found.field(queue->in("spec.queueingStrategy"),
                    fmt::format("ClusterQueue {}: {} keeps {} waiting, which would fit", queue->name,
                                state.inventory()->workloads()[first->workload].key,
                                state.inventory()->workloads()[each.workload].key));
      }
    }};

}  // namespace previct::lint
