#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "sequence/report.h"

namespace previct::sequence {

auto gaps_of_play(const Snapshot& cluster, const Settings& settings, bool kube) -> std::vector<Gap> {
  std::vector<Gap> gaps;
  const auto assume = [&](std::string what) { gaps.push_back({Gap::Kind::assumption, std::move(what), "", false}); };
  const auto unmodelled = [&](std::string what, std::string weakens) {
    gaps.push_back({Gap::Kind::unmodelled, std::move(what), std::move(weakens), true});
  };
  if (kube) {
    assume("all pending pods are in the active queue at the beginning, as after a start of the scheduler; equal priorities go "
           "by creation, then by name");
  }
  assume("deleted pods use their whole grace period");

  std::size_t overdue = 0;
  std::size_t owned = 0;
  for (const PodId id : cluster.pods().ids()) {
    const Pod& pod = cluster.pod(id);
    if (!cluster.node_of(id) || cluster.finished(id)) continue;
    overdue += pod.meta.deleting && *pod.meta.deleting < settings.question.now ? 1U : 0U;
    owned += std::any_of(pod.meta.owners.begin(), pod.meta.owners.end(), [](const OwnerReference& o) { return o.controller; })
                 ? 1U
                 : 0U;
  }
  if (owned > 0) {
    unmodelled("new pods of the victims' owners", "what a controller creates in a victim's place does not queue here");
  }
  if (overdue > 0) {
    unmodelled(fmt::format("{} whose grace period is over", counted(overdue, "terminating pod", "terminating pods")),
               "taken to stay until the end");
  }
  return gaps;
}

}  // namespace previct::sequence
