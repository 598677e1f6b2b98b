#pragma once

#include "cluster/snapshot.h"
#include "overlay/surroundings.h"

#include <string>
#include <utility>
#include <vector>

namespace previct::sequence {

/// What ResourceQuotas leave to the pods that controllers make while others come and go. A controller that is refused
/// tries again when a pod of the namespace is gone.
class QuotaGate {
 public:
  QuotaGate(const Snapshot& cluster, std::vector<ResourceQuota> quotas)
      : cluster_(cluster), quotas_(std::move(quotas)) {}

  /// Why this pod cannot be made in place of `old`, which is noted; empty: it can.
  [[nodiscard]] auto refuses(const Pod& made, PodId old) -> std::string;
  void comes(PodId pod);
  /// Those that were refused, and are to be tried again.
  [[nodiscard]] auto goes(PodId pod) -> std::vector<PodId>;

  [[nodiscard]] auto refused() const -> const std::vector<PodId>& { return refused_; }

 private:
  const Snapshot& cluster_;
  std::vector<ResourceQuota> quotas_;
  std::vector<PodId> refused_;  // in order
};

}  // namespace previct::sequence
