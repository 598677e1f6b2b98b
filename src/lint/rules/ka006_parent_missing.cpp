#include "base/text.h"
#include "lint/kai.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& ka006_parent_missing_rule =
    Rule{.id = "KA006",
         .name = "parent-missing",
         .severity = Severity::error,
         .title = "a parentQueue that is not in the input",
         .why =
             "The scheduler drops the queue and all its descendants: their workloads are neither scheduled nor "
             "protected. (A manifest with a single queue is not reported.)",
         .how_to_fix = "Correct the name, or lint the parent together with it.",
         .source = "kai-scheduler/KAI-Scheduler pkg/scheduler/cache/cluster_info (queues without a parent are removed)",
         .check = [](const Repository& repository, FindingSink& found) {
           const KaiQueues queues(repository);
           std::vector<std::string> names;
           for (const KaiQueues::Queue& queue : queues.all()) names.push_back(queue.name());
           const bool alone = names.size() < 2 && repository.of(kind::kNode).empty();
           for (const KaiQueues::Queue& queue : queues.all()) {
             const Value parent = queue.spec()["parentQueue"];
             if (parent.text().empty() || queue.parent != nullptr || alone) continue;
             if (repository.tree().has(kind::kKaiQueue, parent.text())) continue;
             const auto meant = nearest(parent.text(), names);
             found.value(parent, fmt::format("queue {}: no queue {} in the input{}", queue.name(), parent.text(),
                                             meant ? fmt::format("; did you mean {}?", *meant) : ""));
           }
         }};

}  // namespace previct::lint
