#include "base/descriptor.h"
#include "base/files_read.h"
#include "base/path.h"
#include "base/shortened.h"
#include "base/text.h"
#include "base/trimmed.h"
#include "cli/command.h"
#include "cli/file.h"
#include "cli/load.h"
#include "cli/question.h"
#include "cli/settings_file.h"
#include "cli/working_folder.h"
#include "input/bytes.h"
#include "lint/fix.h"
#include "lint/lint_report.h"
#include "lint/linter.h"
#include "system/process.h"
#include "system/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <system_error>

namespace previct::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::array kLintTakes = {Group::state, Group::lint, Group::output, Group::help};

auto settings_of(Session& session) -> Result<lint::Settings> {
  const Options& options = session.options;
  lint::Settings settings;
  std::string path = options.config;
  if (path.empty()) {
    PREVICT_TRY(path, nearest_settings(session.inputs->diagnostics));
    if (!path.empty() && !is_below_any(path, session.roots)) path.clear();
  }
  if (!path.empty()) {
    const FileId file = session.inputs->files.add(path);
    PREVICT_TRY(const std::string text, read_written_file(path, file));
    PREVICT_TRY(settings, lint::read_settings(text, path, file));
    settings.file = path;
    PREVICT_CHECK(read_cluster_settings(text, path, file));
  }
  PREVICT_CHECK(lint::check_selection(options.only, "--only"));
  PREVICT_CHECK(lint::check_selection(options.skip, "--skip"));
  if (!options.only.empty()) settings.only = options.only;
  settings.skip.insert(settings.skip.end(), options.skip.begin(), options.skip.end());
  for (const std::string& word : options.severity) PREVICT_CHECK(lint::set_severity(word, settings));
  if (!options.fail_on.empty()) settings.fail_on = options.fail_on.back();
  return settings;
}

/// The least severity that makes the run fail; nullopt: none does.
auto threshold_of(const lint::Settings& settings) -> Result<std::optional<Severity>> {
  const std::string word = settings.fail_on.value_or("error");
  if (word == "never") return std::nullopt;
  if (const auto severity = severity_of(word)) return severity;
  return fail(fmt::format("--fail-on \"{}\": expected error, warning, info or never", word));
}

auto moment_of(const Session& session) -> Result<Instant> {
  const std::string& text = session.options.now;
  if ((text.empty() || text == "dump") || text == "clock") return session.clock;
  if (const auto at = parse_instant(text)) return *at;
  return fail(fmt::format("--now \"{}\" is not a time; expected RFC 3339, such as 2026-05-01T12:00:00Z", text));
}

/// The error that kubectl logs when a plugin fails: `… "command failed" err=<`, the lines, and `>`. Empty: none.
auto logged_error(std::string_view words) -> std::string_view {
  constexpr std::string_view kBegin = "\"command failed\" err=<";
  const std::size_t at = words.rfind(kBegin);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = words.substr(at + kBegin.size());
  return rest.substr(0, rest.rfind("\n >"));
}

/// The final error of `helm` and `kustomize`, without the warnings before it, in one line.
auto error_in(std::string_view words) -> std::string {
  std::string_view said;
  for (std::string_view rest = words; said.empty() && !rest.empty();) {
    if (rest.starts_with("Error: ") || rest.starts_with("error: "))
      said = rest.substr(std::string_view("Error: ").size());
    rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
  }
  if (said.empty()) said = logged_error(words);
  if (said.empty()) return system::last_line(words);
  // Helm appends advice for its own users.
  said = said.substr(0, said.find("\n\nUse --debug flag"));
  std::string line;
  for (const char c : said) {
    const bool blank = c == ' ' || c == '\n' || c == '\t';
    if (!blank || (!line.empty() && line.back() != ' ')) line += blank ? ' ' : c;
  }
  return std::string(trimmed(line));
}

/// Runs `kustomize build`, else `kubectl kustomize`, and `helm template`, as far as installed.
class Renderer {
 public:
  explicit Renderer(Session& session) : session_(session) {
    const char* path = std::getenv("PATH");
    path_ = path == nullptr ? "" : path;
  }

  auto render(const lint::Tree::Renderable& from, lint::Tree& tree) -> Result<void> {
    // The name of a folder must not be read as a flag.
    const std::string folder = from.folder.empty() ? "." : is_absolute(from.folder) ? from.folder : "./" + from.folder;
    note_read_below(folder);
    if (from.by == lint::Tree::Renderable::By::helm) {
      // Templates cannot be read in another way: without helm, the chart would pass unchecked.
      if (!system::find_program("helm", path_) && !session_.options.keep_going)
        return fail(fmt::format("--render needs helm for the chart {}, and helm is not installed", folder), {},
                    "--keep-going lints the rest");
      run({{"helm", {"template", folder}}}, from, tree);
    } else {
      run({{"kustomize", {"build", folder}}, {session_.options.kubectl, {"kustomize", folder}}}, from, tree);
    }
    return {};
  }

