#include "input/series.h"

#include "base/clamped.h"
#include "base/path.h"
#include "input/bytes.h"
#include "input/decompress.h"
#include "input/directory_entry.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace previct {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kWhole = ".jsonl.zst";
constexpr std::string_view kPatch = ".patch.zst";
constexpr std::string_view kDump = ".yaml";
constexpr std::size_t kMostEntries = 100'000;

// `2026-11-20T23:41:17Z` for `20261120T234117Z`.
auto spelled_out(std::string_view stamp) -> std::string {
  if (stamp.size() != std::string_view("20261120T234117Z").size()) return {};
  return fmt::format("{}-{}-{}:{}:{}", stamp.substr(0, 4), stamp.substr(4, 2), stamp.substr(6, 5), stamp.substr(11, 2),
                     stamp.substr(13));
}

auto stamp_of(Instant at) -> std::string {
  std::string stamp = format_instant({at.seconds, 0});
  std::erase_if(stamp, [](char c) { return c == '-' || c == ':'; });
  return stamp;
}

}  // namespace

auto series_file_name(Instant at, bool whole) -> std::string {
  return stamp_of(at) + std::string(whole ? kWhole : kPatch);
}

auto series_file_of(std::string_view path) -> std::optional<SeriesFile> {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::size_t dot = std::min(name.find('.'), name.size());
  const std::string_view ending = name.substr(dot);
  if (ending != kWhole && ending != kPatch && ending != kDump) return {};
  const auto at = parse_instant(spelled_out(name.substr(0, dot)));
  if (!at || stamp_of(*at) != name.substr(0, dot)) return {};
  return SeriesFile{*at, ending != kPatch, std::string(path)};
}

auto names_patch(std::string_view path) -> bool {
  const auto file = series_file_of(path);
  return file && !file->whole;
}

auto files_of_series(const std::string& folder) -> Result<std::vector<SeriesFile>> {
  std::error_code error;
  std::vector<SeriesFile> files;
  std::size_t entries = 0;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (++entries > kMostEntries) return fail(fmt::format("{}: more than {} files", folder, kMostEntries));
    auto file = series_file_of(at->path().generic_string());
    if (!file) continue;
    const fs::file_type type = type_of(*at, error);
    if (error) break;
    if (type == fs::file_type::regular) files.push_back(*std::move(file));
  }
  if (error) return fail(fmt::format("{}: {}", folder, reason_of(error)));
  std::sort(files.begin(), files.end(), [](const SeriesFile& a, const SeriesFile& b) { return a.at < b.at; });
  const auto twice = std::adjacent_find(files.begin(), files.end(),
                                        [](const SeriesFile& a, const SeriesFile& b) { return a.at == b.at; });
  if (twice != files.end()) return fail(fmt::format("{}: two files have this time", twice->path));
  return files;
}

auto SeriesReader::text(std::size_t index) -> Result<std::string_view> {
  std::size_t first = index;
  while (first > 0 && !files_[first].whole && at_ != first && at_ != first - 1) --first;
  if (at_ == first || (at_ && *at_ + 1 == first)) first = *at_ + 1;
  for (std::size_t i = first; i <= index; ++i) PREVICT_CHECK(step_to(i));
  return text_;
}

auto SeriesReader::step_to(std::size_t index) -> Result<void> {
  const SeriesFile& file = files_[index];
  const bool has_base = at_ && *at_ + 1 == index;
  at_.reset();
  if (!file.whole && !has_base) return fail(fmt::format("{}: the whole state before it is missing", file.path));
  auto text = unpack(file, std::exchange(before_, {}));
  if (!text) return fail(fmt::format("{}: {}", file.path, text.error().message), {}, text.error().help);
  // A very short text would move together with its string.
  constexpr std::size_t kShort = 64;
  text->reserve(kShort);
  before_ = std::exchange(text_, *std::move(text));
  at_ = index;
  return {};
}

// A whole state is unpacked like a patch of nothing, in one piece. This fails if it is in another form.
auto SeriesReader::unpack(const SeriesFile& file, std::string memory) const -> Result<std::string> {
  if (file.whole && !file.path.ends_with(kWhole)) return read_text_file(file.path, {}, max_bytes_);
  PREVICT_TRY(const std::string packed, read_packed_file(file.path, {}, max_bytes_));
  const std::string_view before = file.whole ? std::string_view() : text_;
  const std::uint64_t most = unpacked_limit(packed.size(), max_bytes_) + before.size();
  auto text = unzstd_patch(packed, before, clamped(most), {}, std::move(memory));
  return text || !file.whole ? text : read_text_file(file.path, {}, max_bytes_);
}

auto text_of_patch(const std::string& path, std::uint64_t max_bytes, FileId file) -> Result<std::string> {
  const fs::path folder = fs::path(path).parent_path();
  PREVICT_TRY(std::vector<SeriesFile> files, files_of_series(folder.empty() ? "." : folder.generic_string()));
  const SeriesFile wanted = *series_file_of(path);
  const auto found = std::find_if(files.begin(), files.end(),
                                  [&](const SeriesFile& each) { return each.at == wanted.at && !each.whole; });
  if (found == files.end()) return fail("not a regular file", {file});
  const auto index = static_cast<std::size_t>(found - files.begin());
  SeriesReader reader(std::move(files), max_bytes);
  PREVICT_TRY(const std::string_view text, reader.text(index));
  return std::string(text);
}

}  // namespace previct
