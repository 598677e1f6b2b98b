#pragma once

#include "engine/kai/snapshot/cluster_info.h"
#include "engine/kai/snapshot/priority_classes.h"
#include "engine/kai/snapshot/sub_groups.h"

namespace previct::kai {

/// Fills a ClusterInfo; see cluster_info_nodes.cpp, cluster_info_groups.cpp, cluster_info_pods.cpp and
/// cluster_info_orders.cpp.
class ClusterInfo::Builder {
 public:
  Builder(ClusterInfo& cluster_info, Moment& now)
      : cluster_info_(cluster_info), cluster_(cluster_info.cluster_), now_(now), classes_(cluster_) {}

  void build(const AssumedGroup* assumed);

 private:
  [[nodiscard]] auto text(Symbol symbol) const -> std::string_view { return cluster_.text(symbol); }
  [[nodiscard]] auto objects() const -> const Objects& { return cluster_.objects(); }
  [[nodiscard]] auto label(const ObjectMeta& meta, std::string_view key) const -> std::optional<std::string_view>;
  [[nodiscard]] auto label(const ObjectMeta& meta, Symbol key) const -> std::optional<std::string_view>;

  // ---- nodes
  void add_shard_nodes();
  [[nodiscard]] auto shard_node_of(NodeId id) const -> ShardNode;
  void add_dra_gpus();

  // ---- groups
  void add_groups();
  void add_assumed(const AssumedGroup& assumed);
  [[nodiscard]] auto group_of(const PodGroup& object) const -> Group;
  [[nodiscard]] auto backs_off(const PodGroup& object) const -> bool;
  void set_rank(Group& group, std::string_view priority_class, std::string_view preemptibility) const;
  void add_pod_sets(Group& group, const SubGroupShape& shape);

  // ---- pods
  struct Binding {
    ShardNodeId shard_node;
    const BindRequest* request = nullptr;
  };
  void add_pods(const AssumedGroup* assumed);
  void add_pod(PodId id, bool in_assumed);
  [[nodiscard]] auto status_of(const Pod& pod, bool bound_soon) const -> Status;
  [[nodiscard]] auto counted_of(const Pod& pod, bool succeeded, bool in_assumed) const -> Resources::Counted;
  [[nodiscard]] auto groups_of(const Pod& pod, const Binding* binding) const -> std::vector<GpuGroupId>;
  void settle(const Task& task, const Resources::OfPod& asked, std::span<const GpuGroupId> groups, const Pod& pod);
  auto join(Task& task, const Pod& pod, bool in_assumed) -> bool;
  void sum_up();
  void find_endless_queues();

  // ---- orders that do not change during a cycle
  void order_tasks();
  void rank_groups();

  ClusterInfo& cluster_info_;
  const Snapshot& cluster_;
  Moment& now_;
  std::unordered_map<std::uint32_t, ShardNodeId> shard_node_of_;  // by name of the node
  std::unordered_map<std::uint32_t, GroupId> group_of_;
  std::unordered_map<std::uint64_t, Binding> binding_;  // by namespace and name of the pod
  PriorityClasses classes_;
  std::int32_t default_priority_ = 0;
  GroupId assumed_;
  Symbol last_start_key_;
  Symbol last_eviction_key_;
  Symbol stale_since_key_;
  Symbol app_key_;
  Symbol group_key_;
  Symbol sub_group_key_;
  std::vector<Share> foreign_;  // by node: requests of other schedulers' pods
};

}  // namespace previct::kai
