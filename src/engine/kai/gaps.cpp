#include "base/go.h"
#include "base/instant.h"
#include "base/text.h"
#include "engine/kai/account.h"
#include "engine/kai/snapshot/annotation.h"
#include "engine/kai/snapshot/grouper.h"
#include "engine/kai/snapshot/needs.h"
#include "engine/kai/snapshot/priority_classes.h"
#include "engine/population.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace previct::kai {
namespace {

// The cost of a step of the real scheduler per node of the shard, in seconds, as measured on 1,000 nodes (spec §17):
// for looking at one victim, and for trying one scenario.
constexpr double kPerVictim = 0.8e-6;
constexpr double kPerScenario = 3e-6;
constexpr double kSecond = 1e9;

/// Pods and PodGroups of an input that lack each other: the dump has only some of the cluster's objects.
struct Counterparts {
  explicit Counterparts(const Snapshot& cluster) {
    const auto& all = cluster.derived<Population>();
    if (all.read_by_previct) return;
    std::set<std::string_view> names;
    std::set<Symbol> namespaces;
    for (const PodGroup& group : cluster.objects().kai_pod_groups) {
      names.insert(cluster.text(group.meta.name));
      namespaces.insert(group.meta.ns);
    }
    std::set<std::string_view> named;  // by pods
    bool any_runs = false;
    bool some_have_pods = false;
    for (const PodId id : cluster.pods().ids()) {
      const std::string_view name = group_name_of(cluster, id);
      if (name.empty()) continue;
      named.insert(name);
      if (!cluster.node_of(id)) continue;
      any_runs = true;
      // A single PodGroup may have been deleted, but not all of a namespace.
      if (names.contains(name) || namespaces.contains(cluster.pod(id).meta.ns)) continue;
      if (pods++ == 0) pod = id;
    }
    if (any_runs || all.is_whole(cluster)) return;
    const auto at = [&](const PodGroup& group, std::string_view key) {
      const auto written = annotation(cluster, group.meta, key);
      return written ? parse_instant(*written).value_or(Instant{}) : Instant{};
    };
    for (const PodGroup& group : cluster.objects().kai_pod_groups) {
      if (at(group, kLastStart) <= at(group, kLastEviction)) continue;
      if (groups++ == 0) first = fmt::format("{}/{}", cluster.text(group.meta.ns), cluster.text(group.meta.name));
      // The pods of one that has ended are usually listed, too.
      if (named.contains(cluster.text(group.meta.name))) some_have_pods = true;
    }
    if (some_have_pods) groups = 0;
  }

  std::size_t pods = 0;    ///< running, in namespaces of which the input has no PodGroup
  PodId pod;               ///< the first of them
  std::size_t groups = 0;  ///< that have started, if the input has no pod of any such group
  std::string first;       ///< of these
};

class Gaps {
 public:
  explicit Gaps(const Explained& e) : e_(e), cluster_(e.cluster), gaps_(e.settings.gaps) {}

  auto all() -> std::vector<Gap> {
    missing_kinds();
    older_release();
    dropped_queues();
    crash();
    chance();
    mig_annotations();
    task_order();
    budgets();
    backing_off();
    claims();
    device_classes();
    storage();
    config_maps();
    volumes();
    counterparts();
    topologies();
    semi_preemptible();
    return std::move(gaps_);
  }

 private:
  void add(GapRule rule, std::vector<std::string> operands = {}, bool decides = false) {
    gaps_.push_back({rule, std::move(operands), decides});
  }
  template <class Visit>
  void each_pending(Visit visit) const {
    const Group& group = e_.group();
    for (std::uint32_t i = 0; i < group.sets; ++i) {
      for (const TaskId task : e_.cluster_info().tasks_of(group.set(i))) {
        if (e_.cluster_info().task(task).status == Status::pending)
          visit(cluster_.pod(e_.cluster_info().task(task).pod));
      }
    }
  }

  void missing_kinds() {
    std::vector<Gap> missing = previct::missing_kinds(cluster_.objects(), kNeeds);
    make_missing_nodes_decisive(missing);
    for (Gap& gap : missing) {
      gap.decides = gap.decides || gap.lacks("Queue");
      if (gap.lacks("PriorityClass")) doubt_classes(gap);
    }
    add_gaps(missing, gaps_);
    if (!e_.settings.shard_given) {
      add(GapRule::kai_shard, {e_.settings.shard, std::string(without(kNeeds, "SchedulingShard"))});
    }
    if (e_.subject.assumed != nullptr) add(GapRule::kai_group_assumed);
  }

