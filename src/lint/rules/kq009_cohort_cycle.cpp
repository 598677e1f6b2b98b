#include "lint/rule.h"

#include <map>

namespace previct::lint {

const Rule& kq009_cohort_cycle_rule =
    Rule{.id = "KQ009",
         .name = "cohort-cycle",
         .severity = Severity::error,
         .title = "cohorts whose parents form a cycle",
         .why = "Every ClusterQueue below such cohorts is inactive, and its message does not say why.",
         .how_to_fix = "Set another parent for one of them.",
         .source = "kubernetes-sigs/kueue pkg/hierarchy/cycle.go",
         .check = [](const Repository& repository, FindingSink& found) {
           const auto& all = repository.of(kind::kCohort);
           std::map<std::string_view, const Manifest*> by_name;
           for (const Manifest* cohort : all) {
             if (!cohort->name.empty()) by_name.emplace(cohort->name, cohort);
           }
           for (const Manifest* cohort : all) {
             const Manifest* at = cohort;
             for (std::size_t steps = 0; steps <= all.size() && at != nullptr; ++steps) {
               const auto parent = by_name.find(at->in("spec.parentName").text());
               at = parent == by_name.end() ? nullptr : parent->second;
               if (at == cohort) break;
             }
             if (at != cohort) continue;
             const Value parent = cohort->in("spec.parentName");
             found.value(parent, fmt::format("cohort {} is its own ancestor, through {}", cohort->name, parent.text()));
           }
         }};

}  // namespace previct::lint
