#include "lint/kueue.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& kq008_flavor_or_check_missing_rule =
    Rule{.id = "KQ008",
         .name = "flavor-or-check-missing",
         .severity = Severity::error,
         .title = "a ClusterQueue that names a flavor or a check that does not exist",
         .why =
             "The ClusterQueue is inactive, and admits nothing, until every ResourceFlavor that it names exists and "
             "every AdmissionCheck is active.",
         .how_to_fix = "Create what is missing, or correct the name.",
         .source = "kubernetes-sigs/kueue pkg/cache/scheduler/clusterqueue.go inactiveReason",
         .check = [](const Repository& repository, FindingSink& found) {
           const bool knows_flavors = !repository.of(kind::kResourceFlavor).empty() || repository.is_whole();
           const bool knows_checks = !repository.of(kind::kAdmissionCheck).empty() || repository.is_whole();
           for (const Manifest* queue : repository.of(kind::kClusterQueue)) {
             if (repository.is_partial()) return;
             for (const Value& group : queue->in("spec.resourceGroups")) {
               for (const Value& flavor : group["flavors"]) {
                 const Value name = flavor["name"];
                 if (!knows_flavors || name.text().empty() || repository.tree().has(kind::kResourceFlavor, name.text()))
                   continue;
                 found.value(name, fmt::format("ClusterQueue {} is inactive: no ResourceFlavor {} in the input",
                                               queue->name, name.text()));
               }
             }
             const auto check = [&](const Value& name) {
               if (!knows_checks || name.text().empty()) return;
               const Manifest* const named = find_named(repository, kind::kAdmissionCheck, name.text());
               if (named == nullptr && !repository.tree().has(kind::kAdmissionCheck, name.text()))
                 found.value(name, fmt::format("ClusterQueue {} is inactive: no AdmissionCheck {} in the input",
                                               queue->name, name.text()));
               if (named != nullptr && (*named)["status"] && !has_condition(*named, "Active"))
                 found.value(name, fmt::format("ClusterQueue {} is inactive: AdmissionCheck {} is not active",
                                               queue->name, name.text()));
             };
             for (const Value& each : queue->in("spec.admissionChecksStrategy.admissionChecks")) check(each["name"]);
             for (const Value& each : queue->in("spec.admissionChecks")) check(each);
           }
         }};

}  // namespace previct::lint
