#include "lint/rule.h"
#include "lint/tolerations.h"

namespace previct::lint {

const Rule& pt004_no_seconds_rule = Rule{
    .id = "PT004",
    .name = "no-seconds",
    .severity = Severity::error,
    .title = "minimum-preemptable-priority without toleration-seconds",
    .why =
        "Without toleration-seconds, or with 0, the toleration lasts 0 seconds: as soon as a pod is scheduled it "
        "may be preempted. An article by the plugin's author says that the default is forever; the code has never "
        "worked that way.",
    .how_to_fix =
        "Add toleration-seconds: how long a pod is safe after it was scheduled, or \"-1\", which means forever.",
    .source =
        "kubernetes-sigs/scheduler-plugins pkg/preemptiontoleration/preemption_toleration_policy.go (default "
        "0); KEP-205",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const TolerationPolicy& policy : toleration_policies(repository)) {
        if (!policy.minimum || policy.broken() || policy.read.seconds_number.value_or(0) != 0) continue;
        const bool missing = !policy.seconds;
        found
            .field(
                missing ? policy.minimum : policy.seconds,
                fmt::format("{} is not protected: toleration-seconds is {}", policy.name(), missing ? "missing" : "0"))
            .mark(missing ? "without toleration-seconds the toleration lasts 0 seconds" : "")
            .note(fmt::format("pods of this class are preempted at once by any priority above {}",
                              policy.of->value.value_or(0)))
            .note(fmt::format("help: {}: \"-1\" (forever), or a number of seconds", kSecondsKey));
      }
    }};

}  // namespace previct::lint
