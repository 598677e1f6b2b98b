#include "cli/question.h"

#include <catch2/catch.hpp>

#include <algorithm>

namespace previct::cli {
namespace {

auto engine_named(std::string_view name) -> const Engine& {
  const auto found =
      std::find_if(engines().begin(), engines().end(), [&](const Engine* e) { return e->name() == name; });
  REQUIRE(found != engines().end());
  return **found;
}

auto refusal(const Options& options, std::string_view engine) -> std::string {
  const auto checked = check_files_read(options, engine_named(engine));
  return checked ? "" : checked.error().message;
}

auto now() -> Instant {
  return parse_instant("2026-03-02T12:00:00Z").value();
}

auto moment(std::string_view text) -> std::string {
  const auto at = moment_from(text, now(), "--at");
  return at ? format_instant(*at) : at.error().message;
}

}  // namespace

TEST_CASE("files: those that the engine does not read are refused", "[cli]") {
  Options options;
  CHECK(refusal(options, "kai").empty());
  options.scheduler_config = "s.yaml";
  CHECK(refusal(options, "kube").empty());
  CHECK(refusal(options, "kai") ==
        "--scheduler-config s.yaml: the file configures kube-scheduler, but this pod uses kai");
  options.scheduler_config = "";
  options.assume = "a.yaml";
  CHECK(refusal(options, "yunikorn").empty());
  CHECK(refusal(options, "kube") == "--assume a.yaml: the file applies to YuniKorn, but this pod uses kube");
  options.assume = "none=Service";
  CHECK(refusal(options, "kube").empty());
}

TEST_CASE("moments: are relative to now, or absolute", "[cli]") {
  CHECK(moment("20m") == "2026-03-02T12:20:00Z");
  CHECK(moment("+24h") == "2026-03-03T12:00:00Z");
  CHECK(moment("0s") == "2026-03-02T12:00:00Z");
  CHECK(moment("2026-01-02T03:04:05Z") == "2026-01-02T03:04:05Z");
  for (const char* wrong : {"-1s", "+-1s", "", "+", "noon"}) {
    CHECK(moment(wrong) ==
          "--at \"" + std::string(wrong) +
              "\" is not a time; expected a duration from now, such as 20m or 24h, or RFC 3339, such as "
              "2026-01-02T03:04:05Z");
  }
}

}  // namespace previct::cli
