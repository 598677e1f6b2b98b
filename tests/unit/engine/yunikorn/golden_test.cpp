#include "engine/engine.h"
#include "support/input.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

// The answers in fixtures/yunikorn/<suite>/<case> come from the released scheduler itself (suites
// required-node-* and queue-*), and from a reading of the design document (design-*), which no release
// implements.

namespace previct {

extern const Engine& yunikorn_engine;

namespace {

namespace fs = std::filesystem;

auto parse(const std::string& text) -> Json {
  return Json::parse(text);
}

auto says_nothing(const Json& value) -> bool {
  return value.is_null() || value == false || value == 0 || value == "" ||
         (value.is_structured() && value.empty());
}

/// Every fact of `want` stands in `got`; the first that does not is named.
auto difference(const Json& want, const Json& got, const std::string& path) -> std::string {
  if (says_nothing(want) && says_nothing(got)) return {};
  if (want.is_object() && got.is_object()) {
    for (const auto& [key, value] : want.items()) {
      const auto found = got.find(key);
      const std::string inner = difference(value, found == got.end() ? Json() : *found, path + "." + key);
      if (!inner.empty()) return inner;
    }
    return {};
  }
  if (want.is_array() && got.is_array() && want.size() == got.size()) {
    for (std::size_t i = 0; i < want.size(); ++i) {
      const std::string inner = difference(want[i], got[i], fmt::format("{}[{}]", path, i));
      if (!inner.empty()) return inner;
    }
    return {};
  }
  return want == got ? std::string() : fmt::format("{}: want {}, got {}", path, want.dump(), got.dump());
}

auto sorted_set(const Json& list) -> std::vector<std::string> {
  std::vector<std::string> texts;
  for (Json item : list.is_array() ? list : Json::array()) {
    if (item.is_object() && item.contains("victims"))
      std::sort(item["victims"].begin(), item["victims"].end());
    if (item.is_array()) std::sort(item.begin(), item.end());
    texts.push_back(nlohmann::json(item).dump());  // keys sorted
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

auto question_of(const Json& asked, Objects& objects) -> Question {
  Question question;
  const std::string pending = asked["pending"];
  question.ns = pending.substr(0, pending.find('/'));
  question.name = pending.substr(pending.find('/') + 1);
  question.now = *parse_instant(asked["now"].get<std::string>());
  const bool design = asked["mode"] == "yunikorn-design";
  if (design) question.yunikorn_mode = "design-1.5.1";
  Json assumed = {{"apiVersion", "previct/v1alpha1"}, {"kind", "Assumptions"}, {"yunikorn", Json::object()}};
  if (asked.contains("assume")) assumed["yunikorn"].update(asked["assume"]);
  if (asked.contains("design")) assumed["yunikorn"]["design"] = asked["design"];
  question.assumptions = ConfigFile{objects.files.add("assumptions.json"), assumed.dump()};
  return question;
}

void check_case(const fs::path& folder) {
  const std::string at = fs::relative(folder, PREVICT_SOURCE_DIR "/fixtures").string();
  INFO(at);
  const Json want = parse(test::fixture(at + "/expected.json"));
  const Json asked = parse(test::fixture(at + "/case.json"));
  Objects objects;
  REQUIRE(test::read_text(test::fixture(at + "/dump.yaml"), objects));
  const Question question = question_of(asked, objects);
  const Snapshot cluster(objects);
  const auto answer = yunikorn_engine.explain(cluster, question);
  REQUIRE(answer);
  const Json& got = answer->evidence;

  Json facts = Json::object();
  const auto compare = [&](std::initializer_list<const char*> keys) {
    for (const char* key : keys) {
      if (want.contains(key)) facts[key] = want[key];
    }
  };
  compare({"outcome", "ask", "headroom"});
  const std::string mode = want.value("mode", "");
  if (mode == "required-node" && (want["outcome"] == "preempted" || want["outcome"] == "reserved")) {
    compare({"node"});
    facts["preemptor"]["counts"] = want["preemptor"]["counts"];
    CHECK(sorted_set(want["preemptor"]["outcomes"]) == sorted_set(got["preemptor"]["outcomes"]));
    CHECK(sorted_set(want["preemptor"]["always"]) == sorted_set(got["preemptor"]["always"]));
    CHECK(sorted_set(want["preemptor"]["sometimes"]) == sorted_set(got["preemptor"]["sometimes"]));
    if (want["preemptor"]["deterministic"]) {
      compare({"victims"});
      facts["preemptor"]["candidates"] = want["preemptor"]["candidates"];
    }
  } else if (mode == "queue") {
    compare({"fence", "eligible", "queues"});
    CHECK(sorted_set(want["solutions"]) == sorted_set(got["solutions"]));
  } else if (mode == "yunikorn-design") {
    compare({"counts", "order", "startsAfter", "strategy", "tried", "free", "victims"});
  }
  CHECK(difference(facts, got, "evidence") == "");
}

}  // namespace

TEST_CASE("the recorded answers of YuniKorn are ours") {
  std::vector<fs::path> cases;
  for (const auto& entry : fs::recursive_directory_iterator(PREVICT_SOURCE_DIR "/fixtures/yunikorn")) {
    if (entry.path().filename() == "expected.json") cases.push_back(entry.path().parent_path());
  }
  std::sort(cases.begin(), cases.end());
  REQUIRE(cases.size() >= 40);
  for (const fs::path& folder : cases) check_case(folder);
}

}  // namespace previct
