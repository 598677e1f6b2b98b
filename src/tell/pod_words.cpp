#include "tell/pod_words.h"

#include "base/text.h"

#include <fmt/format.h>

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

}  // namespace previct
