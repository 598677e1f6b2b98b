#include "api/upstream.h"
#include "lint/rule.h"

#include <map>
#include <string>

namespace previct::lint {

const Rule& sc006_twice_rule =
    Rule{.id = "SC006",
         .name = "twice",
         .severity = Severity::error,
         .title = "a name used twice: schedulerName, pluginConfig",
         .why = "kube-scheduler refuses two profiles of one schedulerName, and two sets of arguments for one plugin.",
         .how_to_fix = "Keep one of them.",
         .source =
             "kubernetes pkg/scheduler/apis/config/validation/validation.go (duplicate profiles, repeated config "
             "for plugin)",
         .check = [](const Repository& repository, FindingSink& found) {
           for (const Manifest* manifest : repository.of(kind::kScheduler)) {
             std::map<std::string, Value> profiles;
             for (const Value& profile : (*manifest)["profiles"]) {
               const Value name = profile["schedulerName"];
               const auto [first, added] =
                   profiles.emplace(std::string(name ? name.text() : upstream::kDefaultScheduler), name);
               if (!added) {
                 auto note = found.value(name ? name : profile,
                                         fmt::format("two profiles have the schedulerName {}", first->first));
                 if (first->second) note.related(first->second, "the first one");
               }
               std::map<std::string, Value> plugins;
               for (const Value& entry : profile["pluginConfig"]) {
                 const auto [before, fresh] = plugins.emplace(entry["name"].text(), entry["name"]);
                 if (fresh || !entry["name"]) continue;
                 found.value(entry["name"], fmt::format("{} has arguments twice", before->first))
                     .related(before->second, "the first ones");
               }
             }
           }
         }};

}  // namespace previct::lint