 private:
  struct Call {
    std::string program;
    std::vector<std::string> arguments;
  };

  void run(const std::vector<Call>& calls, const lint::Tree::Renderable& from, lint::Tree& tree) {
    for (const Call& call : calls) {
      const auto program = system::find_program(call.program, path_);
      if (!program) continue;
      auto finished = system::run_program(*program, call.arguments, system::ProgramLimits{});
      if (finished && finished->status == 0) return tree.read_rendered(from, std::move(finished->out));
      const std::string why = finished ? error_in(finished->errors) : finished.error().message;
      if (why == kLibrary) return;  // a library chart: it renders nothing
      // Kustomize prints the cause last, after the chain of folders.
      remark("not-rendered", fmt::format("{} {} failed, so the files are read without rendering: {}", call.program,
                                         joined(call.arguments, " "), shortened(why)));
      return;
    }
    if (missing_.insert(calls.front().program).second)
      remark("not-rendered", fmt::format("{} is not installed, so files are read without it", calls.front().program));
  }

  void remark(const char* id, const std::string& text) { session_.inputs->diagnostics.warn(id, text); }

  static constexpr std::string_view kLibrary = "library charts are not installable";
  Session& session_;
  std::string path_;
  std::set<std::string> missing_;
};

auto paths_of(const Options& options) -> std::vector<std::string> {
  std::vector<std::string> paths = options.arguments;
  // A dump that PREVICT_FILES names is no repository.
  if (!by_variable(options, "filename")) paths.insert(paths.end(), options.filenames.begin(), options.filenames.end());
  return paths;
}

auto read_all(Session& session, const lint::Settings& settings, lint::Tree& tree,
              const lint::TextsByName* instead = nullptr) -> Result<void> {
  const Options& options = session.options;
  const std::vector<std::string> paths = paths_of(options);
  if (paths.empty()) return fail("nothing to lint: pass files or folders", {}, "previct lint .");
  PREVICT_TRY(const LoadOptions load, load_options_of(session));
  const lint::ReadOptions read{.folder = working_folder().generic_string(),
                               .keep_going = options.keep_going,
                               .max_input = load.max_input,
                               .instead = instead};
  PREVICT_CHECK(tree.read(paths, read, session.inputs->files, session.inputs->diagnostics));
  if (options.render) {
    Renderer renderer(session);
    for (const lint::Tree::Renderable& each : tree.renderables()) PREVICT_CHECK(renderer.render(each, tree));
  }
  const bool left_out = !tree.templates().empty() || tree.folders_left > 0;
  if (tree.manifests().empty() && tree.broken().empty() && !left_out) {
    const std::string nothing = "the input has no Kubernetes manifest and no scheduler configuration";
    // A pipeline may lint every repository of an organization; but a given file must have relevant content.
    const bool folders = std::all_of(paths.begin(), paths.end(), [](const std::string& path) {
      std::error_code none;
      return fs::is_directory(path, none);
    });
    if (!folders) return fail(nothing, {}, "manifests are YAML or JSON files with a kind");
    session.inputs->diagnostics.warn("no-manifests", nothing);
  }
  if (tree.manifests().empty() && !tree.templates().empty()) {
    session.inputs->diagnostics.warn("templates-only",
                                     fmt::format("only templates found (for example {}): lint what they render "
                                                 "(helm template CHART | previct lint -)",
                                                 tree.templates().front()));
  }
  tree.known_schedulers = settings.known_schedulers;
  tree.thresholds = settings.thresholds;
  for (const lint::NamedScope& scope : settings.scopes) {
    for (const std::string& path : scope.paths) {
      std::error_code none;
      if (path.find_first_of("*?") != std::string::npos || fs::exists(path, none)) continue;
      session.inputs->diagnostics.warn(
          "scope-path-missing", fmt::format("{}: {} of scope {} does not exist", settings.file, path, scope.name));
    }
  }
  // Files given with -f, as for other commands, are one cluster.
  tree.finish(settings.scopes, options.arguments.empty());
  if (tree.too_much_rendered()) {
    session.inputs->diagnostics.warn(
        "kustomize-too-much",
        "the kustomizations produce more copies of objects than previct can keep; the remaining copies are not linted");
  }
  return {};
}

struct Baseline {
  std::string text;  ///< content of the file; empty: none was read
  std::vector<lint::BaselineEntry> entries;
};

