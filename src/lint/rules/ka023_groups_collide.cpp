#include "lint/rule.h"

#include <map>
#include <string>

namespace previct::lint {

const Rule& ka023_groups_collide_rule = Rule{
    .id = "KA023",
    .name = "groups-collide",
    .severity = Severity::warning,
    .title = "two PodGroups with the same name in different namespaces",
    .why = "The scheduler identifies groups only by name, so it treats the two as one group with the pods of both.",
    .how_to_fix = "Give them different names.",
    .source = "kai-scheduler/KAI-Scheduler pkg/scheduler/api/podgroup_info (keyed by name)",
    .check = [](const Repository& repository, FindingSink& found) {
      std::map<std::string, const Manifest*> first;
      for (const Manifest* group : repository.of(kind::kKaiPodGroup)) {
        const Manifest* const other = first.emplace(group->name, group).first->second;
        if (other->ns == group->ns) continue;  // or it is the group itself
        found
            .object(*group, fmt::format("{} and {} have the same name: the scheduler treats them as one group",
                                        group->identity(), other->identity()))
            .related(other->in("metadata.name"), "the other group");
      }
    }};

}  // namespace previct::lint
