#include "cli/settings_file.h"

#include "api/strict_reader.h"
#include "base/text.h"
#include "cli/options.h"
#include "cli/working_folder.h"
#include "input/written_yaml.h"
#include "system/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>

namespace previct::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSettings = ".previct.yaml";

/// The users whose settings are trusted: the user, root and the owner of the working folder.
class Trusted {
 public:
  explicit Trusted(const fs::path& folder) : owner_(system::owner_of(folder.string(), true)) {}
  /// Returns true if such a user owns what is at `path`; a link counts itself.
  [[nodiscard]] auto owns(const fs::path& path) const -> bool {
    const auto of_link = system::owner_of(path.string(), false);
    const auto of_target = system::owner_of(path.string(), true);
    return of_link && of_target && is(*of_link) && is(*of_target);
  }

 private:
  [[nodiscard]] auto is(const system::User& user) const -> bool {
    return system::is_administrator(user) || user == system::current_user() || user == owner_;
  }
  std::optional<system::User> owner_;
};

auto is_within(const fs::path& path, const fs::path& folder) -> bool {
  return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
}

/// The topmost folder that is searched.
auto last_folder(const fs::path& here, const Trusted& trusted) -> fs::path {
  std::error_code error;
  for (fs::path folder = here;; folder = folder.parent_path()) {
    const fs::path repository = folder / ".git";
    if (fs::exists(repository, error) && trusted.owns(repository)) return folder;
    if (folder == folder.root_path()) break;
  }
  const std::string home = system::home_folder();
  const fs::path above = home.empty() ? fs::path() : fs::canonical(home, error);
  return !error && !above.empty() && above != above.root_path() && is_within(here, above) ? above : here;
}

auto flag_named(std::string_view name) -> const Flag* {
  const auto& all = flags();
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const Flag& flag) { return flag.group == Group::scheduler && flag.name == name; });
  return found == all.end() ? nullptr : &*found;
}

auto names_of_flags() -> std::vector<std::string> {
  std::vector<std::string> names;
  for (const Flag& flag : flags()) {
    if (flag.group == Group::scheduler) names.emplace_back(flag.name);
  }
  return names;
}

auto names_file(const Flag& flag, const std::string& value) -> bool {
  return flag.value.starts_with("FILE") && !value.empty() && !value.starts_with("none=") && value != "-";
}

/// The value as on the command line: file names are relative to the folder of the settings.
auto text_of_value(const Flag& flag, const std::string& value, const std::string& settings) -> std::string {
  return names_file(flag, value) ? (fs::path(settings).parent_path() / value).generic_string() : value;
}

// A link counts as its target. A file that does not exist is reported when it is read.
auto is_below_folder(const std::string& path, const fs::path& folder) -> bool {
  std::error_code error;
  const fs::path target = fs::weakly_canonical(fs::path(working_folder()) / path, error);
  return !error && is_within(target, folder);
}

/// The flags of `cluster`, with their values.
auto flags_of(ClusterSettings& settings) -> MapTo<As<std::string>> {
  const auto add = [&settings](const std::string& name, const Place&) -> As<std::string> {
    const auto any = [](std::string_view) { return true; };
    return {checked_text_form("a single value", any, {}),
            [&settings, name](const std::string& value, const Place& place) {
              const Flag& flag = *flag_named(name);
              settings.values.push_back({name, text_of_value(flag, value, settings.file), place});
            }};
  };
  return {word_form(names_of_flags()), add, "flags with their values"};
}

}  // namespace

auto ClusterSettings::find(std::string_view flag) const -> const Value* {
  const auto found = std::find_if(values.begin(), values.end(), [&](const Value& each) { return each.flag == flag; });
  return found == values.end() ? nullptr : &*found;
}

auto ClusterSettings::words(const std::vector<std::string>& flags) const -> std::string {
  std::vector<std::string> all;
  for (const std::string& flag : flags) {
    if (const Value* value = find(flag)) all.push_back(fmt::format("{} {}", flag, value->text));
  }
  return joined(all, ", ");
}

// The settings that --config names may be anywhere: then their own folder counts.
static auto check_files_within(const ClusterSettings& settings) -> Result<void> {
  std::error_code gone;
  const fs::path here = fs::canonical(working_folder(), gone);
  if (gone) return {};
  fs::path folder = last_folder(here, Trusted(here));
  const fs::path own = fs::canonical(here / fs::path(settings.file).parent_path(), gone);
  if (!gone && !is_within(own, folder)) folder = own;
  for (const ClusterSettings::Value& each : settings.values) {
    const Flag* const flag = flag_named(each.flag);
    if (flag == nullptr || !names_file(*flag, each.text) || is_below_folder(each.text, folder)) continue;
    return fail(fmt::format("{} is a file outside {}, and is not read", each.flag, folder.generic_string()), each.place,
                fmt::format("to read it anyway, pass it with --{}", each.flag));
  }
  return {};
}

auto read_cluster_settings(std::string_view text, const std::string& file, FileId id) -> Result<ClusterSettings> {
  ClusterSettings settings{file, {}};
  PREVICT_TRY(const Tape tape, record_written_yaml(text, id));
  StrictReader reader(tape, id, {.quotes = false});
  if (tape[0].type == EventType::begin_map && reader.check_mapping(0)) {
    const std::uint32_t cluster = tape.find(0, "cluster");
    if (cluster < tape.size()) reader.read(cluster, flags_of(settings));
  }
  if (reader.failure()) return tl::unexpected(*reader.failure());
  PREVICT_CHECK(check_files_within(settings));
  return settings;
}

auto is_below_any(const std::string& path, const std::vector<std::string>& folders) -> bool {
  return folders.empty() || std::any_of(folders.begin(), folders.end(),
                                        [&](const std::string& folder) { return is_below_folder(path, folder); });
}

auto files_of(const ClusterSettings& settings) -> std::vector<std::string> {
  std::vector<std::string> files;
  for (const ClusterSettings::Value& each : settings.values) {
    const Flag* const flag = flag_named(each.flag);
    if (flag != nullptr && names_file(*flag, each.text)) files.push_back(each.text);
  }
  return files;
}

auto nearest_settings(Diagnostics& diagnostics) -> Result<std::string> {
  std::error_code gone;
  const fs::path here = fs::canonical(working_folder(), gone);  // as folders are compared below
  if (gone) return std::string();
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
            fmt::format("{} is not used, because it belongs to another user; to use it, pass --config", name));
      } else if (!is_within(fs::canonical(file, error), last) || error) {
        return fail(fmt::format("{} is a link out of {}, and is not followed", name, last.generic_string()), {},
                    "to use it anyway, pass it with --config FILE");
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
