#include "capture/capture.h"

#include "base/text.h"
#include "cli/capture.h"
#include "cli/command.h"
#include "cli/live.h"
#include "cli/load.h"
#include "cli/question.h"
#include "cli/series.h"

#include <array>

namespace previct::cli {
namespace {

constexpr std::array kCaptureTakes = {Group::state,   Group::reading, Group::live,   Group::connection,
                                      Group::capture, Group::series,  Group::output, Group::help};

auto run_capture(Session& session) -> Result<CommandResult> {
  if (!session.options.series.empty()) return capture_series(session);
  if (!session.options.every.empty() || !session.options.keep.empty())
    return fail("--every and --keep only work with --series");
  PREVICT_TRY(const CaptureFile file, capture_file_of(session.options));
  PREVICT_TRY(const CapturedState state, capture_inputs(session));
  PREVICT_CHECK(session.targets.check());
  PREVICT_TRY(const std::size_t bytes, write_capture(file, state.text));
  return CommandResult{capture_report(state.manifest, file, bytes)};
}

}  // namespace

const Command& capture_command = Command{
    .name = "capture",
    .task = Task::files,
    .what = "save the fields that schedulers read in a small file",
    .arguments = "",
    .most_arguments = 0,
    .groups = kCaptureTakes,
    .examples =
        "capture --to state.jsonl.zst                       the cluster that kubectl talks to\n"
        "capture -f must-gather.tar.gz --to small.jsonl.gz  the part of a dump that previct needs\n"
        "capture --series states --keep 168h                one more state, for previct backtest",
    .more =
        "A capture is an input like any other. It gives the same answers as the original state, for the same time, "
        "and with the same notes about objects that previct could not read.\n"
        "It contains names, labels, requests, conditions and their times. It never contains values of environment "
        "variables, arguments, commands, Secrets, managedFields or annotations that no scheduler reads; of "
        "ConfigMaps, it contains only YuniKorn's queues. A scheduler's configuration among the inputs is included. "
        "To replace the names as well, use previct anonymize.",
    .run = run_capture};

}  // namespace previct::cli
