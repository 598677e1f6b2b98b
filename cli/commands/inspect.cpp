#include "analysis/inspection.h"
#include "cli/command.h"
#include "cli/load.h"
#include "cli/question.h"
#include "cli/workloads.h"

#include <array>

namespace previct::cli {
namespace {

constexpr std::array kInspectTakes = {Group::state, Group::reading, Group::inspection, Group::output, Group::help};

auto run_inspect(Session& session) -> Result<CommandResult> {
  Options& options = session.options;
  if (options.filenames.empty()) {
    return fail("no input: pass a dump", {}, dump_command());
  }
  PREVICT_TRY(Loaded & loaded, load_state(session, {.keeps_objects = true}));
  const Snapshot& cluster = loaded.cluster();
  PREVICT_TRY(Inspection found, inspection(cluster, {.engine = options.engine,
                                                     .pending = options.pending,
                                                     .places = session.places,
                                                     .arrivals = session.arrivals,
                                                     .configurations = &loaded.configurations}));
  return CommandResult{std::move(found.report), found.lacking ? kFindings : kAnswered};
}

}  // namespace

const Command& inspect_command = Command{
    .name = "inspect",
    .task = Task::files,
    .what = "list what a dump contains, and what is missing",
    .arguments = "FILE...",
    .most_arguments = SIZE_MAX,
    .groups = kInspectTakes,
    .examples =
        "inspect dump.yaml                               kinds, schedulers, and what is missing\n"
        "inspect must-gather.tar.gz --pending            the pending pods\n"
        "inspect -R cluster-dump --engine kai            additional kinds that KAI needs",
    .more =
        "Without --engine, previct considers the schedulers of the pending pods. A kind also counts as present if "
        "the input has an empty list of it.\n"
        "Exit status: 0 the input has every kind that all answers need; 1 it lacks one; 2 previct could not read the "
        "input.",
    .run = run_inspect,
    .read_only = true,
    .takes_inputs = true};

}  // namespace previct::cli
