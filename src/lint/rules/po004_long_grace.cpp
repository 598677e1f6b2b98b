#include "base/go.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& po004_long_grace_rule =
    Rule{.id = "PO004",
         .name = "long-grace",
         .severity = Severity::info,
         .title = "a preemptible workload with a grace period of more than 5 minutes",
         .why =
             "A preemptor waits until every victim has terminated: the node is reserved for it, and other nodes are "
             "not tried meanwhile.",
         .how_to_fix = "Shorten terminationGracePeriodSeconds, or protect the workload so that it is not chosen.",
         .source = "kubernetes pkg/scheduler/framework/preemption (victims are deleted with their own grace period)",
         .check = [](const Repository& repository, FindingSink& found) {
           const std::int64_t most = repository.tree().threshold("grace-period-seconds", 300);
           for (const PodShape& pod : repository.pods()) {
             const Value grace = pod.spec["terminationGracePeriodSeconds"];
             const auto seconds = go::parse_int(grace.text(), 64);
             const auto priority = repository.priority_of(pod);
             if (!pod.authored() || !seconds || *seconds <= most || !priority) continue;
             if (repository.class_above(*priority) == nullptr) continue;
             found.field(grace, fmt::format("a pod that preempts {} waits up to {}s for it to terminate",
                                            pod.manifest->identity(), *seconds));
           }
         }};

}  // namespace previct::lint
