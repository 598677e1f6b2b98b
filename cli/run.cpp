#include "cli/run.h"

#include "base/descriptor.h"
#include "base/files_read.h"
#include "base/text.h"
#include "cli/app.h"
#include "cli/capture.h"
#include "cli/command.h"
#include "cli/completion.h"
#include "cli/excerpt.h"
#include "cli/file.h"
#include "cli/flag_echo.h"
#include "cli/help.h"
#include "cli/interrupt.h"
#include "cli/live.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "input/bytes.h"
#include "lint/settings.h"
#include "live/follow.h"
#include "report/text_layout.h"
#include "system/files.h"
#include "system/signals.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <deque>
#include <exception>
#include <new>
#include <thread>

namespace previct::cli {
namespace {

auto environment(const char* name) -> const char* {
  return std::getenv(name);
}

auto painted(std::string_view word, std::string_view ansi, bool color) -> std::string {
  return color ? fmt::format("\x1b[{}m{}\x1b[0m", ansi, word) : std::string(word);
}

auto located(const Files& files, const Place& place) -> std::string {
  return place.file ? escaped(files.describe(place)) + ": " : std::string();
}

// The style of stderr.
struct StderrStyle {
  bool color = false;
  bool utf8 = true;
  bool excerpts = false;  // the lines that errors refer to
  std::string program = "previct";
};

// Adapts commands in a text to the way in which the user called previct: `previct inspect` becomes `kubectl previct
// inspect` for the plugin.
auto as_called(std::string text, std::string_view program) -> std::string {
  constexpr std::string_view kName = "previct ";
  for (std::size_t at = text.find(kName), next = 0; at != std::string::npos; at = text.find(kName, next)) {
    next = at + kName.size();
    const std::string_view rest = std::string_view(text).substr(next);
    const std::string_view word = rest.substr(0, rest.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"));
    const bool names_command =
        word == "-h" || std::any_of(commands().begin(), commands().end(),
                                    [&](const Command* command) { return command->name == word; });
    if (!names_command) continue;
    text.replace(at, kName.size() - 1, program);
    next = at + program.size();
  }
  return text;
}

void say_failure(const Failure& failure, const Files& files, StderrStyle voice) {
  const bool color = voice.color;
  std::string text = fmt::format("previct: {}: {}{}\n", painted("error", "31", color), located(files, failure.place),
                                 as_called(escaped(failure.message), voice.program));
  const Excerpt excerpt = voice.excerpts ? excerpt_at(failure.place, files) : Excerpt{};
  if (!excerpt.empty()) {
    Report shown;
    shown.blocks.emplace_back(excerpt);
    text += text_of(shown, {.color = color, .utf8 = voice.utf8, .excerpts = true}, false);
  }
  if (!failure.help.empty()) text += fmt::format("help: {}\n", as_called(escaped(failure.help), voice.program));
  write_message(text);
}

void say_warnings(const Diagnostics& diagnostics, const Files& files, bool color) {
  for (const Warning& warning : diagnostics.sorted()) {
    write_message(fmt::format("previct: {}: {}{} [{}]\n", painted("warning", "33", color),
                              located(files, warning.place), escaped(warning.message), escaped(warning.id)));
  }
}

auto style_of(const Options& options) -> Style {
  const Terminal terminal = terminal_of(kStandardOutput, options.color, environment);
  return {.width = options.width.value_or(static_cast<std::uint32_t>(terminal.width)),
          .color = terminal.color,
          .utf8 = terminal.utf8 && !options.ascii,
          .heads = !options.no_headers,
          .pictures = terminal.width > 0 && terminal.utf8 && !options.ascii,
          .brief = options.brief || (terminal.is_terminal && !options.verbose && options.show != "all"),
          .excerpts = terminal.is_terminal || options.context};
}

auto is_help(std::string_view word) -> bool {
  return word == "-h" || word == "--help";
}

auto interval_of(const Options& options) -> Result<std::chrono::nanoseconds> {
  const auto length = parse_go_duration(options.interval);
  if (length && *length > 0) return std::chrono::nanoseconds(*length);
  return fail(fmt::format("--interval \"{}\" is not a duration; expected one such as 15s", options.interval));
}

// If a command writes its file to standard output, its report is written to standard error.
auto make_way_for_target(const Options& options, std::vector<Output>& outputs) -> Result<void> {
  if (options.target != "-" && standard_stream(options.target) != kStandardOutput) return {};
  for (Output& output : outputs) {
    if (!output.file.empty()) continue;
    if (!options.outputs.empty()) {
      return fail(fmt::format("--to {} and -o {} both write to standard output", options.target, output.format->name),
                  {}, fmt::format("write one of them to a file: -o {}=FILE", output.format->name));
    }
    output.file = "/dev/stderr";
  }
  return {};
}

auto name_targets(Session& session, const std::vector<Output>& outputs) -> Result<void> {
  const Options& options = session.options;
  for (const Output& output : outputs)
    PREVICT_CHECK(session.targets.add(output.file, fmt::format("-o {}=", output.format->name)));
  PREVICT_CHECK(session.targets.add(options.target, "--to "));
  PREVICT_CHECK(session.targets.add(options.map, "--map "));
  // The baseline that is read may be updated.
  if (!options.write_baseline.empty() && same_file(options.write_baseline, options.baseline)) return {};
  return session.targets.add(options.write_baseline, "--write-baseline ");
}

// `previct explain -f dump.yaml ml/a`, and the inputs with their digests.
auto origin_of(const Session& session, const std::vector<std::string>& words) -> std::vector<Line> {
  std::string command = session.program;
  for (const std::string& word : without_secrets(words)) command += " " + cli::quoted(word);
  std::vector<Line> lines = {{{{"made by "}, {command, Tone::code}}}};
  for (const auto& [file, digest] : session.arrivals)
    lines.push_back({{{fmt::format("from {}, SHA-256 {}", session.inputs->files.name(file), digest.sha256)}}});
  return lines;
}

// Records which parts of a report the formats show. A session for other readers asks for parts itself.
void note_what_is_shown(const std::vector<Output>& outputs, Session& session) {
  const auto any = [&](bool Format::*shows) {
    return std::any_of(outputs.begin(), outputs.end(), [&](const Output& output) { return output.format->*shows; });
  };
  session.documents = any(&Format::documents);
  session.blocks = any(&Format::blocks);
  session.brief = session.brief || session.blocks;
  session.may_pack = session.may_pack && take_packed_lists(outputs) && !session.options.watch;
}

// Reads the cluster settings of .previct.yaml, for commands that simulate a scheduler.
auto read_settings_of_cluster(Session& session, std::span<const Group> groups) -> Result<void> {
  if (std::find(groups.begin(), groups.end(), Group::scheduler) == groups.end()) return {};
  PREVICT_TRY(const std::string path, nearest_settings(session.inputs->diagnostics));
  if (path.empty() || !is_below_any(path, session.roots)) return {};
  const FileId file = session.inputs->files.add(path);
  PREVICT_TRY(const std::string text, read_written_file(path, file));
  PREVICT_CHECK(lint::read_settings(text, path, file));  // also refuses a misspelled `cluster`
  PREVICT_TRY(session.settings, read_cluster_settings(text, path, file));
  for (const std::string& name : files_of(session.settings)) {
    if (!is_below_any(name, session.roots))
      return fail(fmt::format("{} names a file outside the folders of --root: {}", path, name));
  }
  return {};
}

// Adds the settings to a failure that they may have caused.
void name_settings(const Session& session, Failure& failure) {
  if (session.options.from_settings.empty()) return;
  failure.help += fmt::format("{}settings of {} in force: {}", failure.help.empty() ? "" : "; ", session.settings.file,
                              session.settings.words(session.options.from_settings));
}

}  // namespace

auto answer(Session& session, const std::vector<std::string>& words, std::vector<Output>& outputs)
    -> Result<CommandResult> {
  PREVICT_TRY(outputs, outputs_of({}));
  if (words.empty() || is_help(words.front())) return CommandResult{overview(session.program)};
  const std::string first = words.front() == "--version" ? "version" : words.front();
  if (const auto meant = first.starts_with("--") ? nearest(first.substr(2), {"version", "help"}) : std::nullopt) {
    return fail(fmt::format("unknown flag {}; did you mean --{}?", first, *meant));
  }
  if (first.starts_with("-")) {
    return fail(fmt::format("expected a command before {}", first), {}, "previct -h lists the commands");
  }
  PREVICT_TRY(const Command* command, find_command(first));
  PREVICT_CHECK(read_settings_of_cluster(session, command->groups));
  PREVICT_TRY(session.options, parse(command->name, command->groups, command->most_arguments,
                                     {words.begin() + 1, words.end()}, environment, &session.settings));
  const auto& groups = command->groups;
  if (std::find(groups.begin(), groups.end(), Group::capture) != groups.end())
    take_target_from_outputs(session.options);
  PREVICT_TRY(outputs, outputs_of(session.options.outputs));
  PREVICT_CHECK(make_way_for_target(session.options, outputs));
  PREVICT_CHECK(name_targets(session, outputs));
  note_what_is_shown(outputs, session);
  if (session.options.short_help || session.options.long_help) {
    return CommandResult{help_on(*command, session.program, session.options.long_help)};
  }
  if (session.options.list_outputs) return CommandResult{formats_report()};
  PREVICT_CHECK(check_formats(outputs, command->judges != nullptr && command->judges(session.options)));
  if (session.options.watch) PREVICT_CHECK(interval_of(session.options));
  if (!session.options.watch && is_given(session.options, "interval"))
    return fail("--interval only works with --watch");
  PREVICT_TRY(const std::string page, page_for(outputs, session.options));
  session.phases.wanted(session.options.verbose || session.options.stats);
  if (command->takes_inputs) take_files(session.options);
  Result<CommandResult> done = command->run(session);
  const bool origin = std::any_of(outputs.begin(), outputs.end(), [](const Output& o) { return o.format->origin; });
  if (done && origin) done->report.origin = origin_of(session, words);
  if (done) PREVICT_CHECK(add_app(page, session, outputs));
  if (session.inputs->files.size() > 0) session.phases.end("answered");
  return done;
}

namespace {

/// Evaluates repeatedly, until a signal ends it. An unreachable cluster is reported once.
class Watching {
 public:
  Watching(Session& session, const std::vector<Output>& outputs, const CommandResult& last, Instant (*clock)(),
           StderrStyle voice)
      : session_(session),
        outputs_(outputs),
        decision_(last.decision),
        next_change_(last.next_change),
        clock_(clock),
        voice_(voice) {}

