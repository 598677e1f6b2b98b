#pragma once

#include "base/diagnostics.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace previct {

/// How to see the texts of a run again, to show where in them something stands. Not for use by several
/// threads at once: the text asked for last is kept.
class Sources {
 public:
  /// `file` is the file at `path` and can be read again.
  void add_path(FileId file, std::string path) { paths_.emplace(file, std::move(path)); }

  /// `file` cannot be read again: keeps its text, while all that is kept stays below 64 MiB.
  void add_text(FileId file, std::string text);

  /// The decompressed text of `file`. Errors: it was not kept; it cannot be read now. The view is valid until
  /// the next call.
  [[nodiscard]] auto text(FileId file) const -> Result<std::string_view>;

 private:
  static constexpr std::size_t kKept = std::size_t{64} << 20U;

  std::map<FileId, std::string> paths_;
  std::map<FileId, std::string> texts_;
  std::size_t kept_ = 0;
  mutable FileId last_;
  mutable std::string last_text_;
};

}  // namespace previct
