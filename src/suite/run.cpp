#include "suite/run.h"

#include "analysis/report_context.h"
#include "analysis/subject.h"
#include "base/text.h"
#include "cluster/label_query.h"
#include "lint/linter.h"
#include "report/json_text.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>

namespace previct::suite {
namespace {

/// The clusters of one suite, each created once.
class TestedClusters {
 public:
  explicit TestedClusters(std::string folder) : folder_(std::move(folder)) {}

  auto of(const Setting& s) -> Result<TestedCluster*> {
    std::string key;
    for (const auto* list : {&s.state, &s.policies, &s.without}) key += joined(*list, "\n") + '\0';
    key += s.now + '\0';
    SchedulerOptions::each(
        s, [&](std::string_view, const auto& value, const auto&...) { key += fmt::format("{}", value) + '\0'; });
    auto& tested = clusters_[key];
    if (!tested) {
      PREVICT_TRY(tested, tested_cluster_of(s, folder_));
    }
    return tested.get();
  }

 private:
  std::string folder_;
  std::map<std::string, std::unique_ptr<TestedCluster>> clusters_;
};

class Runner {
 public:
  Runner(const Suite& suite, const Wanted& wanted, Coverage& coverage)
      : suite_(suite),
        wanted_(wanted),
        coverage_(coverage),
        clusters_(std::filesystem::path(suite.path).parent_path().generic_string()) {}

