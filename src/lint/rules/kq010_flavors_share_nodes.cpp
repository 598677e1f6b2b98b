#include "lint/kueue.h"
#include "lint/rule.h"

#include <algorithm>
#include <map>

namespace previct::lint {

const Rule& kq010_flavors_share_nodes_rule =
    Rule{.id = "KQ010",
         .name = "flavors-share-nodes",
         .severity = Severity::warning,
         .title = "flavors of one group whose node labels do not differ",
         .why =
             "Kueue counts the quota of one flavor, and kube-scheduler may run the pods on the nodes of the other: the "
             "quotas no longer say what is free.",
         .how_to_fix = "Set different nodeLabels for each flavor of a group.",
         .source =
             "kubernetes-sigs/kueue pkg/scheduler/flavorassigner (flavor selector), "
             "site/content/en/docs/concepts/resource_flavor.md",
         .check = [](const Repository& repository, FindingSink& found) {
           const auto labels_of = [](const Manifest& flavor) {
             std::map<std::string_view, std::string_view> labels;
             for (const Value& each : flavor.in("spec.nodeLabels")) labels.emplace(each.key(), each.text());
             return labels;
           };
           for (const Manifest* queue : repository.of(kind::kClusterQueue)) {
             for (const Value& group : queue->in("spec.resourceGroups")) {
               std::vector<const Manifest*> flavors;
               for (const Value& each : group["flavors"]) {
                 if (const Manifest* const flavor = find_named(repository, kind::kResourceFlavor, each["name"].text()))
                   flavors.push_back(flavor);
               }
               for (std::size_t i = 1; i < flavors.size(); ++i) {
                 const auto same = std::find_if(flavors.begin(), flavors.begin() + static_cast<std::ptrdiff_t>(i),
                                                [&](const Manifest* other) {
                                                  return labels_of(*other) == labels_of(*flavors[i]) ||
                                                         labels_of(*other).empty() || labels_of(*flavors[i]).empty();
                                                });
                 if (same == flavors.begin() + static_cast<std::ptrdiff_t>(i)) continue;
                 found.object(*flavors[i], fmt::format("flavors {} and {} of ClusterQueue {} may mean the same nodes",
                                                       (*same)->name, flavors[i]->name, queue->name));
               }
             }
           }
         }};

}  // namespace previct::lint
