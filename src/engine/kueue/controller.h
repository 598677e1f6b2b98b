#pragma once

#include "engine/kueue/inventory.h"
#include "engine/kueue/ties.h"

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace previct::kueue {

enum class Status : std::uint8_t { absent, no, yes };

/// The conditions of a workload that affect decisions.
enum class ConditionType : std::uint8_t {
  finished,
  quota_reserved,
  admitted,
  evicted,
  preempted,
  requeued,
  waiting_for_replacement,
  pods_ready,
  deactivation_target
};
inline constexpr std::size_t kConditionTypes = 9;

/// Why a workload loses its quota other than by a preemption, in the order in which Kueue's controller checks it.
/// Source: pkg/controller/core/workload_controller.go Reconcile.
enum class LossReason : std::uint8_t {
  none,
  deactivation_target,
  check_rejected,
  check_retried,
  local_queue_drained,
  cluster_queue_drained,
  pods_not_ready,
  requeuing_limit,  ///< its pods were not ready as often as backoffLimitCount allows
  execution_time    ///< maximumExecutionTimeSeconds
};
/// Returns true if Kueue deactivates the workload: its quota is free at once, and it is not queued again.
[[nodiscard]] auto deactivates(LossReason reason) -> bool;

struct QuotaLoss {
  LossReason reason = LossReason::none;
  Instant at = Instant::never();  ///< Instant{}: as soon as the controller sees it
};

/// Why a workload is not considered by the scheduler. Source: pkg/cache/queue, pkg/workload/workload.go IsAdmissible.
enum class NotQueued : std::uint8_t {
  no,
  finished,
  deleting,
  deactivated,
  evicting,
  admitted,
  reserved,
  on_hold,
  admission_gated,
  waiting_for_replacement_pods,
  no_local_queue,
  local_queue_stopped,
  no_cluster_queue,
  cluster_queue_inactive,
  backoff
};

/// The phase of a workload between its creation and its end.
enum class Phase : std::uint8_t { pending, reserved, admitted, evicting, evicted, finished, deleted };

/// The state in the memory of a Kueue controller: which workloads are pending in which queue, which hold which quota,
/// and what it remembers of earlier attempts. A value type that cycles modify.
class Controller {
 public:
  struct Condition {
    Status status = Status::absent;
    std::string_view reason;
    Instant since{};
  };
  /// The flavor that was tried last for a resource of a pod set.
  struct Tried {
    std::size_t set = 0;
    Symbol resource;
    int index = -1;
  };
  struct WorkloadState {
    std::array<Condition, kConditionTypes> conditions{};
    QueueId holds_in;  ///< the ClusterQueue whose quota it holds; none: it holds no quota
    Requests usage{};
    std::vector<FlavorResource> flavors{};  ///< assigned flavors, also those of which it uses nothing
    std::vector<TopologyUse> topology{};    ///< where its topology assignment places its pods
    bool aside = false;                     ///< inadmissible: outside the heap until something changes
    QuotaLoss loss{};                       ///< why it loses its quota now
    bool deactivated = false;               ///< it loses, or has lost, its quota and is deactivated
    bool deleted = false;                   ///< a simulated eviction has deleted it with its pods
    std::optional<Instant> requeue_at{};    ///< end of the back-off after an eviction that is simulated
    std::int32_t requeues = 0;              ///< simulated evictions because its pods were not ready
    std::int64_t ran_seconds = 0;           ///< how long it was admitted before simulated evictions
    bool checks_reset = false;              ///< it was evicted, and its admission checks are Pending again
    std::vector<Tried> tried{};
    std::int64_t tried_generation = 0;
    std::int64_t tried_cycle = 0;

    [[nodiscard]] auto operator[](ConditionType type) const -> const Condition& {
      return conditions[static_cast<std::size_t>(type)];
    }
    [[nodiscard]] auto is(ConditionType type) const -> bool { return (*this)[type].status == Status::yes; }
  };

  /// Builds the state of the input. `only`: of the workloads that hold no quota, include only this one.
  Controller(const Inventory& inventory, Instant now, WorkloadId only = {}, TieOrder ties = kAsRead);

  [[nodiscard]] auto tie_order() const -> TieOrder { return tie_order_; }
  /// Resolves ties. Const, because searches that change nothing meet them, too.
  [[nodiscard]] auto ties() const -> Ties& { return ties_; }
  /// Returns true if a tie without a defined order was met. Every comparison that meets one calls note_tie().
  [[nodiscard]] auto met_tie() const -> bool { return met_tie_; }
  void note_tie() const { met_tie_ = true; }

  [[nodiscard]] auto inventory() const -> const Inventory& { return *inventory_; }
  [[nodiscard]] auto now() const -> Instant { return now_; }
  [[nodiscard]] auto tree() const -> const QuotaTree& { return tree_; }
  [[nodiscard]] auto state(WorkloadId id) const -> const WorkloadState& { return states_[id]; }
  /// Returns the ClusterQueue whose quota the workload holds, or the one from which it would get quota.
  [[nodiscard]] auto quota_queue(WorkloadId id) const -> QueueId {
    return states_[id].holds_in ? states_[id].holds_in : inventory_->queue_of(id);
  }
  [[nodiscard]] auto known(WorkloadId id) const -> bool { return known_[id] != 0; }
  /// Returns the workloads that hold quota of a ClusterQueue.
  [[nodiscard]] auto holding(QueueId queue) const -> const std::vector<WorkloadId>& { return holding_[queue]; }

  /// Returns why the workload is not in a queue; with `cluster_queue_inactive` and `backoff`, it is in one
  /// nevertheless.
  [[nodiscard]] auto not_queued(WorkloadId id) const -> NotQueued;
  [[nodiscard]] auto phase(WorkloadId id) const -> Phase;
  [[nodiscard]] auto backoff_over(WorkloadId id) const -> bool { return now_ >= requeued_at(id); }
  /// Returns the time from which the workload is queued again; in the past: it already is; never: no time ends its
  /// back-off.
  [[nodiscard]] auto requeued_at(WorkloadId id) const -> Instant;
  /// Returns until when its admission checks that request a retry keep it from being queued again; Instant{}: none
  /// does.
  [[nodiscard]] auto retry_time(WorkloadId id) const -> Instant;
  /// Returns the first later time at which the back-off of a workload of the scope ends; never: there is none.
  [[nodiscard]] auto next_requeue(std::string_view scope = {}) const -> Instant;
  /// Returns the first later loss of quota, of a workload of the scope, that follows from the passing of time.
  [[nodiscard]] auto next_loss(std::string_view scope = {}) const -> std::pair<WorkloadId, QuotaLoss>;
  /// Returns the loss of quota that Kueue's controller causes, now or later, if nothing but time passes.
  [[nodiscard]] auto loss_of(WorkloadId id) const -> QuotaLoss;
  /// Returns true if the workload has quota and its pods are being ended: it is being evicted, deactivated or deleted.
  [[nodiscard]] auto ends_pods(WorkloadId id) const -> bool;
  /// Returns the workloads of the tree that are being evicted or deleted and hold quota until they are gone, by name.
  [[nodiscard]] auto leaving(std::string_view tree) const -> std::vector<WorkloadId>;

  /// Returns the time that orders workloads of the same priority.
  [[nodiscard]] auto queue_time(WorkloadId id) const -> Instant;
  [[nodiscard]] auto usage_of_local_queue(WorkloadId id) const -> double;

  /// Returns the workloads of a queue, the next one first; `heap_only`: without the inadmissible ones.
  [[nodiscard]] auto queue(QueueId queue, bool heap_only) const -> std::vector<WorkloadId>;
  /// Returns the first workload of the heap; none if it is empty.
  [[nodiscard]] auto head(QueueId queue) const -> WorkloadId;
  [[nodiscard]] auto any_head(std::string_view scope = {}) const -> bool;
  /// Returns true if the workload is in the heap of its queue.
  [[nodiscard]] auto waits(WorkloadId id) const -> bool {
    return known_[id] != 0 && !states_[id].aside && not_queued(id) == NotQueued::no;
  }
  /// Return whether it is the sticky workload of a queue, and whether its last tried flavors still count.
  [[nodiscard]] auto sticks(WorkloadId id) const -> bool;
  [[nodiscard]] auto remembers(WorkloadId id) const -> bool;
  /// Returns the index after which the next attempt of a pod set's resource starts; -1: at the first flavor.
  [[nodiscard]] auto last_tried(WorkloadId id, std::size_t set, Symbol resource) const -> int;

  /// Returns true if `of` may preempt `candidate` by this policy.
  [[nodiscard]] auto satisfies(WorkloadId of, WorkloadId candidate, Policy policy) const -> bool;
  /// Returns true if `a` is a better victim than `b` for a workload of this queue. `by_usage`: in a queue that orders
  /// by usage, the usage of their LocalQueues is compared first. Source: pkg/scheduler/preemption/common/ordering.go.
  [[nodiscard]] auto before(WorkloadId a, WorkloadId b, QueueId of, bool by_usage = true) const -> bool;
  [[nodiscard]] auto is_evicted(WorkloadId id) const -> bool { return states_[id].is(ConditionType::evicted); }

  // Changes that cycles make.
  /// Advances the time; queues the workloads whose back-off ends until then. Returns those that lose their quota.
  auto advance(Instant to) -> std::vector<WorkloadId>;
  void begin_cycle() { ++cycle_; }
  /// Ranks the possible victims; called before each cycle.
  void rank();
  void forget_if_changed(WorkloadId id, QueueId queue);
  void put_aside(WorkloadId id) { states_[id].aside = true; }
  void remember(WorkloadId id, std::vector<Tried> tried, QueueId queue);
  void forget(WorkloadId id) { states_[id].tried.clear(); }
  void stick(QueueId queue, WorkloadId id) { sticky_[queue] = id; }
  void set(WorkloadId id, ConditionType type, Status status, std::string_view reason);
  /// Gives the workload quota of the queue.
  void reserve(WorkloadId id, QueueId queue, Requests usage, std::vector<FlavorResource> flavors,
               std::vector<TopologyUse> topology, bool admitted);
  void add_penalty(WorkloadId id, const std::vector<PodSetRequest>& sets);
  /// Evicted workloads return their quota and are requeued; inadmissible workloads in their trees are retried. Returns
  /// the evicted workloads, by name. Source: pkg/controller/jobframework/reconciler.go,
  /// pkg/controller/core/workload_controller.go.
  auto settle() -> std::vector<WorkloadId>;

 private:
  void hold(WorkloadId id);
  void hold_topology(WorkloadId id, const PodSetAssignment& set);
  void release(WorkloadId id);
  auto lose_quota(WorkloadId id) -> bool;
  [[nodiscard]] auto requeues(WorkloadId id) const -> std::int64_t;
  [[nodiscard]] auto unseen_until(WorkloadId id) const -> Instant;
  [[nodiscard]] auto next_loss_of(WorkloadId id) const -> QuotaLoss;
  [[nodiscard]] auto is_withdrawn(WorkloadId id) const -> bool;
  [[nodiscard]] auto leaves(WorkloadId id) const -> bool;
  void measure_local_queues();
  [[nodiscard]] auto tried_recently(WorkloadId id) const -> bool;
  [[nodiscard]] auto sooner(QueueId queue, WorkloadId a, WorkloadId b) const -> bool;

  const Inventory* inventory_;
  Instant now_;
  QuotaTree tree_;
  IdVector<WorkloadId, WorkloadState> states_;
  IdVector<WorkloadId, char> known_;
  IdVector<WorkloadId, std::uint32_t> rank_;  ///< rank among those that hold quota: by priority, time and uid
  IdVector<QueueId, std::vector<WorkloadId>> holding_;
  IdVector<QueueId, WorkloadId> sticky_;
  IdVector<QueueId, std::int64_t> generation_;
  std::int64_t cycle_ = 0;  ///< number of the cycle that runs, or of the last one
  IdVector<LocalQueueId, std::map<Symbol, double>> penalty_;
  TieOrder tie_order_;
  mutable Ties ties_;
  mutable bool met_tie_ = false;
  IdVector<LocalQueueId, double> local_queue_usage_;  ///< 0 without AdmissionFairSharing
};

}  // namespace previct::kueue
