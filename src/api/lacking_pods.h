#pragma once

#include "api/objects.h"

namespace previct {

/// Compares the statuses of controllers with the pods of the input: ReplicaSets and ReplicationControllers
/// (`status.replicas`), StatefulSets (`status.replicas`), and Jobs (`status.active`). Must be called after duplicates
/// are removed, and before anything is laid over the input.
/// Source: kubernetes v1.35 pkg/controller: replicaset/replica_set_utils.go calculateStatus;
/// statefulset/stateful_set_control.go updateStatus; job/job_controller.go syncJob.
void note_lacking_pods(Objects& objects);

}  // namespace previct
