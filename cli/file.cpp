#include "cli/file.h"

#include "base/descriptor.h"
#include "base/file_status.h"
#include "base/files_read.h"
#include "base/path.h"
#include "cli/flag_echo.h"
#include "system/files.h"
#include "system/signals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

namespace previct::cli {
namespace {

auto put_in_place(const char* from, const std::string& to, bool replace) -> bool {
  if (replace) return system::rename_over(from, to.c_str());
  return system::rename_to_new(from, to.c_str());
}

// Writes everything to a new file, flushes it to disk, and closes it.
auto finish(int descriptor, const StagedFile::Content& content, const std::string& path) -> Result<void> {
  const auto sink = [&](std::string_view bytes) { return write_all(descriptor, bytes); };
  const bool written = content(sink) && system::flush(descriptor);
  const int reason = errno;
  const bool closed = system::close(descriptor);
  if (!written) errno = reason;
  if (!written || !closed) return not_written(path);
  return {};
}

// Returns true for the name of a descriptor (`/dev/stderr`, `/dev/fd/3`), next to which no file can be created.
auto is_open_already(const std::string& path) -> bool {
  std::error_code error;
  std::filesystem::path place = std::filesystem::absolute(path, error);
  for (int links = 0; links < 8 && !error && std::filesystem::is_symlink(place, error); ++links) {
    const std::filesystem::path folder = std::filesystem::canonical(place.parent_path(), error);
    if (!error && folder.generic_string().starts_with("/proc/")) return std::filesystem::is_regular_file(path, error);
    place = place.parent_path() / std::filesystem::read_symlink(place, error);
  }
  return false;
}

// Why the file does not have exactly this content, as far as the system shows; empty if it does.
auto why_different(const char* path, std::string_view bytes) -> std::string {
  constexpr std::string_view kChanged = "it has changed since it was read";
  const Descriptor file = open_to_inspect(path);
  constexpr std::size_t kPiece = std::size_t{1} << 16U;
  std::string piece(kPiece, '\0');
  for (std::ptrdiff_t count = 0; file && (count = file.read(piece)) >= 0;) {
    const std::string_view read(piece.data(), static_cast<std::size_t>(count));
    if (count == 0) return std::string(bytes.empty() ? std::string_view() : kChanged);
    if (!bytes.starts_with(read)) return std::string(kChanged);
    bytes.remove_prefix(read.size());
  }
  return fmt::format("it cannot be read again: {}", std::strerror(errno));
}

// The errno with which a file cannot be created at this path; 0 if no obstacle is known.
auto why_unwritable(const std::string& path) -> int {
  if (standard_stream(path)) return 0;
  const auto status = previct::status_of(path);
  if (status && status->is_folder()) return EISDIR;
  if (status && !status->is_file()) return 0;
  std::string parent = std::filesystem::path(path).parent_path().generic_string();
  if (parent.empty()) parent = ".";
  const auto folder = previct::status_of(parent);
  if (!folder) return errno;
  if (!folder->is_folder()) return ENOTDIR;
  return system::may_create_in(parent) ? 0 : errno;
}

// Writes to a device or a pipe directly.
auto write_special(const std::string& path, std::string_view bytes) -> Result<void> {
  if (const auto stream = standard_stream(path)) {
    if (!write_all(*stream, bytes)) return not_written(path);
    return {};
  }
  const int descriptor = system::open_to_write(path);
  if (descriptor < 0) return not_written(path);
  const bool written = write_all(descriptor, bytes);
  const bool closed = system::close(descriptor);
  if (!written || !closed) return not_written(path);
  return {};
}

}  // namespace

auto is_regular(const std::string& path) -> bool {
  const auto status = previct::status_of(path);
  return status && status->is_file();
}

auto standard_stream(std::string_view path) -> std::optional<int> {
  for (const int descriptor : {kStandardOutput, kStandardError}) {
    if (path == (descriptor == kStandardOutput ? "/dev/stdout" : "/dev/stderr") ||
        path == fmt::format("/dev/fd/{}", descriptor) || path == fmt::format("/proc/self/fd/{}", descriptor))
      return descriptor;
  }
  return {};
}

auto is_special(const std::string& path) -> bool {
  if (standard_stream(path)) return true;
  const auto status = previct::status_of(path);
  return status && !status->is_file();
}

auto check_names_file(std::string_view path, std::string_view flag) -> Result<void> {
  if (path != "-") return {};
  return fail(fmt::format("{}-: expected a file, not standard output", flag), {}, "for a file of that name, use ./-");
}

auto check_no_file(const std::string& word) -> Result<void> {
  if (word == "-") return fail("- is standard input, not an object", {}, "to read objects from it, use -f -");
  if (word.find('.') == std::string::npos || !is_regular(word)) return {};
  return fail(fmt::format("{} is a file, not an object", word), {},
              fmt::format("to read it, use -f {}", cli::quoted(word)));
}

auto write_all(int descriptor, std::string_view bytes) -> bool {
  while (!bytes.empty()) {
    const std::ptrdiff_t written = system::write_some(descriptor, bytes);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

void write_message(std::string_view text) {
  static_cast<void>(write_all(kStandardError, text));
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
  const auto file = standard_stream(path) ? std::nullopt : previct::status_of(path);
  const auto out = previct::status_of(kStandardOutput);
  if (file && file->is_file() && out && file->is_same(*out)) {
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
  return write(
      path, [&](const Sink& sink) { return sink(bytes); }, writing);
}

auto StagedFile::write(const std::string& path, const Content& content, const Writing& writing) -> Result<StagedFile> {
  PREVICT_CHECK(check_not_input(path));
  if (!standard_stream(path) && is_open_already(path))
    return fail(fmt::format("{} is already open, and is not replaced", path));
  StagedFile staged;
  staged.path_ = path;
  staged.replace_ = writing.replace;
  if (is_special(path)) {
    static_cast<void>(content([&](std::string_view bytes) {
      staged.bytes_ += bytes;
      return true;
    }));
    return staged;
  }
  staged.unfinished_ = std::make_unique<UnfinishedFile>(path, writing.for_owner_only);
  const int descriptor = staged.unfinished_->descriptor();
  if (descriptor < 0) return not_written(path);
  if (!writing.for_owner_only) system::copy_permissions(descriptor, path);
  PREVICT_CHECK(finish(descriptor, content, path));
  return staged;
}

auto StagedFile::put_in_place() -> Result<void> {
  if (unfinished_ == nullptr) return write_special(path_, bytes_);
  if (!cli::put_in_place(unfinished_->name(), path_, replace_)) return not_written(path_);
  return {};
}

auto StagedFile::staged_path() const -> std::string {
  return unfinished_ == nullptr ? std::string() : std::string(unfinished_->name());
}

auto write_file(const std::string& path, std::string_view bytes, const Writing& writing) -> Result<void> {
  PREVICT_TRY(StagedFile staged, StagedFile::write(path, bytes, writing));
  return staged.put_in_place();
}

auto why_unchangeable(const std::string& path, std::string_view before) -> std::string {
  std::error_code error;
  const std::string place = std::filesystem::canonical(path, error).generic_string();
  const auto status = error ? std::nullopt : previct::status_of(place);
  if (!error && !status) error = std::error_code(errno, std::generic_category());
  if (error == std::errc::no_such_file_or_directory) return "it is there no longer";
  if (error) return fmt::format("it cannot be found again: {}", reason_of(error));
  if (!status->is_file()) return "it is not a regular file";
  if (!system::may_write(place)) return "it is read-only";
  if (status->names > 1) {
    return fmt::format("it has {} names (hard links), and only this one would change", status->names);
  }
  return why_different(place.c_str(), before);
}

auto change_file(const std::string& path, std::string_view before, std::string_view after) -> Result<std::string> {
  if (std::string why = why_unchangeable(path, before); !why.empty()) return why;
  std::error_code error;
  const std::string place = std::filesystem::canonical(path, error).generic_string();
  if (error) return "it is there no longer";
  const UnfinishedFile unfinished(place);
  const int descriptor = unfinished.descriptor();
  if (descriptor < 0) return not_written(path);
  if (!system::copy_attributes(place, descriptor)) {
    static_cast<void>(system::close(descriptor));
    return "its owner and attributes cannot be kept";
  }
  PREVICT_CHECK(finish(
      descriptor, [&](const StagedFile::Sink& sink) { return sink(after); }, path));
  const system::WithoutSignals undisturbed;
  // Exchanges the files, so that the old content can be checked after nothing can open it by name any more.
  if (system::exchange(unfinished.name(), place.c_str())) {
    std::string why = why_different(unfinished.name(), before);
    if (why.empty()) return why;
    const bool back =
        system::exchange(unfinished.name(), place.c_str()) || system::rename_over(unfinished.name(), place.c_str());
    if (!back) return not_written(path);
    return why;
  }
  // Some file systems do not support that.
  if (std::string why = why_different(place.c_str(), before); !why.empty()) return why;
  if (!system::rename_over(unfinished.name(), place.c_str())) return not_written(path);
  return std::string();
}

auto check_free(const std::string& path, std::string_view flag) -> Result<void> {
  std::error_code error;
  if (!std::filesystem::exists(std::filesystem::symlink_status(path, error)) || is_special(path)) return {};
  return fail(fmt::format("{} already exists", path), {}, fmt::format("to overwrite it, use {}", flag));
}

auto check_stdout() -> Result<void> {
  if (was_read(kStandardOutput)) return fail("standard output is an input, and inputs are never overwritten");
  return {};
}

auto check_not_input(const std::string& path) -> Result<void> {
  if (was_read(path)) return fail(fmt::format("{} is an input, and inputs are never overwritten", path));
  return {};
}

}  // namespace previct::cli
