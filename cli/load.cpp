#include "cli/load.h"

#include "analysis/inspection.h"
#include "analysis/subject.h"
#include "api/quantity.h"
#include "api/scheduler_words.h"
#include "base/descriptor.h"
#include "base/text.h"
#include "cli/file.h"
#include "cli/kept_inputs.h"
#include "cli/kinds_as_none.h"
#include "cli/live.h"
#include "cli/progress.h"
#include "cli/question.h"
#include "cli/terminal.h"
#include "cli/workloads.h"
#include "input/bytes.h"
#include "input/digest.h"
#include "report/format.h"
#include "system/terminal.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <thread>
#include <utility>

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
  const FileId file = session.inputs->files.add(path);
  const bool shown = shows_inputs(session.options);
  FileDigest arrived;
  PREVICT_TRY(std::string text, read_written_file(path, file, shown ? &arrived : nullptr));
  if (shown) session.arrivals.insert_or_assign(file, std::move(arrived));
  return ConfigFile{file, std::move(text)};
}

auto named_configurations(Session& session) -> Result<Configurations> {
  Configurations named;
  for (const auto& [member, path] : configurations_named_by(session.options)) {
    PREVICT_TRY(named.*member, config_file(session, path));
  }
  return named;
}

// The scheduler of a pod that is in no manifest, according to the configurations that are known before the pod exists.
auto scheduler_of_new_pod(const Options& options, Loaded& loaded) -> Result<std::string> {
  Question question;
  question.replace_by(loaded.in_force());
  if (!question.scheduler_config) return std::string(upstream::kDefaultScheduler);
  static_cast<SchedulerOptions&>(question) = options;
  return scheduler_for_new_pods(Snapshot(loaded.objects), question);
}

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

auto changes_objects(const Options& options) -> bool {
  const Result<Overlay> overlay = overlay_of(options);
  return !overlay || !overlay->empty() || options.complete || names_kinds(options.assume);
}

// A class without a pod to create applies to the pending pod, if there is exactly one.
void default_to_only_pending_pod(Overlay& overlay, const Options& options, const Objects& objects) {
  const bool class_alone = !overlay.priority_class.empty() && overlay.with.empty() && overlay.requests.empty();
  if (!class_alone || !options.arguments.empty()) return;
  const auto only = only_pending(objects, namespace_of(options));
  if (!only) return;
  overlay.ns = only->first;
  overlay.pod = only->second;
}

}  // namespace

auto option_of(const ConfigurationKind& kind) -> std::string Options::* {
  const auto flag = std::find_if(flags().begin(), flags().end(), [&](const Flag& f) { return f.name == kind.flag; });
  return std::get<std::string Options::*>(flag->field);
}

auto configurations_named_by(const Options& options) -> std::vector<NamedConfiguration> {
  std::vector<NamedConfiguration> named;
  for (const ConfigurationKind& kind : configuration_kinds()) {
    const std::string& path = options.*option_of(kind);
    const bool is_none = kind.member == &Configurations::assumptions && names_kinds(path);
    named.push_back({kind.member, is_none ? "" : path});
  }
  return named;
}

auto threads_of(const Options& options) -> unsigned {
  return options.threads != 0 ? options.threads : std::max(1U, std::thread::hardware_concurrency());
}

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

