#pragma once

#include "cluster/snapshot.h"

#include <optional>
#include <string>
#include <string_view>

namespace previct {

/// How the parts of a scheduler that is installed by Helm are called.
struct OwnParts {
  int major = 0;               ///< of its version
  std::string_view scheduler;  ///< how its image begins, as component_of_image() keeps it: `kai-scheduler/scheduler`
  std::string_view any;        ///< how those of all its parts begin: `kai-scheduler/`
  std::string_view chart;      ///< how the label that Helm gives begins: `kai-scheduler-`
};

/// Which release of a scheduler runs, as its own pods and Deployments show it.
struct OwnRelease {
  std::optional<int> minor;  ///< none: nothing shows it
  std::string known_by;      ///< in words: `its pod runs v0.14.0`
  bool several = false;      ///< more than one: `minor` is the newest
};

/// By the tag of an image; where it has none, as with a digest, by the labels `app.kubernetes.io/version`,
/// `helm.sh/chart` and `chart`. The scheduler's pods count first, then its Deployment, then the other parts.
[[nodiscard]] auto own_release(const Snapshot& cluster, const OwnParts& parts) -> OwnRelease;

/// `1.6 (its pod runs 1.6.2; rules of v1.6.3)`: the release that an answer is for, how it is known (empty: the question
/// says it), and the tag whose answers were compared (empty: none were).
[[nodiscard]] auto words_of_release(std::string_view name, std::string_view known_by, std::string_view compared_with)
    -> std::string;

}  // namespace previct
