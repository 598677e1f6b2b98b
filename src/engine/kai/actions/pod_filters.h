#pragma once

#include "engine/kai/session/session.h"
#include "engine/kube/filter.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace previct::kai {

/// Host ports, pod affinity and volumes: the filters of kube-scheduler that KAI asks, too.
///
/// The pods of the snapshot count, on the nodes where it has them: one that is bound by request only is there, one of
/// phase Unknown or on a node outside of the shard is not. Evicted pods still count while they terminate, so that
/// evictions never help here; pods that the cycle has placed count where they are to be. Source:
/// kai-scheduler/KAI-Scheduler pkg/scheduler/k8s_internal/predicates/predicates.go.
class PodFilters {
 public:
  explicit PodFilters(const Session& session);

  /// A node is looked for: what affinity counts is counted now. Once it has nothing to say of a task, it is never asked
  /// again, whatever is placed later.
  void begin(TaskId task);
  [[nodiscard]] auto accept(TaskId task, ShardNodeId shard_node) -> bool;
  /// A claim of the task is missing, or bound in a way that no eviction changes.
  [[nodiscard]] auto no_volume(TaskId task) -> bool;

 private:
  // The filters that have something to say of one pod.
  struct OfTask {
    std::unique_ptr<kube::Incoming> incoming;
    std::vector<std::unique_ptr<kube::Filter>> filters;   // but for affinity
    std::unique_ptr<kube::Filter> affinity;               // null: skipped
    std::vector<std::pair<TaskId, ShardNodeId>> counted;  // newcomers that affinity knows
    std::uint64_t counted_version = 0;
    bool rejected = false;
    bool no_volume = false;
  };

  [[nodiscard]] auto concerned(const Pod& pod) const -> bool;
  [[nodiscard]] auto filters_of(TaskId task) -> OfTask&;
  [[nodiscard]] auto node_infos() -> kube::NodeInfoSnapshot&;

  const Session& session_;
  bool anti_affinity_ = false;                    ///< some pod refuses others
  kube::NodeInfoSnapshot* node_infos_ = nullptr;  ///< null: not asked for yet
  std::unique_ptr<kube::NodeInfoSnapshot> own_node_infos_;
  std::unordered_map<std::uint32_t, OfTask> by_task_;
};

}  // namespace previct::kai
