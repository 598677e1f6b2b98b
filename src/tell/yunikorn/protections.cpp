#include "tell/yunikorn/protections.h"

#include "base/go.h"
#include "base/text.h"
#include "engine/yunikorn/eligible.h"
#include "engine/yunikorn/release.h"
#include "engine/yunikorn/required_node.h"
#include "tell/yunikorn/messages.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::yunikorn {
namespace {

/// The preemptor that the question names.
struct Against {
  std::string words;
  std::optional<std::int32_t> priority;
  QueueId queue;
};

// Returns the queue with this name as its last part, or the most similar of all names.
auto meant_by(const PartitionContext& core, std::string_view text) -> std::string {
  std::vector<std::string> names;
  for (const PriorityClass& cls : core.cluster().objects().priority_classes)
    names.emplace_back(core.cluster().text(cls.meta.name));
  for (const QueueId id : core.queues().ids()) {
    const Queue& queue = core.queues()[id];
    if (!queue.leaf) continue;
    names.push_back(queue.path);
    if (queue.path.ends_with(fmt::format(".{}", text))) return fmt::format("; did you mean {}?", queue.path);
  }
  const auto meant = nearest(text, names);
  return meant ? fmt::format("; did you mean {}?", *meant) : "";
}

auto read_against(const PartitionContext& core, const std::string& text) -> Result<Against> {
  const Snapshot& cluster = core.cluster();
  if (text.empty()) return Against{"any pod", {}, {}};
  if (const PriorityClass* cls = cluster.priority_class(cluster.symbol(text))) {
    return Against{fmt::format("{} ({})", text, cls->value), cls->value, {}};
  }
  if (const auto number = go::parse_int(text, 32)) {
    return Against{fmt::format("priority {}", *number), static_cast<std::int32_t>(*number), {}};
  }
  const QueueId queue = core.queues().find(text);
  if (queue && core.queues()[queue].leaf) {
    return Against{fmt::format("queue {}", core.queues()[queue].path), {}, queue};
  }
  return fail(fmt::format("--against: {} is neither a PriorityClass in the input, nor a priority, nor a leaf queue{}",
                          text, meant_by(core, text)));
}

/// Evaluates the protection of running pods.
class Judge {
 public:
  Judge(const PartitionContext& core, const Against& against)
      : core_(core), against_(against), queue_snapshot_(core.queues(), core.queues().root()) {
    if (!against.queue) return;
    ask_ = any_ask(against.queue);
    ask_.priority = INT32_MAX;  // priorities are not considered here
    find_fence(core, ask_, attempt_);
    collector_.emplace(core, ask_, attempt_);
  }

  /// Returns what protects the pod; Rule::candidate if nothing does.
  [[nodiscard]] auto protection(const Allocation& pod) const -> Rule {
    if (pod.required_node) return Rule::spared_required_node;
    if (collector_) return collector_->fate(pod);
    if (against_.priority && pod.priority > *against_.priority) return Rule::spared_higher_priority;
    if (core_.queues()[pod.queue].policy.preemption == PreemptionPolicy::disabled) return Rule::spared_disabled;
    const MaybeResources left = queue_snapshot_.remaining_guarantee(pod.queue);
    if (left && at_least(*left, Resources())) return Rule::spared_within_guarantee;
    return pod.originator ? Rule::spared_originator : pod.opted_out ? Rule::spared_opted_out : Rule::candidate;
  }

 private:
  const PartitionContext& core_;
  const Against& against_;
  QueueSnapshot queue_snapshot_;
  Allocation ask_;
  QueueAttempt attempt_;
  std::optional<VictimFinder> collector_;
};

/// Returns against which preemptors a protection holds.
auto holds_off(Rule rule, const Allocation& pod) -> std::string {
  if (rule == Rule::spared_required_node) return "all preemptors";
  const std::string last = "DaemonSets as long as others suffice";
  if (rule == Rule::spared_originator || rule == Rule::spared_opted_out) return last;
  if (rule == Rule::spared_higher_priority) return "DaemonSets";
  return class_of(pod) == VictimClass::regular ? "other queues" : "other queues, and " + last;
}

/// Returns the result for `pod` when a DaemonSet's pod that waits for its node is tried now: pods that are evicted last
/// may be spared.
auto fate_now(const PartitionContext& core, PodId asking, const Allocation& pod, Instant at) -> Rule {
  Moment now(at);
  const ReleaseDecision decision = decide_release(core, asking, {}, now);
  const Rule rule = fate_on_required_node(decision.ask, pod);
  if (rule != Rule::candidate || class_of(pod) == VictimClass::regular || !decision.required) return rule;
  const RequiredNodeAttempt& attempt = *decision.required;
  const auto has = [&](const std::vector<PodId>& pods) {
    return std::find(pods.begin(), pods.end(), pod.pod) != pods.end();
  };
  if (attempt.victims.empty() || has(attempt.victims) || has(attempt.possible.sometimes)) return rule;
  return class_of(pod) == VictimClass::originator ? Rule::spared_originator : Rule::spared_opted_out;
}

/// Returns the result for `pod` when a pending pod without a required node tries to preempt.
auto fate_between_queues(const PartitionContext& core, const Allocation& ask, const QueueAttempt& attempt,
                         bool triggered, const Allocation& pod, Instant at) -> Rule {
  std::vector<const Allocation*> eligible;
  for (const Allocation& each : attempt.eligible) eligible.push_back(&each);
  const auto spared =
      std::find_if(attempt.spared.begin(), attempt.spared.end(), [&](const Fate& fate) { return fate.pod == pod.pod; });
  if (spared != attempt.spared.end()) return spared->rule;
  Moment now(at);
  const Rule rule = obstacle(core, ask, triggered, attempt.delay_ends, eligible, now);
  return rule == Rule::suits ? Rule::candidate : rule;
}

}  // namespace

