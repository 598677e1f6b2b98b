#include "tell/kai/evidence.h"

#include "report/json_members.h"
#include "tell/kai/devices.h"

#include <algorithm>

namespace previct::kai {
namespace {

// Table sizes above which tables of pairs only contain the subject's row.
constexpr std::size_t kLargeTable = 4'000;
constexpr std::size_t kManyGroups = 1'000;

auto json(const Share& share) -> Json {
  return {{"cpuMilli", share[kCpu]}, {"memoryBytes", share[kMemory]}, {"gpu", share[kGpu]}};
}

class EvidenceOfCycle {
 public:
  EvidenceOfCycle(const Cycle& cycle, Session& start, GroupId subject, Instant now)
      : cycle_(cycle),
        start_(start),
        cluster_info_(start.cluster_info()),
        order_(start, cycle.shares()),
        subject_(subject),
        now_(now) {}

  [[nodiscard]] auto all(bool shares_depend_on_order) -> Json {
    Json out;
    // Upstream, it is random which of several PodGroups with the same name remains, and which queue gets a last unit.
    out["factsDeterministic"] =
        cluster_info_.colliding().empty() && cycle_.shares().tied.empty() && !shares_depend_on_order;
    out["outcomes"] = Json::array({outcome()});
    out["clusterTotal"] = json(cluster_info_.total());
    out["queues"] = queues();
    out["reclaimMinRuntimeLCA"] = reclaim_table(ResolveMethod::lca);
    out["reclaimMinRuntimeQueue"] = reclaim_table(ResolveMethod::queue);
    out["preemptMinRuntime"] = preempt_table();
    out["podGroups"] = groups();
    out["pairs"] = pairs();
    if (Json shared = device_json(cluster_info_); !shared.empty()) out["sharedGpus"] = std::move(shared);
    return out;
  }

 private:
  [[nodiscard]] auto tree() const -> const QueueTree& { return cluster_info_.tree(); }
  [[nodiscard]] auto name(QueueId id) const -> std::string { return std::string(tree()[id].name); }
  [[nodiscard]] auto shard_node_name(ShardNodeId id) const -> std::string {
    return std::string(cluster_info_.shard_nodes()[id].name);
  }
  [[nodiscard]] auto pod_key(TaskId id) const -> std::string {
    return cluster_info_.cluster().key(cluster_info_.task(id).pod);
  }

  template <class Visit>
  void each_task(GroupId id, Visit visit) const {
    const Group& group = cluster_info_.group(id);
    for (std::uint32_t i = 0; i < group.sets; ++i) {
      for (const TaskId task : cluster_info_.tasks_of(group.set(i))) visit(task);
    }
  }

  [[nodiscard]] auto outcome() const -> Json {
    Json jobs = Json::object();
    for (const GroupId id : cluster_info_.groups_by_name()) {
      bool had_pending = false;
      std::string state = "none";
      Json pods = Json::object();
      each_task(id, [&](TaskId task) {
        if (cluster_info_.task(task).status != Status::pending) return;
        had_pending = true;
        if (const ShardNodeId allocated = cycle_.allocated_to(task)) {
          pods[pod_key(task)] = shard_node_name(allocated);
          if (state == "none") state = "allocated";
        } else if (const ShardNodeId pipelined = cycle_.pipelined_to(task)) {
          pods[pod_key(task)] = shard_node_name(pipelined);
          state = "pipelined";
        }
      });
      if (!had_pending) continue;
      Json job = {{"state", state}};
      if (state != "none") {
        if (const auto action = cycle_.placed_by(id)) job["action"] = action_name(*action);
        job["pods"] = std::move(pods);
      }
      jobs[cluster_info_.key(id)] = std::move(job);
    }
    Json evictions = Json::array();
    for (const Eviction& each : distinct_evictions(cycle_)) {
      const Task& task = cluster_info_.task(each.task);
      Json row = {{"pod", pod_key(each.task)},
                  {"podgroup", cluster_info_.key(task.group)},
                  {"action", action_name(each.action)}};
      if (each.preemptor) row["preemptor"] = cluster_info_.key(each.preemptor);
      row["from"] = std::string(cluster_info_.cluster().text(cluster_info_.cluster().pod(task.pod).spec.node_name));
      if (const ShardNodeId moved = cycle_.pipelined_to(each.task)) row["movedTo"] = shard_node_name(moved);
      evictions.push_back(std::move(row));
    }
    return {{"jobs", std::move(jobs)}, {"evictions", std::move(evictions)}};
  }

