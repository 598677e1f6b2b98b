#include "analysis/alike_pods.h"
#include "analysis/decision.h"
#include "analysis/explanation.h"
#include "analysis/list_answers.h"
#include "analysis/second_step.h"
#include "analysis/subject.h"
#include "analysis/timeline.h"
#include "base/contains.h"
#include "base/shard.h"
#include "base/text.h"
#include "cli/backlog.h"
#include "cli/command.h"
#include "cli/fail_on.h"
#include "cli/load.h"
#include "cli/message.h"
#include "cli/next_steps.h"
#include "cli/question.h"
#include "cli/workloads.h"
#include "cluster/where_read.h"
#include "overlay/admission.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace previct::cli {
namespace {

constexpr std::array kExplainTakes = {Group::state,  Group::reading,    Group::live,      Group::connection,
                                      Group::watch,  Group::overlay,    Group::question,  Group::selection,
                                      Group::nodes,  Group::time,       Group::scheduler, Group::message,
                                      Group::output, Group::strictness, Group::help};

auto check_nodes(const Snapshot& cluster, const std::vector<std::string>& names) -> Result<void> {
  for (const std::string& name : names) {
    if (cluster.find_node(cluster.symbol(name))) continue;
    std::vector<std::string> known;
    for (const Node& node : cluster.nodes()) known.emplace_back(cluster.text(node.meta.name));
    const auto meant = nearest(name, known);
    return fail(fmt::format("no node {} {}{} ({})", name, where_read(cluster.objects()),
                            meant ? fmt::format("; did you mean {}?", *meant) : "",
                            counted(known.size(), "node", "nodes")));
  }
  return {};
}

// A phase of Pending suggests that a scheduler has to place these pods, but they are on nodes.
auto pending_on_nodes(const Snapshot& cluster, const std::string& ns) -> std::string {
  const Symbol pending = cluster.symbol("Pending");
  std::size_t count = 0;
  for (const Pod& pod : cluster.pods()) {
    const bool meant = ns.empty() || cluster.text(pod.meta.ns) == ns;
    if (pending && meant && pod.status.phase == pending && pod.spec.node_name) ++count;
  }
  if (count == 0) return "";
  return fmt::format("{} Pending by phase, but already on a node: the kubelet has not started {} yet",
                     counted(count, "pod is", "pods are"), count == 1 ? "it" : "them");
}

auto ask(const Subject& subject, const Snapshot& cluster, const std::string& engine, Question question)
    -> Result<Answer> {
  PREVICT_TRY(const Engine* chosen, choose_engine(engines(), engine, cluster, subject));
  return explain(*chosen, cluster, about(subject, std::move(question)));
}

// A pod that is on a node may be evicted by a scheduler that has not placed it: the answer names that, too.
void add_other_eviction(const Subject& subject, const Snapshot& cluster, Question question, Answer& answer) {
  if (!subject.pod || answer.outcome != Outcome::scheduled) return;
  question = about(subject, std::move(question));
  for (const Engine* engine : engines()) {
    if (engine->name() == answer.engine || !engine->evicts_pod_of_others(cluster, subject.pod)) continue;
    const Result<Answer> other = explain(*engine, cluster, question);
    if (!other || (other->outcome == Outcome::scheduled && other->evicted_for.empty())) continue;
    answer.sentence += fmt::format("; its {} {}", engine->asked_kind(), other->sentence);
    add_gaps(other->gaps, answer.gaps);
  }
}

// In a list, each answer is one line of a table: the rest of the answer is large, and is dropped.
auto ask_for_line(const Subject& subject, const Snapshot& cluster, const std::string& engine, Question question,
                  bool with_nodes) -> Result<Answer> {
  constexpr std::size_t kMostWithAssumptions = 100;
  question.brief = !question.documents;
  question.follows_assumptions = !question.brief || question.among <= kMostWithAssumptions;
  PREVICT_TRY(Answer answer, ask(subject, cluster, engine, question));
  answer.account.reset();
  answer.assumed.clear();
  if (question.brief && !with_nodes) release_node_lists(answer, question.possible_victims);
  return answer;
}

/// Evaluates, for the answers of a list, whether the pods that they release get nodes, each as if it were alone.
class Released {
 public:
  Released(Objects& objects, const Question& question) : objects_(objects), question_(question) {}

