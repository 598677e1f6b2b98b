#include "tell/yunikorn/quota.h"

#include "base/contains.h"
#include "base/duration.h"
#include "base/go.h"
#include "base/text.h"
#include "tell/yunikorn/evidence.h"
#include "tell/yunikorn/messages.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::yunikorn {
namespace {

/// Returns when the scheduler acts, as far as that can be known. `max`: `the max`, or of which queue.
auto when(const PartitionContext& core, const QuotaPreemption& one, std::string_view max) -> std::string {
  const bool loop = core.keys().release.has(Change::quota_loop);
  std::string text = fmt::format("{} ({}) after {} was lowered{}", format_age(one.delay / go::kNanosPerSecond),
                                 loop ? "quota.preemption.delay" : "preemption.quota.delay", max,
                                 loop ? " or YuniKorn started" : ", unless YuniKorn restarts before");
  if (one.idle) text += " and as soon as a pod of the queue is pending";
  return text;
}

auto pod_names(const Snapshot& cluster, const std::vector<PodId>& pods) -> std::string {
  constexpr std::size_t kMost = 10;
  std::vector<std::string> names;
  for (const PodId pod : pods) names.push_back(cluster.key(pod));
  return joined_up_to(kMost, std::move(names));
}

/// Returns how many of the pods that not every result evicts are evicted.
auto number_of_others(const QuotaPreemption& one) -> std::string {
  const auto fewer = [](const auto& a, const auto& b) { return a.size() < b.size(); };
  const auto [least, most] = std::minmax_element(one.sets.begin(), one.sets.end(), fewer);
  const std::size_t low = least->size() - std::min(least->size(), one.always.size());
  const std::size_t high = most->size() - std::min(most->size(), one.always.size());
  return low == high ? std::to_string(low) : fmt::format("{} to {}", low, high);
}

auto victims_words(const PartitionContext& core, const QuotaPreemption& one) -> std::string {
  const Snapshot& cluster = core.cluster();
  std::vector<std::string> parts;
  if (!one.always.empty()) parts.push_back(pod_names(cluster, one.always));
  if (!one.sometimes.empty())
    parts.push_back(fmt::format("{} of {}", number_of_others(one), pod_names(cluster, one.sometimes)));
  if (parts.empty()) return "no pod: each one would free more than the queue is above its max, or is protected";
  return joined(parts, ", and ");
}

/// The scheduler reads amounts that it did not compute.
auto crash_words(const QuotaPreemption& one) -> std::string {
  return one.crashes ? "; then YuniKorn itself crashes" : "";
}

auto order_words(const PartitionContext& core) -> std::string {
  const bool by_excess = core.keys().release.has(Change::quota_order_by_excess);
  return fmt::format(
      "order of eviction: {}; among these, the lowest priority, the youngest{} and the smallest first. Pods of "
      "DaemonSets are spared; priorities of other queues, fences, preemption.policy and PodDisruptionBudgets are "
      "ignored",
      by_excess ? "pods that opted out, then originators, then regular pods, with those first that have most of the "
                  "exceeded types"
                : "regular pods, then pods that opted out, then originators",
      by_excess ? " (by hour of creation)" : "");
}

}  // namespace

auto quota_words(const PartitionContext& core, const QuotaPreemption& one) -> std::string {
  return fmt::format("queue {} uses more than its max ({}): {}, the scheduler evicts {}{}",
                     core.queues()[one.queue].path, amounts_text(core.types(), one.over), when(core, one, "the max"),
                     victims_words(core, one), crash_words(one));
}

auto quota_words(const PartitionContext& core, const std::vector<QuotaPreemption>& all, PodId pod) -> std::string {
  bool certain = false;
  const QuotaPreemption* one = evicts_for_quota(all, pod, certain);
  if (one == nullptr) return {};
  const std::string max = fmt::format("the max of queue {}", core.queues()[one->queue].path);
  const std::string fate =
      certain ? "evicts it"
              : fmt::format("may evict it ({} of {} such pods)", number_of_others(*one), one->sometimes.size());
  return fmt::format("the scheduler {} {}: the queue uses more than its max ({})", fate, when(core, *one, max),
                     amounts_text(core.types(), one->over));
}

auto quota_paragraph(const PartitionContext& core, const std::vector<QuotaPreemption>& all) -> Paragraph {
  Paragraph paragraph;
  paragraph.heading = "quota preemption";
  for (const QuotaPreemption& one : all) paragraph.lines.push_back({{{quota_words(core, one), Tone::plain}}});
  paragraph.lines.push_back({{{order_words(core), Tone::dim}}});
  return paragraph;
}

auto quota_json(const PartitionContext& core, const std::vector<QuotaPreemption>& all) -> Json {
  const auto names = [&](const std::vector<PodId>& pods) {
    Json list = Json::array();
    for (const PodId pod : pods) list.push_back(core.cluster().key(pod));
    return list;
  };
  Json json = Json::array();
  for (const QuotaPreemption& one : all) {
    Json& row = json.emplace_back();
    row["queue"] = core.queues()[one.queue].path;
    row["delay"] = format_age(one.delay / go::kNanosPerSecond);
    row["over"] = amounts_json(core.types(), one.over);
    row["always"] = names(one.always);
    row["sometimes"] = names(one.sometimes);
    row["outcomes"] = Json::array();
    for (const auto& set : one.sets) row["outcomes"].push_back(names(set));
    if (one.idle) row["waitsForPendingPod"] = true;
    if (one.crashes) row["crashes"] = true;
  }
  return json;
}

}  // namespace previct::yunikorn
