#pragma once

#include "engine/kube/node_trial.h"
#include "engine/kube/nominated_pods.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace previct::kube {

/// Pods of a group that request the same, with the state to try one of them.
struct MemberKind {
  const Incoming& incoming;  ///< one of them
  NodeTrial trial;
  NominatedPods nominated;    ///< those that are not of the group
  std::vector<char> allowed;  ///< by node; empty: PreFilter rejected them on all nodes
  std::int64_t count = 0;
};

/// The number of pods of a group that fit. The scheduler places one pod at a time, and scores choose among the feasible
/// nodes. Neither the order of pods nor the scores are known here, so the result is a range; it is exact if both ends
/// are equal. The trials may contain only filters that depend on a node and the pods on it, so that each placed pod
/// only uses up capacity.
class GroupCapacity {
 public:
  struct Range {
    std::int64_t least = 0;
    std::int64_t most = 0;
  };

  GroupCapacity(NodeInfoSnapshot& node_infos, std::vector<MemberKind> kinds);

  /// Examines a node again, without the pods in `gone`.
  void measure(NodeId node, std::span<const PodInfo* const> gone);

  [[nodiscard]] auto found() -> Range;
  /// Returns true if a filter failed with an error.
  [[nodiscard]] auto failed() const -> bool { return failed_; }

 private:
  // The sets of pods that a node can take, as bits. The number of a bit encodes the number of pods of each kind in
  // mixed radix; this number is called a load.
  using Loads = std::uint64_t;
  static constexpr std::size_t kMostLoads = 64;

  struct Fill {
    Loads takes = 0;           // the loads that the node can take
    std::vector<Loads> stays;  // by kind: the loads to which one more pod can be added
  };

  [[nodiscard]] auto fits(MemberKind& kind, NodeId node) -> bool;
  void count_alike(NodeId node, std::span<const PodInfo* const> gone);
  void fill(NodeId node, std::span<const PodInfo* const> gone);
  [[nodiscard]] auto range_of_alike() const -> Range;
  [[nodiscard]] auto range_of_loads() -> Range;
  [[nodiscard]] auto placed_where(std::uint32_t left_out) -> Loads;
  [[nodiscard]] auto digit(std::size_t load, std::size_t kind) const -> std::int64_t;

  NodeInfoSnapshot& node_infos_;
  std::vector<MemberKind> kinds_;
  std::vector<PodInfo> members_;  // one of each kind, as it counts on a node
  std::int64_t wanted_ = 0;
  bool failed_ = false;

  // If all pods are alike: how many of them each node takes, at most all. Then neither order nor scores matter.
  IdVector<NodeId, std::int64_t> rooms_;

  // If pods differ:
  std::vector<std::size_t> steps_;                        // what one pod of a kind adds to a load
  std::size_t loads_ = 1;                                 // number of loads; 0: too many to examine
  std::vector<std::array<std::int8_t, kMostLoads>> sum_;  // sum of two loads; -1: more pods than there are
  IdVector<NodeId, Fill> fills_;
  std::int64_t work_ = 0;
};

}  // namespace previct::kube
