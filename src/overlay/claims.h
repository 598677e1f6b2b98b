#pragma once

#include "api/objects.h"
#include "overlay/surroundings.h"

namespace previct {

/// Gives a new pod the ResourceClaims that its controller makes of the pod's ResourceClaimTemplates.
///
/// Errors: there is no such template, so that what the pod claims is not known.
///
/// Source: kubernetes/kubernetes: pkg/controller/resourceclaim/controller.go handleClaim; v1.36.
[[nodiscard]] auto claim_devices(Pod& pod, Instant now, const Surroundings& around, Objects& objects) -> Result<void>;

/// Gives a new PersistentVolumeClaim that names no StorageClass the default one: of several the youngest, then the
/// first by name. Source: kubernetes/kubernetes: plugin/pkg/admission/storage/storageclass/setdefault/admission.go;
/// pkg/volume/util/storageclass.go GetDefaultClass; v1.35.
void set_default_class(PersistentVolumeClaim& claim, const Objects& objects);

}  // namespace previct
