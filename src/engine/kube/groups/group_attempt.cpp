#include "engine/kube/groups/group_attempt.h"

#include "engine/kube/resource_claims.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace previct::kube {
namespace {

using Doubt = GroupDecision::Doubt;

/// The unit of eviction: a pod, or all pods of a group that is evicted as a whole.
struct Unit {
  struct Member {
    const PodInfo* pod;
    NodeId node;
  };

  std::vector<Member> members;
  std::int32_t priority = 0;
  bool of_group = false;  ///< also true for a single pod of a group whose pods are evicted one by one
  /// The start of the first pod that the scheduler finds. That depends on its order of nodes, which is not known: where
  /// it matters, units count as equal.
  Instant start = Instant::never();
  bool sure_of_start = true;
  const PodInfo* violating = nullptr;  ///< the first of its pods whose budget allows no more disruptions
  bool evicted = false;

  [[nodiscard]] auto violates() const -> bool { return violating != nullptr; }
  // Single pods are not compared by size.
  // Source: preemption/podgrouppreemption.go moreImportantVictim.
  [[nodiscard]] auto rank() const {
    const auto fewer = of_group ? -static_cast<std::int64_t>(members.size()) : 0;
    return std::tuple(-std::int64_t{priority}, !of_group, fewer);
  }
  [[nodiscard]] auto more_important(const Unit& other) const -> bool {
    return std::pair(rank(), start) < std::pair(other.rank(), other.start);
  }
};

class GroupAttempt {
 public:
  GroupAttempt(GroupDecision known, GroupTrial with)
      : node_infos_(with.node_infos),
        cluster_(node_infos_.cluster()),
        budgets_(with.budgets),
        profile_(with.profile),
        decision_(std::move(known)),
        wanted_(static_cast<std::int64_t>(decision_.waiting.size())),
        removed_(node_infos_.node_count()) {
    if (decision_.doubt == Doubt::none) look_at_filters(with.kinds);
    if (decision_.doubt == Doubt::none && nominated_may_crowd()) decision_.doubt = Doubt::nominated;
    if (decision_.doubt == Doubt::none) room_.emplace(node_infos_, std::move(with.kinds));
  }

  auto run() -> GroupDecision {
    if (!room_) return std::move(decision_);
    for (const NodeId node : node_infos_.nodes()) measure(node);
    if (is_schedulable()) {
      if (decision_.room < wanted_) decision_.doubt = Doubt::not_all;
    } else if (may_preempt()) {
      preempt();
    }
    if (unsure_) decision_.doubt = Doubt::unlike;
    if (room_->failed()) decision_.doubt = Doubt::error;
    return std::move(decision_);
  }

 private:
  void look_at_filters(const std::vector<MemberKind>& kinds) {
    for (const MemberKind& kind : kinds) {
      const FilterInfo* beyond = kind.trial.find(
          [](const FilterInfo& info) { return info.looks_at != LooksAt::node && info.looks_at != LooksAt::its_pods; });
      if (beyond != nullptr) decision_.doubt = Doubt::beyond_nodes;
      if (beyond != nullptr) decision_.beyond = beyond;
      for (const Amount& amount : node_infos_.amounts(kind.incoming.placed)) {
        if (amount.value > 0 && device_class_for(node_infos_, amount.resource) != nullptr)
          decision_.doubt = Doubt::claims;
      }
    }
  }

  // While a group is tried its pods are in no queue, and its nominated pods count on their node without their requests,
  // as pods of priority 0. So only the pod limit is in doubt. It does not matter on which node they are tried first.
  // Source: pkg/scheduler/backend/queue/scheduling_queue.go nominatedPodToInfo, v1.36.3.
  [[nodiscard]] auto nominated_may_crowd() const -> bool {
    return std::any_of(decision_.waiting.begin(), decision_.waiting.end(), [&](PodId id) {
      const Pod& pod = cluster_.pod(id);
      const Symbol name = pod.status.nominated_node_name;
      const NodeId node = name ? cluster_.find_node(name) : NodeId{};
      if (!node) return false;
      const auto there = static_cast<std::int64_t>(node_infos_.pods_on(node).size()) + wanted_;
      return pod.spec.priority <= 0 && there > node_infos_.max_pods(node);
    });
  }

  void measure(NodeId node) { room_->measure(node, removed_[node]); }

  // Returns true if enough pods fit. If that depends on the order of pods or on scores, the answer is marked as unsure.
  auto is_schedulable() -> bool {
    const GroupCapacity::Range range = room_->found();
    unsure_ = unsure_ || (range.least < decision_.needed && range.most >= decision_.needed);
    found_ = range.most < decision_.needed ? range.most : range.least;
    if (!tried_) decision_.room = found_;
    tried_ = true;
    return found_ >= decision_.needed;
  }

  auto may_preempt() -> bool {
    const auto& plugins = profile_.post_filters;
    const bool preempts = std::any_of(plugins.begin(), plugins.end(), [](const PostFilter& plugin) {
      return plugin.kind == PostFilter::Kind::default_preemption;
    });
    const bool never = std::any_of(decision_.waiting.begin(), decision_.waiting.end(), [&](PodId pod) {
      return cluster_.pod(pod).spec.preemption_policy == cluster_.known().never;
    });
    if (!preempts) {
      decision_.reason = Reason{Rule::no_preemption};
    } else if (decision_.group->object->spec.constraints.has_topology) {
      decision_.reason = Reason{Rule::group_constraints};
    } else if (never) {
      decision_.reason = Reason{Rule::policy_never};
    }
    return !decision_.reason;
  }

