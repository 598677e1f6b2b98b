#pragma once

#include "base/diagnostics.h"
#include "base/instant.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// A series: a folder with one file for each state of a cluster, named by its time in UTC. A whole state is
/// `20261120T234117Z.jsonl.zst`. Most states are `20261120T234617Z.patch.zst`, which stores only what differs from the
/// file before it: the text is the same as that of a whole state, and `zstd -d --patch-from` restores it as well. A
/// dump may be a whole state, too: `20261120T234117Z.yaml`.
namespace previct {

struct SeriesFile {
  Instant at;
  bool whole = true;  ///< false: a patch
  std::string path;
};

/// `20261120T234117Z.jsonl.zst`, `20261120T234617Z.patch.zst`
[[nodiscard]] auto series_file_name(Instant at, bool whole) -> std::string;

/// The time and the form in the name of a file at `path`; none if no file of a series has such a name.
[[nodiscard]] auto series_file_of(std::string_view path) -> std::optional<SeriesFile>;

/// Returns true for the name of a patch.
[[nodiscard]] auto names_patch(std::string_view path) -> bool;

/// The regular files of the series in a folder, by time; others are ignored. Fails if the folder cannot be read or has
/// more than 100,000 entries.
[[nodiscard]] auto files_of_series(const std::string& folder) -> Result<std::vector<SeriesFile>>;

/// Restores the texts of a series. A text needs the file before it, and so on back to a whole state: reading in the
/// order of time reads each file once.
class SeriesReader {
 public:
  /// `max_bytes`: the maximum size of a text; 0: that of an input.
  explicit SeriesReader(std::vector<SeriesFile> files, std::uint64_t max_bytes = 0)
      : files_(std::move(files)), max_bytes_(max_bytes) {}

  [[nodiscard]] auto files() const -> const std::vector<SeriesFile>& { return files_; }

  /// The text of the state with this index. It stays in memory until the end of the call for the next index.
  [[nodiscard]] auto text(std::size_t index) -> Result<std::string_view>;

 private:
  auto step_to(std::size_t index) -> Result<void>;
  [[nodiscard]] auto unpack(const SeriesFile& file, std::string memory) const -> Result<std::string>;

  std::vector<SeriesFile> files_;
  std::uint64_t max_bytes_;
  std::optional<std::size_t> at_;  // the index of text_
  std::string text_;
  std::string before_;  // the text that was read before; its memory is used again
};

/// The text of a patch, restored from the files before it in its folder.
[[nodiscard]] auto text_of_patch(const std::string& path, std::uint64_t max_bytes, FileId file) -> Result<std::string>;

}  // namespace previct
