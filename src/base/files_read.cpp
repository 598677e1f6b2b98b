#include "base/files_read.h"

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include <sys/stat.h>

namespace previct {
namespace {

using Identity = std::pair<dev_t, ino_t>;

struct FilesRead {
  std::mutex mutex;
  std::set<Identity> files;
  std::set<std::string> paths;
  std::vector<std::filesystem::path> folders;  // canonical paths
};

auto files_read() -> FilesRead& {
  static FilesRead all;
  return all;
}

void note(const struct stat& status, const std::string& path) {
  if (!S_ISREG(status.st_mode)) return;
  FilesRead& all = files_read();
  const std::lock_guard lock(all.mutex);
  all.files.emplace(status.st_dev, status.st_ino);
  if (path != "-") all.paths.insert(path);
}

// The path of an input may now refer to a new file: an editor writes a new file and renames it.
auto leads_to(const std::string& path, Identity file) -> bool {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && Identity(status.st_dev, status.st_ino) == file;
}

auto is_noted(const struct stat& status) -> bool {
  if (!S_ISREG(status.st_mode)) return false;
  const Identity file(status.st_dev, status.st_ino);
  FilesRead& all = files_read();
  const std::lock_guard lock(all.mutex);
  return all.files.contains(file) ||
         std::any_of(all.paths.begin(), all.paths.end(), [&](const auto& path) { return leads_to(path, file); });
}

auto is_in_noted_folder(const std::string& path) -> bool {
  FilesRead& all = files_read();
  const std::lock_guard lock(all.mutex);
  if (all.folders.empty()) return false;
  std::error_code error;
  const std::filesystem::path file = std::filesystem::canonical(path, error);
  return !error && std::any_of(all.folders.begin(), all.folders.end(), [&](const std::filesystem::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
  });
}

}  // namespace

void note_read(int descriptor, const std::string& path) {
  struct stat status {};
  if (::fstat(descriptor, &status) == 0) note(status, path);
}

void note_read(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) note(status, path);
}

void note_read_below(const std::string& folder) {
  std::error_code error;
  std::filesystem::path canonical = std::filesystem::canonical(folder, error);
  if (error) return;
  FilesRead& all = files_read();
  const std::lock_guard lock(all.mutex);
  all.folders.push_back(std::move(canonical));
}

auto was_read(const std::string& path) -> bool {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         (is_noted(status) || is_in_noted_folder(path));
}

auto was_read(int descriptor) -> bool {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && is_noted(status);
}

void forget_files_read() {
  FilesRead& all = files_read();
  const std::lock_guard lock(all.mutex);
  all.files.clear();
  all.paths.clear();
  all.folders.clear();
}

}  // namespace previct
