#pragma once

#include <string>
#include <string_view>

namespace previct {

/// Compresses `bytes` into one zstd frame with its size and a checksum, so that a reader detects any damage.
[[nodiscard]] auto zstd(std::string_view bytes) -> std::string;

/// As zstd(), but stores only what differs from `before`, as `zstd --patch-from` does: unzstd_patch() needs `before`.
[[nodiscard]] auto zstd_patch(std::string_view bytes, std::string_view before) -> std::string;

/// Compresses `bytes` into one gzip member without a name or a time: equal bytes give equal streams.
[[nodiscard]] auto gzip(std::string_view bytes) -> std::string;

}  // namespace previct
