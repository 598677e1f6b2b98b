#include "sweep/sweep.h"

#include "base/shard.h"
#include "cli/command.h"
#include "cli/fail_on.h"
#include "cli/load.h"
#include "cli/play.h"
#include "cli/question.h"
#include "engine/required_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace previct::cli {
namespace {

constexpr std::array kSweepTakes = {Group::state,     Group::reading, Group::live,       Group::connection,
                                    Group::question,  Group::overlay, Group::sweep,      Group::sequence,
                                    Group::scheduler, Group::output,  Group::strictness, Group::help};

// Commas separate both flags and values: a part without `=` belongs to the previous one.
auto varied(const std::vector<std::string>& parts) -> std::vector<std::string> {
  std::vector<std::string> all;
  for (const std::string& part : parts) {
    if (all.empty() || part.find('=') != std::string::npos) {
      all.push_back(part);
    } else {
      all.back() += "," + part;
    }
  }
  return all;
}

auto run_sweep(Session& session) -> Result<CommandResult> {
  const Options& options = session.options;
  PREVICT_TRY(const FailOn fail_on, fail_on_of(options, ResultKind::plays));
  const std::vector<std::string> vary = varied(options.vary);
  if (vary.empty() || vary.size() > 2) {
    return fail("sweep needs one or two --vary", {}, "such as --vary toleration-seconds:low=0..30m");
  }
  if (!options.lose.empty()) return fail("--lose has no effect on a sweep: use previct sequence");
  if (!options.drain.empty()) return fail("--drain has no effect on a sweep: use previct sequence");
  if (!options.rates.empty()) return fail("--rates compares modes of preemption: use previct sequence");
  Shard shard;
  if (is_part_of_work(options.shard)) {
    PREVICT_TRY(shard, read_shard(options.shard));
  }
  PREVICT_TRY(Loaded & loaded, load_state(session));
  const Snapshot cluster(loaded.objects);
  PREVICT_TRY(const Asked asked, asked_by(session, loaded, cluster));
  const Question about_cycles = question_about_cycles(options, asked.question);
  PREVICT_TRY(const Engine* const own, engine_with_cycles(options, cluster, about_cycles));
  SimulationRequest play{.settings = {.question = about_cycles}, .engine = own, .gaps = {}};
  if (own == nullptr) {
    if (lacks(loaded.objects, kinds::pods)) return fail(std::string(kWithoutPods));
    PREVICT_TRY(play, simulation_request(session, loaded, cluster, asked));
  }
  if (!play.engine->preempts_by_priority_class()) PREVICT_CHECK(check_slo(fail_on, options, play.engine->name()));
  sweep::Task task{
      .objects = loaded.objects, .engine = *play.engine, .settings = play.settings, .axes = {}, .shard = shard};
  for (const std::string& text : vary) {
    PREVICT_TRY(sweep::Axis axis, sweep::read_axis(text, cluster, *play.engine, play.settings.question));
    task.axes.push_back(std::move(axis));
  }
  task.most = options.steps.value_or(static_cast<std::uint32_t>(task.most));
  if (task.most < 2) return fail("--steps must be at least 2");
  PREVICT_TRY(sweep::Sweep swept, sweep::sweep(task));
  add_gaps(swept.gaps, play.gaps);
  swept.gaps = std::move(play.gaps);
  if (swept.engine.empty()) swept.engine = play.engine->name();
  if (swept.behaves.empty()) swept.behaves = play.behaves;
  const ReportContext context = context_of(session, loaded, cluster, asked);
  const bool found = std::any_of(swept.points.begin(), swept.points.end(), [&](const sweep::Point& point) {
    return (fail_on.thrashing && point.may_recur) || (fail_on.slo && point.misses_slo);
  });
  return CommandResult{
      sweep::sweep_report(swept, task, context),
      status_of(fail_on, options.strict, Provenance(context, swept), {}, context, found ? kFindings : kAnswered)};
}

}  // namespace

const Command& sweep_command = Command{
    .name = "sweep",
    .task = Task::plan,
    .what = "find the parameter value that changes the result",
    .arguments = "",
    .most_arguments = 0,
    .groups = kSweepTakes,
    .examples =
        "sweep -f dump.yaml --vary toleration-seconds:low-30min=0..1h            how long the toleration must be\n"
        "sweep -f dump.yaml --vary request:ml/train-big-0:cpu=1..16              how small the request must be\n"
        "sweep -f kueue.yaml --vary nominal-quota:speech:a100:nvidia.com/gpu=8..32   which quota admits which "
        "workload\n"
        "sweep -f dump.yaml --vary replicas:ml/train-big-0=1..9 --vary nodes:gpu-1=0..4   how many nodes for how many "
        "pods?",
    .more =
        "Runs one simulation for each value, as previct sequence does, with the same flags. In a range, previct "
        "tries a grid of values, and the values at which a protection ends or a priority is reached; between two "
        "neighbors with different results, it bisects until it finds the exact value. previct does not try values "
        "between two neighbors with equal results.\n"
        "With --shard I/N and -o jsonl, the concatenated outputs of all parts equal the output of a single run.\n"
        "Exit status: 0 answered; 1 with --fail-on thrashing: for some value, pods are evicted repeatedly; 2 not "
        "answered; 3 with --strict: answered from incomplete input.",
    .run = run_sweep,
    .read_only = true};

}  // namespace previct::cli