  void run() {
    const auto interval = interval_of(session_.options);
    const auto kubectl = kubectl_of(session_.options);
    const auto base_needs = in_any_case_of(session_.options, {});
    if (!interval || !kubectl || !base_needs || !session_.followed) return;
    Loaded& followed = *session_.followed;
    live::Follower follower(*kubectl, session_.options.page_size, session_.options.engine, *base_needs,
                            followed.objects, *followed.reading);
    while (follower.may_watch()) {
      const auto news = follower.wait(std::chrono::ceil<std::chrono::milliseconds>(until_next_change()));
      if (!follower.may_watch()) break;
      if (!news) {
        complain(news.error());
        std::this_thread::sleep_for(*interval);
        continue;
      }
      if (!news->trouble.empty()) complain({.message = news->trouble, .place = {}, .help = {}});
      const bool due = !next_change_.is_never() && clock_() >= next_change_;
      if ((news->changed || due) && !ask()) return;
    }
    session_.inputs->diagnostics = {};
    session_.inputs->diagnostics.warn(
        "not-permitted", fmt::format("{}: the cluster is read again every {} instead", follower.refused(),
                                     session_.options.interval.empty() ? "15s" : session_.options.interval));
    if (!session_.options.quiet) say_warnings(session_.inputs->diagnostics, session_.inputs->files, voice_.color);
    while (true) {
      session_.followed.reset();
      std::this_thread::sleep_for(std::min<std::chrono::nanoseconds>(*interval, until_next_change()));
      session_.inputs = std::make_shared<InputTables>();
      if (!ask()) return;
    }
  }

