#include "tell/kai/protections.h"

#include "base/text.h"
#include "engine/kai/account.h"
#include "engine/kai/actions/decision.h"
#include "engine/kai/snapshot/needs.h"
#include "tell/kai/devices.h"
#include "tell/kai/tolerations.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::kai {
namespace {

// Returns the queue that the question names, or else the leaf queue against which the group is protected longest.
auto preemptor_for(const Session& session, QueueId against, GroupId victim, Instant now) -> QueueId {
  if (against) return against;
  const ClusterInfo& cluster_info = session.cluster_info();
  QueueId best = cluster_info.group(victim).queue;
  std::int64_t longest = INT64_MIN;
  for (const QueueId queue : cluster_info.tree().queues().ids()) {
    if (!cluster_info.queue(queue).is_leaf()) continue;
    Moment moment(now);
    const Action action = queue == cluster_info.group(victim).queue ? Action::preempt : Action::reclaim;
    const std::int64_t value = shield_of(session, action, queue, victim, moment).value.nanos;
    // Ties are broken by name, because the order of the input has no meaning.
    const bool earlier = value == longest && cluster_info.queue(queue).name < cluster_info.queue(best).name;
    if (value < longest || (value == longest && !earlier)) continue;
    longest = value;
    best = queue;
  }
  return best;
}

class Listing {
 public:
  Listing(const ClusterInfo& cluster_info, const Question& question, QueueId against)
      : cluster_info_(cluster_info), question_(question), against_(against), session_(cluster_info) {}

  auto rows() -> std::vector<Protection> {
    for (const GroupId id : cluster_info_.groups_by_name()) {
      const Group& group = cluster_info_.group(id);
      const bool reachable = group.queue && cluster_info_.queue(group.queue).is_leaf() && group.preemptible;
      if (!reachable || !session_.has_allocated(id) || !group.last_start) continue;
      const QueueId queue = preemptor_for(session_, against_, id, question_.now);
      const Action action = queue == group.queue ? Action::preempt : Action::reclaim;
      Moment moment(question_.now);
      add_pods(id, action, queue, shield_of(session_, action, queue, id, moment));
    }
    const auto key = [&](const Protection& row) { return cluster_info_.cluster().key(row.line.pod); };
    std::sort(rows_.begin(), rows_.end(), [&](const Protection& a, const Protection& b) {
      if (a.ended != b.ended || a.line.until != b.line.until)
        return std::tuple(a.ended, a.line.until) < std::tuple(b.ended, b.line.until);
      return key(a) < key(b);
    });
    return std::move(rows_);
  }

 private:
  void add_pods(GroupId id, Action action, QueueId by, const Shield& shield) {
    const Group& group = cluster_info_.group(id);
    const bool on = cluster_info_.settings().plugins.min_runtime;
    Protection row;
    row.ended = !shield.now || !on;
    row.line.rule =
        rule_id(on && shield.now ? (group.elastic ? Rule::candidate_elastic : Rule::min_runtime) : Rule::candidate);
    row.line.why = fmt::format("{} by queue {}: {}", action_name(action), cluster_info_.queue(by).name,
                               path_words(cluster_info_, action, shield.value, group.queue));
    row.line.since = *group.last_start;
    row.line.until = *shield.until;
    row.line.evidence = evidence_for(cluster_info_, action, id, shield);
    row.own = {{"QUEUE", "QUEUE", std::string(group.queue_name)},
               {"ACTION", "ACTION", std::string(action_name(action))},
               {"MIN-RUNTIME", "MIN-RUNTIME", go_duration(shield.value.nanos)},
               {"SET BY", "RESOLVED FROM", resolved_from(cluster_info_, shield.value)},
               {"STILL EVICTABLE", "FLOOR", floor_words(id)}};
    for (std::uint32_t i = 0; i < group.sets; ++i) {
      for (const TaskId task : cluster_info_.tasks_of(group.set(i))) {
        const Pod& pod = cluster_info_.cluster().pod(cluster_info_.task(task).pod);
        if (!kActiveAllocated.has(cluster_info_.task(task).status)) continue;
        if (!question_.ns.empty() && cluster_info_.cluster().text(pod.meta.ns) != question_.ns) continue;
        row.line.pod = cluster_info_.task(task).pod;
        rows_.push_back(row);
        rows_.back().own.push_back({"GPUS", "GPUS", gpu_words(task)});
      }
    }
  }

