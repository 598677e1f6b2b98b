#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "analysis/explanation.h"
#include "analysis/subject.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/fail_on.h"
#include "cli/state.h"

namespace previct::cli {
namespace {

constexpr std::array kTakes = {Group::state,  Group::question,   Group::scheduler,
                               Group::output, Group::strictness, Group::help};

constexpr std::size_t kFieldsToLocate = 200;

// Only these formats show places; finding them means reading parts of the input again.
auto shows_places(const Options& options) -> bool {
  return std::any_of(options.outputs.begin(), options.outputs.end(),
                     [](const std::string& output) { return !output.starts_with("text") && !output.starts_with("name"); });
}

auto check_nodes(const Snapshot& cluster, const std::vector<std::string>& names) -> Result<void> {
  for (const std::string& name : names) {
    if (cluster.find_node(cluster.symbol(name))) continue;
    std::vector<std::string> known;
    for (const Node& node : cluster.nodes()) known.emplace_back(cluster.text(node.meta.name));
    const auto meant = nearest(name, known);
    return fail(fmt::format("no node {} in the input{} ({})", name, meant ? fmt::format("; did you mean {}?", *meant) : "",
                            counted(known.size(), "node", "nodes")));
  }
  return {};
}

// What the question is about: the pod named, or every pending one.
auto subjects_of(const Session& session, const Snapshot& cluster) -> Result<std::vector<Subject>> {
  const Options& options = session.options;
  if (options.arguments.empty()) return pending_subjects(cluster, options.all_namespaces ? "" : options.ns);
  PREVICT_TRY(Subject subject, find_subject(cluster, options.arguments.front(), options.ns.empty() ? "default" : options.ns));
  return std::vector{std::move(subject)};
}

auto ask(const Subject& subject, const Snapshot& cluster, const std::string& engine, Question question) -> Result<Answer> {
  PREVICT_TRY(const Engine* chosen, choose_engine(engines(), engine, cluster, subject));
  question.kind = subject.kind;
  question.ns = subject.ns;
  question.name = subject.name;
  return chosen->explain(cluster, question);
}

auto run(Session& session) -> Result<Done> {
  PREVICT_TRY(const FailOn fail_on, fail_on_of(session.options.fail_on));
  PREVICT_CHECK(load_state(session));
  PREVICT_TRY(const Asked asked, asked_by(session));
  const Snapshot cluster(session.objects);
  PREVICT_CHECK(check_nodes(cluster, session.options.nodes));
  PREVICT_TRY(const std::vector<Subject> subjects, subjects_of(session, cluster));

  Grounds grounds{.cluster = cluster,
                  .now = asked.question.now,
                  .now_source = asked.now_source,
                  .input_gaps = {},
                  .fields_to_locate = shows_places(session.options) ? kFieldsToLocate : 0};
  if (session.objects.inputs_skipped) {
    grounds.input_gaps.push_back({Gap::Kind::missing_kind, "inputs left out by --keep-going", "anything may be missing"});
  }
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
  return Done{subjects.size() == 1 ? explanation(answers.front(), grounds) : explanations(answers, grounds),
              status_of(answers, grounds, fail_on, session.options.strict)};
}

constexpr Command kCommand = {
    .name = "explain",
    .what = "what would happen to this pod: fits, preempts whom, or why not",
    .arguments = "[POD]",
    .most_arguments = 1,
    .groups = kTakes,
    .examples = "explain -f dump.yaml                            every pending pod, one line each\n"
                "explain -f dump.yaml ml/train-big-0             one pod, with the reasons\n"
                "explain -f dump.yaml ml/train-big-0 -o json     the same for programs",
    .more = "POD is NAME, NAMESPACE/NAME, pod/NAME or podgroup/NAMESPACE/NAME. Without it, a single pending pod is "
            "explained, several get one line each.\n"
            "Exit status: 0 answered; 1 a --fail-on condition holds; 2 not answered, nothing on stdout; 3 with --strict: "
            "answered from incomplete input.",
    .run = run};

}  // namespace

const Command& explain_command = kCommand;

}  // namespace previct::cli
