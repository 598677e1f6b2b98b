#pragma once

#include "api/objects.h"
#include "overlay/surroundings.h"

#include <string>
#include <vector>

namespace previct {

/// Gives a new pod the ResourceClaims that its controller makes of the pod's ResourceClaimTemplates.
///
/// Errors: there is no such template, so that what the pod claims is not known.
///
/// Source: kubernetes/kubernetes: pkg/controller/resourceclaim/controller.go handleClaim; v1.36.
[[nodiscard]] auto claim_devices(Pod& pod, Instant now, const Surroundings& around, Objects& objects) -> Result<void>;

/// The claims of a pod's generic ephemeral volumes as the manifest at `pod` on the tape has them, each called as its
/// volume.
[[nodiscard]] auto ephemeral_claims(const Tape& tape, std::uint32_t pod, FileId file, Objects& objects)
    -> Result<std::vector<PersistentVolumeClaim>>;

/// Adds them for a new pod, as their controller does at once; one that the input holds stays as it is. Returns the
/// names of those added.
///
/// Source: kubernetes/kubernetes: pkg/controller/volume/ephemeral/controller.go handleVolume; v1.36.
auto add_ephemeral_claims(const Pod& pod, const std::vector<PersistentVolumeClaim>& claims, Instant now,
                          Objects& objects) -> std::vector<std::string>;

/// Adds a claim that a controller makes, unless there is one of its name; true if it was added.
auto add_claim(PersistentVolumeClaim claim, Objects& objects) -> bool;

/// Gives a new PersistentVolumeClaim that names no StorageClass the default one: of several the youngest, then the
/// first by name. Source: kubernetes/kubernetes: plugin/pkg/admission/storage/storageclass/setdefault/admission.go;
/// pkg/volume/util/storageclass.go GetDefaultClass; v1.35.
void set_default_class(PersistentVolumeClaim& claim, const Objects& objects);

}  // namespace previct
