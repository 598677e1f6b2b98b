#include "report/junit_xml.h"

#include "base/text.h"
#include "report/escape.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace previct {
namespace {

using Status = TestCase::Status;

// Returns `PT` for `PT004`.
auto family_of(const std::string& rule) -> std::string {
  return rule.substr(0, rule.find_first_of("0123456789"));
}

auto case_of(const Finding& finding) -> TestCase {
  TestCase one{.name = fmt::format("{} {}", finding.rule, finding.object.empty() ? finding.place.file : finding.object),
               .status = finding.suppression ? Status::skipped : Status::failed,
               .message = finding.message,
               .place = finding.place};
  if (finding.suppression) {
    one.message = finding.suppression->reason;
    return one;
  }
  // A line end within a name must not split the text.
  one.text = escaped(fmt::format("{}: {}[{}]: {}", described(finding.place), severity_name(finding.severity),
                                 finding.rule, finding.message));
  for (const std::string& note : finding.notes) one.text += "\n= " + escaped(note);
  return one;
}

// One suite per family of rules; one case per finding, and one for each rule without findings.
auto suites_of(const Findings& findings) -> std::vector<TestSuite> {
  std::vector<TestSuite> suites;
  for (const RuleText& rule : findings.rules) {
    const std::string name = fmt::format("previct lint {}", family_of(rule.id));
    if (suites.empty() || suites.back().name != name) suites.push_back({.name = name});
    std::vector<TestCase>& cases = suites.back().cases;
    const std::size_t before = cases.size();
    for (const Finding& finding : findings.items) {
      if (finding.rule == rule.id) cases.push_back(case_of(finding));
    }
    if (cases.size() == before) cases.push_back({.name = fmt::format("no {}: {}", rule.id, rule.title)});
  }
  return suites;
}

auto count(const TestSuite& suite, Status status) -> std::size_t {
  return static_cast<std::size_t>(
      std::count_if(suite.cases.begin(), suite.cases.end(), [&](const TestCase& one) { return one.status == status; }));
}

auto text_of_lines(std::string_view text) -> std::string {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += xml_text(text.substr(0, end)) + '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (!out.empty()) out.pop_back();
  return out;
}

void write(const TestCase& one, const TestSuite& suite, JUnitPlaces places, std::string& out) {
  const std::string& file = one.place.file.empty() ? suite.file : one.place.file;
  out += fmt::format(R"(    <testcase classname="{}" name="{}")", xml_text(suite.name), xml_text(one.name));
  if (places == JUnitPlaces::in_attributes && !file.empty()) out += fmt::format(R"( file="{}")", xml_text(file));
  if (places == JUnitPlaces::in_attributes && one.place.line != 0) out += fmt::format(R"( line="{}")", one.place.line);
  out += R"( time="0")";
  if (one.status == Status::passed) {
    out += "/>\n";
    return;
  }
  if (one.status == Status::skipped) {
    out += fmt::format(">\n      <skipped message=\"{}\"/>\n    </testcase>\n", xml_text(one.message));
    return;
  }
  const std::string_view tag = one.status == Status::failed ? "failure" : "error";
  out += fmt::format(">\n      <{0} message=\"{1}\">{2}</{0}>\n    </testcase>\n", tag, xml_text(one.message),
                     text_of_lines(one.text));
}

// GitLab ignores the second of two cases of one name, such as two findings of one rule about one object.
void number_equal_names(std::vector<TestSuite>& suites) {
  std::map<std::pair<std::string, std::string>, std::size_t> times;
  for (TestSuite& suite : suites) {
    for (TestCase& one : suite.cases) {
      if (const std::size_t before = times[{suite.name, one.name}]++; before > 0)
        one.name += fmt::format(" ({})", before + 1);
    }
  }
}

}  // namespace

auto junit_xml(const Report& report, JUnitPlaces places) -> std::string {
  std::vector<TestSuite> suites;
  if (report.tests) suites = *report.tests;
  if (report.findings) {
    for (TestSuite& suite : suites_of(*report.findings)) suites.push_back(std::move(suite));
  }
  number_equal_names(suites);
  std::string out = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"previct\">\n";
  for (const TestSuite& suite : suites) {
    out +=
        fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"0\">\n",
                    xml_text(suite.name), suite.cases.size(), count(suite, Status::failed),
                    count(suite, Status::broken), count(suite, Status::skipped));
    for (const TestCase& one : suite.cases) write(one, suite, places, out);
    out += "  </testsuite>\n";
  }
  return out + "</testsuites>\n";
}

}  // namespace previct
