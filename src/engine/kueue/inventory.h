#pragma once

#include "api/kueue.h"
#include "base/id.h"
#include "cluster/snapshot.h"
#include "engine/kueue/amounts.h"
#include "engine/kueue/quota_tree.h"
#include "engine/kueue/requests.h"
#include "engine/kueue/settings.h"
#include "engine/kueue/topology.h"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace previct::kueue {

using QueueId = Id<struct ClusterQueueTag>;
using LocalQueueId = Id<struct LocalQueueTag>;
using WorkloadId = Id<struct KueueWorkloadTag>;

/// The controllers of admission checks that decide where pods run. Source: apis/kueue/v1beta2/multikueue_types.go,
/// provisioningrequestconfig_types.go.
inline constexpr std::string_view kMultiKueue = "kueue.x-k8s.io/multikueue";
inline constexpr std::string_view kProvisioning = "kueue.x-k8s.io/provisioning-request";

enum class Policy : std::uint8_t { never, lower_priority, lower_or_newer_equal_priority, any };
[[nodiscard]] auto policy_name(Policy policy) -> std::string_view;

/// Why a ClusterQueue is inactive. Source: pkg/cache/scheduler/clusterqueue.go, inactiveReason.
enum class Inactive : std::uint8_t {
  no,
  deleted,
  stopped,
  flavor_missing,
  check_missing,
  check_inactive,
  checks,
  topology,
  cycle
};

struct FlavorOfGroup {
  Symbol name;
  const ResourceFlavor* object = nullptr;  ///< null: it does not exist
};

struct FlavorGroup {
  std::vector<Symbol> covered;
  std::vector<FlavorOfGroup> flavors;
  [[nodiscard]] auto covers(Symbol resource) const -> bool;
};

/// A pod of a pod set.
struct PodOfSet {
  PodSpec spec{};
  Capacity request{};  ///< including one of `pods`
};

struct QueueInfo {
  const ClusterQueue* object = nullptr;
  std::string name;
  QuotaNodeId node;
  std::string tree;  ///< its root cohort, or `clusterqueue/NAME`
  /// Of all trees that affect each other within a cycle, the first one: those whose queues use the same topology
  /// flavor.
  std::string scope;
  std::string path;  ///< `/root/…/name`
  Inactive inactive = Inactive::no;
  std::string inactive_because;  ///< the flavor or check that is missing
  bool strict = false;           ///< StrictFIFO
  Policy within = Policy::never;
  Policy reclaim = Policy::never;
  bool borrows_to_preempt = false;  ///< borrowWithinCohort
  std::optional<std::int32_t> threshold{};
  bool next_flavor_before_borrowing = false;  ///< whenCanBorrow: TryNextFlavor
  bool next_flavor_before_preempting = true;  ///< whenCanPreempt: TryNextFlavor
  bool preemption_over_borrowing = false;
  bool by_usage = false;  ///< AdmissionFairSharing orders its workloads
  std::vector<FlavorGroup> groups{};
  std::vector<WorkloadId> workloads{};  ///< pending workloads, also those that would be, by their LocalQueues
  bool only_topology = false;           ///< all its flavors have a topology
  /// The workloads that hold quota of it by its status and that the input lacks: they are of namespaces that were not
  /// read. A status may be older than the workloads: one that has been evicted since, and is pending beyond those that
  /// the status counts as pending, is not lost.
  std::int64_t lost_workloads = 0;

  [[nodiscard]] auto group_of(Symbol resource) const -> const FlavorGroup*;
  [[nodiscard]] auto uses_flavor(Symbol flavor) const -> bool;
};

struct LocalQueueInfo {
  const LocalQueue* object = nullptr;
  std::string key;
  QueueId queue;  ///< none: the ClusterQueue does not exist
  bool stopped = false;
};

struct WorkloadInfo {
  const Workload* object = nullptr;
  std::string key;  ///< `namespace/name`
  std::string_view uid;
  Instant created{};
  std::int64_t base_priority = 0;
  std::int64_t boost = 0;
  LocalQueueId local_queue;  ///< none: the LocalQueue does not exist
  std::string local_queue_key;

  [[nodiscard]] auto priority() const -> std::int64_t { return base_priority + boost; }
};

