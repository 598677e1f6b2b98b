#include "lint/rule.h"
#include "lint/schedulers.h"
#include "lint/tolerations.h"

namespace previct::lint {

const Rule& pt014_other_profile_preempts_rule = Rule{
    .id = "PT014",
    .name = "other-profile-preempts",
    .severity = Severity::warning,
    .title = "a second profile preempts without regard to tolerations",
    .why =
        "Each profile has its own plugins. Pods of a profile that runs DefaultPreemption evict pods regardless of "
        "their tolerations.",
    .how_to_fix = "Configure the same postFilter in every profile, or disable preemption in the other profile.",
    .source =
        "kubernetes pkg/scheduler/profile/profile.go; kubernetes-sigs/scheduler-plugins "
        "pkg/preemptiontoleration/preemption_toleration.go",
    .check = [](const Repository& repository, FindingSink& found) {
      const std::vector<SchedulerProfile> profiles = scheduler_profiles(repository);
      const auto tolerating = std::find_if(profiles.begin(), profiles.end(),
                                           [](const SchedulerProfile& profile) { return profile.runs_toleration(); });
      if (tolerating == profiles.end() || toleration_policies(repository).empty()) return;
      for (const SchedulerProfile& profile : profiles) {
        if (profile.runs_toleration() || !profile.runs_default_preemption()) continue;
        const Value name = profile.profile["schedulerName"];
        found
            .value(name ? name : profile.profile,
                   fmt::format("profile {} runs DefaultPreemption and ignores tolerations", profile.name))
            .related(tolerating->profile["schedulerName"], fmt::format("profile {} respects them", tolerating->name));
      }
    }};

}  // namespace previct::lint
