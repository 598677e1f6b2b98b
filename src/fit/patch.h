#pragma once

#include "api/objects.h"

#include <cstddef>
#include <unordered_map>
#include <vector>

namespace previct::fit {

/// Changes of the objects that end with it: one try of a search costs no copy of the cluster. Objects are changed and
/// added, never erased, so ids hold. Snapshots made meanwhile must not outlive it.
class Patch {
 public:
  explicit Patch(Objects& objects);
  ~Patch();
  Patch(const Patch&) = delete;
  auto operator=(const Patch&) -> Patch& = delete;

  [[nodiscard]] auto objects() -> Objects& { return objects_; }

  /// An object of the input, to be changed. The reference holds until something is added.
  [[nodiscard]] auto pod(PodId id) -> Pod&;
  [[nodiscard]] auto node(NodeId id) -> Node&;
  [[nodiscard]] auto budget(std::size_t index) -> PodDisruptionBudget&;

  auto add(Pod pod) -> PodId { return objects_.pods.add(std::move(pod)); }
  auto add(Node node) -> NodeId { return objects_.nodes.add(std::move(node)); }

  /// The pod runs on this node since `at`.
  void bind(PodId pod, Symbol node, Instant at);
  /// The pod waits for a node again, as if its controller had made it anew.
  void release(PodId pod);
  /// The pod is gone; budgets that speak of it allow one disruption less.
  void evict(PodId pod);
  /// The pod is gone, and no budget is asked.
  void remove(PodId pod);

 private:
  Objects& objects_;
  std::size_t pods_;
  std::size_t nodes_;
  std::unordered_map<std::uint32_t, Pod> pods_before_;
  std::unordered_map<std::uint32_t, Node> nodes_before_;
  std::unordered_map<std::size_t, PodDisruptionBudget> budgets_before_;
};

}  // namespace previct::fit
