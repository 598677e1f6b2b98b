#pragma once

#include "cluster/snapshot.h"

#include <cstdint>
#include <unordered_map>

namespace previct::kube {

/// The nodes by their values of one label, the topology key. Domains are numbered by first use, in the order of nodes.
struct TopologyDomains {
  static constexpr std::uint32_t kNone = UINT32_MAX;

  IdVector<NodeId, std::uint32_t> of;  ///< kNone: the node lacks the label
  std::uint32_t count = 0;

  [[nodiscard]] auto has(NodeId node) const -> bool { return of[node] != kNone; }
};

/// The domains of all topology keys in use, made on first use and kept (Snapshot::derived).
class TopologyKeys {
 public:
  explicit TopologyKeys(const Snapshot& cluster) : cluster_(cluster) {}

  [[nodiscard]] auto domains(Symbol key) -> const TopologyDomains&;
  /// Counts all nodes that lack the label, or have an empty value, as one domain.
  [[nodiscard]] auto domains_of_all(Symbol key) -> const TopologyDomains&;

 private:
  const Snapshot& cluster_;
  std::unordered_map<std::uint32_t, TopologyDomains> domains_;
  std::unordered_map<std::uint32_t, TopologyDomains> of_all_;
};

}  // namespace previct::kube
