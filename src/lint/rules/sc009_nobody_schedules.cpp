#include "base/text.h"
#include "engine/engine.h"
#include "lint/rule.h"
#include "lint/schedulers.h"

namespace previct::lint {

const Rule& sc009_nobody_schedules_rule =
    Rule{.id = "SC009",
         .name = "nobody-schedules",
         .severity = Severity::warning,
         .title = "a schedulerName that no profile of the input has",
         .why =
             "No scheduler tries the pod, so it stays pending without an event. (Not reported without a scheduler "
             "configuration, and not for kai-scheduler and yunikorn, which have no such configuration.)",
         .how_to_fix = "Correct the name, or add the profile.",
         .source = "kubernetes pkg/scheduler/eventhandlers.go (responsibleForPod)",
         .check = [](const Repository& repository, FindingSink& found) {
           std::vector<std::string> names;
           for (const SchedulerProfile& profile : scheduler_profiles(repository)) names.push_back(profile.name);
           if (names.empty()) return;
           const auto& known = repository.tree().known_schedulers;
           names.insert(names.end(), known.begin(), known.end());
           for (const Engine* engine : engines()) {
             if (!engine->scheduler_name().empty()) names.emplace_back(engine->scheduler_name());
           }
           names.emplace_back("volcano");
           for (const PodShape& pod : repository.pods()) {
             const Value name = pod.spec["schedulerName"];
             if (name.text().empty() || !pod.authored() || pod.bound ||
                 std::find(names.begin(), names.end(), name.text()) != names.end())
               continue;
             const auto meant = nearest(name.text(), names);
             found.value(name, fmt::format("no profile of the input has the schedulerName {}{}", name.text(),
                                           meant ? fmt::format("; did you mean {}?", *meant) : ""));
           }
         }};

}  // namespace previct::lint
