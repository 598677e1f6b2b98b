#include "base/contains.h"
#include "base/text.h"
#include "lint/rule.h"

#include <optional>
#include <string>
#include <vector>

namespace previct::lint {
namespace {

const std::vector<std::string> kFields = {"displayName", "parentQueue",       "resources",
                                          "priority",    "preemptMinRuntime", "reclaimMinRuntime"};
const std::vector<std::string> kResourceFields = {"quota", "limit", "overQuotaWeight"};
const std::vector<std::string> kResources = {"cpu", "gpu", "memory"};

auto unknown(FindingSink& found, const Value& at, const std::string& words, const std::optional<std::string>& meant)
    -> FindingSink::FindingBuilder {
  return found.key(at, meant ? fmt::format("{}, did you mean {}?", words, *meant) : words);
}

void check_resources(const Manifest& queue, FindingSink& found) {
  for (const Value& resource : queue.in("spec.resources")) {
    if (resource.key().empty()) continue;  // a list is refused as a whole
    if (!contains(kResources, resource.key())) {
      // `gpus`, `nvidia.com/gpu`
      std::optional<std::string> meant;
      for (const std::string& each : kResources) {
        if (!meant && resource.key().find(each) != std::string_view::npos) meant = each;
      }
      auto note =
          unknown(found, resource, fmt::format("queue {}: unknown resource {}", queue.name, resource.key()), meant);
      if (meant) note.fix_key(*meant);
      continue;
    }
    for (const Value& field : resource) {
      if (contains(kResourceFields, field.key())) continue;
      const auto meant = nearest(field.key(), kResourceFields);
      auto note =
          unknown(found, field,
                  fmt::format("queue {}: unknown field {} of {}", queue.name, field.key(), resource.key()), meant);
      if (meant) note.fix_key(*meant);
    }
  }
}

}  // namespace

const Rule& ka020_field_misspelt_rule = Rule{
    .id = "KA020",
    .name = "field-misspelt",
    .severity = Severity::error,
    .title = "a field of a queue that nothing reads",
    .why = "The API server drops fields that the CRD does not know, so a misspelled min-runtime has no effect.",
    .how_to_fix = "Correct the name.",
    .source = "kai-scheduler/KAI-Scheduler pkg/apis/scheduling/v2/queue_types.go",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const Manifest* queue : repository.of(kind::kKaiQueue)) {
        check_resources(*queue, found);
        const Value spec = (*queue)["spec"];
        for (const Value& field : spec) {
          if (contains(kFields, field.key())) continue;
          auto meant = nearest(field.key(), kFields);
          if (!meant && field.key().find("eclaim") != std::string_view::npos) meant = "reclaimMinRuntime";
          if (!meant && field.key().find("reempt") != std::string_view::npos) meant = "preemptMinRuntime";
          auto note = unknown(found, field, fmt::format("queue {}: unknown field {}", queue->name, field.key()), meant);
          if (meant && !spec[*meant]) note.fix_key(*meant);
        }
      }
    }};

}  // namespace previct::lint
