#include "analysis/decision.h"

#include "analysis/list_answers.h"
#include "analysis/queue_protection_report.h"
#include "base/contains.h"
#include "base/text.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

namespace previct {
namespace {

constexpr std::size_t kNamed = 3;  // victims

auto shield_of(const Protection& row, const Snapshot& cluster) -> ProtectionSummary {
  const ToleratingLine& line = row.line;
  const std::string_view name = cluster.text(cluster.pod(line.pod).spec.priority_class_name);
  ProtectionSummary shield{name.empty() ? "-" : std::string(name), {}};
  if (row.ended) {
    shield.words = "ended";
  } else if (row.node_fails) {
    shield.words = "preemption fails on its node";  // the pod whose class is missing is not named
  } else if (line.until.is_never()) {
    shield.words = line.why.starts_with("forever") ? line.why : "forever, " + line.why;
  } else {
    shield.words = line.since == Instant{} ? fmt::format("until {}", format_clock(line.until, Instant{}))
                                           : fmt::format("for {}", format_age(seconds_between(line.since, line.until)));
    if (!line.why.empty()) shield.words += ", " + line.why;
  }
  if (!row.only_against.empty()) shield.words += fmt::format(", only against {}", row.only_against);
  return shield;
}

/// Lists of names, each of which is stored once.
class StoredLists {
 public:
  void store(SharedList<std::string>& list) { list = *lists_.insert(list).first; }

 private:
  struct Less {
    auto operator()(const SharedList<std::string>& a, const SharedList<std::string>& b) const -> bool {
      return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
    }
  };
  std::set<SharedList<std::string>, Less> lists_;
};

/// The names of sets of nodes, each of which is stored once.
class NamesOfNodes {
 public:
  explicit NamesOfNodes(const Snapshot& cluster) : cluster_(cluster) {}

  auto of(const std::vector<NodeId>& nodes) -> const SharedList<std::string>& {
    const auto [at, is_new] = names_.try_emplace(nodes);
    if (!is_new) return at->second;
    at->second.reserve(nodes.size());
    for (const NodeId node : nodes) at->second.emplace_back(cluster_.name(node));
    return at->second;
  }

