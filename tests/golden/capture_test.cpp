// A capture of a dump leads to the same answers. Every case checks that both hold the same objects, field by field;
// some of each kind check that the answers are the same, including evidence.

#include "capture/capture.h"

#include "api/fields.h"
#include "api/load.h"
#include "golden/cases.h"
#include "support/objects_text.h"
#include "support/scratch.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <iostream>
#include <set>

namespace previct::test {
namespace {

auto dump_of(const Case& c) -> std::string {
  return (c.folder / "dump.yaml").string();
}

// Captures the loaded objects, and loads the capture.
auto recaptured(Objects& objects, const Scratch& scratch) -> Objects {
  const Capture manifest = capture::manifest_of(objects, nullptr, {});
  const std::string text = capture::text_of(objects, {}, manifest, capture::AsRead(objects.symbols)).value();
  Objects again;
  const auto loaded = load({scratch.file("capture.jsonl", text)}, {}, again);
  INFO((loaded ? std::string() : loaded.error().message));
  REQUIRE(loaded);
  return again;
}

// Returns the kinds that are completely known, as engines ask for them.
auto kinds_known(const Objects& objects) -> std::set<std::string> {
  std::set<std::string> kinds;
  const auto add = [&](const auto& counts) {
    for (const auto& [kind, count] : counts) {
      const std::string_view name = std::string_view(kind).substr(kind.rfind('/') + 1);
      const bool grouped = kind.find('/') != std::string::npos;
      if (name != "Capture" && kind_matters(grouped ? kind : "v1", name)) kinds.insert(kind);
    }
  };
  add(objects.counts);
  add(objects.listed);
  return kinds;
}

// Removes the positions in files.
void drop_places(Json& json) {
  if (json.is_object()) {
    json.erase("source");
    json.erase("inputs");
  }
  for (Json& each : json) {
    if (each.is_structured()) drop_places(each);
  }
}

auto all_cases() -> std::vector<Case> {
  std::vector<Case> cases = cases_in_fixtures();
  const std::vector<Case> beside = cases_beside();
  cases.insert(cases.end(), beside.begin(), beside.end());
  return cases;
}

}  // namespace

TEST_CASE("capture: holds all objects that were read", "[golden][capture]") {
  const Scratch scratch;
  std::size_t same = 0;
  for (const Case& c : all_cases()) {
    INFO(c.folder.string());
    Objects objects;
    if (!load({dump_of(c)}, {}, objects)) continue;  // cases about inputs that are refused
    Objects again = recaptured(objects, scratch);
    CHECK(objects_text_without_places(again) == objects_text_without_places(objects));
    CHECK(kinds_known(again) == kinds_known(objects));
    CHECK(again.newest == objects.newest);
    ++same;
  }
  CHECK(same > 200);
  std::cout << "    captures: " << same << " dumps give the same objects\n";
}

TEST_CASE("capture: leads to the same answers", "[golden][capture]") {
  const Scratch scratch;
  constexpr std::size_t kEvery = 7;
  const std::vector<Case> cases = all_cases();
  std::size_t answers = 0;
  for (std::size_t i = 0; i < cases.size(); i += std::getenv("PREVICT_ALL") == nullptr ? kEvery : 1) {
    INFO(cases[i].folder.string());
    const Json asked = json_of(cases[i].folder / "case.json");
    Objects objects;
    if (!load({dump_of(cases[i])}, {}, objects)) continue;
    Objects again = recaptured(objects, scratch);
    Result<Json> want = document_of(cases[i], asked, objects);
    Result<Json> got = document_of(cases[i], asked, again);
    REQUIRE(want.has_value() == got.has_value());
    if (!want) {
      CHECK(want.error().message == got.error().message);
      continue;
    }
    drop_places(*want);
    drop_places(*got);
    CHECK(want->dump(1) == got->dump(1));
    ++answers;
  }
  CHECK(answers > 30);
  std::cout << "    captures: " << answers << " answers are the same, to the last field\n";
}

}  // namespace previct::test
