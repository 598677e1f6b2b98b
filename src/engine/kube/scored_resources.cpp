#include "engine/kube/scored_resources.h"

#include "api/upstream.h"
#include "engine/kube/scored_request.h"

#include <algorithm>

namespace previct::kube {
namespace {

// A node's share of a scalar resource counts only if the pod requests some.
// Source: pkg/scheduler/util/utils.go IsScalarResourceName.
auto is_scalar(const WellKnown& known, Symbol name) -> bool {
  return name != known.cpu && name != known.memory && name != known.ephemeral_storage;
}

}  // namespace

ScoredResources::ScoredResources(const Incoming& incoming, const std::vector<ResourceWeight>& resources,
                                 bool with_defaults)
    : incoming_(incoming) {
  const Snapshot& cluster = incoming.cluster();
  const WellKnown& known = cluster.known();
  const NodeInfoSnapshot& node_infos = incoming.node_infos;
  RequestRules rules = rules_of_requests(node_infos.release());
  const bool of_containers = with_defaults && node_infos.release().has(Change::fit_scores_containers);
  if (of_containers) rules.pod_level = false;
  const ResourceList request =
      pod_request(cluster, incoming.pod(), of_containers ? RequestOf::incoming : RequestOf::placed, rules,
                  with_defaults ? amounts_by_default(cluster) : ResourceList());
  for (const ResourceWeight& each : resources) {
    Resource& resource = resources_.emplace_back();
    resource.name = cluster.symbol(each.name);
    resource.weight = each.weight;
    if (!resource.name) continue;
    const Quantity wanted = request.get(resource.name).value_or(Quantity());
    resource.wanted = resource.name == known.cpu ? wanted.milli() : wanted.value();
    if (resource.wanted == 0 && is_scalar(known, resource.name)) continue;
    resource.column = resource.of_before = node_infos.column_of(resource.name);
    if (!with_defaults) continue;
    if (resource.name == known.cpu) resource.of_before = &node_infos.scored_columns().milli_cpu;
    if (resource.name == known.memory) resource.of_before = &node_infos.scored_columns().memory;
  }
}

auto ScoredResources::nothing_requested() const -> bool {
  return std::all_of(resources_.begin(), resources_.end(), [](const Resource& each) { return each.wanted == 0; });
}

auto ScoredResources::doubt() const -> std::optional<Gap> {
  if (!incoming_.node_infos.release().has(Change::extended_resources_of_devices)) return {};
  for (const Resource& each : resources_) {
    if (each.column == nullptr || each.wanted == 0) continue;
    const std::string_view name = incoming_.cluster().text(each.name);
    if (!upstream::is_extended_resource(name)) continue;
    const auto& allocatable = each.column->allocatable;
    if (std::any_of(allocatable.begin(), allocatable.end(), [](std::int64_t amount) { return amount == 0; }))
      return Gap{GapRule::score_of_devices, {std::string(name)}};
  }
  return {};
}

}  // namespace previct::kube
