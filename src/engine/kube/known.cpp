#include "engine/kube/known.h"

namespace previct::kube {

auto known_profile(const Snapshot& cluster, const Pod& pod, const Question& question)
    -> Result<const std::optional<Profile>*> {
  std::deque<Known::Served>& served = cluster.derived<Known>().served;
  Known::Served wanted{
      .scheduler = pod.spec.scheduler_name, .plugin = question.toleration_plugin, .configuration = {}, .profile = {}};
  if (question.scheduler_config) wanted.configuration = question.scheduler_config->bytes;
  for (const Known::Served& each : served) {
    const bool same = each.scheduler == wanted.scheduler && each.plugin == wanted.plugin;
    if (same && each.configuration == wanted.configuration) return &each.profile;
  }
  PREVICT_TRY(wanted.profile, profile_for(cluster, pod, question));
  return &served.emplace_back(std::move(wanted)).profile;
}

}  // namespace previct::kube
