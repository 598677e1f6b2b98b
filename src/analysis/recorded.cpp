#include "analysis/recorded.h"

#include "analysis/message.h"
#include "api/event_reasons.h"
#include "api/pod.h"
#include "api/scheduler_words.h"
#include "api/schedulers.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace previct {
namespace {

// Reasons with their numbers of nodes: those of the filters, and those of preemption.
struct FitWords {
  std::int64_t nodes = 0;
  std::map<std::string, std::int64_t> filters;
  std::map<std::string, std::int64_t> preemption;
};

// Returns nullopt if the message has no number of nodes.
auto read_fit_words(std::string_view message) -> std::optional<FitWords> {
  const ParsedMessage apart = parse_message(message);
  if (!apart.nodes) return {};
  FitWords out;
  out.nodes = *apart.nodes;
  for (const MessagePiece& piece : apart.pieces) {
    if (piece.count) (piece.of_preemption ? out.preemption : out.filters)[piece.text] += *piece.count;
  }
  return out;
}

// Normalizes a reason over releases: up to 1.33 the message named the taint.
auto in_all_releases(std::string_view reason) -> std::string {
  constexpr std::string_view kTaint = "node(s) had untolerated taint";
  return std::string(reason.starts_with(kTaint) ? kTaint : reason);
}

auto in_all_releases(const std::map<std::string, std::int64_t>& counts) -> std::map<std::string, std::int64_t> {
  std::map<std::string, std::int64_t> out;
  for (const auto& [reason, count] : counts) out[in_all_releases(reason)] += count;
  return out;
}

auto differences(const std::map<std::string, std::int64_t>& theirs, const std::map<std::string, std::int64_t>& ours)
    -> std::vector<Recorded::Difference> {
  std::vector<Recorded::Difference> out;
  const auto count = [](const auto& counts, const std::string& reason) {
    const auto found = counts.find(reason);
    return found == counts.end() ? std::int64_t{0} : found->second;
  };
  for (const auto& [reason, n] : theirs) {
    if (count(ours, reason) != n) out.push_back({reason, n, count(ours, reason)});
  }
  for (const auto& [reason, n] : ours) {
    if (!theirs.contains(reason)) out.push_back({reason, 0, n});
  }
  return out;
}

// ---- what has changed since then

// When pods were bound, pods began to terminate, and nodes were added; in ascending order.
struct ChangeTimes {
  explicit ChangeTimes(const Snapshot& cluster) {
    for (const Pod& pod : cluster.pods()) {
      const Condition* scheduled = pod.condition(cluster.known().pod_scheduled);
      if (pod.spec.node_name && scheduled != nullptr && scheduled->last_transition &&
          scheduled->status == cluster.known().true_status) {
        bound.push_back(*scheduled->last_transition);
      }
      // deletionTimestamp is the end of the grace period.
      const std::int64_t grace = pod.meta.deletion_grace_seconds.value_or(0);
      if (pod.meta.deleting) terminating.push_back(pod.meta.deleting->plus_seconds(-grace));
    }
    for (const Node& node : cluster.nodes()) {
      if (node.meta.created) added.push_back(*node.meta.created);
    }
    for (std::vector<Instant>* const each : {&bound, &terminating, &added}) std::sort(each->begin(), each->end());
  }

  // `2 pods were bound, 1 pod began to terminate, 1 node was added`; empty: nothing shows a change.
  [[nodiscard]] auto words_since(Instant at) const -> std::string {
    std::vector<std::string> parts;
    const auto add = [&](const std::vector<Instant>& times, std::string_view one, std::string_view more) {
      const auto later = static_cast<std::size_t>(times.end() - std::upper_bound(times.begin(), times.end(), at));
      if (later > 0) parts.push_back(counted(later, one, more));
    };
    add(bound, "pod was bound", "pods were bound");
    add(terminating, "pod began to terminate", "pods began to terminate");
    add(added, "node was added", "nodes were added");
    return joined(parts, ", ");
  }

