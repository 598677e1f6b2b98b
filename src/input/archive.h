#pragma once

#include "base/diagnostics.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct archive;
struct archive_entry;

namespace previct {

/// Limits on the content of one input. Failures name the limit that is exceeded.
struct Limits {
  std::size_t bytes = 0;          ///< unpacked bytes of all members together
  std::size_t members = 100'000;  ///< members of an archive, of any type
};

[[nodiscard]] auto is_xz(std::string_view bytes) -> bool;
[[nodiscard]] auto is_bzip2(std::string_view bytes) -> bool;

/// The content of an xz or bzip2 input: all its streams, with verified checksums. Errors as gunzip().
[[nodiscard]] auto unpack_stream(std::string_view bytes, std::size_t limit, FileId file) -> Result<std::string>;

[[nodiscard]] auto is_zip(std::string_view bytes) -> bool;

/// Returns true for a tar archive (recognized by the checksum of its first header, because old ones have no magic) or a
/// zip archive.
[[nodiscard]] auto is_archive(std::string_view bytes) -> bool;

/// The regular files in a tar or zip archive, in the archive's order, read in memory. Nothing is ever written to disk,
/// and names are only shown. Links, directories and devices are skipped.
///
/// Errors (`file` as place): a truncated or damaged archive (a tar without its end mark, a zip without its directory, a
/// wrong checksum), encryption, and whatever exceeds the limits.
class Archive {
 public:
  /// `bytes` must outlive this object.
  Archive(std::string_view bytes, Limits limits, FileId file);

  /// Moves to the next file and returns its name; none at the end. Skips unread data of the previous file.
  [[nodiscard]] auto next() -> Result<std::optional<std::string>>;

  /// Continues to read the current file until `text` has `size` bytes or the file ends.
  [[nodiscard]] auto read(std::string& text, std::size_t size = SIZE_MAX) -> Result<void>;

 private:
  struct Close {
    void operator()(archive* a) const;
  };
  [[nodiscard]] auto damaged() const -> tl::unexpected<Failure>;
  [[nodiscard]] auto end() const -> Result<std::optional<std::string>>;

  std::string_view bytes_;
  Limits limits_;
  FileId file_;
  std::unique_ptr<archive, Close> archive_;
  bool zip_;
  std::size_t members_ = 0;
  std::size_t unpacked_ = 0;
};

}  // namespace previct
