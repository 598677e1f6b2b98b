#pragma once

#include "cluster/snapshot.h"
#include "engine/kai/snapshot/settings.h"
#include "engine/kai/snapshot/types.h"

#include <optional>
#include <string_view>
#include <vector>

namespace previct::kai {

struct TreeQueue {
  std::string_view name;          ///< valid as long as the input
  const Queue* object = nullptr;  ///< null: the parent that flat fairness adds
  QueueId parent;                 ///< none: a top-level queue
  std::vector<QueueId> children;
  /// From the top-level queue down to this one; for a looped queue, each of its ancestors once.
  std::vector<QueueId> path;
  /// Its own ancestor, or below such a queue: it has no share, and no group may use it.
  bool looped = false;
  std::int64_t priority = 100;
  Instant created;
  std::optional<std::int64_t> reclaim_min_runtime;  ///< nanoseconds
  std::optional<std::int64_t> preempt_min_runtime;
  Share deserved{};  ///< the quota
  Share limit{};
  Share weight{};  ///< share of what is left after the quotas

  [[nodiscard]] auto is_leaf() const -> bool { return children.empty(); }
};

/// The queue hierarchy of a shard. Queues whose parent does not exist are omitted, with everything below them.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/cache/cluster_info/queue.go.
class QueueTree {
 public:
  /// `flat`: all queues are below one implicit unlimited queue "default" (full-hierarchy-fairness=false).
  QueueTree(const Snapshot& cluster, const Settings& settings, Instant now);

  [[nodiscard]] auto queues() const -> const IdVector<QueueId, TreeQueue>& { return queues_; }
  [[nodiscard]] auto operator[](QueueId id) const -> const TreeQueue& { return queues_[id]; }
  [[nodiscard]] auto tops() const -> const std::vector<QueueId>& { return tops_; }

  /// Returns none if there is no such queue in this shard.
  [[nodiscard]] auto find(std::string_view name) const -> QueueId;

  /// Omitted queues: name and reason (`parent "x" does not exist`), in input order.
  struct Dropped {
    const Queue* object;
    std::string why;
  };
  [[nodiscard]] auto dropped() const -> const std::vector<Dropped>& { return dropped_; }

 private:
  IdVector<QueueId, TreeQueue> queues_;
  std::vector<QueueId> tops_;
  std::vector<std::pair<std::string_view, QueueId>> by_name_;  // sorted
  std::vector<Dropped> dropped_;
};

/// Returns true if an object with these labels belongs to the shard. Objects without the pool label belong to the shard
/// without a partition value.
[[nodiscard]] auto in_shard(const Snapshot& cluster, const Settings& settings, const SymbolMap& labels) -> bool;

}  // namespace previct::kai
