#include "base/ascii.h"
#include "engine/yunikorn/config.h"
#include "lint/rule.h"
#include "lint/yunikorn.h"

namespace previct::lint {

const Rule& yk006_allow_not_boolean_rule =
    Rule{.id = "YK006",
         .name = "allow-not-boolean",
         .severity = Severity::warning,
         .title = "allow-preemption is neither true nor false",
         .why = "Only these two values are valid, in lower case. Any other value is ignored.",
         .how_to_fix = "Write \"true\" or \"false\", in quotes.",
         .source = "apache/yunikorn-k8shim pkg/cache/task.go",
         .check = [](const Repository& repository, FindingSink& found) {
           const auto check = [&](const Value& allow) {
             if (!allow || allow.is("true") || allow.is("false")) return;
             auto note = found.value(
                 allow, fmt::format("allow-preemption \"{}\" is ignored: only true and false are valid", allow.text()));
             const std::string word = lower_case(allow.text());
             if (word == "true" || word == "false") note.fix_value(word);
           };
           for (const PodShape& pod : repository.pods()) check(pod.metadata["annotations"][kAllowPreemption]);
           for (const Manifest* each : repository.of(kind::kPriorityClass)) {
             check(each->in("metadata.annotations")[kAllowPreemption]);
           }
         }};

}  // namespace previct::lint
