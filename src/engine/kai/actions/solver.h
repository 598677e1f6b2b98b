#pragma once

#include "engine/kai/actions/node_placement.h"
#include "engine/kai/fairness/candidates.h"
#include "engine/kai/fairness/jobs_order.h"

#include <array>
#include <string>
#include <unordered_set>
#include <vector>

namespace previct::kai {

/// The amount of searching done. A scenario that is rejected without a simulation also counts, because upstream
/// simulates it.
struct Effort {
  std::uint64_t victims_popped = 0;
  std::uint64_t scenarios = 0;
  std::uint64_t simulated = 0;
  /// By generator: node-local and multi-node, to which upstream gives 30 s and 2 min; node by node, without a limit.
  std::array<std::uint64_t, kAllGenerators> scenarios_by{};
  std::array<std::uint64_t, kAllGenerators> popped_by{};
};

/// The result of searching a solution for one group in one action.
struct Search {
  /// solved, sub_groups_unsatisfied, nothing_pending, no_candidates, no_generator, no_time or no_solution
  Rule rule = Rule::no_solution;
  Effort effort;
  std::array<std::uint32_t, kRules> refused{};  ///< number of scenarios rejected, by Rule
  /// Protected groups that lost core tasks in rejected scenarios, in the order first seen.
  std::vector<GroupId> blocked_by;
  bool named_twice = false;  ///< the solution names a victim twice
  bool multi_node = false;   ///< found by the second generator
  /// The scheduler crashes at the first part of the group, at the first scenario that names fewer pods of the gang
  /// `split` than its minimum, or at the first that names a pod of `across`, because only one of the queues of both
  /// groups has a parent; no rule applies.
  bool panics = false;
  GroupId split;
  GroupId across;
};

/// Victims that are named together: one step of what a group would lose.
struct Batch {
  GroupId group;
  std::vector<TaskId> tasks;
};

/// A set of victims to try: the victims recorded by earlier probes, then the potential ones. Upstream, the tasks of a
/// recorded batch, and those that the node-local generator names, come in map order.
struct Scenario {
  const std::vector<Batch>& recorded;
  std::vector<Batch> potential{};
  /// The potential victims that the plugins judge; none: those above. Releases that search node by node also judge the
  /// victims accumulated on other nodes, which stay where they are.
  const std::vector<Batch>* judged = nullptr;
};

/// Finds the victims for one pending group in one action: probes growing parts of its chunk; generators propose
/// scenarios; each scenario is simulated on the session and rolled back. There is no time limit. releases.def lists
/// which release searches in which way.
/// Source: kai-scheduler/KAI-Scheduler pkg/scheduler/actions/common/solvers; plugins nodelocalgreedy, multinodegang
/// (spec §11, §19).
class Solver {
 public:
  /// `victims`: the candidates, by name. All but these must outlive the solver.
  Solver(Session& session, const QueueOrder& order, NodePlacer& placing, Moment& now, Action action, GroupId pending,
         const std::vector<GroupQueue::Entry>& victims);

  /// With Rule::solved or sub_groups_unsatisfied, the solution is applied to the session and recorded in `statement`;
  /// otherwise both are unchanged.
  [[nodiscard]] auto solve(Statement& statement) -> Search;

 private:
  friend class Accumulation;
  friend class MultiNode;

  // The first k tasks of the chunk, together with the tasks that already run.
  struct Part {
    std::vector<std::vector<CopyId>> tasks;  // by pod set
    SubGroupTree tree;
    GroupView view;
    std::vector<CopyId> chunk;
    Ask need;
    GroupKey key;
    // To reject scenarios without a simulation: the smallest request of any task of the chunk, by dimension.
    std::vector<std::pair<std::size_t, double>> least;
    std::int64_t places = 0;  // upper bound of tasks that fit the feasible nodes without victims
  };

  void find_base_shard_nodes();
  [[nodiscard]] auto part_of(std::size_t k) -> Part;
  void lower_minimums(Part& part) const;
  [[nodiscard]] auto places_in(const Part& part, ShardNodeId shard_node, const double* freed) const -> std::int64_t;

  [[nodiscard]] auto has(Change change) const -> bool { return cluster_info_.settings().running.release.has(change); }

