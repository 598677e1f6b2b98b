#pragma once

#include "api/objects.h"

namespace previct {

/// Fails if KAI's admission webhook refuses the pod because of its annotations for parts of GPUs. Pods of other
/// schedulers pass. Source: kai-scheduler/KAI-Scheduler
/// pkg/binder/plugins/gpusharing/gpu-request/gpu_request_validator.go ValidateGpuRequests,
/// pkg/admission/webhook/v1alpha2/podhooks/pod_validator.go ValidateCreate.
[[nodiscard]] auto check_gpu_request(const Pod& pod, const Objects& objects) -> Result<void>;

}  // namespace previct
