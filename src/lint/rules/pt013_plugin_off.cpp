#include "lint/rule.h"
#include "lint/schedulers.h"
#include "lint/tolerations.h"

namespace previct::lint {

const Rule& pt013_plugin_off_rule = Rule{
    .id = "PT013",
    .name = "plugin-off",
    .severity = Severity::warning,
    .title = "classes tolerate, but no scheduler profile runs PreemptionToleration",
    .why = "Only the PreemptionToleration plugin reads the annotations. Without it, the default plugin ignores them.",
    .how_to_fix =
        "Enable PreemptionToleration at postFilter and disable DefaultPreemption there, or remove the annotations.",
    .source = "kubernetes-sigs/scheduler-plugins pkg/preemptiontoleration/preemption_toleration.go",
    .check = [](const Repository& repository, FindingSink& found) {
      const std::vector<SchedulerProfile> profiles = scheduler_profiles(repository);
      const bool runs = std::any_of(profiles.begin(), profiles.end(),
                                    [](const SchedulerProfile& profile) { return profile.runs_toleration(); });
      if (profiles.empty() || runs) return;
      for (const TolerationPolicy& policy : toleration_policies(repository)) {
        if (!policy.tolerates()) continue;
        found
            .object(*policy.of->manifest,
                    fmt::format("{} tolerates, but no profile runs PreemptionToleration", policy.name()))
            .related(profiles.front().profile.manifest()["kind"], "the scheduler configuration");
      }
    }};

}  // namespace previct::lint
