#pragma once

#include "engine/kube/node_info_snapshot.h"
#include "engine/kube/node_trial.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace previct::kube {

/// Pods of a group that ask for the same, and how one of them is tried.
struct MemberKind {
  const Incoming& incoming;  ///< one of them
  NodeTrial trial;
  std::vector<std::vector<PodInfo>> nominated;  ///< by node: what is nominated there and not of the group
  std::vector<char> allowed;                    ///< by node; empty: PreFilter rejected them on all
  std::int64_t count = 0;
};

/// How many pods of a group find room: the scheduler takes one after the other, and its scores choose among the nodes
/// that take it. Neither their order nor the scores are known here, so that it is a range; it is exact where it is one
/// number. Only filters that look at a node and the pods on it may be in the trials: what comes only takes room away.
class Room {
 public:
  struct Range {
    std::int64_t least = 0;
    std::int64_t most = 0;
  };

  Room(NodeInfoSnapshot& node_infos, std::vector<MemberKind> kinds);

  /// Looks at a node anew, without the pods that are gone from it.
  void measure(NodeId node, std::span<const PodInfo* const> gone);

  [[nodiscard]] auto found() -> Range;
  /// A filter ended in an error.
  [[nodiscard]] auto failed() const -> bool { return failed_; }

 private:
  // Which of the pods a node takes at once: a bit for each number of pods of each kind, in mixed radix.
  using Loads = std::uint64_t;
  static constexpr std::size_t kMostLoads = 64;

  struct Fill {
    Loads takes = 0;           // these
    std::vector<Loads> stays;  // by kind: on top of these there is room for one more
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

  // All alike: how many of them each node takes, at most all; then neither order nor scores matter.
  IdVector<NodeId, std::int64_t> rooms_;

  // Unlike:
  std::vector<std::size_t> steps_;                        // what one pod of a kind adds to a load
  std::size_t loads_ = 1;                                 // how many there are; 0: too many to look at
  std::vector<std::array<std::int8_t, kMostLoads>> sum_;  // of two loads; -1: more pods than there are
  IdVector<NodeId, Fill> fills_;
  std::int64_t work_ = 0;
};

}  // namespace previct::kube
