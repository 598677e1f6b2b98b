#pragma once

#include "base/diagnostics.h"
#include "cluster/snapshot.h"
#include "engine/gap.h"
#include "engine/release_of.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace previct::kai {

/// What releases.def says.
struct ReleaseTable {
  enum class Change : std::uint8_t {
#define PREVICT_CHANGE(name, since, until, source) name,
#include "engine/kai/releases.def"
  };
  static constexpr std::array releases = {
#define PREVICT_RELEASE(minor, compared_with, modelled) \
  ReleaseRow{minor, compared_with, std::string_view(#modelled) == "whole"},
#include "engine/kai/releases.def"
  };
  static constexpr std::array changes = {
#define PREVICT_CHANGE(name, since, until, source) RuleExtent{since, until},
#include "engine/kai/releases.def"
  };
};
using Release = ReleaseOf<ReleaseTable>;
using Change = ReleaseTable::Change;

/// `0.17`
[[nodiscard]] auto release_name(int minor) -> std::string;

/// The KAI Scheduler that an answer is for.
struct RunningRelease {
  Release release;
  std::string known_by;   ///< `its pod runs v0.14.0`, `assumed`; empty if the question says which
  std::vector<Gap> gaps;  ///< what is not known of it

  /// Is it known which release runs, and was that compared, not a commit on the way to it? Then it passes over what it
  /// does not know.
  [[nodiscard]] auto surely_compared() const -> bool;
  /// `0.17 (its pod runs v0.17.1; rules of v0.17.0)`
  [[nodiscard]] auto words() const -> std::string;
};

/// `version` (--kai-version) says which; else the input shows it: the images and labels of its own pods and
/// Deployments, the tag in its Config, else the fields of its CustomResourceDefinitions and objects that not every
/// release has. Where nothing shows it, it is the newest that is known.
/// Errors: `version` names no release.
[[nodiscard]] auto running_release(const Snapshot& cluster, const std::string& version) -> Result<RunningRelease>;

}  // namespace previct::kai
