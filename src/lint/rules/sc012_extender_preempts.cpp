#include "lint/rule.h"

namespace previct::lint {

const Rule& sc012_extender_preempts_rule =
    Rule{.id = "SC012",
         .name = "extender-preempts",
         .severity = Severity::info,
         .title = "an extender takes part in preemption",
         .why =
             "It may remove victims or nodes by rules that the configuration does not show. previct marks "
             "answers that depend on it.",
         .how_to_fix = "Compare its decisions with the events of the cluster.",
         .source = "kubernetes pkg/scheduler/framework/preemption (callExtenders)",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const Manifest* manifest : repository.of(kind::kScheduler)) {
             for (const Value& extender : (*manifest)["extenders"]) {
               const Value verb = extender["preemptVerb"];
               if (verb && !verb.text().empty()) found.field(verb, "an extender takes part in preemption");
             }
           }
         }};

}  // namespace previct::lint
