#pragma once

#include "api/objects.h"
#include "base/diagnostics.h"

namespace previct {

/// Fails if the objects come from two clusters. The namespaces that the API server creates itself cannot be deleted, so
/// each of them keeps its UID for the lifetime of the cluster.
/// Source: k8s.io/apiserver pkg/admission/plugin/namespace/lifecycle/admission.go, immortalNamespaces, v1.35.
[[nodiscard]] auto check_one_cluster(const Objects& objects) -> Result<void>;

}  // namespace previct
