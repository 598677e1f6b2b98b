#include "failures/outcome.h"

#include "sequence/controllers.h"
#include "sequence/drained_nodes.h"
#include "sequence/kube_scenario.h"
#include "sequence/lost_nodes.h"
#include "sequence/report.h"
#include "sequence/world.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace previct::failures {
namespace {

using sequence::ControllerKind;
using sequence::End;
using sequence::EventKind;
using sequence::SimulationResult;
using sequence::Step;

auto runs_at_end(const End& end) -> bool {
  return end.kind == End::Kind::bound || end.kind == End::Kind::finished || end.kind == End::Kind::evicted;
}

auto ends_by_preemption(const Step& step) -> bool {
  return step.what == EventKind::deleting && step.by;
}

// What a simulation says about the pods of one failure.
class Reading {
 public:
  // `lost`: the pods of nodes that are lost. `drained`: those that a drain evicts.
  Reading(const SimulationResult& play, const Snapshot& cluster, const std::vector<PodId>& lost,
          const std::vector<PodId>& drained)
      : play_(play),
        cluster_(cluster),
        lost_(lost.begin(), lost.end()),
        moved_(lost_),
        kept_(drained.begin(), drained.end()) {
    moved_.insert(drained.begin(), drained.end());
    for (const sequence::NewPod& made : play.created) {
      if (made.after) replaced_.insert(made.after);
    }
    for (const Step& step : play.steps) note(step);
  }

  [[nodiscard]] auto read(const WithoutFailure& without) -> Outcome {
    outcome_.lost = moved_.size();
    outcome_.loops = evicts_in_loop();
    outcome_.cut = play_.cut;
    for (const PodId pod : lost_) note_gone(pod, "");
    for (const Step& step : play_.steps) note_deletion(step, without.evicted);
    for (const End& end : play_.ends) note_end(end);
    for (const PodId pod : kept_) note_kept(pod);
    note_short_budgets();
    leave_out(without);
    sort();
    return std::move(outcome_);
  }

 private:
  // Other things recur, too: a taint deletes each new pod of a DaemonSet.
  [[nodiscard]] auto evicts_in_loop() const -> bool {
    return play_.circle && std::any_of(play_.steps.begin(), play_.steps.end(), [&](const Step& step) {
             return step.at >= play_.circle->from && ends_by_preemption(step);
           });
  }

  // What happens without the failure as well does not follow from it.
  void leave_out(const WithoutFailure& without) {
    std::map<std::string, std::size_t> left = without.out;
    std::erase_if(outcome_.out, [&](const PodOut& each) {
      const auto found = left.find(each.name);
      if (found == left.end() || found->second == 0) return false;
      --found->second;
      return true;
    });
    std::erase_if(outcome_.budgets, [&](const BrokenBudget& each) { return without.budgets.contains(each.name); });
  }

  void note(const Step& step) {
    if (step.what == EventKind::deleting) kept_.erase(step.pod);
    if (step.what == EventKind::call_failed) refusals_[step.pod] = step.why;
    if (step.what == EventKind::refused) not_evicted_[step.pod] = step.why;
    if (step.what == EventKind::gives_up) failed_jobs_[owner_of(step.pod)] = step.why;
  }

  void note_deletion(const Step& step, const std::set<PodId>& evicted) {
    for (const auto& [pod, budget] : step.violates) budget_of(budget).violated = true;
    if (step.what != EventKind::deleting || evicted.contains(step.pod)) return;
    if (ends_by_preemption(step))
      outcome_.evicted.push_back({play_.key(step.pod, cluster_), priority_of(step.pod), play_.key(step.by, cluster_)});
    note_gone(step.pod, step.by ? "evicted; " : "");
  }

  // A pod is gone. If a new pod takes its place, the end of that one counts.
  void note_gone(PodId pod, std::string_view how) {
    if (replaced_.contains(pod)) return;
    const sequence::Owner owner = owner_of(pod);
    const bool with_node =
        lost_.contains(pod) && (owner.maker == ControllerKind::daemon_set || owner.maker == ControllerKind::kubelet);
    if (with_node) {
      ++outcome_.ended;
      return;
    }
    if (owner.maker == ControllerKind::kubelet || cluster_.pod(root_of(pod)).meta.deleting) return;
    add_out(pod, why_not_replaced(pod, owner, how), owner.maker != ControllerKind::other);
  }

