#include "input/series.h"

#include "input/bytes.h"
#include "input/compress.h"
#include "input/decompress.h"
#include "support/scratch.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace previct;
using previct::test::Scratch;

namespace {

auto line_of(int number) -> std::string {
  std::string line;
  for (int i = 1; i < 30; ++i) line += std::to_string(number * 104'729 % (i * 7919 + number));
  return line + '\n';
}

// Lines from `first` on: the next state has one more, and lacks the first. What is new in a state is in the next one.
auto state(int first) -> std::string {
  std::string text;
  for (int i = first; i < first + 200; ++i) text += line_of(i);
  return text;
}

// The first state as a whole, the others as patches.
auto series_in(const Scratch& scratch) -> std::vector<SeriesFile> {
  static_cast<void>(scratch.file("20261120T234117Z.jsonl.zst", zstd(state(1))));
  static_cast<void>(scratch.file("20261120T234617Z.patch.zst", zstd_patch(state(2), state(1))));
  static_cast<void>(scratch.file("20261120T235117Z.patch.zst", zstd_patch(state(3), state(2))));
  static_cast<void>(scratch.file("notes.txt", "not a state"));
  const auto files = files_of_series(scratch.path());
  REQUIRE(files);
  return *files;
}

}  // namespace

TEST_CASE("series: a file is named by its time", "[series]") {
  const Instant at = *parse_instant("2026-11-20T23:41:17.5Z");
  CHECK(series_file_name(at, true) == "20261120T234117Z.jsonl.zst");
  CHECK(series_file_name(at, false) == "20261120T234117Z.patch.zst");
  const auto file = series_file_of("a/20261120T234117Z.patch.zst");
  REQUIRE(file);
  CHECK(file->at == Instant{at.seconds, 0});
  CHECK_FALSE(file->whole);
  for (const char* other : {"20261120T234117Z.zst", "20261320T234117Z.jsonl.zst", "state.jsonl.zst", ".patch.zst",
                            "20261120T234117Z.x.patch.zst", "20261120X234117Z.patch.zst", "20261120T234117.jsonl.zst"})
    CHECK_FALSE(series_file_of(other));
}

TEST_CASE("series: a patch is small, and needs the text that it is based on", "[series]") {
  const std::string patch = zstd_patch(state(2), state(1));
  CHECK(patch.size() < line_of(201).size() + 60);
  CHECK(unzstd_patch(patch, state(1), 1'000'000, {}) == state(2));
  CHECK_FALSE(unzstd_patch(patch, state(40), 1'000'000, {}));
  CHECK_FALSE(unzstd_patch(patch, "", 1'000'000, {}));
  CHECK_FALSE(unzstd_patch(patch.substr(0, patch.size() - 1), state(1), 1'000'000, {}));
  const auto beyond = unzstd_patch(patch, state(1), state(2).size() - 1, {});
  REQUIRE_FALSE(beyond);
  CHECK(beyond.error().message.find("more than the limit") != std::string::npos);
}

TEST_CASE("series: its texts are the same in any order", "[series]") {
  const Scratch scratch;
  SeriesReader reader(series_in(scratch));
  REQUIRE(reader.files().size() == 3);
  for (const int index : {0, 1, 2, 2, 1, 0, 2}) {
    INFO(index);
    const auto text = reader.text(static_cast<std::size_t>(index));
    REQUIRE(text);
    CHECK(*text == state(index + 1));
  }
}

TEST_CASE("series: a patch is read like any other file", "[series]") {
  const Scratch scratch;
  static_cast<void>(series_in(scratch));
  CHECK(read_text_file(scratch.path() + "/20261120T235117Z.patch.zst", {}, 0) == state(3));
}

TEST_CASE("series: a missing or damaged file is an error that names it", "[series]") {
  const Scratch scratch;
  static_cast<void>(series_in(scratch));
  std::filesystem::remove(scratch.path() + "/20261120T234617Z.patch.zst");
  SeriesReader gap(*files_of_series(scratch.path()));
  const auto text = gap.text(1);
  REQUIRE_FALSE(text);
  CHECK(text.error().message.find("20261120T235117Z.patch.zst: a corrupt zstd stream") != std::string::npos);
  CHECK(*gap.text(0) == state(1));

  std::filesystem::remove(scratch.path() + "/20261120T234117Z.jsonl.zst");
  SeriesReader alone(*files_of_series(scratch.path()));
  REQUIRE_FALSE(alone.text(0));
  CHECK(alone.text(0).error().message.find("the whole state before it is missing") != std::string::npos);
}

TEST_CASE("series: links and two files of one time", "[series]") {
  const Scratch scratch;
  const std::size_t size = series_in(scratch).size();
  std::filesystem::create_symlink("/dev/null", scratch.path() + "/20261120T235617Z.jsonl.zst");
  CHECK(files_of_series(scratch.path())->size() == size);
  static_cast<void>(scratch.file("20261120T235117Z.jsonl.zst", "x"));
  CHECK_FALSE(files_of_series(scratch.path()));
  CHECK_FALSE(files_of_series(scratch.path() + "/none"));
}