  // The priority of a group whose class has no known value only matters if it competes with others.
  void doubt_classes(Gap& gap) const {
    const ClusterInfo& info = e_.cluster_info();
    const auto& classes = cluster_.derived<PriorityClasses>();
    for (const Group& group : info.groups()) {
      const std::string_view name =
          group.object == nullptr ? std::string_view() : cluster_.text(group.object->spec.priority_class_name);
      if (name.empty() || classes.value_of(name)) continue;
      gap.rule = GapRule::kai_class_unknown;
      gap.operands.push_back(fmt::format("{} of group {}/{}", name, group.ns, group.name));
      gap.decides = !e_.decision.cycle.evictions().empty() || info.groups_with_pending().size() > 1 ||
                    (e_.subject.group && fate_of(e_.decision, e_.subject).outcome == Outcome::pending);
      return;
    }
  }

  // What older releases do in their own way, which is not modeled.
  void older_release() {
    const Release& release = e_.settings.running.release;
    const auto lacks = [&](Change change, const std::string& what, const auto& used) {
      if (!release.has(change) && used())
        add(GapRule::kai_release_evicts, {release_name(release.minor()) + " with " + what, "newer releases"}, true);
    };
    const auto& groups = e_.cluster_info().groups();
    lacks(Change::sub_group_trees, "sub-groups", [&] {
      return std::any_of(groups.begin(), groups.end(), [](const Group& group) {
        return group.object != nullptr && !group.object->spec.sub_groups.empty();
      });
    });
    lacks(Change::topology_levels, "topology constraints", [&] { return has_topology_terms(); });
    lacks(Change::requests_for_0_are_fulfilled, "requests for 0 of a resource that no node has",
          [&] { return asks_for_nothing(); });
    lacks(Change::gpu_memory_by_nodes, "requests for GPU memory", [&] { return asks_by_memory(); });
    lacks(Change::gpus_by_suffix, "resources of nodes whose names end in gpu", [&] { return names_other_gpus(); });
    if (e_.decision.cycle.crashed_for() && evicts())
      add(GapRule::kai_release_evicts,
          {release_name(release.minor()) + " in a cycle that ends in a panic", release_name(release.minor())}, true);
    if (release.has(Change::maximums_are_cut) && asks_for_rare_resources())
      add(GapRule::kai_release_evicts,
          {release_name(release.minor()) + " with requests for resources that not all nodes have", "newer releases"},
          true);
  }

  [[nodiscard]] auto asks_by_memory() const -> bool {
    for (const TaskId id : e_.cluster_info().tasks().ids()) {
      if (e_.cluster_info().gpu(id).kind == GpuRequest::Kind::memory) return true;
    }
    return false;
  }

  [[nodiscard]] auto has_topology_terms() const -> bool {
    const auto& groups = e_.cluster_info().groups();
    return std::any_of(groups.begin(), groups.end(), [](const Group& group) {
      return group.object != nullptr && group.object->spec.topology.topology;
    });
  }

  // Returns true if a node has a resource other than nvidia.com/gpu and amd.com/gpu whose name ends in gpu.
  [[nodiscard]] auto names_other_gpus() const -> bool {
    const auto& nodes = e_.cluster_info().shard_nodes();
    for (const ShardNodeId id : nodes.ids()) {
      for (const auto& [symbol, quantity] : cluster_.node(nodes[id].node).status.allocatable) {
        const std::string_view name = cluster_.text(symbol);
        if (name.ends_with("gpu") && name != "nvidia.com/gpu" && name != "amd.com/gpu") return true;
      }
    }
    return false;
  }

  // Returns true if a pending pod requests 0 of a resource that all nodes lack.
  [[nodiscard]] auto asks_for_nothing() const -> bool {
    const auto nothing = [&](const Container& container) {
      const ResourceList& list = container.resources.requests;
      return std::any_of(list.begin(), list.end(), [&](const auto& each) {
        return each.second.milli() == 0 && counts_apart(cluster_.text(each.first)) && all_nodes_lack(each.first);
      });
    };
    const auto& tasks = e_.cluster_info().tasks();
    return std::any_of(tasks.begin(), tasks.end(), [&](const Task& task) {
      const PodSpec& spec = cluster_.pod(task.pod).spec;
      return task.status == Status::pending &&
             (std::any_of(spec.containers.begin(), spec.containers.end(), nothing) ||
              std::any_of(spec.init_containers.begin(), spec.init_containers.end(), nothing));
    });
  }