auto protections(const PartitionContext& core, const Question& question) -> Result<Protections> {
  const Snapshot& cluster = core.cluster();
  PREVICT_TRY(const Against against, read_against(core, question.against));
  Protections result;
  result.engine = "yunikorn";
  result.against = against.words;
  const Judge judge(core, against);
  for (const PodId id : cluster.pods().ids()) {
    if (!core.known(id) || !cluster.node_of(id)) continue;
    if (!question.ns.empty() && cluster.text(cluster.pod(id).meta.ns) != question.ns) continue;
    const Allocation pod = core.allocation(id);
    const Rule rule = judge.protection(pod);
    if (rule == Rule::candidate) continue;
    Protection row;
    row.line.pod = id;
    row.line.rule = rule_id(rule);
    row.line.why = rule_words(rule);
    const bool while_others_suffice = rule == Rule::spared_originator || rule == Rule::spared_opted_out;
    row.partial = while_others_suffice || (!against.queue && rule != Rule::spared_required_node);
    row.own = {{"QUEUE", "QUEUE", core.queues()[pod.queue].path},
               {"PROTECTED FROM", "HOLDS OFF", holds_off(rule, pod)}};
    result.rows.push_back(std::move(row));
  }
  std::sort(result.rows.begin(), result.rows.end(), [&](const Protection& a, const Protection& b) {
    return cluster.key(a.line.pod) < cluster.key(b.line.pod);
  });
  return result;
}

auto possible_preemptors(const PartitionContext& core, PodId id, bool triggered, Instant now) -> PossiblePreemptors {
  const Snapshot& cluster = core.cluster();
  PossiblePreemptors result;
  result.engine = "yunikorn";
  result.subject = id;
  result.one = "DaemonSet or pending pod";
  result.many = "DaemonSets and pending pods";
  if (!core.known(id) || !cluster.node_of(id)) return result;
  const Allocation pod = core.allocation(id);

  const auto add = [&](PossiblePreemptor possible_preemptor, Rule rule) {
    if (rule != Rule::candidate) possible_preemptor.from = Instant::never();
    possible_preemptor.rule = rule_id(rule);
    if (possible_preemptor.why.empty())
      possible_preemptor.why = rule == Rule::candidate ? "can be preempted" : rule_words(rule);
    result.rows.push_back(std::move(possible_preemptor));
  };
  PossiblePreemptor daemon_set;
  daemon_set.who = fmt::format("a DaemonSet's pod on {}", cluster.name(pod.node));
  daemon_set.rank = fmt::format(">= {}", pod.priority);
  Allocation any = any_ask(pod.queue);
  any.priority = pod.priority;
  if (class_of(pod) != VictimClass::regular)
    daemon_set.why = "can be preempted, but only if regular pods do not suffice";
  const Rule in_general = fate_on_required_node(any, pod);
  if (in_general != Rule::candidate) daemon_set.why.clear();
  add(std::move(daemon_set), in_general);

  for (const PodId other : cluster.pods().ids()) {
    if (!cluster.pending(other) || !core.known(other)) continue;
    const Allocation ask = core.allocation(other);
    PossiblePreemptor possible_preemptor;
    possible_preemptor.who = cluster.key(other);
    possible_preemptor.rank = fmt::format("{}", ask.priority);
    possible_preemptor.pending = true;
    if (ask.required_node) {
      if (cluster.find_node(ask.required_node) == pod.node)
        add(std::move(possible_preemptor), fate_now(core, other, pod, now));
      continue;
    }
    const QueueAttempt attempt = look_at_queues(core, ask);
    const Rule rule = fate_between_queues(core, ask, attempt, triggered, pod, now);
    if (rule == Rule::delay_runs) possible_preemptor.from = attempt.delay_ends;
    add(std::move(possible_preemptor), rule == Rule::delay_runs ? Rule::candidate : rule);
  }
  return result;
}

}  // namespace previct::yunikorn
