#include "lint/rule.h"

#include <set>
#include <string_view>

namespace previct::lint {

const Rule& ka024_subgroups_ignored_rule = Rule{
    .id = "KA024",
    .name = "subgroups-ignored",
    .severity = Severity::error,
    .title = "sub-groups that the scheduler ignores altogether",
    .why =
        "If a name occurs twice, or a parent does not exist, the scheduler treats the group as one set with minMember "
        "1: it is no longer a gang.",
    .how_to_fix = "Correct the names.",
    .source =
        "kai-scheduler/KAI-Scheduler pkg/scheduler/api/podgroup_info/subgroup_info (errors fall back to the "
        "default set)",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const Manifest* group : repository.of(kind::kKaiPodGroup)) {
        const Value all = group->in("spec.subGroups");
        std::set<std::string_view> names;
        for (const Value& sub : all) {
          if (!names.insert(sub["name"].text()).second) {
            found.value(sub["name"] ? sub["name"] : sub,
                        fmt::format("{}: two sub-groups are named {}, so all are ignored", group->identity(),
                                    sub["name"].text()));
          }
        }
        for (const Value& sub : all) {
          const Value parent = sub["parent"];
          if (!parent || names.count(parent.text()) > 0) continue;
          found.value(parent, fmt::format("{}: no sub-group {}, so all are ignored", group->identity(), parent.text()));
        }
      }
    }};

}  // namespace previct::lint
