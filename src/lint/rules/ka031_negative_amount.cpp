#include "lint/kai.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& ka031_negative_amount_rule =
    Rule{.id = "KA031",
         .name = "negative-amount",
         .severity = Severity::error,
         .title = "a negative quota or limit of a queue that is not -1",
         .why =
             "Only -1 means unlimited. The scheduler counts with any other negative number of CPUs or GPUs as it is: a "
             "limit is then below what any pod asks for, and a quota is less than none. Of memory every negative "
             "number means unlimited.",
         .how_to_fix = "Write -1 if unlimited is meant, or the number that is.",
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
                 found
                     .value(value, fmt::format("queue {}: the {} of {} is {}: {}; only -1 means unlimited", queue->name,
                                               what, resource, value.text(),
                                               what == "limit" ? "nothing may run" : "that is less than none"))
                     .fix_number("-1");
               }
             }
           }
         }};

}  // namespace previct::lint
