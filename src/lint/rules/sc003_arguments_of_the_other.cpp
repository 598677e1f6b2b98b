#include "engine/kube/plugin_names.h"
#include "lint/rule.h"
#include "lint/schedulers.h"

namespace previct::lint {

const Rule& sc003_arguments_of_the_other_rule = Rule{
    .id = "SC003",
    .name = "arguments-of-the-other",
    .severity = Severity::warning,
    .title = "arguments for a preemption plugin that does not run",
    .why = "Each plugin reads only the arguments under its own name. The arguments of the other plugin have no effect.",
    .how_to_fix = "Move the arguments to the name of the plugin that runs.",
    .source = "kubernetes pkg/scheduler/framework/runtime/framework.go (pluginConfig by name)",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const SchedulerProfile& profile : scheduler_profiles(repository)) {
        for (const Value& entry : profile.profile["pluginConfig"]) {
          const bool of_default = entry["name"].is(kube::kDefaultPreemption) && !profile.runs_default_preemption();
          const bool of_toleration = entry["name"].is(kube::kPreemptionToleration) && !profile.runs_toleration();
          if (!of_default && !of_toleration) continue;
          found.value(entry["name"], fmt::format("profile {} does not run {}: these arguments have no effect",
                                                 profile.name, entry["name"].text()));
        }
      }
    }};

}  // namespace previct::lint
