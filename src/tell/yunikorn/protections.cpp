#include "tell/yunikorn/protections.h"

#include "base/go.h"
#include "base/text.h"
#include "engine/yunikorn/eligible.h"
#include "engine/yunikorn/release.h"
#include "engine/yunikorn/required_node.h"
#include "tell/yunikorn/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::yunikorn {
namespace {

/// Against whom a question is asked.
struct Against {
  std::string words;
  std::optional<std::int32_t> priority;
  QueueId queue;
};

// A queue whose last part it is, or the nearest of all names.
auto meant_by(const World& world, std::string_view text) -> std::string {
  std::vector<std::string> names;
  for (const PriorityClass& cls : world.cluster().objects().priority_classes)
    names.emplace_back(world.cluster().text(cls.meta.name));
  for (const QueueId id : world.queues().ids()) {
    const Queue& queue = world.queues()[id];
    if (!queue.leaf) continue;
    names.push_back(queue.path);
    if (queue.path.ends_with(fmt::format(".{}", text))) return fmt::format("; did you mean {}?", queue.path);
  }
  const auto meant = nearest(text, names);
  return meant ? fmt::format("; did you mean {}?", *meant) : "";
}

auto read_against(const World& world, const std::string& text) -> Result<Against> {
  const Snapshot& cluster = world.cluster();
  if (text.empty()) return Against{"any pod", {}, {}};
  if (const PriorityClass* cls = cluster.priority_class(cluster.symbol(text))) {
    return Against{fmt::format("{} ({})", text, cls->value), cls->value, {}};
  }
  if (const auto number = go::parse_int(text, 32)) {
    return Against{fmt::format("priority {}", *number), static_cast<std::int32_t>(*number), {}};
  }
  const QueueId queue = world.queues().find(text);
  if (queue && world.queues()[queue].leaf) {
    return Against{fmt::format("queue {}", world.queues()[queue].path), {}, queue};
  }
  return fail(fmt::format("--against: {} is neither a PriorityClass of the input, a priority, nor a leaf queue{}", text,
                          meant_by(world, text)));
}

/// The running pods with what is asked of each.
class Judge {
 public:
  Judge(const World& world, const Against& against)
      : world_(world), against_(against), ledger_(world.queues(), world.queues().root()) {
    if (!against.queue) return;
    ask_ = any_ask(against.queue);
    ask_.priority = INT32_MAX;  // priorities are another question
    find_fence(world, ask_, attempt_);
    collector_.emplace(world, ask_, attempt_);
  }

  /// What protects the pod; Rule::candidate if nothing does.
  [[nodiscard]] auto protection(const Allocation& pod) const -> Rule {
    if (pod.required_node) return Rule::spared_required_node;
    if (collector_) return collector_->fate(pod);
    if (against_.priority && pod.priority > *against_.priority) return Rule::spared_higher_priority;
    if (pod.originator) return Rule::spared_originator;
    if (pod.opted_out) return Rule::spared_opted_out;
    if (world_.queues()[pod.queue].policy.preemption == PreemptionPolicy::disabled) return Rule::spared_disabled;
    const MaybeResources left = ledger_.remaining_guarantee(pod.queue);
    return left && at_least(*left, Resources()) ? Rule::spared_within_guarantee : Rule::candidate;
  }

 private:
  const World& world_;
  const Against& against_;
  Ledger ledger_;
  Allocation ask_;
  QueueAttempt attempt_;
  std::optional<Collector> collector_;
};

/// Whom a protection holds off.
auto holds_off(Rule rule) -> std::string {
  if (rule == Rule::spared_required_node) return "all preemptors";
  if (rule == Rule::spared_originator || rule == Rule::spared_opted_out) return "as long as others suffice";
  if (rule == Rule::spared_higher_priority) return "DaemonSets";
  return "other queues";
}

/// What becomes of `pod` when a DaemonSet's pod that waits for its node is tried now: those that go last may be spared.
auto fate_now(const World& world, PodId asking, const Allocation& pod, Instant at) -> Rule {
  Moment now(at);
  const ReleaseDecision decision = decide_release(world, asking, {}, now);
  const Rule rule = fate_on_required_node(decision.ask, pod);
  if (rule != Rule::candidate || class_of(pod) == VictimClass::regular || !decision.required) return rule;
  const RequiredNodeAttempt& attempt = *decision.required;
  const auto has = [&](const std::vector<PodId>& pods) {
    return std::find(pods.begin(), pods.end(), pod.pod) != pods.end();
  };
  if (attempt.victims.empty() || has(attempt.victims) || has(attempt.possible.sometimes)) return rule;
  return class_of(pod) == VictimClass::originator ? Rule::spared_originator : Rule::spared_opted_out;
}

}  // namespace

