#include "history/rerun.h"

#include "analysis/subject.h"
#include "api/fields.h"
#include "base/contains.h"
#include "cluster/pod_request.h"
#include "tell/tell.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace previct::history {
namespace {

constexpr std::size_t kMostEndings = 6;  // numbers of ended pods that are tried, for one decision
constexpr std::size_t kMostGuesses = 40;

/// The nodes whose pods exceed their resources, with the first such resource.
auto overfull(const Snapshot& cluster, bool with_terminating) -> std::map<std::string, std::string> {
  std::map<std::string, std::string> out;
  for (const NodeId node : cluster.nodes().ids()) {
    ResourceList used;
    for (const PodId pod : cluster.pods_on(node)) {
      if (!with_terminating && cluster.pod(pod).meta.deleting) continue;
      for (const auto& [name, quantity] : pod_request(cluster, cluster.pod(pod), RequestOf::placed)) {
        used.add(name, quantity);
      }
    }
    const ResourceList& has = cluster.node(node).status.allocatable;
    for (const auto& [name, quantity] : used) {
      const Quantity room = has.get(name).value_or(Quantity());
      if (quantity <= room) continue;
      const Quantity more = Quantity::of_nanos(quantity.nanos() - room.nanos());
      out.emplace(cluster.name(node), fmt::format("{} more {} than it has", format_quantity(more), cluster.text(name)));
      break;
    }
  }
  return out;
}

class Runner {
 public:
  Runner(const PostMortemInput& inquiry, const Rewind::Past& past, const Preemption& preemption, const Engine& engine)
      : post_mortem_input_(inquiry),
        past_(past),
        cluster_(past.cluster),
        preemption_(preemption),
        engine_(engine),
        question_(inquiry.question),
        overfull_now_(overfull(past.cluster, false)) {
    const ObjectMeta& meta = cluster_.pod(preemption.preemptor).meta;
    question_.kind = "pod";
    question_.ns = cluster_.text(meta.ns);
    question_.name = cluster_.text(meta.name);
    question_.now = preemption.at;
    question_.next_change = false;
  }

  auto run() -> RerunResult {
    RerunResult first = with({});
    if (conclusive(first)) return first;
    for (const Guess& guess : guesses()) {
      RerunResult next = with(guess);
      if (conclusive(next)) return next;
      if (!first.impossible.empty() && next.impossible.empty()) first = std::move(next);
    }
    return first;
  }

 private:
  static auto conclusive(const RerunResult& again) -> bool {
    return !again.rerun || !again.lost.empty() || (again.rerun->same_victims && again.impossible.empty());
  }

  // The remaining guesses, smallest change first; without the guess that changes nothing.
  [[nodiscard]] auto guesses() const -> std::vector<Guess> {
    using Budgets = Guess::Budgets;
    const bool neighbour = std::any_of(past_.preemptions.begin(), past_.preemptions.end(), [&](const Preemption& p) {
      return &p != &preemption_ && same_moment(p, preemption_);
    });
    std::vector<Guess> out;
    for (const bool vanished : {false, true}) {
      if (vanished && past_.vanished.empty()) break;
      for (const Budgets budgets : {Budgets::as_read, Budgets::lowered, Budgets::raised}) {
        if (budgets != Budgets::as_read && !budgets_moved_) break;
        for (const bool after : {false, true}) {
          if (after && !neighbour) break;
          for (const std::size_t ended : endings(ending_)) out.push_back({after, ended, vanished, budgets});
        }
      }
    }
    if (!out.empty()) out.erase(out.begin());
    if (out.size() > kMostGuesses) out.resize(kMostGuesses);
    return out;
  }

  // None, all, and some of the numbers between.
  static auto endings(std::size_t most) -> std::vector<std::size_t> {
    std::vector<std::size_t> out = {0};
    if (most > 0) out.push_back(most);
    for (std::size_t n = 1; n < most && out.size() < kMostEndings; ++n) out.push_back(n);
    return out;
  }

