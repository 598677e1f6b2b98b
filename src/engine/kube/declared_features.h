#pragma once

#include "cluster/snapshot.h"
#include "engine/kube/release.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace previct::kube {

/// What a pod needs of a kubelet that not every kubelet can do, and that kubelets declare in their node's status: by
/// place, for declared_feature(). The releases differ in what they look for.
/// Source: component-helpers: nodedeclaredfeatures/features, InferForScheduling, v0.35.4 and v0.36.3.
[[nodiscard]] auto features_needed(const Snapshot& cluster, const PodSpec& pod, const Release& release)
    -> std::vector<std::size_t>;

/// `RestartAllContainersOnContainerExits`; empty if nothing has that place.
[[nodiscard]] auto declared_feature(std::int64_t place) -> std::string_view;

}  // namespace previct::kube
