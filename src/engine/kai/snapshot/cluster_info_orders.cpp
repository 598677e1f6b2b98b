#include "api/upstream.h"
#include "base/go.h"
#include "engine/kai/snapshot/cluster_info_builder.h"

#include <algorithm>
#include <tuple>

namespace previct::kai {
namespace {

// The sort key of a task in its pod set.
struct TaskKey {
  bool no_master = true;  // false sorts first
  bool no_head = true;
  bool no_label = true;
  bool unreadable = false;
  std::int64_t priority = 0;  // negated: larger first
  Instant created;
  std::string_view uid;
};

// Returns -1 if a is first, 1 if b is first, 0 if they are equal. Source: plugins kubeflow, ray, taskorder.
auto compare(TaskOrder by, const TaskKey& a, const TaskKey& b) -> int {
  const auto sign = [](auto x, auto y) { return x < y ? -1 : x > y ? 1 : 0; };
  if (by == TaskOrder::kubeflow) return sign(a.no_master, b.no_master);
  if (by == TaskOrder::ray) return sign(a.no_head, b.no_head);
  if (a.no_label != b.no_label || a.no_label) return sign(a.no_label, b.no_label);
  if (a.unreadable) return 1;
  return b.unreadable ? -1 : sign(a.priority, b.priority);
}

}  // namespace

void ClusterInfo::Builder::order_tasks() {
  for (const Task& task : cluster_info_.tasks_) ++cluster_info_.sets_[task.set].end;
  std::uint32_t next = 0;
  for (PodSet& set : cluster_info_.sets_) {
    set.begin = next;
    next += set.end;
    set.end = set.begin;
  }
  cluster_info_.slots_.resize(next);
  for (const TaskId id : cluster_info_.tasks_.ids())
    cluster_info_.slots_[cluster_info_.sets_[cluster_info_.tasks_[id].set].end++] = id;

  const auto key_of = [&](TaskId id) {
    const Pod& pod = cluster_.pod(cluster_info_.tasks_[id].pod);
    TaskKey key;
    const auto role = label(pod.meta, "training.kubeflow.org/job-role");
    key.no_master = !(role == "master" || role == "launcher");
    key.no_head = label(pod.meta, "ray.io/node-type") != "head";
    if (const auto priority = label(pod.meta, "kai.scheduler/task-priority")) {
      key.no_label = false;
      const auto number = go::parse_int(*priority, 64);
      key.unreadable = !number;
      key.priority = number ? go::subtract(0, *number) : 0;
    }
    key.created = pod.meta.created.value_or(upstream::kGoZero);
    key.uid = text(pod.meta.uid);
    return key;
  };
  // Creation and uid break ties. Upstream keeps tasks with unreadable labels in arbitrary order.
  const auto goes_first = [&](const auto& x, const auto& y) {
    const TaskKey& a = x.first;
    const TaskKey& b = y.first;
    for (const TaskOrder by : cluster_info_.settings_.task_order) {
      if (by == TaskOrder::label && a.unreadable && b.unreadable) return false;
      if (const int order = compare(by, a, b); order != 0) return order < 0;
    }
    return std::tie(a.created, a.uid) < std::tie(b.created, b.uid);
  };
  // Only the uid, or nothing, decides between them.
  const auto alike = [&](const TaskKey& a, const TaskKey& b) {
    const auto& orders = cluster_info_.settings_.task_order;
    const auto equal = [&](TaskOrder by) {
      return (by == TaskOrder::label && a.unreadable && b.unreadable) || compare(by, a, b) == 0;
    };
    return a.created == b.created && std::all_of(orders.begin(), orders.end(), equal);
  };
  const auto is_open = [](const TaskKey& key) { return key.uid.empty() || key.unreadable; };
  for (const PodSet& set : cluster_info_.sets_) {
    std::vector<std::pair<TaskKey, TaskId>> keyed;
    for (std::uint32_t slot = set.begin; slot < set.end && set.end - set.begin > 1; ++slot) {
      keyed.emplace_back(key_of(cluster_info_.slots_[slot]), cluster_info_.slots_[slot]);
    }
    std::stable_sort(keyed.begin(), keyed.end(), goes_first);
    for (std::uint32_t i = 0; i < keyed.size(); ++i) cluster_info_.slots_[set.begin + i] = keyed[i].second;
    for (std::uint32_t slot = set.begin; slot < set.end; ++slot)
      cluster_info_.tasks_[cluster_info_.slots_[slot]].slot = slot;
    for (std::size_t first = 0, end = 0; first < keyed.size(); first = end) {
      bool open = false;
      for (end = first; end < keyed.size() && alike(keyed[first].first, keyed[end].first); ++end)
        open = open || is_open(keyed[end].first);
      end = std::max(end, first + 1);
      for (std::size_t i = first; open && end - first > 1 && i < end; ++i)
        cluster_info_.tasks_[keyed[i].second].tie = static_cast<std::uint32_t>(first) + 1;
    }
  }
  for (Group& group : cluster_info_.groups_) {
    for (std::uint32_t i = 0; i < group.sets; ++i) {
      const PodSet& set = cluster_info_.sets_[group.set(i)];
      if (set.min < static_cast<std::int64_t>(set.end) - set.begin) group.elastic = true;
      for (const TaskId task : cluster_info_.tasks_of(group.set(i)))
        group.shares_gpus = group.shares_gpus || cluster_info_.gpus_[task].is_shared();
    }
    cluster_info_.shares_gpus_ = cluster_info_.shares_gpus_ || group.shares_gpus;
  }
}

void ClusterInfo::Builder::rank_groups() {
  // No group has to be omitted: one whose pod sets are all unreachable from its root has no task and never appears.
  for (const GroupId id : cluster_info_.groups_.ids()) cluster_info_.by_name_.push_back(id);
  const auto name_of = [&](GroupId id) { return cluster_info_.groups_[id].name; };
  const auto earlier = [&](GroupId a, GroupId b) { return name_of(a) < name_of(b); };
  // Dumps list objects by name.
  if (!std::is_sorted(cluster_info_.by_name_.begin(), cluster_info_.by_name_.end(), earlier))
    std::stable_sort(cluster_info_.by_name_.begin(), cluster_info_.by_name_.end(), earlier);
  std::vector<std::pair<Instant, GroupId>> by_age;
  by_age.reserve(cluster_info_.by_name_.size());
  for (const GroupId id : cluster_info_.by_name_) by_age.emplace_back(cluster_info_.groups_[id].created, id);
  std::stable_sort(by_age.begin(), by_age.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::uint32_t i = 0; i < by_age.size(); ++i) cluster_info_.groups_[by_age[i].second].rank = i;
  IdVector<GroupId, char> has_pending(cluster_info_.groups_.size(), 0);
  for (const Task& task : cluster_info_.tasks_) {
    if (task.status == Status::pending) has_pending[task.group] = 1;
  }
  for (std::uint32_t i = 0; i < by_age.size(); ++i) {
    const GroupId id = cluster_info_.by_name_[i];
    cluster_info_.groups_[id].by_name = i;
    if (has_pending[id] != 0) cluster_info_.with_pending_.push_back(id);
  }
}

}  // namespace previct::kai
