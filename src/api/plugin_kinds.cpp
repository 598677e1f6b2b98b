#include "api/plugin_kinds.h"

#include <algorithm>
#include <array>

namespace previct {

auto find_plugin_kind(std::string_view kind) -> const PluginKind* {
  static constexpr std::array kKinds = {
      PluginKind{"scheduling.x-k8s.io/ElasticQuota", "CapacityScheduling", ""},
      PluginKind{"scheduling.sigs.k8s.io/ElasticQuota", "CapacityScheduling or ElasticQuota", ""},
      PluginKind{"scheduling.x-k8s.io/PodGroup", "Coscheduling", "scheduling.x-k8s.io/pod-group"},
      PluginKind{"scheduling.sigs.k8s.io/PodGroup", "Coscheduling", "pod-group.scheduling.sigs.k8s.io"},
      PluginKind{"appgroup.diktyo.x-k8s.io/AppGroup", "NetworkOverhead", "appgroup.diktyo.x-k8s.io"},
      PluginKind{"topology.node.k8s.io/NodeResourceTopology", "NodeResourceTopologyMatch", "", true}};
  const auto* const found =
      std::find_if(kKinds.begin(), kKinds.end(), [&](const PluginKind& each) { return each.kind == kind; });
  return found == kKinds.end() ? nullptr : found;
}

}  // namespace previct
