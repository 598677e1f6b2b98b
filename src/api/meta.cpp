#include "api/meta.h"

#include "base/contains.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace previct {
namespace {

/// The keys of annotations that are kept: those that Kubernetes defines, and the rows of
/// src/engine/<name>/scheduler.def.
constexpr auto kThatMatter = [] {
  std::array keys = {
      std::string_view("batch.kubernetes.io/job-index-failure-count"),
      std::string_view("deployment.kubernetes.io/desired-replicas"),
      std::string_view("deployment.kubernetes.io/revision"),
      std::string_view("kubernetes.io/config.mirror"),
      std::string_view("kubernetes.io/limit-ranger"),
      std::string_view("previct/ignore"),
      std::string_view("pv.kubernetes.io/bind-completed"),
      std::string_view("resource.kubernetes.io/extended-resource-claim"),
      std::string_view("storage.alpha.kubernetes.io/migrated-plugins"),
      std::string_view("storageclass.beta.kubernetes.io/is-default-class"),
      std::string_view("storageclass.kubernetes.io/is-default-class"),
      std::string_view("volume.beta.kubernetes.io/storage-class"),
      std::string_view("volume.kubernetes.io/selected-node"),
#define PREVICT_ANNOTATION(key) std::string_view(key),
#include "api/schedulers.def"
  };
  std::sort(keys.begin(), keys.end());
  return keys;
}();

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
  constexpr std::array<std::string_view, 4> kKnown = {"batch.kubernetes.io/job-tracking", "foregroundDeletion",
                                                      "orphan", "kueue.x-k8s.io/resource-in-use"};
  return std::find(kKnown.begin(), kKnown.end(), finalizer) == kKnown.end() ? finalizer : std::string_view();
}

auto controller_of(const ObjectMeta& meta) -> const OwnerReference* {
  for (const OwnerReference& owner : meta.owners) {
    if (owner.controller) return &owner;
  }
  return nullptr;
}

}  // namespace previct
