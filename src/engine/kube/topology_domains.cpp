#include "engine/kube/topology_domains.h"

namespace previct::kube {
namespace {

// `value_of` returns the value of a node, none if it is in no domain.
template <class ValueOf>
void fill(TopologyDomains& domains, const Snapshot& cluster, const ValueOf& value_of) {
  domains.of = IdVector<NodeId, std::uint32_t>(cluster.nodes().size(), TopologyDomains::kNone);
  std::unordered_map<std::uint32_t, std::uint32_t> known;
  for (const NodeId node : cluster.nodes().ids()) {
    const std::optional<Symbol> value = value_of(cluster.node(node).meta.labels);
    if (value)
      domains.of[node] = known.try_emplace(value->index, static_cast<std::uint32_t>(known.size())).first->second;
  }
  domains.count = static_cast<std::uint32_t>(known.size());
}

}  // namespace

auto TopologyKeys::domains(Symbol key) -> const TopologyDomains& {
  const auto [at, is_new] = domains_.try_emplace(key.index);
  if (is_new) {
    fill(at->second, cluster_, [&](const SymbolMap& labels) {
      const Symbol value = labels.get(key);
      return value ? std::optional(value) : std::nullopt;
    });
  }
  return at->second;
}

auto TopologyKeys::domains_of_all(Symbol key) -> const TopologyDomains& {
  const auto [at, is_new] = of_all_.try_emplace(key.index);
  if (is_new) {
    fill(at->second, cluster_, [&](const SymbolMap& labels) {
      const Symbol value = labels.get(key);
      return std::optional(cluster_.text(value).empty() ? Symbol{} : value);
    });
  }
  return at->second;
}

}  // namespace previct::kube
