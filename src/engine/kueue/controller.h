#pragma once

#include "engine/kueue/inventory.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace previct::kueue {

enum class Status : std::uint8_t { absent, no, yes };

/// The conditions of a workload that decide.
enum class ConditionType : std::uint8_t {
  finished,
  quota_reserved,
  admitted,
  evicted,
  preempted,
  requeued,
  waiting_for_replacement
};
inline constexpr std::size_t kConditionTypes = 7;

/// Why a workload is no question for the scheduler. Source: pkg/cache/queue, pkg/workload/workload.go IsAdmissible.
enum class NotQueued : std::uint8_t {
  no,
  finished,
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

/// Where a workload is between creation and its end.
enum class Phase : std::uint8_t { pending, reserved, admitted, evicting, evicted, finished };

/// What a controller of Kueue has in memory: which workload waits where, which holds which quota, and what it remembers
/// of earlier attempts. A value; cycles change it.
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
    QueueId holds_in;  ///< the ClusterQueue whose quota it holds; none: it holds none
    Requests usage{};
    std::vector<FlavorResource> flavors{};  ///< that it was assigned, of nothing, too
    bool aside = false;                     ///< outside the heap, until something changes
    std::vector<Tried> tried{};
    std::int64_t tried_generation = 0;

    [[nodiscard]] auto operator[](ConditionType type) const -> const Condition& {
      return conditions[static_cast<std::size_t>(type)];
    }
    [[nodiscard]] auto is(ConditionType type) const -> bool { return (*this)[type].status == Status::yes; }
  };

  /// Which of those that are equal to the scheduler comes first, where the order of Go's maps decides.
  enum class Ties : std::uint8_t { as_read, reversed };

  /// As the input has it. `only`: of the workloads that hold no quota this one alone.
  Controller(const Inventory& inventory, Instant now, WorkloadId only = {}, Ties ties = Ties::as_read);

  [[nodiscard]] auto reverses_ties() const -> bool { return ties_ == Ties::reversed; }
  /// Did chance decide anything since? Noted by whoever meets equals whose order is not defined.
  [[nodiscard]] auto met_tie() const -> bool { return met_tie_; }
  void note_tie() const { met_tie_ = true; }

  [[nodiscard]] auto inventory() const -> const Inventory& { return *inventory_; }
  [[nodiscard]] auto now() const -> Instant { return now_; }
  [[nodiscard]] auto tree() const -> const QuotaTree& { return tree_; }
  [[nodiscard]] auto state(WorkloadId id) const -> const WorkloadState& { return states_[id]; }
  /// The ClusterQueue whose quota it holds; of a workload that holds none the one of which it would get some.
  [[nodiscard]] auto quota_queue(WorkloadId id) const -> QueueId {
    return states_[id].holds_in ? states_[id].holds_in : inventory_->queue_of(id);
  }
  [[nodiscard]] auto known(WorkloadId id) const -> bool { return known_[id] != 0; }
  /// The workloads that hold quota of a ClusterQueue.
  [[nodiscard]] auto holding(QueueId queue) const -> const std::vector<WorkloadId>& { return holding_[queue]; }

  /// Why the workload is in no queue; `cluster_queue_inactive` and `backoff` are of those that are in one all the same.
  [[nodiscard]] auto not_queued(WorkloadId id) const -> NotQueued;
  [[nodiscard]] auto phase(WorkloadId id) const -> Phase;
  [[nodiscard]] auto backoff_over(WorkloadId id) const -> bool;
  /// What orders workloads of one priority.
  [[nodiscard]] auto queue_time(WorkloadId id) const -> Instant;
  [[nodiscard]] auto usage_of_local_queue(WorkloadId id) const -> double;

  /// The workloads of a queue, first the next one; with those that are put aside or not.
  [[nodiscard]] auto queue(QueueId queue, bool heap_only) const -> std::vector<WorkloadId>;
  /// The first of the heap; none: it is empty.
  [[nodiscard]] auto head(QueueId queue) const -> WorkloadId;
  [[nodiscard]] auto any_head(std::string_view tree = {}) const -> bool;
  /// Is it in the heap of its queue?
  [[nodiscard]] auto waits(WorkloadId id) const -> bool {
    return known_[id] != 0 && !states_[id].aside && not_queued(id) == NotQueued::no;
  }
  /// Is it the sticky one of a queue? Does what it tried last still count?
  [[nodiscard]] auto sticks(WorkloadId id) const -> bool;
  [[nodiscard]] auto remembers(WorkloadId id) const -> bool;
  /// The index after which the next attempt of a pod set's resource starts; -1: at the first flavor.
  [[nodiscard]] auto last_tried(WorkloadId id, std::size_t set, Symbol resource) const -> int;

  /// May `of` preempt `candidate` by this policy?
  [[nodiscard]] auto satisfies(WorkloadId of, WorkloadId candidate, Policy policy) const -> bool;
  /// Is `a` a better victim than `b` for a workload of this queue? `by_usage`: of one queue that heeds usage, that of
  /// their LocalQueues comes first. Source: pkg/scheduler/preemption/common/ordering.go.
  [[nodiscard]] auto before(WorkloadId a, WorkloadId b, QueueId of, bool by_usage = true) const -> bool;
  [[nodiscard]] auto is_evicted(WorkloadId id) const -> bool { return states_[id].is(ConditionType::evicted); }

  // What cycles do.
  /// Ranks the possible victims; before each cycle.
  void rank();
  void forget_if_changed(WorkloadId id, QueueId queue);
  void put_aside(WorkloadId id) { states_[id].aside = true; }
  void remember(WorkloadId id, std::vector<Tried> tried, QueueId queue);
  void forget(WorkloadId id) { states_[id].tried.clear(); }
  void stick(QueueId queue, WorkloadId id) { sticky_[queue] = id; }
  void set(WorkloadId id, ConditionType type, Status status, std::string_view reason);
  /// It gets quota of the queue.
  void reserve(WorkloadId id, QueueId queue, Requests usage, std::vector<FlavorResource> flavors, bool admitted);
  void add_penalty(WorkloadId id, const std::vector<PodSetRequest>& sets);
  /// Evicted workloads give their quota back and queue again; what was put aside in their trees is tried again. Those
  /// that did, by name. Source: pkg/controller/jobframework/reconciler.go, pkg/controller/core/workload_controller.go.
  auto settle() -> std::vector<WorkloadId>;

 private:
  void hold(WorkloadId id);
  void release(WorkloadId id);
  void measure_local_queues();
  [[nodiscard]] auto sooner(QueueId queue, WorkloadId a, WorkloadId b) const -> bool;

  const Inventory* inventory_;
  Instant now_;
  QuotaTree tree_;
  IdVector<WorkloadId, WorkloadState> states_;
  IdVector<WorkloadId, char> known_;
  IdVector<WorkloadId, std::uint32_t> rank_;  ///< among those that hold quota, by priority, time and uid
  IdVector<QueueId, std::vector<WorkloadId>> holding_;
  IdVector<QueueId, WorkloadId> sticky_;
  IdVector<QueueId, std::int64_t> generation_;
  IdVector<LocalQueueId, std::map<Symbol, double>> penalty_;
  Ties ties_;
  mutable bool met_tie_ = false;
  IdVector<LocalQueueId, double> local_queue_usage_;  ///< 0 without AdmissionFairSharing
};

}  // namespace previct::kueue
