#include "engine/kube/config_validation.h"
#include "lint/rule.h"
#include "lint/schedulers.h"

namespace previct::lint {

const Rule& sc007_plugin_gone_rule =
    Rule{.id = "SC007",
         .name = "plugin-gone",
         .severity = Severity::error,
         .title = "a plugin that was removed",
         .why =
             "AzureDiskLimits, CinderLimits, EBSLimits and GCEPDLimits were removed: kube-scheduler refuses "
             "configurations that name them.",
         .how_to_fix = "Remove the name; NodeVolumeLimits replaces them through CSI.",
         .source = "kubernetes pkg/scheduler/apis/config/validation/validation.go (removedPluginsByVersion)",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const SchedulerProfile& profile : scheduler_profiles(repository)) {
             for (const Value& point : profile.profile["plugins"]) {
               for (const Value& plugin : point["enabled"]) {
                 const std::string_view name = plugin["name"].text();
                 if (!kube::is_gone(name)) continue;
                 found.value(plugin["name"], fmt::format("plugin {} no longer exists", name));
               }
             }
           }
         }};

}  // namespace previct::lint
