#include "api/load.h"
#include "golden/agreement.h"
#include "golden/cases.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <iostream>
#include <map>
#include <sstream>

namespace previct::test {
namespace {

auto ask(const Case& c, const Json& question) -> Result<Json> {
  Objects objects;
  PREVICT_CHECK(load({(c.folder / "dump.yaml").string()}, {}, objects));
  return document_of(c, question, objects);
}

auto differences(const Case& c) -> Differences {
  const Json want = json_of(c.folder / "expected.json");
  const Result<Json> got = ask(c, json_of(c.folder / "case.json"));
  if (!got) return {"not answered: " + got.error().message};
  const std::string engine = c.family();
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
  const std::vector<Case> cases = cases_in_fixtures();
  REQUIRE(cases.size() >= 50);
  check_all(cases);
}

// A collection of cases too large to commit.
TEST_CASE("previct says what the real schedulers said, on the cases beside the project", "[golden]") {
  const std::vector<Case> cases = cases_beside();
  if (cases.empty()) {
    WARN("no cases beside the project: only those in fixtures were compared");
    return;
  }
  check_all(cases);
}

}  // namespace previct::test
