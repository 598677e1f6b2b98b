#pragma once

#include "engine/engine.h"

namespace previct::kube {

/// Rate limits, back-off and flush of a scheduler, the same for all its profiles.
struct RateLimits {
  double qps = 50;                   ///< calls to the API server per second …
  std::int64_t burst = 100;          ///< … after this many at once
  std::int64_t initial_backoff = 1;  ///< seconds after a pod's first failure, doubled with each further failure …
  std::int64_t max_backoff = 10;     ///< … up to this
  std::int64_t flush = 300;          ///< seconds after which a failed pod is tried again without an event
};

/// Reads clientConnection.qps and burst, podInitialBackoffSeconds and podMaxBackoffSeconds of the given
/// KubeSchedulerConfiguration. Missing fields, or no configuration: upstream's defaults. The flags --kube-api-qps and
/// --kube-api-burst of the scheduler's own pod count if it has no --config.
///
/// Errors: a configuration that kube-scheduler would refuse, with its place.
/// Source: pkg/scheduler/apis/config/v1/defaults.go SetDefaults_KubeSchedulerConfiguration; apis/config/validation
/// ValidateKubeSchedulerConfiguration; cmd/kube-scheduler/app/options/options.go ApplyDeprecated, ApplyTo; v1.35.
[[nodiscard]] auto read_rate_limits(const Snapshot& cluster, const Question& question) -> Result<RateLimits>;

/// Returns RateLimits::flush: that of the question, or else of --pod-max-in-unschedulable-pods-duration of the
/// scheduler's own pod, which counts with --config, too.
[[nodiscard]] auto flush_seconds(const Snapshot& cluster, const Question& question) -> std::int64_t;

}  // namespace previct::kube
