#include "api/input_files.h"

#include "base/path.h"
#include "input/bytes.h"
#include "input/collection.h"
#include "input/directory_entry.h"
#include "input/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <type_traits>

namespace previct {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 100'000;

// For a single directory, finds files with the name of a dump, as kubectl does; for a recursive walk, also files that
// begin like a dump.
template <class Iterator>
auto files_in(const std::string& path, FileId top, Folder& folder) -> std::error_code {
  constexpr bool kDeep = std::is_same_v<Iterator, fs::recursive_directory_iterator>;
  std::error_code error;
  for (Iterator it(path, error), end; !error && it != end; it.increment(error)) {
    const fs::file_type type = type_of(*it, error);
    if (error) break;
    const std::string file = it->path().generic_string();
    std::error_code dangling;
    if (!kDeep && type == fs::file_type::directory) ++folder.folders;
    if constexpr (kDeep) {
      // The walk would end here without reporting the directory.
      std::error_code closed;
      if (type == fs::file_type::directory && (fs::directory_iterator(*it, closed), closed)) {
        it.disable_recursion_pending();
        const std::string name = it->path().lexically_relative(path).generic_string();
        if (!folder.closed) {
          folder.closed = Failure{fmt::format("cannot read the sub-folder {}: {}", name, reason_of(closed)), {top}, {}};
        }
      }
    }
    if (type == fs::file_type::symlink && (has_dump_name(file) || fs::is_directory(file, dangling))) ++folder.links;
    if (type != fs::file_type::regular) continue;
    if (has_dump_name(file) || names_patch(file) || (kDeep && begins_like_dump(head_of(file)))) {
      folder.files.push_back(file);
    } else {
      ++folder.ignored;
    }
    if (folder.files.size() + folder.ignored > kMostFiles) return std::make_error_code(std::errc::file_too_large);
  }
  std::sort(folder.files.begin(), folder.files.end());
  return error;
}

// Removes the states of each series but the newest; the name of its file is the last.
void keep_newest_states(Folder& folder) {
  std::map<fs::path, SeriesFile> newest;  // by folder
  for (const std::string& path : folder.files) {
    auto state = series_file_of(path);
    if (!state) continue;
    const auto [at, is_first] = newest.try_emplace(fs::path(path).parent_path(), *state);
    if (!is_first && at->second.at <= state->at) at->second = *std::move(state);
  }
  folder.older_states = std::erase_if(folder.files, [&](const std::string& path) {
    if (!series_file_of(path)) return false;
    const std::string& kept = newest.at(fs::path(path).parent_path()).path;
    if (kept != path) folder.newest_state = kept;
    return kept != path;
  });
}

}  // namespace

auto input_files(const std::string& path, bool recursive, FileId file) -> Result<Folder> {
  Folder folder;
  const std::error_code error = recursive ? files_in<fs::recursive_directory_iterator>(path, file, folder)
                                          : files_in<fs::directory_iterator>(path, file, folder);
  if (error == std::errc::file_too_large) {
    return fail(fmt::format("more than the limit of {} files in a directory", kMostFiles), {file},
                "name only the directories that you need");
  }
  if (error) return fail(fmt::format("cannot read the directory: {}", reason_of(error)), {file});
  keep_newest_states(folder);
  if (folder.files.empty() && folder.folders == 0 && !folder.closed) {
    return fail("no YAML or JSON files in this directory", {file},
                folder.links > 0 ? "links in it are not followed; name their targets" : "");
  }
  return folder;
}

}  // namespace previct