  // `0.5 GPU of gpu-1/7f3c, shared with ml/b-0`, `2 GPUs`
  [[nodiscard]] auto gpu_words(TaskId task) const -> std::string {
    if (std::string shared = device_words(cluster_info_, task); !shared.empty()) return shared;
    const ShardNodeId shard_node = cluster_info_.task(task).shard_node;
    const double whole = shard_node ? cluster_info_.quota_on(task, shard_node) : 0;
    if (whole <= 0) return "-";
    return whole == 1 ? std::string("1 GPU") : fmt::format("{:g} GPUs", whole);
  }

  // Returns how many of the group's running pods can be evicted although the group is protected.
  [[nodiscard]] auto floor_words(GroupId id) const -> std::string {
    std::int64_t running = 0;
    const Group& group = cluster_info_.group(id);
    for (std::uint32_t i = 0; i < group.sets; ++i) running += session_.counts(group.set(i)).allocated;
    return fmt::format("{} of {}", evictable_pods(session_, id), running);
  }

  const ClusterInfo& cluster_info_;
  const Question& question_;
  QueueId against_;
  Session session_;
  std::vector<Protection> rows_;
};

}  // namespace

auto protections(const Snapshot& cluster, const Settings& settings, const Question& question) -> Result<Protections> {
  Moment moment(question.now);
  const ClusterInfo cluster_info(cluster, settings, moment, nullptr);
  QueueId against;
  if (!question.against.empty()) {
    against = cluster_info.tree().find(question.against);
    std::vector<std::string> names;
    for (const TreeQueue& queue : cluster_info.tree().queues()) {
      if (queue.is_leaf()) names.emplace_back(queue.name);
    }
    if (!against || !cluster_info.queue(against).is_leaf()) {
      const auto meant = nearest(question.against, names);
      return fail(fmt::format("--against: {} is not a leaf queue of shard {}", question.against, settings.shard), {},
                  meant ? fmt::format("did you mean {}?", *meant) : std::string());
    }
  }
  Protections out;
  out.engine = "kai";
  out.behaves = behaves_words(settings);
  out.against = against ? fmt::format("groups of queue {}", question.against)
                        : "any queue (for each pod, the queue from which it is best protected)";
  out.gaps = settings.gaps;
  add_gaps(missing_kinds(cluster.objects(), kNeeds), out.gaps);
  out.unknown = first_missing(cluster.objects(), kNeeds, {"Pod", "Node", "Queue", "PodGroup"});
  if (!settings.plugins.min_runtime) out.gaps.push_back({GapRule::kai_no_min_runtime});
  out.gaps.push_back({GapRule::kai_min_runtime_ignored});
  if (auto gap = semi_preemptible_gap(cluster_info, false)) out.gaps.push_back(*std::move(gap));
  out.rows = Listing(cluster_info, question, against).rows();
  const auto has_gpus = [](const Protection& row) { return row.own.back().value != "-"; };
  if (std::none_of(out.rows.begin(), out.rows.end(), has_gpus)) {
    for (Protection& row : out.rows) row.own.pop_back();
  }
  return out;
}