  // Source: api/resource_info RequirementsFromResourceList.
  [[nodiscard]] static auto counts_apart(std::string_view name) -> bool {
    return name != "cpu" && name != "memory" && name != "pods" && name != "nvidia.com/gpu" && name != "amd.com/gpu" &&
           !is_mig(name);
  }

  [[nodiscard]] auto all_nodes_lack(Symbol resource) const -> bool {
    const auto& shard_nodes = e_.cluster_info().shard_nodes();
    return std::all_of(shard_nodes.begin(), shard_nodes.end(),
                       [&](const ShardNode& shard_node) { return lacks_resource(shard_node, resource); });
  }

  [[nodiscard]] auto lacks_resource(const ShardNode& shard_node, Symbol resource) const -> bool {
    const ResourceList& list = cluster_.node(shard_node.node).status.allocatable;
    return std::none_of(list.begin(), list.end(),
                        [&](const auto& each) { return each.first == resource && each.second.milli() > 0; });
  }

  // Returns true if a pending pod requests an extended resource that some node of the shard lacks.
  [[nodiscard]] auto asks_for_rare_resources() const -> bool {
    const ClusterInfo& info = e_.cluster_info();
    const auto is_rare = [&](std::size_t dim) {
      for (const ShardNodeId node : info.shard_nodes().ids()) {
        if (info.allocatable(node)[dim] == 0) return true;
      }
      return false;
    };
    for (const TaskId id : info.tasks().ids()) {
      if (info.task(id).status != Status::pending) continue;
      for (std::size_t dim = kPods + 1; dim < info.dims(); ++dim) {
        if (info.request(id)[dim] > 0 && is_rare(dim)) return true;
      }
    }
    return false;
  }

  void dropped_queues() {
    for (const QueueTree::Dropped& dropped : e_.cluster_info().tree().dropped()) {
      add(GapRule::kai_queue_dropped, {std::string(cluster_.text(dropped.object->meta.name)), dropped.why});
    }
  }

  // Placements are written before the crash, one by one; evictions are in progress.
  void crash() {
    const GroupId at = e_.decision.cycle.crashed_at();
    if (!at) return;
    add(GapRule::kai_crash, {e_.cluster_info().key(at)}, evicts());
  }

  [[nodiscard]] auto evicts() const -> bool {
    return e_.subject.group && !fate_of(e_.decision, e_.subject).evictions.empty();
  }

  // Of pods that are alike to the scheduler, some get a node and others do not. In lists and simulations, the number of
  // both is what matters.
  // Source: framework/session_plugins.go TaskOrderFn, which compares creation times and then UIDs.
  void task_order() {
    if (!e_.subject.group) return;
    const ClusterInfo& info = e_.cluster_info();
    const Cycle& cycle = e_.decision.cycle;
    const auto place = [&](TaskId task) { return cycle.allocated_to(task) ? 2 : cycle.pipelined_to(task) ? 1 : 0; };
    const TaskId own = e_.subject.pod ? task_of(info, e_.subject) : TaskId();
    const Group& group = e_.group();
    std::size_t alike = 0;
    bool differ = false;
    for (std::uint32_t i = 0; i < group.sets; ++i) {
      std::map<std::uint32_t, std::pair<std::size_t, std::set<int>>> ties;
      for (const TaskId task : info.tasks_of(group.set(i))) {
        const std::uint32_t tie = info.task(task).tie;
        if (tie == 0 || info.task(task).status != Status::pending) continue;
        if (own && (info.task(own).set != group.set(i) || info.task(own).tie != tie)) continue;
        ++ties[tie].first;
        ties[tie].second.insert(place(task));
      }
      for (const auto& [tie, of] : ties) {
        if (of.second.size() < 2) continue;
        differ = true;
        alike += of.first;
      }
    }
    if (!differ) return;
    add(GapRule::kai_task_order, {std::to_string(alike), info.key(e_.subject.group)}, own && !e_.question.brief);
  }

