#include "base/text.h"
#include "engine/kube/plugins.h"
#include "lint/rule.h"
#include "lint/schedulers.h"

namespace previct::lint {

const Rule& sc015_nearly_a_plugin_rule = Rule{
    .id = "SC015",
    .name = "nearly-a-plugin",
    .severity = Severity::warning,
    .title = "a plugin name that is close to a known one",
    .why = "kube-scheduler does not start with an unknown plugin, unless it is a custom build with additional plugins.",
    .how_to_fix = "Correct the name.",
    .source = "kubernetes pkg/scheduler/framework/runtime/framework.go (plugin does not exist)",
    .check = [](const Repository& repository, FindingSink& found) {
      std::vector<std::string> known;
      for (const kube::PluginInfo& plugin : kube::plugins()) known.emplace_back(plugin.name);
      for (const SchedulerProfile& profile : scheduler_profiles(repository)) {
        for (const Value& point : profile.profile["plugins"]) {
          for (const char* list : {"enabled", "disabled"}) {
            for (const Value& plugin : point[list]) {
              const Value name = plugin["name"];
              if (!name || std::find(known.begin(), known.end(), name.text()) != known.end()) continue;
              const auto meant = nearest(name.text(), known);
              if (!meant) continue;
              found.value(name, fmt::format("no plugin {}; did you mean {}?", name.text(), *meant));
            }
          }
        }
      }
    }};

}  // namespace previct::lint
