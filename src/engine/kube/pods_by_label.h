#pragma once

#include "cluster/snapshot.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace previct::kube {

/// The pods of each namespace, and those of them with a label, in the order of the cluster. Lists are made on first
/// use.
class PodsByLabel {
 public:
  explicit PodsByLabel(const Snapshot& cluster) : cluster_(cluster) {}

  /// Returns the pods of a namespace.
  [[nodiscard]] auto in(Symbol ns) -> std::span<const PodId>;
  /// Returns the pods of a namespace with a label.
  [[nodiscard]] auto with(Symbol ns, SymbolMap::Entry label) -> std::span<const PodId>;
  /// Returns the shortest list that contains all pods of a namespace that a selector can match.
  [[nodiscard]] auto near(Symbol ns, const LabelSelector& selector) -> std::span<const PodId>;

  /// For simulations: a pod was added to the end of the cluster's pods.
  void add(PodId pod);

 private:
  using Lists = std::unordered_map<std::uint32_t, std::vector<PodId>>;
  struct OfNamespace {
    std::vector<PodId> pods;
    std::unordered_map<std::uint32_t, Lists> by_key;  ///< by key of a label and its value; only keys asked for
  };

  [[nodiscard]] auto of(Symbol ns) -> OfNamespace&;

  const Snapshot& cluster_;
  std::unordered_map<std::uint32_t, OfNamespace> namespaces_;  // empty: not made yet
};

}  // namespace previct::kube