  // Cases in which the answer of upstream itself depends on map order.
  void chance() {
    for (const std::string& name : e_.cluster_info().colliding()) {
      add(GapRule::kai_groups_collide, {name});
    }
    const std::vector<QueueId>& tied = e_.decision.cycle.shares().tied;
    if (!tied.empty()) {
      std::vector<std::string> names;
      for (const QueueId queue : tied) names.emplace_back(e_.cluster_info().queue(queue).name);
      add(GapRule::kai_last_unit, {joined(names, ", ")});
    }
    if (e_.subject.group && e_.decision.cycle.was_pending_at_cut(e_.subject.group)) {
      // Upstream may move other candidates; everything after that starts from a different state.
      const std::vector<Eviction>& evictions = e_.decision.cycle.evictions();
      const bool moves = std::any_of(evictions.begin(), evictions.end(),
                                     [](const Eviction& each) { return each.action == Action::consolidation; });
      add(GapRule::kai_consolidation_cut, {}, moves);
    }
  }

  // Of several annotations, the last one counts. What a request of a profile that no node has counts for in queues
  // depends on whether a pod whose containers request it was read before.
  // Source: api/pod_info updateLegacyMigResourceRequestFromAnnotations; api/resource_info
  // ResourceRequirements.ToVector; cache/cluster_info getNodeToPodInfosMap.
  void mig_annotations() {
    const ClusterInfo& info = e_.cluster_info();
    for (const TaskId id : info.tasks().ids()) {
      if (!info.gpu(id).legacy_mig) continue;
      const PodId pod = info.task(id).pod;
      const auto assumed = legacy_mig_of(cluster_, cluster_.pod(pod));
      if (!assumed) continue;
      const SymbolMap& all = cluster_.pod(pod).meta.annotations;
      const auto profiles = std::count_if(all.begin(), all.end(), [&](const auto& each) {
        return is_mig(cluster_.text(each.first)) && go::parse_int(cluster_.text(each.second), 64);
      });
      if (profiles < 2 && !(all_nodes_lack(assumed->resource) && some_container_requests(assumed->resource))) continue;
      add(GapRule::kai_mig_annotations, {cluster_.key(pod), std::string(cluster_.text(assumed->resource))}, true);
      return;
    }
  }

  [[nodiscard]] auto some_container_requests(Symbol resource) const -> bool {
    const auto requests = [&](const Container& each) { return each.resources.requests.get(resource).has_value(); };
    return std::any_of(cluster_.pods().begin(), cluster_.pods().end(), [&](const Pod& pod) {
      const PodSpec& spec = pod.spec;
      return std::any_of(spec.containers.begin(), spec.containers.end(), requests) ||
             std::any_of(spec.init_containers.begin(), spec.init_containers.end(), requests);
    });
  }

  // Upstream limits the search by elapsed time; the simulation counts steps instead.
  void budgets() {
    const Effort& longest = e_.decision.cycle.longest();
    const auto shard_nodes = static_cast<double>(e_.cluster_info().shard_nodes().size());
    for (std::size_t g = 0; g < kGenerators; ++g) {
      const std::int64_t limit = e_.settings.budgets.generator[g];
      const double seconds = shard_nodes * (kPerVictim * static_cast<double>(longest.popped_by[g]) +
                                            kPerScenario * static_cast<double>(longest.scenarios_by[g]));
      if (limit <= Budgets::kNothing || seconds <= static_cast<double>(limit) / kSecond) continue;
      add(g == 0 ? GapRule::kai_node_local_limit : GapRule::kai_multi_node_limit,
          {go_duration(limit), fmt::format("{:.2g}", seconds)});
    }
  }

  void backing_off() {
    const std::vector<const PodGroup*>& groups = e_.cluster_info().backing_off();
    if (groups.empty()) return;
    add(GapRule::kai_backing_off, {std::to_string(groups.size())});
  }

  // Claims of the group asked about decide; claims of other groups decide if the group needs GPUs, which they may hold.
  void claims() {
    std::size_t ours = 0;
    std::size_t others = 0;
    for (const TaskId id : e_.cluster_info().tasks().ids()) {
      const Task& task = e_.cluster_info().task(id);
      if (cluster_.pod(task.pod).spec.resource_claims.empty()) continue;
      ++(task.group == e_.subject.group && task.status == Status::pending ? ours : others);
    }
    if (ours > 0) add(GapRule::kai_own_claims, {std::to_string(ours)}, true);
    if (others > 0) add(GapRule::kai_other_claims, {std::to_string(others)}, needs_gpu());
  }

