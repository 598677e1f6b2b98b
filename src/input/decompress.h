#pragma once

#include "base/diagnostics.h"
#include "input/byte_source.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace previct {

[[nodiscard]] auto is_gzip(std::string_view bytes) -> bool;
[[nodiscard]] auto is_zstd(std::string_view bytes) -> bool;

/// The failure of all that unpacks: the result would be larger than allowed.
[[nodiscard]] auto unpacks_beyond(std::size_t limit, FileId file) -> tl::unexpected<Failure>;

/// What the stream in `packed` holds: all members or frames of it, with their checksums verified.
///
/// `limit` bounds the result in bytes. Errors (`file` as place), where they are met: a cut stream, a wrong checksum or
/// length, other damage, bytes behind the end, a result beyond the limit; those of `packed`.
[[nodiscard]] auto gunzip(std::unique_ptr<ByteSource> packed, std::size_t limit, FileId file)
    -> std::unique_ptr<ByteSource>;
[[nodiscard]] auto unzstd(std::unique_ptr<ByteSource> packed, std::size_t limit, FileId file)
    -> std::unique_ptr<ByteSource>;

/// The same of bytes that are at hand, as a whole.
[[nodiscard]] auto gunzip(std::string_view bytes, std::size_t limit, FileId file) -> Result<std::string>;
[[nodiscard]] auto unzstd(std::string_view bytes, std::size_t limit, FileId file) -> Result<std::string>;

}  // namespace previct
