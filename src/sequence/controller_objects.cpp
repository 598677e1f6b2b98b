#include "sequence/controller_objects.h"

#include "cluster/deployment_sets.h"

#include <algorithm>

namespace previct::sequence {
namespace {

// Those whose template their pods have are left out: comparing all others for each simulated course would take long.
auto rolling_deployments(const Objects& objects) -> std::set<std::pair<Symbol, Symbol>> {
  const Symbols& symbols = objects.symbols;
  const auto sets = sets_by_deployment(objects.replica_sets, symbols);
  std::set<std::pair<Symbol, Symbol>> rolling;
  for (const Deployment& deployment : objects.deployments) {
    const auto own = sets.find({deployment.meta.ns, deployment.meta.name});
    if (own == sets.end()) continue;
    const bool wants_none =
        deployment.spec.replicas == 0 && std::all_of(own->second.begin(), own->second.end(),
                                                     [](const ReplicaSet* set) { return set->spec.replicas == 0; });
    if (!wants_none && !is_rolled_out(deployment, own->second, symbols)) rolling.insert(own->first);
  }
  return rolling;
}

}  // namespace

auto has_controlled_pods(const Objects& objects) -> bool {
  return std::any_of(objects.pods.begin(), objects.pods.end(),
                     [](const Pod& pod) { return controller_of(pod.meta) != nullptr; });
}

auto controller_objects_of(const Objects& objects) -> ControllerObjects {
  return {objects.jobs,
          objects.stateful_sets,
          objects.resource_quotas,
          objects.limit_ranges,
          !objects.limit_ranges.empty(),
          objects.replica_sets,
          objects.replication_controllers,
          rolling_deployments(objects)};
}

}  // namespace previct::sequence
