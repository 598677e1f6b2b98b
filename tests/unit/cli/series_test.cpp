#include "cli/series.h"

#include "input/bytes.h"
#include "input/series.h"
#include "support/scratch.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

using namespace previct;  // NOLINT: a test
using cli::Repetition;
using cli::Session;
using previct::test::Scratch;

namespace {

Instant now;  // NOLINT: Session::read_clock is a function

auto read_now() -> Instant {
  return now;
}

/// A cluster in a folder (tests/live/kubectl) at a time, and a folder for its states.
class Recorded {
 public:
  Recorded() {
    std::filesystem::copy(PREVICT_SOURCE_DIR "/fixtures/manual/cluster", scratch_.path() + "/cluster");
    setenv("FAKE_CLUSTER", (scratch_.path() + "/cluster").c_str(), 1);  // NOLINT: tests run in one thread
    now = *parse_instant("2026-11-20T23:40:00Z");
    session_.program = "previct";
    session_.read_clock = read_now;
    session_.clock = now;
    session_.options.kubectl = PREVICT_SOURCE_DIR "/tests/live/kubectl";
    session_.options.series = scratch_.path() + "/states";
    session_.options.every = "5m";
  }
  Recorded(const Recorded&) = delete;
  auto operator=(const Recorded&) -> Recorded& = delete;
  ~Recorded() { unsetenv("FAKE_CLUSTER"); }  // NOLINT: as above

  /// Captures until `between(number of captures)` returns false; it is called after each, and 5 minutes pass.
  template <class Between>
  auto run(Between between) -> Result<cli::CommandResult> {
    std::size_t count = 0;
    return cli::capture_series(session_, {.print =
                                              [&](std::string_view line) {
                                                lines_.emplace_back(line);
                                                return prints_;
                                              },
                                          .wait =
                                              [&](auto, std::chrono::nanoseconds interval) {
                                                CHECK(interval == std::chrono::minutes(5));
                                                now = now.plus_nanos(interval.count());
                                                return between(++count);
                                              }});
  }
  [[nodiscard]] auto files() const -> std::vector<std::string> {
    std::vector<std::string> names;
    const auto found = files_of_series(session_.options.series);
    REQUIRE(found);
    for (const SeriesFile& file : *found) names.push_back(std::filesystem::path(file.path).filename());
    return names;
  }
  [[nodiscard]] auto text(std::size_t index) const -> std::string {
    const auto found = files_of_series(session_.options.series);
    REQUIRE(found);
    return read_text_file(found->at(index).path, {}, 0).value_or("");
  }
  [[nodiscard]] auto in_cluster(const std::string& name, const std::string& text) const -> std::string {
    return scratch_.file("cluster/" + name, text);
  }
  auto options() -> cli::Options& { return session_.options; }
  [[nodiscard]] auto lines() const -> const std::vector<std::string>& { return lines_; }
  void cannot_print() { prints_ = false; }

 private:
  Scratch scratch_;
  Session session_;
  std::vector<std::string> lines_;
  bool prints_ = true;
};

// Everything but the first line, which has the time.
auto objects_in(const std::string& text) -> std::string {
  return text.substr(text.find('\n'));
}

}  // namespace

TEST_CASE("capture --every: a state is added each time, at the time of then", "[series][live]") {
  Recorded recorded;
  const auto done = recorded.run([&](std::size_t count) { return count < 3; });
  REQUIRE(done);
  CHECK(recorded.files() == std::vector<std::string>{"20261120T234000Z.jsonl.zst", "20261120T234500Z.patch.zst",
                                                     "20261120T235000Z.patch.zst"});
  REQUIRE(recorded.lines().size() == 3);
  CHECK(recorded.lines()[2].find("states/20261120T235000Z.patch.zst") != std::string::npos);
  // The states differ in their time only: each was read from the cluster again.
  CHECK(objects_in(recorded.text(0)) == objects_in(recorded.text(2)));
  CHECK(recorded.text(2).find("\"taken\":\"2026-11-20T23:50:00Z\"") != std::string::npos);
}

TEST_CASE("capture --every: what changes in the cluster is in the next state, and what fails is tried again",
          "[series][live]") {
  Recorded recorded;
  const auto done = recorded.run([&](std::size_t count) {
    if (count == 1) static_cast<void>(recorded.in_cluster("trouble", "unauthorized\n"));
    if (count == 2) {
      std::filesystem::remove(recorded.in_cluster("trouble", ""));
      static_cast<void>(recorded.in_cluster("apis.scheduling.k8s.io.v1.priorityclasses.forbidden", ""));
    }
    return count < 3;
  });
  REQUIRE(done);
  CHECK(recorded.files().size() == 2);
  CHECK(recorded.lines().size() == 2);
  CHECK(recorded.text(0).find("\"kind\":\"PriorityClass\",\"metadata\"") != std::string::npos);
  CHECK(recorded.text(1).find("\"kind\":\"PriorityClass\",\"metadata\"") == std::string::npos);
}

TEST_CASE("capture --every: a cluster that cannot be read at all is an error at once", "[series][live]") {
  Recorded recorded;
  static_cast<void>(recorded.in_cluster("trouble", "unauthorized\n"));
  const auto done = recorded.run([](std::size_t) { return true; });
  REQUIRE_FALSE(done);
  CHECK(recorded.files().empty());
}

TEST_CASE("capture --every: ends if its lines cannot be written", "[series][live]") {
  Recorded recorded;
  recorded.cannot_print();
  CHECK_FALSE(recorded.run([](std::size_t) { return true; }));
  CHECK(recorded.files().size() == 1);
}

TEST_CASE("capture --every --keep: old states are deleted, but not the whole state that patches need",
          "[series][live]") {
  Recorded recorded;
  recorded.options().keep = "12m";
  REQUIRE(recorded.run([](std::size_t count) { return count < 80; }));
  const auto files = recorded.files();
  // After 71 patches, a state is stored as a whole: at 23:40 and, 72 times five minutes later, at 05:40. At 06:15, the
  // states from 06:03 on are kept, and with them those back to 05:40.
  CHECK(files.front() == "20261121T054000Z.jsonl.zst");
  CHECK(files.back() == "20261121T061500Z.patch.zst");
  CHECK(files.size() == 8);
}

TEST_CASE("capture --every: durations are checked", "[series]") {
  for (const char* every : {"5", "-5m", "0s", "often"}) {
    Recorded recorded;
    recorded.options().every = every;
    const auto done = recorded.run([](std::size_t) { return false; });
    REQUIRE_FALSE(done);
    CHECK(done.error().message ==
          fmt::format("--every \"{}\" is not a duration; expected one such as 5m or 168h", every));
  }
}
