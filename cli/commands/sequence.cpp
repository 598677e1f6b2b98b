#include "analysis/subject.h"
#include "cli/command.h"
#include "cli/fail_on.h"
#include "cli/load.h"
#include "cli/named.h"
#include "cli/play.h"
#include "cli/question.h"
#include "sequence/cost.h"
#include "sequence/cycle_simulation.h"
#include "sequence/drained_nodes.h"
#include "sequence/kube_scenario.h"
#include "sequence/lost_nodes.h"
#include "sequence/modes.h"
#include "sequence/report.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

namespace previct::cli {
namespace {

constexpr std::array kSequenceTakes = {Group::state,   Group::reading,    Group::live,     Group::connection,
                                       Group::overlay, Group::question,   Group::sequence, Group::scheduler,
                                       Group::output,  Group::strictness, Group::help};

auto played_by_engine(const Options& options, const Snapshot& cluster, const Question& question)
    -> Result<std::optional<SimulationReport>> {
  const Question asked = question_about_cycles(options, question);
  PREVICT_TRY(const Engine* engine, engine_with_cycles(options, cluster, asked));
  if (engine == nullptr) return std::optional<SimulationReport>();
  PREVICT_TRY(auto told, play(*engine, cluster, asked));
  if (!told) return told;
  for (const auto& [name, count] : pending_by_engine(cluster, "")) {
    if (name == engine->name()) continue;
    told->gaps.push_back({GapRule::pods_not_played, {std::to_string(count), std::string(name)}});
  }
  return told;
}

auto report_of(SimulationReport told, const ReportContext& context) -> Report {
  Provenance provenance(context);
  provenance.add(told.engine, told.behaves, told.gaps);
  Report report;
  report.blocks.emplace_back(Line{{{std::move(told.sentence), Tone::verdict}}});
  for (Line& line : provenance.lines()) report.blocks.emplace_back(std::move(line));
  for (Block& block : told.blocks) report.blocks.emplace_back(std::move(block));
  report.data = provenance.document("QueueSequenceReport");
  report.data.update(told.json);
  return report;
}

auto changes_nodes(const Options& options) -> bool {
  return !options.lose.empty() || !options.drain.empty();
}

auto check_nodes_may_change(const Options& options, std::string_view engine, bool kube) -> Result<void> {
  if (kube || !changes_nodes(options)) return {};
  return fail(fmt::format("{} works only for kube-scheduler, and these pods use {}",
                          options.lose.empty() ? "--drain" : "--lose", engine));
}

auto drain(const Options& options, const Snapshot& cluster, sequence::Settings& settings, ChangedCluster& changed)
    -> Result<void> {
  PREVICT_TRY(const std::vector<NodeId> nodes, named_nodes(options.drain, "--drain", cluster));
  sequence::Drain drain = sequence::drain_of(nodes, cluster);
  settings.drained = std::move(drain.evicted);
  sequence::cordon(nodes, changed);
  return {};
}

// `cluster`: without the nodes that are lost.
auto simulated(const Session& session, Loaded& loaded, const Snapshot& cluster, const Asked& asked,
               const FailOn& fail_on, SimulationRequest play) -> Result<CommandResult> {
  const Options& options = session.options;
  const sequence::Settings& settings = play.settings;
  std::vector<Gap>& gaps = play.gaps;
  const bool kube = play.engine->preempts_by_priority_class();
  if (!kube) PREVICT_CHECK(check_slo(fail_on, options, play.engine->name()));
  if (kube) {
    PREVICT_CHECK(sequence::share_requests(cluster, play.settings));
    sequence::leave_releases_to_sequence(gaps);
  }
  PREVICT_TRY(sequence::Sequence sequence, kube ? sequence::kube_sequence(loaded.objects, settings)
                                                : sequence::simulate_cycles(loaded.objects, *play.engine, settings));
  for (const std::string& call : sequence.play.calls_not_made)
    loaded.objects.diagnostics.warn("no-such-call", fmt::format("--fail {}: there is no such call", call));
  add_gaps(sequence::gaps_of_play(cluster, settings, sequence.play, kube), gaps);
  add_gaps(sequence.gaps, gaps);
  sequence.gaps = std::move(gaps);
  const ReportContext context = context_of(session, loaded, cluster, asked);
  const bool thrashes =
      sequence.others_thrash || sequence::SimulationCosts(sequence.play, settings, cluster).thrashes();
  const bool misses_slo = sequence::failure_rate(sequence).misses_slo();
  const ExitCode otherwise = (fail_on.thrashing && thrashes) || (fail_on.slo && misses_slo) ? kFindings : kAnswered;
  return CommandResult{sequence::sequence_report(sequence, settings, context),
                       status_of(fail_on, options.strict, Provenance(context, sequence), {}, context, otherwise)};
}

auto run_sequence(Session& session) -> Result<CommandResult> {
  const Options& options = session.options;
  PREVICT_TRY(const FailOn fail_on, fail_on_of(options, ResultKind::plays));
  PREVICT_TRY(Loaded & loaded, load_state(session, {.over_time = true, .keeps_objects = true}));
  const Snapshot& cluster = loaded.cluster();
  PREVICT_TRY(const Asked asked, asked_by(session, loaded, cluster));
  PREVICT_TRY(auto told, played_by_engine(options, cluster, asked.question));
  if (told) {
    PREVICT_CHECK(check_nodes_may_change(options, told->engine, false));
    PREVICT_CHECK(check_slo(fail_on, options, told->engine));
    const ReportContext context = context_of(session, loaded, cluster, asked);
    Provenance provenance(context);
    provenance.add(told->engine, told->behaves, told->gaps);
    const ExitCode otherwise = fail_on.thrashing && told->thrashes ? kFindings : kAnswered;
    const ExitCode status = status_of(fail_on, options.strict, provenance, {}, context, otherwise);
    return CommandResult{report_of(*std::move(told), context), status};
  }
  PREVICT_TRY(SimulationRequest play, simulation_request(session, loaded, cluster, asked));
  if (!changes_nodes(options)) return simulated(session, loaded, cluster, asked, fail_on, std::move(play));
  PREVICT_CHECK(check_nodes_may_change(options, play.engine->name(), play.engine->preempts_by_priority_class()));
  ChangedCluster changed(loaded.objects);
  if (!options.drain.empty()) {
    if (!options.lose.empty()) return fail("--drain cannot be combined with --lose");
    PREVICT_CHECK(drain(options, cluster, play.settings, changed));
    return simulated(session, loaded, cluster, asked, fail_on, std::move(play));
  }
  PREVICT_TRY(const std::vector<NodeId> lost, named_nodes(options.lose, "--lose", cluster));
  play.settings.lost = sequence::pods_lost_with(lost, cluster);
  sequence::lose(lost, cluster, changed);
  return simulated(session, loaded, Snapshot(loaded.objects), asked, fail_on, std::move(play));
}

}  // namespace

const Command& sequence_command = Command{
    .name = "sequence",
    .task = Task::plan,
    .what = "simulate the next scheduling cycles",
    .arguments = "",
    .most_arguments = 0,
    .groups = kSequenceTakes,
    .examples =
        "sequence -f dump.yaml                                      all pending pods, until nothing changes\n"
        "sequence -f dump.yaml -f pod2.yaml --arrive ml/pod2=+2s    another pod is created in the meantime\n"
        "sequence -f dump.yaml --with daemonset.yaml                 a new DaemonSet\n"
        "sequence -f dump.yaml --lose gpu-1                         a node is lost with its pods\n"
        "sequence -f dump.yaml --drain gpu-1                        a node is drained, as far as budgets allow it\n"
        "sequence -f dump.yaml --fail delete:ml/nightly-eval-7f9c4   a call to the API server fails\n"
        "sequence -f dump.yaml --fail delete:5% --fail-on slo        1 of 20 such calls fails: how many preemptions "
        "do?",
    .more =
        "Simulates the next scheduling cycles: decisions, nominations, API calls within the rate limit, grace "
        "periods, bindings. If the result depends on the order of two events, previct lists each result that it "
        "finds, with the events that decide it.",
    .run = run_sequence,
    .read_only = true};

}  // namespace previct::cli
