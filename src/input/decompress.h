#pragma once

#include "base/diagnostics.h"
#include "input/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace previct {

/// What to do if an input is too large.
inline constexpr std::string_view kRaiseLimit = "raise the limit with --max-input";

[[nodiscard]] auto is_gzip(std::string_view bytes) -> bool;
[[nodiscard]] auto is_zstd(std::string_view bytes) -> bool;

/// The failure of all decompressors if the result exceeds the limit.
[[nodiscard]] auto unpacks_beyond(std::size_t limit, FileId file) -> tl::unexpected<Failure>;

/// Sources that unpack the stream in `packed`: all members or frames, with verified checksums.
///
/// `limit` bounds the result in bytes. Errors (`file` as place), when they are reached: a truncated stream, a wrong
/// checksum or length, other damage, data after the end, a result beyond the limit; and the errors of `packed`.
[[nodiscard]] auto gunzip(std::unique_ptr<ByteSource> packed, std::size_t limit, FileId file)
    -> std::unique_ptr<ByteSource>;
[[nodiscard]] auto unzstd(std::unique_ptr<ByteSource> packed, std::size_t limit, FileId file)
    -> std::unique_ptr<ByteSource>;

/// As above, for bytes in memory, unpacked as a whole.
[[nodiscard]] auto gunzip(std::string_view bytes, std::size_t limit, FileId file) -> Result<std::string>;
[[nodiscard]] auto unzstd(std::string_view bytes, std::size_t limit, FileId file) -> Result<std::string>;

/// Unpacks what zstd_patch() or `zstd --patch-from` made of a text and of `before`. Another `before` is an error, as
/// the checksum shows. `memory`: a text that is no longer needed; its memory is used for the result.
[[nodiscard]] auto unzstd_patch(std::string_view bytes, std::string_view before, std::size_t limit, FileId file,
                                std::string memory = {}) -> Result<std::string>;

}  // namespace previct
