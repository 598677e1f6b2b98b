#include "engine/kai/snapshot/config_maps.h"

#include "engine/required_kind.h"

#include <algorithm>

namespace previct::kai {
namespace {

auto key(Symbol ns, Symbol name) -> std::uint64_t {
  return (static_cast<std::uint64_t>(ns.index) << 32U) | name.index;
}

template <class Visit>
void each_container(const PodSpec& spec, bool ephemeral, Visit visit) {
  for (const auto* list : {&spec.init_containers, &spec.containers, &spec.ephemeral_containers}) {
    if (list == &spec.ephemeral_containers && !ephemeral) continue;
    for (const Container& container : *list) visit(container);
  }
}

}  // namespace

// Other ConfigMaps than those of YuniKorn and Kueue (ConfigMap::wanted) show that ConfigMaps were listed, because every
// namespace has at least one. Without others, the list proves nothing. An input without the kind is assumed to be
// complete, and the answer reports that assumption.
ConfigMaps::ConfigMaps(const Snapshot& cluster, bool all_exist, const Release& release)
    : cluster_(cluster), all_sources_(release.has(Change::config_map_sources)) {
  bool any_other = false;
  for (const ConfigMap& map : cluster.objects().config_maps) {
    there_.insert(key(map.meta.ns, map.meta.name));
    any_other = any_other || !ConfigMap::wanted(cluster.text(map.meta.name));
  }
  told_ = !all_exist && (any_other || lacks(cluster.objects(), kinds::config_maps));
}

auto ConfigMaps::missing(const Pod& pod) const -> std::vector<Symbol> {
  if (!told_) return {};
  std::vector<Symbol> gone = needed(pod);
  std::erase_if(gone, [&](Symbol name) { return there_.contains(key(pod.meta.ns, name)); });
  return gone;
}

auto ConfigMaps::needed(const Pod& pod) const -> std::vector<Symbol> {
  const Symbol shared = cluster_.symbol("runai/shared-gpu-configmap");
  const bool has_shared = shared && pod.meta.annotations.has(shared);
  const std::string_view prefix = has_shared ? cluster_.text(pod.meta.annotations.get(shared)) : std::string_view();
  std::vector<Symbol> names;
  const auto need = [&](const ConfigMapRef& ref) {
    if (!ref.name || (ref.optional && all_sources_)) return;
    if (has_shared && cluster_.text(ref.name).starts_with(prefix)) return;
    if (std::find(names.begin(), names.end(), ref.name) == names.end()) names.push_back(ref.name);
  };
  for (const Volume& volume : pod.spec.volumes) {
    bool mounted = false;
    each_container(pod.spec, all_sources_, [&](const Container& c) {
      mounted = mounted || std::any_of(c.mounts.begin(), c.mounts.end(),
                                       [&](const VolumeMount& mount) { return mount.name == volume.name; });
    });
    if (!mounted) continue;
    need(volume.config_map);
    if (!all_sources_) continue;
    for (const ProjectedSource& source : volume.projected.sources) need(source.config_map);
  }
  each_container(pod.spec, all_sources_, [&](const Container& c) {
    for (const EnvVar& variable : c.env) need(variable.source.config_map);
    for (const EnvFrom& source : c.env_from) need(source.config_map);
  });
  return names;
}

}  // namespace previct::kai
