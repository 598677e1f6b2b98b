#include "lint/rule.h"
#include "lint/tolerations.h"

namespace previct::lint {

const Rule& pt021_never_scheduled_condition_rule = Rule{
    .id = "PT021",
    .name = "never-scheduled-condition",
    .severity = Severity::warning,
    .title = "a running pod without PodScheduled=True in a tolerating class",
    .why =
        "The plugin counts from the time of the PodScheduled condition. Without one that is True, as on static pods "
        "and pods that were bound by hand, the pod tolerates forever, even with toleration-seconds 0.",
    .how_to_fix = "Let a scheduler schedule the pod, or use a class without a toleration.",
    .source =
        "kubernetes-sigs/scheduler-plugins pkg/preemptiontoleration/preemption_toleration.go; checked against "
        "the plugin (condition absent, False or Unknown: exempt)",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const TolerationPolicy& policy : toleration_policies(repository)) {
        if (policy.broken() || !policy.of->value || policy.effective_minimum() <= *policy.of->value + 1) continue;
        for (const PodShape& pod : repository.pods()) {
          const Value status = (*pod.manifest)["status"];
          if (!pod.bound || !status || pod.class_name() != policy.name()) continue;
          const Value conditions = status["conditions"];
          const bool scheduled = std::any_of(conditions.begin(), conditions.end(), [](const Value& each) {
            return each["type"].is("PodScheduled") && each["status"].is("True");
          });
          if (scheduled) continue;
          found.object(*pod.manifest, fmt::format("{} has no condition PodScheduled=True, so its toleration never ends",
                                                  pod.manifest->identity()));
        }
      }
    }};

}  // namespace previct::lint