auto baseline_of(Session& session) -> Result<Baseline> {
  Baseline baseline;
  const std::string& path = session.options.baseline;
  if (path.empty()) return baseline;
  const FileId file = session.inputs->files.add(path);
  PREVICT_TRY(baseline.text, read_written_file(path, file));
  PREVICT_TRY(baseline.entries, lint::read_baseline(baseline.text, path, file));
  return baseline;
}

/// The baseline may be the same file that was read.
auto write_baseline(const Options& options, const Baseline& before, const std::string& text) -> Result<void> {
  const std::string& path = options.write_baseline;
  if (!same_file(path, options.baseline)) return write_file(path, text);
  PREVICT_TRY(const std::string why, change_file(path, before.text, text));
  if (!why.empty()) return fail(fmt::format("{} was not changed: {}", path, why));
  return {};
}

/// What the files were as --fix would read them before writing.
auto with_mark(const lint::FixedFile& file, std::string_view text) -> std::string {
  return std::string(file.marked ? kByteOrderMark : "") + std::string(text);
}

/// Why --fix does not change a file; empty: it changes it. Standard input and pipes cannot be fixed, but --dry-run
/// shows what would change if they were files.
auto why_not_changed(const Session& session, const lint::FixedFile& file) -> std::string {
  if (!file.path.empty()) return why_unchangeable(file.path, with_mark(file, file.before));
  std::error_code error;
  const bool special = file.name == "<stdin>" || (is_special(file.name) && !fs::is_directory(file.name, error));
  if (session.options.dry_run && special) return {};
  // The name of an archive member is no file name.
  return fs::exists(file.name, error) ? "it is not a plain UTF-8 text file" : "it is in an archive";
}

void warn_not_fixed(Session& session, const lint::FixedFile& file) {
  if (file.left.empty()) return;
  session.inputs->diagnostics.warn(
      "not-fixed",
      fmt::format("{}: {}: {}", file.name, file.fixes > 0 ? "not everything fixed" : "not changed", file.left));
}

/// The files that --fix changes, each once, and those that it leaves unchanged, with `left` and without fixes.
auto fixed_files(Session& session, const lint::Settings& settings, const std::vector<lint::BaselineEntry>& baseline)
    -> Result<std::vector<lint::FixedFile>> {
  lint::TextsByName once;           // for pipes and standard input, which cannot be read again
  lint::Settings every = settings;  // a fix that breaks another rule is none
  every.only.clear();
  every.skip.clear();
  const auto find = [&](const lint::TextsByName& instead, lint::Tree& tree) -> Result<Findings> {
    lint::TextsByName texts = instead;
    texts.insert(once.begin(), once.end());
    PREVICT_TRY(tree.now, moment_of(session));
    PREVICT_CHECK(read_all(session, settings, tree, &texts));
    for (const lint::SourceText& source : tree.texts()) {
      if (source.path.empty() && !instead.contains(source.name)) once.emplace(source.name, source.text);
    }
    return lint::lint(tree, every, baseline);
  };
  PREVICT_TRY(std::vector<lint::FixedFile> files, lint::fixed_files(find, settings));
  for (lint::FixedFile& file : files) {
    if (file.fixes == 0) continue;
    std::string why = why_not_changed(session, file);
    if (why.empty()) continue;
    file.left = std::move(why);
    file.fixes = 0;
  }
  return files;
}

/// Compares each file with what was read right before replacing it; files that cannot be changed are left unchanged.
auto fix_all(Session& session, const lint::Settings& settings, const std::vector<lint::BaselineEntry>& baseline)
    -> Result<void> {
  const Diagnostics before = session.inputs->diagnostics;
  PREVICT_TRY(std::vector<lint::FixedFile> files, fixed_files(session, settings, baseline));
  PREVICT_CHECK(session.targets.check());
  Diagnostics& diagnostics = session.inputs->diagnostics = before;  // warnings from reading are printed once, later
  std::size_t named = 0;
  std::size_t unnamed = 0;
  for (lint::FixedFile& file : files) {
    if (file.fixes > 0) {
      PREVICT_TRY(std::string why, change_file(file.path, with_mark(file, file.before), with_mark(file, file.after)));
      if (!why.empty()) {
        file.left = std::move(why);
        file.fixes = 0;
      } else if (!session.options.verbose && ++named > Diagnostics::kLimit) {
        ++unnamed;
      } else {
        diagnostics.warn("fixed", fmt::format("{}: {} fixed", file.name, counted(file.fixes, "finding", "findings")));
      }
    }
    warn_not_fixed(session, file);
  }
  if (unnamed > 0) {
    diagnostics.warn("fixed",
                     fmt::format("{} fixed, which -v names", counted(unnamed, "more file was", "more files were")));
  }
  if (files.empty()) diagnostics.warn("nothing-fixed", "no finding can be fixed automatically");
  return {};
}

