#pragma once

#include <string>
#include <string_view>

namespace previct {

/// `bytes` as one zstd frame, with its size and a checksum, so that a reader sees every damage.
[[nodiscard]] auto zstd(std::string_view bytes) -> std::string;

/// `bytes` as one gzip member, without a name or a time: the same bytes give the same stream.
[[nodiscard]] auto gzip(std::string_view bytes) -> std::string;

}  // namespace previct
