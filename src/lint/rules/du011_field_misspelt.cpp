#include "base/contains.h"
#include "base/text.h"
#include "lint/rule.h"

#include <string>
#include <vector>

namespace previct::lint {
namespace {

using Keys = std::vector<std::string>;

/// Reports fields of `map` that are similar to a known field, and `preemptPolicy`, which is less similar than a typing
/// error; other unknown fields are ignored.
void check_keys(const Manifest& of, const Value& map, const Keys& known, FindingSink& found) {
  for (const Value& field : map) {
    if (contains(known, field.key())) continue;
    const auto meant = nearest(field.key(), known);
    const bool policy = contains(known, "preemptionPolicy") && field.key().find("reempt") != std::string_view::npos;
    if (!meant && !policy) continue;
    auto note = found.key(field, fmt::format("{} {}: unknown field {}, did you mean {}?", of.kind, of.name, field.key(),
                                             meant.value_or("preemptionPolicy")));
    if (meant) note.fix_key(*meant);
  }
}

void check_class(const Manifest& of, FindingSink& found) {
  const Keys known = {"apiVersion", "kind", "metadata", "value", "globalDefault", "description", "preemptionPolicy"};
  check_keys(of, of.root(), known, found);
  const Value spec = of["spec"];
  for (const Value& field : spec) {
    if (!contains(known, field.key())) continue;
    found.key(spec, fmt::format("PriorityClass {}: unknown field spec; {} belongs next to kind and metadata", of.name,
                                field.key()));
    return;
  }
}

}  // namespace

const Rule& du011_field_misspelt_rule = Rule{
    .id = "DU011",
    .name = "field-misspelt",
    .severity = Severity::error,
    .title = "a misspelled field of a budget or a PriorityClass",
    .why =
        "kubectl and server-side validation refuse the object. If a tool applies it without validation, the API server "
        "drops the field, and the policy does not exist.",
    .how_to_fix = "Correct the name. Field names are case-sensitive.",
    .source =
        "kubernetes api policy/v1 PodDisruptionBudgetSpec, scheduling/v1 PriorityClass, apimachinery meta/v1 "
        "LabelSelector; kubernetes.io \"Field validation\": kubectl asks for Strict",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const Manifest* budget : repository.of(kind::kBudget)) {
        const Value spec = (*budget)["spec"];
        check_keys(*budget, spec, {"minAvailable", "maxUnavailable", "selector", "unhealthyPodEvictionPolicy"}, found);
        check_keys(*budget, spec["selector"], {"matchLabels", "matchExpressions"}, found);
      }
      for (const Manifest* each : repository.of(kind::kPriorityClass)) check_class(*each, found);
    }};

}  // namespace previct::lint
