#include "engine/kai/snapshot/pool.h"

#include "api/upstream.h"
#include "base/go.h"
#include "engine/kai/snapshot/sub_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace previct::kai {
namespace {

constexpr std::int32_t kDefaultPriority = 50;
constexpr std::int32_t kNotPreemptibleFrom = 100;

// Any resource of a name like nvidia.com/gpu is the GPU dimension.
auto dimension_name(std::string_view resource) -> std::string_view {
  return resource.ends_with("nvidia.com/gpu") ? "gpu" : resource;
}

}  // namespace

class Pool::Builder {
 public:
  Builder(Pool& pool, Moment& now) : pool_(pool), cluster_(pool.cluster_), now_(now) {}

  void build(const AssumedGroup* assumed) {
    find_dimensions();
    add_rooms();
    add_groups();
    if (assumed != nullptr) add_assumed(*assumed);
    add_pods(assumed);
    order_tasks();
    rank_groups();
    sum_up();
  }

 private:
  [[nodiscard]] auto text(Symbol symbol) const -> std::string_view { return cluster_.text(symbol); }
  [[nodiscard]] auto objects() const -> const Objects& { return cluster_.objects(); }

  // ---- resources
  void find_dimensions() {
    dim_of_.assign(objects().symbols.size(), -1);
    pool_.dims_ = {"cpu", "memory", "gpu", "pods"};
    for (const Node& node : cluster_.nodes()) {
      if (in_pool(cluster_, pool_.settings_, node.meta.labels)) note(node.status.allocatable);
    }
    for (const Pod& pod : cluster_.pods()) {
      for (const Container& c : pod.spec.init_containers) note(c.resources.requests);
      for (const Container& c : pod.spec.containers) note(c.resources.requests);
      note(pod.spec.overhead);
    }
  }

  void note(const ResourceList& list) {
    for (const auto& [name, quantity] : list) {
      std::int32_t& dim = dim_of_[name.index];
      if (dim >= 0) continue;
      const std::string_view wanted = dimension_name(text(name));
      const auto found = std::find(pool_.dims_.begin(), pool_.dims_.end(), wanted);
      dim = static_cast<std::int32_t>(found - pool_.dims_.begin());
      if (found == pool_.dims_.end()) pool_.dims_.push_back(wanted);
    }
  }

  // Adds whole units (milli for cpu), each quantity rounded up by itself.
  void add(std::vector<double>& sum, const ResourceList& list) const {
    for (const auto& [name, quantity] : list) {
      const auto dim = static_cast<std::size_t>(dim_of_[name.index]);
      sum[dim] += static_cast<double>(dim == kCpu ? quantity.milli() : quantity.value());
    }
  }

  // The sum of containers and sidecars, or the peak while its init containers run; pod-level requests, limits and
  // resize status are not read. Source: pkg/scheduler/api/pod_info (spec §2.9).
  void append_request(const Pod& pod, bool only_present) {
    const std::size_t dims = pool_.dims();
    total_.assign(dims, 0);
    if (!only_present) {
      sidecars_.assign(dims, 0);
      peak_.assign(dims, 0);
      for (const Container& c : pod.spec.containers) add(total_, c.resources.requests);
      for (const Container& c : pod.spec.init_containers) {
        if (c.restart_policy == cluster_.known().always) {
          add(sidecars_, c.resources.requests);
          continue;
        }
        std::vector<double> here = sidecars_;
        add(here, c.resources.requests);
        for (std::size_t i = 0; i < dims; ++i) peak_[i] = std::max(peak_[i], here[i]);
      }
      for (std::size_t i = 0; i < dims; ++i) total_[i] = std::max(total_[i] + sidecars_[i], peak_[i]);
      add(total_, pod.spec.overhead);
    }
    total_[kPods] = 1;
    pool_.requests_.insert(pool_.requests_.end(), total_.begin(), total_.end());
  }