  [[nodiscard]] auto why_not_replaced(PodId pod, const sequence::Owner& owner, std::string_view how) const
      -> std::string {
    if (owner.maker == ControllerKind::none) return fmt::format("{}it has no controller that creates it again", how);
    if (owner.maker == ControllerKind::other)
      return fmt::format("{}how the {} controller reacts is not simulated", how, cluster_.text(owner.kind));
    if (const auto failed = failed_jobs_.find(owner); failed != failed_jobs_.end())
      return std::string(how) + failed->second;
    if (const auto refusal = refusals_.find(pod); refusal != refusals_.end()) return std::string(how) + refusal->second;
    return fmt::format("{}{} has not created it again", how, sequence::describe_owner(cluster_, owner));
  }

  void note_end(const End& end) {
    const bool is_new = end.pod.index >= play_.pods_before;
    if (is_new && end.kind == End::Kind::bound && moved_.contains(root_of(end.pod))) ++outcome_.again;
    if (runs_at_end(end)) return;
    add_out(end.pod, end.why, end.kind != End::Kind::not_simulated);
  }

  void add_out(PodId pod, std::string why, bool known) {
    outcome_.out.push_back({cluster_.key(root_of(pod)), priority_of(pod), known, std::move(why)});
  }

  // A pod that was preempted or finished meanwhile is not listed.
  void note_kept(PodId pod) {
    const auto refusal = not_evicted_.find(pod);
    if (refusal != not_evicted_.end()) outcome_.kept.push_back({cluster_.key(pod), priority_of(pod), refusal->second});
  }

  void note_short_budgets() {
    const auto& budgets = cluster_.objects().disruption_budgets;
    for (const std::size_t i : play_.short_budgets) {
      if (sequence::is_short(budgets[i])) continue;
      const ObjectMeta& meta = budgets[i].meta;
      budget_of(fmt::format("{}/{}", cluster_.text(meta.ns), cluster_.text(meta.name))).is_short = true;
    }
  }

  auto budget_of(const std::string& name) -> BrokenBudget& {
    std::vector<BrokenBudget>& all = outcome_.budgets;
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& each) { return each.name == name; });
    return found == all.end() ? all.emplace_back(BrokenBudget{.name = name}) : *found;
  }

  void sort() {
    const auto by_priority = [](const auto& a, const auto& b) {
      return std::tuple(-a.priority, std::string_view(a.name)) < std::tuple(-b.priority, std::string_view(b.name));
    };
    std::stable_sort(outcome_.out.begin(), outcome_.out.end(), by_priority);
    std::stable_sort(outcome_.evicted.begin(), outcome_.evicted.end(), by_priority);
    std::stable_sort(outcome_.kept.begin(), outcome_.kept.end(), by_priority);
  }

  [[nodiscard]] auto owner_of(PodId pod) const -> sequence::Owner {
    return sequence::owner_of(cluster_, play_.pod(pod, cluster_));
  }
  [[nodiscard]] auto root_of(PodId pod) const -> PodId {
    return pod.index < play_.pods_before ? pod : play_.created[pod.index - play_.pods_before].like;
  }
  [[nodiscard]] auto priority_of(PodId pod) const -> std::int64_t { return play_.pod(pod, cluster_).spec.priority; }

  const SimulationResult& play_;
  const Snapshot& cluster_;
  std::set<PodId> lost_;
  std::set<PodId> moved_;  // the lost and the drained ones
  std::set<PodId> kept_;   // drained pods that are not deleted
  std::set<PodId> replaced_;
  std::map<PodId, std::string> refusals_;               // why its controller cannot create a pod in its place
  std::map<PodId, std::string> not_evicted_;            // why the API server refuses to evict it
  std::map<sequence::Owner, std::string> failed_jobs_;  // and why
  Outcome outcome_;
};

