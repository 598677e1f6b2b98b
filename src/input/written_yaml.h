#pragma once

#include "input/tape.h"

#include <string_view>

namespace previct {

/// Records the document of a file in one of previct's own formats: a test suite, `.previct.yaml`, assumptions. A file
/// without content is an empty mapping. Every scalar is a string as it is written: `1.30`, `on` and `2026-05-01`
/// keep their text, and the description of the format decides what they mean (api/described.h). Only `~`, `null` and a
/// missing value are null. Places of values that an alias stands for are those of their anchor.
///
/// The parser is yaml-cpp, as a stream of events. It follows YAML 1.2, in which `on` is not a boolean, and gives
/// scalars no type, which is what formats with a description need. Dumps are read as Kubernetes' own loader reads them
/// instead (yaml_source.h). yaml-cpp's tree of nodes is not used: it keeps cycles, and walking it expands aliases
/// without a limit.
///
/// Errors, with their place: invalid syntax, also where yaml-cpp accepts it (text that is not UTF-8, control
/// characters, of which it takes U+0004 for the end of the file, a quoted scalar that the end of the file cuts off);
/// a second document; a key that is not a scalar; nesting beyond yaml-cpp's limit of 500; an alias inside its own
/// value; aliases that stand for more than kMostAliased values or 64 MiB.
[[nodiscard]] auto record_written_yaml(std::string_view text, FileId file) -> Result<Tape>;

/// The number of values on the tape that aliases may add to.
inline constexpr std::uint32_t kMostAliased = 100'000;

}  // namespace previct
