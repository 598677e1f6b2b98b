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

/// How much may come out of one input; each limit is named when it is reached.
struct Limits {
  std::size_t bytes = 0;          ///< unpacked, of all members together
  std::size_t members = 100'000;  ///< of an archive, whatever they are
};

[[nodiscard]] auto is_xz(std::string_view bytes) -> bool;
[[nodiscard]] auto is_bzip2(std::string_view bytes) -> bool;

/// What the xz or bzip2 stream holds: all streams of it, with their checksums verified. Errors as gunzip().
[[nodiscard]] auto unpack_stream(std::string_view bytes, std::size_t limit, FileId file) -> Result<std::string>;

[[nodiscard]] auto is_zip(std::string_view bytes) -> bool;

/// True of a tar (by the checksum of its first header: old ones have no magic) or zip archive.
[[nodiscard]] auto is_archive(std::string_view bytes) -> bool;

/// The regular files in a tar or zip archive, in its order, read in memory: nothing is ever written, and a name
/// is only shown. Links, directories and devices are passed over.
///
/// Errors (`file` as place): a cut or damaged archive (a tar without its end mark, a zip without its directory,
/// a wrong checksum), encryption, and what is beyond the limits.
class Archive {
 public:
  /// `bytes` must outlive it.
  Archive(std::string_view bytes, Limits limits, FileId file);

  /// Goes to the next file and gives its name; none at the end. What was not read of the last is skipped.
  [[nodiscard]] auto next() -> Result<std::optional<std::string>>;

  /// Reads on in the file at hand until `text` has `size` bytes or the file ends.
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
