#include "engine/kube/victims.h"

#include "engine/kube/go_sort.h"
#include "engine/kube/orders.h"
#include "engine/kube/smallest_sets.h"

#include <algorithm>
#include <set>

namespace previct::kube {

void measure(std::span<const PodInfo* const> victims, DryRun& run) {
  constexpr std::int64_t kShift = std::int64_t{1} << 31;  // keeps sums of negative priorities positive
  run.first_priority = victims.front()->priority;
  run.highest_priority = run.first_priority;
  run.earliest_start = Instant::never();
  for (const PodInfo* v : victims) {
    run.priority_sum += v->priority + kShift;
    if (v->priority > run.highest_priority) {
      run.highest_priority = v->priority;
      run.earliest_start = Instant::never();
    }
    if (v->priority == run.highest_priority && v->has_start)
      run.earliest_start = std::min(run.earliest_start, v->start);
  }
}

VictimSearch::VictimSearch(const NodeInfoSnapshot& node_infos, const Incoming& incoming, NodeTrial trial,
                           const Budgets& budgets, const Tolerances* tolerances, const NominatedPods& nominated)
    : node_infos_(node_infos),
      incoming_(incoming),
      trial_(std::move(trial)),
      budgets_(budgets),
      tolerances_(tolerances),
      rules_(node_infos.release(), tolerances != nullptr),
      nominated_(nominated),
      left_(budgets.allowed()),
      in_doubt_(left_.size()) {}

auto VictimSearch::on(NodeId node, Moment& now, bool with_fates) -> DryRun {
  DryRun result;
  std::vector<Fate>* fates = with_fates ? &result.fates : nullptr;
  if (const auto error = collect(node, now, fates)) {
    result.status = {Code::error, nullptr, {*error}};
    return result;
  }
  if (potential_.empty()) {
    const Reason reason = tolerances_ == nullptr
                              ? Reason{Rule::no_victims}
                              : Reason{Rule::no_victims_tolerating, operand(node), operand(incoming_.placed.pod)};
    result.status = {Code::unresolvable, nullptr, {reason}};
    return result;
  }

  trial_.enter(node);
  trial_.remove(potential_);
  const std::span<const PodInfo> nominated = nominated_[node];
  result.status = trial_.check(nominated);
  if (!result.status.ok()) {
    if (fates != nullptr) {
      for (const PodInfo* p : potential_) fates->push_back({p->pod, {Rule::not_needed}});
    }
    return result;
  }

  if (!node_infos_.strictly_ordered(node)) sort(potential_, node);
  split_by_budget(result);
  victims_.clear();
  reprieve(violating_, true, nominated, result, fates);
  reprieve(free_, false, nominated, result, fates);
  if (!violating_.empty() && !free_.empty()) sort(victims_, node);
  if (victims_.empty()) {
    result.status = {Code::error, nullptr, {{Rule::nobody_had_to_go, operand(node)}}};
    return result;
  }
  result.victims.resize(victims_.size());
  std::transform(victims_.begin(), victims_.end(), result.victims.begin(), [](const PodInfo* v) { return v->pod; });
  measure(victims_, result);
  return result;
}

auto VictimSearch::collect(NodeId node, Moment& now, std::vector<Fate>* fates) -> std::optional<Reason> {
  potential_.clear();
  const std::span<const PodInfo> pods = node_infos_.pods_on(node);
  if (fates != nullptr) fates->reserve(pods.size());
  bool failed = false;
  for (const PodInfo& pod : pods) {
    if (pod.priority >= incoming_.placed.priority) {
      if (fates != nullptr) fates->push_back({pod.pod, {Rule::not_lower, pod.priority}});
      continue;
    }
    if (tolerances_ != nullptr) {
      const Tolerance tolerance = tolerances_->of(pod, now);
      if (tolerance.answer == Tolerance::Answer::error) {
        failed = true;
        continue;
      }
      if (tolerance.answer == Tolerance::Answer::yes) {
        if (fates != nullptr) fates->push_back({pod.pod, tolerance.reason});
        continue;
      }
    }
    potential_.push_back(&pod);
  }
  if (!failed) return {};
  return tolerances_->of(*tolerances_->failing(pods), now).reason;
}

void VictimSearch::sort(Pods& pods, NodeId node) const {
  const auto less = [as_listed = rules_.unstarted_as_listed](const PodInfo* a, const PodInfo* b) {
    const bool unstarted = a->priority == b->priority && !a->has_start && !b->has_start;
    return as_listed && unstarted ? a->order < b->order : more_important(*a, *b);
  };
  if (node_infos_.strictly_ordered(node)) {
    std::sort(pods.begin(), pods.end(), less);  // without ties every sort gives the same result
  } else {
    go_sort(std::span(pods), less);
  }
}

void VictimSearch::split_by_budget(DryRun& result) {
  violating_.clear();
  violated_.clear();
  free_.clear();
  if (budgets_.none()) {
    free_.swap(potential_);
    return;
  }
  const bool ends = rules_.violated_budget_ends_count;
  for (const PodInfo* p : potential_) {
    std::optional<std::uint32_t> violated;
    const std::span<const std::uint32_t> budgets = budgets_.of(p->pod);
    for (const std::uint32_t budget : budgets) {
      touched_.push_back(budget);
      result.budget_order = result.budget_order || in_doubt_[budget] != 0;
      if (violated && ends) continue;
      if (--left_[budget] < 0 && !violated) violated = budget;
    }
    (violated ? violating_ : free_).push_back(p);
    if (!violated) continue;
    violated_.push_back(*violated);
    // It is random which of the other budgets were charged before the violated one.
    if (!ends || budgets.size() == 1) continue;
    for (const std::uint32_t budget : budgets) in_doubt_[budget] = 1;
  }
  for (const std::uint32_t budget : touched_) {
    left_[budget] = budgets_.allowed()[budget];
    in_doubt_[budget] = 0;
  }
  touched_.clear();
}

void VictimSearch::reprieve(const Pods& group, bool violating, std::span<const PodInfo> nominated, DryRun& result,
                            std::vector<Fate>* fates) {
  for (std::size_t i = 0; i < group.size(); ++i) {
    const PodInfo* p = group[i];
    const bool fits = trial_.reprieve(*p, nominated);
    if (!fits) {
      victims_.push_back(p);
      if (violating) {
        ++result.violations;
        result.violated.emplace_back(p->pod, violated_[i]);
      }
    }
    result.reprieves = result.reprieves || fits;
    if (fates != nullptr) {
      Reason reason{fits ? Rule::reprieved : Rule::must_go, p->priority};
      if (!fits && violating) reason = {Rule::must_go_violating, p->priority, violated_[i]};
      fates->push_back({p->pod, reason});
    }
  }
}

auto VictimSearch::in_every_order(NodeId node, Moment& now, std::size_t& steps) -> std::optional<NodeOrders> {
  if (collect(node, now, nullptr) || potential_.empty()) return {};
  trial_.enter(node);
  trial_.remove(potential_);
  if (!trial_.check(nominated_[node]).ok()) return {};
  return kube::in_every_order(node_infos_, rules_, budgets_, trial_, nominated_[node], potential_, steps);
}

void VictimSearch::look_for_better_sets(NodeId node, Moment& now, SmallestSets& sets) {
  if (collect(node, now, nullptr) || potential_.empty()) return;
  trial_.enter(node);
  trial_.remove(potential_);
  if (!trial_.check(nominated_[node]).ok()) return;
  if (!node_infos_.strictly_ordered(node)) sort(potential_, node);
  DryRun budgets;
  split_by_budget(budgets);
  std::vector<Removable> pods;
  for (const PodInfo* pod : violating_) pods.push_back({pod, true});
  for (const PodInfo* pod : free_) pods.push_back({pod, false});
  ++sets.nodes;
  if (budgets.budget_order) return sets.open.push_back(node);
  kube::look_for_better_sets(node_infos_, trial_, nominated_[node], node, pods, sets);
}

auto count_evicted(const DryRun& run, const std::vector<PodId>& pods) -> std::size_t {
  const std::set<PodId> going(run.victims.begin(), run.victims.end());
  return static_cast<std::size_t>(
      std::count_if(pods.begin(), pods.end(), [&](PodId pod) { return going.contains(pod); }));
}

}  // namespace previct::kube
