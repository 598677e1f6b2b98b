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

/// Gives access to the texts of a run after they were read, in order to show places in them. Not thread-safe: the text
/// that was requested last is cached.
class Sources {
 public:
  /// How the text of a file can be read again.
  enum class Again : std::uint8_t {
    whole,    ///< as a whole, by read_text_file()
    streamed  ///< also piece by piece, by file_source()
  };

  /// Registers `file` as the file at `path`, which can be read again.
  void add_path(FileId file, std::string path, Again again) { paths_.emplace(file, Path{std::move(path), again}); }

  /// Records the state that the file at `path` had when it was read.
  void remember(const std::string& path, const FileState& state) { states_.try_emplace(path, state); }
  /// Returns true if the file at `path` has changed since it was read.
  [[nodiscard]] auto changed(const std::string& path) const -> bool;

  /// Keeps the text of a `file` that cannot be read again, as long as all kept texts together have less than 64 MiB.
  void add_text(FileId file, std::string text);

  /// The decompressed text of `file`. Errors: the text was not kept; the file cannot be read now, or has changed. The
  /// view is valid until the next call.
  [[nodiscard]] auto text(FileId file) const -> Result<std::string_view>;

  /// As text(), as a stream from its beginning that needs as little memory as possible. Valid until the next call of
  /// text().
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
