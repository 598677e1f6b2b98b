#pragma once

#include "engine/engine.h"

namespace previct::kube {

/// Rate limits and back-off of a scheduler, the same for all its profiles.
struct RateLimits {
  double qps = 50;                   ///< calls to the API server per second …
  std::int64_t burst = 100;          ///< … after this many at once
  std::int64_t initial_backoff = 1;  ///< seconds after a pod's first failure, doubled with each further failure …
  std::int64_t max_backoff = 10;     ///< … up to this
};

/// Reads clientConnection.qps and burst, podInitialBackoffSeconds and podMaxBackoffSeconds of the given
/// KubeSchedulerConfiguration. Missing fields, or no configuration: upstream's defaults.
///
/// Errors: a configuration that kube-scheduler would refuse, with its place.
/// Source: pkg/scheduler/apis/config/v1/defaults.go SetDefaults_KubeSchedulerConfiguration; apis/config/validation
/// ValidateKubeSchedulerConfiguration; v1.35.
[[nodiscard]] auto read_rate_limits(const Snapshot& cluster, const Question& question) -> Result<RateLimits>;

}  // namespace previct::kube
