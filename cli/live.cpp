#include "cli/live.h"

#include "analysis/subject.h"
#include "base/clamped.h"
#include "base/files_read.h"
#include "base/text.h"
#include "cli/file.h"
#include "cli/load.h"
#include "system/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <set>

namespace previct::cli {
namespace {

// kubectl's own flags among `flags()` are passed to it as given. One word each, so that no value can be parsed as a
// flag.
auto connection_of(const Options& options) -> std::vector<std::string> {
  std::vector<std::string> words;
  for (const Flag& flag : flags()) {
    if (flag.group != Group::connection) continue;
    const auto add = [&](const std::string& value) {
      if (!value.empty()) words.push_back(fmt::format("--{}={}", flag.name, value));
    };
    if (const auto* text = std::get_if<std::string Options::*>(&flag.field)) add(options.*(*text));
    if (const auto* on = std::get_if<bool Options::*>(&flag.field); on != nullptr && options.*(*on)) add("true");
    if (const auto* list = std::get_if<std::vector<std::string> Options::*>(&flag.field)) {
      std::for_each((options.*(*list)).begin(), (options.*(*list)).end(), add);
    }
  }
  return words;
}

// The subject may contain its namespace.
auto namespace_asked(const Options& options) -> std::string {
  if (!options.ns.empty() || options.arguments.size() != 1 || names_workload(options.arguments.front()))
    return options.ns;
  const auto subject = read_subject(options.arguments.front(), "");
  return subject ? subject->ns : "";
}

// Uses the namespace of kubectl's context for names and lists without a namespace, as kubectl does.
void take_namespace_of_context(Session& session) {
  Options& options = session.options;
  if (!options.ns.empty() || options.all_namespaces || !namespace_asked(options).empty()) return;
  const Result<live::Kubectl> kubectl = kubectl_of(options);
  const auto ns = kubectl ? live::namespace_of_context(*kubectl) : std::nullopt;
  if (!ns) return;
  options.ns = *ns;
  session.ns_of_context = true;
}

void warn_of_gaps(const live::Reading& reading, Diagnostics& diagnostics) {
  std::set<std::string> said;  // a kind may be requested several times, with different selectors
  for (const auto* refusals : {&reading.refused, &reading.refused_cluster_wide}) {
    for (const live::Refused& refused : *refusals) {
      if (refused.forbidden && said.insert(refused.words).second) diagnostics.warn("not-permitted", refused.words);
    }
  }
  if (reading.output_held) {
    diagnostics.warn("kubectl-output-held",
                     "kubectl has ended, but a program that it started keeps its output open; previct "
                     "uses the output so far and does not wait for that program");
  }
  for (const std::string& name : reading.restarted) {
    diagnostics.warn("list-restarted",
                     fmt::format("{}: the list expired during reading, so it was read again in one piece", name));
  }
}

// Records the configuration files of kubectl: --kubeconfig, else $KUBECONFIG, else the file in the home folder. An
// empty variable counts as none. Source: client-go tools/clientcmd/loader.go NewDefaultClientConfigLoadingRules.
void note_kubeconfig(const Options& options) {
  const char* const variable = std::getenv("KUBECONFIG");
  const std::string_view listed = variable == nullptr ? "" : variable;
  const std::string home = system::home_folder();
  if (!options.kubeconfig.empty()) return note_read(options.kubeconfig);
  if (listed.empty() && !home.empty()) return note_read(home + "/.kube/config");
  for (std::string_view rest = listed; !rest.empty();) {
    const std::size_t end = std::min(rest.find(system::list_separator()), rest.size());
    note_read(std::string(rest.substr(0, end)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

// There may be several calls at a time, and several per run.
void say_once_that_kubectl_is_silent(std::chrono::milliseconds limit) {
  static std::atomic_flag kSaid;
  if (kSaid.test_and_set()) return;
  write_message(
      fmt::format("previct: waiting for kubectl; it is stopped after {} s without output (--request-timeout)\n",
                  std::chrono::ceil<std::chrono::seconds>(limit).count()));
}

void follow(Session& session, const Loaded& loaded) {
  Loaded& followed = session.followed.emplace(loaded.request, session.inputs);
  static_cast<Stores&>(followed.objects) = loaded.objects;
  followed.reading = loaded.reading;
}

}  // namespace

auto kubectl_of(const Options& options) -> Result<live::Kubectl> {
  if (options.offline) {
    return fail("no input: pass a dump with -f", {}, "without --offline, previct reads the cluster through kubectl");
  }
  const char* path = std::getenv("PATH");
  const auto program = system::find_program(options.kubectl, path == nullptr ? "" : path);
  if (!program) {
    return fail(fmt::format("no input: no -f, and {}", program.error().message), {},
                "pass a dump with -f, or kubectl with --kubectl PATH");
  }
  note_kubeconfig(options);
  live::Kubectl kubectl{
      .program = *program, .connection = connection_of(options), .patience = {}, .ns = namespace_asked(options)};
  PREVICT_TRY(const std::uint64_t most, size_from(options.max_input, "--max-input"));
  if (most > 0) kubectl.patience.most_bytes = clamped(most);
  // Several lists arrive at the same time; their unread bytes together have the limit of one list.
  PREVICT_TRY(const std::uint64_t memory, size_from(options.max_memory, "--max-memory"));
  const std::uint64_t together = kubectl.patience.most_bytes;
  kubectl.patience.shared =
      std::make_shared<system::SharedBytes>(clamped(memory == 0 ? together : std::min(together, memory / 2)));
  if (!options.quiet) kubectl.patience.waiting = say_once_that_kubectl_is_silent;
  if (options.request_timeout.empty()) return kubectl;
  // kubectl reads a bare number as seconds.
  constexpr std::int64_t kNanosPerMilli = 1'000'000;
  const bool bare = options.request_timeout.find_first_not_of("0123456789") == std::string::npos;
  const auto limit = parse_go_duration(options.request_timeout + (bare ? "s" : ""));
  if (!limit || *limit < 0) {
    return fail(
        fmt::format("--request-timeout \"{}\" is not a duration; expected one such as 30s", options.request_timeout));
  }
  // kubectl's own limit applies first; 0 means no limit.
  constexpr std::chrono::seconds kGrace{5};
  if (*limit > 0) kubectl.patience.silence = std::chrono::milliseconds(*limit / kNanosPerMilli) + kGrace;
  return kubectl;
}

auto in_any_case_of(const Options& options, const LoadRequest& request) -> Result<live::BaseNeeds> {
  PREVICT_TRY(const Overlay overlay, overlay_of(options));
  live::BaseNeeds needs{.volumes = !overlay.empty(), .history = request.history};
  // A question about a group or a workload may be asked before its pods exist.
  for (const Engine* engine : engines()) {
    const std::string kind = std::string(engine->asked_kind()) + "/";
    if (kind.size() > 1 && !options.arguments.empty() && options.arguments.front().starts_with(kind))
      needs.engine = engine->name();
  }
  return needs;
}

auto read_live(Session& session, Loaded& loaded) -> Result<void> {
  const Options& options = session.options;
  if (session.followed) {
    static_cast<Stores&>(loaded.objects) = session.followed->objects;
    loaded.reading = session.followed->reading;
    drop_other_condition_messages(loaded.objects);
    return {};
  }
  take_namespace_of_context(session);
  PREVICT_TRY(const live::Kubectl kubectl, kubectl_of(options));
  PREVICT_TRY(const live::BaseNeeds base_needs, in_any_case_of(options, loaded.request));
  PREVICT_TRY(loaded.reading,
              live::load_cluster(kubectl, options.page_size, options.engine, base_needs, loaded.objects));
  drop_other_condition_messages(loaded.objects);
  if (options.watch) follow(session, loaded);
  warn_of_gaps(*loaded.reading, loaded.objects.diagnostics);
  return {};
}

auto surroundings_live(const Options& options, Objects& objects, std::vector<Gap>& gaps) -> Result<Surroundings> {
  PREVICT_TRY(const live::Kubectl kubectl, kubectl_of(options));
  Surroundings around;
  PREVICT_TRY(const std::vector<live::Refused> refused,
              live::load_overlay_context(kubectl, options.page_size, objects));
  around.all_runtime_classes = true;
  for (const live::Refused& each : refused) {
    if (!each.forbidden) continue;
    if (each.resource->kind == &kinds::runtime_classes) around.all_runtime_classes = false;
    if (!each.own_listed) objects.diagnostics.warn("not-permitted", each.words);
    if (each.resource->without.empty()) continue;
    auto& unknown = each.own_listed ? around.elsewhere : gaps;
    unknown.push_back({GapRule::surroundings_refused,
                       {std::string(each.resource->kind->store_name), std::string(each.resource->without)}});
  }
  around.ns = kubectl.ns;
  return around;
}

auto controller_objects_live(const Options& options, Objects& objects) -> Result<sequence::ControllerObjects> {
  if (!sequence::has_controlled_pods(objects)) return sequence::ControllerObjects{};
  PREVICT_TRY(const live::Kubectl kubectl, kubectl_of(options));
  PREVICT_TRY(const std::vector<live::Refused> refused, live::load_controllers(kubectl, options.page_size, objects));
  sequence::ControllerObjects controller_objects = sequence::controller_objects_of(objects);
  // The assumptions of the simulation contain what is assumed instead.
  controller_objects.all_limit_ranges = true;
  const bool own_alone = std::all_of(objects.pods.begin(), objects.pods.end(),
                                     [&](const Pod& pod) { return objects.symbols.text(pod.meta.ns) == kubectl.ns; });
  for (const live::Refused& each : refused) {
    if (each.own_listed && own_alone) continue;
    if (each.resource->kind == &kinds::limit_ranges) controller_objects.all_limit_ranges = false;
    if (each.forbidden) objects.diagnostics.warn("not-permitted", each.words);
  }
  return controller_objects;
}

auto events_live(const Options& options, const Subject& pod, Objects& objects) -> Result<void> {
  PREVICT_TRY(const live::Kubectl kubectl, kubectl_of(options));
  return live::load_events_of(kubectl, pod.ns, pod.name, objects);
}

auto read_whole_cluster(const Options& options, Loaded& loaded) -> Result<void> {
  PREVICT_TRY(const live::Kubectl kubectl, kubectl_of(options));
  PREVICT_TRY(loaded.reading, live::load_whole_cluster(kubectl, options.page_size, loaded.objects));
  drop_other_condition_messages(loaded.objects);
  warn_of_gaps(*loaded.reading, loaded.objects.diagnostics);
  return {};
}

auto kinds_of_one_namespace(const live::Reading& reading) -> std::vector<std::string> {
  std::set<std::string> kinds;
  for (const live::Resource* resource : reading.of_one_namespace) kinds.insert(std::string(resource->kind->plural));
  return {kinds.begin(), kinds.end()};
}

auto gaps_of(const live::Reading& reading) -> std::vector<Gap> {
  std::vector<Gap> gaps;
  for (const live::Refused& refused : reading.refused) {
    // A cluster without the kind has no objects of it, so the input is complete.
    if (!refused.forbidden || refused.resource->without.empty()) continue;
    gaps.push_back(
        {GapRule::missing, {std::string(refused.resource->kind->store_name), std::string(refused.resource->without)}});
  }
  if (!reading.of_one_namespace.empty()) {
    const bool pods = std::any_of(reading.of_one_namespace.begin(), reading.of_one_namespace.end(),
                                  [](const live::Resource* resource) { return resource->kind == &kinds::pods; });
    gaps.push_back({pods ? GapRule::pods_of_other_namespaces : GapRule::other_namespaces,
                    {joined(kinds_of_one_namespace(reading), ", "), reading.ns}});
  }
  if (!reading.overtaken.empty()) gaps.push_back({GapRule::lists_overtaken, {reading.overtaken}});
  return gaps;
}

}  // namespace previct::cli
