#include "engine/kube/plugin_names.h"
#include "lint/rule.h"
#include "lint/schedulers.h"

namespace previct::lint {

const Rule& sc010_no_preemption_rule =
    Rule{.id = "SC010",
         .name = "no-preemption",
         .severity = Severity::warning,
         .title = "a profile that never preempts",
         .why =
             "If every PostFilter plugin is disabled, a pod of high priority waits like any other pod. Priority "
             "classes then only determine the order of the queue.",
         .how_to_fix = "Enable DefaultPreemption at postFilter, or state in a comment that this is intended.",
         .source = "kubernetes pkg/scheduler/framework/runtime/framework.go (no PostFilter plugin: no preemption)",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const SchedulerProfile& profile : scheduler_profiles(repository)) {
             const bool other = profile.profile["plugins"]["postFilter"]["enabled"].size() > 0;
             if (other || profile.runs_toleration() || profile.runs_default_preemption()) continue;
             Value at = profile.entry("postFilter", "disabled", "*");
             if (!at) at = profile.entry("postFilter", "disabled", kube::kDefaultPreemption);
             if (!at) at = profile.entry("multiPoint", "disabled", "*");
             if (!at) at = profile.entry("multiPoint", "disabled", kube::kDefaultPreemption);
             if (at) found.value(at["name"], fmt::format("profile {} never preempts", profile.name));
           }
         }};

}  // namespace previct::lint