  auto probe(std::size_t k, Statement& statement) -> bool;
  auto try_probe(std::size_t k) -> bool;
  // Returns true if the whole chunk can be placed; then the solution is applied and recorded in `statement`.
  [[nodiscard]] auto probe_all(Statement& statement) -> bool;
  [[nodiscard]] auto probe_one_by_one(Statement& statement) -> bool;
  [[nodiscard]] auto largest_solvable() -> std::size_t;
  // Returns the recorded batches; their tasks come in a new map order for each scenario.
  [[nodiscard]] auto recorded() -> const std::vector<Batch>&;
  // Returns the nodes of the group's pods.
  [[nodiscard]] auto shard_nodes_with(GroupId group) const -> std::vector<ShardNodeId>;
  // Returns the recorded tasks of the group, and those of the batches `own`.
  auto all_named(GroupId group, const std::vector<Batch>& batches, const std::vector<std::uint32_t>& own) -> Batch;
  auto generate_local(const Part& part, Statement& statement) -> bool;
  auto generate_multi(const Part& part, Statement& statement) -> bool;
  auto generate_node_by_node(const Part& part, Statement& statement) -> bool;

  // Returns true if the scenario works; then it is applied. Failures are remembered and never tried again, except in
  // releases before failed_scenarios_are_remembered.
  auto try_scenario(const Part& part, const Scenario& scenario, Statement& statement) -> bool;
  [[nodiscard]] auto simulate(const Part& part, const Scenario& scenario, Statement& statement) -> Rule;
  [[nodiscard]] auto run_simulation(const Part& part, const Scenario& scenario,
                                    const std::vector<NamedVictims>& victims, Statement& statement) -> Rule;
  [[nodiscard]] auto evict_all(const Scenario& scenario, Statement& statement) -> bool;
  [[nodiscard]] auto place_all(const Part& part, const std::vector<NamedVictims>& victims, Statement& statement)
      -> bool;
  [[nodiscard]] auto place_in_order(const Part& part, GroupQueue& queue, std::size_t left, Statement& statement)
      -> bool;
  void place_victim(GroupId group, Statement& statement);
  [[nodiscard]] auto by_group(const std::vector<Batch>& recorded, const std::vector<Batch>& potential)
      -> std::vector<NamedVictims>;
  void keep_nodes(const Part& part, std::size_t since);
  // Returns true, and notes it, if the release crashes when it writes why it would evict these victims.
  [[nodiscard]] auto panics_naming(const Scenario& scenario) -> bool;
  // Returns true, and notes it, if the reclaim validator of this release crashes at these victims.
  [[nodiscard]] auto panics_at(const std::vector<NamedVictims>& judged) -> bool;
  // Checks that protected groups keep their core tasks, and notes a group that would not.
  auto check_cores(Candidates::Check when, const std::vector<NamedVictims>& victims) -> Rule;
  [[nodiscard]] auto validate(const Part& part, const std::vector<NamedVictims>& victims) -> Rule;
  [[nodiscard]] auto enough_places(const Part& part, const Scenario& scenario) -> bool;
  void note_solution(const Scenario& scenario);

  template <class Visit>
  static void each_batch(const Scenario& scenario, Visit visit) {
    for (const Batch& batch : scenario.recorded) visit(batch);
    for (const Batch& batch : scenario.potential) visit(batch);
  }

  Session& session_;
  const ClusterInfo& cluster_info_;
  const QueueOrder& order_;
  NodePlacer& placer_;
  Action action_;
  GroupId pending_;
  Candidates candidates_;
  ReclaimValidator reclaim_;
  GroupQueue victims_;  // all of them; probes work on copies
  // True if a simulation may have effects that are not rolled back. This happens when it moves a pod to another shared
  // GPU of its node: the pod is then booked on its first GPU once more. In this case, as upstream, no scenario is
  // rejected without a simulation.
  bool has_lasting_effects_;
  std::vector<CopyId> chunk_;
  std::vector<GroupId> pending_groups_;  // all groups with pending tasks, by name
  std::vector<ShardNodeId> base_shard_nodes_;
  std::vector<ShardNodeId> shard_nodes_;  // feasible nodes of the current probe
  std::vector<char> is_feasible_;         // by node
  Generator generator_ = Generator::node_local;
  std::vector<Batch> recorded_;           // by the last successful probe
  std::vector<TaskId> recorded_victims_;  // those of them that were evicted or moved
  std::vector<CopyId> named_;             // copies evicted by the current scenario, in order
  std::unordered_set<std::string> failed_;
  bool rejected_ = false;                      // the last scenario was simulated, and a plugin rejected its victims
  std::int64_t kept_places_ = 0;               // on the nodes that rejected scenarios left in shard_nodes_
  std::vector<double> freed_;                  // scratch: by node and dimension
  std::vector<ShardNodeId> touched_;           // scratch: nodes with an entry in freed_
  std::vector<char> seen_;                     // scratch: by task
  IdVector<GroupId, std::uint32_t> place_of_;  // scratch
  Search search_;
};

/// Returns the tasks in the order in which upstream's copy of a group lists them: by pod set; of a repeated task, the
/// last occurrence counts.
[[nodiscard]] auto as_copied(const ClusterInfo& cluster_info, const std::vector<TaskId>& tasks) -> std::vector<TaskId>;

}  // namespace previct::kai
