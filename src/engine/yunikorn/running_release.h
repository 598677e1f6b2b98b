#pragma once

#include "base/diagnostics.h"
#include "cluster/snapshot.h"
#include "engine/gap.h"
#include "engine/release_of.h"

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace previct::yunikorn {

/// The contents of releases.def.
struct ReleaseTable {
  enum class Change : std::uint8_t {
#define PREVICT_CHANGE(name, since, until, source) name,
#include "engine/yunikorn/releases.def"
  };
  static constexpr std::array releases = {
#define PREVICT_RELEASE(minor, compared_with) ReleaseRow{minor, compared_with},
#include "engine/yunikorn/releases.def"
  };
  static constexpr std::array changes = {
#define PREVICT_CHANGE(name, since, until, source) RuleExtent{since, until},
#include "engine/yunikorn/releases.def"
  };
};
using Release = ReleaseOf<ReleaseTable>;
using Change = ReleaseTable::Change;

/// The release of YuniKorn that an answer applies to: core and shim have the same release.
struct RunningRelease {
  Release release;
  /// How the release is known: `its pod runs 1.6.3`, `assumed`; empty if the question names it.
  std::string known_by;
  std::vector<Gap> gaps;  ///< what is not known about the release

  /// `1.6 (its pod runs 1.6.2; rules of v1.6.3)`
  [[nodiscard]] auto words() const -> std::string;
};

/// Returns the release that `version` (--yunikorn-version) names, or else the one that the input shows: by the images
/// and labels of the scheduler's pods and Deployments, or else by Helm's label on its ConfigMaps. If nothing shows it,
/// returns the newest known release.
/// Errors: `version` is not the name of a release.
[[nodiscard]] auto running_release(const Snapshot& cluster, const std::string& version) -> Result<RunningRelease>;

/// Returns the namespaces in which the scheduler runs, by its pods or, without any, by its Deployments.
[[nodiscard]] auto scheduler_namespaces(const Snapshot& cluster) -> std::set<std::string_view>;

}  // namespace previct::yunikorn
