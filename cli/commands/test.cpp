#include "analysis/subject.h"
#include "base/glob.h"
#include "base/shard.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/file.h"
#include "cli/kinds_as_none.h"
#include "cli/load.h"
#include "cli/question.h"
#include "cli/working_folder.h"
#include "input/bytes.h"
#include "report/format.h"
#include "suite/run.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <utility>

namespace previct::cli {
namespace {

constexpr std::array kTestTakes = {Group::tests,     Group::state,  Group::overlay, Group::question,
                                   Group::scheduler, Group::output, Group::help};

auto wanted_of(const std::string& pattern) -> suite::Wanted {
  if (pattern.empty()) return suite::Wanted([](const std::string&) { return true; });
  const bool glob = pattern.find_first_of("*?") != std::string::npos;
  return suite::Wanted([pattern, glob](const std::string& name) {
    return glob ? matches_glob(pattern, name) : name.find(pattern) != std::string::npos;
  });
}

struct SuiteFile {
  std::string path;
  std::string text;
  bool marked = false;  // the file begins with a byte order mark
  Result<suite::Suite> suite;
};

auto read_suite(Session& session, const std::string& path) -> SuiteFile {
  const FileId file = session.inputs->files.add(path);
  bool marked = false;
  Result<std::string> text = read_written_file(path, file, nullptr, &marked);
  if (!text) return {path, {}, false, tl::unexpected(std::move(text).error())};
  Result<suite::Suite> suite = suite::read(*text, path, file);
  return {path, *std::move(text), marked, std::move(suite)};
}

auto suites_of(Session& session) -> Result<std::vector<SuiteFile>> {
  std::vector<std::string> paths = session.options.arguments;
  if (paths.empty()) paths.emplace_back(".");
  std::vector<SuiteFile> suites;
  for (const std::string& path : paths) {
    PREVICT_TRY(const std::vector<std::string> files, suite::find_files(path));
    for (const std::string& name : files) {
      const bool known = std::any_of(suites.begin(), suites.end(), [&](const SuiteFile& s) { return s.path == name; });
      if (!known) suites.push_back(read_suite(session, name));
    }
  }
  if (suites.empty()) {
    return fail(
        fmt::format("no test found in {}", joined(paths, ", ")), {},
        "tests are files named previct-test.yaml or *.previct-test.yaml; previct test --new POD -f DUMP prints one");
  }
  return suites;
}

// Updates the files that are out of date, and reports the changes.
auto update(const Targets& targets, const std::vector<suite::SuiteResult>& results,
            const std::vector<const SuiteFile*>& files) -> Result<CommandResult> {
  if (const char* ci = std::getenv("CI"); ci != nullptr && *ci != '\0') {
    return fail("--update is not allowed in CI (CI is set): review changes of expectations first");
  }
  PREVICT_CHECK(targets.check());
  std::vector<std::string> lines;
  std::size_t rewritten = 0;
  std::size_t left = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const std::string mark(files[i]->marked ? kByteOrderMark : "");
    suite::Update update = suite::updated(files[i]->text, results[i]);
    if (update.rewritten > 0) {
      PREVICT_TRY(const std::string why, change_file(results[i].path, mark + files[i]->text, mark + update.text));
      if (!why.empty()) {
        update.left += std::exchange(update.rewritten, 0);
        update.lines = {fmt::format("{}: not changed: {}", results[i].path, why)};
      }
    }
    rewritten += update.rewritten;
    left += update.left;
    lines.insert(lines.end(), update.lines.begin(), update.lines.end());
  }
  Report report = suite::report(results, nullptr);
  const std::string rest = left == 0 ? "" : fmt::format("; {} left", counted(left, "failure is", "failures are"));
  report.blocks = {Line{{{fmt::format("{} rewritten{}.", counted(rewritten, "list", "lists"), rest), Tone::verdict}}}};
  for (std::string& line : lines) {
    const Tone tone = line.front() == '+' ? Tone::safe : line.front() == '-' ? Tone::danger : Tone::plain;
    report.blocks.emplace_back(Line{{{std::move(line), tone}}});
  }
  return CommandResult{std::move(report), left > 0 ? kFindings : kAnswered};
}

// A suite names files relative to its own location, which is assumed to be the working folder.
auto from_here(const std::vector<std::string>& paths) -> std::vector<std::string> {
  const std::filesystem::path here = working_folder();
  std::vector<std::string> relative;
  for (const std::string& path : paths) {
    const bool absolute = std::filesystem::path(path).is_absolute() && !here.empty();
    relative.push_back(absolute ? std::filesystem::path(path).lexically_relative(here).generic_string() : path);
  }
  return relative;
}

auto setting_of(const Options& options, Instant now) -> suite::Setting {
  suite::Setting setting;
  setting.state = from_here(options.filenames);
  setting.policies = options.with;
  for (NamedConfiguration& each : configurations_named_by(options)) {
    if (!each.path.empty()) setting.policies.push_back(std::move(each.path));
  }
  setting.policies = from_here(setting.policies);
  setting.without = options.without;
  setting.now = format_instant(now);
  static_cast<SchedulerOptions&>(setting) = options;
  return setting;
}

auto write_new(Session& session) -> Result<CommandResult> {
  const Options& options = session.options;
  if (options.update || options.coverage || options.min_coverage > 0 || !options.run.empty() ||
      !options.arguments.empty()) {
    return fail("--new writes a suite, and cannot be combined with suites to run");
  }
  const auto& files = options.filenames;
  if (files.empty()) return fail("--new needs a dump, which the suite refers to by name", {}, "pass it with -f");
  if (std::find(files.begin(), files.end(), "-") != files.end())
    return fail("--new cannot read standard input: the suite must refer to its state by name");
  if (!options.priority_class.empty() || !options.requests.empty()) {
    return fail("a suite cannot express --priority-class and --request", {},
                "use --with FILE with a manifest of the pod");
  }
  if (names_kinds(options.assume)) {
    return fail(fmt::format("a suite cannot express --assume {}", options.assume), {},
                "pass a list of that kind without items with -f");
  }
  PREVICT_TRY(Loaded & loaded, load_state(session));
  const Snapshot cluster(loaded.objects);
  PREVICT_TRY(const Asked asked, asked_by(session, loaded, cluster));
  PREVICT_TRY(const Subject subject,
              find_subject(cluster, options.new_test, options.ns.empty() ? "default" : options.ns));
  PREVICT_TRY(const Engine* engine, choose_engine(engines(), options.engine, cluster, subject));
  const Question question = about(subject, asked.question);
  PREVICT_TRY(const Answer answer, explain(*engine, cluster, question));
  Report report;
  report.data = suite::pinned(answer, cluster, setting_of(options, question.now));
  for (const Json& test : report.data["tests"]) {
    report.names.push_back(
        fmt::format("{}/{}", report.data["metadata"]["name"].get<std::string>(), test["name"].get<std::string>()));
  }
  Paragraph lines;
  const std::string text = find_format("yaml")->render(report, {});
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = text.find('\n', from);
    lines.lines.push_back({{{text.substr(from, end - from)}}});
    from = end + 1;
  }
  report.blocks.emplace_back(std::move(lines));
  return CommandResult{std::move(report), kAnswered};
}

