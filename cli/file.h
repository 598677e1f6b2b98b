#pragma once

#include "base/diagnostics.h"
#include "cli/interrupt.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct::cli {

/// The files that a run is to write, and standard output. All are named before anything is read, so that what is
/// refused is refused before the first byte is written.
class Targets {
 public:
  /// `flag` is what stands before the path: `--to `. Fails if the path leads to the file of another target, however it
  /// is spelled, and if no file can be put there: it is a folder, or in none that exists and may be written to. Empty
  /// paths and `-` name no file.
  [[nodiscard]] auto add(const std::string& path, std::string_view flag) -> Result<void>;
  /// Fails if one of them is a file that was read (base/files_read.h).
  [[nodiscard]] auto check() const -> Result<void>;

 private:
  struct Target {
    std::string path;
    std::string flag;
  };
  std::vector<Target> targets_;
};

/// How a file is written.
struct Writing {
  bool for_owner_only = false;  ///< mode 0600; else that of the file it replaces, or what the umask leaves
  bool replace = true;          ///< what was there before goes
};

/// A file that is written whole beside its place, synchronised, and then renamed; never through a link that somebody
/// put there. Several can be staged before the first is put in place. A device or a pipe is written as it is, in the
/// end.
class StagedFile {
 public:
  /// Fails, with nothing written, if `path` is a file that was read.
  [[nodiscard]] static auto write(const std::string& path, std::string_view bytes, const Writing& writing = {})
      -> Result<StagedFile>;
  [[nodiscard]] auto put_in_place() -> Result<void>;

 private:
  std::string path_;
  bool replace_ = true;
  std::unique_ptr<UnfinishedFile> unfinished_;  // null: it is special
  std::string bytes_;                           // of a special one
};

/// One staged file, put in its place.
[[nodiscard]] auto write_file(const std::string& path, std::string_view bytes, const Writing& writing = {})
    -> Result<void>;

/// Changes a file that was read, in its place: `before`, all of its bytes, to `after`. Links to it, its mode, owner and
/// extended attributes stay. Why it is left as it is; empty if it was changed: it holds something else by now, is
/// read-only, has several names (hard links), or its owner cannot be kept.
[[nodiscard]] auto change_file(const std::string& path, std::string_view before, std::string_view after)
    -> Result<std::string>;

[[nodiscard]] auto is_regular(const std::string& path) -> bool;

/// The descriptor of `/dev/stdout` and the like, or of `/dev/stderr`; none for other paths. They may stand for a file,
/// into which is written where it stands, with what is in it.
[[nodiscard]] auto standard_stream(std::string_view path) -> std::optional<int>;

/// Is it a device or a pipe, over which nothing can be renamed and which may not give back what was written?
[[nodiscard]] auto is_special(const std::string& path) -> bool;

/// Fails if `path` is `-`: what goes to a file is not what goes to standard output. `flag` is what stands before it:
/// `--to `.
[[nodiscard]] auto check_names_file(std::string_view path, std::string_view flag) -> Result<void>;

/// Fails if `word`, which should name an object, is a file: -f was forgotten.
[[nodiscard]] auto check_no_file(const std::string& word) -> Result<void>;

/// Fails if something is at `path` already; what it says names `flag`, by which the user can want that.
[[nodiscard]] auto check_free(const std::string& path, std::string_view flag) -> Result<void>;

/// Do two paths lead to the same file, which need not exist yet? Not asked of devices and pipes.
[[nodiscard]] auto same_file(const std::string& a, const std::string& b) -> bool;

/// Fails if the file at `path` was read (base/files_read.h).
[[nodiscard]] auto check_not_input(const std::string& path) -> Result<void>;

/// Fails if what goes to standard output would be written to a file that was read.
[[nodiscard]] auto check_stdout() -> Result<void>;

/// Writes all to a descriptor; false if that fails, with errno.
[[nodiscard]] auto write_all(int descriptor, std::string_view bytes) -> bool;

/// The failure that errno tells of.
[[nodiscard]] auto not_written(const std::string& where) -> tl::unexpected<Failure>;

}  // namespace previct::cli
