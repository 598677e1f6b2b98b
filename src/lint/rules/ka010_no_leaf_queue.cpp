#include "lint/kai.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& ka010_no_leaf_queue_rule = Rule{
    .id = "KA010",
    .name = "no-leaf-queue",
    .severity = Severity::error,
    .title = "a workload in a queue that does not exist or has child queues",
    .why =
        "Groups in such queues are never scheduled, and pods that already run are neither protected nor evicted. (An "
        "unknown queue is reported only if the input has queues.)",
    .how_to_fix = "Use a queue without children.",
    .source = "kai-scheduler/KAI-Scheduler docs/queues/README.md (only leaf queues)",
    .check = [](const Repository& repository, FindingSink& found) {
      const KaiQueues queues(repository);
      if (queues.all().empty()) return;
      const auto check = [&](const Value& name) {
        if (name.text().empty()) return;
        const KaiQueues::Queue* queue = queues.find(name.text());
        if (queue == nullptr) {
          // A sample may name a queue that is created elsewhere; a cluster has all of its queues.
          if (!repository.is_whole() || repository.tree().has(kind::kKaiQueue, name.text())) return;
          found.value(name, fmt::format("no queue {} in the input", name.text()));
        } else if (!queue->leaf) {
          found.value(name, fmt::format("queue {} has child queues: workloads in it are never scheduled", name.text()))
              .related(queue->manifest->in("metadata.name"), "the queue");
        }
      };
      for (const PodShape& pod : repository.pods()) {
        if (pod.authored()) check(pod.labels()["kai.scheduler/queue"]);
      }
      for (const Manifest& manifest : repository.manifests()) {
        if (manifest.kind != "Pod") check(manifest.in("metadata.labels")["kai.scheduler/queue"]);
      }
      for (const Manifest* group : repository.of(kind::kKaiPodGroup)) check(group->in("spec.queue"));
    }};

}  // namespace previct::lint