  [[nodiscard]] auto queues() const -> Json {
    JsonMembers out;
    std::vector<QueueId> by_name;
    for (const QueueId id : tree().queues().ids()) by_name.push_back(id);
    std::sort(by_name.begin(), by_name.end(), [&](QueueId a, QueueId b) { return name(a) < name(b); });
    for (const QueueId id : by_name) {
      const TreeQueue& queue = tree()[id];
      Json row = Json::object();
      if (queue.parent) row["parent"] = name(queue.parent);
      if (!queue.is_leaf()) {
        std::vector<std::string> children;
        for (const QueueId child : queue.children) children.push_back(name(child));
        std::sort(children.begin(), children.end());
        row["children"] = std::move(children);
      }
      row["priority"] = queue.priority;
      row["deserved"] = json(queue.deserved);
      row["limit"] = json(queue.limit);
      row["fairShare"] = json(cycle_.shares().of[id]);
      row["request"] = json(start_.requested(id));
      row["allocated"] = json(start_.allocated(id));
      row["allocatedNonPreemptible"] = json(start_.non_preemptible(id));
      out.add(name(id), std::move(row));
    }
    return std::move(out).object();
  }

  [[nodiscard]] auto leaves() const -> std::vector<QueueId> {
    std::vector<QueueId> out;
    for (const QueueId id : tree().queues().ids()) {
      if (tree()[id].is_leaf()) out.push_back(id);
    }
    std::sort(out.begin(), out.end(), [&](QueueId a, QueueId b) { return tree()[a].name < tree()[b].name; });
    return out;
  }

  [[nodiscard]] auto reclaim_table(ResolveMethod method) const -> Json {
    const std::vector<QueueId> all = leaves();
    const bool large = all.size() * all.size() > kLargeTable;
    JsonMembers out;
    for (const QueueId preemptor : all) {
      if (large && (!subject_ || preemptor != cluster_info_.group(subject_).queue)) continue;
      JsonMembers row;
      for (const QueueId victim : all) {
        row.add(name(victim),
                go_duration(reclaim_min_runtime(tree(), cluster_info_.settings(), method, preemptor, victim).nanos));
      }
      out.add(name(preemptor), std::move(row).object());
    }
    return std::move(out).object();
  }

  [[nodiscard]] auto preempt_table() const -> Json {
    JsonMembers out;
    for (const QueueId leaf : leaves()) {
      out.add(name(leaf), go_duration(preempt_min_runtime(tree(), cluster_info_.settings(), leaf).nanos));
    }
    return std::move(out).object();
  }

  [[nodiscard]] auto groups() -> Json {
    JsonMembers out;
    // If there are very many groups, only those that are part of the outcome.
    std::vector<bool> shown(cluster_info_.groups().size(), cluster_info_.groups().size() <= kManyGroups);
    if (subject_) shown[subject_.index] = true;
    for (const GroupId id : cluster_info_.groups_by_name()) shown[id.index] = shown[id.index] || start_.has_pending(id);
    for (const Eviction& each : cycle_.evictions()) shown[cluster_info_.task(each.task).group.index] = true;
    for (const GroupId id : cluster_info_.groups_by_name()) {
      if (shown[id.index]) out.add(cluster_info_.key(id), group(id));
    }
    return std::move(out).object();
  }

