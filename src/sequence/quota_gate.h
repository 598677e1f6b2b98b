#pragma once

#include "cluster/snapshot.h"
#include "overlay/surroundings.h"

#include <string>
#include <utility>
#include <vector>

namespace previct::sequence {

/// Applies ResourceQuotas to the pods that controllers create during a simulation. A controller whose pod is rejected
/// tries again when a pod of the namespace is gone.
class QuotaGate {
 public:
  QuotaGate(const Snapshot& cluster, std::vector<ResourceQuota> quotas)
      : cluster_(cluster), quotas_(std::move(quotas)) {}

  /// Returns why this pod cannot be created in place of `old`, and records `old`; empty: it can.
  [[nodiscard]] auto refuses(const Pod& made, PodId old) -> std::string;
  void comes(PodId pod);
  /// Removes and returns the rejected pods that are to be tried again.
  [[nodiscard]] auto goes(PodId pod) -> std::vector<PodId>;

  [[nodiscard]] auto refused() const -> const std::vector<PodId>& { return refused_; }

 private:
  const Snapshot& cluster_;
  std::vector<ResourceQuota> quotas_;
  std::vector<PodId> refused_;  // in order
};

}  // namespace previct::sequence
