// What the report of `previct lint` says of a number of findings, as docs/lint.md describes it.
#include "lint/lint_report.h"
#include "lint/linter.h"
#include "report/format.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <string>
#include <vector>

namespace previct::lint::reports {
namespace {

struct Given {
  std::string rule;
  Severity severity = Severity::error;
  bool suppressed = false;
};

auto report_of(const std::vector<Given>& given, const Tree& tree, bool details = false, const std::string& file = "")
    -> Report {
  Findings findings;
  findings.rules.resize(2);
  for (const Given& each : given) {
    Finding finding{.rule = each.rule, .severity = each.severity, .message = "m"};
    finding.place = {.file = "a.yaml", .line = 3, .column = 5, .end_line = 3, .end_column = 9};
    if (each.suppressed) finding.suppression = Suppression{true, "known", finding.place};
    findings.items.push_back(std::move(finding));
  }
  Settings settings;
  settings.file = file;
  return lint_report(std::move(findings), tree, settings, details);
}

auto text_of(const Report& report) -> std::string {
  return find_format("text")->render(report, {});
}

// The last line with something on it.
auto summary_of(const std::vector<Given>& given, const Tree& tree = {}) -> std::string {
  std::string text = text_of(report_of(given, tree));
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

constexpr Severity kError = Severity::error;
constexpr Severity kWarning = Severity::warning;
constexpr Severity kInfo = Severity::info;

}  // namespace

TEST_CASE("lint report: the summary counts each severity that there is, and names the rule of the first worst finding",
          "[lint]") {
  CHECK(summary_of({}) == "no findings in 0 files (0 objects, 2 rules)");
  CHECK(summary_of({{"PC001", kError}}) ==
        "1 error in 0 files (0 objects, 2 rules); for details, run previct rules PC001");
  CHECK(summary_of({{"PC001", kInfo}, {"PC002", kWarning}, {"PC003", kWarning}, {"PC004", kInfo}, {"PC005", kInfo}}) ==
        "2 warnings, 3 remarks in 0 files (0 objects, 2 rules); for details, run previct rules PC002");
  CHECK(summary_of({{"PC001", kWarning}, {"PC002", kError}, {"PC003", kError}}) ==
        "2 errors, 1 warning in 0 files (0 objects, 2 rules); for details, run previct rules PC002");
  // What is suppressed counts as nothing else, and is not the worst.
  CHECK(summary_of({{"PC001", kError, true}, {"PC002", kInfo}}) ==
        "1 remark in 0 files (0 objects, 2 rules; 1 suppressed); for details, run previct rules PC002");
  CHECK(summary_of({{"PC001", kError, true}}) == "no findings in 0 files (0 objects, 2 rules; 1 suppressed)");
}

TEST_CASE("lint report: the summary counts the files, and what is left out", "[lint]") {
  const std::string object = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n";
  Tree one;
  one.read_text("a.yaml", object);
  CHECK(summary_of({}, one) == "no findings in 1 file (1 object, 2 rules)");
  // A configuration in a ConfigMap is no object of its own.
  Tree two;
  two.read_text("a.yaml", object + "data:\n  queues.yaml: |\n    partitions: []\n");
  two.read_text("b.yaml", "kind: ConfigMap\n{{ if .Values.x }}\n");
  two.folders_left = 1;
  REQUIRE(two.manifests().size() == 2);
  CHECK(summary_of({}, two) ==
        "no findings in 1 file (1 object, 2 rules; 1 template left out; 1 folder of test data and vendored code left "
        "out)");
  two.folders_left = 2;
  CHECK(summary_of({}, two).ends_with("; 2 folders of test data and vendored code left out)"));
}

TEST_CASE("lint report: a place has the numbers that are known", "[lint]") {
  Findings findings;
  findings.items.push_back({.rule = "DU009", .severity = kError, .message = "m", .place = {.file = "a.yaml"}});
  findings.items.push_back(
      {.rule = "DU009", .severity = kError, .message = "m", .place = {.file = "a.yaml", .line = 2}});
  findings.items.push_back({.rule = "PC001", .severity = kError, .message = "m"});
  findings.items[2].place = {.file = "a.yaml", .line = 2, .column = 3, .end_line = 4, .end_column = 1};
  const Tree tree;
  const Report report = lint_report(findings, tree, {}, false);
  const Json& list = report.data["findings"];
  REQUIRE(list.size() == 3);
  CHECK(list[0]["place"] == Json{{"path", "a.yaml"}});
  CHECK(list[1]["place"] == Json{{"path", "a.yaml"}, {"line", 2}});
  CHECK(list[2]["place"] == Json{{"path", "a.yaml"}, {"line", 2}, {"column", 3}, {"endLine", 4}, {"endColumn", 1}});
  CHECK_FALSE(list[0].contains("object"));
  CHECK_FALSE(list[0].contains("notes"));
  CHECK_FALSE(list[0].contains("fixes"));
  CHECK_FALSE(list[0].contains("suppression"));
}

TEST_CASE("lint report: a hidden fix has no text in JSON, and the others have theirs", "[lint]") {
  Findings findings;
  findings.items.push_back({.rule = "PC001", .severity = kError, .message = "m", .object = "Pod p"});
  Finding& finding = findings.items.front();
  finding.place = {.file = "a.yaml", .line = 2, .column = 3, .end_line = 2, .end_column = 7};
  finding.notes = {"a note"};
  finding.related.push_back({finding.place, "beside it"});
  finding.fixes.push_back({.what = "write it as a string", .edits = {{finding.place, "\"secret\""}}, .hidden = true});
  finding.fixes.push_back({.what = "write \"1\"", .edits = {{finding.place, "\"1\""}}, .hidden = false});
  const Tree tree;
  const Report report = lint_report(findings, tree, {}, true);
  CHECK(report.data["kind"] == "LintReport");
  const Json& json = report.data["findings"][0];
  REQUIRE(json["fixes"].size() == 2);
  CHECK(json["fixes"][0] == Json{{"what", "write it as a string"}});
  REQUIRE(json["fixes"][1]["edits"].size() == 1);
  CHECK(json["fixes"][1]["edits"][0]["text"] == "\"1\"");
  CHECK(json["object"] == "Pod p");
  CHECK(json["notes"] == Json{"a note"});
  CHECK(json["related"][0]["message"] == "beside it");
  const std::string text = text_of(report);
  CHECK_THAT(text, Catch::Matchers::Contains("  = a note\n"));
  CHECK_THAT(text, Catch::Matchers::Contains("  = fix: write \"1\"\n"));
  CHECK_THAT(text, !Catch::Matchers::Contains("secret"));
}

TEST_CASE("lint report: details and the settings file are shown if wanted and given", "[lint]") {
  const Tree tree;
  CHECK_THAT(text_of(report_of({}, tree)), !Catch::Matchers::Contains("settings"));
  const Report with = report_of({{"PC001", kError, true}}, tree, false, ".previct.yaml");
  CHECK_THAT(text_of(with), Catch::Matchers::Contains("with the settings of .previct.yaml"));
  CHECK(with.data["settings"] == ".previct.yaml");
  // A suppressed finding is in JSON, with its reason, and not in the text.
  CHECK_THAT(text_of(with), !Catch::Matchers::Contains("error[PC001]"));
  CHECK(with.names.empty());
  CHECK(with.data["findings"][0]["suppression"]["reason"] == "known");
  CHECK(with.data["findings"][0]["suppression"]["inSource"] == true);
  CHECK(with.data["summary"]["suppressed"] == 1);
  CHECK(with.data["summary"]["errors"] == 0);
}

TEST_CASE("lint report: what is fixed is shown as a diff for each file with fixes", "[lint]") {
  const Report none =
      diff_report({{.name = "a.yaml", .path = {}, .marked = false, .before = "a: 1\n", .after = "a: 1\n"}});
  CHECK_THAT(text_of(none), Catch::Matchers::Contains("nothing to fix"));
  CHECK(none.data["items"].empty());
  const Report one = diff_report(
      {{.name = "a.yaml", .path = {}, .marked = false, .before = "a: 1\n", .after = "a: 1\n"},
       {.name = "b.yaml", .path = {}, .marked = false, .before = "a: 1\n", .after = "a: \"1\"\n", .fixes = 1}});
  CHECK_THAT(text_of(one), !Catch::Matchers::Contains("nothing to fix"));
  REQUIRE(one.data["items"].size() == 1);
  CHECK(one.data["items"][0]["path"] == "b.yaml");
  CHECK(one.data["items"][0]["diff"] == "--- b.yaml\n+++ b.yaml\n@@ -1,1 +1,1 @@\n-a: 1\n+a: \"1\"\n");
}

}  // namespace previct::lint::reports