  auto with(const Guess& guess) -> RerunResult {
    const bool under_way = cluster_.pending(preemption_.preemptor);
    const Rewind rewind(post_mortem_input_.objects, past_, preemption_, guess);
    ending_ = rewind.ending();
    budgets_moved_ = rewind.budgets_moved();
    const Snapshot then(post_mortem_input_.objects);
    Result<Answer> answer = explain(engine_, then, question_);
    if (!answer) return {tl::unexpected(answer.error()), {}, {}, 0, false, {}};
    Rerun rerun;
    rerun.answer = *std::move(answer);
    rerun.remarks = rewind.remarks();
    rerun.copied_from = rewind.copied_from();
    preemption_.engine->preempts_on_one_node() ? compare(rerun, then, under_way) : compare_sets(rerun, then, under_way);
    return {std::move(rerun), rewind.lost(),          rewind.others_lost(),
            rewind.ending(),  rewind.budgets_moved(), impossible(then)};
  }

  [[nodiscard]] auto impossible(const Snapshot& then) const -> std::string {
    for (const auto& [node, excess] : overfull(then, true)) {
      if (!overfull_now_.contains(node)) return fmt::format("{} would hold {}", node, excess);
    }
    return {};
  }

  static auto alike(const std::vector<PodId>& pods, const Snapshot& then) -> bool;
  [[nodiscard]] auto observed() const -> std::set<std::string>;
  void compare(Rerun& rerun, const Snapshot& then, bool under_way) const;
  void compare_sets(Rerun& rerun, const Snapshot& then, bool under_way) const;
  void note_victims(Rerun& rerun, const Snapshot& then, const std::vector<PodId>& victims) const;

