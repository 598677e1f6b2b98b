#pragma once

#include "api/objects.h"

namespace previct::kueue {

/// Adds the Workload that Kueue creates for a Job with the label `kueue.x-k8s.io/queue-name`, instead of pods: Kueue
/// suspends the Job until it admits the Workload. Returns false if the object is no such Job, or if the input has no
/// LocalQueues. The name of the Workload lacks the hash that Kueue appends.
/// Source: kubernetes-sigs/kueue v0.19.0 pkg/controller/jobs/job/job_controller.go PodSets;
/// pkg/controller/jobframework/reconciler.go ExtractPriority, tas.go NewPodSetTopologyRequest.
[[nodiscard]] auto add_workload_of_job(const FoundObject& found, FileId file, Objects& objects) -> Result<bool>;

}  // namespace previct::kueue