/// The objects of Kueue in an input, linked. Contains no decisions.
class Inventory {
 public:
  Inventory(const Snapshot& cluster, Settings settings);
  Inventory(const Inventory&) = delete;
  auto operator=(const Inventory&) -> Inventory& = delete;

  [[nodiscard]] auto cluster() const -> const Snapshot& { return cluster_; }
  [[nodiscard]] auto text(Symbol symbol) const -> std::string_view { return cluster_.text(symbol); }
  [[nodiscard]] auto settings() const -> const Settings& { return settings_; }
  [[nodiscard]] auto names() const -> const FlavorResources& { return names_; }
  /// The tree without any usage.
  [[nodiscard]] auto tree() const -> const QuotaTree& { return tree_; }
  [[nodiscard]] auto queues() const -> const IdVector<QueueId, QueueInfo>& { return queues_; }
  [[nodiscard]] auto local_queues() const -> const IdVector<LocalQueueId, LocalQueueInfo>& { return local_queues_; }
  [[nodiscard]] auto workloads() const -> const IdVector<WorkloadId, WorkloadInfo>& { return workloads_; }
  [[nodiscard]] auto find(std::string_view ns, std::string_view name) const -> WorkloadId;
  [[nodiscard]] auto find_queue(std::string_view name) const -> QueueId;
  /// Returns the ClusterQueue of the workload's LocalQueue; none if either does not exist.
  [[nodiscard]] auto queue_of(WorkloadId workload) const -> QueueId;
  [[nodiscard]] auto queue_of_node(QuotaNodeId node) const -> QueueId { return queue_of_node_[node.index]; }
  [[nodiscard]] auto namespace_labels(Symbol ns) const -> const SymbolMap& { return cluster_.namespace_labels(ns); }

  // Computed on first use.
  [[nodiscard]] auto topologies() const -> const Topologies&;
  /// The pods of the workload's pod sets as they would be created, and what one of them needs on a node.
  [[nodiscard]] auto pods(WorkloadId workload) const -> const std::vector<PodOfSet>&;
  [[nodiscard]] auto requests(WorkloadId workload) const -> const std::vector<PodSetRequest>&;
  [[nodiscard]] auto refusal(WorkloadId workload) const -> const std::string&;
  /// Workloads with equal numbers have the same pods as far as the scheduler is concerned.
  [[nodiscard]] auto shape(WorkloadId workload) const -> std::size_t;

 private:
  void add_cohorts();
  void add_queues();
  void find_scopes();
  void add_local_queues();
  void add_workloads();
  void count_lost_workloads();
  void add_quota(QuotaNodeId node, const std::vector<ResourceGroup>& groups);
  auto cohort(Symbol name) -> QuotaNodeId;
  void find_inactive(QueueInfo& queue) const;

  struct Lazy {
    std::optional<std::vector<PodOfSet>> pods{};
    std::optional<std::vector<PodSetRequest>> requests{};
    std::optional<std::string> refusal{};
    std::optional<std::size_t> shape{};
  };

  const Snapshot& cluster_;
  Settings settings_;
  RequestReader reader_;
  FlavorResources names_;
  QuotaTree tree_;
  IdVector<QueueId, QueueInfo> queues_;
  IdVector<LocalQueueId, LocalQueueInfo> local_queues_;
  IdVector<WorkloadId, WorkloadInfo> workloads_;
  std::unordered_map<std::uint32_t, QuotaNodeId> cohorts_;
  std::unordered_map<std::uint32_t, QueueId> queue_by_name_;
  std::unordered_map<std::string, LocalQueueId> local_queue_by_key_;
  std::unordered_map<std::string, WorkloadId> workload_by_key_;
  std::unordered_map<std::uint32_t, const ResourceFlavor*> flavors_;
  std::unordered_map<std::uint32_t, const AdmissionCheck*> checks_;
  std::vector<QueueId> queue_of_node_;
  std::vector<bool> in_cycle_;  // by node of the cohort
  mutable std::unique_ptr<Topologies> topologies_;
  mutable IdVector<WorkloadId, Lazy> lazy_;
  mutable std::unordered_map<std::string, std::size_t> shapes_;
};

}  // namespace previct::kueue