  // ---- nodes
  void add_rooms() {
    std::vector<NodeId> mine;
    for (const NodeId id : cluster_.nodes().ids()) {
      if (in_pool(cluster_, pool_.settings_, cluster_.node(id).meta.labels)) mine.push_back(id);
    }
    std::sort(mine.begin(), mine.end(),
              [&](NodeId a, NodeId b) { return text(cluster_.node(a).meta.name) < text(cluster_.node(b).meta.name); });
    const std::size_t dims = pool_.dims();
    pool_.largest_.assign(dims, 0);
    for (const NodeId id : mine) {
      const Node& node = cluster_.node(id);
      const RoomId room = pool_.rooms_.add({id, text(node.meta.name), is_available(node)});
      room_of_.emplace(node.meta.name.index, room);
      std::vector<double> allocatable(dims, 0);
      add(allocatable, node.status.allocatable);
      for (std::size_t i = 0; i < dims; ++i) pool_.largest_[i] = std::max(pool_.largest_[i], allocatable[i]);
      pool_.allocatable_.insert(pool_.allocatable_.end(), allocatable.begin(), allocatable.end());
      foreign_.emplace_back();
    }
    pool_.idle_ = pool_.allocatable_;
    pool_.releasing_.assign(pool_.allocatable_.size(), 0);
  }

  [[nodiscard]] auto is_available(const Node& node) const -> bool {
    if (node.spec.unschedulable) return false;
    for (const NodeCondition& condition : node.status.conditions) {
      const std::string_view type = text(condition.type);
      const std::string_view status = text(condition.status);
      if (type == "Ready" && status != "True") return false;
      const bool trouble =
          type == "MemoryPressure" || type == "DiskPressure" || type == "PIDPressure" || type == "NetworkUnavailable";
      if (trouble && status != "False") return false;
    }
    return true;
  }

  // ---- groups
  [[nodiscard]] auto annotation(const ObjectMeta& meta, std::string_view key) const -> std::optional<std::string_view> {
    const Symbol symbol = cluster_.symbol(key);
    if (!symbol || !meta.annotations.has(symbol)) return {};
    return text(meta.annotations.get(symbol));
  }

  // A time that does not parse is none. Go's zero time, which upstream takes for none, is too long ago to matter.
  [[nodiscard]] auto time_annotation(const ObjectMeta& meta, std::string_view key) const -> std::optional<Instant> {
    const auto written = annotation(meta, key);
    return written ? parse_instant(*written) : std::nullopt;
  }

  void add_groups() {
    default_priority_ = kDefaultPriority;
    bool found = false;
    for (const PriorityClass& pc : objects().priority_classes) {
      classes_.insert_or_assign(text(pc.meta.name), pc.value);
      if (pc.global_default && !found) default_priority_ = pc.value;
      found = found || pc.global_default;
    }
    for (const PodGroup& object : objects().kai_pod_groups) {
      if (!in_pool(cluster_, pool_.settings_, object.meta.labels)) continue;
      Group group = group_of(object);
      const auto [at, is_new] = group_of_.emplace(object.meta.name.index, GroupId{});
      if (is_new) {
        at->second = pool_.groups_.add(group);
        continue;
      }
      pool_.colliding_.emplace_back(group.name);
      pool_.groups_[at->second] = group;
    }
    for (const GroupId id : pool_.groups_.ids()) {
      Group& group = pool_.groups_[id];
      const PodGroupSpec& spec = group.object->spec;
      add_pod_sets(group, sub_groups_of(cluster_, spec));
      by_name_.emplace(group.name, id);
    }
  }

  [[nodiscard]] auto group_of(const PodGroup& object) const -> Group {
    const PodGroupSpec& spec = object.spec;
    Group group;
    group.object = &object;
    group.name = text(object.meta.name);
    group.ns = text(object.meta.ns);
    group.queue_name = text(spec.queue);
    group.created = object.meta.created.value_or(now_.now());
    group.last_start = time_annotation(object.meta, "kai.scheduler/last-start-timestamp");
    group.last_eviction = time_annotation(object.meta, "kai.scheduler/last-eviction-timestamp");
    group.stale_since = time_annotation(object.meta, "kai.scheduler/stale-podgroup-timestamp");
    if (group.stale_since == upstream::kGoZero) group.stale_since.reset();
    if (spec.preemption_delay) group.preemption_delay = spec.preemption_delay->nanos;
    if (spec.staleness_grace_period) group.stale_grace = spec.staleness_grace_period->nanos;
    set_rank(group, text(spec.priority_class_name), text(spec.preemptibility));
    return group;
  }

