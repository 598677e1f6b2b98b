#include "lint/rule.h"
#include "lint/selectors.h"

namespace previct::lint {

const Rule& pd010_version_gone_rule = Rule{
    .id = "PD010",
    .name = "version-gone",
    .severity = Severity::error,
    .title = "a budget of an API version that is not served",
    .why =
        "policy/v1beta1 is gone since Kubernetes 1.25. There an empty selector matched nothing; in policy/v1 it "
        "matches every pod of the namespace.",
    .how_to_fix = "Write policy/v1, and look at the selector.",
    .source = "kubernetes.io deprecation guide, v1.25: PodDisruptionBudget",
    .check = [](const Repository& repository, FindingSink& found) {
      for (const Manifest* budget : repository.of(kind::kBudget)) {
        const Value version = (*budget)["apiVersion"];
        if (!version || budget->version == "v1") continue;
        // The API server of this dump served it.
        if (budget->in("metadata.uid")) continue;
        auto note = found.value(version, budget->version == "v1beta1"
                                             ? fmt::format("{} is not served since Kubernetes 1.25", version.text())
                                             : fmt::format("PodDisruptionBudget does not exist in {}", version.text()));
        if (!is_empty_selector(budget->in("spec.selector"))) note.fix_value("policy/v1");
      }
    }};

}  // namespace previct::lint
