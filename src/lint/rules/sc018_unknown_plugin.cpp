#include "lint/rule.h"
#include "lint/scheduler_check.h"

namespace previct::lint {

const Rule& sc018_unknown_plugin_rule = Rule{
    .id = "SC018",
    .name = "unknown-plugin",
    .severity = Severity::warning,
    .title = "a plugin that no published scheduler has",
    .why =
        "The kube-scheduler of Kubernetes does not start with a plugin that it does not know, and the configuration "
        "has no other sign of a custom build.",
    .how_to_fix = "Correct the name. If your scheduler has the plugin, ignore this finding.",
    .source = "kubernetes pkg/scheduler/framework/runtime/framework.go NewFramework (plugin does not exist)",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const Manifest* manifest : repository.of(kind::kScheduler)) {
        for (const Value& name : unknown_plugins(*manifest)) {
          found.value(
              name,
              fmt::format(
                  "plugin {} is in no published scheduler, and the configuration has no other sign of a custom build",
                  name.text()));
        }
      }
    }};

}  // namespace previct::lint
