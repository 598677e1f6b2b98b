#pragma once

#include "engine/engine.h"

namespace previct::kube {

/// How fast a scheduler may go, whichever of its profiles serves a pod.
struct Pace {
  double qps = 50;                   ///< calls to the API server a second …
  std::int64_t burst = 100;          ///< … after this many at once
  std::int64_t initial_backoff = 1;  ///< seconds after a pod's first failure, doubled with each further one …
  std::int64_t max_backoff = 10;     ///< … up to this
};

/// As the KubeSchedulerConfiguration given has it: clientConnection.qps and burst, podInitialBackoffSeconds,
/// podMaxBackoffSeconds. What it leaves out, or no configuration: upstream's defaults.
///
/// Errors: a configuration that kube-scheduler would refuse, with its place.
/// Source: pkg/scheduler/apis/config/v1/defaults.go SetDefaults_KubeSchedulerConfiguration;
/// apis/config/validation ValidateKubeSchedulerConfiguration; v1.35.
[[nodiscard]] auto read_pace(const Snapshot& cluster, const Question& question) -> Result<Pace>;

}  // namespace previct::kube
