#include "analysis/protection_report.h"
#include "analysis/queue_protection_report.h"
#include "analysis/subject.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/fail_on.h"
#include "cli/load.h"
#include "cli/question.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace previct::cli {
namespace {

constexpr std::array kTolerationsTakes = {Group::state,   Group::reading,    Group::live,       Group::connection,
                                          Group::overlay, Group::question,   Group::protection, Group::scheduler,
                                          Group::output,  Group::strictness, Group::help};

// Pods that the engine does not schedule: the list does not contain them, and is correct without them.
auto left_out(const Snapshot& cluster, const Engine& engine, const std::string& ns) -> std::vector<Gap> {
  std::map<std::string_view, std::size_t> counts;
  for (const PodId pod : cluster.pods().ids()) {
    if (!cluster.node_of(pod) || cluster.finished(pod) || (!ns.empty() && cluster.text(cluster.pod(pod).meta.ns) != ns))
      continue;
    const Engine* const decides = engine_of(engines(), cluster, pod);
    if (decides != nullptr && decides != &engine && !engine.evicts_pod_of_others(cluster, pod))
      ++counts[decides->name()];
  }
  std::vector<Gap> gaps;
  for (const auto& [name, count] : counts) {
    gaps.push_back({GapRule::pods_not_listed, {std::to_string(count), std::string(name)}});
  }
  return gaps;
}

// The engine to ask what could preempt the pod: with `auto`, first one that evicts pods of others, because its queues
// decide how long the pod runs.
auto evictor_of(const std::string& name, const Snapshot& cluster, const Subject& subject) -> Result<const Engine*> {
  if (name == "auto") {
    for (const Engine* engine : engines()) {
      if (engine->evicts_pod_of_others(cluster, subject.pod)) return engine;
    }
  }
  return choose_engine(engines(), name, cluster, subject);
}

// `--between all` means every leaf queue.
auto queues_between(const Options& options) -> Result<std::vector<std::string>> {
  std::vector<std::string> names = options.between;
  if (names == std::vector<std::string>{"all"}) names.clear();
  if (names.empty() || names.size() == 2) return names;
  return fail("--between: expected all, or two leaf queues: VICTIM,PREEMPTOR");
}

// The protection of all future pods by the settings of queues. Nullopt: the scheduler has no such settings.
auto between_queues(const Session& session, const Snapshot& cluster, const Engine& engine, const Asked& asked,
                    const ReportContext& context, const FailOn& fail_on) -> Result<std::optional<CommandResult>> {
  PREVICT_TRY(const std::vector<std::string> between, queues_between(session.options));
  PREVICT_TRY(const auto found, queue_protections(engine, cluster, asked.question, between));
  if (!found) return std::optional<CommandResult>();
  return std::optional(
      CommandResult{queue_protection_report(*found, context),
                    status_of(fail_on, session.options.strict, Provenance(context, *found), {}, context)});
}

auto run_tolerations(Session& session) -> Result<CommandResult> {
  const Options& options = session.options;
  PREVICT_TRY(const FailOn fail_on, fail_on_of(options, ResultKind::others));
  for (const auto& [given, flag] :
       {std::pair(!options.against.empty(), "--against"), std::pair(!options.by.empty(), "--by"),
        std::pair(options.ended, "--ended"), std::pair(!options.between.empty(), "--between")}) {
    if (given && !options.arguments.empty()) {
      return fail(fmt::format("{} applies only to the list of all pods, and cannot be combined with POD", flag));
    }
  }
  PREVICT_TRY(Loaded & loaded,
              load_state(session, {.pods_optional = options.arguments.empty(), .keeps_objects = true}));
  const Snapshot& cluster = loaded.cluster();
  PREVICT_TRY(Asked asked, asked_by(session, loaded, cluster));
  ReportContext context = context_of(session, loaded, cluster, asked);
  note_namespace(session, context);
  Question& question = asked.question;
  if (options.arguments.empty()) {
    PREVICT_CHECK(check_namespace(options, cluster));
    question.ns = namespace_of(options);
    // --against may name a priority class, or a queue.
    PREVICT_TRY(const Engine* engine, options.against.empty()
                                          ? engine_of_pending(engines(), options.engine, cluster, "")
                                          : main_engine(engines(), options.engine, cluster));
    PREVICT_CHECK(check_files_read(options, *engine));
    const bool no_pods = cluster.pods().empty() && options.against.empty() && options.by.empty() && !options.ended;
    if (!options.between.empty() || no_pods) {
      PREVICT_TRY(std::optional<CommandResult> done,
                  between_queues(session, cluster, *engine, asked, context, fail_on));
      if (done) return *std::move(done);
      if (!options.between.empty())
        return fail(fmt::format("--between: queues of the {} engine do not protect pods by time", engine->name()), {},
                    "queues of KAI Scheduler have min-runtimes: --engine kai");
    }
    question.extent = context.extent;
    PREVICT_TRY(Protections protections, protections(*engine, cluster, question));
    if (options.engine == "auto") add_gaps(left_out(cluster, *engine, question.ns), protections.gaps);
    return CommandResult{
        protection_report(protections, context, {.ended = options.ended, .by_class = options.by == "class"}),
        status_of(fail_on, options.strict, Provenance(context, protections), {}, context)};
  }
  PREVICT_TRY(const Subject subject,
              find_subject(cluster, options.arguments.front(), options.ns.empty() ? "default" : options.ns));
  if (subject.kind != "pod")
    return fail("tolerations works only for pods, not for groups; name one of the pods of the group");
  PREVICT_TRY(const Engine* engine, evictor_of(options.engine, cluster, subject));
  PREVICT_CHECK(check_files_read(options, *engine));
  question = about(subject, std::move(question));
  PREVICT_TRY(PossiblePreemptors possible_preemptors, possible_preemptors(*engine, cluster, question));
  add_gaps(pending_of_others(*engine, cluster, ""), possible_preemptors.gaps);
  if (const Engine* const own = engine_of(engines(), cluster, subject.pod);
      own != nullptr && own != engine && engine->evicts_pod_of_others(cluster, subject.pod))
    add_gaps({{GapRule::own_scheduler_not_asked, {std::string(own->name())}}}, possible_preemptors.gaps);
  return CommandResult{takers_report(possible_preemptors, context),
                       status_of(fail_on, options.strict, Provenance(context, possible_preemptors), {}, context)};
}

}  // namespace

const Command& tolerations_command = Command{
    .name = "tolerations",
    .task = Task::explain,
    .what = "list the pods that tolerate preemption, and until when",
    .arguments = "[POD]",
    .most_arguments = 1,
    .groups = kTolerationsTakes,
    .examples =
        "tolerations -f dump.yaml --against high          pods that tolerate preemption by class high\n"
        "tolerations -f dump.yaml --against 9000 --ended  by priority 9000, also those whose toleration has ended\n"
        "tolerations -f kai.yaml --between all             how long queues of KAI protect their pods from each other\n"
        "tolerations -f dump.yaml ml/license-sim-0        which pods could preempt this pod, and from when",
    .more =
        "Without --against, previct compares each pod with the lowest priority that could preempt it. With POD, the "
        "answer lists the classes and pending pods that could preempt it now, later, or never.",
    .run = run_tolerations,
    .read_only = true};

}  // namespace previct::cli