  void add(const Answer& answer) {
    std::string& words = left_pending.emplace_back();
    std::size_t pods = 0;
    for (const ReleasedPods& each : answer.releases) pods += each.count;
    if (pods == 0 || !is_schedulable(answer)) return;
    if (pods > pods_left_) return void(++not_placed);
    pods_left_ -= pods;
    const auto step = second_step(objects_, answer, question_);
    const std::size_t without = step ? step->without_node() : 0;
    if (without == 0) return;
    words =
        fmt::format("{} of its {} {} no node", without, counted(pods, "pod", "pods"), without == 1 ? "gets" : "get");
    some_wait = true;
  }

  // As in Backlog.
  std::vector<std::string> left_pending{};
  std::size_t not_placed = 0;
  bool some_wait = false;

 private:
  Objects& objects_;
  const Question& question_;
  std::size_t pods_left_ = 100;  // each is a question of its own
};

auto shows_names(const Options& options) -> bool {
  return std::any_of(options.outputs.begin(), options.outputs.end(),
                     [](const std::string& output) { return output.starts_with("name"); });
}

// Returns true if the victims on every possible node matter, not only those that a line shows.
auto looks_at_all(const Options& options, const FailOn& fail_on) -> bool {
  return options.possible || shows_names(options) || fail_on.pdb_violation || fail_on.victim_priority;
}

// -o name omits pods whose eviction is uncertain; warns readers of that output.
void warn_of_nameless(const Options& options, const std::vector<Answer>& answers, Diagnostics& diagnostics) {
  if (options.possible || !shows_names(options)) return;
  for (const Answer& answer : answers) {
    const std::size_t all = possible_victims(answer).size();
    const std::size_t certain = certain_victims(answer).size();
    if (certain == all) continue;
    diagnostics.warn("uncertain-victims",
                     fmt::format("{}: {} of {} are certain; --possible names all of them", answer.subject_name, certain,
                                 counted(all, "possible victim", "possible victims")));
  }
}

// --at and --horizon: answers to one question at several moments.
auto over_time(const Session& session, Objects& objects, const Snapshot& cluster, const Subject& subject,
               const Asked& asked, const ReportContext& context, const FailOn& fail_on) -> Result<CommandResult> {
  const Options& options = session.options;
  PREVICT_TRY(const Engine* engine, choose_engine(engines(), options.engine, cluster, subject));
  const Question question = about(subject, asked.question);
  std::vector<Interval> intervals;
  Instant end = Instant::never();
  if (options.at.empty()) {
    PREVICT_TRY(end, moment_from(options.horizon, asked.question.now, "--horizon"));
    PREVICT_TRY(intervals, timeline(*engine, objects, cluster, question, end));
  } else {
    std::vector<Instant> moments;
    for (const std::string& text : options.at) {
      PREVICT_TRY(const Instant at, moment_from(text, asked.question.now, "--at"));
      moments.push_back(at);
    }
    PREVICT_TRY(intervals, answers_at(*engine, objects, cluster, question, moments));
  }
  std::vector<Answer> answers;
  answers.reserve(intervals.size());
  for (const Interval& interval : intervals) answers.push_back(interval.answer);
  return CommandResult{timeline_report(intervals, context, end),
                       status_of(fail_on, options.strict, provenance_of(answers, context), answers, context)};
}

// Fails for flags that another flag makes impossible.
auto check_explain_flags(const Options& options) -> Result<void> {
  if (options.watch && !options.filenames.empty()) {
    return fail("--watch reads a live cluster, and cannot be combined with -f");
  }
  const bool over_time = !options.at.empty() || !options.horizon.empty();
  if (!options.at.empty() && !options.horizon.empty()) {
    return fail("--at and --horizon cannot be combined");
  }
  if (over_time && !options.nodes.empty()) {
    return fail(fmt::format("--node cannot be combined with {}", options.at.empty() ? "--horizon" : "--at"), {},
                "use --now to select another time");
  }
  return {};
}

// --at, --horizon and --node require a single pod; --node requires a scheduler that evaluates nodes separately.
auto check_subjects(const Options& options, const Snapshot& cluster, const std::vector<Subject>& subjects)
    -> Result<void> {
  for (const Subject& subject : subjects) {
    const auto engine = choose_engine(engines(), options.engine, cluster, subject);
    Result<void> read = engine ? check_files_read(options, **engine) : Result<void>{};
    if (read) break;
    if (&subject == &subjects.back()) return read;
  }
  const char* flag = !options.at.empty()        ? "--at"
                     : !options.horizon.empty() ? "--horizon"
                     : !options.nodes.empty()   ? "--node"
                                                : nullptr;
  if (flag == nullptr) return {};
  if (subjects.size() != 1) return fail(fmt::format("{} needs one POD, not {}", flag, subjects.size()));
  if (options.nodes.empty()) return {};
  PREVICT_TRY(const Engine* engine, choose_engine(engines(), options.engine, cluster, subjects.front()));
  if (engine->explains_nodes()) return {};
  return fail(fmt::format("--node works only for kube-scheduler, and this pod uses {}", engine->name()));
}

// --shard I/N: this part of the list of pending pods.
auto part_of(const Options& options, std::vector<Subject> subjects) -> Result<std::vector<Subject>> {
  if (!is_part_of_work(options.shard)) return subjects;
  if (!options.arguments.empty()) return fail("--shard I/N cannot be combined with POD");
  PREVICT_TRY(const Shard shard, read_shard(options.shard));
  const Slice slice = slice_of(shard, subjects.size());
  return std::vector<Subject>(subjects.begin() + static_cast<std::ptrdiff_t>(slice.begin),
                              subjects.begin() + static_cast<std::ptrdiff_t>(slice.end));
}

// The effects of pods on each other need all pods together; a line of -o jsonl, and a part of the list, must be
// independent.
auto tells_in_turn(const Options& options) -> bool {
  const auto alone = [](const std::string& output) { return output.starts_with("jsonl"); };
  const bool only_lines =
      !options.outputs.empty() && std::all_of(options.outputs.begin(), options.outputs.end(), alone);
  return !is_part_of_work(options.shard) && !only_lines;
}

// Adds the first commands, one per line, at the end of the short answer.
void add_commands(const Paragraph& steps, std::vector<Block>& brief) {
  constexpr std::size_t kShown = 2;
  auto* const end = std::get_if<Paragraph>(&brief.back());
  if (end == nullptr) return;
  end->broken = true;
  end->lines.push_back({{{"next steps:", Tone::dim}}});
  for (std::size_t i = 0; i < std::min(kShown, steps.lines.size()); ++i)
    end->lines.push_back({{{"  " + steps.lines[i].spans.back().text, Tone::code}}});
}

// What no format shows is not computed.
void show_only_what_is_asked(const Session& session, Question& question) {
  question.documents = session.documents;
  question.evidence = session.evidence;
  question.tables = session.blocks || session.brief;
  question.findings = false;
}

// In a list of answers, each has lists of its own.
auto extent_of_lists(const Session& session, bool single) -> Extent {
  return single ? session.extent : Extent{0, session.extent.bytes};
}

void add_decisions(const std::vector<Answer>& answers, const Snapshot& cluster, CommandResult& done) {
  for (const Answer& answer : answers) {
    const Decision decision = decision_of(answer, cluster);
    done.decision += fmt::format("{} {} {} {} {} {}\n", answer.subject_name, outcome_name(decision.outcome),
                                 decision.node, fmt::join(decision.tied.begin(), decision.tied.end(), " "),
                                 fmt::join(decision.possible.begin(), decision.possible.end(), " "), answer.cause.id);
    done.next_change = std::min(done.next_change, answer.next_change);
  }
}

auto run_explain(Session& session) -> Result<CommandResult> {
  const Options& options = session.options;
  if (is_given(options, "message")) return explain_message(session);
  const bool one_moment = options.at.empty() && options.horizon.empty();
  PREVICT_TRY(const FailOn fail_on,
              fail_on_of(options, one_moment ? ResultKind::decisions : ResultKind::brief_decisions));
  PREVICT_CHECK(check_explain_flags(options));
  PREVICT_TRY(Loaded & loaded, load_state(session, {.keeps_objects = true}));
  const Snapshot& cluster = loaded.cluster();
  PREVICT_TRY(Asked asked, asked_by(session, loaded, cluster));
  show_only_what_is_asked(session, asked.question);
  PREVICT_CHECK(check_nodes(cluster, options.nodes));
  PREVICT_TRY(const std::vector<Subject> all, subjects_of(session, loaded, cluster, asked.question));
  PREVICT_CHECK(check_subjects(options, cluster, all));
  PREVICT_TRY(const std::vector<Subject> subjects, part_of(options, all));
  const bool single = all.size() == 1 && subjects.size() == 1;

  if (single && subjects.front().pod) PREVICT_CHECK(check_class(cluster.pod(subjects.front().pod), loaded.objects));
  ReportContext context = context_of(session, loaded, cluster, asked);
  context.extent = asked.question.extent = extent_of_lists(session, single);
  if (!single) note_namespace(session, context);
  // The part of the list that --shard selects may be empty.
  if (!one_moment && !subjects.empty())
    return over_time(session, loaded.objects, cluster, subjects.front(), asked, context, fail_on);
  std::vector<Answer> answers;
  asked.question.among = subjects.size();
  // A line shows the victims on one node.
  if (!single && !asked.question.documents) asked.question.possible_victims = looks_at_all(options, fail_on);
  ListAnswers list(cluster, subjects, answers,
                   {.engine = options.engine,
                    // A document shows more of a pod than a line does.
                    .alike_share = !asked.question.documents,
                    .question = asked.question,
                    .ask = [&](const Snapshot& of_thread, const Subject& subject, const Question& question) {
                      return ask_for_line(subject, of_thread, options.engine, question, options.watch);
                    }});
  std::optional<ExplanationRows> rows;
  if (!single && session.documents && session.may_pack) rows.emplace(context);
  Released released(loaded.objects, asked.question);
  for (const Subject& subject : subjects) {
    Result<Answer> answer = single ? ask(subject, cluster, options.engine, asked.question) : list.next();
    if (answer && single && options.engine == "auto") add_other_eviction(subject, cluster, asked.question, *answer);
    if (answer) {
      if (!single) released.add(*answer);
      answers.push_back(rows ? rows->add(*std::move(answer)) : *std::move(answer));
    } else if (single || (!is_part_of_work(options.shard) && answers.empty() && &subject == &subjects.back())) {
      return tl::unexpected(std::move(answer).error());
    } else {
      loaded.objects.diagnostics.warn("not-explained", answer.error().message, answer.error().place);
    }
  }
  warn_of_nameless(options, answers, loaded.objects.diagnostics);
  SecondStep step;
  if (single) {
    PREVICT_TRY(step, second_step(loaded.objects, answers.front(), asked.question));
    add_gaps(step.gaps, answers.front().gaps);
  }
  Provenance provenance = provenance_of(answers, context);
  std::string_view kinds = "pods";
  if (answers.empty()) {
    PREVICT_TRY(const Engine* engine, main_engine(engines(), options.engine, cluster));
    if (const Engine* const lacking = engine_without_subjects(cluster)) engine = lacking;
    provenance.add(engine->name(), "", missing_kinds(loaded.objects, engine->needs()));
    if (engine->simulates_cycles()) kinds = "workloads or pods";
  }
  CommandResult done{.report = {}, .status = status_of(fail_on, options.strict, provenance, answers, context)};
  if (single) {
    done.report = explanation(answers.front(), context);
    // What is admitted, and whose pods then get no node, stays pending.
    add_second_step(step, done.report);
    if (step.leaves_pending() && contains(fail_on.outcomes, "pending")) done.status = kFindings;
    if (step.is_open() && options.strict && done.status == kAnswered) done.status = kIncomplete;
  } else {
    std::vector<std::optional<SimulatedOutcome>> in_turn(answers.size());
    if (tells_in_turn(options)) {
      PREVICT_TRY(in_turn, simulate_backlog(loaded.objects, cluster, asked, answers));
    }
    const auto packed = rows ? std::make_shared<PackedRows>(rows->finish()) : nullptr;
    done.items = packed;
    const std::string where =
        is_part_of_work(options.shard) ? fmt::format("in part {} of the list", options.shard) : where_of(session);
    const Backlog backlog{.answers = answers,
                          .in_turn = std::move(in_turn),
                          .left_pending = std::move(released.left_pending),
                          .not_placed = released.not_placed,
                          .unanswered = subjects.size() - answers.size(),
                          .documents = packed.get(),
                          .kinds = kinds};
    if (released.some_wait && contains(fail_on.outcomes, "pending")) done.status = kFindings;
    done.report = backlog_report(backlog, provenance, where, context);
    if (all.empty()) {
      if (const std::string line = pending_on_nodes(cluster, namespace_of(options)); !line.empty())
        done.report.blocks.emplace_back(Paragraph{"", {{{{line}}}}});
      PREVICT_TRY(const std::string hint, hint_at_workload(session, loaded.objects));
      if (!hint.empty()) done.report.blocks.emplace_back(Paragraph{"", {{{{hint}}}}});
    }
  }
  if (answers.size() == 1 && !is_part_of_work(options.shard)) {
    if (auto steps = next_steps(session, loaded, answers.front(), cluster, context.now)) {
      done.report.blocks.emplace_back(*steps);
      if (!done.report.brief.empty()) add_commands(*steps, done.report.brief);
    }
  }
  if (options.watch) add_decisions(answers, cluster, done);
  return done;
}

}  // namespace

