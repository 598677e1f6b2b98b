#pragma once

#include "base/diagnostics.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace previct {

/// Bytes from front to back, once.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// Fills a part of `into`, from its front; how much. 0 only at the end. Errors: as the source has them; then it is
  /// at its end.
  [[nodiscard]] virtual auto read(std::span<char> into) -> Result<std::size_t> = 0;

  /// Bytes to come, most likely; 0 also if nothing is known of them.
  [[nodiscard]] virtual auto left() const -> std::uint64_t { return 0; }
};

/// The bytes of `text`, which must outlive the source.
[[nodiscard]] auto memory_source(std::string_view text) -> std::unique_ptr<ByteSource>;

/// What a regular file holds, and how.
struct FileSource {
  std::unique_ptr<ByteSource> bytes;
  std::uint64_t size = 0;      ///< of the file, when it was opened
  std::string_view container;  ///< gzip or zstd; empty for a plain file
};

/// The bytes of the regular file at `path`; of a gzip or zstd stream what it holds. A source that is not to be had,
/// cut, damaged or larger than open_input() allows fails without telling why: that is what open_input() does.
[[nodiscard]] auto file_source(const std::string& path, FileId file, std::uint64_t max_bytes) -> Result<FileSource>;

}  // namespace previct
