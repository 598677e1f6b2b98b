#pragma once

#include "api/configurations.h"
#include "cluster/snapshot.h"

#include <string>
#include <string_view>
#include <vector>

namespace previct::kube {

/// A KubeSchedulerConfiguration in a ConfigMap.
struct MappedConfiguration {
  std::string name;                     ///< of the ConfigMap: `kube-system/my-scheduler-config`
  ConfigFile file;                      ///< places in it are relative to the text
  std::vector<std::string> schedulers;  ///< the schedulerNames of its profiles
  bool mounted = false;                 ///< a pod of the input mounts the ConfigMap
};

/// The configurations of schedulers that the ConfigMaps of the input hold. A scheduler that runs in a Deployment reads
/// its configuration from there (kubernetes.io/docs/tasks/extend-kubernetes/configure-multiple-schedulers; the chart of
/// kubernetes-sigs/scheduler-plugins: manifests/install/charts/as-a-second-scheduler/templates/configmap.yaml, v0.31).
class MappedConfigurations {
 public:
  explicit MappedConfigurations(const Snapshot& cluster);

  /// Returns the configurations that may be in force for a scheduler: those that pods mount, or else all that name it.
  /// Equal texts count once. None for the default scheduler if its pod shows that it has no configuration.
  [[nodiscard]] auto of(std::string_view scheduler) const -> std::vector<const MappedConfiguration*>;

 private:
  std::vector<MappedConfiguration> all_;  // by name
  bool default_is_unconfigured_ = false;
};

}  // namespace previct::kube
