#pragma once

#include "base/diagnostics.h"
#include "report/finding.h"

namespace previct::cli {

/// The line of a plain file at `place`, the character there marked. Of what stands on it only the key is shown and no
/// value, which may be anybody's secret, beyond the character that is meant. Empty if the file cannot be read again as
/// it was: a pipe, a member of an archive, something compressed.
[[nodiscard]] auto excerpt_at(const Place& place, const Files& files) -> Excerpt;

/// The same for a line that is at hand; `column` as in Place.
[[nodiscard]] auto excerpt_of(std::string_view line, const Place& place) -> Excerpt;

}  // namespace previct::cli
