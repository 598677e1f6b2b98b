#include "engine/kube/plugin_names.h"
#include "lint/rule.h"
#include "lint/schedulers.h"

namespace previct::lint {

const Rule& sc001_both_preempt_rule = Rule{
    .id = "SC001",
    .name = "both-preempt",
    .severity = Severity::error,
    .title = "PreemptionToleration is enabled, and DefaultPreemption still runs",
    .why =
        "PostFilter plugins run in order until one succeeds. DefaultPreemption is a default plugin and runs first: it "
        "evicts the pods that tolerate preemption before the other plugin runs.",
    .how_to_fix = "Disable DefaultPreemption at postFilter, in the same profile.",
    .source =
        "kubernetes pkg/scheduler/framework/runtime/framework.go (RunPostFilterPlugins, "
        "expandMultiPointPlugins)",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const SchedulerProfile& profile : scheduler_profiles(repository)) {
        if (!profile.runs_toleration() || !profile.runs_default_preemption()) continue;
        Value at = profile.entry("postFilter", "enabled", kube::kPreemptionToleration);
        if (!at) at = profile.entry("multiPoint", "enabled", kube::kPreemptionToleration);
        found
            .value(at["name"],
                   fmt::format("profile {} enables PreemptionToleration but leaves DefaultPreemption on", profile.name))
            .note("DefaultPreemption runs first and ignores tolerations");
      }
    }};

}  // namespace previct::lint
