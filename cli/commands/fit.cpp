#include "fit/fit.h"

#include "analysis/second_step.h"
#include "analysis/subject.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/fail_on.h"
#include "cli/load.h"
#include "cli/question.h"

#include <fmt/format.h>

#include <array>

namespace previct::cli {
namespace {

constexpr std::array kFitTakes = {Group::state,   Group::reading,    Group::live,     Group::connection,
                                  Group::overlay, Group::fit,        Group::question, Group::scheduler,
                                  Group::output,  Group::strictness, Group::help};

auto subject_of(const Session& session, Loaded& loaded, const Snapshot& cluster, const Question& question)
    -> Result<Subject> {
  const Options& options = session.options;
  const std::string remarks = joined(loaded.overlaid.remarks, "; ");
  // Another pending pod is not meant.
  if (options.replicas && !options.with.empty() && options.arguments.empty() && loaded.overlaid.pods.empty()) {
    return fail(fmt::format("the manifests of --with create no pod to copy{}{}", remarks.empty() ? "" : ": ", remarks),
                {}, "name a pod");
  }
  PREVICT_TRY(const std::vector<Subject> subjects, subjects_of(session, loaded, cluster, question));
  if (subjects.size() != 1) {
    return fail(fmt::format("fit needs one POD, but {} pods are pending{}{}", subjects.size(),
                            subjects.empty() && !remarks.empty() ? "; " : "", subjects.empty() ? remarks : ""),
                {}, fmt::format("{} fit ... NAMESPACE/NAME; {} explain lists them", session.program, session.program));
  }
  if (subjects.front().kind != "pod" && subjects.front().kind != "workload")
    return fail("fit works only for pods and workloads, not for groups");
  return subjects.front();
}

auto status_of(const fit::Fit& found) -> ExitCode {
  if (found.replicas) return found.replicas->copies.size() == found.replicas->asked ? kAnswered : kFindings;
  const bool has_its_room = found.answer.outcome == Outcome::scheduled || found.answer.outcome == Outcome::waits;
  return found.in || has_its_room ? kAnswered : kFindings;
}

auto run_fit(Session& session) -> Result<CommandResult> {
  const Options& options = session.options;
  PREVICT_TRY(const FailOn fail_on, fail_on_of(options, ResultKind::decisions));
  if (options.no_victims && options.no_violations) return fail("--no-violations has no effect with --no-victims");
  PREVICT_TRY(Loaded & loaded, load_state(session, {.keeps_objects = true}));
  Asked asked;
  Subject subject;
  const Engine* engine = nullptr;
  {
    const Snapshot& cluster = loaded.cluster();
    PREVICT_TRY(asked, asked_by(session, loaded, cluster));
    PREVICT_TRY(subject, subject_of(session, loaded, cluster, asked.question));
    PREVICT_TRY(engine, choose_engine(engines(), options.engine, cluster, subject));
  }
  PREVICT_CHECK(check_files_read(options, *engine));
  if (options.replicas && *options.replicas == 0) return fail("--replicas must be at least 1");
  if (options.replicas && engine->decides_about_groups()) {
    return fail(fmt::format("--replicas adds one pod at a time, but engine {} decides about whole {}s", engine->name(),
                            engine->asked_kind()));
  }
  asked.question = about(subject, std::move(asked.question));
  const fit::Task task{.objects = loaded.objects,
                       .cluster = loaded.cluster(),
                       .engine = *engine,
                       .engine_name = options.engine,
                       .question = asked.question,
                       .pod = subject.pod,
                       .limits = {.victims = !options.no_victims, .violations = !options.no_violations},
                       .replicas = options.replicas.value_or(0)};
  PREVICT_TRY(fit::Fit found, fit::fit(task));
  SecondStep step;
  if (found.in) {
    PREVICT_TRY(step, second_step(loaded.objects, found.answer, asked.question));
    add_gaps(step.gaps, found.answer.gaps);
  }
  for (const fit::Solution& solution : found.solutions) add_gaps(solution.step.gaps, found.answer.gaps);
  const Snapshot& cluster = loaded.cluster_again();
  const ReportContext context = context_of(session, loaded, cluster, asked);
  CommandResult done{
      fit::fit_report(found, task, context),
      status_of(fail_on, options.strict, Provenance(context, found.answer), {found.answer}, context, status_of(found))};
  add_second_step(step, done.report);
  if (step.leaves_pending() && done.status == kAnswered) done.status = kFindings;
  return done;
}

}  // namespace

const Command& fit_command = Command{
    .name = "fit",
    .task = Task::plan,
    .what = "find changes that make a pod schedulable",
    .arguments = "[POD]",
    .most_arguments = 1,
    .groups = kFitTakes,
    .examples =
        "fit -f dump.yaml ml/train-big-0                 changes that make it schedulable, with preemption if "
        "necessary\n"
        "fit -f dump.yaml ml/train-big-0 --no-victims    only changes that evict no pod\n"
        "fit -f dump.yaml ml/train-big-0 --replicas 10   how many of ten copies fit, added one at a time\n"
        "fit -f kueue.yaml workload/vision/job-train       Kueue: which quota, limit, priority or count admits it",
    .more =
        "previct verifies each change with a full run of the engine on the changed cluster, and shows only changes "
        "that make the pod schedulable. The smallest changes come first: time, the pod itself, one more node, other "
        "objects. If no single change helps, previct tries pairs, and then all changes at once.\n"
        "Exit status: 0 the pod is schedulable without a change (with --replicas: all copies are); 1 it is not, even "
        "if a change would make it schedulable; 2 not answered, nothing on stdout; 3 with --strict: answered from "
        "incomplete input. "
        "--fail-on applies to the pod without a change.",
    .run = run_fit,
    .read_only = true};

}  // namespace previct::cli
