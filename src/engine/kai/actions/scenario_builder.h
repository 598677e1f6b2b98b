#pragma once

#include "engine/kai/actions/node_affinity_check.h"
#include "engine/kai/actions/solver.h"
#include "engine/kai/actions/topology_check.h"

#include <set>
#include <unordered_map>

namespace previct::kai {

/// Upstream's quick check that the GPUs freed so far can hold the chunk at all: each request, from the largest down, is
/// put on the first of the freest nodes with enough GPUs. The check is not exact, so it affects the result.
/// Source: actions/common/solvers/accumulated_scenario_filters/idle_gpus.
class GpuCheck {
 public:
  GpuCheck(const Session& session, const std::vector<CopyId>& chunk, const std::vector<Batch>& recorded);

  void free(TaskId task, ShardNodeId shard_node);
  [[nodiscard]] auto passes() -> bool;

 private:
  struct Top {
    double capacity;
    ShardNodeId shard_node;
  };
  void raise(ShardNodeId shard_node, double capacity);
  [[nodiscard]] auto fits_all() const -> bool;

  const Session& session_;
  std::vector<double> needs_;     // descending
  std::vector<double> capacity_;  // by node
  std::vector<Top> top_;          // the freest nodes, at most one per task of the chunk; descending
  std::vector<char> in_top_;      // by node
  bool off_ = false;              // true: a recorded victim is listed twice
  bool changed_ = true;
  bool passed_ = false;
};

/// Names victims step by step, in victim order. Both generators build their scenarios from it.
/// Source: actions/common/solvers/pod_scenario_builder.go.
class Accumulation {
 public:
  Accumulation(Solver& solver, const Solver::Part& part);

  /// Advances to the next state that passes the quick checks; the first state may have no potential victim. Returns
  /// false at the end.
  [[nodiscard]] auto next() -> bool;

  [[nodiscard]] auto batches() const -> const std::vector<Batch>& { return batches_; }

 private:
  // The tasks that remain of a group after some of its tasks were named as victims.
  struct Rest {
    std::vector<std::vector<CopyId>> tasks;  // by pod set
    std::int64_t allocated = 0;
  };

  [[nodiscard]] auto may_do() -> bool {
    const bool only_gpus = !solver_.has(Change::affinity_and_topology_filters);
    return (only_gpus || (nodes_.passes() && topology_.passes())) && gpus_.passes();
  }
  void take(const GroupQueue::Entry& entry);
  void push_rest(GroupId group, Rest rest);
  [[nodiscard]] auto rest_of(const GroupQueue::Entry& entry) const -> Rest;
  [[nodiscard]] auto view_of_rest(GroupId group, const Rest& rest) const -> GroupView;
  [[nodiscard]] auto task(CopyId copy) const -> TaskId;

  Solver& solver_;
  GroupQueue queue_;
  GpuCheck gpus_;
  TopologyCheck topology_;
  NodeAffinityCheck nodes_;
  std::vector<char> recorded_;  // by task
  std::vector<Batch> batches_;
  std::unordered_map<std::uint32_t, Rest> rests_;
  bool begun_ = false;
};

/// Picks the nodes for the multi-node generator: those that free the most GPUs for the fewest victims. Updated batch by
/// batch.
/// Source: plugins/multinodegang/generator.go.
class MultiNode {
 public:
  MultiNode(const Solver& solver, const Solver::Part& part);

  void add(const Batch& batch);

  /// Returns the smallest number of leading candidates that covers what is missing; more than candidates() if no number
  /// does.
  [[nodiscard]] auto enough() const -> std::size_t;
  [[nodiscard]] auto candidates() const -> std::size_t { return candidates_.size(); }
  /// Returns the batches that touch the first `count` candidates, in the order added.
  [[nodiscard]] auto batches_on(std::size_t count) const -> std::vector<std::uint32_t>;

 private:
  struct Site {
    double capacity = 0;
    std::uint64_t first = 0;  // position of the first victim on it
    std::vector<std::uint32_t> batches;
  };
  struct Candidate {
    double capacity;
    std::uint64_t first;
    std::uint32_t place;
    friend auto operator<=>(const Candidate&, const Candidate&) = default;
  };

  [[nodiscard]] auto free_on(ShardNodeId shard_node) const -> double;
  [[nodiscard]] auto place_of(TaskId task) const -> std::uint32_t;
  [[nodiscard]] auto qualifies(double capacity) const -> bool { return !(least_ > 0 && capacity < least_); }

  const Solver* solver_;
  double demand_ = 0;
  double least_ = -1;
  std::vector<double> elsewhere_;                       // GPUs on feasible nodes without victims, by node
  std::unordered_map<std::uint32_t, double> recorded_;  // GPUs that recorded victims free, by node
  std::unordered_map<std::uint32_t, Site> sites_;       // by node; larger keys are nodes outside the shard
  std::set<Candidate> candidates_;
  std::uint32_t batches_ = 0;
  std::uint64_t tasks_ = 0;
};

}  // namespace previct::kai