  std::vector<Instant> bound;
  std::vector<Instant> terminating;
  std::vector<Instant> added;
};

// The events in which schedulers report failed attempts, by namespace and name of the pod.
struct FailedAttempts {
  explicit FailedAttempts(const Snapshot& cluster) {
    for (const ClusterEvent& event : cluster.objects().events) {
      if (cluster.text(event.reason) != event_reasons::failed_scheduling) continue;
      of[{event.regarding.ns, event.regarding.name}].push_back(&event);
    }
  }

  std::map<std::pair<Symbol, Symbol>, std::vector<const ClusterEvent*>> of;
};

// The time of the newest scheduler event with this message about the pod.
auto said_at(const Snapshot& cluster, PodId pod, std::string_view message) -> Instant {
  const ObjectMeta& meta = cluster.pod(pod).meta;
  const auto& attempts = cluster.derived<FailedAttempts>().of;
  const auto found = attempts.find({meta.ns, meta.name});
  if (found == attempts.end()) return {};
  Instant newest;
  for (const ClusterEvent* const event : found->second) {
    // Notes are truncated to 1,024 bytes.
    std::string_view note = cluster.text(event->note);
    constexpr std::string_view kCut = " ...";
    if (note.ends_with(kCut)) note.remove_suffix(kCut.size());
    if (note.empty() || !message.starts_with(note)) continue;
    for (const auto& at : {event->series.last_observed, event->last_time, event->time}) {
      if (at) newest = std::max(newest, *at);
    }
  }
  return newest;
}

void compare(const Answer& answer, Recorded& out) {
  if (answer.scheduler_message.empty()) return;
  if (out.message == answer.scheduler_message) {
    out.comparison = Recorded::Comparison::same;
    return;
  }
  const auto theirs = read_fit_words(out.message);
  const auto ours = read_fit_words(answer.scheduler_message);
  if (!theirs || !ours) {
    out.comparison = Recorded::Comparison::differs;
    return;
  }
  out.differences = differences(in_all_releases(theirs->filters), in_all_releases(ours->filters));
  for (auto& each : differences(in_all_releases(theirs->preemption), in_all_releases(ours->preemption))) {
    each.reason = "preemption: " + each.reason;
    out.differences.push_back(std::move(each));
  }
  const bool alike =
      out.differences.empty() && theirs->nodes == ours->nodes && theirs->preemption.empty() == ours->preemption.empty();
  out.comparison = alike ? Recorded::Comparison::same_counts : Recorded::Comparison::differs;
  if (alike) return;
  if (theirs->nodes != ours->nodes) {
    out.why.push_back(fmt::format("it was about {}, the input has {}",
                                  counted(static_cast<std::size_t>(theirs->nodes), "node", "nodes"), ours->nodes));
  }
  if (theirs->preemption.empty() != ours->preemption.empty()) {
    out.why.emplace_back(theirs->preemption.empty() ? "its attempt could preempt, or did not try to"
                                                    : "its attempt found no victims");
  }
}

auto comparison_name(Recorded::Comparison comparison) -> std::string_view {
  switch (comparison) {
    case Recorded::Comparison::same: return "same";
    case Recorded::Comparison::same_counts: return "same-counts";
    case Recorded::Comparison::differs: return "differs";
    case Recorded::Comparison::not_compared: return "not-compared";
  }
  return "";
}

}  // namespace

