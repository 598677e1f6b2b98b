#include "cli/command.h"
#include "cli/fail_on.h"
#include "cli/load.h"
#include "cli/named.h"
#include "cli/play.h"
#include "engine/required_kind.h"
#include "failures/report.h"

#include <fmt/format.h>

#include <array>

namespace previct::cli {
namespace {

constexpr std::array kFailuresTakes = {Group::state,   Group::reading,    Group::live,     Group::connection,
                                       Group::overlay, Group::failures,   Group::question, Group::scheduler,
                                       Group::output,  Group::strictness, Group::help};

auto label_of(const std::string& domain) -> std::string {
  return domain == "zone" ? "topology.kubernetes.io/zone" : domain;
}

// The nodes that fail or, with --drain, those that are drained.
auto nodes_of(const Options& options, const Snapshot& cluster) -> Result<std::vector<NodeId>> {
  if (options.drain.empty()) return named_or_all_nodes(options.nodes, "--node", cluster);
  if (!options.nodes.empty()) return fail("--node has no effect with --drain");
  const bool all = options.drain == std::vector<std::string>{"all"};
  return named_or_all_nodes(all ? std::vector<std::string>() : options.drain, "--drain", cluster);
}

auto run_failures(Session& session) -> Result<CommandResult> {
  const Options& options = session.options;
  PREVICT_TRY(const FailOn fail_on, fail_on_of(options, ResultKind::others));
  const std::uint32_t at_once = options.at_once.value_or(1);
  if (at_once < 1 || at_once > 2) return fail("--failures must be 1 or 2");
  PREVICT_TRY(Loaded & loaded, load_state(session));
  const Snapshot cluster(loaded.objects);
  if (lacks(loaded.objects, kinds::pods))
    return fail("the input has no pods, so it is not known which pods lose their node");
  PREVICT_TRY(const Asked asked, asked_by(session, loaded, cluster));
  PREVICT_TRY(const SimulationRequest play, simulation_request(session, loaded, cluster, asked));
  if (!play.engine->preempts_by_priority_class())
    return fail(fmt::format("failures works only for kube-scheduler, and these pods use {}", play.engine->name()));
  failures::Task task{.objects = loaded.objects,
                      .settings = play.settings,
                      .domain = label_of(options.domain),
                      .at_once = at_once,
                      .drains = !options.drain.empty()};
  PREVICT_TRY(task.nodes, nodes_of(options, cluster));
  PREVICT_TRY(failures::Failures found, failures::simulate(task));
  if (!options.none_out_above.empty()) {
    PREVICT_TRY(found.none_out_above, named_priority(options.none_out_above, "--none-out-above", cluster));
  }
  found.engine = play.engine->name();
  add_gaps(play.gaps, found.gaps);
  const ReportContext context = context_of(session, loaded, cluster, asked);
  const failures::Claim claim = found.claim();
  const ExitCode otherwise = claim == failures::Claim::holds                    ? kAnswered
                             : claim == failures::Claim::open && options.strict ? kIncomplete
                                                                                : kFindings;
  return CommandResult{failures::failures_report(found, context),
                       status_of(fail_on, options.strict, Provenance(context, found), {}, context, otherwise)};
}

}  // namespace

const Command& failures_command = Command{
    .name = "failures",
    .task = Task::plan,
    .what = "simulate the loss of each node, zone or pair of them",
    .arguments = "",
    .most_arguments = 0,
    .groups = kFailuresTakes,
    .examples =
        "failures -f dump.yaml                              each node: which pods stay out, who is evicted in turn\n"
        "failures -f dump.yaml --domain kubernetes.io/hostname   nodes with the same value of a label together\n"
        "failures -f dump.yaml --failures 2                 each pair of nodes\n"
        "failures -f dump.yaml --drain all                  each node is drained: which budgets prevent that\n"
        "failures -f dump.yaml --none-out-above 5000        exit with 1 if a pod above 5000 stays out",
    .more =
        "Deletes the Node and its pods, and simulates the next scheduling cycles, as previct sequence does: "
        "controllers create new pods, and these may evict others. The worst failures come first: by the highest "
        "priority of a pod that stays out, then by the number of pods. Pods of DaemonSets and static pods end with "
        "their node; a pod without a controller is not created again.\n"
        "Exit status: 0 answered; 1 with --none-out-above: a pod with a higher priority stays out, or may stay out; 2 "
        "not answered; 3 with --strict: answered from incomplete input.",
    .run = run_failures,
    .read_only = true};

}  // namespace previct::cli
