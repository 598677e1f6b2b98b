#include "lint/rule.h"
#include "lint/selectors.h"

namespace previct::lint {

const Rule& pd007_disrupted_lingers_rule = Rule{
    .id = "PD007",
    .name = "disrupted-lingers",
    .severity = Severity::warning,
    .title = "a pod that its budget counts as evicted, although it still runs",
    .why =
        "Pods in status.disruptedPods were granted an eviction. The scheduler does not count them again, so that "
        "preempting them is free; normally they are gone after two minutes.",
    .how_to_fix = "Find out why the eviction was not carried out; the controller forgets the entry after two minutes.",
    .source =
        "kubernetes pkg/scheduler/framework/plugins/defaultpreemption/default_preemption.go "
        "(filterPodsWithPDBViolation) (DisruptedPods)",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const Manifest* budget : repository.of(kind::kBudget)) {
        for (const Value& entry : budget->in("status.disruptedPods")) {
          for (const PodShape& pod : repository.pods()) {
            const bool deleting = static_cast<bool>(pod.metadata["deletionTimestamp"]);
            if (!pod.bound || deleting || pod.manifest->name != entry.key() || !same_namespace(pod.ns(), budget->ns))
              continue;
            found.key(entry,
                      fmt::format("budget {} counts {} as evicted, although it still runs", budget->name, entry.key()));
          }
        }
      }
    }};

}  // namespace previct::lint
