#include "lint/rule.h"

namespace previct::lint {

const Rule& ka022_arguments_replace_rule =
    Rule{.id = "KA022",
         .name = "arguments-replace",
         .severity = Severity::warning,
         .title = "arguments of the plugin minruntime that override spec.minRuntime",
         .why =
             "spec.minRuntime of a shard is turned into arguments of the plugin, and arguments written for the plugin "
             "replace them all, also those they do not name.",
         .how_to_fix = "Write all of it in one place.",
         .source = "kai-scheduler/KAI-Scheduler pkg/operator (plugin arguments of a shard replace the defaults)",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const Manifest* shard : repository.of(kind::kKaiShard)) {
             const Value arguments = shard->in("spec.plugins.minruntime.arguments");
             for (const Value& value : shard->in("spec.minRuntime")) {
               if (!arguments) continue;
               found
                   .field(value, fmt::format("{} {} has no effect: the arguments of the plugin replace it", value.key(),
                                             value.text()))
                   .related(arguments, "the arguments");
             }
           }
         }};

}  // namespace previct::lint
