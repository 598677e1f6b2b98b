#pragma once

#include "base/diagnostics.h"
#include "cli/interrupt.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace previct::cli {

/// The files that a run will write, and standard output. All are registered before anything is read, so that errors are
/// found before the first byte is written.
class Targets {
 public:
  /// `flag` is the text before the path: `--to `. Fails if the path leads to the file of another target, however it is
  /// spelled, or if no file can be created there: it is a folder, or its folder does not exist or is not writable.
  /// Empty paths and `-` are ignored.
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
  bool for_owner_only = false;  ///< mode 0600; else the mode of the replaced file, or the default of the umask
  bool replace = true;          ///< an existing file is replaced
};

/// A file that is written completely to a temporary file next to its path, synchronized, and then renamed; it never
/// follows a link. Several files can be staged before the first one is renamed. A device or a pipe is written directly,
/// at the end.
class StagedFile {
 public:
  /// Fails without writing if `path` is a file that was read.
  [[nodiscard]] static auto write(const std::string& path, std::string_view bytes, const Writing& writing = {})
      -> Result<StagedFile>;
  using Sink = std::function<bool(std::string_view)>;     ///< returns false if nothing more can be written
  using Content = std::function<bool(const Sink& sink)>;  ///< passes all bytes to it; returns false if it did
  /// The same for content that is larger than the memory. For a device or a pipe, it is kept.
  [[nodiscard]] static auto write(const std::string& path, const Content& content, const Writing& writing = {})
      -> Result<StagedFile>;
  [[nodiscard]] auto put_in_place() -> Result<void>;
  /// Where the bytes are until then; empty for a device or a pipe.
  [[nodiscard]] auto staged_path() const -> std::string;

 private:
  std::string path_;
  bool replace_ = true;
  std::unique_ptr<UnfinishedFile> unfinished_;  // null: a device or a pipe
  std::string bytes_;                           // content for a device or a pipe
};

/// Stages one file and puts it in place.
[[nodiscard]] auto write_file(const std::string& path, std::string_view bytes, const Writing& writing = {})
    -> Result<void>;

/// Changes a file that was read, in place, from `before`, its whole content, to `after`. Keeps links to it, its mode,
/// owner and extended attributes. Returns why it was left unchanged; empty if it was changed. Reasons: its content
/// differs by now, it cannot be read again, it is read-only, it has several names (hard links), or its owner cannot be
/// kept.
[[nodiscard]] auto change_file(const std::string& path, std::string_view before, std::string_view after)
    -> Result<std::string>;

/// Why change_file() would leave this file unchanged, as far as that shows without writing; empty: it would change it.
[[nodiscard]] auto why_unchangeable(const std::string& path, std::string_view before) -> std::string;

[[nodiscard]] auto is_regular(const std::string& path) -> bool;

/// The descriptor of `/dev/stdout` and the like, or of `/dev/stderr`; nullopt for other paths. It may refer to a file,
/// whose content is kept and whose position is respected.
[[nodiscard]] auto standard_stream(std::string_view path) -> std::optional<int>;

/// Returns true for a device or a pipe, which cannot be replaced by renaming and may be unreadable afterwards.
[[nodiscard]] auto is_special(const std::string& path) -> bool;

/// Fails if `path` is `-`, because the option needs a file. `flag` is the text before it: `--to `.
[[nodiscard]] auto check_names_file(std::string_view path, std::string_view flag) -> Result<void>;

/// Fails if `word`, which should name an object, is a file: -f is missing.
[[nodiscard]] auto check_no_file(const std::string& word) -> Result<void>;

/// Fails if `path` exists; the message names `flag`, which overrides the check.
[[nodiscard]] auto check_free(const std::string& path, std::string_view flag) -> Result<void>;

/// Returns true if both paths lead to the same file, which may not exist yet. False for devices and pipes.
[[nodiscard]] auto same_file(const std::string& a, const std::string& b) -> bool;

/// Fails if the file at `path` was read (base/files_read.h).
[[nodiscard]] auto check_not_input(const std::string& path) -> Result<void>;

/// Fails if standard output is a file that was read.
[[nodiscard]] auto check_stdout() -> Result<void>;

/// Writes everything to a descriptor; returns false on failure, with errno set.
[[nodiscard]] auto write_all(int descriptor, std::string_view bytes) -> bool;

/// Writes to standard error, in one piece. A failure cannot be reported.
void write_message(std::string_view text);

/// The failure that errno describes.
[[nodiscard]] auto not_written(const std::string& where) -> tl::unexpected<Failure>;

}  // namespace previct::cli
