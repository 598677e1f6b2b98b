#include "base/ascii.h"
#include "lint/rule.h"
#include "lint/tolerations.h"

#include <array>

namespace previct::lint {
namespace {

auto claims_shelter(std::string_view text) -> bool {
  const std::string small = lower_case(text);
  constexpr std::array<std::string_view, 8> kClaims = {
      "non-preemptible",     "nonpreemptible",      "non-preemptable",    "not preemptible",
      "not be preempted by", "cannot be preempted", "never be preempted", "never preempted"};
  return std::any_of(kClaims.begin(), kClaims.end(),
                     [&](std::string_view claim) { return small.find(claim) != std::string::npos; });
}

}  // namespace

const Rule& pc007_never_is_no_shield_rule = Rule{
    .id = "PC007",
    .name = "never-is-no-shield",
    .severity = Severity::warning,
    .title = "a class described as non-preemptible that only sets preemptionPolicy Never",
    .why =
        "preemptionPolicy: Never limits what pods of the class do to others. They are preempted by higher ones "
        "like any other pod.",
    .how_to_fix = "Give the class a toleration (KEP-205) or a higher value, or a name that says non-preempting.",
    .source =
        "kubernetes pkg/scheduler/framework/plugins/defaultpreemption (the policy of the preemptor alone is "
        "read)",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const PriorityClassShape& each : repository.classes()) {
        if (each.manifest == nullptr || !each.never_preempts || each.annotations()[kMinimumKey]) continue;
        const Value description = (*each.manifest)["description"];
        const bool by_name = claims_shelter(each.name);
        if (!by_name && !claims_shelter(description.text())) continue;
        found
            .field(
                (*each.manifest)["preemptionPolicy"],
                fmt::format("{} is not protected: preemptionPolicy Never only prevents its pods from preempting others",
                            each.name))
            .related(by_name ? each.manifest->in("metadata.name") : description, "promises more");
      }
    }};

}  // namespace previct::lint
