#include "cli/settings_file.h"

#include "cli/working_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include <sys/stat.h>
#include <unistd.h>

namespace previct::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSettings = ".previct.yaml";

/// Whose files may say how the user's are linted: the user's own, and those of root and of the working folder's owner.
class Trusted {
 public:
  explicit Trusted(const fs::path& folder) {
    struct stat status {};
    if (::stat(folder.c_str(), &status) == 0) owner_ = status.st_uid;
  }
  /// Of what is at `path`, a link itself included.
  [[nodiscard]] auto owns(const fs::path& path) const -> bool {
    struct stat link {};
    struct stat status {};
    return ::lstat(path.c_str(), &link) == 0 && ::stat(path.c_str(), &status) == 0 && is(link.st_uid) &&
           is(status.st_uid);
  }

 private:
  [[nodiscard]] auto is(uid_t user) const -> bool { return user == 0 || user == ::geteuid() || user == owner_; }
  std::optional<uid_t> owner_;
};

auto is_within(const fs::path& path, const fs::path& folder) -> bool {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

/// The highest folder that is searched.
auto last_folder(const fs::path& here, const Trusted& trusted) -> fs::path {
  std::error_code error;
  for (fs::path folder = here;; folder = folder.parent_path()) {
    const fs::path repository = folder / ".git";
    if (fs::exists(repository, error) && trusted.owns(repository)) return folder;
    if (folder == folder.root_path()) break;
  }
  const char* const home = std::getenv("HOME");
  const fs::path above = home == nullptr ? fs::path() : fs::canonical(home, error);
  return !error && !above.empty() && above != above.root_path() && is_within(here, above) ? above : here;
}

}  // namespace

auto nearest_settings(Diagnostics& diagnostics) -> Result<std::string> {
  const fs::path here = working_folder();
  if (here.empty()) return std::string();
  const Trusted trusted(here);
  const fs::path last = last_folder(here, trusted);
  std::string relative;
  for (fs::path folder = here;; folder = folder.parent_path(), relative += "../") {
    std::error_code error;
    const fs::path file = folder / kSettings;
    const std::string name = relative + std::string(kSettings);
    if (fs::is_regular_file(file, error)) {
      if (!trusted.owns(file)) {
        diagnostics.warn(
            "settings-not-used",
            fmt::format("{} is not used: it belongs to another user; --config uses it all the same", name));
      } else if (!is_within(fs::canonical(file, error), last) || error) {
        return fail(fmt::format("{} is a link that leads out of {}, and is not followed", name, last.string()), {},
                    "--config FILE names settings anywhere");
      } else {
        return name;
      }
    } else if (fs::exists(fs::symlink_status(file, error))) {
      return fail(fmt::format("{} is not a file", name), {}, "settings are searched there");
    }
    if (folder == last || folder == folder.root_path()) return std::string();
  }
}

}  // namespace previct::cli