 private:
  const Snapshot& cluster_;
  std::map<std::vector<NodeId>, SharedList<std::string>> names_;
};

// The same names, in any order.
template <class Names>
auto same_names(const Names& a, const Names& b) -> bool {
  if (std::equal(a.begin(), a.end(), b.begin(), b.end())) return true;
  return std::set<std::string_view>(a.begin(), a.end()) == std::set<std::string_view>(b.begin(), b.end());
}

}  // namespace

auto longest_by_pod(const Protections& protections) -> std::map<PodId, const Protection*> {
  std::map<PodId, const Protection*> longest;
  for (const Protection& row : protections.rows) {
    const Protection*& best = longest[row.line.pod];
    const bool longer = best == nullptr || (best->ended && !row.ended) ||
                        (best->ended == row.ended && best->line.until < row.line.until);
    if (longer) best = &row;
  }
  return longest;
}

auto operator==(const Decision& a, const Decision& b) -> bool {
  const auto same = [&](auto Decision::*list) { return same_names(a.*list, b.*list); };
  const bool alike = a.asked == b.asked && a.outcome == b.outcome && a.chooses() == b.chooses() &&
                     a.assigned == b.assigned && same(&Decision::tied) && same(&Decision::possible) &&
                     same(&Decision::certain);
  if (!alike) return false;
  if (a.tied.size() > 1) return true;
  return a.node == b.node && (a.open ? a.victims.size() == b.victims.size() : same(&Decision::victims));
}

static auto decision_of(const Answer& answer, const Snapshot& cluster, NamesOfNodes& names) -> Decision {
  Decision decision{.outcome = answer.outcome,
                    .node = answer.node,
                    .tied = names.of(answer.tied),
                    .victims = answer.evicted,
                    .assigned = answer.assigned,
                    .possible = {},
                    .pdb_violations = answer.pdb_violations,
                    .sentence = answer.sentence,
                    .next_change = answer.next_change};
  for (const Victim& victim : answer.victims) {
    if (answer.evicted.empty()) decision.victims.push_back(cluster.key(victim.pod));
    decision.open = decision.open || !victim.certain;
    if (victim.certain) decision.certain.push_back(cluster.key(victim.pod));
  }
  for (const PodId pod : victims_of_one_end(answer)) decision.one_end.push_back(cluster.key(pod));
  for (const PodId pod : possible_victims(answer)) decision.possible.push_back(cluster.key(pod));
  std::sort(decision.possible.begin(), decision.possible.end());
  return decision;
}

auto decision_of(const Answer& answer, const Snapshot& cluster) -> Decision {
  NamesOfNodes names(cluster);
  return decision_of(answer, cluster, names);
}

auto words_of(const Decision& decision) -> std::string {
  // With several possible pods or nodes, the victims are only one choice, and the sentence is more precise.
  if (!decision.asked || decision.outcome != Outcome::preempts || decision.victims.empty() ||
      decision.victims.size() > kNamed || decision.tied.size() > 1 || decision.open) {
    return decision.sentence;
  }
  return fmt::format("preempts {}{}{}", joined(decision.victims, ", "), decision.node.empty() ? "" : " on ",
                     decision.node);
}

auto QueueLength::words() const -> std::string {
  return fmt::format("{} ({})", length, set_by);
}

namespace {

// Returns the gaps of what was added.
auto add_protections(const Engine& main, const Snapshot& cluster, Question question, ClusterDecisions& stock)
    -> Result<std::vector<Gap>> {
  question.evidence = false;
  Result<Protections> found = protections(main, cluster, question);
  // A design document may say nothing about protection; a broken configuration stops the comparison.
  if (!found && (question.yunikorn_mode == "release" || found.error().place.file))
    return tl::unexpected(std::move(found).error());
  stock.knows_protection = found.has_value();
  if (!found) return std::vector<Gap>{};
  stock.rules.push_back({found->engine, found->behaves});
  for (const auto& [pod, row] : longest_by_pod(*found))
    stock.shields.emplace(cluster.key(pod), shield_of(*row, cluster));
  return std::move(found->gaps);
}

void add_queues(const QueueProtections& found, ClusterDecisions& stock) {
  stock.queue_setting = found.setting;
  if (found.leaves.size() > kMostLeafQueuesInPairs) {
    stock.queues_left_out = found.leaves.size();
    return;
  }
  for (const QueueProtection& row : found.rows) {
    for (const std::string& preemptor : row.preemptors)
      stock.queues[{row.victim, preemptor}] = {row.action, row.nanos, row.length, row.set_by};
  }
}

auto ask_for_decision(const Snapshot& cluster, const Subject& subject, const std::string& engine,
                      const Question& question) -> Result<Answer> {
  PREVICT_TRY(const Engine* chosen, choose_engine(engines(), engine, cluster, subject));
  Question asked = about(subject, question);
  asked.documents = asked.tables = asked.findings = false;  // these and what follows are large, and no part of it
  PREVICT_TRY(Answer answer, explain(*chosen, cluster, asked));
  answer.account.reset();
  answer.assumed.clear();
  return answer;
}

}  // namespace

auto decide_subjects(const Snapshot& cluster, const Question& question, const std::string& engine,
                     const std::vector<std::string>& subjects, ClusterDecisions& stock) -> Result<void> {
  std::vector<Subject> found;
  std::vector<std::string> names;  // of these, as they are in `subjects`
  for (const std::string& name : subjects) {
    auto subject = find_subject(cluster, name, "default");
    if (!subject) continue;
    found.push_back(*std::move(subject));
    names.push_back(name);
  }
  NamesOfNodes names_of_nodes(cluster);
  StoredLists lists;
  std::vector<Answer> answers;  // empty: decisions are shared instead
  ListAnswers list(cluster, found, answers,
                   {.engine = engine,
                    .question = question,
                    .ask = [&](const Snapshot& of_thread, const Subject& subject, const Question& asked) {
                      return ask_for_decision(of_thread, subject, engine, asked);
                    }});
  for (const std::string& name : names) {
    const Result<Answer> answer = list.next();
    answers.emplace_back();
    if (const auto first = list.shared()) {
      stock.decisions[name] = stock.decisions.at(names[*first]);
      continue;
    }
    // A pod of an unknown scheduler stays unanswered; a broken configuration stops the comparison.
    if (!answer && answer.error().place.file) return tl::unexpected(answer.error());
    if (!answer) {
      Decision& unanswered = stock.decisions[name];
      unanswered.asked = false;
      unanswered.sentence = answer.error().message;
      continue;
    }
    ClusterDecisions::Rules rules{answer->engine, answer->behaves};
    const bool known = !stock.rules.empty() && stock.rules.front().engine == rules.engine;
    if (!known && !contains(stock.rules, rules)) stock.rules.push_back(std::move(rules));
    add_gaps(answer->gaps, stock.gaps);
    Decision& decision = stock.decisions[name];
    decision = decision_of(*answer, cluster, names_of_nodes);
    lists.store(decision.possible);
  }
  return {};
}

auto evaluate_cluster(Objects& objects, const Question& question, const std::string& engine,
                      const std::vector<std::string>& subjects) -> Result<ClusterDecisions> {
  const Snapshot cluster(objects);
  ClusterDecisions stock;
  stock.now = question.now;
  PREVICT_TRY(const Engine* main, main_engine(engines(), engine, cluster));
  PREVICT_TRY(const std::vector<Gap> gaps, add_protections(*main, cluster, question, stock));
  PREVICT_TRY(const auto between, queue_protections(*main, cluster, question, {}));
  if (between) add_queues(*between, stock);
  PREVICT_CHECK(decide_subjects(cluster, question, engine, subjects, stock));
  add_gaps(gaps, stock.gaps);
  return stock;
}

auto pending_names(Objects& objects, std::string_view ns) -> std::vector<std::string> {
  const Snapshot cluster(objects);
  std::vector<std::string> names;
  for (const Subject& subject : pending_subjects(cluster, ns)) names.push_back(cluster.key(subject.pod));
  Question question;
  question.now = objects.newest;
  for (const Engine* engine : engines()) {
    const auto waiting = engine->pending(cluster, question, ns);
    if (!waiting) continue;
    for (const AskedObject& each : *waiting)
      names.push_back(fmt::format("{}/{}/{}", engine->asked_kind(), each.ns, each.name));
  }
  return names;
}

}  // namespace previct