auto recorded(const Answer& answer, const ReportContext& context) -> std::optional<Recorded> {
  const Snapshot& cluster = context.cluster;
  if (!answer.subject || !cluster.pending(answer.subject)) return {};
  const Condition* condition = cluster.pod(answer.subject).condition(cluster.known().pod_scheduled);
  if (condition == nullptr || condition->status == cluster.known().true_status) return {};
  Recorded out;
  out.reason = cluster.text(condition->reason);
  out.message = cluster.text(condition->message);
  if (!is_schedulers_message(out.message) || is_release_words(out.message)) return {};
  out.since = condition->last_transition.value_or(Instant{});
  out.said = said_at(cluster, answer.subject, out.message);
  compare(answer, out);
  if (out.comparison != Recorded::Comparison::differs) return out;
  const Instant at = std::max(out.since, out.said);
  if (at == Instant{}) return out;
  const std::string since = cluster.derived<ChangeTimes>().words_since(at);
  if (!since.empty()) {
    out.why.push_back(fmt::format("since {} {}", format_clock(at, context.now), since));
  } else if (out.why.empty()) {
    out.why.emplace_back(
        "no pod or node in the input is newer: the cluster may run another release or configuration of the scheduler, "
        "or its state has changed since");
  }
  return out;
}

auto lines_of(const Recorded& recorded, Instant now) -> std::vector<Line> {
  std::string when = recorded.reason.empty() ? "on the pod" : fmt::format("on the pod ({})", recorded.reason);
  if (recorded.since != Instant{}) when += fmt::format(" since {}", format_clock(recorded.since, now));
  if (recorded.said > recorded.since) when += fmt::format(", repeated {}", format_clock(recorded.said, now));
  switch (recorded.comparison) {
    case Recorded::Comparison::same: return {{{{fmt::format("recorded {}: the same message", when)}}}};
    case Recorded::Comparison::same_counts:
      return {{{{fmt::format("recorded {}: the same reasons and numbers of nodes", when)}}}};
    case Recorded::Comparison::not_compared:
    case Recorded::Comparison::differs: break;
  }
  std::vector<Line> lines = {{{{fmt::format("recorded {}: ", when)}, {recorded.message, Tone::dim}}}};
  if (recorded.comparison == Recorded::Comparison::not_compared) return lines;
  constexpr std::size_t kShown = 4;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < recorded.differences.size() && i < kShown; ++i) {
    const auto& d = recorded.differences[i];
    parts.push_back(fmt::format("{} {} -> {}", d.reason, d.recorded, d.answer));
  }
  if (recorded.differences.size() > kShown) {
    parts.push_back(fmt::format("{} more", recorded.differences.size() - kShown));
  }
  lines.push_back({{{fmt::format("this differs{}{}{}{}", parts.empty() ? "" : " (nodes then -> here): ",
                                 joined(parts, ", "), recorded.why.empty() ? "" : "; ", joined(recorded.why, "; "))}}});
  return lines;
}

auto json_of(const Recorded& recorded) -> Json {
  Json json{{"message", recorded.message}};
  if (!recorded.reason.empty()) json["reason"] = recorded.reason;
  if (recorded.since != Instant{}) json["since"] = format_instant(recorded.since);
  if (recorded.said != Instant{}) json["saidAt"] = format_instant(recorded.said);
  json["comparison"] = comparison_name(recorded.comparison);
  for (const auto& each : recorded.differences) {
    json["differences"].push_back({{"reason", each.reason}, {"recorded", each.recorded}, {"answer", each.answer}});
  }
  if (!recorded.why.empty()) json["mayDifferBecause"] = recorded.why;
  return json;
}

// Returns true if a pod on a node has an image of the scheduler.
static auto runs_scheduler(const Snapshot& cluster, std::string_view engine) -> bool {
  const auto* const info = std::find_if(kSchedulers.begin(), kSchedulers.end(),
                                        [&](const SchedulerInfo& each) { return each.engine == engine; });
  if (info == kSchedulers.end()) return false;
  const auto is_its_image = [&](const Container& container) {
    const std::string_view image = container.image ? component_of_image(cluster.text(container.image)) : "";
    return std::any_of(info->images.begin(), info->images.end(),
                       [&](std::string_view name) { return !name.empty() && image.starts_with(name); });
  };
  for (const PodId id : cluster.pods().ids()) {
    const PodSpec& spec = cluster.pod(id).spec;
    if (spec.node_name && !cluster.finished(id) &&
        std::any_of(spec.containers.begin(), spec.containers.end(), is_its_image))
      return true;
  }
  return false;
}