auto read_files(Session& session, const std::vector<std::string>& names, LoadOptions reading, Loaded& loaded)
    -> Result<void> {
  if (std::count(names.begin(), names.end(), "-") > 0 && system::is_terminal(kStandardInput)) {
    write_message(fmt::format("previct: reading standard input; {} ends it\n", system::keys_that_end_input()));
  }
  const auto environment = [](const char* name) -> const char* { return std::getenv(name); };
  Result<Configurations> done;
  {
    // The progress line must be erased before messages are printed.
    ProgressLine progress(terminal_of(kStandardError, "never", environment).width);
    reading.progress = &progress;
    done = load(names, reading, loaded.objects);
  }
  std::uint64_t bytes = 0;
  for (const InputRecord& input : loaded.objects.inputs) bytes += input.unpacked;
  const std::string why = why_not_fast(loaded.objects.read);
  session.phases.end(fmt::format("read {}, {:.1f} MB, {}{}", counted(loaded.objects.inputs.size(), "input", "inputs"),
                                 static_cast<double>(bytes) / 1e6, paths_of(loaded.objects.read),
                                 why.empty() ? "" : fmt::format(" ({})", why)));
  PREVICT_TRY(loaded.configurations, std::move(done));
  drop_other_condition_messages(loaded.objects);
  return {};
}

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
  if (options.node_count && options.node_template.empty()) return fail("--count needs --node-template");
  Overlay overlay{.with = options.with,
                  .without = options.without,
                  .node_template = options.node_template,
                  .node_count = options.node_count.value_or(1),
                  .ns = options.ns.empty() ? "default" : options.ns,
                  .pod = {},
                  .priority_class = options.priority_class,
                  .requests = options.requests};
  if (options.arguments.empty()) return overlay;
  PREVICT_TRY(const Subject subject, read_subject(options.arguments.front(), overlay.ns));
  const bool changes_pod = options.with.empty() && !(options.priority_class.empty() && options.requests.empty());
  if (changes_pod && (subject.kind != "pod" || names_workload(options.arguments.front()))) {
    return fail(fmt::format("{} changes a pod, and {} is not a pod",
                            options.requests.empty() ? "--priority-class" : "--request", options.arguments.front()),
                {}, "name the pod, or pass a changed manifest with --with");
  }
  if (subject.kind != "pod") return overlay;
  overlay.ns = subject.ns;
  overlay.pod = subject.name;
  return overlay;
}

auto moment_given(const Session& session, const Loaded& loaded) -> std::optional<Instant> {
  const std::string& text = session.options.now;
  if (text == "clock" || (text.empty() && loaded.reading)) return session.clock;
  return parse_instant(text);
}

auto load_inputs(Session& session, LoadRequest request, StateOf of) -> Result<std::reference_wrapper<Loaded>> {
  const Options& options = session.options;
  PREVICT_CHECK(check_one_namespace(options));
  PREVICT_TRY(LoadOptions reading, load_options_of(session));
  const bool is_kept = of == StateOf::inputs && !options.filenames.empty() && session.kept != nullptr;
  request.keeps_objects = request.keeps_objects && !changes_objects(options);
  std::shared_ptr<Loaded> state;
  if (is_kept) {
    PREVICT_TRY(state, session.kept->read(session, reading, request));
  } else {
    state = std::make_shared<Loaded>(request, session.inputs);
  }
  Loaded& loaded = *session.loaded.emplace_back(std::move(state));
  if (of == StateOf::cluster) {
    PREVICT_CHECK(read_whole_cluster(options, loaded));
  } else if (of == StateOf::inputs && options.filenames.empty()) {
    for (const std::string& word : options.arguments) PREVICT_CHECK(check_no_file(word));
    PREVICT_CHECK(read_live(session, loaded));
  } else if (of == StateOf::inputs && !is_kept) {
    PREVICT_CHECK(read_files(session, options.filenames, reading, loaded));
  }
  if (of != StateOf::flags_only) {
    PREVICT_TRY(loaded.taken_as_none, assume_absent_kinds(options, loaded.objects));
  }
  PREVICT_TRY(loaded.named, named_configurations(session));
  return loaded;
}

auto load_state(Session& session, LoadRequest request) -> Result<std::reference_wrapper<Loaded>> {
  const Options& options = session.options;
  PREVICT_TRY(Loaded & loaded, load_inputs(session, request));
  PREVICT_TRY(Overlay overlay, overlay_of(options));
  if (overlay.empty()) return loaded;
  overlay.over_time = request.over_time;
  overlay.now = moment_given(session, loaded);
  PREVICT_TRY(const LoadOptions reading, load_options_of(session));
  std::vector<Gap> refused;
  if (options.filenames.empty()) {
    PREVICT_TRY(overlay.around, surroundings_live(options, loaded.objects, refused));
  }
  default_to_only_pending_pod(overlay, options, loaded.objects);
  if (overlay.makes_pod()) {
    PREVICT_TRY(overlay.scheduler, scheduler_of_new_pod(options, loaded));
  }
  PREVICT_TRY(loaded.overlaid, apply_overlay(overlay, reading, loaded.objects));
  loaded.overlaid.unknown.insert(loaded.overlaid.unknown.end(), refused.begin(), refused.end());
  return loaded;
}

}  // namespace previct::cli
