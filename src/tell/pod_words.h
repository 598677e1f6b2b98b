#pragma once

#include "cluster/pod_ends.h"
#include "cluster/snapshot.h"

#include <string>

namespace previct {

/// `the grace period of ml/a on n1 ends`, `activeDeadlineSeconds of the Job of ml/a on n1 end`, `a NoExecute taint
/// deletes ml/a on n1`.
[[nodiscard]] auto pod_end_words(const PodEnd& end, const Snapshot& cluster) -> std::string;

/// `scheduling gate example.com/a`, `scheduling gates example.com/a, example.com/b`.
[[nodiscard]] auto gate_words(const Pod& pod, const Snapshot& cluster) -> std::string;

/// `; Kueue removes its gate when it admits the pod's Workload`, or, of a pod group that lacks pods, that it creates no
/// Workload yet; empty: the pod does not have Kueue's gate.
/// Source: kubernetes-sigs/kueue pkg/controller/jobs/pod/pod_controller.go validatePodGroupMetadata, v0.19.0.
[[nodiscard]] auto kueue_gate_words(const Pod& pod, const Snapshot& cluster) -> std::string;

}  // namespace previct
