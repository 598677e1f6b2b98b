#include "engine/kube/declared_features.h"

#include <algorithm>
#include <array>

namespace previct::kube {
namespace {

auto restarts_all_containers(const Snapshot& cluster, const PodSpec& pod) -> bool {
  const Symbol all = cluster.symbol("RestartAllContainers");
  const auto has_rule = [&](const Container& c) {
    return std::any_of(c.restart_rules.begin(), c.restart_rules.end(),
                       [&](const RestartRule& rule) { return rule.action == all; });
  };
  return all && (std::any_of(pod.containers.begin(), pod.containers.end(), has_rule) ||
                 std::any_of(pod.init_containers.begin(), pod.init_containers.end(), has_rule));
}

auto has_own_users_on_host_network(const Snapshot& /*cluster*/, const PodSpec& pod) -> bool {
  return pod.host_network && pod.host_users == false;
}

auto mounts_with_options(const Snapshot& /*cluster*/, const PodSpec& pod) -> bool {
  const auto has_options = [](const Container& c) {
    return std::any_of(c.mounts.begin(), c.mounts.end(), [](const VolumeMount& m) { return m.has_bind_mount_options; });
  };
  return std::any_of(pod.containers.begin(), pod.containers.end(), has_options) ||
         std::any_of(pod.init_containers.begin(), pod.init_containers.end(), has_options) ||
         std::any_of(pod.ephemeral_containers.begin(), pod.ephemeral_containers.end(), has_options);
}

struct DeclaredFeature {
  std::string_view name;
  int since;
  auto(*needed)(const Snapshot& cluster, const PodSpec& pod) -> bool;
};
constexpr std::array kFeatures = {
    DeclaredFeature{"RestartAllContainersOnContainerExits", 35, restarts_all_containers},
    DeclaredFeature{"UserNamespacesHostNetworkSupport", 36, has_own_users_on_host_network},
    DeclaredFeature{"VolumeBindMountOptions", 37, mounts_with_options}};

}  // namespace

auto features_needed(const Snapshot& cluster, const PodSpec& pod, const Release& release) -> std::vector<std::size_t> {
  std::vector<std::size_t> needed;
  for (std::size_t i = 0; i < kFeatures.size(); ++i) {
    if (release.minor() >= kFeatures[i].since && kFeatures[i].needed(cluster, pod)) needed.push_back(i);
  }
  return needed;
}

auto declared_feature(std::int64_t place) -> std::string_view {
  const auto index = static_cast<std::size_t>(place);
  return index < kFeatures.size() ? kFeatures[index].name : std::string_view();
}

}  // namespace previct::kube