 private:
  [[nodiscard]] auto until_next_change() const -> std::chrono::nanoseconds {
    constexpr std::chrono::hours kLong{1};
    const Instant now = clock_();
    if (next_change_.is_never() || next_change_ <= now) return kLong;
    return std::min<std::chrono::nanoseconds>(kLong, std::chrono::seconds(seconds_between(now, next_change_) + 1));
  }

  // Returns false if the answer cannot be written.
  auto ask() -> bool {
    session_.clock = clock_();
    session_.loaded.clear();
    session_.inputs->diagnostics = {};
    const auto command = find_command(session_.options.command);
    if (!command) return false;
    const Result<CommandResult> done = (*command)->run(session_);
    const bool written = !done || tell(*done);
    if (!done) complain(done.error());
    return written;
  }

  auto tell(const CommandResult& done) -> bool {
    trouble_.clear();
    next_change_ = done.next_change;
    if (done.decision == decision_) return true;
    decision_ = done.decision;
    if (!session_.options.quiet) say_warnings(session_.inputs->diagnostics, session_.inputs->files, voice_.color);
    say_again();
    const auto written = write(done.report, done.items.get(), outputs_, style_of(session_.options));
    if (!written) say_failure(written.error(), session_.inputs->files, voice_);
    return written.has_value();
  }

  // Prints a line between two answers, in formats for people.
  void say_again() const {
    const bool text = std::any_of(outputs_.begin(), outputs_.end(), [](const Output& output) {
      return output.file.empty() && output.format->name == "text";
    });
    if (!text) return;
    const std::string line = fmt::format("\n--- {} UTC: the answer has changed\n\n", format_clock(clock_(), Instant{}));
    if (!write_all(kStandardOutput, line)) return;  // the following answer fails for the same reason
  }

