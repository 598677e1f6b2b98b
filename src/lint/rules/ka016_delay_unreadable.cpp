#include "base/go.h"
#include "base/instant.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& ka016_delay_unreadable_rule =
    Rule{.id = "KA016",
         .name = "delay-unreadable",
         .severity = Severity::warning,
         .title = "a malformed preemption delay",
         .why =
             "Numbers without a unit, and negative ones, are ignored with a warning in the log: the workload preempts "
             "at once.",
         .how_to_fix = "Write a unit: 90s, 5m.",
         .source = "kai-scheduler/KAI-Scheduler docs/preemption-delay/README.md",
         .check = [](const Repository& repository, FindingSink& found) {
           const auto check = [&](const Value& metadata) {
             const Value delay = metadata["annotations"]["kai.scheduler/preemption-delay"];
             const auto nanos = parse_go_duration(delay.text());
             if (!delay || (nanos && *nanos >= 0)) return;
             auto note = found.value(delay, fmt::format("preemption-delay \"{}\" is ignored: it is {}", delay.text(),
                                                        nanos ? "negative" : "no duration"));
             if (go::parse_int(delay.text(), 63).value_or(-1) >= 0) note.fix_value(fmt::format("{}s", delay.text()));
           };
           for (const Manifest& manifest : repository.manifests()) check(manifest["metadata"]);
           for (const PodShape& pod : repository.pods()) {
             if (!pod.is_pod) check(pod.metadata);
           }
         }};

}  // namespace previct::lint
