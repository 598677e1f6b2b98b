#pragma once

#include "engine/kai/actions/solver.h"

#include <memory>
#include <unordered_map>
#include <vector>

namespace previct::kai {

/// A pod that the cycle evicts. A pod that is moved is evicted like any other, and also has a node reserved.
struct Eviction {
  TaskId task;
  Action action = Action::reclaim;
  GroupId preemptor;         ///< none: stale gang eviction
  std::uint32_t commit = 0;  ///< as Cycle::commit_of
};

/// What an action did for one pending group.
struct Attempt {
  Action action = Action::allocate;
  GroupId group;
  Rule rule = Rule::no_solution;
  std::shared_ptr<const Search> searched{};  ///< null: the group was not searched for
  std::size_t first_eviction = 0;            ///< evictions [first, last) of Cycle::evictions
  std::size_t last_eviction = 0;

  /// Returns the search; an empty one if there was none.
  [[nodiscard]] auto search() const -> const Search& {
    static const Search kNone;
    return searched == nullptr ? kNone : *searched;
  }
};

/// One scheduling cycle: runs the actions in the shard's order over all groups of the shard. Later groups see what
/// earlier ones did. Source: kai-scheduler/KAI-Scheduler pkg/scheduler/actions.
class Cycle {
 public:
  /// `first_seen`: when gangs without a timestamp become stale; the time of the question.
  Cycle(const ClusterInfo& cluster_info, Moment& now, Instant first_seen, MapOrder chance);
  ~Cycle();
  Cycle(const Cycle&) = delete;
  auto operator=(const Cycle&) -> Cycle& = delete;

  void run();

  [[nodiscard]] auto session() const -> const Session& { return session_; }
  [[nodiscard]] auto order() const -> const QueueOrder& { return order_; }
  [[nodiscard]] auto shares() const -> const FairShares& { return shares_; }
  [[nodiscard]] auto evictions() const -> const std::vector<Eviction>& { return evictions_; }
  [[nodiscard]] auto attempts() const -> const std::vector<Attempt>& { return attempts_; }
  /// The node to which this cycle allocated or pipelined a task; none if it did not.
  [[nodiscard]] auto allocated_to(TaskId task) const -> ShardNodeId { return find(allocated_, task); }
  [[nodiscard]] auto pipelined_to(TaskId task) const -> ShardNodeId { return find(pipelined_, task); }
  /// The node that has resources reserved for an evicted task at the end of the cycle; none also if the task was
  /// evicted from there again.
  [[nodiscard]] auto moved_to(TaskId task) const -> ShardNodeId {
    return session_.status(task) == Status::pipelined ? pipelined_to(task) : ShardNodeId();
  }
  /// The first action that placed a pending task of the group.
  [[nodiscard]] auto placed_by(GroupId group) const -> std::optional<Action>;
  /// The number of the commit that placed a pending task last, together with the evictions of the same number; 0: none
  /// did.
  [[nodiscard]] auto commit_of(TaskId task) const -> std::uint32_t {
    const auto found = commit_of_.find(task.index);
    return found == commit_of_.end() ? 0 : found->second;
  }
  [[nodiscard]] auto effort() const -> const Effort& { return effort_; }
  /// The largest number of steps of each generator in one search.
  [[nodiscard]] auto longest() const -> const Effort& { return longest_; }
  /// True if consolidation found more candidates than its limit while the group was still pending. Upstream then picks
  /// the candidates at random; results of earlier steps are certain.
  [[nodiscard]] auto was_pending_at_cut(GroupId group) const -> bool {
    return !was_pending_at_cut_.empty() && was_pending_at_cut_[group.index];
  }
  /// The action in which the scheduler crashes. Results of earlier actions stand; later actions do not run.
  [[nodiscard]] auto crashed_in() const -> const std::optional<Action>& { return crashed_in_; }
  /// The group whose search crashes the scheduler; none if nothing crashes, or for another reason.
  [[nodiscard]] auto crashed_for() const -> GroupId { return crashed_for_; }
  /// The gang of which too few pods were named as victims when the search crashed; none if that was not the reason.
  [[nodiscard]] auto split() const -> GroupId { return split_; }
  /// The group whose pods were named as victims when the search crashed, because only one of the queues of both groups
  /// has a parent; none if that was not the reason.
  [[nodiscard]] auto across() const -> GroupId { return across_; }
  /// The stale gang at which the scheduler crashes because its queue does not exist; none if it does not crash.
  [[nodiscard]] auto crashed_at() const -> GroupId { return crashed_at_; }
  /// True if another `first_seen` could have changed the cycle.
  [[nodiscard]] auto depends_on_first_seen() const -> bool { return depends_on_first_seen_; }

 private:
  class Signatures;
  /// Groups that failed, by upstream's scheduling signatures: groups with equal signatures count as alike.
  class Failures;

  static auto find(const std::unordered_map<std::uint32_t, ShardNodeId>& map, TaskId task) -> ShardNodeId;

  void allocate();
  void consolidate();
  void reclaim();
  void preempt();
  void evict_stale_gangs();

  void allocate_group(GroupQueue& queue, GroupId group);
  void reserve_instead(Statement& statement);
  /// Returns none if the action crashes while it fills the queue.
  [[nodiscard]] auto pending_queue(Action action) -> std::optional<GroupQueue>;
  [[nodiscard]] auto may_search() const -> bool { return !cluster_info_.settings().budgets.contradictory; }
  [[nodiscard]] auto is_delayed(GroupId group) -> bool;
  [[nodiscard]] auto consolidation_candidates(GroupId pending) -> std::vector<GroupQueue::Entry>;
  void note_cut();
  [[nodiscard]] auto enough_gpus(GroupId pending) -> bool;
  [[nodiscard]] auto hopeless(GroupId pending) -> Rule;
  template <class Filter>
  [[nodiscard]] auto victims_where(Filter filter) const -> std::vector<GroupQueue::Entry>;
  /// Returns false if the action ends here.
  auto solve(Action action, GroupId pending, const std::vector<GroupQueue::Entry>& victims, Failures& failures) -> bool;
  void note(Action action, GroupId group, Rule rule);
  void commit(Statement& statement, Action action, GroupId preemptor);
  void note_placed(TaskId task, Action action);

  const ClusterInfo& cluster_info_;
  Moment& now_;
  Instant first_seen_;
  Session session_;
  FairShares shares_;
  QueueOrder order_;
  NodePlacer placer_;
  std::unique_ptr<Signatures> signatures_;
  std::vector<Eviction> evictions_;
  std::vector<Attempt> attempts_;
  std::unordered_map<std::uint32_t, ShardNodeId> allocated_;  // by task
  std::unordered_map<std::uint32_t, ShardNodeId> pipelined_;
  std::unordered_map<std::uint32_t, Action> placed_by_;         // by group
  std::unordered_map<std::uint32_t, std::uint32_t> commit_of_;  // by task
  std::uint32_t commits_ = 0;
  Effort effort_;
  Effort longest_;
  std::vector<bool> was_pending_at_cut_;  // by group; empty: no cut happened
  std::optional<Action> crashed_in_;
  GroupId crashed_for_;
  GroupId split_;
  GroupId across_;
  GroupId crashed_at_;
  bool depends_on_first_seen_ = false;
};

}  // namespace previct::kai