  [[nodiscard]] auto group(GroupId id) -> Json {
    const Group& of = cluster_info_.group(id);
    std::int64_t pending = 0;
    std::int64_t allocated = 0;
    Json sets = Json::object();
    for (std::uint32_t i = 0; i < of.sets; ++i) {
      const PodSet& set = cluster_info_.sets()[of.set(i)];
      const SetCounts& counts = start_.counts(of.set(i));
      sets[std::string(set.name)] = {{"minAvailable", set.min},
                                     {"pods", set.end - set.begin},
                                     {"activeUsed", counts.used},
                                     {"activeAllocated", counts.allocated},
                                     {"mayGoWhileProtected", std::max(0, counts.used - set.min)}};
      allocated += counts.allocated;
    }
    each_task(id, [&](TaskId task) { pending += start_.status(task) == Status::pending ? 1 : 0; });
    Json row = {{"queue", std::string(of.queue_name)},
                {"queueExists", static_cast<bool>(of.queue)},
                {"priority", of.priority},
                {"preemptible", of.preemptible},
                {"elastic", of.elastic}};
    if (of.last_start) row["lastStart"] = format_instant({of.last_start->seconds, 0});
    row["readyForScheduling"] = is_ready(start_, id);
    row["pendingPods"] = pending;
    row["activeAllocatedPods"] = allocated;
    row["podSets"] = std::move(sets);
    if (pending > 0 && of.queue) {
      Moment moment(now_);
      row["canReclaim"] = Candidates(start_, order_, moment).may_reclaim(id) == Rule::candidate;
      row["nonPreemptibleOverQuota"] = over_quota(id);
    }
    if (of.preemption_delay > 0) {
      const Instant since = of.last_eviction ? std::max(of.created, *of.last_eviction) : of.created;
      row["preemptionDelayUntil"] = format_instant(since.plus_nanos(of.preemption_delay));
    }
    return row;
  }

  [[nodiscard]] auto over_quota(GroupId id) -> bool {
    const NodePlacer placing(start_);
    return placing.over_quota(id, placing.request_of(next_chunk(start_, id, false)));
  }

  [[nodiscard]] auto pairs() -> Json {
    std::vector<GroupId> pending;
    std::vector<GroupId> running;
    for (const GroupId id : cluster_info_.groups_by_name()) {
      if (start_.has_pending(id) && cluster_info_.group(id).queue) pending.push_back(id);
      if (start_.has_allocated(id)) running.push_back(id);
    }
    const bool large = pending.size() * running.size() > kLargeTable;
    JsonMembers out;
    for (const GroupId p : pending) {
      if (large && p != subject_) continue;
      JsonMembers row;
      for (const GroupId v : running) {
        if (p != v) row.add(cluster_info_.key(v), pair(p, v));
      }
      out.add(cluster_info_.key(p), std::move(row).object());
    }
    return std::move(out).object();
  }

  [[nodiscard]] auto pair(GroupId p, GroupId v) -> Json {
    const bool same_queue = cluster_info_.group(p).queue == cluster_info_.group(v).queue;
    const Action action = same_queue ? Action::preempt : Action::reclaim;
    Moment moment(now_);
    const Candidates candidates(start_, order_, moment);
    const Shield shield = shield_of(start_, action, cluster_info_.group(p).queue, v, moment);
    const Rule rule = same_queue ? candidates.preempt_verdict(p, v) : candidates.reclaim_verdict(p, v);
    Json facts = {{"minRuntime", go_duration(shield.value.nanos)}};
    if (shield.until) facts["until"] = format_instant(*shield.until);
    facts["protected"] = shield.now;
    facts["candidate"] = rule == Rule::candidate || rule == Rule::candidate_elastic;
    facts["rule"] = rule_id(rule);
    return {{action_name(action), std::move(facts)}};
  }

  const Cycle& cycle_;
  Session& start_;
  const ClusterInfo& cluster_info_;
  QueueOrder order_;
  GroupId subject_;
  Instant now_;
};

}  // namespace

auto evidence_of(const Cycle& cycle, Session& start, GroupId subject, Instant now, bool shares_depend_on_order)
    -> Json {
  return EvidenceOfCycle(cycle, start, subject, now).all(shares_depend_on_order);
}

}  // namespace previct::kai
