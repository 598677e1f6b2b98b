#include "tell/kai/protections.h"

#include "base/text.h"
#include "engine/kai/actions/decision.h"
#include "engine/kai/snapshot/needs.h"
#include "tell/kai/devices.h"
#include "tell/kai/tolerations.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::kai {
namespace {

constexpr std::size_t kOwnColumns = 5;  // of every group; what a pod has of GPUs follows

// The queue that is asked about; with none given, the leaf queue against which the group is protected longest.
auto preemptor_for(const Session& session, QueueId against, GroupId victim, Instant now) -> QueueId {
  if (against) return against;
  const Pool& pool = session.pool();
  QueueId best = pool.group(victim).queue;
  std::int64_t longest = INT64_MIN;
  for (const QueueId queue : pool.tree().queues().ids()) {
    if (!pool.queue(queue).is_leaf()) continue;
    Moment moment(now);
    const Action action = queue == pool.group(victim).queue ? Action::preempt : Action::reclaim;
    const std::int64_t value = shield_of(session, action, queue, victim, moment).value.nanos;
    if (value <= longest) continue;
    longest = value;
    best = queue;
  }
  return best;
}

class Listing {
 public:
  Listing(const Pool& pool, const Question& question, QueueId against)
      : pool_(pool), question_(question), against_(against), session_(pool) {}

  auto rows() -> std::vector<Protection> {
    for (const GroupId id : pool_.groups_by_name()) {
      const Group& group = pool_.group(id);
      const bool reachable = group.queue && pool_.queue(group.queue).is_leaf() && group.preemptible;
      if (!reachable || !session_.has_allocated(id) || !group.last_start) continue;
      const QueueId queue = preemptor_for(session_, against_, id, question_.now);
      const Action action = queue == group.queue ? Action::preempt : Action::reclaim;
      Moment moment(question_.now);
      add_pods(id, action, queue, shield_of(session_, action, queue, id, moment));
    }
    std::stable_sort(rows_.begin(), rows_.end(), [](const Protection& a, const Protection& b) {
      return std::tuple(a.ended, a.line.until) < std::tuple(b.ended, b.line.until);
    });
    return std::move(rows_);
  }

 private:
  void add_pods(GroupId id, Action action, QueueId by, const Shield& shield) {
    const Group& group = pool_.group(id);
    const bool on = pool_.settings().plugins.min_runtime;
    Protection row;
    row.ended = !shield.now || !on;
    row.line.rule =
        rule_id(on && shield.now ? (group.elastic ? Rule::candidate_elastic : Rule::min_runtime) : Rule::candidate);
    row.line.why = fmt::format("{} by queue {}: {}", action_name(action), pool_.queue(by).name,
                               path_words(pool_, action, shield.value, group.queue));
    row.line.since = *group.last_start;
    row.line.until = *shield.until;
    row.line.evidence = evidence_for(pool_, action, id, shield);
    row.extra = {std::string(group.queue_name), std::string(action_name(action)), go_duration(shield.value.nanos),
                 resolved_from(pool_, shield.value), floor_words(id)};
    for (std::uint32_t i = 0; i < group.sets; ++i) {
      for (const TaskId task : pool_.tasks_of(group.set(i))) {
        const Pod& pod = pool_.cluster().pod(pool_.task(task).pod);
        if (!kActiveAllocated.has(pool_.task(task).status)) continue;
        if (!question_.ns.empty() && pool_.cluster().text(pod.meta.ns) != question_.ns) continue;
        row.line.pod = pool_.task(task).pod;
        row.extra.resize(kOwnColumns);
        row.extra.push_back(gpu_words(task));
        rows_.push_back(row);
      }
    }
  }

  // `0.5 GPU of gpu-1/7f3c, shared with ml/b-0`, `2 GPUs`
  [[nodiscard]] auto gpu_words(TaskId task) const -> std::string {
    if (std::string shared = device_words(pool_, task); !shared.empty()) return shared;
    const RoomId room = pool_.task(task).room;
    const double whole = room ? pool_.quota_on(task, room) : 0;
    if (whole <= 0) return "-";
    return whole == 1 ? std::string("1 GPU") : fmt::format("{:g} GPUs", whole);
  }

  // Pods of the group that may go although it is protected, of those that run.
  [[nodiscard]] auto floor_words(GroupId id) const -> std::string {
    std::int64_t running = 0;
    const Group& group = pool_.group(id);
    for (std::uint32_t i = 0; i < group.sets; ++i) running += session_.counts(group.set(i)).allocated;
    return fmt::format("{} of {}", floor_of(session_, id), running);
  }

  const Pool& pool_;
  const Question& question_;
  QueueId against_;
  Session session_;
  std::vector<Protection> rows_;
};

}  // namespace

