#include "base/files_read.h"

#include "base/file_status.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace previct {
namespace {

using Identity = std::pair<std::uint64_t, std::uint64_t>;  // device and number

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

auto identity_of(const FileStatus& status) -> Identity {
  return {status.device, status.number};
}

void note(const std::optional<FileStatus>& status, const std::string& path) {
  if (!status || !status->is_file()) return;
  FilesRead& all = files_read();
  const std::lock_guard lock(all.mutex);
  all.files.insert(identity_of(*status));
  if (path != "-") all.paths.insert(path);
}

// The path of an input may now refer to a new file: an editor writes a new file and renames it.
auto leads_to(const std::string& path, Identity file) -> bool {
  const auto status = status_of(path);
  return status && identity_of(*status) == file;
}

auto is_noted(const FileStatus& status) -> bool {
  if (!status.is_file()) return false;
  const Identity file = identity_of(status);
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
  note(status_of(descriptor), path);
}

void note_read(const std::string& path) {
  note(status_of(path), path);
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
  const auto status = status_of(path);
  return status && status->is_file() && (is_noted(*status) || is_in_noted_folder(path));
}

auto was_read(int descriptor) -> bool {
  const auto status = status_of(descriptor);
  return status && is_noted(*status);
}

void forget_files_read() {
  FilesRead& all = files_read();
  const std::lock_guard lock(all.mutex);
  all.files.clear();
  all.paths.clear();
  all.folders.clear();
}

}  // namespace previct
