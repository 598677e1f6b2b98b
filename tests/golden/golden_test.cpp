#include "api/load.h"
#include "golden/agreement.h"
#include "golden/cases.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

namespace previct::test {
namespace {

auto ask(const Case& c, const Json& question) -> Result<Json> {
  Objects objects;
  PREVICT_CHECK(load({(c.folder / "dump.yaml").string()}, {}, objects));
  return document_of(c, question, objects);
}

auto compared(const std::string& family, const Json& want, const Json& got) -> Differences {
  if (family == "kube" || family == "kube-versions") return compare_kube(want, got);
  if (family == "kube-config") return compare_kube_config(want, got);
  if (family == "cluster") return compare_cluster(want, got);
  if (family == "kai") return compare_kai(want, got);
  if (family == "kueue") return compare_kueue(want, got);
  return compare_yunikorn(want, got);
}

auto differences(const Case& c) -> Differences {
  const Json want = json_of(c.folder / "expected.json");
  const Result<Json> got = ask(c, json_of(c.folder / "case.json"));
  if (want.contains("refused")) {
    if (got) return {"want it refused: " + want["refused"].get<std::string>()};
    return compare_refusal(want, got.error().message + " " + got.error().help);
  }
  if (!got) return {"not answered: " + got.error().message};
  Differences found = compared(c.family(), want, *got);
  for (std::string& each : found) {
    if (const std::string rule = decided_by(each, *got); !rule.empty()) each += "\n      " + rule;
  }
  return found;
}

auto has_engine(const std::string& suite) -> bool {
  const std::string family = Case{suite, {}}.family();
  const std::string name = family == "cluster" || family.starts_with("kube") ? "kube" : family;
  return std::any_of(engines().begin(), engines().end(), [&](const Engine* e) { return e->name() == name; });
}

// Reads the folders of the cases to run from the file named by PREVICT_ONLY_CASES, one per line; if it is not set, all
// cases run.
auto only_cases() -> std::set<std::string> {
  std::set<std::string> only;
  const char* const named = std::getenv("PREVICT_ONLY_CASES");
  std::istringstream lines(named == nullptr ? std::string() : text_of(named));
  for (std::string line; std::getline(lines, line);) only.insert(line);
  return only;
}

void check_all(const std::vector<Case>& cases) {
  const std::set<std::string> only = only_cases();
  std::map<std::string, std::pair<std::size_t, std::size_t>> suites;
  std::map<std::string, std::size_t> skipped;
  for (const Case& c : cases) {
    if (!only.empty() && !only.contains(c.folder.string())) continue;
    if (!has_engine(c.suite)) {
      ++skipped[c.suite];
      continue;
    }
    const Differences found = differences(c);
    auto& [agreed, all] = suites[c.suite];
    ++all;
    agreed += found.empty() ? 1U : 0U;
    std::ostringstream text;
    text << c.folder.string();
    for (std::size_t i = 0; i < std::min<std::size_t>(found.size(), 6); ++i) text << "\n    " << found[i];
    // one assertion per case: tests/mutants/listener.cpp uses it to find which case reached which mutant
    INFO(text.str());
    CHECK((found.empty() || !must_be_full(c.suite)));
  }
  for (const auto& [suite, count] : skipped) {
    std::cout << "    " << suite << ": skipped, " << count << " cases of an engine that is not built\n";
  }
  for (const auto& [suite, count] : suites) {
    std::cout << "    " << suite << ": " << count.first << " of " << count.second << " agree"
              << (must_be_full(suite) ? "\n" : " (need not yet: tests/golden/full_suites.txt)\n");
  }
}

}  // namespace

TEST_CASE("golden cases in fixtures: previct agrees with the real schedulers", "[golden]") {
  const std::vector<Case> cases = cases_in_fixtures();
  REQUIRE(cases.size() >= 50);
  check_all(cases);
}

// A collection of cases that is too large to commit.
TEST_CASE("golden cases next to the project: previct agrees with the real schedulers", "[golden]") {
  const std::vector<Case> cases = cases_beside();
  if (cases.empty()) {
    WARN("no cases beside the project: only those in fixtures were compared");
    return;
  }
  check_all(cases);
}

TEST_CASE("newer golden cases of full suites: previct agrees with the real schedulers", "[golden]") {
  check_all(newer_cases_beside());
}

}  // namespace previct::test
