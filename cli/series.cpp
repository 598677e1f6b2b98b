#include "cli/series.h"

#include "base/descriptor.h"
#include "base/text.h"
#include "cli/capture.h"
#include "cli/file.h"
#include "input/compress.h"
#include "input/series.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>

namespace previct::cli {
namespace {

namespace fs = std::filesystem;

// A patch needs all files back to a whole state, and unpacking one of 20,000 pods takes some 50 ms.
constexpr std::size_t kMostPatches = 71;

struct Settings {
  std::string folder;
  std::int64_t keep = 0;   ///< nanoseconds; 0: forever
  std::int64_t every = 0;  ///< nanoseconds; 0: once
};

auto length_of(std::string_view text, std::string_view flag) -> Result<std::int64_t> {
  if (text.empty()) return 0;
  const auto length = parse_go_duration(text);
  if (length && *length > 0) return *length;
  return fail(fmt::format("{} \"{}\" is not a duration; expected one such as 5m or 168h", flag, text));
}

auto settings_of(const Options& options) -> Result<Settings> {
  if (!options.target.empty()) return fail("--series and --to cannot be combined", {}, "capture -f FILE --to FILE");
  if (!options.every.empty() && !options.filenames.empty())
    return fail("--every captures a cluster again and again, and cannot be combined with -f");
  Settings settings{.folder = options.series};
  PREVICT_TRY(settings.keep, length_of(options.keep, "--keep"));
  PREVICT_TRY(settings.every, length_of(options.every, "--every"));
  std::error_code error;
  fs::create_directory(options.series, error);
  if (!fs::is_directory(options.series, error)) return fail(fmt::format("--series {}: is no folder", options.series));
  return settings;
}

/// What was written, and what was deleted.
struct Added {
  SeriesFile file;
  std::size_t bytes = 0;
  std::size_t states = 0;
  std::size_t deleted = 0;
};

/// The folder of a series, to which states are added.
class SeriesWriter {
 public:
  explicit SeriesWriter(Settings settings) : settings_(std::move(settings)) {}

  auto add(Instant at, std::string_view text, const Options& options) -> Result<Added> {
    PREVICT_TRY(std::vector<SeriesFile> files, files_of_series(settings_.folder));
    if (!files.empty() && at.seconds <= files.back().at.seconds) {
      return fail(fmt::format("the state of {} is not newer than the last one of the series, {}",
                              format_instant({at.seconds, 0}), files.back().path));
    }
    std::string packed = patch_of(files, text);
    const bool whole = packed.empty();
    if (whole) packed = zstd(text);
    Added added{.file = {at, whole, fmt::format("{}/{}", settings_.folder, series_file_name(at, whole))},
                .bytes = packed.size()};
    PREVICT_CHECK(write_file(added.file.path, packed, {.for_owner_only = true, .replace = false}));
    files.push_back(added.file);
    added.deleted = delete_old(files, at, options);
    added.states = files.size() - added.deleted;
    return added;
  }

 private:
  // Empty if the state must be stored as a whole: it is the first, the last whole one is long ago, the files since then
  // are damaged, or the patch is hardly smaller.
  static auto patch_of(const std::vector<SeriesFile>& files, std::string_view text) -> std::string {
    const auto whole = std::find_if(files.rbegin(), files.rend(), [](const SeriesFile& each) { return each.whole; });
    if (whole == files.rend() || static_cast<std::size_t>(whole - files.rbegin()) >= kMostPatches) return {};
    SeriesReader reader(files);
    const auto before = reader.text(files.size() - 1);
    if (!before) return {};
    std::string patch = zstd_patch(text, *before);
    std::error_code error;
    const auto size = fs::file_size(whole->path, error);
    return !error && patch.size() < size / 2 ? patch : std::string();
  }

