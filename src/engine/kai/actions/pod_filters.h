#pragma once

#include "engine/kai/session/session.h"
#include "engine/kube/filter.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace previct::kai {

/// Host ports, pod affinity and volumes: the filters of kube-scheduler that KAI also runs.
///
/// Pods count on the nodes where the snapshot places them: a pod that is bound only by a BindRequest counts; a pod of
/// phase Unknown, or on a node outside the shard, does not. Volumes about which the input says nothing
/// (kube::unknown_volumes) are taken to exist and to be within reach of every node. Evicted pods still count while they
/// terminate, so evictions never help with these filters. Pods that the cycle has placed count on their new nodes.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/k8s_internal/predicates/predicates.go.
class PodFilters {
 public:
  explicit PodFilters(const Session& session);

  /// Starts the search for a node of the task: counts the pods for affinity as of now. Once affinity has nothing to
  /// check for a task, it is never run for that task again, whatever is placed later.
  void begin(TaskId task);
  [[nodiscard]] auto accept(TaskId task, ShardNodeId shard_node) -> bool;
  /// Returns true if a claim of the task is missing, or bound in a way that no eviction changes.
  [[nodiscard]] auto no_volume(TaskId task) -> bool;

 private:
  // The filters that apply to one pod.
  struct OfTask {
    std::unique_ptr<kube::Incoming> incoming;
    std::vector<std::unique_ptr<kube::Filter>> filters;   // all but affinity
    std::unique_ptr<kube::Filter> affinity;               // null: skipped
    std::vector<std::pair<TaskId, ShardNodeId>> counted;  // newcomers already counted by affinity
    std::uint64_t counted_version = 0;
    bool rejected = false;
    bool no_volume = false;
  };

  [[nodiscard]] auto concerned(const Pod& pod) const -> bool;
  [[nodiscard]] auto filters_of(TaskId task) -> OfTask&;
  [[nodiscard]] auto node_infos() -> kube::NodeInfoSnapshot&;

  const Session& session_;
  bool anti_affinity_ = false;                    ///< some pod has required anti-affinity
  kube::NodeInfoSnapshot* node_infos_ = nullptr;  ///< null: not created yet
  std::unique_ptr<kube::NodeInfoSnapshot> own_node_infos_;
  std::unordered_map<std::uint32_t, OfTask> by_task_;
};

}  // namespace previct::kai
