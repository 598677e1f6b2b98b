#include "lint/lint_report.h"

#include "analysis/report_context.h"
#include "base/text.h"
#include "lint/linter.h"
#include "lint/rule.h"
#include "report/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace previct::lint {
namespace {

auto tone_of(Severity severity) -> Tone {
  switch (severity) {
    case Severity::error: return Tone::danger;
    case Severity::warning: return Tone::soon;
    case Severity::info: return Tone::dim;
  }
  return Tone::plain;
}

struct Counts {
  std::size_t errors = 0;
  std::size_t warnings = 0;
  std::size_t infos = 0;
  std::size_t suppressed = 0;
  std::size_t objects = 0;
  std::size_t files = 0;
  std::size_t templates = 0;
  std::size_t folders = 0;
};

auto counts_of(const Findings& findings, const Tree& tree) -> Counts {
  Counts counts{.files = tree.files_read, .templates = tree.templates().size(), .folders = tree.folders_left};
  for (const Manifest& manifest : tree.manifests()) counts.objects += manifest.wrapper == nullptr ? 1U : 0U;
  for (const Finding& finding : findings.items) {
    std::size_t& of = finding.suppression                     ? counts.suppressed
                      : finding.severity == Severity::error   ? counts.errors
                      : finding.severity == Severity::warning ? counts.warnings
                                                              : counts.infos;
    ++of;
  }
  return counts;
}

auto summary_of(const Counts& counts, const Findings& findings) -> std::string {
  std::vector<std::string> parts;
  if (counts.errors > 0) parts.push_back(counted(counts.errors, "error", "errors"));
  if (counts.warnings > 0) parts.push_back(counted(counts.warnings, "warning", "warnings"));
  if (counts.infos > 0) parts.push_back(counted(counts.infos, "remark", "remarks"));
  std::string text = fmt::format("{} in {} ({}, {}", parts.empty() ? "no findings" : joined(parts, ", "),
                                 counted(counts.files, "file", "files"), counted(counts.objects, "object", "objects"),
                                 counted(findings.rules.size(), "rule", "rules"));
  if (counts.suppressed > 0) text += fmt::format("; {} suppressed", counts.suppressed);
  if (counts.templates > 0) text += fmt::format("; {} left out", counted(counts.templates, "template", "templates"));
  if (counts.folders > 0) {
    text += fmt::format("; {} of test data and vendored code left out", counted(counts.folders, "folder", "folders"));
  }
  return text + ')';
}

// Where to read more about the most severe finding.
auto pointer_of(const Findings& findings) -> std::string {
  const Finding* worst = nullptr;
  for (const Finding& finding : findings.items) {
    if (!finding.suppression && (worst == nullptr || finding.severity > worst->severity)) worst = &finding;
  }
  return worst == nullptr ? "" : fmt::format("; for details, run previct rules {}", worst->rule);
}

auto place_json(const TextRange& place) -> Json {
  Json json = {{"path", place.file}};
  if (place.line != 0) json["line"] = place.line;
  if (place.column != 0) json["column"] = place.column;
  if (place.end_line != 0) json["endLine"] = place.end_line;
  if (place.end_column != 0) json["endColumn"] = place.end_column;
  return json;
}

auto finding_json(const Finding& finding) -> Json {
  Json json = {{"rule", finding.rule},
               {"severity", severity_name(finding.severity)},
               {"message", finding.message},
               {"place", place_json(finding.place)}};
  if (!finding.object.empty()) json["object"] = finding.object;
  if (!finding.notes.empty()) json["notes"] = finding.notes;
  json["fingerprint"] = finding.fingerprint;
  for (const RelatedPlace& related : finding.related) {
    json["related"].push_back({{"place", place_json(related.place)}, {"message", related.message}});
  }
  for (const Fix& fix : finding.fixes) {
    if (fix.hidden) {
      json["fixes"].push_back({{"what", fix.what}});
      continue;
    }
    Json edits = Json::array();
    for (const Fix::Edit& edit : fix.edits) edits.push_back({{"place", place_json(edit.place)}, {"text", edit.text}});
    json["fixes"].push_back({{"what", fix.what}, {"edits", std::move(edits)}});
  }
  if (finding.suppression) {
    json["suppression"] = {{"inSource", finding.suppression->in_source},
                           {"reason", finding.suppression->reason},
                           {"place", place_json(finding.suppression->place)}};
  }
  return json;
}

void rule_row(Row& row, const Rule* rule) {
  row.text("RULE", rule->id).key("id").key("name", rule->name);
  row.text("SEVERITY", {severity_name(rule->severity), tone_of(rule->severity)}).key("severity");
  row.text("WHAT IT FINDS", rule->title).key("title").key("why", rule->why).key("mend", rule->how_to_fix);
  row.key("source", rule->source).key("wholeCluster", rule->whole_cluster);
  row.key("bad", [&] { return examples_of(*rule).bad; }).key("good", [&] { return examples_of(*rule).good; });
}

auto name_of(const Scope& scope) -> std::string {
  return scope.name.empty() ? "." : scope.name;
}

void scope_row(Row& row, const Scope& scope) {
  std::set<std::string> files;
  std::size_t objects = 0;
  for (const Manifest* manifest : scope.manifests) {
    files.insert(manifest->as_read().source->name);
    objects += manifest->wrapper == nullptr ? 1U : 0U;
  }
  row.text("SCOPE", name_of(scope)).key("name");
  row.text("KIND", scope_kind_name(scope.kind)).key("kind").key("complete", !scope.partial);
  row.text("FILES", files.size());
  row.text("OBJECTS", objects).key("objects").key("files", files);
  row.text("COMPLETE", scope.partial ? "no" : "yes");
}

auto line(std::string text, Tone tone = Tone::plain) -> Line {
  return {{{std::move(text), tone}}};
}

auto as_lines(std::string_view text) -> std::vector<Line> {
  std::vector<Line> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(line(std::string(text.substr(0, end))));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

}  // namespace

auto lint_report(Findings findings, const Tree& tree, const Settings& settings, bool details) -> Report {
  Report report;
  const Counts counts = counts_of(findings, tree);
  Json list = Json::array();
  for (const Finding& finding : findings.items) {
    list.push_back(finding_json(finding));
    if (finding.suppression) continue;
    report.names.push_back(fmt::format("{} {}", described(finding.place), finding.rule));
    report.blocks.emplace_back(
        Line{{{fmt::format("{}: ", described(finding.place))},
              {fmt::format("{}[{}]", severity_name(finding.severity), finding.rule), tone_of(finding.severity)},
              {fmt::format(": {}", finding.message)}}});
    if (!details) continue;
    report.blocks.emplace_back(finding.excerpt);
    for (const std::string& note : finding.notes) report.blocks.emplace_back(line("  = " + note));
    for (const Fix& fix : finding.fixes) report.blocks.emplace_back(line("  = fix: " + fix.what, Tone::safe));
  }
  Line summary = line(summary_of(counts, findings), Tone::verdict);
  if (std::string more = pointer_of(findings); !more.empty()) summary.spans.push_back({std::move(more)});
  Paragraph end{"", {std::move(summary)}};
  if (!settings.file.empty()) end.lines.push_back(line("with the settings of " + settings.file, Tone::dim));
  report.blocks.emplace_back(std::move(end));
  report.data = bare_document("LintReport");
  report.data["summary"] = {{"errors", counts.errors},       {"warnings", counts.warnings},
                            {"infos", counts.infos},         {"suppressed", counts.suppressed},
                            {"files", counts.files},         {"objects", counts.objects},
                            {"rules", findings.rules.size()}};
  if (!settings.file.empty()) report.data["settings"] = settings.file;
  report.data["findings"] = std::move(list);
  report.findings = std::move(findings);
  return report;
}

auto scopes_report(const Tree& tree) -> Report {
  Report report;
  const std::vector<Scope>& scopes = tree.scopes();
  report.data = {{"apiVersion", "previct/v1alpha1"}, {"kind", "ScopeList"}, {"items", list_of(scopes, scope_row)}};
  for (const Scope& scope : scopes) report.names.push_back(name_of(scope));
  report.blocks.emplace_back(table_of(scopes, scope_row));
  return report;
}

auto diff_report(const std::vector<FixedFile>& files) -> Report {
  Report report;
  report.data = {{"apiVersion", "previct/v1alpha1"}, {"kind", "FixList"}, {"items", Json::array()}};
  for (const FixedFile& file : files) {
    if (file.fixes == 0) continue;
    std::string diff;
    for (std::string& each : diff_of(file)) {
      diff += each + '\n';
      const Tone tone = each.starts_with('+') ? Tone::safe : each.starts_with('-') ? Tone::danger : Tone::plain;
      report.blocks.emplace_back(line(std::move(each), tone));
    }
    report.data["items"].push_back({{"path", file.name}, {"fixes", file.fixes}, {"diff", diff}});
    report.names.push_back(file.name);
  }
  if (report.names.empty()) report.blocks.emplace_back(line("nothing to fix"));
  return report;
}

auto rules_report(const std::vector<const Rule*>& rules) -> Report {
  Report report;
  report.data = {{"apiVersion", "previct/v1alpha1"}, {"kind", "RuleList"}, {"items", list_of(rules, rule_row)}};
  for (const Rule* rule : rules) report.names.emplace_back(rule->id);
  report.blocks.emplace_back(table_of(rules, rule_row));
  report.brief = report.blocks;  // the list is the answer
  return report;
}

auto rule_report(const Rule& rule) -> Report {
  Report report;
  report.blocks.emplace_back(
      line(fmt::format("{} {} ({}): {}", rule.id, rule.name, severity_name(rule.severity), rule.title), Tone::verdict));
  report.blocks.emplace_back(Paragraph{"WHY IT MATTERS", {line(std::string(rule.why))}});
  report.blocks.emplace_back(Paragraph{"HOW TO FIX IT", {line(std::string(rule.how_to_fix))}});
  if (rule.whole_cluster)
    report.blocks.emplace_back(Paragraph{"WHEN IT IS APPLIED", {line(std::string(when_applied(rule)))}});
  report.blocks.emplace_back(Paragraph{"BAD", as_lines(examples_of(rule).bad)});
  report.blocks.emplace_back(Paragraph{"GOOD", as_lines(examples_of(rule).good)});
  report.blocks.emplace_back(Paragraph{"SOURCE", {line(std::string(rule.source))}});
  report.data = {{"apiVersion", "previct/v1alpha1"}, {"kind", "Rule"}};
  report.data.update(object_of(&rule, rule_row));
  report.names = {std::string(rule.id)};
  return report;
}

}  // namespace previct::lint
