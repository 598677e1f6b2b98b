#include "lint/rule.h"
#include "lint/yunikorn.h"

namespace previct::lint {

const Rule& yk009_design_only_rule =
    Rule{.id = "YK009",
         .name = "design-only",
         .severity = Severity::warning,
         .title = "a setting of the design document that no release has",
         .why =
             "The design document of 1.5.1 has strategies, a deviation and a delay for required-node preemption. No "
             "release reads them.",
         .how_to_fix = "Remove it.",
         .source = "apache/yunikorn-core, all tags from 1.1.0 to 1.9.0: no trace in the source",
         .check = [](const Repository& repository, FindingSink& found) {
           const auto check = [&](const Value& map) {
             for (const Value& entry : map) {
               const std::string_view key = entry.key();
               const auto has = [&](std::string_view part) { return key.find(part) != std::string_view::npos; };
               const bool design = has("preemption_victim_") || has("preemption_start_delay") ||
                                   key == "deviation_percent" || key == "max_victims";
               if (design) found.key(entry, fmt::format("{} comes from a design document; no release reads it", key));
             }
           };
           for (const Manifest* map : repository.of(kind::kConfigMap)) {
             if (map->name == "yunikorn-configs" || map->name == "yunikorn-defaults") check((*map)["data"]);
           }
           for (const YunikornQueue& queue : yunikorn_queues(repository)) check(queue.queue["properties"]);
         }};

}  // namespace previct::lint
