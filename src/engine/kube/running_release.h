#pragma once

#include "engine/engine.h"
#include "engine/kube/release.h"

#include <string>
#include <vector>

namespace previct::kube {

struct Profile;

/// The scheduler that an answer is for.
struct RunningRelease {
  Release release;
  std::string known_by;   ///< `nodes run v1.33.4`; empty if the question says which
  std::vector<Gap> gaps;  ///< what is not known of it, and what of it is not modelled

  /// Between which minor releases it is, if nodes alone tell; both 0 otherwise.
  int oldest = 0;
  int newest = 0;
};

/// --k8s-version and --feature-gates; else what the input shows: the scheduler's own pod with its flags, the API
/// server's, control-plane nodes of k3s and rke2, what a scheduler wrote on pods, and the nodes, whose kubelets are
/// never newer than the API server, and at most three minors older; a scheduler is at most one older than that. Where
/// nothing tells, the one that is assumed, or the newest for which there is a build of PreemptionToleration, if that
/// may run. An older or newer release than those known gets the rules of the nearest.
///
/// Fails on what names no release, a gate that the release would refuse, or a value that is no boolean.
/// Source: kubernetes.io/releases/version-skew-policy.
[[nodiscard]] auto running_release(const Snapshot& cluster, const Question& question) -> Result<RunningRelease>;

/// `1.35 + PreemptionToleration (nodes run v1.35.4)`: whose behaviour an answer shows. `profile`: null if none looks at
/// the pod.
[[nodiscard]] auto behaves(const RunningRelease& running, const Profile* profile) -> std::string;

/// ` + DefaultPreemption`, `, no preemption`: which plugins of a profile preempt.
[[nodiscard]] auto preemption_words(const Profile& profile) -> std::string;
/// The same with these words of what preempts.
[[nodiscard]] auto behaves(const RunningRelease& running, const std::string& preemption) -> std::string;

}  // namespace previct::kube
