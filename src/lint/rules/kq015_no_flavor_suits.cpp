#include "lint/kueue_state.h"
#include "lint/rule.h"

namespace previct::lint {

const Rule& kq015_no_flavor_suits_rule =
    Rule{.id = "KQ015",
         .name = "no-flavor-suits",
         .severity = Severity::error,
         .title = "a pending workload whose pods cannot run on any flavor",
         .why =
             "Its pods tolerate no flavor's taints, or their nodeSelector or node affinity matches no flavor's labels. "
             "No quota changes that.",
         .how_to_fix = "Add a toleration or a nodeSelector that suits one of the flavors.",
         .source = "kubernetes-sigs/kueue pkg/scheduler/flavorassigner checkFlavorForPodSets",
         .check = [](const Repository& repository, FindingSink& found) {
           const KueueState& state = repository.derived<KueueState>();
           for (const KueueState::Tried& each : state.tried()) {
             if (mildest_of(each.nomination.assignment) != kueue::Severity::no_matching_flavor) continue;
             const Manifest* const manifest = state.manifest_of(each.workload);
             if (manifest == nullptr) continue;
             found.object(*manifest, fmt::format("the pods of Workload {} suit no flavor of ClusterQueue {}",
                                                 state.inventory()->workloads()[each.workload].key,
                                                 state.inventory()->queues()[each.queue].name));
           }
         }};

}  // namespace previct::lint
