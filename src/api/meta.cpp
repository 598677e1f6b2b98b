#include "api/meta.h"

#include "base/contains.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace previct {
namespace {

/// The keys of annotations that are kept, sorted. Code that reads a further annotation must add its key here.
constexpr std::array<std::string_view, 56> kThatMatter = {"evictor-action-type",
                                                          "evictor-pod-group-name",
                                                          "evictor-pod-group-namespace",
                                                          "gpu-fraction",
                                                          "gpu-fraction-num-devices",
                                                          "gpu-memory",
                                                          "internal.yunikorn.apache.org/placeholder",
                                                          "kai.scheduler/batch-min-member",
                                                          "kai.scheduler/last-eviction-timestamp",
                                                          "kai.scheduler/last-start-timestamp",
                                                          "kai.scheduler/node-pool",
                                                          "kai.scheduler/preemptibility",
                                                          "kai.scheduler/preemption-delay",
                                                          "kai.scheduler/queue",
                                                          "kai.scheduler/stale-podgroup-timestamp",
                                                          "kai.scheduler/subgroup-name",
                                                          "kai.scheduler/task-priority",
                                                          "kubernetes.io/config.mirror",
                                                          "kubernetes.io/limit-ranger",
                                                          "kueue.x-k8s.io/admission-gated-by",
                                                          "kueue.x-k8s.io/elastic-job",
                                                          "kueue.x-k8s.io/podset-preferred-topology",
                                                          "kueue.x-k8s.io/podset-required-topology",
                                                          "kueue.x-k8s.io/podset-slice-required-topology",
                                                          "kueue.x-k8s.io/podset-slice-required-topology-constraints",
                                                          "kueue.x-k8s.io/podset-unconstrained-topology",
                                                          "kueue.x-k8s.io/priority-boost",
                                                          "kueue.x-k8s.io/workload",
                                                          "pod-group-name",
                                                          "previct/ignore",
                                                          "pv.kubernetes.io/bind-completed",
                                                          "resource.kubernetes.io/extended-resource-claim",
                                                          "runai-gpu-group",
                                                          "runai/shared-gpu-configmap",
                                                          "storage.alpha.kubernetes.io/migrated-plugins",
                                                          "storageclass.beta.kubernetes.io/is-default-class",
                                                          "storageclass.kubernetes.io/is-default-class",
                                                          "volume.beta.kubernetes.io/storage-class",
                                                          "volume.kubernetes.io/selected-node",
                                                          "yunikorn.apache.org/allow-preemption",
                                                          "yunikorn.apache.org/app-id",
                                                          "yunikorn.apache.org/creationtime",
                                                          "yunikorn.apache.org/namespace.guaranteed",
                                                          "yunikorn.apache.org/namespace.max.cpu",
                                                          "yunikorn.apache.org/namespace.max.memory",
                                                          "yunikorn.apache.org/namespace.maxApps",
                                                          "yunikorn.apache.org/namespace.parentqueue",
                                                          "yunikorn.apache.org/namespace.quota",
                                                          "yunikorn.apache.org/parentqueue",
                                                          "yunikorn.apache.org/placeholder",
                                                          "yunikorn.apache.org/queue",
                                                          "yunikorn.apache.org/schedulingpolicyparameters",
                                                          "yunikorn.apache.org/task-group-name",
                                                          "yunikorn.apache.org/task-groups",
                                                          "yunikorn.apache.org/user.info",
                                                          "yunikorn.apache.org/username"};
static_assert(std::is_sorted(kThatMatter.begin(), kThatMatter.end()));

/// Prefixes of keys whose rest is a name: MIG profiles.
constexpr std::array<std::string_view, 2> kFamilies = {"mig.run.ai/", "nvidia.com/mig-"};

/// The keys of KEP-205 and their older spellings. Other keys with this prefix are reported as unused.
constexpr std::string_view kToleration = "preemption-toleration.scheduling.";
constexpr std::array<std::string_view, 2> kTolerations = {
    "preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority",
    "preemption-toleration.scheduling.x-k8s.io/toleration-seconds"};

}  // namespace

auto annotation_matters(std::string_view key) -> bool {
  const bool family =
      std::any_of(kFamilies.begin(), kFamilies.end(), [&](std::string_view prefix) { return key.starts_with(prefix); });
  return family || key.starts_with(kToleration) || std::binary_search(kThatMatter.begin(), kThatMatter.end(), key);
}

auto annotation_is_read(std::string_view key) -> bool {
  // Kueue's topology requests are read from its Workloads; on a pod, it matters that there is one.
  if (key.starts_with("kueue.x-k8s.io/podset-")) return false;
  return !key.starts_with(kToleration) || contains(kTolerations, key);
}

auto unknown_finalizer(std::string_view finalizer) -> std::string_view {
  constexpr std::array<std::string_view, 3> kKnown = {"batch.kubernetes.io/job-tracking", "foregroundDeletion",
                                                      "orphan"};
  return std::find(kKnown.begin(), kKnown.end(), finalizer) == kKnown.end() ? finalizer : std::string_view();
}

auto controller_of(const ObjectMeta& meta) -> const OwnerReference* {
  for (const OwnerReference& owner : meta.owners) {
    if (owner.controller) return &owner;
  }
  return nullptr;
}

}  // namespace previct
