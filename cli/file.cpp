#include "cli/file.h"

#include "base/descriptor.h"
#include "base/files_read.h"
#include "cli/flag_echo.h"
#include "system/files.h"
#include "system/signals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace previct::cli {
namespace {

auto put_in_place(const char* from, const std::string& to, bool replace) -> bool {
  if (replace) return std::rename(from, to.c_str()) == 0;
  return system::rename_to_new(from, to.c_str());
}

// Writes everything to a new file, flushes it to disk, and closes it.
auto finish(int descriptor, std::string_view bytes, const std::string& path) -> Result<void> {
  const bool written = write_all(descriptor, bytes) && ::fsync(descriptor) == 0;
  const int reason = errno;
  const bool closed = ::close(descriptor) == 0;
  if (!written) errno = reason;
  if (!written || !closed) return not_written(path);
  return {};
}

// The mode of the replaced file, so that a private file stays private; else the default of the umask.
auto mode_for(const std::string& path) -> mode_t {
  constexpr mode_t kPermissions = 0777;
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return status.st_mode & kPermissions;
  return system::default_permissions();
}

// Returns true for the name of a descriptor (`/dev/stderr`, `/dev/fd/3`), next to which no file can be created.
auto is_open_already(const std::string& path) -> bool {
  std::error_code error;
  std::filesystem::path place = std::filesystem::absolute(path, error);
  for (int links = 0; links < 8 && !error && std::filesystem::is_symlink(place, error); ++links) {
    const std::filesystem::path folder = std::filesystem::canonical(place.parent_path(), error);
    if (!error && folder.string().starts_with("/proc/")) return std::filesystem::is_regular_file(path, error);
    place = place.parent_path() / std::filesystem::read_symlink(place, error);
  }
  return false;
}

// Returns true if the file has exactly this content.
auto holds(const char* path, std::string_view bytes) -> bool {
  const Descriptor file = open_to_inspect(path);
  constexpr std::size_t kPiece = std::size_t{1} << 16U;
  std::string piece(kPiece, '\0');
  for (ssize_t count = 0; file && (count = file.read(piece)) >= 0;) {
    const std::string_view read(piece.data(), static_cast<std::size_t>(count));
    if (count == 0) return bytes.empty();
    if (!bytes.starts_with(read)) return false;
    bytes.remove_prefix(read.size());
  }
  return false;
}

// The errno with which a file cannot be created at this path; 0 if no obstacle is known.
auto why_unwritable(const std::string& path) -> int {
  if (standard_stream(path)) return 0;
  struct stat status {};
  const bool there = ::stat(path.c_str(), &status) == 0;
  if (there && S_ISDIR(status.st_mode)) return EISDIR;
  if (there && !S_ISREG(status.st_mode)) return 0;
  std::string parent = std::filesystem::path(path).parent_path().string();
  if (parent.empty()) parent = ".";
  if (::stat(parent.c_str(), &status) != 0) return errno;
  if (!S_ISDIR(status.st_mode)) return ENOTDIR;
  return ::faccessat(AT_FDCWD, parent.c_str(), W_OK | X_OK, AT_EACCESS) == 0 ? 0 : errno;
}

// Writes to a device or a pipe directly.
auto write_special(const std::string& path, std::string_view bytes) -> Result<void> {
  if (const auto stream = standard_stream(path)) {
    if (!write_all(*stream, bytes)) return not_written(path);
    return {};
  }
  const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return not_written(path);
  const bool written = write_all(descriptor, bytes);
  const bool closed = close(descriptor) == 0;
  if (!written || !closed) return not_written(path);
  return {};
}

}  // namespace

auto is_regular(const std::string& path) -> bool {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

auto standard_stream(std::string_view path) -> std::optional<int> {
  for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
    if (path == (descriptor == STDOUT_FILENO ? "/dev/stdout" : "/dev/stderr") ||
        path == fmt::format("/dev/fd/{}", descriptor) || path == fmt::format("/proc/self/fd/{}", descriptor))
      return descriptor;
  }
  return {};
}