auto protections(const World& world, const Question& question) -> Result<Protections> {
  const Snapshot& cluster = world.cluster();
  PREVICT_TRY(const Against against, read_against(world, question.against));
  Protections result;
  result.engine = "yunikorn";
  result.against = against.words;
  result.extra_columns = {"QUEUE", "HOLDS OFF"};
  result.extra_heads = {"QUEUE", "PROTECTED FROM"};
  const Judge judge(world, against);
  for (const PodId id : cluster.pods().ids()) {
    if (!world.known(id) || !cluster.node_of(id)) continue;
    if (!question.ns.empty() && cluster.text(cluster.pod(id).meta.ns) != question.ns) continue;
    const Allocation pod = world.allocation(id);
    const Rule rule = judge.protection(pod);
    if (rule == Rule::candidate) continue;
    Protection row;
    row.line.pod = id;
    row.line.rule = rule_id(rule);
    row.line.why = rule_words(rule);
    const bool while_others_suffice = rule == Rule::spared_originator || rule == Rule::spared_opted_out;
    row.partial = while_others_suffice || (!against.queue && rule != Rule::spared_required_node);
    row.extra = {world.queues()[pod.queue].path, holds_off(rule)};
    result.rows.push_back(std::move(row));
  }
  return result;
}

auto takers(const World& world, PodId id, Instant now) -> Takers {
  const Snapshot& cluster = world.cluster();
  Takers result;
  result.engine = "yunikorn";
  result.subject = id;
  result.one = "DaemonSet or pending pod";
  result.many = "DaemonSets and pending pods";
  if (!world.known(id) || !cluster.node_of(id)) return result;
  const Allocation pod = world.allocation(id);

  const auto add = [&](Taker taker, Rule rule) {
    if (rule != Rule::candidate) taker.from = Instant::never();
    taker.rule = rule_id(rule);
    if (taker.why.empty()) taker.why = rule == Rule::candidate ? "can be preempted" : rule_words(rule);
    result.rows.push_back(std::move(taker));
  };
  Taker daemon_set;
  daemon_set.who = fmt::format("a DaemonSet's pod on {}", cluster.text(cluster.node(pod.node).meta.name));
  daemon_set.rank = fmt::format(">= {}", pod.priority);
  Allocation any = any_ask(pod.queue);
  any.priority = pod.priority;
  if (class_of(pod) != VictimClass::regular)
    daemon_set.why = "can be preempted, but only if regular pods do not suffice";
  const Rule in_general = fate_on_required_node(any, pod);
  if (in_general != Rule::candidate) daemon_set.why.clear();
  add(std::move(daemon_set), in_general);

  for (const PodId other : cluster.pods().ids()) {
    if (!cluster.pending(other) || !world.known(other)) continue;
    const Allocation ask = world.allocation(other);
    Taker taker;
    taker.who = cluster.key(other);
    taker.rank = fmt::format("{}", ask.priority);
    taker.pending = true;
    if (ask.required_node) {
      if (cluster.find_node(ask.required_node) == pod.node) add(std::move(taker), fate_now(world, other, pod, now));
      continue;
    }
    if (!ask.may_preempt) {
      add(std::move(taker), Rule::never_preempts);
      continue;
    }
    QueueAttempt attempt;
    find_fence(world, ask, attempt);
    const Instant ends = ask.created.plus_nanos(world.queues()[ask.queue].policy.preemption_delay);
    if (ends > now) taker.from = ends;
    add(std::move(taker), Collector(world, ask, attempt).fate(pod));
  }
  return result;
}

}  // namespace previct::yunikorn
