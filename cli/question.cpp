#include "cli/question.h"

#include "api/scheduler_words.h"
#include "base/duration.h"
#include "base/shard.h"
#include "base/text.h"
#include "capture/capture.h"
#include "cli/kinds_as_none.h"
#include "cli/live.h"
#include "cli/load.h"
#include "cli/workloads.h"
#include "cluster/label_query.h"
#include "cluster/where_read.h"
#include "report/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace previct::cli {
namespace {

auto moment_of(const Session& session, const Loaded& loaded, Asked& asked) -> Result<void> {
  const std::string& text = session.options.now;
  const std::optional<Instant> given = moment_given(session, loaded);
  if (given) {
    asked.question.now = *given;
    asked.now_source = parse_instant(text) ? "flag" : "clock";
    return {};
  }
  if (text == "dump" || text.empty()) {
    if (loaded.objects.newest == Instant{}) {
      if (loaded.objects.pods.empty() && !loaded.request.pods_optional) {
        return fail("the input has no pod", {}, instead_of_pods(loaded.objects));
      }
      asked.question.now = kAnyMoment;
      asked.now_source = "none";
      return {};
    }
    asked.question.now = loaded.objects.newest;
    asked.now_source = "newest-in-input";
    return {};
  }
  return fail(
      fmt::format("--now \"{}\" is not a time; expected RFC 3339, such as 2026-05-01T12:00:00Z, dump or clock", text));
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

// Only these formats show places; locating them requires reading parts of the input again.
auto shows_places(const Options& options) -> bool {
  return std::any_of(options.outputs.begin(), options.outputs.end(), [](const std::string& output) {
    return !output.starts_with("text") && !output.starts_with("name");
  });
}

auto locates_fields(const Session& session) -> bool {
  return session.places && (shows_places(session.options) || !session.options.nodes.empty());
}

auto gaps_of_captures(const Session& session, const Loaded& loaded) -> std::vector<Gap> {
  if (loaded.objects.captures.empty()) return {};
  const auto matters =
      live::needed_for(loaded.objects, session.options.engine, {.volumes = false, .history = loaded.request.history});
  std::vector<Gap> gaps;
  for (const Capture& captured : loaded.objects.captures) {
    const std::vector<Gap> more = gaps_of(capture::reading_of(captured, matters));
    gaps.insert(gaps.end(), more.begin(), more.end());
  }
  return gaps;
}

// Only pages can fold rows.
auto shows_folds(const Options& options) -> bool {
  return std::any_of(options.outputs.begin(), options.outputs.end(),
                     [](const std::string& output) { return output.starts_with("html"); });
}

}  // namespace

auto asked_by(const Session& session, const Loaded& loaded, const Snapshot& cluster) -> Result<Asked> {
  const Options& options = session.options;
  Asked asked;
  PREVICT_CHECK(check_engine_name(engines(), options.engine));
  PREVICT_CHECK(moment_of(session, loaded, asked));
  Question& question = asked.question;
  question.replace_by(loaded.in_force());
  static_cast<SchedulerOptions&>(question) = options;
  question.cycles = std::max(1U, options.cycles);
  // I/N is a part of the work; no name of a SchedulingShard has a slash.
  if (is_part_of_work(options.shard)) question.shard.clear();
  question.only_nodes = options.nodes;
  question.against = options.against;
  if (!options.flush.empty()) {
    const auto flush = parse_go_duration(options.flush);
    if (!flush || *flush < 0) {
      return fail(
          fmt::format("--unschedulable-flush \"{}\" is not a duration; expected one such as 5m or 90s", options.flush));
    }
    question.flush_seconds = *flush / go::kNanosPerSecond;
  }
  question.show_all = options.show == "all";
  question.keeps_full = shows_folds(options);
  question.show_chosen_only = options.show == "chosen";
  question.threads = threads_of(options);
  question.documents = false;  // only explain shows all findings of an engine
  // Once per run: problems of the configuration or the policies are reported here, not with every answer.
  for (const Engine* engine : engines()) PREVICT_CHECK(engine->check_configuration(cluster, question));
  return asked;
}

auto subjects_of(const Session& session, Loaded& loaded, const Snapshot& cluster, const Question& question)
    -> Result<std::vector<Subject>> {
  const Options& options = session.options;
  if (options.arguments.empty() && !loaded.overlaid.pods.empty()) {
    std::vector<Subject> subjects;
    for (const std::string& pod : loaded.overlaid.pods) {
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
  const bool gone = loaded.reading && asked.kind == "pod" && !cluster.find_pod(asked.ns, asked.name);
  if (gone) static_cast<void>(events_live(options, asked, loaded.objects));
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

auto context_of(const Session& session, const Loaded& loaded, const Snapshot& cluster, const Asked& asked)
    -> ReportContext {
  ReportContext context{.cluster = cluster,
                        .now = asked.question.now,
                        .now_source = asked.now_source,
                        .input_gaps = {},
                        .fields_to_locate = locates_fields(session) ? kFieldsToLocate : 0,
                        .show_all = asked.question.show_all,
                        .keeps_full = asked.question.keeps_full,
                        .possible = session.options.possible,
                        .documents = session.documents,
                        .blocks = session.blocks,
                        .brief = session.brief,
                        .extent = session.extent,
                        .arrivals = session.arrivals};
  if (loaded.reading) context.input_gaps = gaps_of(*loaded.reading);
  const std::vector<Gap> of_captures = gaps_of_captures(session, loaded);
  context.input_gaps.insert(context.input_gaps.end(), of_captures.begin(), of_captures.end());
  if (!session.options.from_settings.empty())
    context.input_gaps.push_back(
        {GapRule::settings_of_cluster, {session.settings.file, session.settings.words(session.options.from_settings)}});
  if (loaded.objects.inputs_skipped) context.input_gaps.push_back({GapRule::inputs_skipped});
  context.input_gaps.insert(context.input_gaps.end(), loaded.taken_as_none.begin(), loaded.taken_as_none.end());
  const auto say_left_out = [&](const LeftOut& which, GapRule one, GapRule many) {
    if (which.count == 0) return;
    context.input_gaps.push_back(
        {which.count == 1 ? one : many, {loaded.objects.files.describe(which.first), std::to_string(which.count)}});
  };
  say_left_out(loaded.objects.broken_files, GapRule::broken_file, GapRule::broken_files);
  say_left_out(loaded.objects.broken_pods, GapRule::broken_pods_file, GapRule::broken_pods_files);
  say_left_out(loaded.objects.lost_objects, GapRule::lost_object, GapRule::lost_objects);
  say_left_out(loaded.objects.unplaced_pods, GapRule::unplaced_pod, GapRule::unplaced_pods);
  say_left_out(loaded.objects.filled_policies, GapRule::filled_policy, GapRule::filled_policies);
  say_left_out(loaded.objects.filled_priorities, GapRule::filled_priority, GapRule::filled_priorities);
  say_left_out(loaded.objects.default_priorities, GapRule::default_priority, GapRule::default_priorities);
  say_left_out(loaded.objects.zero_priorities, GapRule::zero_priority, GapRule::zero_priorities);
  const auto say_found = [&](const std::optional<ConfigFile>& found, const std::optional<ConfigFile>& in_force,
                             GapRule rule) {
    if (!found || !in_force || found->file != in_force->file) return;
    context.input_gaps.push_back({rule, {std::string(loaded.objects.files.name(found->file))}});
  };
  say_found(loaded.configurations.scheduler_config, asked.question.scheduler_config, GapRule::scheduler_config_found);
  say_found(loaded.configurations.yunikorn_config, asked.question.yunikorn_config, GapRule::queues_found);
  add_gaps(loaded.overlaid.unknown, context.input_gaps);
  if (!loaded.overlaid.remarks.empty())
    context.input_gaps.push_back({GapRule::overlaid, {joined(loaded.overlaid.remarks, "; ")}});
  return context;
}

}  // namespace previct::cli
