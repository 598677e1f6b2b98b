#include "base/instant.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& ka014_start_unreadable_rule =
    Rule{.id = "KA014",
         .name = "start-unreadable",
         .severity = Severity::warning,
         .title = "a start time of a PodGroup that is malformed or in the future",
         .why =
             "Min-runtime counts from this annotation. A value that is not RFC 3339 counts as not started, so the "
             "group is not protected; a time in the future protects it longer than intended.",
         .how_to_fix = "Let the scheduler write the annotation.",
         .source = "kai-scheduler/KAI-Scheduler pkg/common/podgroup (time.Parse RFC3339); golden cases of start times",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const Manifest* group : repository.of(kind::kKaiPodGroup)) {
             const Value start = group->in("metadata.annotations")["kai.scheduler/last-start-timestamp"];
             if (!start) continue;
             const auto at = parse_instant(start.text());
             if (!at) {
               found.value(start, fmt::format("{} is not protected: its start \"{}\" is not RFC 3339",
                                              group->identity(), start.text()));
             } else if (repository.now() != Instant{} && *at > repository.now()) {
               found.value(start, fmt::format("{} is protected too long: its start {} is in the future",
                                              group->identity(), start.text()));
             }
           }
         }};

}  // namespace previct::lint
