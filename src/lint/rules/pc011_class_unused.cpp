#include "lint/rule.h"

#include <set>
#include <string_view>

namespace previct::lint {

const Rule& pc011_class_unused_rule =
    Rule{.id = "PC011",
         .name = "class-unused",
         .severity = Severity::info,
         .title = "a class that no pod in the dump uses",
         .why = "It reads like a policy, but applies to no pod.",
         .how_to_fix = "Remove the class, or find out why no pod uses it.",
         .source = "the input itself",
         .check = [](const Repository& repository, FindingSink& found) {
           if (!repository.has_running_pods()) return;
           std::set<std::string_view> used;
           for (const PodShape& pod : repository.pods()) used.insert(pod.class_name());
           for (const PriorityClassShape& each : repository.classes()) {
             if (each.manifest == nullptr || used.count(each.name) != 0 || each.global_default ||
                 each.name.starts_with("system-"))
               continue;
             found.object(*each.manifest, fmt::format("no pod in the input uses class {}", each.name));
           }
         }};

}  // namespace previct::lint
