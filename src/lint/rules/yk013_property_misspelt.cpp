#include "base/text.h"
#include "lint/rule.h"
#include "lint/yunikorn.h"

#include <vector>

namespace previct::lint {

const Rule& yk013_property_misspelt_rule = Rule{
    .id = "YK013",
    .name = "property-misspelt",
    .severity = Severity::warning,
    .title = "a queue property whose name is close to a known one",
    .why = "Properties are free text: YuniKorn accepts unknown properties and ignores them.",
    .how_to_fix = "Correct the name.",
    .source = "apache/yunikorn-core pkg/common/configs/configvalidator.go (names of properties)",
    .check = [](const Repository& repository, FindingSink& found) {
      const std::vector<std::string> known = {
          "preemption.policy",      "preemption.delay",        "priority.policy",          "priority.offset",
          "quota.preemption.delay", "application.sort.policy", "application.sort.priority"};
      for (const YunikornQueue& queue : yunikorn_queues(repository)) {
        for (const Value& property : queue.queue["properties"]) {
          if (std::find(known.begin(), known.end(), property.key()) != known.end()) continue;
          const auto meant = nearest(property.key(), known);
          if (!meant) continue;
          found
              .key(property,
                   fmt::format("queue {}: unknown property {}, did you mean {}?", queue.path, property.key(), *meant))
              .fix_key(*meant);
        }
      }
    }};

}  // namespace previct::lint
