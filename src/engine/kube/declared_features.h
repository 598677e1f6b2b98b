#pragma once

#include "cluster/snapshot.h"
#include "engine/kube/release.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace previct::kube {

/// Returns the features that the pod needs of a kubelet, as arguments of declared_feature(). Kubelets declare them in
/// the status of their node because not every kubelet has them. Releases differ in the features that they look for.
/// Source: component-helpers: nodedeclaredfeatures/features, InferForScheduling, v0.35.4 and v0.36.3.
[[nodiscard]] auto features_needed(const Snapshot& cluster, const PodSpec& pod, const Release& release)
    -> std::vector<std::size_t>;

/// Returns the name of a feature, such as `RestartAllContainersOnContainerExits`; empty if no feature has that index.
[[nodiscard]] auto declared_feature(std::int64_t place) -> std::string_view;

}  // namespace previct::kube
