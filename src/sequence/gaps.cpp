#include "base/text.h"
#include "sequence/report.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::sequence {

auto gaps_of_play(const Snapshot& cluster, const Settings& settings, const Play& play, bool kube) -> std::vector<Gap> {
  std::vector<Gap> gaps;
  const auto assume = [&](std::string what) { gaps.push_back({Gap::Kind::assumption, std::move(what), "", false}); };
  const auto unmodelled = [&](std::string what, std::string weakens) {
    gaps.push_back({Gap::Kind::unmodelled, std::move(what), std::move(weakens), true});
  };
  if (kube && !settings.pods.empty()) {
    assume(
        "all pending pods are in the active queue at the start, as after a start of the scheduler; pods of equal "
        "priority are ordered by creation time, then by name");
  }
  const auto deletes = [](const Step& step) { return step.what == What::deleting; };
  if (std::any_of(play.steps.begin(), play.steps.end(), deletes)) assume("deleted pods use their whole grace period");
  const auto is_new = [](const Step& step) { return step.what == What::created; };
  if (std::any_of(play.steps.begin(), play.steps.end(), is_new)) {
    assume(
        "controllers make new pods at once, which are ready as soon as they are bound; -new-1 stands for the random "
        "end "
        "of a name");
  }
  for (const auto& [what, follows] : play.assumed) unmodelled(what, follows);
  if (play.scored) {
    unmodelled("scores of nodes", "of several nodes with room, the first by name is chosen");
  }

  std::size_t overdue = 0;
  for (const PodId id : cluster.pods().ids()) {
    const Pod& pod = cluster.pod(id);
    const bool running = cluster.node_of(id) && !cluster.finished(id);
    overdue += running && pod.meta.deleting && *pod.meta.deleting < settings.question.now ? 1U : 0U;
  }
  const bool owned = std::any_of(play.steps.begin(), play.steps.end(), [&](const Step& step) {
    const auto& owners = play.pod(step.pod, cluster).meta.owners;
    return deletes(step) && !settings.controllers &&
           std::any_of(owners.begin(), owners.end(), [](const OwnerReference& o) { return o.controller; });
  });
  if (owned) {
    unmodelled("new pods of the victims' owners",
               "pods that a controller creates to replace victims are not simulated");
  }
  if (overdue > 0) {
    unmodelled(fmt::format("{} whose grace period is over", counted(overdue, "terminating pod", "terminating pods")),
               "assumed to stay until the end");
  }
  return gaps;
}

}  // namespace previct::sequence
