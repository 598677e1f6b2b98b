#include "tell/pod_words.h"

#include "api/schedulers.h"
#include "base/go.h"
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace previct {

auto pod_end_words(const PodEnd& end, const Snapshot& cluster) -> std::string {
  const std::string pod = fmt::format("{} on {}", cluster.key(end.pod), cluster.name(end.node));
  switch (end.by) {
    case PodEnd::By::grace:
    case PodEnd::By::recreated: return fmt::format("the grace period of {} ends", pod);
    case PodEnd::By::deadline: return fmt::format("activeDeadlineSeconds of {} end", pod);
    case PodEnd::By::deadline_of_job: return fmt::format("activeDeadlineSeconds of the Job of {} end", pod);
    case PodEnd::By::taint: return fmt::format("a NoExecute taint deletes {}", pod);
  }
  return {};
}

auto gate_words(const Pod& pod, const Snapshot& cluster) -> std::string {
  std::vector<std::string> names;
  for (const auto& gate : pod.spec.scheduling_gates) names.emplace_back(cluster.text(gate.name));
  return fmt::format("scheduling gate{} {}", names.size() == 1 ? "" : "s", joined(names, ", "));
}

namespace {

/// How many pods that have not failed each pod group of Kueue has, by namespace and name.
struct KueuePodGroups {
  explicit KueuePodGroups(const Snapshot& cluster) {
    const Symbol label = cluster.symbol(kPodGroupLabel);
    if (!label) return;
    for (const Pod& pod : cluster.pods()) {
      const Symbol group = pod.meta.labels.get(label);
      if (group && pod.status.phase != cluster.known().failed) ++sizes[{pod.meta.ns, group}];
    }
  }

  static constexpr std::string_view kPodGroupLabel = "kueue.x-k8s.io/pod-group-name";
  std::map<std::pair<Symbol, Symbol>, std::int64_t> sizes;
};

}  // namespace

auto kueue_gate_words(const Pod& pod, const Snapshot& cluster) -> std::string {
  const auto& gates = pod.spec.scheduling_gates;
  const bool gated = std::any_of(gates.begin(), gates.end(),
                                 [&](const Named& each) { return cluster.text(each.name) == schedulers::kueue.gate; });
  if (!gated) return {};
  const Symbol label = cluster.symbol(KueuePodGroups::kPodGroupLabel);
  const Symbol count = cluster.symbol("kueue.x-k8s.io/pod-group-total-count");
  const Symbol fast = cluster.symbol("kueue.x-k8s.io/pod-group-fast-admission");
  const bool waits_for_all = !fast || cluster.text(pod.meta.annotations.get(fast)) != "true";
  const Symbol group = label ? pod.meta.labels.get(label) : Symbol{};
  const auto total = count ? go::parse_int(cluster.text(pod.meta.annotations.get(count)), 32) : std::nullopt;
  if (group && total && waits_for_all) {
    const auto& sizes = cluster.derived<KueuePodGroups>().sizes;
    const auto found = sizes.find({pod.meta.ns, group});
    const std::int64_t there = found == sizes.end() ? 0 : found->second;
    if (there < *total)
      return fmt::format("; Kueue creates no Workload before all {} pods of group {} exist, and there {}", *total,
                         cluster.text(group), there == 1 ? "is 1" : fmt::format("are {}", there));
  }
  return "; Kueue removes its gate when it admits the pod's Workload";
}

}  // namespace previct
