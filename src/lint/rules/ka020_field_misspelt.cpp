#include "base/text.h"
#include "lint/rule.h"

#include <vector>

namespace previct::lint {

const Rule& ka020_field_misspelt_rule = Rule{
    .id = "KA020",
    .name = "field-misspelt",
    .severity = Severity::error,
    .title = "a field of a queue that nothing reads",
    .why = "The API server drops fields that the CRD does not know: a misspelt min-runtime is none.",
    .mend = "Correct the name.",
    .source = "kai-scheduler/KAI-Scheduler pkg/apis/scheduling/v2/queue_types.go",
    .bad = R"(apiVersion: scheduling.run.ai/v2
kind: Queue
metadata:
  name: team
spec:
  minReclaimRuntime: 1h
  resources:
    gpu: {quota: 1, limit: -1, overQuotaWeight: 1}
)",
    .good = R"(apiVersion: scheduling.run.ai/v2
kind: Queue
metadata:
  name: team
spec:
  reclaimMinRuntime: 1h
  resources:
    gpu: {quota: 1, limit: -1, overQuotaWeight: 1}
)",
    .check = [](const Repository& repository, Found& found) {
      const std::vector<std::string> known = {"displayName", "parentQueue",       "resources",
                                              "priority",    "preemptMinRuntime", "reclaimMinRuntime"};
      const std::vector<std::string> of_resource = {"quota", "limit", "overQuotaWeight"};
      const std::vector<std::string> resources = {"cpu", "gpu", "memory"};
      for (const Manifest* queue : repository.of(kind::kKaiQueue)) {
        for (const Value& resource : queue->in("spec.resources")) {
          if (resource.key().empty()) continue;  // a list is refused as a whole
          if (std::find(resources.begin(), resources.end(), resource.key()) == resources.end()) {
            // `gpus`, `nvidia.com/gpu`
            const auto meant = std::find_if(resources.begin(), resources.end(), [&](const std::string& each) {
              return resource.key().find(each) != std::string_view::npos;
            });
            const bool is_meant = meant != resources.end();
            auto note = found.key(resource, fmt::format("queue {}: unknown resource {}{}", queue->name, resource.key(),
                                                        is_meant ? fmt::format(", did you mean {}?", *meant) : ""));
            if (is_meant) note.fix_key(*meant);
            continue;
          }
          for (const Value& field : resource) {
            if (std::find(of_resource.begin(), of_resource.end(), field.key()) != of_resource.end()) continue;
            const auto meant = nearest(field.key(), of_resource);
            auto note =
                found.key(field, fmt::format("queue {}: unknown field {} of {}{}", queue->name, field.key(),
                                             resource.key(), meant ? fmt::format(", did you mean {}?", *meant) : ""));
            if (meant) note.fix_key(*meant);
          }
        }
        for (const Value& field : (*queue)["spec"]) {
          if (std::find(known.begin(), known.end(), field.key()) != known.end()) continue;
          auto meant = nearest(field.key(), known);
          if (!meant && field.key().find("eclaim") != std::string_view::npos) meant = "reclaimMinRuntime";
          if (!meant && field.key().find("reempt") != std::string_view::npos) meant = "preemptMinRuntime";
          auto note = found.key(field, fmt::format("queue {}: unknown field {}{}", queue->name, field.key(),
                                                   meant ? fmt::format(", did you mean {}?", *meant) : ""));
          if (meant && !(*queue)["spec"][*meant]) note.fix_key(*meant);
        }
      }
    }};

}  // namespace previct::lint