  void preempt() {
    collect();
    if (units_.empty()) {
      decision_.reason = Reason{Rule::group_no_victims, decision_.group->priority()};
      return;
    }
    for (const Unit& unit : units_) {
      for (const Unit::Member& member : unit.members) removed_[member.node].push_back(member.pod);
    }
    for (const NodeId node : node_infos_.nodes()) {
      if (!removed_[node].empty()) measure(node);
    }
    if (!is_schedulable()) {
      decision_.reason = Reason{Rule::group_not_enough, found_, decision_.needed};
      return;
    }
    std::stable_sort(units_.begin(), units_.end(), [](const Unit& a, const Unit& b) { return a.more_important(b); });
    split_by_budget();
    for (const bool violating : {true, false}) {
      for (Unit& unit : units_) {
        if (unit.violates() == violating && !unsure_) unit.evicted = !reprieve(unit);
      }
    }
    for (const Unit& unit : units_) {
      for (const Unit::Member& member : unit.members) {
        if (unit.evicted) decision_.victims.push_back(member.pod->pod);
      }
      if (unit.evicted && unit.violates()) decision_.violating.push_back(unit.violating->pod);
    }
    doubt_order();
  }

  // Source: preemption/types.go newDomainForWorkloadPreemption, isPodGroupPreemptiblePod.
  void collect() {
    const Groups& groups = cluster_.derived<Groups>();
    const Symbol whole = cluster_.symbol("PodGroup");
    std::map<const Group*, std::size_t> as_one;
    std::vector<Unit> all;
    for (const NodeId node : node_infos_.nodes()) {
      for (const PodInfo& placed : node_infos_.pods_on(node)) {
        const Group* group = groups.of(placed.pod);
        const bool one =
            group != nullptr && group->object != nullptr && whole && group->object->spec.disruption_mode == whole;
        const auto known = one ? as_one.find(group) : as_one.end();
        if (known == as_one.end()) {
          if (one) as_one.emplace(group, all.size());
          Unit& unit = all.emplace_back();
          unit.priority = one ? group->priority() : placed.priority;
          unit.of_group = group != nullptr;
          unit.start = start_of(placed);
        }
        Unit& unit = known == as_one.end() ? all.back() : all[known->second];
        unit.sure_of_start = unit.sure_of_start && unit.start == start_of(placed);
        unit.members.push_back({&placed, node});
      }
    }
    for (Unit& unit : all) {
      if (unit.priority < decision_.group->priority()) units_.push_back(std::move(unit));
    }
    forget_starts();
  }

  // A pod without a start time counts as started now, later than any other.
  static auto start_of(const PodInfo& placed) -> Instant { return placed.has_start ? placed.start : Instant::never(); }

  // Units of one rank count as equal if the start of one of them is not known.
  void forget_starts() {
    for (const Unit& unsure : units_) {
      if (unsure.sure_of_start) continue;
      for (Unit& unit : units_) {
        if (unit.rank() == unsure.rank()) unit.start = Instant::never();
      }
    }
  }

  // Counts as upstream does for groups: the first exhausted budget ends the count for the pod, and the first such pod
  // ends it for its unit.
  // Source: preemption/preemption.go filterVictimsWithPDBViolation.
  void split_by_budget() {
    if (budgets_.none()) return;
    std::vector<std::int32_t> left = budgets_.allowed();
    const auto violates = [&](const Unit::Member& member) {
      const auto budgets = budgets_.of(member.pod->pod);
      return std::any_of(budgets.begin(), budgets.end(), [&](std::uint32_t budget) { return --left[budget] < 0; });
    };
    for (Unit& unit : units_) {
      const auto first = std::find_if(unit.members.begin(), unit.members.end(), violates);
      if (first != unit.members.end()) unit.violating = first->pod;
    }
  }

  auto reprieve(const Unit& unit) -> bool {
    for (const Unit::Member& member : unit.members) std::erase(removed_[member.node], member.pod);
    measure_all(unit);
    if (is_schedulable()) return true;
    for (const Unit::Member& member : unit.members) removed_[member.node].push_back(member.pod);
    measure_all(unit);
    return false;
  }
  void measure_all(const Unit& unit) {
    NodeId last;
    for (const Unit::Member& member : unit.members) {
      if (member.node != last) measure(member.node);
      last = member.node;
    }
  }

  // Units of equal importance are reprieved in any order. If all of them are evicted, or none, every order gives the
  // same result, because a reprieved pod only uses resources.
  void doubt_order() {
    for (std::size_t begin = 0; begin < units_.size();) {
      std::size_t end = begin + 1;
      while (end < units_.size() && !units_[begin].more_important(units_[end])) ++end;
      const bool even =
          std::any_of(units_.begin() + static_cast<std::ptrdiff_t>(begin),
                      units_.begin() + static_cast<std::ptrdiff_t>(end), [&](const Unit& unit) {
                        return unit.evicted != units_[begin].evicted || unit.violates() != units_[begin].violates();
                      });
      for (std::size_t i = begin; even && i < end; ++i) {
        for (const Unit::Member& member : units_[i].members) decision_.even.push_back(member.pod->pod);
      }
      begin = end;
    }
    if (!decision_.even.empty()) decision_.doubt = Doubt::order;
  }

  NodeInfoSnapshot& node_infos_;
  const Snapshot& cluster_;
  const Budgets& budgets_;
  const Profile& profile_;
  GroupDecision decision_;
  std::int64_t wanted_;
  IdVector<NodeId, std::vector<const PodInfo*>> removed_;
  std::optional<GroupCapacity> room_;
  std::int64_t found_ = 0;  // number of pods that fitted at the last check
  bool tried_ = false;
  bool unsure_ = false;
  std::vector<Unit> units_;  // units of lower priority than the group
};

}  // namespace

auto place_group(GroupDecision known, GroupTrial with) -> GroupDecision {
  return GroupAttempt(std::move(known), std::move(with)).run();
}

}  // namespace previct::kube
