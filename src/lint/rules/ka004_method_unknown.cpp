#include "lint/rule.h"

namespace previct::lint {

const Rule& ka004_method_unknown_rule =
    Rule{.id = "KA004",
         .name = "method-unknown",
         .severity = Severity::error,
         .title = "reclaimResolveMethod is neither lca nor queue",
         .why = "The plugin logs the error and uses lca. The value is case-sensitive.",
         .how_to_fix = "Write lca or queue.",
         .source = "kai-scheduler/KAI-Scheduler pkg/scheduler/plugins/minruntime/minruntime.go",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const Manifest* shard : repository.of(kind::kKaiShard)) {
             const Value method = shard->in("spec.plugins.minruntime.arguments.reclaimResolveMethod");
             if (!method || method.is("lca") || method.is("queue")) continue;
             auto note = found.value(
                 method, fmt::format("reclaimResolveMethod \"{}\" is unknown: lca is used instead", method.text()));
             if (method.is("Queue") || method.is("QUEUE")) note.fix_value("queue");
             if (method.is("LCA") || method.is("Lca")) note.fix_value("lca");
           }
         }};

}  // namespace previct::lint
