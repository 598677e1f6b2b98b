#include "cli/file.h"

#include "cli/interrupt.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace previct::cli {
namespace {

auto put_in_place(const char* from, const std::string& to, bool replace) -> bool {
  if (replace) return std::rename(from, to.c_str()) == 0;
  if (::renameat2(AT_FDCWD, from, AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) return true;
  // Some file systems cannot do that; a link never takes the place of a file either.
  return errno == EINVAL && ::link(from, to.c_str()) == 0;
}

// A device or a pipe: there is nothing to keep whole.
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
  return fail(fmt::format("{} is a file, not an object", word), {}, fmt::format("to read it, use -f {}", word));
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

auto write_file(const std::string& path, std::string_view bytes, const Writing& writing) -> Result<void> {
  if (is_special(path)) return write_special(path, bytes);
  const UnfinishedFile file(path);
  const int descriptor = file.descriptor();
  if (descriptor < 0) return not_written(path);
  if (!writing.for_owner_only) {
    constexpr mode_t kAll = 0666;
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::fchmod(descriptor, kAll & ~mask);
  }
  const bool written = write_all(descriptor, bytes) && fsync(descriptor) == 0;
  const bool closed = close(descriptor) == 0;
  if (!written || !closed || !put_in_place(UnfinishedFile::name(), path, writing.replace)) return not_written(path);
  return {};
}

auto check_free(const std::string& path, std::string_view flag) -> Result<void> {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0 || is_special(path)) return {};
  return fail(fmt::format("{} already exists", path), {}, fmt::format("to overwrite it, use {}", flag));
}

auto check_not_input(const std::string& path, const Files& inputs) -> Result<void> {
  struct stat target {};
  if (stat(path.c_str(), &target) != 0) return {};
  for (std::uint32_t i = 0; i < inputs.size(); ++i) {
    struct stat input {};
    // A member of an archive is called by the archive's name and its own.
    std::string name = inputs.name(FileId{i});
    while (stat(name.c_str(), &input) != 0 && name.find('/') != std::string::npos) name.resize(name.rfind('/'));
    if (name.empty() || stat(name.c_str(), &input) != 0) continue;
    if (input.st_dev == target.st_dev && input.st_ino == target.st_ino && S_ISREG(input.st_mode)) {
      return fail(fmt::format("{} is an input, and inputs are never overwritten", path));
    }
  }
  return {};
}

}  // namespace previct::cli
