#pragma once

#include "base/diagnostics.h"
#include "cluster/snapshot.h"
#include "engine/gap.h"
#include "engine/release_of.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace previct::yunikorn {

/// What releases.def says.
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

/// The YuniKorn that an answer is for: core and shim are of one release.
struct RunningRelease {
  Release release;
  std::string known_by;   ///< `its pod runs 1.6.3`, `assumed`; empty if the question says which
  std::vector<Gap> gaps;  ///< what is not known of it

  /// `1.6 (its pod runs 1.6.2; rules of v1.6.3)`
  [[nodiscard]] auto words() const -> std::string;
};

/// `version` (--yunikorn-version) says which; else the input shows it: the images and labels of its own pods and
/// Deployments, else Helm's label on its ConfigMaps. Where nothing shows it, it is the newest that is known.
/// Errors: `version` names no release.
[[nodiscard]] auto running_release(const Snapshot& cluster, const std::string& version) -> Result<RunningRelease>;

}  // namespace previct::yunikorn
