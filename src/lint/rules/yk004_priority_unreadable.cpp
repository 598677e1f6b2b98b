#include "base/ascii.h"
#include "base/go.h"
#include "engine/yunikorn/config.h"
#include "lint/rule.h"
#include "lint/yunikorn.h"

namespace previct::lint {

const Rule& yk004_priority_unreadable_rule = Rule{
    .id = "YK004",
    .name = "priority-unreadable",
    .severity = Severity::error,
    .title = "a malformed priority.policy or priority.offset",
    .why = "The queue silently uses the policy default and the offset 0.",
    .how_to_fix = "Write default or fence for priority.policy, and a 32-bit integer for priority.offset.",
    .source = "apache/yunikorn-core pkg/scheduler/objects/queue.go (priority.policy, priority.offset)",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const YunikornQueue& queue : yunikorn_queues(repository)) {
        const Value offset = queue.property("priority.offset");
        const Value policy = queue.property("priority.policy");
        const std::string word = lower_case(policy.text());
        if (offset && !go::parse_int(offset.text(), 32)) {
          found.value(offset, fmt::format("queue {}: priority.offset \"{}\" is not a 32-bit number: 0 is used instead",
                                          queue.path, offset.text()));
        }
        if (policy && word != "default" && word != "fence") {
          found.value(policy, fmt::format("queue {}: priority.policy \"{}\" is unknown: default is used instead",
                                          queue.path, policy.text()));
        }
      }
    }};

}  // namespace previct::lint
