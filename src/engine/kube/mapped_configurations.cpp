#include "engine/kube/mapped_configurations.h"

#include "api/upstream.h"
#include "base/contains.h"
#include "engine/kube/configuration.h"
#include "engine/kube/seen_release.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::kube {
namespace {

auto is_mounted(const Snapshot& cluster, const ConfigMap& map) -> bool {
  const auto mounts = [&](const Volume& volume) { return volume.config_map.name == map.meta.name; };
  for (const PodId id : cluster.pods().ids()) {
    const Pod& pod = cluster.pod(id);
    const auto& volumes = pod.spec.volumes;
    if (pod.meta.ns == map.meta.ns && !cluster.finished(id) && std::any_of(volumes.begin(), volumes.end(), mounts))
      return true;
  }
  return false;
}

}  // namespace

MappedConfigurations::MappedConfigurations(const Snapshot& cluster) {
  for (const ConfigMap& map : cluster.objects().config_maps) {
    for (const auto& [key, text] : map.data) {
      if (!mentions_scheduler_config(text.text)) continue;
      MappedConfiguration found{fmt::format("{}/{}", cluster.text(map.meta.ns), cluster.text(map.meta.name)),
                                {text.place.file, text.text},
                                {}};
      found.schedulers = scheduler_names_in(found.file);
      found.mounted = is_mounted(cluster, map);
      all_.push_back(std::move(found));
    }
  }
  std::stable_sort(all_.begin(), all_.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  const ObservedRelease& seen = cluster.derived<ObservedRelease>();
  default_is_unconfigured_ = seen.scheduler && !seen.configured;
}

auto MappedConfigurations::of(std::string_view scheduler) const -> std::vector<const MappedConfiguration*> {
  if (default_is_unconfigured_ && scheduler == upstream::kDefaultScheduler) return {};
  std::vector<const MappedConfiguration*> found;
  for (const MappedConfiguration& each : all_) {
    if (contains(each.schedulers, scheduler)) found.push_back(&each);
  }
  const auto is_mounted = [](const MappedConfiguration* each) { return each->mounted; };
  if (std::any_of(found.begin(), found.end(), is_mounted)) std::erase_if(found, std::not_fn(is_mounted));
  std::vector<const MappedConfiguration*> different;
  for (const MappedConfiguration* each : found) {
    const auto same = [&](const MappedConfiguration* other) { return other->file.bytes == each->file.bytes; };
    if (std::none_of(different.begin(), different.end(), same)) different.push_back(each);
  }
  return different;
}

}  // namespace previct::kube
