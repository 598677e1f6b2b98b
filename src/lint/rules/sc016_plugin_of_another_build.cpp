#include "api/upstream.h"
#include "lint/rule.h"
#include "lint/scheduler_check.h"

namespace previct::lint {
namespace {

// A scheduler with only other names is a custom build, which may have any plugin.
auto is_for_default_scheduler(const Manifest& configuration) -> bool {
  const Value profiles = configuration["profiles"];
  return profiles.size() == 0 || std::any_of(profiles.begin(), profiles.end(), [](const Value& profile) {
           const Value name = profile["schedulerName"];
           return !name || name.is(upstream::kDefaultScheduler);
         });
}

}  // namespace

const Rule& sc016_plugin_of_another_build_rule =
    Rule{.id = "SC016",
         .name = "plugin-of-another-build",
         .severity = Severity::info,
         .title = "a plugin that only a custom scheduler build has",
         .why =
             "The kube-scheduler of Kubernetes does not start with a plugin that it does not know. A custom build "
             "does, but previct does not know what such a plugin decides.",
         .how_to_fix = "If your scheduler has the plugin, no fix is needed. Otherwise, correct the name.",
         .source = "kubernetes pkg/scheduler/framework/runtime/framework.go NewFramework (plugin does not exist)",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const Manifest* manifest : repository.of(kind::kScheduler)) {
             if (!is_for_default_scheduler(*manifest)) continue;
             for (const Value& name : foreign_plugins(*manifest)) {
               found.value(name, fmt::format("plugin {} is in no published scheduler", name.text()));
             }
           }
         }};

}  // namespace previct::lint