  // If a node has none of a resource that a DeviceClass provides, devices may provide it: the plugin dynamicresources
  // decides whether any exist. Source: api/node_info/node_info.go lessEqualVectorsExcludingGPU;
  // plugins/dynamicresources/extended_resources.go podExtendedResourcesNeedingDRA.
  void device_classes() {
    if (cluster_.objects().device_classes.empty()) return;
    std::size_t ours = 0;
    std::size_t others = 0;
    for (const TaskId id : e_.cluster_info().tasks().ids()) {
      const Task& task = e_.cluster_info().task(id);
      if (task.status != Status::pending || !asks_for_devices(cluster_.pod(task.pod))) continue;
      ++(task.group == e_.subject.group ? ours : others);
    }
    if (ours > 0) add(GapRule::kai_own_devices, {std::to_string(ours)}, true);
    if (others > 0) add(GapRule::kai_other_devices, {std::to_string(others)});
  }

  [[nodiscard]] auto asks_for_devices(const Pod& pod) const -> bool {
    const auto asks = [&](const Container& container) {
      const ResourceList& list = container.resources.requests;
      return std::any_of(list.begin(), list.end(), [&](const auto& each) {
        return each.second.milli() > 0 && stood_for(each.first) && some_node_lacks(each.first);
      });
    };
    return std::any_of(pod.spec.containers.begin(), pod.spec.containers.end(), asks) ||
           std::any_of(pod.spec.init_containers.begin(), pod.spec.init_containers.end(), asks);
  }

  // Returns true if a DeviceClass provides the resource. Source: k8s.io/dynamic-resource-allocation
  // deviceclass/extendedresourcecache.
  [[nodiscard]] auto stood_for(Symbol resource) const -> bool {
    constexpr std::string_view kByName = "deviceclass.resource.kubernetes.io/";
    const std::string_view name = cluster_.text(resource);
    const auto& classes = cluster_.objects().device_classes;
    return std::any_of(classes.begin(), classes.end(), [&](const DeviceClass& each) {
      return each.spec.extended_resource_name == resource ||
             (name.starts_with(kByName) && name.substr(kByName.size()) == cluster_.text(each.meta.name));
    });
  }

  [[nodiscard]] auto some_node_lacks(Symbol resource) const -> bool {
    const auto& shard_nodes = e_.cluster_info().shard_nodes();
    return std::any_of(shard_nodes.begin(), shard_nodes.end(),
                       [&](const ShardNode& shard_node) { return lacks_resource(shard_node, resource); });
  }

  [[nodiscard]] auto needs_gpu() const -> bool {
    if (!e_.subject.group) return false;
    const ClusterInfo& cluster_info = e_.cluster_info();
    const Group& group = e_.group();
    for (std::uint32_t i = 0; i < group.sets; ++i) {
      const auto& tasks = cluster_info.tasks_of(group.set(i));
      if (std::any_of(tasks.begin(), tasks.end(), [&](TaskId id) { return cluster_info.gpu(id).needs_gpu(); }))
        return true;
    }
    return false;
  }

  void storage() {
    if (!e_.settings.storage_capacity || !e_.subject.group) return;
    bool any = false;
    each_pending([&](const Pod& pod) { any = any || pod.spec.has_storage(); });
    if (any) add(GapRule::kai_csi_storage, {}, true);
  }

  void config_maps() {
    if (const std::vector<std::string> unknown = unknown_config_maps(e_); !unknown.empty()) {
      add(GapRule::kai_config_maps_needed,
          {"ConfigMap", std::string(without(kNeeds, "ConfigMap")), config_maps_words(unknown)}, true);
      return;
    }
    if (const std::size_t others = without_config_map(); others > 0) {
      add(GapRule::kai_config_maps_of_others, {"ConfigMap", std::to_string(others)});
    }
    if (e_.cluster_info().config_maps().told() || e_.settings.config_maps_exist || !e_.subject.group) return;
    bool any = false;
    each_pending([&](const Pod& pod) { any = any || !e_.cluster_info().config_maps().needed(pod).empty(); });
    if (any) add(GapRule::kai_config_maps_exist, {"ConfigMap"});
  }

  [[nodiscard]] auto without_config_map() const -> std::size_t {
    if (!lacks(cluster_.objects(), kinds::config_maps)) return 0;
    std::size_t ours = 0;
    if (e_.subject.group) {
      each_pending([&](const Pod& pod) { ours += e_.cluster_info().config_maps().missing(pod).empty() ? 0U : 1U; });
    }
    return e_.decision.state->pods_without_config_map() - ours;
  }