  // Source: pkg/scheduler/cache/cluster_info/cluster_info.go getPodGroupPriority; pkg/common/podgroup.
  void set_rank(Group& group, std::string_view priority_class, std::string_view preemptibility) const {
    group.queue = pool_.queues_.find(group.queue_name);
    if (!group.queue) return;
    const auto found = classes_.find(priority_class);
    group.priority = found == classes_.end() ? default_priority_ : found->second;
    group.preemptible = preemptibility == "preemptible" ||
                        (preemptibility != "non-preemptible" && group.priority < kNotPreemptibleFrom);
  }

  void add_pod_sets(Group& group, const SubGroupShape& shape) {
    group.first_set = SetId{static_cast<std::uint32_t>(pool_.sets_.size())};
    group.sets = static_cast<std::uint32_t>(shape.sets.size());
    for (const auto& [name, min] : shape.sets) pool_.sets_.add({name, min});
    if (shape.tree.inners.empty()) return;
    group.tree = static_cast<std::int32_t>(pool_.trees_.size());
    pool_.trees_.push_back(shape.tree);
  }

  void add_assumed(const AssumedGroup& assumed) {
    Group group;
    group.name = assumed.name;
    group.ns = assumed.ns;
    group.queue_name = assumed.queue;
    group.created = now_.now();
    for (const PodId pod : assumed.pods) {
      group.created = std::min(group.created, cluster_.pod(pod).meta.created.value_or(now_.now()));
    }
    group.preemption_delay = assumed.preemption_delay;
    set_rank(group, assumed.priority_class, assumed.preemptibility);
    add_pod_sets(group, {{{"default", assumed.min_member}}, {}});
    assumed_ = pool_.groups_.add(group);
    by_name_.emplace(group.name, assumed_);
  }

  // ---- pods
  void add_pods(const AssumedGroup* assumed) {
    for (const BindRequest& request : objects().kai_bind_requests) {
      const auto room = room_of_.find(request.spec.selected_node.index);
      if (room == room_of_.end()) continue;
      binding_.insert_or_assign(pair_key(request.meta.ns, request.spec.pod_name), room->second);
    }
    group_key_ = cluster_.symbol("pod-group-name");
    sub_group_key_ = cluster_.symbol("kai.scheduler/subgroup-name");
    std::vector<bool> in_assumed(cluster_.pods().size(), false);
    if (assumed != nullptr) {
      for (const PodId pod : assumed->pods) in_assumed[pod.index] = true;
    }
    for (const PodId id : cluster_.pods().ids()) {
      if (cluster_.pod(id).status.phase == cluster_.known().failed) continue;
      add_pod(id, in_assumed[id.index]);
    }
  }

  static auto pair_key(Symbol a, Symbol b) -> std::uint64_t {
    return (static_cast<std::uint64_t>(a.index) << 32U) | b.index;
  }

  void add_pod(PodId id, bool in_assumed) {
    const Pod& pod = cluster_.pod(id);
    Task task;
    task.pod = id;
    const auto binding = binding_.find(pair_key(pod.meta.ns, pod.meta.name));
    const bool bound_soon = binding != binding_.end();
    task.status = status_of(pod, bound_soon);
    task.on_node = pod.spec.node_name || bound_soon;
    if (pod.spec.node_name) {
      const auto room = room_of_.find(pod.spec.node_name.index);
      if (room != room_of_.end()) task.room = room->second;
    } else if (bound_soon) {
      task.room = binding->second;
    }
    const bool succeeded = task.status == Status::succeeded;
    if (succeeded) {
      task.on_node = false;
      task.room = {};
    }
    task.charged = static_cast<bool>(task.room) && kActiveUsed.has(task.status);
    const std::size_t before = pool_.requests_.size();
    append_request(pod, succeeded);
    const double* request = &pool_.requests_[before];
    if (task.charged) settle(task, request, pod);
    if (!join(task, pod, in_assumed)) pool_.requests_.resize(before);
  }

