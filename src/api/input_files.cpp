#include "api/input_files.h"

#include "input/bytes.h"
#include "input/collection.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <type_traits>

namespace previct {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 100'000;

// Of a single directory those with a dump's name, as kubectl has it; at any depth also those that begin like one.
template <class Iterator>
auto files_in(const std::string& path, Folder& folder) -> std::error_code {
  constexpr bool kDeep = std::is_same_v<Iterator, fs::recursive_directory_iterator>;
  std::error_code error;
  for (Iterator it(path, error), end; !error && it != end; it.increment(error)) {
    std::error_code unknown;
    if (!kDeep && it->is_directory(unknown)) ++folder.folders;
    if (!it->is_regular_file(unknown) || it->is_symlink(unknown)) continue;
    const std::string file = it->path().string();
    if (has_dump_name(file) || (kDeep && begins_like_dump(head_of(file)))) {
      folder.files.push_back(file);
    } else {
      ++folder.ignored;
    }
    if (folder.files.size() + folder.ignored > kMostFiles) return std::make_error_code(std::errc::file_too_large);
  }
  std::sort(folder.files.begin(), folder.files.end());
  return error;
}

}  // namespace

auto input_files(const std::string& path, bool recursive, FileId file) -> Result<Folder> {
  Folder folder;
  const std::error_code error = recursive ? files_in<fs::recursive_directory_iterator>(path, folder)
                                          : files_in<fs::directory_iterator>(path, folder);
  if (error == std::errc::file_too_large) {
    return fail(fmt::format("more than the limit of {} files in a directory", kMostFiles), {file},
                "name the directories that are needed");
  }
  if (error) return fail(fmt::format("cannot read the directory: {}", error.message()), {file});
  if (folder.files.empty() && folder.folders == 0) return fail("no YAML or JSON files in this directory", {file});
  return folder;
}

}  // namespace previct
