#include "lint/kai.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& ka002_negative_rule = Rule{
    .id = "KA002",
    .name = "negative",
    .severity = Severity::error,
    .title = "a negative min-runtime",
    .why =
        "A negative value means no protection, because the protection ends before the group starts. An early draft, "
        "and "
        "PreemptionToleration, use -1 for forever; KAI Scheduler does not.",
    .how_to_fix = "Write a long duration (8760h), or 0s for no protection.",
    .source =
        "kai-scheduler/KAI-Scheduler pkg/scheduler/plugins/minruntime (now < start + value); golden cases "
        "with negative values",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const Manifest* queue : repository.of(kind::kKaiQueue)) {
        for (const char* key : {"preemptMinRuntime", "reclaimMinRuntime"}) {
          const Value value = (*queue)["spec"][key];
          if (kai_duration(value).value_or(0) >= 0) continue;
          found.value(
              value,
              fmt::format(
                  "queue {}: {} {} protects no pod; a negative duration means no protection, not unlimited protection",
                  queue->name, key, value.text()));
        }
      }
    }};

}  // namespace previct::lint
