#pragma once

#include "support/cluster.h"

#include <memory>

namespace previct::test {

/// Returns pending pods of which one is bound, then evicted for another one: d/first needs a pod with app=a on its
/// node. None exists at first, so no eviction helps. d/partner and d/low fill n1. The binding of d/partner makes the
/// scheduler try d/first again, which then fits there if d/low goes.
[[nodiscard]] inline auto bound_then_evicted() -> std::unique_ptr<TestCluster> {
  return a_cluster({a_node("n1", "2"),
                    a_pod("d/first")
                        .priority(9)
                        .spec("affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                              "[{labelSelector: {matchLabels: {app: a}}, topologyKey: kubernetes.io/hostname}]}}")
                        .yaml(),
                    a_pod("d/partner").priority(9).labels("{app: a}").yaml(), a_pod("d/low").priority(1).yaml()});
}

}  // namespace previct::test
