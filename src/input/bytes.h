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

/// One text of an input. A plain or compressed file has one, unnamed; an archive has one per file that seems to hold
/// objects.
struct Member {
  std::string name;                    ///< within the archive; empty for the input itself
  std::string text;                    ///< UTF-8 without byte order mark, decompressed
  std::optional<Failure> damage = {};  ///< of an archive's file alone: why there is no text
  /// How the file holds the text; it can be written back only if the file holds nothing but it.
  enum class Stored : std::uint8_t {
    plain,     ///< byte for byte
    marked,    ///< the same behind a byte order mark
    converted  ///< unpacked, or from UTF-16
  };
  Stored stored = Stored::converted;
};

/// The byte order mark of UTF-8.
inline constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// What the user allows an input; 0: not said.
struct InputLimits {
  std::uint64_t bytes = 0;   ///< unpacked
  std::uint64_t memory = 0;  ///< while it is read
};

/// The texts of one input, one after the other.
class Input {
 public:
  /// `bytes` as they were read; see open_input().
  [[nodiscard]] static auto of(std::string bytes, FileId file, const InputLimits& limits) -> Result<Input>;

  /// The next text; none at the end. Errors: a member that is cut, damaged or beyond the limits; see Archive.
  [[nodiscard]] auto next() -> Result<std::optional<Member>>;

  /// What the texts were taken out of, from the inside: `tar, gzip`; empty for a plain file.
  [[nodiscard]] auto containers() const -> const std::string& { return containers_; }
  [[nodiscard]] auto is_archive() const -> bool { return archive_ != nullptr; }
  /// Of an archive, up to here: files that by name and beginning hold no objects.
  [[nodiscard]] auto ignored() const -> std::size_t { return ignored_; }
  /// What was read, before anything was unpacked.
  [[nodiscard]] auto bytes_read() const -> std::uint64_t { return bytes_read_; }

  bool can_be_read_again = false;  ///< a regular file, not a pipe
  std::string sha256;              ///< of what was read, before anything was unpacked; empty unless asked for

 private:
  [[nodiscard]] auto next_of_archive() -> Result<std::optional<Member>>;
  /// Of a file of the archive.
  [[nodiscard]] auto text_of(std::string bytes) -> Result<std::string>;

  std::unique_ptr<std::string> bytes_;  // without the outer compression; a stable address for the archive
  std::unique_ptr<Archive> archive_;
  std::string containers_;
  FileId file_;
  std::size_t limit_ = 0;  // on what may still be unpacked
  std::uint64_t bytes_read_ = 0;
  std::size_t ignored_ = 0;
};

/// The most bytes that are read of one input, unless the user says otherwise.
inline constexpr std::uint64_t kLargestInput = std::uint64_t{4} << 30U;

/// The most bytes that `packed` bytes may unpack to.
[[nodiscard]] auto unpacked_limit(std::uint64_t packed, std::uint64_t max_bytes) -> std::uint64_t;

/// Opens the file at `path` (`-`: standard input), by content and not by name: plain, gzip, zstd, xz or bzip2, several
/// streams behind each other, within each other up to four times; tar and zip archives of these; in UTF-8, or UTF-16
/// with a byte order mark.
///
/// `digest`: fill Input::sha256.
///
/// `limits.bytes` bounds the input and what comes out of decompression; 0: 4 GiB, and 256 times the compressed size
/// plus 64 MiB, but no more than what MemoryGuard allows, since it is all in memory. Windows of zstd are bounded by 64
/// MiB, archives by 100,000 files. Errors (`file` as place): what the operating system says; a compressed stream that
/// is cut, damaged or grows beyond the limit; a container that is not read.
[[nodiscard]] auto open_input(const std::string& path, FileId file, const InputLimits& limits, bool digest = false)
    -> Result<Input>;

/// The only text of the file at `path`; fails for archives. `arrived`, if given, tells what its bytes were, before
/// anything was unpacked: it is read once. `marked`, if given, tells whether a byte order mark stood before the text.
[[nodiscard]] auto read_text_file(const std::string& path, FileId file, std::uint64_t max_bytes,
                                  FileDigest* arrived = nullptr, bool* marked = nullptr) -> Result<std::string>;

/// The first kHead bytes of a regular file, or what can be read of them; to see whether it is worth opening.
[[nodiscard]] auto head_of(const std::string& path) -> std::string;

}  // namespace previct