auto is_special(const std::string& path) -> bool {
  if (standard_stream(path)) return true;
  struct stat status {};
  return stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

auto check_names_file(std::string_view path, std::string_view flag) -> Result<void> {
  if (path != "-") return {};
  return fail(fmt::format("{}-: expected a file, not standard output", flag), {}, "for a file of that name, use ./-");
}

auto check_no_file(const std::string& word) -> Result<void> {
  if (word.find('.') == std::string::npos || !is_regular(word)) return {};
  return fail(fmt::format("{} is a file, not an object", word), {},
              fmt::format("to read it, use -f {}", cli::quoted(word)));
}

auto write_all(int descriptor, std::string_view bytes) -> bool {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

auto not_written(const std::string& where) -> tl::unexpected<Failure> {
  const int reason = errno;
  return fail(fmt::format("{}: not written: {}", where, std::strerror(reason)));
}

auto same_file(const std::string& a, const std::string& b) -> bool {
  std::error_code error;
  if (std::filesystem::equivalent(a, b, error)) return !is_special(a);
  // A path whose first part does not exist would not be made canonical.
  const auto canonical = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(std::filesystem::absolute(path, error), error);
  };
  const std::filesystem::path first = canonical(a);
  return !error && first == canonical(b) && !error && !is_special(a);
}

auto Targets::add(const std::string& path, std::string_view flag) -> Result<void> {
  if (path.empty() || path == "-") return {};
  for (const Target& other : targets_) {
    if (!same_file(other.path, path)) continue;
    return fail(fmt::format("{}{} and {}{} are the same file; one would overwrite the other", other.flag, other.path,
                            flag, path));
  }
  struct stat file {};
  struct stat out {};
  if (!standard_stream(path) && ::stat(path.c_str(), &file) == 0 && S_ISREG(file.st_mode) &&
      ::fstat(STDOUT_FILENO, &out) == 0 && file.st_dev == out.st_dev && file.st_ino == out.st_ino) {
    return fail(fmt::format("{}{} and standard output are the same file; one would overwrite the other", flag, path));
  }
  if (const int reason = why_unwritable(path); reason != 0) {
    errno = reason;
    return not_written(path);
  }
  targets_.push_back({path, std::string(flag)});
  return {};
}

auto Targets::check() const -> Result<void> {
  for (const Target& target : targets_) PREVICT_CHECK(check_not_input(target.path));
  return check_stdout();
}

auto StagedFile::write(const std::string& path, std::string_view bytes, const Writing& writing) -> Result<StagedFile> {
  PREVICT_CHECK(check_not_input(path));
  if (!standard_stream(path) && is_open_already(path))
    return fail(fmt::format("{} is already open, and is not replaced", path));
  StagedFile staged;
  staged.path_ = path;
  staged.replace_ = writing.replace;
  if (is_special(path)) {
    staged.bytes_ = bytes;
    return staged;
  }
  staged.unfinished_ = std::make_unique<UnfinishedFile>(path);
  const int descriptor = staged.unfinished_->descriptor();
  if (descriptor < 0) return not_written(path);
  if (!writing.for_owner_only) system::set_permissions(descriptor, mode_for(path));
  PREVICT_CHECK(finish(descriptor, bytes, path));
  return staged;
}

auto StagedFile::put_in_place() -> Result<void> {
  if (unfinished_ == nullptr) return write_special(path_, bytes_);
  if (!cli::put_in_place(unfinished_->name(), path_, replace_)) return not_written(path_);
  return {};
}

auto write_file(const std::string& path, std::string_view bytes, const Writing& writing) -> Result<void> {
  PREVICT_TRY(StagedFile staged, StagedFile::write(path, bytes, writing));
  return staged.put_in_place();
}

auto change_file(const std::string& path, std::string_view before, std::string_view after) -> Result<std::string> {
  const std::string changed = "it has changed since it was read";
  std::error_code error;
  const std::string place = std::filesystem::canonical(path, error).string();
  struct stat status {};
  if (error || ::stat(place.c_str(), &status) != 0) return "it is there no longer";
  if (!S_ISREG(status.st_mode)) return "it is not a regular file";
  constexpr mode_t kAnyMayWrite = 0222;
  const bool may_write = ::faccessat(AT_FDCWD, place.c_str(), W_OK, AT_EACCESS) == 0;
  if (!may_write || (status.st_mode & kAnyMayWrite) == 0) return "it is read-only";
  if (status.st_nlink > 1) {
    return fmt::format("it has {} names (hard links), and only this one would change", status.st_nlink);
  }
  if (!holds(place.c_str(), before)) return changed;
  const UnfinishedFile unfinished(place);
  const int descriptor = unfinished.descriptor();
  if (descriptor < 0) return not_written(path);
  if (!system::copy_attributes(place, descriptor)) {
    ::close(descriptor);
    return "its owner and attributes cannot be kept";
  }
  PREVICT_CHECK(finish(descriptor, after, path));
  const system::WithoutSignals undisturbed;
  // Exchanges the files, so that the old content can be checked after nothing can open it by name any more.
  if (system::exchange(unfinished.name(), place.c_str())) {
    if (holds(unfinished.name(), before)) return std::string();
    const bool back =
        system::exchange(unfinished.name(), place.c_str()) || std::rename(unfinished.name(), place.c_str()) == 0;
    if (!back) return not_written(path);
    return changed;
  }
  // Some file systems do not support that.
  if (!holds(place.c_str(), before)) return changed;
  if (std::rename(unfinished.name(), place.c_str()) != 0) return not_written(path);
  return std::string();
}

auto check_free(const std::string& path, std::string_view flag) -> Result<void> {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0 || is_special(path)) return {};
  return fail(fmt::format("{} already exists", path), {}, fmt::format("to overwrite it, use {}", flag));
}

auto check_stdout() -> Result<void> {
  if (was_read(STDOUT_FILENO)) return fail("standard output is an input, and inputs are never overwritten");
  return {};
}

auto check_not_input(const std::string& path) -> Result<void> {
  if (was_read(path)) return fail(fmt::format("{} is an input, and inputs are never overwritten", path));
  return {};
}

}  // namespace previct::cli
