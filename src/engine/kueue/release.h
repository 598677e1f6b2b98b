#pragma once

#include "base/diagnostics.h"

#include <compare>
#include <string>
#include <string_view>

namespace previct::kueue {

/// A release of Kueue: 0.19.0.
struct Release {
  int minor = 19;
  int patch = 0;

  friend constexpr auto operator<=>(Release, Release) = default;
};

/// The release whose answers were compared, and the first one of which previct knows in what it differs.
inline constexpr Release kMeasured{19, 0};
inline constexpr Release kOldest{17, 0};

/// Returns the last patch of that minor release of which previct knows in what it differs; for newer minor releases,
/// the last release of all. Source: CHANGELOG/CHANGELOG-0.17.md to CHANGELOG-0.19.md.
[[nodiscard]] auto last_known(Release release) -> Release;

/// Returns true if the release has three fixes that change decisions: flavors without candidates come last (#13616),
/// FlavorFungibilityPreserveScanProgress (#13956), and the weight 0 of a LocalQueue (#13481).
/// Source: CHANGELOG/CHANGELOG-0.18.md v0.18.5, CHANGELOG/CHANGELOG-0.19.md v0.19.1.
[[nodiscard]] auto has_flavor_fixes(Release release) -> bool;

/// Returns true if a flavor that lacks quota for one resource is compared with the requests of the others, too, so that
/// messages name all of them; and if the resources are processed in the order of their hashes instead of that of a Go
/// map (#13487, #13755). Source: CHANGELOG/CHANGELOG-0.19.md v0.19.1.
[[nodiscard]] auto compares_all_resources(Release release) -> bool;

/// Returns true if what transformations of the configuration generate is added to what is retained, in any order, and
/// `multiplyBy` does not change what is retained (#13986, #14032).
/// Source: CHANGELOG/CHANGELOG-0.18.md v0.18.5, CHANGELOG/CHANGELOG-0.19.md v0.19.1.
[[nodiscard]] auto sums_transformations(Release release) -> bool;

/// Returns true if transformations round quantities up before they multiply with them (#12953, #12962).
/// Source: CHANGELOG/CHANGELOG-0.17.md v0.17.7, CHANGELOG/CHANGELOG-0.18.md v0.18.3, CHANGELOG/CHANGELOG-0.19.md
/// v0.19.0.
[[nodiscard]] auto rounds_transformed(Release release) -> bool;

/// Parses `0.19.0`, `v0.19.0`, `0.18`; an empty text means the release that was compared. Errors: not a release.
[[nodiscard]] auto read_release(std::string_view text) -> Result<Release>;
[[nodiscard]] auto release_text(Release release) -> std::string;

}  // namespace previct::kueue
