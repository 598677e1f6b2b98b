#pragma once

#include "engine/kube/profile.h"

#include <optional>
#include <string>
#include <vector>

namespace previct::kube {

/// Volumes of a pod about which the input says nothing, because it has no object of a kind that describes them. Absence
/// from the input is not absence from the cluster.
struct UnknownVolumes {
  std::string kind;    ///< the first missing kind: `PersistentVolumeClaim`
  std::string claims;  ///< the unknown claims: `data, models`
  bool several = false;
  /// No kind is missing: a volume is created as soon as its claim exists, or was created in a simulation, and its
  /// location is not known.
  bool to_be_made = false;

  /// Returns the condition under which the pod's other rules decide.
  [[nodiscard]] auto if_reached() const -> Gap {
    return {several ? GapRule::if_volumes_exist : GapRule::if_volume_exists, {claims}};
  }
};

/// Returns nothing if all of the pod's claims can be checked: they are known, or missing from an input that has others.
[[nodiscard]] auto unknown_volumes(const Snapshot& cluster, const Pod& pod) -> std::optional<UnknownVolumes>;

/// What the input lacks to check whether there is enough storage for the volumes that are still to be created for a
/// pod.
struct UnknownStorage {
  std::string kind;    ///< `CSIDriver`, `CSIStorageCapacity`
  std::string driver;  ///< driver of one of the volumes
};
/// Returns nothing if no volume is to be created, if its driver is known and does not report capacity, or if the
/// capacity is known.
[[nodiscard]] auto unknown_storage(const Snapshot& cluster, const Pod& pod) -> std::optional<UnknownStorage>;

/// Makes the gap about the missing kind decisive.
void make_decisive(const UnknownVolumes& unknown, std::vector<Gap>& gaps);

/// Returns true for the filters that look at the pod's volumes.
[[nodiscard]] auto looks_at_volumes(const FilterInfo* filter) -> bool;

/// Returns the profile under the assumption that every node can reach the volumes: without the plugins that check
/// volumes.
[[nodiscard]] auto with_volumes_everywhere(const Profile& profile) -> Profile;

/// Returns the profile under the assumption that only the nodes of one zone (`topology.kubernetes.io/zone`) can reach
/// them; nothing if the profile's own arguments rule that out.
[[nodiscard]] auto with_volumes_in(const Profile& profile, Symbol zone_key, Symbol zone) -> std::optional<Profile>;

/// Returns the zones of the nodes, by name, if there are several but at most `most`; otherwise nothing.
[[nodiscard]] auto zones_of(const Snapshot& cluster, Symbol zone_key, std::size_t most) -> std::vector<Symbol>;

}  // namespace previct::kube