// Returns the worse of two courses of events, with the least that the other one, or one before it, leads to.
auto worse_of(Outcome a, Outcome b) -> Outcome {
  if (is_worse(b, a)) std::swap(a, b);
  const bool alike = a.out.size() == b.out.size() && a.kept.size() == b.kept.size() &&
                     a.evicted.size() == b.evicted.size() && a.budgets.size() == b.budgets.size() &&
                     a.highest_out() == b.highest_out() && a.highest_known_out() == b.highest_known_out();
  OtherChoice least{.out = b.out.size(), .highest_known_out = b.highest_known_out()};
  for (const std::optional<OtherChoice>& before : {a.other, b.other}) {
    if (before)
      least = {std::min(least.out, before->out), std::min(least.highest_known_out, before->highest_known_out)};
  }
  if (!alike || a.other || b.other) a.other = least;
  a.chosen = true;
  a.loops = a.loops || b.loops;
  a.cut = a.cut || b.cut;
  return a;
}

}  // namespace

auto is_harmless(const Outcome& outcome) -> bool {
  return outcome.out.empty() && outcome.evicted.empty() && outcome.budgets.empty() && outcome.kept.empty();
}

auto is_worse(const Outcome& a, const Outcome& b) -> bool {
  const auto rank = [](const Outcome& each) {
    return std::tuple(each.highest_out(), each.out.size(), each.kept.size(), each.evicted.size(), each.budgets.size());
  };
  return rank(a) > rank(b);
}

auto Outcome::highest_known_out() const -> std::int64_t {
  const auto first = std::find_if(out.begin(), out.end(), [](const PodOut& each) { return each.known; });
  return first == out.end() ? kNoPriority : first->priority;
}

auto Failures::claim() const -> Claim {
  const Outcome* const outcome = decisive();
  if (outcome == nullptr) return Claim::holds;
  return outcome->highest_always_out() > *none_out_above ? Claim::broken : Claim::open;
}

auto Failures::decisive() const -> const Outcome* {
  if (!none_out_above) return nullptr;
  const auto first = [&](const auto& has) {
    const auto found = std::find_if(outcomes.begin(), outcomes.end(), has);
    return found == outcomes.end() ? nullptr : &*found;
  };
  const Outcome* const broken = first([&](const Outcome& each) { return each.highest_always_out() > *none_out_above; });
  if (broken != nullptr) return broken;
  return first([&](const Outcome& each) { return each.highest_out() > *none_out_above || each.loops || each.cut; });
}

Trial::Trial(const Task& task, const Snapshot& cluster, const SimulationResult& calm) : task_(task), cluster_(cluster) {
  const Outcome usual = Reading(calm, cluster, {}, {}).read({});
  for (const PodOut& each : usual.out) ++without_.out[each.name];
  for (const BrokenBudget& each : usual.budgets) without_.budgets.insert(each.name);
  for (const Step& step : calm.steps) {
    if (ends_by_preemption(step)) without_.evicted.insert(step.pod);
  }
}

auto Trial::run(const Failure& failure) -> Result<Outcome> {
  sequence::Settings settings = task_.settings;
  ChangedCluster changed(task_.objects);
  const std::vector<std::string> flags = happen(failure, settings, changed);
  const auto outcome_of = [&](const SimulationResult& play) {
    return Reading(play, cluster_, settings.lost, settings.drained).read(without_);
  };
  const Snapshot left(task_.objects);  // without lost nodes, so that others have other ids
  PREVICT_TRY(const SimulationResult play, sequence::simulate_kube(task_.objects, left, settings, {}));
  add_gaps(sequence::gaps_of_play(left, settings, play, true), gaps_);
  Outcome outcome = outcome_of(play);
  for (const sequence::Scenario& scenario : sequence::with_other_choices(play)) {
    PREVICT_TRY(const SimulationResult other, sequence::simulate_kube(task_.objects, left, settings, scenario));
    add_gaps(sequence::gaps_of_play(left, settings, other, true), gaps_);
    outcome = worse_of(std::move(outcome), outcome_of(other));
  }
  outcome.failure = failure;
  outcome.flags = flags;
  return outcome;
}

auto Trial::happen(const Failure& failure, sequence::Settings& settings, ChangedCluster& changed) const
    -> std::vector<std::string> {
  if (task_.drains) {
    sequence::Drain drain = sequence::drain_of(failure.nodes, cluster_);
    settings.drained = std::move(drain.evicted);
    sequence::cordon(failure.nodes, changed);
    return drain.flags;
  }
  settings.lost = sequence::pods_lost_with(failure.nodes, cluster_);
  sequence::lose(failure.nodes, cluster_, changed);
  return {};
}

}  // namespace previct::failures
