#include "api/upstream.h"
#include "base/go.h"
#include "engine/kai/snapshot/annotation.h"
#include "engine/kai/snapshot/cluster_info_builder.h"
#include "engine/kai/snapshot/grouper.h"

namespace previct::kai {
namespace {

constexpr std::int32_t kDefaultPriority = 50;
constexpr std::int32_t kNotPreemptibleFrom = 100;
constexpr std::int32_t kNoBackoff = -1;

// Returns none for a time that does not parse. Go's zero time, which upstream treats as none, is too long ago to
// matter.
auto time_annotation(const Snapshot& cluster, const ObjectMeta& meta, Symbol key) -> std::optional<Instant> {
  const Symbol written = key ? meta.annotations.get(key) : Symbol();
  return written ? parse_instant(cluster.text(written)) : std::nullopt;
}

}  // namespace

void ClusterInfo::Builder::add_groups() {
  default_priority_ = kDefaultPriority;
  last_start_key_ = cluster_.symbol(kLastStart);
  last_eviction_key_ = cluster_.symbol(kLastEviction);
  stale_since_key_ = cluster_.symbol("kai.scheduler/stale-podgroup-timestamp");
  cluster_info_.groups_.items().reserve(objects().kai_pod_groups.size() + 1);
  group_of_.reserve(objects().kai_pod_groups.size());
  bool found = false;
  for (const PriorityClass& pc : objects().priority_classes) {
    if (pc.global_default && !found) default_priority_ = pc.value;
    found = found || pc.global_default;
  }
  for (const PodGroup& object : objects().kai_pod_groups) {
    if (!in_shard(cluster_, cluster_info_.settings_, object.meta.labels)) continue;
    if (backs_off(object)) {
      cluster_info_.backing_off_.push_back(&object);
      continue;
    }
    Group group = group_of(object);
    const auto [at, is_new] = group_of_.emplace(object.meta.name.index, GroupId{});
    if (is_new) {
      at->second = cluster_info_.groups_.add(group);
      continue;
    }
    cluster_info_.colliding_.emplace_back(group.name);
    cluster_info_.groups_[at->second] = group;
  }
  for (const GroupId id : cluster_info_.groups_.ids()) {
    Group& group = cluster_info_.groups_[id];
    add_pod_sets(group, sub_groups_of(cluster_, group.object->spec, cluster_info_.settings_.running.release));
  }
}

// Returns true if the group has a scheduling backoff and its last condition, by transition id, is for this pool.
// Source: cache/cluster_info isPodGroupUpForScheduler; utils/pod_group_utils.go GetLastSchedulingCondition.
auto ClusterInfo::Builder::backs_off(const PodGroup& object) const -> bool {
  const auto& conditions = object.status.scheduling_conditions;
  if (object.spec.scheduling_backoff.value_or(kNoBackoff) == kNoBackoff || conditions.empty()) return false;
  const auto number = [&](const SchedulingCondition& condition) {
    return go::parse_int(text(condition.transition_id), 64).value_or(-1);
  };
  const SchedulingCondition* last = &conditions[0];
  for (const SchedulingCondition& each : conditions) {
    if (number(each) > number(*last)) last = &each;
  }
  return text(last->node_pool) == label(object.meta, cluster_info_.settings_.pool_key).value_or("default");
}

auto ClusterInfo::Builder::group_of(const PodGroup& object) const -> Group {
  const PodGroupSpec& spec = object.spec;
  Group group;
  group.object = &object;
  group.name = text(object.meta.name);
  group.ns = text(object.meta.ns);
  group.queue_name = text(spec.queue);
  group.created = object.meta.created.value_or(upstream::kGoZero);
  group.last_start = time_annotation(cluster_, object.meta, last_start_key_);
  group.last_eviction = time_annotation(cluster_, object.meta, last_eviction_key_);
  group.stale_since = time_annotation(cluster_, object.meta, stale_since_key_);
  if (group.stale_since == upstream::kGoZero) group.stale_since.reset();
  const Release& release = cluster_info_.settings_.running.release;
  if (spec.preemption_delay && release.has(Change::preemption_delay))
    group.preemption_delay = spec.preemption_delay->nanos;
  if (spec.staleness_grace_period && release.has(Change::staleness_grace_of_groups))
    group.stale_grace = spec.staleness_grace_period->nanos;
  set_rank(group, text(spec.priority_class_name), text(spec.preemptibility));
  return group;
}

// Source: pkg/scheduler/cache/cluster_info/cluster_info.go getPodGroupPriority; pkg/common/podgroup.
void ClusterInfo::Builder::set_rank(Group& group, std::string_view priority_class,
                                    std::string_view preemptibility) const {
  group.queue = cluster_info_.queues_.find(group.queue_name);
  if (!group.queue) return;
  group.priority = classes_.value_of(priority_class).value_or(default_priority_);
  const Release& release = cluster_info_.settings_.running.release;
  if (!release.has(Change::preemptibility_of_groups)) preemptibility = {};
  group.semi_preemptible = preemptibility == "semi-preemptible" && release.has(Change::semi_preemptible_groups);
  group.preemptible =
      preemptibility == "preemptible" || (preemptibility != "non-preemptible" && group.priority < kNotPreemptibleFrom);
}

void ClusterInfo::Builder::add_pod_sets(Group& group, const SubGroupShape& shape) {
  group.first_set = SetId{static_cast<std::uint32_t>(cluster_info_.sets_.size())};
  group.sets = static_cast<std::uint32_t>(shape.sets.size());
  for (const PodSet& set : shape.sets) cluster_info_.sets_.add(set);
  if (shape.tree.inners.empty()) return;
  group.tree = static_cast<std::int32_t>(cluster_info_.trees_.size());
  cluster_info_.trees_.push_back(shape.tree);
}

void ClusterInfo::Builder::add_assumed(const AssumedGroup& assumed) {
  Group group;
  group.name = assumed.name;
  group.ns = assumed.ns;
  group.queue_name = assumed.queue;
  group.created = now_.now();
  for (const PodId pod : assumed.pods) {
    group.created = std::min(group.created, cluster_.pod(pod).meta.created.value_or(now_.now()));
  }
  if (cluster_info_.settings_.running.release.has(Change::preemption_delay))
    group.preemption_delay = assumed.preemption_delay;
  set_rank(group, assumed.priority_class, assumed.preemptibility);
  add_pod_sets(group, {{{.name = "default", .min = assumed.min_member}}, {}});
  assumed_ = cluster_info_.groups_.add(group);
}

// Source: plugins/proportion updateQueuesCurrentResourceUsage walks up from each such group's queue and never ends.
void ClusterInfo::Builder::find_endless_queues() {
  for (const Task& task : cluster_info_.tasks_) {
    const QueueId queue = cluster_info_.groups_[task.group].queue;
    if (!queue || !cluster_info_.queues_[queue].looped) continue;
    if (!kHeld.has(task.status) && task.status != Status::pending) continue;
    const std::string_view name = cluster_info_.queues_[queue].name;
    auto& names = cluster_info_.endless_queues_;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
}

}  // namespace previct::kai
