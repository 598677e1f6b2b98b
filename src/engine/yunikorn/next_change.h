#pragma once

#include "cluster/changed_cluster.h"
#include "cluster/pod_ends.h"
#include "engine/yunikorn/configuration.h"
#include "engine/yunikorn/release.h"

#include <memory>
#include <optional>
#include <vector>

namespace previct::yunikorn {

/// The cluster after pods have left it, and the core that sees it.
struct Later {
  explicit Later(const Snapshot& cluster) : objects(cluster.objects()), changed(objects) {}

  Objects objects;  // a copy: the answer refers to the cluster of the question as well
  ChangedCluster changed;
  std::optional<Snapshot> snapshot;
  std::unique_ptr<const PartitionContext> core;
};

/// The first time at which the attempt would end differently from now, if only time passes.
struct NextChange {
  Instant at = Instant::never();
  std::optional<ReleaseDecision> then;  ///< none: the search ended here, after too many times, or at `stopped_by`
  std::size_t tried = 0;
  std::vector<PodEnd> ended{};           ///< at `at`: grace periods of pods that leave their nodes then
  std::optional<PodEnd> stopped_by{};    ///< the end at `at`, after which more may happen than is simulated
  std::shared_ptr<const Later> later{};  ///< has the core of `then`; null: it is that of now
};

/// `at`: the time up to which the decision `now` holds in an unchanged cluster. If the pod gets no node now, pods whose
/// ends are known leave their nodes then; what their controllers do is not simulated. `from`: the time of `now`.
[[nodiscard]] auto next_change(const PartitionContext& core, const Setup& setup, PodId pod,
                               const ReleaseOptions& options, const ReleaseDecision& now, Instant from, Instant at)
    -> NextChange;

}  // namespace previct::yunikorn
