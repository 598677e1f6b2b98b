#include "base/ascii.h"
#include "base/text.h"
#include "engine/yunikorn/config.h"
#include "lint/rule.h"
#include "lint/yunikorn.h"

namespace previct::lint {

const Rule& yk001_policy_unknown_rule = Rule{
    .id = "YK001",
    .name = "policy-unknown",
    .severity = Severity::error,
    .title = "preemption.policy is not default, fence or disabled, or application.sort.policy is not fifo or fair",
    .why =
        "The error is logged only at debug level, and the default applies: preemption stays enabled. An unknown sort "
        "policy "
        "counts as fifo. The names of sort policies are lower case.",
    .how_to_fix = "Write default, fence or disabled; or fifo or fair.",
    .source =
        "apache/yunikorn-core pkg/scheduler/objects/queue.go (UpdateQueueProperties), "
        "pkg/scheduler/policies/preemption_policy.go, sorting_policy.go",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const YunikornQueue& queue : yunikorn_queues(repository)) {
        const Value sort = queue.property("application.sort.policy");
        const std::string_view order = sort.text();
        if (sort && order != "fifo" && order != "fair" && order != "stateaware" && !order.empty()) {
          found.value(sort, fmt::format("queue {}: application.sort.policy \"{}\" is unknown: fifo is used instead",
                                        queue.path, order));
        }
        const Value policy = queue.property("preemption.policy");
        const std::string word = lower_case(policy.text());
        if (!policy || word == "default" || word == "fence" || word == "disabled" || word.empty()) continue;
        auto note =
            found.value(policy, fmt::format("queue {}: preemption.policy \"{}\" is unknown: preemption stays enabled",
                                            queue.path, policy.text()));
        if (const auto meant = nearest(word, {"default", "fence", "disabled"})) note.fix_value(*meant);
      }
    }};

}  // namespace previct::lint
