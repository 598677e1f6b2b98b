#include "base/duration.h"
#include "base/instant.h"
#include "base/trimmed.h"
#include "lint/rule.h"
#include "lint/tolerations.h"

namespace previct::lint {

const Rule& pt002_seconds_no_number_rule =
    Rule{.id = "PT002",
         .name = "seconds-no-number",
         .severity = Severity::error,
         .title = "toleration-seconds is not a 64-bit integer",
         .why =
             "The plugin logs that it cannot read the value, and pods of the class are not protected at all: lengths "
             "of time such as 15m are not understood.",
         .how_to_fix = "Write seconds as a decimal number in quotes: \"900\".",
         .source =
             "kubernetes-sigs/scheduler-plugins pkg/preemptiontoleration/preemption_toleration_policy.go "
             "(strconv.ParseInt, base 10, 64 bits)",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const TolerationPolicy& policy : toleration_policies(repository)) {
             if (!policy.seconds || policy.read.seconds_number) continue;
             auto note = found.value(policy.seconds,
                                     fmt::format("{} is not protected: toleration-seconds \"{}\" is not an integer",
                                                 policy.name(), policy.seconds.text()));
             const auto duration = parse_go_duration(trimmed(policy.seconds.text()));
             if (!duration || *duration % go::kNanosPerSecond != 0) continue;
             note.fix_value(fmt::format("{}", *duration / go::kNanosPerSecond));
           }
         }};

}  // namespace previct::lint
