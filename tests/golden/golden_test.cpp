#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "analysis/explanation.h"
#include "analysis/subject.h"
#include "api/load.h"
#include "golden/agreement.h"

namespace fs = std::filesystem;

namespace previct::test {
namespace {

struct Case {
  std::string suite;  // `kube/pdb`, `cluster`
  fs::path folder;
};

auto text_of(const fs::path& path) -> std::string {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

auto json_of(const fs::path& path) -> Json { return Json::parse(text_of(path)); }

// Every folder below `root` that holds a dump, a question and a real scheduler's answer.
auto cases_below(const fs::path& root) -> std::vector<Case> {
  std::vector<Case> cases;
  if (!fs::exists(root)) return cases;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    const fs::path folder = entry.path().parent_path();
    if (entry.path().filename() != "expected.json" || !fs::exists(folder / "case.json")) continue;
    cases.push_back({fs::relative(folder.parent_path(), root).string(), folder});
  }
  std::sort(cases.begin(), cases.end(), [](const Case& a, const Case& b) { return a.folder < b.folder; });
  return cases;
}

auto assumptions_of(const Json& question) -> std::string {
  Json assumed = question.value("assume", Json::object());
  if (question.contains("design")) assumed["design"] = question["design"];
  if (assumed.empty()) return {};
  return Json({{"apiVersion", "previct/v1alpha1"}, {"kind", "Assumptions"}, {"yunikorn", assumed}}).dump();
}

// Puts the question of a case as the command line would, and gives the document it would print.
auto ask(const Case& c, const Json& question) -> Result<Json> {
  Objects objects;
  PREVICT_CHECK(load({(c.folder / "dump.yaml").string()}, {}, objects));
  const std::string engine = c.suite.substr(0, c.suite.find('/'));
  Question q;
  q.now = parse_instant(question.at("now").get<std::string>()).value_or(Instant{});
  q.threads = 2;
  const auto file = [&](const std::string& name, std::string bytes) {
    return ConfigFile{objects.files.add(name), std::move(bytes)};
  };
  std::string subject = question.value("pod", "");
  if (engine == "kube") {
    q.toleration_plugin = question.at("profile") == "toleration" ? Switch::on : Switch::off;
  } else if (engine == "cluster") {
    const fs::path config = c.folder / "scheduler-config.yaml";
    if (fs::exists(config)) q.scheduler_config = file(config.string(), text_of(config));
  } else if (engine == "kai") {
    subject = "podgroup/" + question.at("podgroup").get<std::string>();
    if (question.contains("shard") && question["shard"].is_string()) q.shard = question["shard"];
  } else if (engine == "yunikorn") {
    subject = question.at("pending");
    q.yunikorn_mode = question.at("mode") == "yunikorn-design" ? "design-1.5.1" : "release";
    if (std::string text = assumptions_of(question); !text.empty()) q.assumptions = file("assumptions.json", std::move(text));
  }
  const Snapshot cluster(objects);
  PREVICT_TRY(const Subject found, find_subject(cluster, subject, "default"));
  PREVICT_TRY(const Engine* chosen, choose_engine(engines(), engine == "cluster" ? "kube" : engine, cluster, found));
  q.kind = found.kind;
  q.ns = found.ns;
  q.name = found.name;
  PREVICT_TRY(const Answer answer, chosen->explain(cluster, q));
  const Grounds grounds{.cluster = cluster, .now = q.now, .now_source = "flag", .input_gaps = {}};
  return explanation(answer, grounds).data;
}

auto differences(const Case& c) -> Differences {
  const Json want = json_of(c.folder / "expected.json");
  const Result<Json> got = ask(c, json_of(c.folder / "case.json"));
  if (!got) return {"not answered: " + got.error().message};
  const std::string engine = c.suite.substr(0, c.suite.find('/'));
  if (engine == "kube") return compare_kube(want, *got);
  if (engine == "cluster") return compare_cluster(want, *got);
  if (engine == "kai") return compare_kai(want, *got);
  return compare_yunikorn(want, *got);
}

auto has_engine(const std::string& suite) -> bool {
  const std::string folder = suite.substr(0, suite.find('/'));
  const std::string name = folder == "cluster" ? "kube" : folder;
  return std::any_of(engines().begin(), engines().end(), [&](const Engine* e) { return e->name() == name; });
}

void check_all(const std::vector<Case>& cases) {
  std::map<std::string, std::pair<std::size_t, std::size_t>> suites;
  std::map<std::string, std::size_t> skipped;
  for (const Case& c : cases) {
    if (!has_engine(c.suite)) {
      ++skipped[c.suite];
      continue;
    }
    const Differences found = differences(c);
    auto& [agreed, all] = suites[c.suite];
    ++all;
    agreed += found.empty() ? 1U : 0U;
    if (found.empty()) continue;
    std::ostringstream text;
    text << c.folder.string();
    for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 6); ++i) text << "\n    " << found[i];
    FAIL_CHECK(text.str());
  }
  for (const auto& [suite, count] : skipped) {
    std::cout << "    " << suite << ": skipped, " << count << " cases of an engine that is not built\n";
  }
  for (const auto& [suite, count] : suites) {
    std::cout << "    " << suite << ": " << count.first << " of " << count.second << " agree\n";
  }
}

}  // namespace

TEST_CASE("previct says what the real schedulers said, on the cases in fixtures", "[golden]") {
  const std::vector<Case> cases = cases_below(fs::path(PREVICT_SOURCE_DIR) / "fixtures");
  REQUIRE(cases.size() >= 50);
  check_all(cases);
}

// A collection of cases too large to commit; PREVICT_CASES names another place for it.
TEST_CASE("previct says what the real schedulers said, on the cases beside the project", "[golden]") {
  const char* named = std::getenv("PREVICT_CASES");
  const fs::path root = named != nullptr ? fs::path(named) : fs::path(PREVICT_SOURCE_DIR) / ".." / "shared" / "cases";
  const std::vector<Case> cases = cases_below(root);
  if (cases.empty()) {
    WARN("no cases beside the project: only those in fixtures were compared");
    return;
  }
  check_all(cases);
}

}  // namespace previct::test