  auto run() -> SuiteResult {
    result_.name = suite_.name;
    result_.path = suite_.path;
    for (const Test& test : suite_.tests) {
      auto done = run(test);
      if (done) continue;
      Failure failure = std::move(done).error();
      if (!failure.place.file) failure.place = test.place;
      result_.cases.push_back({.name = test.name, .place = test.place, .broken = std::move(failure)});
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] auto is_wanted(const std::string& name) const -> bool { return wanted_(suite_.name + "/" + name); }

  auto run(const Test& test) -> Result<void> {
    if (test.forall) return run_all(test);
    if (test.lint) return lint(test);
    const bool several = test.cases.size() > 1;
    for (const Case& each : test.cases) {
      const std::string name = several || !each.at.empty()
                                   ? fmt::format("{} / at {}", test.name, each.at.empty() ? "+0m" : each.at)
                                   : test.name;
      if (!is_wanted(name)) continue;
      PREVICT_TRY(TestedCluster* const tested, clusters_.of(test.setting));
      coverage_.know(tested->objects);
      auto result = run(test, each, *tested);
      if (!result) return tl::unexpected(with_place(std::move(result).error(), tested->objects.files));
      result->name = name;
      result->place = each.place;
      result_.cases.push_back(*std::move(result));
    }
    return {};
  }

  auto run(const Test& test, const Case& one, TestedCluster& tested) -> Result<CaseResult> {
    const Snapshot cluster(tested.objects);
    Question question = tested.question;
    question.now = moment_of(one.at, tested.question.now);
    if (one.expect.never_victim) PREVICT_CHECK(LabelQuery::parse(one.expect.never_victim->selector));
    CaseResult result;
    if (!test.between.empty()) {
      PREVICT_TRY(const Engine* engine, main_engine(engines(), tested.question.engine, cluster));
      PREVICT_TRY(const auto found, queue_protections(*engine, cluster, question, test.between));
      if (!found)
        return fail(fmt::format("between: queues of the {} engine do not protect pods by time", engine->name()));
      result.failed = judge(*one.expect.protected_for, found->rows.front());
      return result;
    }
    if (test.pod.empty()) {
      question.against = test.against;
      PREVICT_TRY(const Engine* engine, main_engine(engines(), tested.question.engine, cluster));
      PREVICT_TRY(const Protections protections, protections(*engine, cluster, question));
      if (!protections.never_preempts.empty())
        return fail(fmt::format("against: {} preempts no pod: {}", protections.against, protections.never_preempts));
      for (const Protection& row : protections.rows) coverage_.see(row, cluster);
      result.failed = judge(one.expect, protections, cluster, tested.question.now);
      return result;
    }
    PREVICT_TRY(const Subject subject, find_subject(cluster, test.pod, "default"));
    PREVICT_TRY(const Engine* engine, choose_engine(engines(), tested.question.engine, cluster, subject));
    question = about(subject, std::move(question));
    question.next_change = !one.expect.next_change.empty();
    PREVICT_TRY(const Answer answer, explain(*engine, cluster, question));
    coverage_.see(answer, cluster);
    result.failed = judge(one.expect, answer, cluster, tested.question.now);
    if (one.expect.victims) result.pinned = one.expect.victims->exactly;
    for (const Victim& victim : answer.victims) {
      result.victims.push_back(cluster.key(victim.pod));
      result.open = result.open || !victim.certain;
    }
    result.open = result.open || answer.outcome == Outcome::unknown;
    return result;
  }

  auto lint(const Test& test) -> Result<void> {
    if (!is_wanted(test.name)) return {};
    Files files;
    Diagnostics diagnostics;
    lint::Tree tree;
    if (!test.setting.now.empty()) tree.now = parse_instant(test.setting.now).value_or(Instant{});
    const std::string folder = std::filesystem::path(suite_.path).parent_path().generic_string();
    if (auto done = tree.read(below(folder, test.setting.policies), {}, files, diagnostics); !done) {
      return tl::unexpected(with_place(std::move(done).error(), files));
    }
    tree.finish({}, true);
    const Findings findings = lint::lint(tree, {}, {});
    CaseResult result;
    result.name = test.name;
    result.place = test.place;
    for (const Finding& finding : findings.items) {
      if (finding.suppression || finding.severity < test.lint->fail_on) continue;
      result.failed.push_back(
          {"lint",
           fmt::format("no {} or worse", severity_name(test.lint->fail_on)),
           fmt::format("{}[{}]: {}", severity_name(finding.severity), finding.rule, finding.message),
           {described(finding.place)}});
    }
    result_.cases.push_back(std::move(result));
    return {};
  }

  auto run_all(const Test& test) -> Result<void> {
    if (!is_wanted(test.name)) return {};
    const Forall& forall = *test.forall;
    if (forall.expect.never_victim) PREVICT_CHECK(LabelQuery::parse(forall.expect.never_victim->selector));
    PREVICT_TRY(TestedCluster* const tested, clusters_.of(test.setting));
    coverage_.know(tested->objects);
    auto done = run_forall(forall, *tested, coverage_);
    if (!done) return tl::unexpected(with_place(std::move(done).error(), tested->objects.files));
    CaseResult result;
    result.name = test.name;
    result.place = test.place;
    result.note = counted(done->asked, "question asked", "questions asked");
    if (done->regions) result.note += fmt::format("; proof: {}", counted(*done->regions, "region", "regions"));
    if (done->scheduler != upstream::kDefaultScheduler)
      result.note += fmt::format(" about pods of {}", done->scheduler);
    result.failed = std::move(done->failed);
    for (Failed& failed : result.failed)
      failed.because.insert(failed.because.begin(), "counter-example: " + done->example);
    result_.cases.push_back(std::move(result));
    return {};
  }

  const Suite& suite_;
  const Wanted& wanted_;
  Coverage& coverage_;
  TestedClusters clusters_;
  SuiteResult result_;
};

constexpr std::string_view kPinned = "what happens to the pod";
constexpr std::string_view kWholeSuite = "(suite)";  // in place of a test's name

// ---- report

constexpr std::size_t kLabel = 12;  // columns of labels such as `victims`, `because`

auto labelled(std::string_view label, std::string_view text) -> std::string {
  return fmt::format("    {:<{}}{}{}", label, kLabel, label.size() < kLabel ? "" : " ", text);
}

auto lines_of(const CaseResult& result) -> std::vector<std::string> {
  std::vector<std::string> lines;
  if (result.broken) {
    lines.push_back(labelled("error", result.broken->message));
    if (!result.broken->help.empty()) lines.push_back(labelled("help", result.broken->help));
  }
  for (const Failed& failed : result.failed) {
    lines.push_back(labelled(failed.what, "want " + failed.want));
    lines.push_back(labelled("", "got  " + failed.got));
    std::vector<std::string> said;
    for (const std::string& why : failed.because) {
      if (std::find(said.begin(), said.end(), why) != said.end()) continue;
      lines.push_back(labelled(said.empty() ? "because" : "", why));
      said.push_back(why);
    }
  }
  return lines;
}

auto case_json(const CaseResult& result) -> Json {
  Json json{{"name", result.name},
            {"status", result.broken     ? "broken"
                       : result.passed() ? "passed"
                                         : "failed"},
            {"line", result.place.line}};
  if (result.broken) json["error"] = result.broken->message;
  if (!result.note.empty()) json["note"] = result.note;
  for (const Failed& failed : result.failed) {
    json["failures"].push_back(
        {{"what", failed.what}, {"want", failed.want}, {"got", failed.got}, {"because", failed.because}});
  }
  return json;
}

auto case_of(const CaseResult& result, const std::string& path) -> TestCase {
  TestCase out;
  out.name = result.name;
  out.place = {.file = path, .line = result.place.line, .column = result.place.column};
  if (result.passed()) return out;
  out.status = result.broken ? TestCase::Status::broken : TestCase::Status::failed;
  if (result.broken) {
    out.message = result.broken->message;
  } else {
    const Failed& first = result.failed.front();
    out.message = fmt::format("{}: want {}, got {}", first.what, first.want, first.got);
  }
  // A line end within a name must not split the text.
  for (const std::string& line : lines_of(result)) out.text += escaped(line) + '\n';
  return out;
}

auto minus(const std::vector<std::string>& all, const std::vector<std::string>& seen) -> std::vector<std::string> {
  std::vector<std::string> rest;
  std::copy_if(all.begin(), all.end(), std::back_inserter(rest),
               [&](const std::string& name) { return std::find(seen.begin(), seen.end(), name) == seen.end(); });
  std::sort(rest.begin(), rest.end());
  return rest;
}

/// The number of seen names that exist: a pod may name a class that does not exist.
auto common(const std::vector<std::string>& all, const std::vector<std::string>& seen) -> std::size_t {
  return all.size() - minus(all, seen).size();
}

void add_coverage(const Coverage& coverage, std::uint32_t percent, Report& out) {
  Paragraph paragraph;
  if (coverage.percent() < percent) {
    paragraph.lines.push_back(
        {{{fmt::format("{} % of the classes and queues are exercised, less than --min-coverage {}", coverage.percent(),
                       percent),
           Tone::danger}}});
  }
  const auto add = [&](std::string_view what, const std::vector<std::string>& all,
                       const std::vector<std::string>& seen) {
    if (all.empty()) return;
    const std::vector<std::string> rest = minus(all, seen);
    paragraph.lines.push_back({{{fmt::format("{}: {} of {} exercised{}{}", what, common(all, seen), all.size(),
                                             rest.empty() ? "" : "; not ", joined(rest, ", "))}}});
    out.data["coverage"][std::string(what)] = {
        {"known", all.size()}, {"exercised", common(all, seen)}, {"missing", rest}};
  };
  add("classes", coverage.classes, coverage.classes_seen);
  add("queues", coverage.queues, coverage.queues_seen);
  std::vector<std::string> rules = coverage.rules_seen;
  std::sort(rules.begin(), rules.end());
  paragraph.lines.push_back({{{fmt::format("rules: {}", rules.empty() ? "none" : joined(rules, ", "))}}});
  out.data["coverage"]["rules"] = rules;
  out.data["coverage"]["percent"] = coverage.percent();
  out.blocks.emplace_back(std::move(paragraph));
}

}  // namespace

auto SuiteResult::failures() const -> std::size_t {
  return static_cast<std::size_t>(
      std::count_if(cases.begin(), cases.end(), [](const CaseResult& c) { return !c.passed(); }));
}

auto unread(const std::string& path, Failure failure) -> SuiteResult {
  const Place place{failure.place.file, std::max(failure.place.line, 1U), failure.place.column};
  CaseResult all{.name = std::string(kWholeSuite), .place = place, .broken = std::move(failure)};
  return {.name = path, .path = path, .cases = {std::move(all)}};
}

auto why_nothing_ran(const std::vector<SuiteResult>& results) -> std::optional<Failure> {
  std::optional<Failure> first;
  for (const SuiteResult& suite : results) {
    for (const CaseResult& each : suite.cases) {
      if (!each.broken) return {};
      if (first) continue;
      first = each.broken;
      if (each.name != kWholeSuite) first->message = fmt::format("test \"{}\": {}", each.name, first->message);
    }
  }
  return first;
}

auto run(const Suite& suite, const Wanted& wanted, Coverage& coverage) -> SuiteResult {
  return Runner(suite, wanted, coverage).run();
}

auto report(const std::vector<SuiteResult>& results, const Coverage* coverage, std::uint32_t percent) -> Report {
  std::size_t failed = 0;
  std::size_t passed = 0;
  for (const SuiteResult& suite : results) {
    failed += suite.failures();
    passed += suite.cases.size() - suite.failures();
  }
  Report out;
  const std::string counts =
      failed == 0 ? fmt::format("{} passed", passed) : fmt::format("{} failed, {} passed", failed, passed);
  out.blocks.emplace_back(Line{{{fmt::format("{} in {}.", counts, counted(results.size(), "suite", "suites")),
                                 failed == 0 ? Tone::safe : Tone::danger}}});
  out.data = bare_document("TestReport");
  out.data["summary"] = {{"suites", results.size()}, {"passed", passed}, {"failed", failed}};
  out.data["suites"] = Json::array();
  std::vector<TestSuite> tests;
  for (const SuiteResult& suite : results) {
    Paragraph paragraph;
    const std::size_t bad = suite.failures();
    paragraph.heading =
        fmt::format("{}  {}  {}: {}", bad == 0 ? "ok  " : "FAIL", suite.path, suite.name,
                    bad == 0 ? counted(suite.cases.size(), "case", "cases")
                             : fmt::format("{} of {} failed", bad, counted(suite.cases.size(), "case", "cases")));
    Json json{{"name", suite.name}, {"path", suite.path}, {"cases", Json::array()}};
    TestSuite& junit = tests.emplace_back();
    junit.name = suite.name;
    junit.file = suite.path;
    for (const CaseResult& each : suite.cases) {
      json["cases"].push_back(case_json(each));
      junit.cases.push_back(case_of(each, suite.path));
      if (each.passed()) continue;
      out.names.push_back(fmt::format("{}/{}", suite.name, each.name));
      paragraph.lines.push_back(
          {{{fmt::format("{} {}  ({}:{})", each.broken ? "ERROR" : "FAIL", each.name, suite.path, each.place.line),
             Tone::danger}}});
      for (std::string& line : lines_of(each)) paragraph.lines.push_back({{{std::move(line)}}});
    }
    paragraph.broken = true;
    out.blocks.emplace_back(std::move(paragraph));
    out.data["suites"].push_back(std::move(json));
  }
  if (coverage != nullptr) add_coverage(*coverage, percent, out);
  out.tests = std::move(tests);
  return out;
}

auto pinned(const Answer& answer, const Snapshot& cluster, const Setting& setting) -> Json {
  Json defaults{{"state", setting.state}};
  const auto list = [&](const char* key, const std::vector<std::string>& values) {
    if (!values.empty()) defaults[key] = values;
  };
  list("policies", setting.policies);
  list("without", setting.without);
  if (!setting.now.empty()) defaults["now"] = setting.now;
  const SchedulerOptions plain;
  Json usual;
  SchedulerOptions::each(plain, [&](std::string_view key, const auto& value, const auto&...) { usual[key] = value; });
  SchedulerOptions::each(setting, [&](std::string_view key, const auto& value, const auto&...) {
    if (usual[key] != Json(value)) defaults[key] = value;
  });

  Json expect{{"outcome", outcome_name(answer.outcome)}};
  std::vector<std::string> nodes = cluster.names(answer.tied);
  if (nodes.empty() && !answer.node.empty()) nodes.push_back(answer.node);
  if (!nodes.empty()) expect["node"] = nodes;
  const bool certain =
      std::all_of(answer.victims.begin(), answer.victims.end(), [](const Victim& v) { return v.certain; });
  if (certain) {
    Json& exactly = expect["victims"]["exactly"] = Json::array();
    for (const Victim& victim : answer.victims) exactly.push_back(cluster.key(victim.pod));
  }
  for (const Tolerating& line : answer.tolerating) {
    expect["tolerates"].push_back(
        {{"pod", cluster.key(line.pod)}, {"until", line.until.is_never() ? "never" : format_instant(line.until)}});
  }
  const std::string pod = answer.subject ? cluster.key(answer.subject) : answer.subject_name;
  Json test{{"name", kPinned}, {"pod", pod}, {"expect", std::move(expect)}};
  return {{"apiVersion", "previct/v1alpha1"},
          {"kind", "TestSuite"},
          {"metadata", {{"name", "policy"}}},
          {"defaults", std::move(defaults)},
          {"tests", Json::array({std::move(test)})}};
}

}  // namespace previct::suite
