#include "engine/lost_nodes.h"

#include <set>
#include <string>
#include <utility>

namespace previct {
namespace {

// By a capture, or by the names that the lists of a live cluster have.
auto read_at_once(const Objects& objects) -> bool {
  const FileId file = objects.nodes.items().front().meta.source.file;
  const bool live = file.index < objects.files.size() && objects.files.name(file).starts_with("cluster:");
  return live || !objects.captures.empty();
}

}  // namespace

LostNodes::LostNodes(const Snapshot& cluster) : listed(cluster.objects().listed.contains("Node")) {
  for (const Node& node : cluster.nodes()) machines = machines || node.status.info.boot_id;
  if (cluster.nodes().empty() || read_at_once(cluster.objects())) return;
  const FileId of_nodes = cluster.objects().nodes.items().front().meta.source.file;
  std::set<Symbol> seen;
  for (const PodId id : cluster.pods().ids()) {
    const Pod& pod = cluster.pod(id);
    const Symbol name = pod.spec.node_name;
    if (!name || cluster.node_of(id) || cluster.finished(id) || pod.meta.deleting) continue;
    if (listed && pod.meta.source.file == of_nodes) continue;
    if (seen.insert(name).second) names.push_back(name);
  }
}

void doubt_without_nodes(const Snapshot& cluster, const std::optional<std::vector<Symbol>>& only, Verdict& verdict) {
  const bool elsewhere = verdict.outcome == Outcome::pending || verdict.outcome == Outcome::preempts ||
                         verdict.outcome == Outcome::not_eligible;
  // A pod that fits may have more nodes to choose from; without any node in the input nothing is told anyway.
  if (!elsewhere && verdict.outcome != Outcome::fits) return;
  const auto& lost = cluster.derived<LostNodes>();
  if (cluster.nodes().empty() || (only && lost.listed)) return;
  std::vector<Symbol> names = only.value_or(lost.names);
  std::erase_if(names, [&](Symbol name) { return bool{cluster.find_node(name)}; });
  if (names.empty()) return;
  const bool one = names.size() == 1;
  const GapRule rule = only ? (one ? GapRule::lost_own_node : GapRule::lost_own_nodes)
                            : (one ? GapRule::lost_node : GapRule::lost_nodes);
  verdict.gaps.insert(
      verdict.gaps.begin(),
      {rule, {std::string(cluster.text(names.front())), std::to_string(names.size())}, elsewhere && lost.machines});
}

}  // namespace previct
