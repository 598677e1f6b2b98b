#include "base/ascii.h"
#include "base/path.h"
#include "report/escape.h"
#include "report/format.h"
#include "report/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace previct {
namespace {

constexpr std::string_view kRulesPage = PREVICT_HOMEPAGE "/blob/main/docs/rules.md";

auto level_of(Severity severity) -> std::string_view {
  return severity == Severity::info ? "note" : severity_name(severity);
}

auto artifact_of(const TextRange& place) -> Json {
  Json artifact = {{"uri", uri_of(place.file)}};
  if (!is_absolute(place.file)) artifact["uriBaseId"] = "%SRCROOT%";
  return artifact;
}

auto region_of(const TextRange& place) -> Json {
  Json region = {{"startLine", place.line}};
  if (place.column != 0) region["startColumn"] = place.column;
  if (place.end_line != 0) region["endLine"] = place.end_line;
  if (place.end_column != 0) region["endColumn"] = place.end_column;
  return region;
}

auto location_of(const TextRange& place) -> Json {
  Json physical = {{"artifactLocation", artifact_of(place)}};
  if (place.line != 0) physical["region"] = region_of(place);
  return {{"physicalLocation", std::move(physical)}};
}

auto rule_of(const RuleText& rule) -> Json {
  Json json = {{"id", rule.id}};
  if (!rule.name.empty()) json["name"] = rule.name;
  json["shortDescription"] = {{"text", rule.title}};
  if (!rule.why.empty()) json["fullDescription"] = {{"text", rule.why}};
  std::string page = rule.why + "\n\n**Fix:** " + rule.how_to_fix + "\n";
  if (!rule.bad.empty()) page += "\nBad:\n\n```yaml\n" + rule.bad + "```\n\nGood:\n\n```yaml\n" + rule.good + "```\n";
  if (!rule.source.empty()) page += "\nSource: " + rule.source + "\n";
  // The anchor is the id in lower case.
  const std::string anchor = lower_case(rule.id);
  if (!rule.bad.empty()) json["helpUri"] = fmt::format("{}#{}", kRulesPage, anchor);
  json["help"] = {{"text", rule.why + "\n\nFix: " + rule.how_to_fix}, {"markdown", std::move(page)}};
  json["defaultConfiguration"] = {{"level", level_of(rule.severity)}};
  if (!rule.tags.empty()) json["properties"] = {{"tags", rule.tags}};
  return json;
}

auto fix_of(const Fix& fix) -> Json {
  Json changes = Json::array();
  for (const Fix::Edit& edit : fix.edits) {
    changes.push_back({{"artifactLocation", artifact_of(edit.place)},
                       {"replacements", Json::array({{{"deletedRegion", region_of(edit.place)},
                                                      {"insertedContent", {{"text", edit.text}}}}})}});
  }
  return {{"description", {{"text", fix.what}}}, {"artifactChanges", std::move(changes)}};
}

auto result_of(const Finding& finding, const std::map<std::string, std::size_t>& index) -> Json {
  Json json = {{"ruleId", finding.rule}};
  if (const auto rule = index.find(finding.rule); rule != index.end()) json["ruleIndex"] = rule->second;
  json["level"] = level_of(finding.severity);
  std::string message = finding.message;
  for (const std::string& note : finding.notes) message += "\n" + note;
  json["message"] = {{"text", std::move(message)}};
  // Explicit array: how a braced single value is converted differs between compilers.
  json["locations"] = Json::array({location_of(finding.place)});
  if (!finding.object.empty())
    json["locations"][0]["logicalLocations"] = Json::array({{{"fullyQualifiedName", finding.object}}});
  if (!finding.fingerprint.empty()) json["partialFingerprints"] = {{"previct/v1", finding.fingerprint}};
  for (const RelatedPlace& related : finding.related) {
    Json location = location_of(related.place);
    location["message"] = {{"text", related.message}};
    json["relatedLocations"].push_back(std::move(location));
  }
  for (const Fix& fix : finding.fixes) {
    if (!fix.hidden) json["fixes"].push_back(fix_of(fix));
  }
  if (finding.suppression) {
    Json suppression = {{"kind", finding.suppression->in_source ? "inSource" : "external"}};
    if (!finding.suppression->reason.empty()) suppression["justification"] = finding.suppression->reason;
    json["suppressions"] = Json::array({std::move(suppression)});
  }
  return json;
}

// A failed case of a policy test is a finding too; its rule is the suite.
auto findings_of(const std::vector<TestSuite>& suites) -> Findings {
  Findings findings;
  findings.rules.push_back(
      {.id = "policy-test",
       .name = "broken-promise",
       .title = "a policy does not keep a promise",
       .why = "A case of a test suite fails: the decision is not the one that the suite expects.",
       .how_to_fix = "Change the policy, or, if the decision is correct, the suite (previct test --update)."});
  for (const TestSuite& suite : suites) {
    for (const TestCase& one : suite.cases) {
      if (one.status != TestCase::Status::failed && one.status != TestCase::Status::broken) continue;
      Finding finding{.rule = "policy-test",
                      .message = one.message,
                      .place = one.place,
                      .object = fmt::format("{}/{}", suite.name, one.name)};
      if (finding.place.file.empty()) finding.place.file = suite.file;
      findings.items.push_back(std::move(finding));
    }
  }
  return findings;
}

auto render_sarif(const Report& report, const Style& /*style*/) -> std::string {
  const Findings findings = report.findings ? *report.findings : findings_of(*report.tests);
  Json rules = Json::array();
  std::map<std::string, std::size_t> index;
  for (const RuleText& rule : findings.rules) {
    index.emplace(rule.id, rules.size());
    rules.push_back(rule_of(rule));
  }
  Json results = Json::array();
  for (const Finding& finding : findings.items) results.push_back(result_of(finding, index));
  const Json log = {
      {"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs", Json::array({{{"tool",
                              {{"driver",
                                {{"name", "previct"},
                                 {"semanticVersion", PREVICT_VERSION},
                                 {"informationUri", PREVICT_HOMEPAGE},
                                 {"rules", std::move(rules)}}}}},
                             {"columnKind", "unicodeCodePoints"},
                             {"results", std::move(results)}}})}};
  return json_text(log, 2) + '\n';
}

}  // namespace

const Format& sarif_format = Format{.name = "sarif",
                                    .ending = "sarif",
                                    .what = "findings and failed tests for code scanning (SARIF 2.1.0)",
                                    .render = render_sarif,
                                    .judgements = true};

}  // namespace previct