  // A whole state stays as long as a patch that needs it.
  [[nodiscard]] auto delete_old(const std::vector<SeriesFile>& files, Instant now, const Options& options) const
      -> std::size_t {
    if (settings_.keep == 0) return 0;
    const Instant oldest = now.plus_nanos(-settings_.keep);
    auto keep = std::find_if(files.begin(), files.end(), [&](const SeriesFile& each) { return each.at >= oldest; });
    while (keep != files.begin() && !keep->whole) --keep;
    std::size_t deleted = 0;
    for (auto file = files.begin(); file != keep; ++file) {
      const bool input = std::any_of(options.filenames.begin(), options.filenames.end(),
                                     [&](const std::string& name) { return same_file(name, file->path); });
      std::error_code error;
      if (!input && fs::remove(file->path, error)) ++deleted;
    }
    return deleted;
  }

  Settings settings_;
};

auto words_of(const Added& added) -> std::string {
  return fmt::format("{} of the series, stored as {}{}", counted(added.states, "state", "states"),
                     added.file.whole ? "a whole state" : "the difference from the state before",
                     added.deleted == 0 ? "" : fmt::format("; deleted {}", counted(added.deleted, "file", "files")));
}

// Captures what the options name.
auto capture_once(Session& session, SeriesWriter& writer) -> Result<Report> {
  PREVICT_TRY(const CapturedState state, capture_inputs(session));
  if (!state.manifest.taken) return fail("the input has no timestamp, so that its place in the series is not known");
  PREVICT_TRY(const Added added, writer.add(*state.manifest.taken, state.text, session.options));
  Report report = capture_report(state.manifest, {.path = added.file.path}, added.bytes);
  report.blocks.insert(report.blocks.begin() + 1, Line{{{words_of(added), Tone::dim}}});
  report.data["series"] = {{"states", added.states}, {"whole", added.file.whole}, {"deleted", added.deleted}};
  return report;
}

void forget_state(Session& session) {
  session.loaded.clear();
  session.inputs = std::make_shared<InputTables>();
}

// `captured … into …`
auto first_line(const Report& report) -> std::string {
  std::string line;
  for (const Span& span : std::get<Line>(report.blocks.front()).spans) line += span.text;
  return escaped(line);
}

// Each file is a state of its own.
auto capture_each(Session& session, SeriesWriter& writer) -> Result<CommandResult> {
  const std::vector<std::string> names = session.options.filenames;
  Report last;
  for (const std::string& name : names) {
    session.options.filenames = {name};
    PREVICT_TRY(last, capture_once(session, writer));
    if (name != names.back()) session.loaded.clear();
  }
  return CommandResult{std::move(last)};
}

// What fails once may work the next time.
auto capture_every(Session& session, SeriesWriter& writer, std::chrono::nanoseconds interval,
                   const Repetition& repetition) -> Result<CommandResult> {
  for (bool first = true;; first = false) {
    const auto begin = std::chrono::steady_clock::now();
    Result<Report> report = capture_once(session, writer);
    if (!report && first) return tl::unexpected(report.error());
    if (!report) write_message(fmt::format("previct: error: {}\n", escaped(report.error().message)));
    if (report && !repetition.print(first_line(*report))) return not_written("standard output");
    forget_state(session);
    if (!repetition.wait(begin, interval)) return CommandResult{.report = {}, .wrote_itself = true};
    session.clock = session.read_clock();
  }
}

}  // namespace

auto capture_series(Session& session) -> Result<CommandResult> {
  return capture_series(
      session, {.print = [](std::string_view line) { return write_all(kStandardOutput, fmt::format("{}\n", line)); },
                .wait =
                    [](auto begin, auto interval) {
                      std::this_thread::sleep_until(begin + interval);
                      return true;
                    }});
}

auto capture_series(Session& session, const Repetition& repetition) -> Result<CommandResult> {
  PREVICT_TRY(const Settings settings, settings_of(session.options));
  SeriesWriter writer(settings);
  if (session.options.filenames.size() > 1) return capture_each(session, writer);
  if (settings.every > 0) return capture_every(session, writer, std::chrono::nanoseconds(settings.every), repetition);
  PREVICT_TRY(Report report, capture_once(session, writer));
  return CommandResult{std::move(report)};
}

}  // namespace previct::cli
