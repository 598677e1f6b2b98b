#include "api/meta.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace previct {
namespace {

/// Prefixes of annotation keys, and whole keys. A new reader of an annotation adds its key here.
constexpr std::array<std::string_view, 23> kThatMatter = {
    "preemption-toleration.scheduling.",  // KEP-205; also its older spellings, which lint speaks of
    "previct/",
    "volume.beta.kubernetes.io/storage-class",
    "pv.kubernetes.io/bind-completed",
    "volume.kubernetes.io/selected-node",
    "storage.alpha.kubernetes.io/migrated-plugins",
    "kubernetes.io/config.mirror",
    "kubernetes.io/limit-ranger",
    "yunikorn.apache.org/",
    "internal.yunikorn.apache.org/",
    "kai.scheduler/",
    "scheduling.run.ai/",
    "pod-group-name",
    "evictor-",  // of KAI's events
    "runai/",
    "runai-",
    "received-resource-type",
    "gpu-",
    "mig.run.ai/",
    "nvidia.com/mig-",
    "resource.kubernetes.io/extended-resource-claim",
    "storageclass.kubernetes.io/is-default-class",
    "storageclass.beta.kubernetes.io/is-default-class",
};

}  // namespace

auto annotation_matters(std::string_view key) -> bool {
  return std::any_of(kThatMatter.begin(), kThatMatter.end(),
                     [&](std::string_view prefix) { return key.substr(0, prefix.size()) == prefix; });
}

auto finalizer_of_strangers(std::string_view finalizer) -> std::string_view {
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
