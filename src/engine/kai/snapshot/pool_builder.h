#pragma once

#include "engine/kai/snapshot/pool.h"
#include "engine/kai/snapshot/sub_groups.h"

namespace previct::kai {

/// Fills a pool; see pool_rooms.cpp, pool_groups.cpp, pool_pods.cpp and pool_orders.cpp.
class Pool::Builder {
 public:
  Builder(Pool& pool, Moment& now) : pool_(pool), cluster_(pool.cluster_), now_(now) {}

  void build(const AssumedGroup* assumed);

 private:
  [[nodiscard]] auto text(Symbol symbol) const -> std::string_view { return cluster_.text(symbol); }
  [[nodiscard]] auto objects() const -> const Objects& { return cluster_.objects(); }
  [[nodiscard]] auto label(const ObjectMeta& meta, std::string_view key) const -> std::optional<std::string_view>;

  // ---- nodes
  void add_rooms();
  [[nodiscard]] auto room_of(NodeId id) const -> Room;
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
    RoomId room;
    const BindRequest* request = nullptr;
  };
  void add_pods(const AssumedGroup* assumed);
  void add_pod(PodId id, bool in_assumed);
  [[nodiscard]] auto status_of(const Pod& pod, bool bound_soon) const -> Status;
  [[nodiscard]] auto groups_of(const Pod& pod, const Binding* binding) const -> std::vector<GpuGroupId>;
  void settle(const Task& task, const Resources::OfPod& asked, std::span<const GpuGroupId> groups, const Pod& pod);
  auto join(Task& task, const Pod& pod, bool in_assumed) -> bool;
  void sum_up();
  void find_endless_queues();

  // ---- orders that do not change
  void order_tasks();
  void rank_groups();

  Pool& pool_;
  const Snapshot& cluster_;
  Moment& now_;
  std::unordered_map<std::uint32_t, RoomId> room_of_;  // by name
  std::unordered_map<std::uint32_t, GroupId> group_of_;
  std::unordered_map<std::uint64_t, Binding> binding_;  // by namespace and name of the pod
  std::unordered_map<std::string_view, std::int32_t> classes_;
  std::int32_t default_priority_ = 0;
  GroupId assumed_;
  Symbol group_key_;
  Symbol sub_group_key_;
  std::vector<Share> foreign_;  // by room: requests of other schedulers' pods
};

}  // namespace previct::kai