auto protections(const Snapshot& cluster, const Settings& settings, const Question& question) -> Result<Protections> {
  Moment moment(question.now);
  const Pool pool(cluster, settings, moment, nullptr);
  QueueId against;
  if (!question.against.empty()) {
    against = pool.tree().find(question.against);
    std::vector<std::string> names;
    for (const TreeQueue& queue : pool.tree().queues()) {
      if (queue.is_leaf()) names.emplace_back(queue.name);
    }
    if (!against || !pool.queue(against).is_leaf()) {
      const auto meant = nearest(question.against, names);
      return fail(fmt::format("--against: {} is not a leaf queue of shard {}", question.against, settings.shard), {},
                  meant ? fmt::format("did you mean {}?", *meant) : std::string());
    }
  }
  Protections out;
  out.engine = "kai";
  out.behaves = behaves_words(settings);
  out.against = against ? fmt::format("groups of queue {}", question.against)
                        : "any queue (each pod against the queue that it is best protected from)";
  out.extra_columns = {"QUEUE", "ACTION", "MIN-RUNTIME", "RESOLVED FROM", "FLOOR", "GPUS"};
  out.extra_heads = {"QUEUE", "ACTION", "MIN-RUNTIME", "SET BY", "STILL EVICTABLE", "GPUS"};
  out.gaps = settings.gaps;
  add_gaps(missing_kinds(cluster.objects(), kNeeds), out.gaps);
  if (!settings.plugins.min_runtime) out.gaps.push_back({GapRule::kai_no_min_runtime});
  out.gaps.push_back({GapRule::kai_min_runtime_ignored});
  out.rows = Listing(pool, question, against).rows();
  const bool gpus = std::any_of(out.rows.begin(), out.rows.end(), [](const Protection& row) {
    return row.extra.size() > kOwnColumns && row.extra.back() != "-";
  });
  if (!gpus) {
    out.extra_columns.resize(kOwnColumns);
    out.extra_heads.resize(kOwnColumns);
    for (Protection& row : out.rows) row.extra.resize(kOwnColumns);
  }
  return out;
}

auto takers(const Snapshot& cluster, const Settings& settings, const Question& question, GroupId victim, PodId pod,
            const Pool& pool) -> Takers {
  Session session(pool);
  const FairShares shares = divide(session);
  const QueueOrder order(session, shares);
  Takers out;
  out.engine = "kai";
  out.behaves = behaves_words(settings);
  out.subject = pod;
  out.one = "queue or pending group";
  out.many = "queues and pending groups";
  out.gaps = settings.gaps;
  add_gaps(missing_kinds(cluster.objects(), kNeeds), out.gaps);
  const QueueId home = pool.group(victim).queue;
  const auto judge = [&](Taker taker, QueueId queue, Rule rule) {
    const Action action = queue == home ? Action::preempt : Action::reclaim;
    Moment moment(question.now);
    const Shield shield = shield_of(session, action, queue, victim, moment);
    const bool may = rule == Rule::candidate || rule == Rule::candidate_elastic;
    taker.from = may ? Instant{} : rule == Rule::min_runtime ? *shield.until : Instant::never();
    taker.rule = rule_id(rule);
    taker.why = fmt::format("{}: {}", action_name(action), rule_sentence(rule));
    if (rule == Rule::min_runtime || rule == Rule::candidate_elastic) {
      taker.why +=
          fmt::format(", {} from {}", go_duration(shield.value.nanos), path_words(pool, action, shield.value, home));
    }
    taker.evidence = evidence_for(pool, action, victim, shield);
    out.rows.push_back(std::move(taker));
  };
  Moment moment(question.now);
  const Candidates candidates(session, order, moment);
  for (const GroupId id : pool.groups_by_name()) {
    const QueueId queue = pool.group(id).queue;
    if (id == victim || !queue || !session.has_pending(id)) continue;
    const Rule rule = queue == home ? candidates.preempt_verdict(id, victim) : candidates.reclaim_verdict(id, victim);
    judge({.who = pool.key(id),
           .rank = fmt::format("queue {}, priority {}", pool.queue(queue).name, pool.group(id).priority),
           .pending = true,
           .from = {},
           .rule = {},
           .why = {},
           .evidence = {}},
          queue, rule);
  }
  // A queue by itself, with a group that wants the least: what min-runtime says, whatever shares are.
  for (const QueueId queue : pool.tree().queues().ids()) {
    if (!home || !pool.queue(queue).is_leaf()) continue;
    Rule rule = Rule::not_preemptible;
    if (pool.group(victim).preemptible) {
      Moment asked(question.now);
      const Action action = queue == home ? Action::preempt : Action::reclaim;
      const bool shielded = settings.plugins.min_runtime && shield_of(session, action, queue, victim, asked).now;
      rule = !shielded ? Rule::candidate : pool.group(victim).elastic ? Rule::candidate_elastic : Rule::min_runtime;
    }
    judge({.who = fmt::format("queue {}", pool.queue(queue).name),
           .rank = fmt::format("{}", pool.queue(queue).priority),
           .pending = false,
           .from = {},
           .rule = {},
           .why = {},
           .evidence = {}},
          queue, rule);
  }
  return out;
}

}  // namespace previct::kai
