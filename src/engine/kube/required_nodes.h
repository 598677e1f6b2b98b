#pragma once

#include "cluster/snapshot.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace previct::kube {

/// The nodes that satisfy nodeSelector and the required node affinity of a pod, each found out when it is asked for,
/// and kept. May be used by several threads.
class RequiredNodes {
 public:
  RequiredNodes(const Snapshot& cluster, const PodSpec& spec);

  [[nodiscard]] auto contains(NodeId node) const -> bool;

  /// Returns true if all pods with `spec` have the same nodes, because they require the same.
  [[nodiscard]] auto serves(const PodSpec& spec) const -> bool;

 private:
  enum class Known : std::uint8_t { no, yes, open };

  const Snapshot& cluster_;
  PodSpec required_;                               // only what is compared
  mutable std::vector<std::atomic<Known>> nodes_;  // by node; empty: every node satisfies it
};

/// RequiredNodes of all pods: those that require the same share them (Snapshot::derived).
class RequiredNodesOfPods {
 public:
  explicit RequiredNodesOfPods(const Snapshot& cluster) : cluster_(cluster) {}

  [[nodiscard]] auto of(const PodSpec& spec) -> std::shared_ptr<const RequiredNodes>;

 private:
  const Snapshot& cluster_;
  std::vector<std::shared_ptr<const RequiredNodes>> known_;
};

}  // namespace previct::kube
