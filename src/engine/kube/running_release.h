#pragma once

#include "engine/engine.h"
#include "engine/kube/release.h"

#include <optional>
#include <string>
#include <vector>

namespace previct::kube {

struct Profile;

/// The scheduler that an answer is for.
struct RunningRelease {
  Release release;
  std::optional<int> patch{};  ///< the patch release that may run: 4 of 1.33.4; none: the last one is assumed
  std::string known_by;        ///< `nodes run v1.33.4`; empty if the question names the release
  std::vector<Gap> gaps;       ///< what is not known or not modeled of it

  /// The range of possible minor releases if only nodes show it; otherwise both are 0.
  int oldest = 0;
  int newest = 0;
};

/// Returns the release given by --k8s-version and --feature-gates, or else the release that the input shows: through
/// the scheduler's own pod with its flags, the API server's pod, control-plane nodes of k3s and rke2, the messages of a
/// scheduler on pods, and the nodes. Kubelets are never newer than the API server and at most three minors older; a
/// scheduler is at most one minor older than the API server. If nothing shows the release, it is the assumed one, or
/// the newest with a build of PreemptionToleration if that plugin may run. A release older or newer than the known ones
/// gets the rules of the nearest.
///
/// Fails on a text that is no release, a gate that the release would refuse, or a value that is no boolean.
/// Source: kubernetes.io/releases/version-skew-policy.
[[nodiscard]] auto running_release(const Snapshot& cluster, const Question& question) -> Result<RunningRelease>;

/// Returns true for the gap of side_by_side().
[[nodiscard]] auto names_running_releases(const Gap& gap) -> bool;

/// Returns true if schedulers or API servers of different releases run; any of the schedulers may be the leader.
[[nodiscard]] auto side_by_side(const RunningRelease& running) -> bool;

/// Returns the other minor releases that may run as far as the input shows, and that may decide otherwise. `devices`:
/// also about devices.
[[nodiscard]] auto other_releases(const RunningRelease& running, bool devices) -> std::vector<int>;

/// Returns the question for such a release. If the input shows feature gates of the scheduler, they apply unless that
/// release refuses them.
[[nodiscard]] auto asked_of(int minor, const Snapshot& cluster, const Question& question) -> Question;

/// Adds the gap that other releases give other answers. `others`: `with 1.33, it fits on n1`.
void add_other_releases(const RunningRelease& running, const std::vector<std::string>& others, std::vector<Gap>& gaps);

/// Returns `1.35 + PreemptionToleration (nodes run v1.35.4)`: the scheduler whose behavior an answer shows. `profile`:
/// null if none serves the pod.
[[nodiscard]] auto behaves(const RunningRelease& running, const Profile* profile) -> std::string;

/// Returns the preemption plugins of a profile, as ` + DefaultPreemption` or `, no preemption`.
[[nodiscard]] auto preemption_words(const Profile& profile) -> std::string;
/// Returns the same with this text about preemption.
[[nodiscard]] auto behaves(const RunningRelease& running, const std::string& preemption) -> std::string;

}  // namespace previct::kube
