#include "engine/kube/tolerance.h"

#include "api/upstream.h"
#include "base/duration.h"
#include "base/go.h"
#include "engine/required_kind.h"

namespace previct::kube {
auto toleration_policy(const PriorityClass& priority_class, const Symbols& symbols) -> TolerationPolicy {
  const auto annotation = [&](std::string_view key) -> std::optional<std::string_view> {
    const Symbol symbol = symbols.find(key);
    const Symbol text = symbol ? priority_class.meta.annotations.get(symbol) : Symbol{};
    return text ? std::optional(symbols.text(text)) : std::nullopt;
  };
  return kep205::read_policy(priority_class.value, annotation(kMinimumAnnotation), annotation(kSecondsAnnotation));
}

Tolerances::Tolerances(const Snapshot& cluster, std::int32_t preemptor_priority, bool preemptor_never_preempts)
    : cluster_(cluster), priority_(preemptor_priority), never_preempts_(preemptor_never_preempts) {
  for (const PriorityClass& c : cluster.objects().priority_classes) {
    policies_.emplace(c.meta.name.index, toleration_policy(c, cluster.objects().symbols));
  }
  all_classes_known_ = !policies_.empty() && !may_hold_more(cluster.objects(), kinds::priority_classes);
  if (policies_.empty()) return;
  // Every cluster has the built-in classes of the API server, whether or not the input contains them.
  for (const upstream::SystemClass& each : upstream::kSystemClasses) {
    PriorityClass built_in;
    built_in.meta.name = cluster.symbol(each.name);
    built_in.value = each.value;
    if (built_in.meta.name)
      policies_.emplace(built_in.meta.name.index, toleration_policy(built_in, cluster.objects().symbols));
  }
}

auto Tolerances::failing(std::span<const PodInfo> pods) const -> const PodInfo* {
  const PodInfo* first = nullptr;
  for (const PodInfo& pod : pods) {
    if (pod.priority >= priority_ || !missing(pod.priority_class)) continue;
    if (first == nullptr || pod.order < first->order) first = &pod;
  }
  return first;
}

auto Tolerances::of(PodId victim, Symbol name, Moment& now) const -> Tolerance {
  using Answer = Tolerance::Answer;
  const auto not_tolerating = [&](Rule rule, std::int64_t b = 0, std::int64_t c = 0, std::int64_t d = 0) {
    return Tolerance{.answer = Answer::no, .reason = {rule, operand(name), b, c, d}, .since = {}};
  };
  if (!name) return not_tolerating(Rule::tolerance_no_class);
  const auto found = policies_.find(name.index);
  if (found == policies_.end()) {
    if (!all_classes_known_) return not_tolerating(Rule::tolerance_unknown);
    return {Answer::error, {Rule::priority_class_missing, operand(name), operand(victim)}, {}};
  }
  const TolerationPolicy& policy = found->second;
  const std::int64_t minimum = policy.minimum_preemptable_priority;
  const std::int64_t seconds = policy.toleration_seconds;
  // Evaluated lazily: most pods do not need it, and there are many pods.
  const auto scheduled = [&]() -> const Condition* {
    const Condition* condition = cluster_.pod(victim).condition(cluster_.known().pod_scheduled);
    return condition != nullptr && condition->status == cluster_.known().true_status ? condition : nullptr;
  };
  const auto forever = [&](Rule rule) {
    const Condition* condition = scheduled();
    const Instant since = condition == nullptr ? Instant{} : condition->last_transition.value_or(Instant{});
    return Tolerance{.answer = Answer::yes, .reason = {rule, operand(name), seconds, minimum}, .since = since};
  };

  if (never_preempts_) return forever(Rule::tolerance_preemptor_never);
  if (policy.malformed) return not_tolerating(Rule::tolerance_malformed);
  if (priority_ >= minimum) return not_tolerating(Rule::tolerance_minimum_reached, priority_, minimum);
  if (seconds < 0) return forever(Rule::tolerance_forever);
  const Condition* condition = scheduled();
  if (condition == nullptr) return forever(Rule::tolerance_not_scheduled);
  // Upstream computes seconds × 10⁹ as an int64 of nanoseconds, which wraps; a missing transition time is Go's year 1.
  const Instant since = condition->last_transition.value_or(upstream::kGoZero);
  const Instant until = since.plus_nanos(go::multiply(seconds, go::kNanosPerSecond));
  const bool ended = now.reached(until);
  if (ended && !policy.has_seconds) return not_tolerating(Rule::tolerance_none);
  // By the KEP's text the pod still tolerates at the very end: `!now.After(end)`.
  const Rule over = until == now.now() ? Rule::tolerance_ends_now : Rule::tolerance_ended;
  const Reason reason{ended ? over : Rule::tolerance_runs, operand(name), seconds, minimum, until.seconds};
  return {ended ? Answer::no : Answer::yes, reason, since, until};
}

}  // namespace previct::kube
