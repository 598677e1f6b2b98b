#include "base/go.h"
#include "engine/kube/plugin_names.h"
#include "lint/rule.h"
#include "lint/schedulers.h"

namespace previct::lint {

const Rule& sc002_candidate_limits_rule =
    Rule{.id = "SC002",
         .name = "candidate-limits",
         .severity = Severity::error,
         .title = "minCandidateNodes* outside the range that the scheduler accepts",
         .why =
             "The percentage must be between 0 and 100, the number not negative, and not both 0: kube-scheduler "
             "refuses to start.",
         .how_to_fix = "Leave the defaults (10 and 100), or write values in range.",
         .source =
             "kubernetes pkg/scheduler/apis/config/validation/validation_pluginargs.go "
             "(ValidateDefaultPreemptionArgs)",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const SchedulerProfile& profile : scheduler_profiles(repository)) {
             for (const Value& entry : profile.profile["pluginConfig"]) {
               if (!entry["name"].is(kube::kDefaultPreemption) && !entry["name"].is(kube::kPreemptionToleration))
                 continue;
               const Value percentage = entry["args"]["minCandidateNodesPercentage"];
               const Value absolute = entry["args"]["minCandidateNodesAbsolute"];
               const std::int64_t percent = percentage ? go::parse_int(percentage.text(), 64).value_or(-1) : 10;
               const std::int64_t number = absolute ? go::parse_int(absolute.text(), 64).value_or(-1) : 100;
               if (percent < 0 || percent > 100) {
                 found.value(percentage,
                             fmt::format("minCandidateNodesPercentage {} is not between 0 and 100", percentage.text()));
               }
               if (number < 0)
                 found.value(absolute, fmt::format("minCandidateNodesAbsolute {} is below 0", absolute.text()));
               if (percent == 0 && number == 0) found.field(percentage, "both minCandidateNodes limits are 0");
             }
           }
         }};

}  // namespace previct::lint
