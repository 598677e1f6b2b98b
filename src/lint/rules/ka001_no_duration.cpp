#include "base/go.h"
#include "lint/kai.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& ka001_no_duration_rule =
    Rule{.id = "KA001",
         .name = "no-duration",
         .severity = Severity::error,
         .title = "a min-runtime that is not a duration",
         .why =
             "The CRD accepts any string, but the scheduler expects a Go duration. It can decode neither the queue nor "
             "the list that contains it.",
         .how_to_fix = "Write a unit: 600s, 10m, 1h30m.",
         .source = "kai-scheduler/KAI-Scheduler pkg/apis/scheduling/v2/queue_types.go (metav1.Duration)",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const Manifest* queue : repository.of(kind::kKaiQueue)) {
             for (const char* key : {"preemptMinRuntime", "reclaimMinRuntime"}) {
               const Value value = (*queue)["spec"][key];
               if (!value || kai_duration(value)) continue;
               auto note = found.value(
                   value, fmt::format("queue {}: {} \"{}\" is not a duration; its unit is missing or unknown",
                                      queue->name, key, value.text()));
               if (go::parse_int(value.text(), 63)) note.fix_value(fmt::format("{}s", value.text()));
             }
           }
         }};

}  // namespace previct::lint
