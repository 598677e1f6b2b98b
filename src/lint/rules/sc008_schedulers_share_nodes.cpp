#include "lint/rule.h"

#include <map>
#include <utility>
#include <vector>

namespace previct::lint {
namespace {

// Helper pods that KAI creates: they reserve a GPU for pods, or trigger a node scale-up for them.
auto is_helper_of_kai(const PodShape& pod) -> bool {
  const std::string_view app = pod.metadata["labels"]["app"].text();
  return app == "kai-resource-reservation" || app == "scaling-pod";
}

}  // namespace

const Rule& sc008_schedulers_share_nodes_rule =
    Rule{.id = "SC008",
         .name = "schedulers-share-nodes",
         .severity = Severity::warning,
         .title = "pods of two schedulers share a node, and one outranks the other",
         .why =
             "Each scheduler sees the pods of the other one and may preempt them, without coordination. Controllers "
             "recreate the pods at once, and an eviction loop may run for days.",
         .how_to_fix = "Use separate nodes for each scheduler (taints, node selectors).",
         .source = "kubernetes/kubernetes#130429 (more than 8,000 evictions in two days)",
         .check = [](const Repository& repository, FindingSink& found) {
           std::map<std::pair<std::string, std::string>, std::pair<const PodShape*, const PodShape*>> said;
           std::map<std::string, std::vector<const PodShape*>> by_node;
           for (const PodShape& pod : repository.pods()) {
             const auto priority = repository.priority_of(pod);
             if (!pod.bound || !priority || pod.ns() == "kube-system" || is_helper_of_kai(pod)) continue;
             // One pod of each scheduler and priority is enough for a node.
             auto& there = by_node[std::string(pod.spec["nodeName"].text())];
             const bool seen = std::any_of(there.begin(), there.end(), [&](const PodShape* other) {
               return other->scheduler() == pod.scheduler() && repository.priority_of(*other) == priority;
             });
             if (seen) continue;
             for (const PodShape* other : there) {
               if (other->scheduler() == pod.scheduler() || repository.priority_of(*other) == priority) continue;
               const bool outranks = *priority > *repository.priority_of(*other);
               const PodShape* high = outranks ? &pod : other;
               const PodShape* low = outranks ? other : &pod;
               said.try_emplace({std::string(high->scheduler()), std::string(low->scheduler())}, high, low);
             }
             there.push_back(&pod);
           }
           for (const auto& [schedulers, pods] : said) {
             found
                 .object(*pods.first->manifest,
                         fmt::format("{} of {} outranks {} of {} on node {}", pods.first->manifest->identity(),
                                     schedulers.first, pods.second->manifest->identity(), schedulers.second,
                                     pods.first->spec["nodeName"].text()))
                 .related(pods.second->manifest->in("metadata.name"), "may be preempted by the other scheduler");
           }
         }};

}  // namespace previct::lint
