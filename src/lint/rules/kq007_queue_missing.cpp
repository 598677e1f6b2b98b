#include "lint/kueue.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& kq007_queue_missing_rule = Rule{
    .id = "KQ007",
    .name = "queue-missing",
    .severity = Severity::error,
    .title = "a queue that does not exist, or is stopped",
    .why =
        "A workload whose LocalQueue is missing or stopped, or whose LocalQueue names a ClusterQueue that is missing "
        "or stopped, is in no queue. It waits without an event of the scheduler.",
    .how_to_fix = "Correct the name, create the queue, or set its stopPolicy to None.",
    .source = "kubernetes-sigs/kueue pkg/cache/queue/manager.go, pkg/controller/core/workload_controller.go",
    .check = [](const Repository& repository, FindingSink& found) {
      const bool knows_queues = !repository.of(kind::kClusterQueue).empty();
      const auto stopped = [](const Manifest& queue) {
        const Value policy = queue.in("spec.stopPolicy");
        return policy && !policy.is("None");
      };
      for (const Manifest* local : repository.of(kind::kLocalQueue)) {
        const Value name = local->in("spec.clusterQueue");
        const Manifest* const queue = find_named(repository, kind::kClusterQueue, name.text());
        if (queue != nullptr && stopped(*queue)) {
          found
              .value(name,
                     fmt::format("LocalQueue {}/{}: ClusterQueue {} is stopped", local->ns, local->name, name.text()))
              .related(queue->in("spec.stopPolicy"), "here");
        }
        if (queue != nullptr || !knows_queues || name.text().empty() || repository.is_partial()) continue;
        if (repository.tree().has(kind::kClusterQueue, name.text())) continue;
        found.value(name, fmt::format("LocalQueue {}/{}: no ClusterQueue {} in the input", local->ns, local->name,
                                      name.text()));
      }
      const bool knows_locals = !repository.of(kind::kLocalQueue).empty();
      for (const Manifest* workload : repository.of(kind::kKueueWorkload)) {
        if (!knows_locals || !is_pending_workload(*workload)) continue;
        const Value name = workload->in("spec.queueName");
        const Manifest* const local = find_named(repository, kind::kLocalQueue, name.text(), workload->ns);
        if (local != nullptr && !stopped(*local)) continue;
        const std::string message = fmt::format("Workload {}/{}: LocalQueue {} {}", workload->ns, workload->name,
                                                name.text(), local == nullptr ? "is not in the input" : "is stopped");
        name ? found.value(name, message)
             : found.object(*workload, fmt::format("Workload {}/{} names no LocalQueue", workload->ns, workload->name));
      }
    }};

}  // namespace previct::lint
