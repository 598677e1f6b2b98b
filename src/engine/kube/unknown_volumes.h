#pragma once

#include "engine/kube/profile.h"

#include <optional>
#include <string>
#include <vector>

namespace previct::kube {

/// Volumes of a pod that the input cannot tell of, because it holds no object at all of a kind that describes them:
/// absence from the input is not absence from the cluster.
struct UnknownVolumes {
  std::string kind;    ///< the first kind that is missing: `PersistentVolumeClaim`
  std::string claims;  ///< of which nothing is known: `data, models`
  bool several = false;
  bool to_be_made = false;  ///< no kind is missing: a volume is made as soon as its claim is, and nobody knows where

  /// The condition under which the pod's other rules decide.
  [[nodiscard]] auto if_reached() const -> Gap {
    return {several ? GapRule::if_volumes_exist : GapRule::if_volume_exists, {claims}};
  }
};

/// Nothing if all of the pod's claims can be judged: known, or missing from an input that holds others.
[[nodiscard]] auto unknown_volumes(const Snapshot& cluster, const Pod& pod) -> std::optional<UnknownVolumes>;

/// What the input lacks to tell whether there is storage left for the volumes that are still to be made for a pod.
struct UnknownStorage {
  std::string kind;    ///< `CSIDriver`, `CSIStorageCapacity`
  std::string driver;  ///< that makes one of the volumes
};
/// Nothing if no volume is to be made, or if its driver is known and does not say what is left, or if that is known.
[[nodiscard]] auto unknown_storage(const Snapshot& cluster, const Pod& pod) -> std::optional<UnknownStorage>;

/// The kind that is missing takes part in the decision: its gap says so.
void let_decide(const UnknownVolumes& unknown, std::vector<Gap>& gaps);

/// Is it one of the filters that look at the pod's volumes?
[[nodiscard]] auto looks_at_volumes(const FilterInfo* filter) -> bool;

/// The profile if every node could reach the volumes: without the plugins that look at volumes.
[[nodiscard]] auto with_volumes_everywhere(const Profile& profile) -> Profile;

/// That, if only the nodes of one zone (`topology.kubernetes.io/zone`) could; nothing where the profile's own arguments
/// leave no room for the assumption.
[[nodiscard]] auto with_volumes_in(const Profile& profile, Symbol zone_key, Symbol zone) -> std::optional<Profile>;

/// The zones of the nodes, by name, if there are several; at most `most`, else none.
[[nodiscard]] auto zones_of(const Snapshot& cluster, Symbol zone_key, std::size_t most) -> std::vector<Symbol>;

}  // namespace previct::kube
