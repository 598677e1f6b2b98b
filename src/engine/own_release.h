#pragma once

#include "cluster/snapshot.h"

#include <optional>
#include <string>
#include <string_view>

namespace previct {

/// How the images and charts of a scheduler that is installed by Helm are named.
struct ComponentNames {
  int major = 0;               ///< the first number of its version
  std::string_view scheduler;  ///< prefix of its image as component_of_image() returns it: `kai-scheduler/scheduler`
  std::string_view any;        ///< prefix of the images of all its components: `kai-scheduler/`
  std::string_view chart;      ///< prefix of the value of Helm's chart label: `kai-scheduler-`
};

/// The release of a scheduler that runs, as its own pods and Deployments show it.
struct DetectedRelease {
  std::optional<int> minor;  ///< none: the input does not show it
  std::string known_by;      ///< the evidence, in words: `its pod runs v0.14.0`
  bool several = false;      ///< more than one release was seen: `minor` is the newest
  std::optional<int> patch;  ///< of `v0.14.7`: 7; none: the input does not show it
};

/// Reads the release from the image tag or, if the image has none (as with a digest), from the labels
/// `app.kubernetes.io/version`, `helm.sh/chart` and `chart`. The scheduler's pods take precedence over its Deployment,
/// and both over the other components.
[[nodiscard]] auto detect_release(const Snapshot& cluster, const ComponentNames& parts) -> DetectedRelease;

/// Returns `1.6 (its pod runs 1.6.2; rules of v1.6.3)`: the release that an answer is for, the evidence for it (empty:
/// the question names it), and the tag whose answers were compared (empty: none were).
[[nodiscard]] auto describe_release(std::string_view name, std::string_view known_by, std::string_view compared_with)
    -> std::string;

}  // namespace previct
