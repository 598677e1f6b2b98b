#pragma once

#include "base/diagnostics.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace previct {

/// A sequential source of bytes, read once.
class ByteSource {
 public:
  virtual ~ByteSource() = default;

  /// Fills a part of `into`, from its front, and returns the number of bytes; 0 only at the end. After an error, the
  /// source is at its end.
  [[nodiscard]] virtual auto read(std::span<char> into) -> Result<std::size_t> = 0;

  /// The estimated number of bytes left; 0 if unknown.
  [[nodiscard]] virtual auto left() const -> std::uint64_t { return 0; }
};

/// A source for the bytes of `text`, which must outlive it.
[[nodiscard]] auto memory_source(std::string_view text) -> std::unique_ptr<ByteSource>;

/// The content of a regular file, and how it is stored.
struct FileSource {
  std::unique_ptr<ByteSource> bytes;
  std::uint64_t size = 0;      ///< size of the file when it was opened
  std::string_view container;  ///< gzip or zstd; empty for a plain file
};

/// Opens the regular file at `path`; for a gzip or zstd stream, the source returns the unpacked bytes. A file that
/// cannot be opened, or is truncated, damaged or larger than open_input() allows, fails without a reason; open_input()
/// gives it.
[[nodiscard]] auto file_source(const std::string& path, FileId file, std::uint64_t max_bytes) -> Result<FileSource>;

}  // namespace previct
