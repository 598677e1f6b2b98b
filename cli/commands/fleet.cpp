#include "analysis/fleet.h"

#include "analysis/queue_fleet.h"
#include "analysis/subject.h"
#include "cli/command.h"
#include "cli/fail_on.h"
#include "cli/load.h"
#include "cli/question.h"

#include <fmt/format.h>

#include <array>

namespace previct::cli {
namespace {

constexpr std::array kFleetTakes = {Group::state,   Group::reading,    Group::live, Group::connection,
                                    Group::overlay, Group::question,   Group::rows, Group::scheduler,
                                    Group::output,  Group::strictness, Group::help};

auto run_fleet(Session& session) -> Result<CommandResult> {
  const Options& options = session.options;
  PREVICT_TRY(const FailOn fail_on, fail_on_of(options, ResultKind::brief_decisions));
  PREVICT_TRY(Loaded & loaded, load_state(session, {.keeps_objects = true}));
  const Snapshot& cluster = loaded.cluster();
  PREVICT_TRY(Asked asked, asked_by(session, loaded, cluster));
  PREVICT_CHECK(check_namespace(options, cluster));
  asked.question.ns = namespace_given(session);
  PREVICT_TRY(const Engine* engine, engine_of_pending(engines(), options.engine, cluster, asked.question.ns));
  PREVICT_CHECK(check_files_read(options, *engine));
  const ReportContext context = context_of(session, loaded, cluster, asked);
  if (!engine->preempts_by_priority_class()) {
    PREVICT_TRY(const QueueFleet found, queue_fleet(*engine, cluster, asked.question));
    return CommandResult{queue_fleet_report(found, context),
                         status_of(fail_on, options.strict, Provenance(context, found), found.answers, context)};
  }
  PREVICT_TRY(const Fleet found, fleet(*engine, cluster, asked.question, fail_on.victim_priority.has_value()));
  return CommandResult{fleet_report(found, context),
                       status_of(fail_on, options.strict, Provenance(context, found), found.answers, context)};
}

}  // namespace

const Command& fleet_command = Command{
    .name = "fleet",
    .task = Task::explain,
    .what = "show which classes or queues can evict pods of which",
    .arguments = "",
    .most_arguments = 0,
    .groups = kFleetTakes,
    .examples =
        "fleet -f dump.yaml                  classes against classes, and the victims of pending pods\n"
        "fleet -f dump.yaml -o wide          with the pending pods that would preempt each\n"
        "fleet -f kai.yaml --engine kai      KAI Scheduler's queues: fair shares, and which queue may reclaim from "
        "which\n"
        "fleet -f dump.yaml --with job.yaml  with the pod of a Job that does not exist yet",
    .more =
        "A cell is the number of running pods of that class, or k/n if some tolerate preemption: the class may "
        "preempt k of n now. The other tables show what the pending pods would do. previct evaluates each pending "
        "pod separately, as in previct explain, so the same pod may be a victim of several. For KAI Scheduler, "
        "YuniKorn and Kueue, queues take the place of classes: what each has of its quota and fair share, and how "
        "many running pods of each queue another one may evict now, and from when. previct decides about KAI's "
        "pending groups and Kueue's workloads in one cycle, as these schedulers do.",
    .run = run_fleet,
    .read_only = true};

}  // namespace previct::cli
