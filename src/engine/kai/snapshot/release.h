#pragma once

#include "base/diagnostics.h"
#include "cluster/snapshot.h"
#include "engine/gap.h"
#include "engine/release_of.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace previct::kai {

/// The contents of releases.def.
struct ReleaseTable {
  enum class Change : std::uint8_t {
#define PREVICT_CHANGE(name, since, until, source) name,
#include "engine/kai/releases.def"
  };
  static constexpr std::array releases = {
#define PREVICT_RELEASE(minor, compared_with, modeled) \
  ReleaseRow{minor, compared_with, std::string_view(#modeled) == "whole", std::string_view(#modeled) != "placing"},
#include "engine/kai/releases.def"
  };
  static constexpr std::array changes = {
#define PREVICT_CHANGE(name, since, until, source) RuleExtent{since, until},
#include "engine/kai/releases.def"
  };
};
using Release = ReleaseOf<ReleaseTable>;
using Change = ReleaseTable::Change;

/// Changes that several ranges of releases have.
[[nodiscard]] inline auto searches_for_hopeless(const Release& release) -> bool {
  return release.has(Change::hopeless_are_searched_until_8) || release.has(Change::hopeless_are_searched_in_10) ||
         release.has(Change::hopeless_are_searched_in_13);
}
[[nodiscard]] inline auto sidecars_end(const Release& release) -> bool {
  return release.has(Change::sidecars_end_until_8) || release.has(Change::sidecars_end_in_10) ||
         release.has(Change::sidecars_end_in_13);
}

/// `0.17`
[[nodiscard]] auto release_name(int minor) -> std::string;

/// The release of the KAI Scheduler that an answer applies to.
struct RunningRelease {
  Release release;
  /// How the release is known: `its pod runs v0.14.0`, `assumed`; empty if the question names it.
  std::string known_by;
  std::optional<int> patch;  ///< the third number of its version; none: not known
  std::vector<Gap> gaps;     ///< what is not known about the release

  /// Returns true if the running release is known and was compared itself, not a commit before it. Then fields that it
  /// does not know are ignored.
  [[nodiscard]] auto surely_compared() const -> bool;
  /// Returns true if it has Change::parents_are_expected, or is a patch of 0.16 before the fix.
  [[nodiscard]] auto expects_parents() const -> bool;
  /// `0.17 (its pod runs v0.17.1; rules of v0.17.0)`
  [[nodiscard]] auto words() const -> std::string;
};

/// Returns the release that `version` (--kai-version) names, or else the one that the input shows: by the images and
/// labels of the scheduler's pods and Deployments, by the tag in its Config, or by fields of its
/// CustomResourceDefinitions and objects that not every release has. If nothing shows it, returns the newest known
/// release.
/// Errors: `version` is not the name of a release.
[[nodiscard]] auto running_release(const Snapshot& cluster, const std::string& version) -> Result<RunningRelease>;

}  // namespace previct::kai
