#pragma once

#include "base/diagnostics.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace previct {

/// Windows of zstd streams: 64 MiB at most (log 2).
inline constexpr int kMaxZstdWindow = 26;

[[nodiscard]] auto is_gzip(std::string_view bytes) -> bool;
[[nodiscard]] auto is_zstd(std::string_view bytes) -> bool;

/// The failure of all that unpacks: the result would be larger than allowed.
[[nodiscard]] auto unpacks_beyond(std::size_t limit, FileId file) -> tl::unexpected<Failure>;

/// What the stream holds: all members or frames of it, with their checksums verified.
///
/// `limit` bounds the result in bytes. Errors (`file` as place): a cut stream, a wrong checksum or length,
/// other damage, bytes behind the end, a result beyond the limit.
[[nodiscard]] auto gunzip(std::string_view bytes, std::size_t limit, FileId file) -> Result<std::string>;
[[nodiscard]] auto unzstd(std::string_view bytes, std::size_t limit, FileId file) -> Result<std::string>;

}  // namespace previct
