#pragma once

#include "base/diagnostics.h"
#include "input/byte_source.h"
#include "input/file_state.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace previct {

/// How to see the texts of a run again, to show where in them something stands. Not for use by several
/// threads at once: the text asked for last is kept.
class Sources {
 public:
  /// How a file gives its text again.
  enum class Again : std::uint8_t {
    whole,    ///< as read_text_file() does
    streamed  ///< as file_source() does, too: a piece at a time
  };

  /// `file` is the file at `path` and can be read again.
  void add_path(FileId file, std::string path, Again again) { paths_.emplace(file, Path{std::move(path), again}); }

  /// What the file at `path` was when it was read.
  void remember(const std::string& path, const FileState& state) { states_.try_emplace(path, state); }
  /// Is the file at `path` no longer what is remembered of it?
  [[nodiscard]] auto changed(const std::string& path) const -> bool;

  /// `file` cannot be read again: keeps its text, while all that is kept stays below 64 MiB.
  void add_text(FileId file, std::string text);

  /// The decompressed text of `file`. Errors: it was not kept; it cannot be read now, or has changed. The view is valid
  /// until the next call.
  [[nodiscard]] auto text(FileId file) const -> Result<std::string_view>;

  /// The same from its front, with no more of it in memory than must be. Valid until the next call of text().
  [[nodiscard]] auto open(FileId file) const -> Result<std::unique_ptr<ByteSource>>;

 private:
  static constexpr std::size_t kKept = std::size_t{64} << 20U;

  struct Path {
    std::string name;
    Again again;
  };

  std::map<FileId, Path> paths_;
  std::map<std::string, FileState> states_;  // by path
  std::map<FileId, std::string> texts_;
  std::size_t kept_ = 0;
  mutable FileId last_;
  mutable std::string last_text_;
};

}  // namespace previct
