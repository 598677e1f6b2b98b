#pragma once

#include "base/diagnostics.h"
#include "report/finding.h"

namespace previct::cli {

/// The line of a plain file at `place`, with the character marked. Only the key and the marked character are shown, but
/// not the value, which may be secret. Empty if the file cannot be read again: a pipe, a member of an archive, a
/// compressed file.
[[nodiscard]] auto excerpt_at(const Place& place, const Files& files) -> Excerpt;

/// The same for a given line; `column` as in Place.
[[nodiscard]] auto excerpt_of(std::string_view line, const Place& place) -> Excerpt;

}  // namespace previct::cli
