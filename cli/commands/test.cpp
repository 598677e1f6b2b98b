#include "analysis/subject.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/file.h"
#include "cli/state.h"
#include "input/bytes.h"
#include "suite/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <regex>

namespace previct::cli {
namespace {

constexpr std::array kTakes = {Group::tests,    Group::state,     Group::overlay, Group::question,
                               Group::scheduler, Group::output, Group::help};

auto wanted_of(const std::string& pattern) -> Result<suite::Wanted> {
  if (pattern.empty()) return suite::Wanted([](const std::string&) { return true; });
  try {
    return suite::Wanted([expression = std::regex(pattern)](const std::string& name) {
      return std::regex_search(name, expression);
    });
  } catch (const std::regex_error& error) {
    return fail(fmt::format("--run \"{}\" is no regular expression: {}", pattern, error.what()));
  }
}

auto suites_of(Session& session, std::vector<std::string>& texts) -> Result<std::vector<suite::Suite>> {
  std::vector<std::string> paths = session.options.arguments;
  if (paths.empty()) paths.emplace_back(".");
  std::vector<suite::Suite> suites;
  for (const std::string& path : paths) {
    PREVICT_TRY(const std::vector<std::string> files, suite::find_files(path));
    for (const std::string& name : files) {
      const bool known = std::any_of(suites.begin(), suites.end(), [&](const suite::Suite& s) { return s.path == name; });
      if (known) continue;
      const FileId file = session.objects.files.add(name);
      PREVICT_TRY(std::string text, read_text_file(name, file, 0));
      texts.push_back(std::move(text));
      PREVICT_TRY(suite::Suite suite, suite::read(texts.back(), name, file));
      suites.push_back(std::move(suite));
    }
  }
  if (suites.empty()) {
    return fail(fmt::format("no test found in {}", joined(paths, ", ")), {},
                "tests are files named previct-test.yaml or *.previct-test.yaml; previct test --new POD -f DUMP writes one");
  }
  return suites;
}

// Writes the files that are not as they should be, and says what has changed.
auto update(const std::vector<suite::SuiteResult>& results, const std::vector<std::string>& texts) -> Result<Done> {
  if (const char* ci = std::getenv("CI"); ci != nullptr && *ci != '\0') {
    return fail("--update does not run in CI (CI is set): what a test expects is decided by people");
  }
  std::vector<std::string> changes;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string text = suite::updated(texts[i], results[i], changes);
    if (text != texts[i]) PREVICT_CHECK(write_file(results[i].path, text));
  }
  Report report = suite::report(results, nullptr);
  const std::size_t lists = changes.size() / 3;
  report.blocks = {Line{{{fmt::format("{} rewritten.", counted(lists, "list", "lists")), Tone::verdict}}}};
  for (std::string& line : changes) {
    const Tone tone = line.front() == '+' ? Tone::safe : line.front() == '-' ? Tone::goes : Tone::plain;
    report.blocks.emplace_back(Line{{{std::move(line), tone}}});
  }
  return Done{std::move(report), kAnswered};
}

auto write_new(Session& session) -> Result<Done> {
  const Options& options = session.options;
  PREVICT_CHECK(load_state(session));
  PREVICT_TRY(const Asked asked, asked_by(session));
  const Snapshot cluster(session.objects);
  PREVICT_TRY(const Subject subject, find_subject(cluster, options.new_test, options.ns.empty() ? "default" : options.ns));
  PREVICT_TRY(const Engine* engine, choose_engine(engines(), options.engine, cluster, subject));
  Question question = asked.question;
  question.kind = subject.kind;
  question.ns = subject.ns;
  question.name = subject.name;
  PREVICT_TRY(const Answer answer, engine->explain(cluster, question));
  suite::Setting setting;
  setting.state = options.filenames;
  setting.policies = options.with;
  if (!options.scheduler_config.empty()) setting.policies.push_back(options.scheduler_config);
  setting.now = format_instant(question.now);
  setting.engine = options.engine;
  setting.toleration_plugin = options.toleration_plugin;
  const std::string text = suite::pinned(answer, cluster, setting);
  Report report;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = text.find('\n', from);
    report.blocks.emplace_back(Line{{{text.substr(from, end - from)}}});
    from = end + 1;
  }
  return Done{std::move(report), kAnswered};
}

auto run(Session& session) -> Result<Done> {
  const Options& options = session.options;
  if (!options.new_test.empty()) return write_new(session);
  const bool names_state = !options.filenames.empty() && !by_variable(options, "filename");
  if (names_state || !options.with.empty()) {
    return fail("-f and --with go with --new; a suite names its own state and policies");
  }
  PREVICT_TRY(const suite::Wanted wanted, wanted_of(options.run));
  std::vector<std::string> texts;
  PREVICT_TRY(const std::vector<suite::Suite> suites, suites_of(session, texts));
  std::vector<suite::SuiteResult> results;
  std::vector<std::string> texts_run;
  suite::Coverage coverage;
  for (std::size_t i = 0; i < suites.size(); ++i) {
    PREVICT_TRY(suite::SuiteResult result, suite::run(suites[i], wanted, coverage));
    if (result.cases.empty()) continue;
    results.push_back(std::move(result));
    texts_run.push_back(std::move(texts[i]));
  }
  if (results.empty()) return fail(fmt::format("no case matches --run \"{}\"", options.run));
  if (options.update) return update(results, texts_run);
  const bool failed = std::any_of(results.begin(), results.end(), [](const auto& r) { return r.failures() > 0; });
  return Done{suite::report(results, options.coverage ? &coverage : nullptr), failed ? kFindings : kAnswered};
}

constexpr Command kCommand = {
    .name = "test",
    .what = "do my policies keep their promises",
    .arguments = "[PATH...]",
    .most_arguments = SIZE_MAX,
    .groups = kTakes,
    .examples =
        "test policies/                             every previct-test.yaml and *.previct-test.yaml below\n"
        "test --run licence -o junit=report.xml     the cases that match, also for a CI server\n"
        "test --new ml/train-big-0 -f dump.yaml     a suite that pins today's answer",
    .more =
        "A suite lays policies over a state and says what must come out: outcome, node, victims, who tolerates until when; or, "
        "with forall, what must hold for every priority, request, node and moment; or that the policies lint clean. A failure says why, with the line of the "
        "field that decides it.\n"
        "Exit status: 0 all cases pass; 1 a case fails; 2 no test found, or a suite or state that cannot be read.",
    .run = run};

}  // namespace

const Command& test_command = kCommand;

}  // namespace previct::cli