// A suite defines its questions itself, so flags about them are refused.
auto check_test_flags(const Options& options) -> Result<void> {
  constexpr std::array kOfNew = {Group::state, Group::overlay, Group::question, Group::scheduler};
  for (const Flag& flag : flags()) {
    if (std::find(kOfNew.begin(), kOfNew.end(), flag.group) == kOfNew.end() || !is_given(options, flag.name)) continue;
    if (flag.name == "shard" && is_part_of_work(options.shard)) continue;
    return fail(fmt::format("--{} only works with --new; suites set it themselves", flag.name));
  }
  return {};
}

// A suite gives the same results wherever it runs.
void warn_of_settings(const Options& options, Diagnostics& diagnostics) {
  std::vector<std::string> names;
  for (const Flag& flag : flags()) {
    if (flag.group == Group::scheduler && by_default(options, flag.name))
      names.push_back("--" + std::string(flag.name));
  }
  if (names.empty()) return;
  diagnostics.warn("settings-not-used", fmt::format("{} of the environment or of .previct.yaml not used: suites set "
                                                    "what they need themselves",
                                                    joined(names, ", ")));
}

auto run_test(Session& session) -> Result<CommandResult> {
  const Options& options = session.options;
  if (!options.new_test.empty()) return write_new(session);
  PREVICT_CHECK(check_test_flags(options));
  warn_of_settings(options, session.inputs->diagnostics);
  const suite::Wanted wanted = wanted_of(options.run);
  PREVICT_TRY(const std::vector<SuiteFile> suites, suites_of(session));
  std::vector<suite::SuiteResult> results;
  std::vector<const SuiteFile*> files_run;
  if (options.min_coverage > 100) return fail("--min-coverage is a percentage, at most 100");
  Shard shard;
  if (is_part_of_work(options.shard)) {
    PREVICT_TRY(shard, read_shard(options.shard));
    if (options.min_coverage > 0) return fail("--min-coverage needs all suites, and cannot be combined with --shard");
  }
  const Slice slice = slice_of(shard, suites.size());
  suite::Coverage coverage;
  for (std::size_t i = slice.begin; i < slice.end; ++i) {
    const Result<suite::Suite>& suite = suites[i].suite;
    suite::SuiteResult result =
        suite ? suite::run(*suite, wanted, coverage) : suite::unread(suites[i].path, suite.error());
    if (result.cases.empty()) continue;
    results.push_back(std::move(result));
    files_run.push_back(&suites[i]);
  }
  if (std::optional<Failure> why = suite::why_nothing_ran(results)) return tl::unexpected(*std::move(why));
  if (results.empty() && !is_part_of_work(options.shard))
    return fail(fmt::format("no case matches --run \"{}\"", options.run));
  if (options.update) return update(session.targets, results, files_run);
  const bool failed = std::any_of(results.begin(), results.end(), [](const auto& r) { return r.failures() > 0; });
  const bool covered = coverage.percent() >= options.min_coverage;
  const bool tells_coverage = options.coverage || options.min_coverage > 0;
  return CommandResult{suite::report(results, tells_coverage ? &coverage : nullptr, options.min_coverage),
                       failed || !covered ? kFindings : kAnswered};
}

}  // namespace

const Command& test_command = Command{
    .name = "test",
    .task = Task::guard,
    .what = "check that policies keep promises",
    .arguments = "[PATH...]",
    .most_arguments = SIZE_MAX,
    .groups = kTestTakes,
    .examples =
        "test policies/                             every previct-test.yaml and *.previct-test.yaml in it\n"
        "test --run license -o junit=report.xml     the matching cases, with a report for a CI server\n"
        "test --new ml/train-big-0 -f dump.yaml     a suite that expects the current answer",
    .more =
        "A suite applies policies to a state and defines the expected result: outcome, node, victims, and the pods "
        "that tolerate preemption, with the end of each toleration. With forall, it defines what must hold for every "
        "priority, request, node and time. It can also require that the policies have no lint findings. A failure "
        "shows the reason, and the line of the field that decides it. --shard I/N runs one of N parts of the suites; "
        "with -o jsonl, the concatenated outputs of all parts equal the output of a single run.\n"
        "Exit status: 0 all cases pass; 1 a case fails, or is broken (ERROR) while others ran; 2 no case could run. "
        "With --update, 1 if a case still fails.",
    .run = run_test,
    .judges = [](const Options& options) { return options.new_test.empty(); }};

}  // namespace previct::cli