auto check_lint_flags(const Options& options) -> Result<void> {
  PREVICT_CHECK(check_names_file(options.write_baseline, "--write-baseline "));
  if (options.render && options.fix)
    return fail("--fix cannot change what --render renders", {}, "fix the files first, then lint with --render");
  if (options.scopes && options.fix) return fail("--fix has no effect with --scopes, which only prints");
  if (options.dry_run && !options.fix) return fail("--dry-run only works with --fix", {}, "--fix --dry-run");
  if (!options.fix || options.dry_run) return {};
  for (const std::string& path : paths_of(options)) {
    std::error_code none;
    if (path != "-" && (!is_special(path) || fs::is_directory(path, none))) continue;
    return fail(fmt::format("--fix changes files, and cannot change {}",
                            path == "-" ? "standard input" : path + ", which is not a regular file"),
                {}, "--fix --dry-run shows what would change");
  }
  return {};
}

auto run_lint(Session& session) -> Result<CommandResult> {
  const Options& options = session.options;
  PREVICT_TRY(const lint::Settings settings, settings_of(session));
  PREVICT_TRY(const std::optional<Severity> threshold, threshold_of(settings));
  PREVICT_TRY(const Baseline read_baseline, baseline_of(session));
  const std::vector<lint::BaselineEntry>& baseline = read_baseline.entries;
  PREVICT_CHECK(check_lint_flags(options));
  if (options.fix && options.dry_run) {
    PREVICT_TRY(const std::vector<lint::FixedFile> files, fixed_files(session, settings, baseline));
    for (const lint::FixedFile& file : files) warn_not_fixed(session, file);
    return CommandResult{lint::diff_report(files)};
  }
  if (options.fix) PREVICT_CHECK(fix_all(session, settings, baseline));
  lint::Tree tree;
  PREVICT_TRY(tree.now, moment_of(session));
  PREVICT_CHECK(read_all(session, settings, tree));
  if (options.scopes) return CommandResult{lint::scopes_report(tree)};
  Findings findings = lint::lint(tree, settings, baseline);
  if (!options.write_baseline.empty()) {
    PREVICT_CHECK(session.targets.check());
    PREVICT_CHECK(write_baseline(options, read_baseline, lint::baseline_text(findings)));
    return CommandResult{lint::lint_report(std::move(findings), tree, settings, false)};
  }
  const bool fails = std::any_of(findings.items.begin(), findings.items.end(), [&](const Finding& finding) {
    return threshold && !finding.suppression && finding.severity >= *threshold;
  });
  const bool details = options.context || system::is_terminal(kStandardOutput);
  return CommandResult{lint::lint_report(std::move(findings), tree, settings, details), fails ? kFindings : kAnswered};
}

}  // namespace

const Command& lint_command = Command{
    .name = "lint",
    .task = Task::guard,
    .what = "find policies that do not do what they say",
    .arguments = "[PATH...]",
    .most_arguments = SIZE_MAX,
    .groups = kLintTakes,
    .examples =
        "lint policies/                                   files and folders, recursively\n"
        "lint - < policies/classes.yaml                   standard input, for example from helm template\n"
        "lint . -o text -o sarif=previct.sarif            for people, and for code scanning\n"
        "lint . --fix --dry-run                           show the fixes; without --dry-run, apply them\n"
        "lint . --write-baseline .previct-baseline.json   accept all findings; --baseline FILE then shows new ones",
    .more =
        "Reads PriorityClasses, PodDisruptionBudgets, workloads, scheduler configurations and queues of KAI and "
        "YuniKorn, including those inside ConfigMaps, lists and dumps. Exit status 1: there is an error that is not "
        "ignored (--fail-on).\n"
        "To ignore a rule for an object, use the annotation previct/ignore: \"PT011: reason\". For a line, write the "
        "comment # previct:ignore PT011 reason on it or above it. Anywhere else, use an entry of ignore in "
        ".previct.yaml (rule, object, file, reason, expires).\n"
        "previct searches for .previct.yaml from the working directory up to the root of the repository, or up to "
        "your home directory; the answer names the file. Its keys are fail-on, only, skip, severity, ignore, scopes, "
        "known-schedulers and thresholds.\n"
        "previct compares objects only within a scope, that is, with objects that you apply together: a "
        "kustomization, a chart, a Flux or Argo CD application, or a folder. Files that define the same object are "
        "variants of each other. With -f instead of PATH, all files belong to one cluster. --scopes prints the "
        "scopes; to set them, use scopes in .previct.yaml ({name, paths}).",
    .run = run_lint,
    .judges = [](const Options& options) { return !options.scopes && !options.dry_run; },
    .read_only = true};

}  // namespace previct::cli
