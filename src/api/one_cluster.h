#pragma once

#include "api/objects.h"
#include "base/diagnostics.h"

namespace previct {

/// Fails if the objects are of two clusters. The API server lets nobody delete the namespaces that it makes itself, so
/// each has one UID for as long as the cluster lives.
/// Source: k8s.io/apiserver pkg/admission/plugin/namespace/lifecycle/admission.go, immortalNamespaces, v1.35.
[[nodiscard]] auto check_one_cluster(const Objects& objects) -> Result<void>;

}  // namespace previct
