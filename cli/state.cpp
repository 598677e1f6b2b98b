#include "cli/state.h"

#include "analysis/inspection.h"
#include "analysis/subject.h"
#include "api/load.h"
#include "api/quantity.h"
#include "api/scheduler_words.h"
#include "base/duration.h"
#include "base/shard.h"
#include "base/text.h"
#include "capture/capture.h"
#include "cli/file.h"
#include "cli/kinds_as_none.h"
#include "cli/live.h"
#include "cli/progress.h"
#include "cli/terminal.h"
#include "cli/workloads.h"
#include "cluster/label_query.h"
#include "cluster/where_read.h"
#include "input/bytes.h"
#include "input/digest.h"
#include "report/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <thread>
#include <utility>

#include <unistd.h>

namespace previct::cli {
namespace {

// Only some formats show the complete origin of an answer; computing it takes longer than some answers.
auto shows_inputs(const Options& options) -> bool {
  return std::any_of(options.outputs.begin(), options.outputs.end(), [](const std::string& output) {
    const Format* const format = find_format(output.substr(0, output.find('=')));
    return format != nullptr && (format->documents || format->origin);
  });
}

auto config_file(Session& session, const std::string& path) -> Result<std::optional<ConfigFile>> {
  if (path.empty()) return std::nullopt;
  const FileId file = session.objects.files.add(path);
  const bool shown = shows_inputs(session.options);
  FileDigest arrived;
  PREVICT_TRY(std::string text, read_text_file(path, file, 0, shown ? &arrived : nullptr));
  if (shown) session.arrivals.insert_or_assign(file, std::move(arrived));
  return ConfigFile{file, std::move(text)};
}

// Read once, because standard input can only be read once.
auto named_configurations(Session& session) -> Result<Configurations> {
  if (session.named) return *std::exchange(session.named, std::nullopt);
  const Options& options = session.options;
  Configurations named;
  PREVICT_TRY(named.scheduler_config, config_file(session, options.scheduler_config));
  PREVICT_TRY(named.yunikorn_config, config_file(session, options.yunikorn_config));
  PREVICT_TRY(named.kueue_config, config_file(session, options.kueue_config));
  PREVICT_TRY(named.assumptions, config_file(session, names_kinds(options.assume) ? "" : options.assume));
  return named;
}

// The scheduler of a pod that is in no manifest, according to the configurations that are known before the pod exists.
auto scheduler_of_new_pod(Session& session) -> Result<std::string> {
  PREVICT_TRY(session.named, named_configurations(session));
  Question question;
  for (const Configurations* later : {&session.configurations, &*session.named}) question.replace_by(*later);
  if (!question.scheduler_config) return std::string(upstream::kDefaultScheduler);
  question.k8s_version = session.options.k8s_version;
  question.feature_gates = session.options.feature_gates;
  return scheduler_for_new_pods(Snapshot(session.objects), question);
}

auto moment_of(const Session& session, Asked& asked) -> Result<void> {
  const std::string& text = session.options.now;
  if (text == "clock" || (text.empty() && session.reading)) {
    asked.question.now = session.clock;
    asked.now_source = "clock";
    return {};
  }
  if (text == "dump" || text.empty()) {
    if (session.objects.newest == Instant{}) {
      if (session.objects.pods.empty() && !session.pods_optional) {
        return fail("the input has no pod", {}, instead_of_pods(session.objects));
      }
      asked.question.now = kAnyMoment;
      asked.now_source = "none";
      return {};
    }
    asked.question.now = session.objects.newest;
    asked.now_source = "newest-in-input";
    return {};
  }
  const auto at = parse_instant(text);
  if (!at)
    return fail(fmt::format(
        "--now \"{}\" is not a time; expected RFC 3339, such as 2026-05-01T12:00:00Z, dump or clock", text));
  asked.question.now = *at;
  asked.now_source = "flag";
  return {};
}

auto switch_of(const std::string& text) -> Switch {
  return text == "on" ? Switch::on : text == "off" ? Switch::off : Switch::automatic;
}

constexpr std::size_t kFieldsToLocate = 200;

// The pods with the requested labels; fails if there is none.
auto selected(std::vector<Subject> pods, const std::string& selector, const Snapshot& cluster)
    -> Result<std::vector<Subject>> {
  PREVICT_TRY(const LabelQuery query, LabelQuery::parse(selector));
  const std::size_t all = pods.size();
  std::erase_if(pods, [&](const Subject& subject) {
    const SymbolMap labels = subject.pod ? cluster.pod(subject.pod).meta.labels : SymbolMap();
    return !query.matches(labels, cluster.symbols());
  });
  if (pods.empty() && all > 0) {
    return fail(
        fmt::format("no pending pod has the labels -l {} ({})", selector, counted(all, "pending pod", "pending pods")));
  }
  return pods;
}

}  // namespace

void drop_other_condition_messages(Objects& objects) {
  const Symbols& symbols = objects.symbols;
  const Symbol scheduled = symbols.find("PodScheduled");
  const Symbol disrupted = symbols.find("DisruptionTarget");
  const auto is_kept = [&](const Pod& pod, const Condition& c) {
    if (disrupted && c.type == disrupted) return is_disruption_message(symbols.text(c.message));
    return !pod.spec.node_name && c.type == scheduled && is_schedulers_message(symbols.text(c.message));
  };
  for (Pod& pod : objects.pods) {
    const auto& conditions = std::as_const(pod.status.conditions);
    const bool all = std::all_of(conditions.begin(), conditions.end(),
                                 [&](const Condition& c) { return !c.message || is_kept(pod, c); });
    if (all) continue;
    for (Condition& condition : pod.status.conditions) {
      if (!is_kept(pod, condition)) condition.message = {};
    }
  }
}

auto read_files(Session& session, const std::vector<std::string>& names, LoadOptions reading) -> Result<void> {
  if (std::count(names.begin(), names.end(), "-") > 0 && isatty(STDIN_FILENO) == 1) {
    std::fputs("previct: reading standard input; Ctrl-D ends it\n", stderr);
  }
  const auto environment = [](const char* name) -> const char* { return std::getenv(name); };
  Result<Configurations> done;
  {
    // The progress line must be erased before messages are printed.
    ProgressLine progress(terminal_of(STDERR_FILENO, "never", environment).width);
    reading.progress = &progress;
    done = load(names, reading, session.objects);
  }
  std::uint64_t bytes = 0;
  for (const InputRecord& input : session.objects.inputs) bytes += input.unpacked;
  const std::string why = why_not_fast(session.objects.read);
  session.phases.end(fmt::format("read {}, {:.1f} MB, {}{}", counted(session.objects.inputs.size(), "input", "inputs"),
                                 static_cast<double>(bytes) / 1e6, paths_of(session.objects.read),
                                 why.empty() ? "" : fmt::format(" ({})", why)));
  PREVICT_TRY(session.configurations, std::move(done));
  drop_other_condition_messages(session.objects);
  return {};
}

namespace {

auto threads_of(const Options& options) -> unsigned {
  return options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
}

// Only these formats show places; locating them requires reading parts of the input again.
auto shows_places(const Options& options) -> bool {
  return std::any_of(options.outputs.begin(), options.outputs.end(), [](const std::string& output) {
    return !output.starts_with("text") && !output.starts_with("name");
  });
}

// Only pages can fold rows.
auto shows_folds(const Options& options) -> bool {
  return std::any_of(options.outputs.begin(), options.outputs.end(),
                     [](const std::string& output) { return output.starts_with("html"); });
}

}  // namespace

auto load_options_of(Session& session) -> Result<LoadOptions> {
  const Options& options = session.options;
  LoadOptions load_options{.recursive = options.recursive,
                           .keep_going = options.keep_going,
                           .threads = threads_of(options),
                           .arrivals = shows_inputs(options) ? &session.arrivals : nullptr};
  PREVICT_TRY(load_options.max_input, size_from(options.max_input, "--max-input"));
  PREVICT_TRY(load_options.max_memory, size_from(options.max_memory, "--max-memory"));
  return load_options;
}

auto size_from(std::string_view text, std::string_view flag) -> Result<std::uint64_t> {
  if (text.empty()) return 0;
  const auto size = Quantity::parse(text);
  if (!size || size->value() <= 0) {
    return fail(fmt::format("{} \"{}\" is not a size; expected one such as 512Mi or 8Gi", flag, text));
  }
  return static_cast<std::uint64_t>(size->value());
}

auto overlay_of(const Options& options) -> Result<Overlay> {
  Overlay overlay{.with = options.with,
                  .without = options.without,
                  .ns = options.ns.empty() ? "default" : options.ns,
                  .pod = {},
                  .priority_class = options.priority_class,
                  .requests = options.requests};
  if (options.arguments.empty()) return overlay;
  PREVICT_TRY(const Subject subject, read_subject(options.arguments.front(), overlay.ns));
  if (subject.kind != "pod") return overlay;
  overlay.ns = subject.ns;
  overlay.pod = subject.name;
  return overlay;
}

namespace {

// Namespace and name of the only pending pod, if there is exactly one.
auto only_pending(const Objects& objects, const std::string& ns) -> std::optional<std::pair<std::string, std::string>> {
  const Symbols& symbols = objects.symbols;
  std::optional<std::pair<std::string, std::string>> found;
  for (const Pod& pod : objects.pods) {
    const std::string_view phase = symbols.text(pod.status.phase);
    const bool waits = !pod.spec.node_name && phase != "Succeeded" && phase != "Failed";
    if (!waits || (!ns.empty() && symbols.text(pod.meta.ns) != ns)) continue;
    if (found) return {};
    found.emplace(symbols.text(pod.meta.ns), symbols.text(pod.meta.name));
  }
  return found;
}

}  // namespace

namespace {

// If two namespaces are given, one is wrong, and it is unknown which.
auto check_one_namespace(const Options& options) -> Result<void> {
  if (options.ns.empty()) return {};
  for (const std::string& word : options.arguments) {
    const auto subject = read_subject(word, options.ns);
    if (!subject || subject->ns == options.ns || word.find('/') == std::string::npos) continue;
    if (names_workload(word)) continue;
    return fail(fmt::format("-n {} and POD {} name different namespaces", options.ns, word));
  }
  return {};
}

// A class without a pod to create applies to the pending pod, if there is exactly one.
void default_to_only_pending_pod(Overlay& overlay, const Session& session) {
  const bool class_alone = !overlay.priority_class.empty() && overlay.with.empty() && overlay.requests.empty();
  if (!class_alone || !session.options.arguments.empty()) return;
  const auto only = only_pending(session.objects, namespace_of(session.options));
  if (!only) return;
  overlay.ns = only->first;
  overlay.pod = only->second;
}

}  // namespace

auto load_state(Session& session) -> Result<void> {
  const Options& options = session.options;
  PREVICT_CHECK(check_one_namespace(options));
  PREVICT_TRY(LoadOptions load_options, load_options_of(session));
  if (options.filenames.empty()) {
    for (const std::string& word : options.arguments) PREVICT_CHECK(check_no_file(word));
    PREVICT_CHECK(read_live(session));
  } else {
    PREVICT_CHECK(read_files(session, options.filenames, load_options));
  }
  PREVICT_CHECK(assume_absent_kinds(session));
  PREVICT_TRY(Overlay overlay, overlay_of(options));
  if (overlay.empty()) return {};
  overlay.inputs = options.filenames;
  if (options.filenames.empty()) {
    PREVICT_TRY(overlay.around, surroundings_live(session));
  }
  default_to_only_pending_pod(overlay, session);
  if (overlay.makes_pod()) {
    PREVICT_TRY(overlay.scheduler, scheduler_of_new_pod(session));
  }
  PREVICT_TRY(OverlayResult overlaid, apply_overlay(overlay, load_options, session.objects));
  std::swap(session.overlaid, overlaid);
  session.overlaid.unknown.insert(session.overlaid.unknown.end(), overlaid.unknown.begin(), overlaid.unknown.end());
  return {};
}

auto asked_by(Session& session, const Snapshot& cluster) -> Result<Asked> {
  const Options& options = session.options;
  Asked asked;
  PREVICT_CHECK(check_engine_name(engines(), options.engine));
  PREVICT_CHECK(moment_of(session, asked));
  Question& question = asked.question;
  PREVICT_TRY(Configurations named, named_configurations(session));
  for (const Configurations* later : {&session.configurations, &named, &session.overlaid.configurations}) {
    question.replace_by(*later);
  }
  question.toleration_plugin = switch_of(options.toleration_plugin);
  question.engine_chosen = options.engine != "auto";
  question.k8s_version = options.k8s_version;
  question.kai_version = options.kai_version;
  question.yunikorn_version = options.yunikorn_version;
  question.feature_gates = options.feature_gates;
  question.yunikorn_mode = options.yunikorn_mode;
  question.kueue_version = options.kueue_version;
  question.cycles = std::max(1U, options.cycles);
  // I/N is a part of the work; no name of a SchedulingShard has a slash.
  if (!is_part_of_work(options.shard)) question.shard = options.shard;
  question.only_nodes = options.nodes;
  question.against = options.against;
  const auto flush = parse_go_duration(options.flush);
  if (!flush || *flush < 0) {
    return fail(
        fmt::format("--unschedulable-flush \"{}\" is not a duration; expected one such as 5m or 90s", options.flush));
  }
  question.flush_seconds = *flush / go::kNanosPerSecond;
  question.show_all = options.show == "all";
  question.keeps_full = shows_folds(options);
  question.show_chosen_only = options.show == "chosen";
  question.threads = threads_of(options);
  question.documents = false;  // only explain shows all findings of an engine
  // Once per run: problems of the configuration or the policies are reported here, not with every answer.
  for (const Engine* engine : engines()) PREVICT_CHECK(engine->check_configuration(cluster, question));
  return asked;
}

auto subjects_of(Session& session, const Snapshot& cluster, const Question& question) -> Result<std::vector<Subject>> {
  const Options& options = session.options;
  if (options.arguments.empty() && !session.overlaid.pods.empty()) {
    std::vector<Subject> subjects;
    for (const std::string& pod : session.overlaid.pods) {
      PREVICT_TRY(Subject subject, find_subject(cluster, pod, ""));
      subjects.push_back(std::move(subject));
    }
    return subjects;
  }
  if (options.arguments.empty()) {
    PREVICT_CHECK(check_namespace(options, cluster));
    PREVICT_TRY(std::vector<Subject> pending,
                pending_of(engines(), options.engine, cluster, question, namespace_of(options)));
    return selected(std::move(pending), options.selector, cluster);
  }
  if (!options.selector.empty()) return fail("-l cannot be combined with POD");
  const std::string& named = options.arguments.front();
  const std::string ns = options.ns.empty() ? "default" : options.ns;
  if (auto stand_in = stand_in_of_workload(engines(), options.engine, cluster, named, ns))
    return std::vector{*stand_in};
  PREVICT_TRY(auto of_workload, pending_of_workload(cluster, named, ns));
  if (of_workload) return *std::move(of_workload);
  PREVICT_TRY(const Subject asked, read_subject(named, ns));
  // If a pod is gone, its events describe it; without permission to list events, the result is that there is no such
  // pod.
  const bool gone = session.reading && asked.kind == "pod" && !cluster.find_pod(asked.ns, asked.name);
  if (gone) static_cast<void>(events_live(session, asked));
  PREVICT_TRY(Subject subject, find_subject(cluster, named, ns));
  return std::vector{std::move(subject)};
}

auto namespace_of(const Options& options) -> std::string {
  return options.all_namespaces ? "" : options.ns;
}

auto where_of(const Session& session) -> std::string {
  const std::string ns = namespace_of(session.options);
  if (!ns.empty()) {
    return fmt::format("in namespace {}{}", ns,
                       session.ns_of_context ? " (from kubectl's context; -A selects all namespaces)" : "");
  }
  return session.options.filenames.empty() ? "in the cluster" : "in the input";
}

void note_namespace(const Session& session, ReportContext& context) {
  if (!session.ns_of_context || !session.options.arguments.empty()) return;
  context.input_gaps.push_back({GapRule::only_namespace_listed, {namespace_of(session.options)}});
}

auto namespace_given(const Session& session) -> std::string {
  return session.ns_of_context ? std::string() : namespace_of(session.options);
}

auto check_namespace(const Options& options, const Snapshot& cluster) -> Result<void> {
  const std::string ns = namespace_of(options);
  if (ns.empty()) return {};
  const Objects& objects = cluster.objects();
  std::set<Symbol> symbols;
  for (const Namespace& each : objects.namespaces) symbols.insert(each.meta.name);
  objects.each_store([&](std::string_view, const auto& store) {
    for (const auto& object : store) symbols.insert(object.meta.ns);
  });
  std::vector<std::string> known;
  known.reserve(symbols.size());
  for (const Symbol symbol : symbols) known.emplace_back(cluster.text(symbol));
  if (std::find(known.begin(), known.end(), ns) != known.end()) return {};
  std::sort(known.begin(), known.end());
  const auto meant = nearest(ns, known);
  return fail(fmt::format("no object of namespace {} {}{}", ns, where_read(objects),
                          meant ? fmt::format("; did you mean {}?", *meant) : ""));
}

auto moment_from(std::string_view text, Instant now, std::string_view flag) -> Result<Instant> {
  if (const auto at = parse_instant(text)) return *at;
  if (const auto length = parse_go_duration(text.substr(text.substr(0, 1) == "+" ? 1 : 0)); length && *length >= 0) {
    return now.plus_nanos(*length);
  }
  return fail(
      fmt::format("{} \"{}\" is not a time; expected a duration from now, such as 20m or 24h, or RFC 3339, such as "
                  "2026-01-02T03:04:05Z",
                  flag, text));
}

auto check_files_read(const Options& options, const Engine& engine) -> Result<void> {
  if (!options.scheduler_config.empty() && !by_default(options, "scheduler-config") &&
      !engine.reads_scheduler_config()) {
    return fail(fmt::format("--scheduler-config {}: the file configures kube-scheduler, but this pod uses {}",
                            options.scheduler_config, engine.name()),
                {}, "to follow kube-scheduler, use --engine kube");
  }
  if (options.assume.empty() || names_kinds(options.assume) || by_default(options, "assume") ||
      engine.reads_assumptions())
    return {};
  return fail(
      fmt::format("--assume {}: the file applies to YuniKorn, but this pod uses {}", options.assume, engine.name()), {},
      "to follow YuniKorn, use --engine yunikorn");
}

auto context_of(const Session& session, const Snapshot& cluster, const Asked& asked) -> ReportContext {
  ReportContext context{
      .cluster = cluster,
      .now = asked.question.now,
      .now_source = asked.now_source,
      .input_gaps = {},
      .fields_to_locate = shows_places(session.options) || !session.options.nodes.empty() ? kFieldsToLocate : 0,
      .show_all = asked.question.show_all,
      .keeps_full = asked.question.keeps_full,
      .possible = session.options.possible,
      .documents = session.documents,
      .arrivals = session.arrivals};
  if (session.reading) context.input_gaps = gaps_of(*session.reading);
  const auto matters =
      live::needed_for(session.objects, session.options.engine, {.volumes = false, .history = session.history});
  for (const Capture& captured : session.objects.captures) {
    const std::vector<Gap> gaps = gaps_of(capture::reading_of(captured, matters));
    context.input_gaps.insert(context.input_gaps.end(), gaps.begin(), gaps.end());
  }
  if (!session.options.from_settings.empty())
    context.input_gaps.push_back(
        {GapRule::settings_of_cluster, {session.settings.file, session.settings.words(session.options.from_settings)}});
  if (session.objects.inputs_skipped) context.input_gaps.push_back({GapRule::inputs_skipped});
  context.input_gaps.insert(context.input_gaps.end(), session.taken_as_none.begin(), session.taken_as_none.end());
  const auto say_left_out = [&](const LeftOut& which, GapRule one, GapRule many) {
    if (which.count == 0) return;
    context.input_gaps.push_back(
        {which.count == 1 ? one : many, {session.objects.files.describe(which.first), std::to_string(which.count)}});
  };
  say_left_out(session.objects.broken_files, GapRule::broken_file, GapRule::broken_files);
  say_left_out(session.objects.broken_pods, GapRule::broken_pods_file, GapRule::broken_pods_files);
  say_left_out(session.objects.lost_objects, GapRule::lost_object, GapRule::lost_objects);
  say_left_out(session.objects.unplaced_pods, GapRule::unplaced_pod, GapRule::unplaced_pods);
  say_left_out(session.objects.filled_policies, GapRule::filled_policy, GapRule::filled_policies);
  say_left_out(session.objects.filled_priorities, GapRule::filled_priority, GapRule::filled_priorities);
  say_left_out(session.objects.default_priorities, GapRule::default_priority, GapRule::default_priorities);
  say_left_out(session.objects.zero_priorities, GapRule::zero_priority, GapRule::zero_priorities);
  const auto say_found = [&](const std::optional<ConfigFile>& found, const std::optional<ConfigFile>& in_force,
                             GapRule rule) {
    if (!found || !in_force || found->file != in_force->file) return;
    context.input_gaps.push_back({rule, {std::string(session.objects.files.name(found->file))}});
  };
  say_found(session.configurations.scheduler_config, asked.question.scheduler_config, GapRule::scheduler_config_found);
  say_found(session.configurations.yunikorn_config, asked.question.yunikorn_config, GapRule::queues_found);
  add_gaps(session.overlaid.unknown, context.input_gaps);
  if (!session.overlaid.remarks.empty())
    context.input_gaps.push_back({GapRule::overlaid, {joined(session.overlaid.remarks, "; ")}});
  return context;
}

}  // namespace previct::cli
