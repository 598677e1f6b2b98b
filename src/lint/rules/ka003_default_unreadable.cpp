#include "base/duration.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& ka003_default_unreadable_rule =
    Rule{.id = "KA003",
         .name = "default-unreadable",
         .severity = Severity::error,
         .title = "a malformed or negative default min-runtime",
         .why = "The plugin logs the error and uses 0s: queues that set no value are not protected.",
         .how_to_fix = "Write a duration with a unit (this field supports days and weeks: 2d).",
         .source = "kai-scheduler/KAI-Scheduler pkg/scheduler/plugins/minruntime/minruntime.go (parse arguments)",
         .check = [](const Repository& repository, FindingSink& found) {
           const auto check = [&](const Value& value) {
             const auto nanos = go::parse_duration(value.text(), go::Units::weeks);
             if (!value || (nanos && *nanos >= 0)) return;
             found.value(value, fmt::format("{} \"{}\" {}: 0s is used instead", value.key(), value.text(),
                                            nanos ? "is negative" : "is not a duration"));
           };
           for (const Manifest* shard : repository.of(kind::kKaiShard)) {
             for (const char* key : {"preemptMinRuntime", "reclaimMinRuntime"})
               check(shard->in("spec.minRuntime")[key]);
             const Value arguments = shard->in("spec.plugins.minruntime.arguments");
             for (const char* key : {"defaultPreemptMinRuntime", "defaultReclaimMinRuntime"}) check(arguments[key]);
           }
         }};

}  // namespace previct::lint
