#include "analysis/inspection.h"
#include "cli/command.h"
#include "cli/state.h"

#include <array>

namespace previct::cli {
namespace {

constexpr std::array kTakes = {Group::state, Group::reading, Group::inspection, Group::output, Group::help};

auto run(Session& session) -> Result<Done> {
  Options& options = session.options;
  take_files(options);
  if (options.filenames.empty()) {
    return fail("no input: name a dump", {},
                "kubectl get pods,nodes,namespaces,priorityclasses,poddisruptionbudgets,pv,pvc,storageclasses,"
                "csinodes,csidrivers -A -o yaml > dump.yaml");
  }
  PREVICT_CHECK(load_state(session));
  const Snapshot cluster(session.objects);
  PREVICT_TRY(
      Inspection found,
      inspection(cluster, {.engine = options.engine, .pending = options.pending, .arrivals = session.arrivals}));
  return Done{std::move(found.report), found.lacking ? kFindings : kAnswered};
}

constexpr Command kCommand = {
    .name = "inspect",
    .what = "what is in a dump, what is missing for which scheduler",
    .arguments = "FILE...",
    .most_arguments = SIZE_MAX,
    .groups = kTakes,
    .examples =
        "inspect dump.yaml                               kinds, schedulers, what an answer would lack\n"
        "inspect must-gather.tar.gz --pending            the pods that wait\n"
        "inspect -R cluster-dump --engine kai            what KAI would need beside it",
    .more =
        "Without --engine, what the schedulers need that the pending pods go to. A kind counts as there, too, when a "
        "list "
        "of it was read and it was empty.\n"
        "Exit status: 0 all that is always needed is there; 1 a kind is missing; 2 the input could not be read.",
    .run = run};

}  // namespace

const Command& inspect_command = kCommand;

}  // namespace previct::cli