const Command& explain_command = Command{
    .name = "explain",
    .task = Task::explain,
    .what = "explain what a scheduler would do with a pending pod",
    .arguments = "[POD]",
    .most_arguments = 1,
    .groups = kExplainTakes,
    .examples =
        "explain train-big-0 -n ml                       a pod of the live cluster\n"
        "explain -f dump.yaml                            every pending pod, one line each\n"
        "explain -f dump.yaml ml/train-big-0             one pod, with the reasons\n"
        "explain -f dump.yaml ml/train-big-0 -o json     the same for programs\n"
        "explain -f dump.yaml --with job.yaml            the pod of this Job\n"
        "explain -f kueue.yaml workload/vision/job-train   a Workload of Kueue, then its pods\n"
        "explain --message \"0/3 nodes are available: ...\"   the meaning of a message, without a dump\n"
        "explain --message - < events.txt                the messages in a text: kubectl get events, describe, a log",
    .more =
        "POD is NAME, NAMESPACE/NAME, pod/NAME, podgroup/NAMESPACE/NAME (KAI Scheduler), workload/NAMESPACE/NAME or "
        "job/NAME (Kueue). Without POD, previct explains a single pending pod, or prints one line for each of several. "
        "With --shard I/N and -o jsonl, the concatenated outputs of all parts equal the output of a single run.\n"
        "-o app=FILE writes a page for browsers with the program and the input inside, for readers who ask further "
        "questions.\n"
        "Exit status: 0 answered; 1 a --fail-on condition holds; 2 not answered, nothing on stdout; 3 with "
        "--strict: answered from incomplete input.",
    .run = run_explain,
    .read_only = true};

}  // namespace previct::cli