  const PostMortemInput& post_mortem_input_;
  const Rewind::Past& past_;
  const Snapshot& cluster_;
  const Preemption& preemption_;
  const Engine& engine_;
  Question question_;
  std::map<std::string, std::string> overfull_now_;
  std::size_t ending_ = 0;
  bool budgets_moved_ = false;
};

// Returns true if all of them have the same requests.
auto Runner::alike(const std::vector<PodId>& pods, const Snapshot& then) -> bool {
  const auto amounts = [&](PodId pod) {
    std::map<Symbol, Quantity> of;
    for (const auto& [name, quantity] : pod_request(then, then.pod(pod), RequestOf::incoming))
      of.emplace(name, quantity);
    return of;
  };
  return std::all_of(pods.begin(), pods.end(), [&](PodId pod) { return amounts(pod) == amounts(pods.front()); });
}

auto Runner::observed() const -> std::set<std::string> {
  std::set<std::string> pods;
  for (const Disruption* d : preemption_.victims) pods.insert(d->pod.text());
  return pods;
}

void Runner::note_victims(Rerun& rerun, const Snapshot& then, const std::vector<PodId>& victims) const {
  const std::set<std::string> seen = observed();
  for (const PodId id : victims) {
    Rerun::Victim& victim = rerun.victims.emplace_back();
    victim.pod = then.key(id);
    victim.observed = seen.contains(victim.pod);
    victim.priority = then.pod(id).spec.priority;
    victim.priority_class = then.text(then.pod(id).spec.priority_class_name);
    victim.uid = then.text(then.pod(id).meta.uid);
    for (const VictimLine& line : rerun.answer.victim_lines) {
      if (line.pod != id) continue;
      victim.rule = line.rule;
      victim.why = line.why;
      victim.toleration = line.toleration;
    }
  }
}

// For schedulers that evict pods of several nodes for one preemptor: one possible outcome must be the observed one.
void Runner::compare_sets(Rerun& rerun, const Snapshot& then, bool under_way) const {
  const Answer& answer = rerun.answer;
  const std::set<std::string> want = observed();
  std::vector<std::vector<PodId>> ends = answer.ends;
  if (ends.empty()) {
    ends.emplace_back();
    for (const Victim& victim : answer.victims) ends.back().push_back(victim.pod);
  }
  const auto is_it = [&](const std::vector<PodId>& end) {
    std::set<std::string> got;
    for (const PodId id : end) {
      const std::string pod = then.key(id);
      if (want.contains(pod) || !then.pod(id).meta.deleting) got.insert(pod);
    }
    return !want.empty() && (under_way ? std::includes(got.begin(), got.end(), want.begin(), want.end()) : want == got);
  };
  const auto found = std::find_if(ends.begin(), ends.end(), is_it);
  rerun.same_node = preemption_.node.empty() || contains(then.names(answer.tied), preemption_.node);
  rerun.same_victims = found != ends.end();
  note_victims(rerun, then, found == ends.end() ? ends.front() : *found);
}

// `under_way`: the preemptor still waits in the input, so that some of its victims may not be evicted yet.
void Runner::compare(Rerun& rerun, const Snapshot& then, bool under_way) const {
  const Answer& answer = rerun.answer;
  if (answer.outcome == Outcome::preempts) rerun.possible = then.names(answer.tied);
  rerun.same_node = contains(rerun.possible, preemption_.node);
  const std::string& node = rerun.same_node ? preemption_.node : answer.node;
  const auto found = std::find_if(answer.findings.begin(), answer.findings.end(),
                                  [&](const NodeFinding& finding) { return finding.node == node; });
  const NodeFinding finding = found == answer.findings.end() ? NodeFinding{} : *found;
  rerun.pdb_violations = finding.pdb_violations;

  note_victims(rerun, then, finding.victims);

  // Pods with equal priority and start time are interchangeable; a pod that was already terminating gets no event.
  std::map<std::string, std::string> group;
  std::set<std::string> of_unlike;  // any subset of such a group may be evicted
  for (const std::vector<PodId>& tied : finding.interchangeable) {
    const std::string any = "any of " + then.key(tied.front());
    for (const PodId pod : tied) group[then.key(pod)] = any;
    if (!alike(tied, then)) of_unlike.insert(any);
  }
  rerun.depends_on_order = answer.orders.has_value() ||
                           std::any_of(answer.findings.begin(), answer.findings.end(), [&](const NodeFinding& each) {
                             return std::any_of(each.interchangeable.begin(), each.interchangeable.end(),
                                                [&](const std::vector<PodId>& tied) { return !alike(tied, then); });
                           });
  const auto name = [&](const std::string& key) { return group.contains(key) ? group.at(key) : key; };
  // A victim of an earlier decision is evicted by that decision, even if both selected it.
  std::set<std::string> taken;
  for (const Preemption& other : past_.preemptions) {
    const bool before = other.at < preemption_.at || same_moment(other, preemption_);
    if (&other == &preemption_ || !before) continue;
    for (const Disruption* d : other.victims) taken.insert(d->pod.text());
  }
  std::multiset<std::string> want;
  std::multiset<std::string> got;
  for (const std::string& key : observed()) want.insert(name(key));
  for (const Rerun::Victim& victim : rerun.victims) {
    const std::size_t slash = victim.pod.find('/');
    const PodId id = then.find_pod(victim.pod.substr(0, slash), victim.pod.substr(slash + 1));
    const bool terminating = id && then.pod(id).meta.deleting;
    const bool ours = victim.observed || !(terminating || taken.contains(victim.pod));
    if (ours) got.insert(name(victim.pod));
  }
  for (const std::string& any : of_unlike) {
    if (want.erase(any) == 0) continue;
    got.erase(any);
  }
  const bool all_of_them = under_way ? std::includes(got.begin(), got.end(), want.begin(), want.end()) : want == got;
  rerun.same_victims = rerun.same_node && all_of_them;
}

}  // namespace

auto rerun_decision(const PostMortemInput& inquiry, const Rewind::Past& past, const Preemption& preemption)
    -> RerunResult {
  const Subject subject{"pod", std::string(past.cluster.text(past.cluster.pod(preemption.preemptor).meta.ns)),
                        std::string(past.cluster.text(past.cluster.pod(preemption.preemptor).meta.name)),
                        preemption.preemptor};
  const auto engine = choose_engine(engines(), inquiry.engine, past.cluster, subject);
  if (!engine) return {tl::unexpected(engine.error()), {}, {}, 0, false, {}};
  if (*engine != preemption.engine)
    return {fail("the decision was made by another scheduler than the preemptor's current one"), {}, {}, 0, false, {}};
  if (preemption.at == Instant{}) return {fail("the input does not show when"), {}, {}, 0, false, {}};
  return Runner(inquiry, past, preemption, **engine).run();
}

}  // namespace previct::history