auto possible_preemptors(const Snapshot& cluster, const Settings& settings, const Question& question, GroupId victim,
                         PodId pod, const ClusterInfo& cluster_info) -> PossiblePreemptors {
  Session session(cluster_info);
  const FairShares shares = divide(session);
  const QueueOrder order(session, shares);
  PossiblePreemptors out;
  out.engine = "kai";
  out.behaves = behaves_words(settings);
  out.subject = pod;
  out.one = "queue or pending group";
  out.many = "queues and pending groups";
  out.gaps = settings.gaps;
  add_gaps(missing_kinds(cluster.objects(), kNeeds), out.gaps);
  if (auto gap = semi_preemptible_gap(cluster_info, false)) out.gaps.push_back(*std::move(gap));
  if (lacks(cluster.objects(), kinds::kai_queues)) {
    out.unknown = first_missing(cluster.objects(), kNeeds, {"Queue"});
    return out;
  }
  const QueueId home = cluster_info.group(victim).queue;
  Moment moment(question.now);
  const auto judge = [&](PossiblePreemptor possible_preemptor, QueueId queue, Rule rule, Instant from,
                         std::string_view provided) {
    const Action action = queue == home ? Action::preempt : Action::reclaim;
    const Shield shield = shield_of(session, action, queue, victim, moment);
    const bool may = rule == Rule::candidate || rule == Rule::candidate_elastic;
    possible_preemptor.from = may ? from : rule == Rule::min_runtime ? std::max(*shield.until, from) : Instant::never();
    possible_preemptor.rule = rule_id(rule);
    possible_preemptor.why = fmt::format("{}: {}", action_name(action), rule_sentence(rule));
    if (rule == Rule::min_runtime || rule == Rule::candidate_elastic) {
      possible_preemptor.why += fmt::format(", {} from {}", go_duration(shield.value.nanos),
                                            path_words(cluster_info, action, shield.value, home));
    }
    if (may && from != Instant{}) possible_preemptor.why += ", after the preemption delay of the group";
    if (may) possible_preemptor.why += provided;
    possible_preemptor.evidence = evidence_for(cluster_info, action, victim, shield);
    out.rows.push_back(std::move(possible_preemptor));
  };
  const Candidates candidates(session, order, moment);
  const auto verdict_for = [&](GroupId pending, QueueId queue) {
    if (!is_ready(session, pending)) return Rule::not_ready;
    if (queue == home) return candidates.preempt_verdict(pending, victim);
    if (const Rule may = candidates.may_reclaim(pending); may != Rule::candidate) return may;
    if (const Rule basics = candidates.reclaim_basics(pending, victim); basics != Rule::candidate) return basics;
    // Releases that do not choose candidates by shares refuse such victims later.
    const Rule of_queues = candidates.queue_verdict(queue, need_of(session, pending), home);
    return of_queues == Rule::candidate ? candidates.reclaim_verdict(pending, victim) : of_queues;
  };
  for (const GroupId id : cluster_info.groups_by_name()) {
    const QueueId queue = cluster_info.group(id).queue;
    if (id == victim || !queue || !session.has_pending(id)) continue;
    Rule rule = switched_off(settings, queue == home ? Action::preempt : Action::reclaim);
    if (rule == Rule::candidate) rule = verdict_for(id, queue);
    judge(
        {.who = cluster_info.key(id),
         .rank = fmt::format("queue {}, priority {}", cluster_info.queue(queue).name, cluster_info.group(id).priority),
         .pending = true,
         .from = {},
         .rule = {},
         .why = {},
         .evidence = {}},
        queue, rule, may_evict_from(cluster_info.group(id), question.now), "");
  }
  // The queue by itself, with a group that requests the minimum: the result of min-runtime, regardless of shares.
  for (const QueueId queue : cluster_info.tree().queues().ids()) {
    if (!home || !cluster_info.queue(queue).is_leaf()) continue;
    const Action action = queue == home ? Action::preempt : Action::reclaim;
    Rule rule = switched_off(settings, action);
    if (rule == Rule::candidate && !cluster_info.group(victim).preemptible) rule = Rule::not_preemptible;
    if (rule == Rule::candidate && settings.plugins.min_runtime &&
        shield_of(session, action, queue, victim, moment).now) {
      rule = cluster_info.group(victim).elastic ? Rule::candidate_elastic : Rule::min_runtime;
    }
    judge({.who = fmt::format("queue {}", cluster_info.queue(queue).name),
           .rank = fmt::format("{}", cluster_info.queue(queue).priority),
           .pending = false,
           .from = {},
           .rule = {},
           .why = {},
           .evidence = {}},
          queue, rule, {}, queue == home ? ", by groups of higher priority" : ", if shares permit it");
  }
  return out;
}

}  // namespace previct::kai