  [[nodiscard]] auto status_of(const Pod& pod, bool bound_soon) const -> Status {
    const std::string_view phase = text(pod.status.phase);
    const std::optional<Instant>& deleting = pod.meta.deleting;
    if (phase == "Running") {
      if (!deleting) return Status::running;
      // Strictly more than the threshold.
      return now_.reached(deleting->plus_nanos(pool_.settings_.stuck_threshold).plus_nanos(1)) ? Status::stuck
                                                                                               : Status::releasing;
    }
    if (phase == "Pending" || phase.empty()) {
      if (deleting) return Status::releasing;
      if (pod.spec.node_name) return Status::bound;
      if (bound_soon) return Status::binding;
      return pod.spec.scheduling_gates.empty() ? Status::pending : Status::gated;
    }
    return phase == "Succeeded" ? Status::succeeded : Status::unknown;
  }

  // Takes the room on its node. Dimensions the node does not have are not charged.
  void settle(const Task& task, const double* request, const Pod& pod) {
    const std::size_t at = task.room.index * pool_.dims();
    for (std::size_t i = 0; i < pool_.dims(); ++i) {
      if (pool_.allocatable_[at + i] == 0) continue;
      pool_.idle_[at + i] -= request[i];
      if (task.status == Status::releasing) pool_.releasing_[at + i] += request[i];
      if (i < kShared && text(pod.spec.scheduler_name) != pool_.settings_.scheduler_name) {
        foreign_[task.room.index][i] += request[i];
      }
    }
  }

  // Puts the pod into its group; false if it is in none.
  auto join(Task& task, const Pod& pod, bool in_assumed) -> bool {
    if (in_assumed) {
      task.group = assumed_;
    } else {
      const Symbol name = group_key_ ? pod.meta.annotations.get(group_key_) : Symbol{};
      const auto found = name ? group_of_.find(name.index) : group_of_.end();
      if (found == group_of_.end()) return false;
      task.group = found->second;
    }
    const Group& group = pool_.groups_[task.group];
    std::string_view wanted = sub_group_key_ ? text(pod.meta.labels.get(sub_group_key_)) : std::string_view();
    if (wanted.empty()) wanted = "default";
    for (std::uint32_t i = 0; i < group.sets; ++i) {
      if (pool_.sets_[group.set(i)].name == wanted) task.set = group.set(i);
    }
    if (!task.set) return false;
    pool_.tasks_.add(task);
    return true;
  }

  // ---- orders that do not change
  struct TaskKey {
    bool no_master = true;  // false sorts first
    bool no_head = true;
    bool no_label = true;
    bool unreadable = false;
    std::int64_t priority = 0;  // negated: larger first
    Instant created;
    std::string_view uid;
  };

  [[nodiscard]] auto task_key(const Task& task) const -> TaskKey {
    const Pod& pod = cluster_.pod(task.pod);
    const auto label = [&](std::string_view key) -> std::optional<std::string_view> {
      const Symbol symbol = cluster_.symbol(key);
      if (!symbol || !pod.meta.labels.has(symbol)) return {};
      return text(pod.meta.labels.get(symbol));
    };
    TaskKey key;
    const auto role = label("training.kubeflow.org/job-role");
    key.no_master = !(role == "master" || role == "launcher");
    key.no_head = label("ray.io/node-type") != "head";
    if (const auto priority = label("kai.scheduler/task-priority")) {
      key.no_label = false;
      const auto number = go::parse_int(*priority, 64);
      key.unreadable = !number;
      key.priority = number ? go::subtract(0, *number) : 0;
    }
    key.created = pod.meta.created.value_or(now_.now());
    key.uid = text(pod.meta.uid);
    return key;
  }

  // Source: plugins kubeflow, ray, taskorder; framework TaskOrderFn (creation, uid).
  static auto goes_first(const TaskKey& a, const TaskKey& b) -> bool {
    const auto rank = [](const TaskKey& k) { return std::tie(k.no_master, k.no_head, k.no_label, k.unreadable); };
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    if (a.unreadable) return false;  // upstream leaves these in whatever order they come
    return std::tie(a.priority, a.created, a.uid) < std::tie(b.priority, b.created, b.uid);
  }