auto why_it_waits(const Answer& answer, const ReportContext& context) -> std::vector<std::string> {
  const Snapshot& cluster = context.cluster;
  if (const auto& end = answer.unobserved_expiry) {
    return {fmt::format(
        "the toleration of {} ended at {}, which does not make the scheduler try again: without other events, it tries "
        "again by {}",
        cluster.key(end->pod), format_clock(end->at, context.now), format_clock(end->tried_by, context.now))};
  }
  if (answer.outcome != Outcome::fits || !answer.subject || !cluster.pending(answer.subject)) return {};
  const Pod& pod = cluster.pod(answer.subject);
  // Kueue decides about it, and kube-scheduler does not try it until its gates are removed.
  if (!pod.spec.scheduling_gates.empty()) return {};
  const Instant newest = cluster.objects().newest;
  std::vector<std::string> why;

  const Symbol scheduler = pod.spec.scheduler_name;
  if (scheduler && scheduler != cluster.known().default_scheduler) {
    const auto served = [&](const Pod& other) {
      return other.spec.scheduler_name == scheduler && other.spec.node_name;
    };
    if (std::none_of(cluster.pods().begin(), cluster.pods().end(), served) && !runs_scheduler(cluster, answer.engine)) {
      why.push_back(fmt::format(
          "its schedulerName is {}, but no pod of that scheduler is on a node, so the scheduler may not be running",
          cluster.text(scheduler)));
    }
  }
  if (pod.status.nominated_node_name) {
    why.push_back(fmt::format("it is nominated to {}, where pods may still be terminating",
                              cluster.text(pod.status.nominated_node_name)));
  }
  std::size_t unready = 0;
  for (const NodeId node : answer.feasible) {
    for (const NodeCondition& c : cluster.node(node).status.conditions) {
      unready += cluster.text(c.type) == "Ready" && c.status != cluster.known().true_status ? 1U : 0U;
    }
  }
  if (unready > 0) {
    why.push_back(fmt::format("{} on which it fits {} not ready", counted(unready, "node", "nodes"),
                              unready == 1 ? "is" : "are"));
  }

  const Condition* condition = pod.condition(cluster.known().pod_scheduled);
  if (condition == nullptr) {
    const bool young = pod.meta.created && newest != Instant{};
    why.push_back(
        young ? fmt::format("no scheduler has tried it yet: it was created {} before the newest time of the input",
                            format_age(std::max<std::int64_t>(0, seconds_between(*pod.meta.created, newest))))
              : "according to its status, no scheduler has tried it yet");
    return why;
  }
  const std::string_view reason = cluster.text(condition->reason);
  if (reason == "SchedulingGated") {
    why.emplace_back(
        "its condition still says that it is gated; its gates have been removed since, and it is back in the queue");
    return why;
  }
  const Instant tried = std::max(condition->last_transition.value_or(Instant{}),
                                 said_at(cluster, answer.subject, cluster.text(condition->message)));
  if (tried == Instant{}) return why;
  const std::string since = cluster.derived<ChangeTimes>().words_since(tried);
  constexpr std::int64_t kLongestBackoff = 10;  // podMaxBackoffSeconds by default
  if (seconds_between(tried, newest) <= kLongestBackoff) {
    why.push_back(
        fmt::format("its last recorded attempt failed {} before the newest time of the input: its back-off may not be "
                    "over (1 s to 10 s)",
                    format_age(std::max<std::int64_t>(0, seconds_between(tried, newest)))));
  } else if (!since.empty()) {
    why.push_back(
        fmt::format("its condition is from {}; since then {}; a failed pod is tried again after an event that may "
                    "help, or after 5 minutes",
                    format_clock(tried, context.now), since));
  } else {
    why.push_back(
        fmt::format("its condition is from {}, and the input does not show a change since then; a failed pod is tried "
                    "again after an event that may help, or after 5 minutes",
                    format_clock(tried, context.now)));
  }
  return why;
}

}  // namespace previct
