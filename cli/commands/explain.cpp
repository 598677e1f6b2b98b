#include "analysis/decision.h"
#include "analysis/explanation.h"
#include "analysis/subject.h"
#include "analysis/timeline.h"
#include "base/text.h"
#include "cli/again.h"
#include "cli/command.h"
#include "cli/fail_on.h"
#include "cli/state.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace previct::cli {
namespace {

constexpr std::array kTakes = {Group::state, Group::reading, Group::live, Group::connection, Group::watch,  Group::overlay,    Group::question,
                               Group::selection, Group::nodes, Group::time, Group::scheduler,  Group::output, Group::strictness, Group::help};

auto check_nodes(const Snapshot& cluster, const std::vector<std::string>& names) -> Result<void> {
  for (const std::string& name : names) {
    if (cluster.find_node(cluster.symbol(name))) continue;
    std::vector<std::string> known;
    for (const Node& node : cluster.nodes()) known.emplace_back(cluster.text(node.meta.name));
    const auto meant = nearest(name, known);
    return fail(fmt::format("no node {} in the input{} ({})", name,
                            meant ? fmt::format("; did you mean {}?", *meant) : "",
                            counted(known.size(), "node", "nodes")));
  }
  return {};
}

auto ask(const Subject& subject, const Snapshot& cluster, const std::string& engine, Question question)
    -> Result<Answer> {
  PREVICT_TRY(const Engine* chosen, choose_engine(engines(), engine, cluster, subject));
  question.kind = subject.kind;
  question.ns = subject.ns;
  question.name = subject.name;
  return chosen->explain(cluster, question);
}

// Where to ask what would let the pod in.
auto way_in(const Session& session, const Answer& answer, const Snapshot& cluster) -> std::optional<Line> {
  const bool stuck = answer.outcome == Outcome::pending || answer.outcome == Outcome::not_eligible || answer.in_vain;
  if (!stuck || !answer.subject) return {};
  constexpr std::array kCarriedOver = {Group::state, Group::overlay, Group::question, Group::scheduler};
  const Options& options = session.options;
  // A pod that was made for this question is made again.
  const bool made = options.arguments.empty() && !session.overlaid.pods.empty();
  const bool connected = !written_again(options, std::array{Group::connection}).empty();
  return Line{{{fmt::format("ways in: {} fit{}{}{}", session.program, written_again(options, kCarriedOver, made ? "" : "namespace"),
                            made ? "" : " " + cluster.key(answer.subject),
                            connected ? ", with the flags that name the cluster" : ""),
                Tone::dim}}};
}

// --at and --horizon: the answers to one question at several moments.
auto over_time(const Session& session, const Snapshot& cluster, const std::vector<Subject>& subjects,
               const Asked& asked, const Grounds& grounds) -> Result<Done> {
  if (subjects.size() != 1)
    return fail(fmt::format("--at and --horizon need one POD, not {}", subjects.size()));
  const Subject& subject = subjects.front();
  PREVICT_TRY(const Engine* engine, choose_engine(engines(), session.options.engine, cluster, subject));
  Question question = asked.question;
  question.kind = subject.kind;
  question.ns = subject.ns;
  question.name = subject.name;
  if (session.options.at.empty()) {
    PREVICT_TRY(const Instant end, moment_from(session.options.horizon, asked.question.now, "--horizon"));
    PREVICT_TRY(const std::vector<Interval> intervals, timeline(*engine, cluster, question, end));
    return Done{timeline_report(intervals, grounds, end, question.flush_seconds), kAnswered};
  }
  std::vector<Instant> moments;
  for (const std::string& text : session.options.at) {
    PREVICT_TRY(const Instant at, moment_from(text, asked.question.now, "--at"));
    moments.push_back(at);
  }
  PREVICT_TRY(const std::vector<Interval> intervals, answers_at(*engine, cluster, question, moments));
  return Done{timeline_report(intervals, grounds, Instant::never(), question.flush_seconds), kAnswered};
}

auto run(Session& session) -> Result<Done> {
  PREVICT_TRY(const FailOn fail_on, fail_on_of(session.options.fail_on));
  if (session.options.watch && !session.options.filenames.empty()) {
    return fail("--watch asks a cluster, and -f names a dump that does not change");
  }
  PREVICT_CHECK(load_state(session));
  PREVICT_TRY(const Asked asked, asked_by(session));
  const Snapshot cluster(session.objects);
  PREVICT_CHECK(check_nodes(cluster, session.options.nodes));
  PREVICT_TRY(const std::vector<Subject> subjects, subjects_of(session, cluster));

  const Grounds grounds = grounds_of(session, cluster, asked);
  if (!session.options.horizon.empty() || !session.options.at.empty())
    return over_time(session, cluster, subjects, asked, grounds);
  std::vector<Answer> answers;
  for (const Subject& subject : subjects) {
    Result<Answer> answer = ask(subject, cluster, session.options.engine, asked.question);
    if (answer) {
      answers.push_back(*std::move(answer));
    } else if (subjects.size() == 1 || (answers.empty() && &subject == &subjects.back())) {
      return tl::unexpected(std::move(answer).error());
    } else {
      session.objects.diagnostics.warn("not-explained", answer.error().message, answer.error().place);
    }
  }
  Done done{subjects.size() == 1 ? explanation(answers.front(), grounds) : explanations(answers, grounds),
            status_of(answers, grounds, fail_on, session.options.strict)};
  if (answers.size() == 1) {
    if (auto line = way_in(session, answers.front(), cluster)) done.report.blocks.emplace_back(*std::move(line));
  }
  for (const Answer& answer : answers) {
    done.decision += fmt::format("{} {}\n", answer.subject_name, words_of(decision_of(answer, cluster)));
    done.next_change = std::min(done.next_change, answer.next_change);
  }
  return done;
}

constexpr Command kCommand = {
    .name = "explain",
    .what = "what would happen to this pod: fits, preempts whom, or why not",
    .arguments = "[POD]",
    .most_arguments = 1,
    .groups = kTakes,
    .examples =
        "explain train-big-0 -n ml                       a pod of the cluster that kubectl talks to\n"
        "explain -f dump.yaml                            every pending pod, one line each\n"
        "explain -f dump.yaml ml/train-big-0             one pod, with the reasons\n"
        "explain -f dump.yaml ml/train-big-0 -o json     the same for programs\n"
        "explain -f dump.yaml --with job.yaml            the pod that this job would make",
    .more =
        "POD is NAME, NAMESPACE/NAME, pod/NAME or podgroup/NAMESPACE/NAME. Without it, a single pending pod "
        "is "
        "explained, several get one line each.\n"
        "Exit status: 0 answered; 1 a --fail-on condition holds; 2 not answered, nothing on stdout; 3 with "
        "--strict: "
        "answered from incomplete input.",
    .run = run};

}  // namespace

const Command& explain_command = kCommand;

}  // namespace previct::cli
