#pragma once

#include "api/objects.h"

#include <string>
#include <vector>

namespace previct {

/// Null: it is not in the input.
[[nodiscard]] auto find_claim_template(Symbol ns, Symbol name, const Objects& objects) -> const ResourceClaimTemplate*;
/// Returns the claim that the controller creates for this reference of the pod.
[[nodiscard]] auto claim_of_template(const Pod& pod, Symbol reference, ResourceClaimSpec spec, Instant now,
                                     Symbols& symbols) -> ResourceClaim;

/// Gives a new pod the ResourceClaims that the controller creates from the pod's ResourceClaimTemplates.
///
/// Fails if a template does not exist, because the claims of the pod are unknown then.
///
/// Source: kubernetes/kubernetes: pkg/controller/resourceclaim/controller.go handleClaim; v1.36.
[[nodiscard]] auto claim_devices(Pod& pod, Instant now, Objects& objects) -> Result<void>;

/// The claims of a pod's generic ephemeral volumes, from the manifest at `pod` on the tape, each with the name of its
/// volume.
[[nodiscard]] auto ephemeral_claims(const Tape& tape, std::uint32_t pod, FileId file, Objects& objects)
    -> Result<std::vector<PersistentVolumeClaim>>;

/// Adds them for a new pod, as their controller does; a claim that is in the input stays unchanged. Returns the names
/// of the added claims.
///
/// Source: kubernetes/kubernetes: pkg/controller/volume/ephemeral/controller.go handleVolume; v1.36.
auto add_ephemeral_claims(const Pod& pod, const std::vector<PersistentVolumeClaim>& claims, Instant now,
                          Objects& objects) -> std::vector<std::string>;

/// Returns the claim as its controller creates it, without a name: bound to no volume.
[[nodiscard]] auto claim_like(const PersistentVolumeClaim& claim, Symbols& symbols) -> PersistentVolumeClaim;

/// Adds a claim that a controller creates, unless its name exists; returns true if it was added.
auto add_claim(PersistentVolumeClaim claim, Objects& objects) -> bool;

/// Gives a new PersistentVolumeClaim without a StorageClass the default one: the newest if there are several, then the
/// first by name. Source: kubernetes/kubernetes: plugin/pkg/admission/storage/storageclass/setdefault/admission.go;
/// pkg/volume/util/storageclass.go GetDefaultClass; v1.35.
void set_default_class(PersistentVolumeClaim& claim, const Objects& objects);

}  // namespace previct