  void order_tasks() {
    for (const Task& task : pool_.tasks_) ++pool_.sets_[task.set].end;
    std::uint32_t next = 0;
    for (PodSet& set : pool_.sets_) {
      set.begin = next;
      next += set.end;
      set.end = set.begin;
    }
    pool_.slots_.resize(next);
    for (const TaskId id : pool_.tasks_.ids()) pool_.slots_[pool_.sets_[pool_.tasks_[id].set].end++] = id;
    for (PodSet& set : pool_.sets_) {
      if (set.end - set.begin > 1) sort_tasks(set);
      for (std::uint32_t slot = set.begin; slot < set.end; ++slot) pool_.tasks_[pool_.slots_[slot]].slot = slot;
    }
    for (Group& group : pool_.groups_) {
      for (std::uint32_t i = 0; i < group.sets; ++i) {
        const PodSet& set = pool_.sets_[group.set(i)];
        if (set.min < static_cast<std::int64_t>(set.end) - set.begin) group.elastic = true;
      }
    }
  }

  void sort_tasks(const PodSet& set) {
    std::vector<std::pair<TaskKey, TaskId>> keyed;
    for (std::uint32_t slot = set.begin; slot < set.end; ++slot) {
      keyed.emplace_back(task_key(pool_.tasks_[pool_.slots_[slot]]), pool_.slots_[slot]);
    }
    std::stable_sort(keyed.begin(), keyed.end(),
                     [](const auto& a, const auto& b) { return goes_first(a.first, b.first); });
    for (std::uint32_t i = 0; i < keyed.size(); ++i) pool_.slots_[set.begin + i] = keyed[i].second;
  }

  void rank_groups() {
    for (const auto& id : pool_.groups_.ids()) pool_.by_name_.push_back(id);
    const auto name_of = [&](GroupId id) { return pool_.groups_[id].name; };
    std::stable_sort(pool_.by_name_.begin(), pool_.by_name_.end(),
                     [&](GroupId a, GroupId b) { return name_of(a) < name_of(b); });
    std::vector<GroupId> by_age = pool_.by_name_;
    std::stable_sort(by_age.begin(), by_age.end(),
                     [&](GroupId a, GroupId b) { return pool_.groups_[a].created < pool_.groups_[b].created; });
    for (std::uint32_t i = 0; i < by_age.size(); ++i) pool_.groups_[by_age[i]].rank = i;
  }

  void sum_up() {
    for (const RoomId id : pool_.rooms_.ids()) {
      if (!pool_.rooms_[id].available) continue;
      for (std::size_t r = 0; r < kShared; ++r) {
        pool_.total_[r] += pool_.allocatable_[id.index * pool_.dims() + r] - foreign_[id.index][r];
      }
    }
  }

  Pool& pool_;
  const Snapshot& cluster_;
  Moment& now_;
  std::vector<std::int32_t> dim_of_;                   // by symbol
  std::unordered_map<std::uint32_t, RoomId> room_of_;  // by name
  std::unordered_map<std::uint32_t, GroupId> group_of_;
  std::unordered_map<std::uint64_t, RoomId> binding_;  // by namespace and name of the pod
  std::unordered_map<std::string_view, std::int32_t> classes_;
  std::unordered_map<std::string_view, GroupId> by_name_;
  std::int32_t default_priority_ = 0;
  GroupId assumed_;
  Symbol group_key_;
  Symbol sub_group_key_;
  std::vector<Share> foreign_;  // by room: requests of other schedulers' pods
  std::vector<double> total_, sidecars_, peak_;
};

Pool::Pool(const Snapshot& cluster, const Settings& settings, Moment& now, const AssumedGroup* assumed)
    : cluster_(cluster), settings_(settings), queues_(cluster, settings, now.now()) {
  Builder(*this, now).build(assumed);
}

auto Pool::find_group(std::string_view ns, std::string_view name) const -> GroupId {
  const auto found = std::lower_bound(by_name_.begin(), by_name_.end(), name,
                                      [&](GroupId id, std::string_view wanted) { return groups_[id].name < wanted; });
  if (found == by_name_.end() || groups_[*found].name != name || groups_[*found].ns != ns) return {};
  return *found;
}

auto Pool::key(GroupId id) const -> std::string {
  return fmt::format("{}/{}", groups_[id].ns, groups_[id].name);
}

}  // namespace previct::kai
