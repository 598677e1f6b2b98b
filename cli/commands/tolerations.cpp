#include "analysis/protection_report.h"
#include "analysis/subject.h"
#include "cli/command.h"
#include "cli/state.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace previct::cli {
namespace {

constexpr std::array kTakes = {Group::state, Group::reading, Group::live,   Group::connection, Group::overlay, Group::question, Group::protection,
                               Group::scheduler, Group::output, Group::strictness, Group::help};

auto run(Session& session) -> Result<Done> {
  const Options& options = session.options;
  if (!options.by.empty() && options.by != "class") {
    return fail(fmt::format("--by \"{}\" is not known; expected class", options.by));
  }
  PREVICT_CHECK(load_state(session));
  PREVICT_TRY(Asked asked, asked_by(session));
  const Snapshot cluster(session.objects);
  const Grounds grounds = grounds_of(session, cluster, asked);
  Question& question = asked.question;
  if (options.arguments.empty()) {
    question.ns = options.all_namespaces ? "" : options.ns;
    PREVICT_TRY(const Engine* engine, main_engine(engines(), options.engine, cluster));
    PREVICT_TRY(const Protections protections, engine->protections(cluster, question));
    return Done{
        protection_report(protections, grounds, {.ended = options.ended, .by_class = options.by == "class"}),
        kAnswered};
  }
  PREVICT_TRY(const Subject subject,
              find_subject(cluster, options.arguments.front(), options.ns.empty() ? "default" : options.ns));
  PREVICT_TRY(const Engine* engine, choose_engine(engines(), options.engine, cluster, subject));
  question.kind = subject.kind;
  question.ns = subject.ns;
  question.name = subject.name;
  PREVICT_TRY(const Takers takers, engine->takers(cluster, question));
  return Done{takers_report(takers, grounds), kAnswered};
}

constexpr Command kCommand = {
    .name = "tolerations",
    .what = "who is protected against whom, why, until when",
    .arguments = "[POD]",
    .most_arguments = 1,
    .groups = kTakes,
    .examples =
        "tolerations -f dump.yaml --against high          who tolerates preemption by class high\n"
        "tolerations -f dump.yaml --against 9000 --ended  by priority 9000, and who no longer does\n"
        "tolerations -f dump.yaml ml/license-sim-0        who could take this pod, from when",
    .more =
        "Without --against, each pod is asked about the lowest priority that could reach it. With POD it is "
        "read the "
        "other way round: class by class and pending pod by pending pod, who could take it now, who later, "
        "who never.",
    .run = run};

}  // namespace

const Command& tolerations_command = kCommand;

}  // namespace previct::cli
