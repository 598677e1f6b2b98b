#include "lint/rule.h"
#include "lint/tolerations.h"

namespace previct::lint {

const Rule& pt010_seconds_overflow_rule =
    Rule{.id = "PT010",
         .name = "seconds-overflow",
         .severity = Severity::error,
         .title = "toleration-seconds is so large that it overflows",
         .why =
             "The plugin multiplies seconds by 1,000,000,000 in 64 bits. From 9,223,372,037 on, the product overflows: "
             "it may be negative, so that the toleration ends before it begins, or any other duration.",
         .how_to_fix = "Write \"-1\", which means forever, or a smaller number.",
         .source =
             "kubernetes-sigs/scheduler-plugins pkg/preemptiontoleration/preemption_toleration.go "
             "(time.Duration(seconds) * time.Second); checked against the plugin: 18446744674 acts as 600.29 s",
         .check = [](const Repository& repository, FindingSink& found) {
           constexpr std::int64_t kLargest = 9'223'372'036;
           for (const TolerationPolicy& policy : toleration_policies(repository)) {
             const std::int64_t seconds = policy.read.seconds_number.value_or(0);
             if (seconds <= kLargest && seconds >= -kLargest) continue;
             found.value(policy.seconds,
                         fmt::format("{}: {} seconds overflow the plugin's 64 bits of nanoseconds; at most {} are kept",
                                     policy.name(), seconds, kLargest));
           }
         }};

}  // namespace previct::lint
