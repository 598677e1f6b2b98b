#include "lint/rule.h"

namespace previct::lint {

const Rule& ka005_plugin_off_rule = Rule{
    .id = "KA005",
    .name = "plugin-off",
    .severity = Severity::error,
    .title = "a min-runtime is set, but the minruntime plugin is disabled",
    .why = "Without the plugin, no group is protected, regardless of its queue and of the shard's defaults.",
    .how_to_fix = "Enable the plugin in the shard, or remove the values.",
    .source =
        "kai-scheduler/KAI-Scheduler pkg/apis/kai/v1/schedulingshard_types.go (plugins.<name>.enabled); "
        "kai-scheduler/KAI-Scheduler pkg/scheduler/plugins/minruntime",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const Manifest* shard : repository.of(kind::kKaiShard)) {
        const Value enabled = shard->in("spec.plugins.minruntime.enabled");
        if (!enabled.is("false")) continue;
        const Value defaults = shard->in("spec.minRuntime");
        for (const char* key : {"reclaimMinRuntime", "preemptMinRuntime"}) {
          if (!defaults[key]) continue;
          found
              .field(enabled, fmt::format("the minruntime plugin is disabled, so {} of the shard protects no pod", key))
              .related(defaults[key], fmt::format("{} {}", key, defaults[key].text()));
          break;
        }
        for (const Manifest* queue : repository.of(kind::kKaiQueue)) {
          const Value spec = (*queue)["spec"];
          const Value value = spec["reclaimMinRuntime"] ? spec["reclaimMinRuntime"] : spec["preemptMinRuntime"];
          if (!value) continue;
          found
              .field(enabled,
                     fmt::format("the minruntime plugin is disabled, so the min-runtime of queue {} protects no pod",
                                 queue->name))
              .related(value, fmt::format("queue {}", queue->name));
          break;
        }
      }
    }};

}  // namespace previct::lint
