#include "lint/kai.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& ka031_negative_amount_rule = Rule{
    .id = "KA031",
    .name = "negative-amount",
    .severity = Severity::error,
    .title = "a negative quota or limit of a queue that is not -1",
    .why =
        "Only -1 means unlimited. The scheduler uses any other negative number of CPUs or GPUs as is: a limit is then "
        "below the request of any pod, and a quota is less than 0. For memory, every negative number means unlimited.",
    .how_to_fix = "Write -1 for unlimited, or the intended number.",
    .source =
        "kai-scheduler/KAI-Scheduler pkg/scheduler/plugins/proportion (capacity_policy isOverLimit, "
        "isAllocatedNonPreemptibleOverQuota; resource_division setDeservedResource; proportion.go)",
    .check = [](const Repository& repository, FindingSink& found) {
      constexpr double kUnlimited = -1;
      for (const Manifest* queue : repository.of(kind::kKaiQueue)) {
        for (const char* resource : {"cpu", "gpu"}) {
          for (const std::string_view what : {"quota", "limit"}) {
            const Value value = queue->in("spec.resources")[resource][what];
            const double amount = kai_amount(value);
            if (amount >= 0 || amount == kUnlimited) continue;
            found.value(
                value, fmt::format("queue {}: the {} of {} is {}: {}; only -1 means unlimited", queue->name, what,
                                   resource, value.text(), what == "limit" ? "nothing may run" : "less than no quota"));
          }
        }
      }
    }};

}  // namespace previct::lint
