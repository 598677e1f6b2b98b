#include "engine/kube/known.h"

#include <algorithm>
#include <map>

namespace previct::kube {
namespace {

struct KnownReleases {
  explicit KnownReleases(const Snapshot& /*cluster*/) {}
  std::map<Release, Known> known;
};

}  // namespace

auto known_of(const Snapshot& cluster, const Release& release) -> Known& {
  std::map<Release, Known>& known = cluster.derived<KnownReleases>().known;
  if (const auto at = known.find(release); at != known.end()) return at->second;
  const auto alike = std::find_if(known.begin(), known.end(),
                                  [&](const auto& entry) { return entry.second.node_infos.holds_for(release); });
  if (alike != known.end()) return known.try_emplace(release, alike->second, release).first->second;
  return known.try_emplace(release, cluster, release).first->second;
}

auto known_profile(Known& known, const Pod& pod, const Question& question) -> Result<const std::optional<Profile>*> {
  std::deque<Known::Served>& served = known.served;
  Known::Served wanted{
      .scheduler = pod.spec.scheduler_name, .plugin = question.toleration_plugin, .configuration = {}, .profile = {}};
  if (question.scheduler_config) wanted.configuration = question.scheduler_config->bytes;
  for (const Known::Served& each : served) {
    const bool same = each.scheduler == wanted.scheduler && each.plugin == wanted.plugin;
    if (same && each.configuration == wanted.configuration) return &each.profile;
  }
  PREVICT_TRY(wanted.profile, profile_for(known.node_infos.cluster(), pod, question));
  return &served.emplace_back(std::move(wanted)).profile;
}

}  // namespace previct::kube