  void complain(const Failure& failure) {
    if (failure.message != trouble_) say_failure(failure, session_.inputs->files, voice_);
    trouble_ = failure.message;
    decision_.clear();  // the answer after an error is always printed
  }

  Session& session_;
  const std::vector<Output>& outputs_;
  std::string decision_;
  Instant next_change_;
  Instant (*clock_)();
  StderrStyle voice_;
  std::string trouble_;
};

auto program_name(std::string_view file) -> std::string {
  return file == "kubectl-previct" ? "kubectl previct" : "previct";
}

constexpr std::chrono::milliseconds kReading{300};
constexpr std::chrono::milliseconds kAsking{2'500};  // kubectl has to start, and the cluster to respond

// Completion runs at every TAB, so slow results are left out.
void give_up_after(std::chrono::milliseconds time) {
  system::give_up_after(time, [] {
    constexpr std::string_view kNothing = ":4\n";
    std::_Exit(system::write_some(kStandardOutput, kNothing) < 0 ? kNotAnswered : kAnswered);
  });
}

auto completed(const std::vector<std::string>& words) -> int {
  give_up_after(kReading);
  const std::string text = protocol_text(complete(words, [] { give_up_after(kAsking); }));
  system::do_not_give_up();
  return write_all(kStandardOutput, text) ? kAnswered : kNotAnswered;
}

// The process is about to end: releasing the memory of each object would take a tenth of the time of reading it.
void leave_as_it_is(std::deque<std::shared_ptr<Loaded>> loaded) {
  // Reachable, so that leak checkers do not report it.
  // NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
  static auto* const kLeft = new std::deque<std::deque<std::shared_ptr<Loaded>>>;
  kLeft->push_back(std::move(loaded));
}

auto answered(const std::vector<std::string>& words, Instant (*clock)(), KeptInputs* kept) -> int {
  const std::string path = words.empty() ? "" : words.front();
  const std::string file = path.substr(path.rfind('/') + 1);
  const std::vector<std::string> rest(words.begin() + (words.empty() ? 0 : 1), words.end());
  if (file == "kubectl_complete-previct") return completed(rest);
  if (!rest.empty() && rest.front() == "__complete") return completed({rest.begin() + 1, rest.end()});
  Session session;
  session.program = program_name(file);
  session.clock = clock();
  session.read_clock = clock;
  session.kept = kept;
  session.may_pack = true;
  std::vector<Output> outputs;
  Result<CommandResult> done = answer(session, rest, outputs);
  Result<void> written;
  const Terminal terminal = terminal_of(kStandardError, session.options.color, environment);
  const StderrStyle voice{.color = terminal.color,
                          .utf8 = terminal.utf8 && !session.options.ascii,
                          .excerpts = terminal.is_terminal || session.options.context || session.options.verbose,
                          .program = session.program};
  if (!session.options.quiet) say_warnings(session.inputs->diagnostics, session.inputs->files, voice.color);
  if (done && !done->wrote_itself) written = write(done->report, done->items.get(), outputs, style_of(session.options));
  if (!done) name_settings(session, done.error());
  if (!done || !written) {
    say_failure(done ? written.error() : done.error(), session.inputs->files, voice);
    return kNotAnswered;
  }
  if (session.options.watch) Watching(session, outputs, *done, clock, voice).run();
  if (kept != nullptr) return done->status;
  answer_is_out(done->status);  // before more memory is needed
  leave_as_it_is(std::move(session.loaded));
  return done->status;
}

}  // namespace

auto find_command(std::string_view name) -> Result<const Command*> {
  std::vector<std::string> names;
  for (const Command* command : commands()) {
    if (command->name == name) return command;
    names.emplace_back(command->name);
  }
  const auto meant = nearest(name, names);
  return fail(meant ? fmt::format("unknown command \"{}\"; did you mean {}?", name, *meant)
                    : fmt::format("unknown command \"{}\"; expected one of {}", name, joined(names, ", ")));
}

auto run(const std::vector<std::string>& words, Instant (*clock)(), KeptInputs* kept) -> int {
  try {
    forget_files_read();
    return answered(words, clock, kept);
  } catch (const std::bad_alloc&) {
    write_message("previct: error: out of memory\n");
    return kNotAnswered;
  } catch (const std::exception& error) {
    write_message(fmt::format("previct: internal error ({}), please report it\n", escaped(error.what())));
    return kBug;
  }
}

}  // namespace previct::cli