  void counterparts() {
    const auto& lacking = cluster_.derived<Counterparts>();
    if (!e_.subject.group || (lacking.pods == 0 && lacking.groups == 0)) return;
    const Outcome outcome = fate_of(e_.decision, e_.subject).outcome;
    const bool preempts = outcome == Outcome::preempts;
    if (lacking.pods > 0) {
      add(GapRule::kai_groups_of_pods, {"PodGroup", std::to_string(lacking.pods), cluster_.key(lacking.pod)},
          preempts || outcome == Outcome::pending || outcome == Outcome::not_eligible);
    }
    if (lacking.groups > 0) {
      add(GapRule::kai_pods_of_groups, {"Pod", std::to_string(lacking.groups), lacking.first},
          preempts || outcome == Outcome::fits);
    }
  }

  void volumes() {
    bool any = false;
    if (e_.subject.group) each_pending([&](const Pod& pod) { any = any || pod.spec.has_storage(); });
    if (any) {
      for (const RequiredKind& each : kVolumeNeeds)
        add_gaps(missing_kind(cluster_.objects(), kNeeds, each.kind->name), gaps_);
    }
    const auto first = std::find_if(kVolumeNeeds.begin(), kVolumeNeeds.end(), [&](const RequiredKind& each) {
      return may_hold_more(cluster_.objects(), *each.kind);
    });
    if (first == kVolumeNeeds.end()) return;
    std::size_t others = 0;
    for (const Task& task : e_.cluster_info().tasks()) {
      const Pod& pod = cluster_.pod(task.pod);
      if (task.group == e_.subject.group || task.status != Status::pending || !pod.spec.has_storage()) continue;
      others += kube::unknown_volumes(cluster_, pod) ? 1U : 0U;
    }
    if (others > 0) add(GapRule::kai_volumes_of_others, {std::string(first->kind->name), std::to_string(others)});
  }

  // If the input contains no Topology at all, one that a group refers to may still exist.
  void topologies() {
    if (!e_.subject.group || !lacks(cluster_.objects(), kinds::kai_topologies)) return;
    const PodGroup* object = e_.group().object;
    if (object == nullptr) return;
    std::string_view name = cluster_.text(object->spec.topology.topology);
    for (const SubGroup& sub : object->spec.sub_groups) {
      if (name.empty()) name = cluster_.text(sub.topology.topology);
    }
    const auto& known = cluster_.objects().kai_topologies;
    const auto is_it = [&](const Topology& each) { return cluster_.text(each.meta.name) == name; };
    if (name.empty() || std::any_of(known.begin(), known.end(), is_it)) return;
    add(GapRule::kai_topology, {"Topology", std::string(without(kNeeds, "Topology")), std::string(name)}, true);
  }

  // Which pods of such a group are evicted, and what counts for the quotas of its queues, is not modeled. A preemptible
  // group that is placed without evictions takes neither into account, unless such a group is placed in the same cycle.
  void semi_preemptible() {
    if (!semi_preemptible_gap(e_.cluster_info(), false)) return;
    bool matters = !e_.subject.group;
    if (e_.subject.group) {
      const Group& own = e_.group();
      const auto& waiting = e_.cluster_info().groups_with_pending();
      matters = own.semi_preemptible || !own.preemptible || !e_.decision.cycle.evictions().empty() ||
                fate_of(e_.decision, e_.subject).outcome != Outcome::fits ||
                std::any_of(waiting.begin(), waiting.end(),
                            [&](GroupId id) { return e_.cluster_info().group(id).semi_preemptible; });
    }
    if (auto gap = semi_preemptible_gap(e_.cluster_info(), matters)) gaps_.push_back(*std::move(gap));
  }

  const Explained& e_;
  const Snapshot& cluster_;
  std::vector<Gap> gaps_;
};

}  // namespace

auto semi_preemptible_gap(const ClusterInfo& cluster_info, bool decides) -> std::optional<Gap> {
  constexpr std::size_t kNamed = 2;
  std::vector<std::string> names = cluster_info.semi_preemptible_groups();
  if (names.empty()) return {};
  const Release& release = cluster_info.settings().running.release;
  return Gap{GapRule::kai_release_evicts,
             {fmt::format("{} with semi-preemptible groups ({})", release_name(release.minor()),
                          joined_up_to(kNamed, std::move(names))),
              std::string(release.compared_with())},
             decides};
}

auto gaps(const Explained& explained) -> std::vector<Gap> {
  return Gaps(explained).all();
}

}  // namespace previct::kai
