#include "analysis/alike_pods.h"

#include "api/fields.h"

#include <algorithm>

namespace previct {
namespace {

auto owns_by_name(const PodSpec& spec) -> bool {
  return spec.scheduling_group.pod_group || spec.workload_ref.workload || !spec.resource_claims.empty() ||
         std::any_of(spec.volumes.begin(), spec.volumes.end(), [](const Volume& volume) { return volume.ephemeral; });
}

}  // namespace

auto alike_key(const Snapshot& cluster, PodId pod) -> std::string {
  const Pod& of = cluster.pod(pod);
  if (owns_by_name(of.spec)) return {};
  std::string key(1, of.admitted ? 'a' : 'n');
  for (const auto& [path, text] : fields_of(of, cluster.symbols())) {
    if (path == "metadata.name" || path == "metadata.resourceVersion") continue;
    // That a pod has a uid says that an API server has it.
    key += path + '\n' + (path == "metadata.uid" ? "" : text) + '\n';
  }
  return key;
}

void release_node_lists(Answer& answer, bool keeps_victims) {
  constexpr std::size_t kSeveral = 2;
  std::vector<NodeId>().swap(answer.feasible);
  if (answer.tied.size() > kSeveral) answer.tied = {answer.tied[0], answer.tied[1]};
  const auto takes_nothing = [](const PossibleNode& each) { return each.victims.empty() && each.pdb_violations == 0; };
  if (!answer.odds || answer.odds->nodes.empty()) return;
  std::vector<PossibleNode>& nodes = answer.odds->nodes;
  if (!keeps_victims || std::all_of(nodes.begin(), nodes.end(), takes_nothing))
    nodes = std::vector<PossibleNode>{nodes.front()};
}

}  // namespace previct
