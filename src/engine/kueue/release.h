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

/// The release whose answers were compared; the rules of 0.17 and 0.18 are implemented, too.
inline constexpr Release kMeasured{19, 0};

/// Parses `0.19.0`, `v0.19.0`, `0.18`; an empty text means the release that was compared. Errors: not a release.
[[nodiscard]] auto read_release(std::string_view text) -> Result<Release>;
[[nodiscard]] auto release_text(Release release) -> std::string;

}  // namespace previct::kueue
