#pragma once

#include "base/diagnostics.h"
#include "input/archive.h"
#include "input/digest.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace previct {

/// One text of an input. A plain or compressed file has one, without a name; an archive has one for each file that
/// appears to hold objects.
struct Member {
  std::string name;                    ///< path within the archive; empty for the input itself
  std::string text;                    ///< UTF-8 without byte order mark, decompressed
  std::optional<Failure> damage = {};  ///< why a file of an archive has no text
  /// How the file stores the text. It can be written back only if the file holds nothing else.
  enum class Stored : std::uint8_t {
    plain,     ///< byte for byte
    marked,    ///< byte for byte, after a byte order mark
    converted  ///< unpacked, or converted from UTF-16
  };
  Stored stored = Stored::converted;
};

/// The byte order mark of UTF-8.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// The limits that the user sets for an input; 0: not set.
struct InputLimits {
  std::uint64_t bytes = 0;   ///< unpacked bytes
  std::uint64_t memory = 0;  ///< memory while reading
};

/// The texts of one input, in order.
class Input {
 public:
  /// Creates an input from the `bytes` of a file; see open_input().
  [[nodiscard]] static auto of(std::string bytes, FileId file, const InputLimits& limits) -> Result<Input>;

  /// The next text; none at the end. Errors: a member that is truncated, damaged or beyond the limits; see Archive.
  [[nodiscard]] auto next() -> Result<std::optional<Member>>;

  /// The containers of the texts, from the innermost: `tar, gzip`; empty for a plain file.
  [[nodiscard]] auto containers() const -> const std::string& { return containers_; }
  [[nodiscard]] auto is_archive() const -> bool { return archive_ != nullptr; }
  /// For an archive: the number of files so far whose name and beginning show that they hold no objects.
  [[nodiscard]] auto ignored() const -> std::size_t { return ignored_; }
  /// The number of bytes that were read, before unpacking.
  [[nodiscard]] auto bytes_read() const -> std::uint64_t { return bytes_read_; }

  bool can_be_read_again = false;  ///< a regular file, not a pipe
  std::string sha256;              ///< digest of the bytes that were read, before unpacking; empty unless requested

 private:
  [[nodiscard]] auto next_of_archive() -> Result<std::optional<Member>>;
  /// The text of a file of the archive.
  [[nodiscard]] auto text_of(std::string bytes) -> Result<std::string>;

  std::unique_ptr<std::string> bytes_;  // without the outer compression; heap-allocated, because the archive needs a
                                        // stable address
  std::unique_ptr<Archive> archive_;
  std::string containers_;
  FileId file_;
  std::size_t limit_ = 0;  // on the bytes that may still be unpacked
  std::uint64_t bytes_read_ = 0;
  std::size_t ignored_ = 0;
  std::size_t states_ = 0;  // members that are states of a series
};

/// The most bytes that are read from one input, unless the user sets a limit.
inline constexpr std::uint64_t kLargestInput = std::uint64_t{4} << 30U;

/// The most bytes that an input of `packed` bytes may unpack to.
[[nodiscard]] auto unpacked_limit(std::uint64_t packed, std::uint64_t max_bytes) -> std::uint64_t;

/// Opens the file at `path` (`-`: standard input). The format is detected from the content, not from the name: plain,
/// gzip, zstd, xz or bzip2, also several streams in sequence, and up to four nested layers; tar and zip archives of
/// these; in UTF-8, or in UTF-16 with a byte order mark.
///
/// `digest`: fill Input::sha256.
///
/// A patch of a series (input/series.h) is read with the files before it.
///
/// `limits.bytes` bounds the size of the input and of its unpacked content. 0: 4 GiB, and 256 times the compressed size
/// plus 64 MiB, but no more than MemoryGuard allows, because all of it is in memory. zstd windows are limited to 64
/// MiB, archives to 100,000 files. Errors (`file` as place): the error of the operating system; a compressed stream
/// that is truncated, damaged or grows beyond the limit; an unsupported container.
[[nodiscard]] auto open_input(const std::string& path, FileId file, const InputLimits& limits, bool digest = false)
    -> Result<Input>;

/// The only text of the file at `path`; fails for archives. `arrived`, if given, receives the digest of the file's
/// bytes before unpacking; the file is read only once. `marked`, if given, is set if a byte order mark precedes the
/// text.
[[nodiscard]] auto read_text_file(const std::string& path, FileId file, std::uint64_t max_bytes,
                                  FileDigest* arrived = nullptr, bool* marked = nullptr) -> Result<std::string>;

/// The same for a file that people write: settings, test suites, configurations, assumptions, baselines. It may have at
/// most 64 MiB.
[[nodiscard]] auto read_written_file(const std::string& path, FileId file, FileDigest* arrived = nullptr,
                                     bool* marked = nullptr) -> Result<std::string>;

/// The bytes of the file at `path`, before any unpacking.
[[nodiscard]] auto read_packed_file(const std::string& path, FileId file, std::uint64_t max_bytes)
    -> Result<std::string>;

/// The first kHead bytes of a regular file, or as many as can be read; used to decide whether to open it.
[[nodiscard]] auto head_of(const std::string& path) -> std::string;

}  // namespace previct
