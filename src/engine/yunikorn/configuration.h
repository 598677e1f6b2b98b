#pragma once

#include "engine/engine.h"
#include "engine/yunikorn/assumptions.h"
#include "engine/yunikorn/config.h"
#include "engine/yunikorn/partition_context.h"

#include <string>
#include <vector>

namespace previct::yunikorn {

/// Everything that a question contains besides the cluster.
struct Setup {
  enum class Origin : std::uint8_t { file, config_map, built_in };

  Config config;
  Origin origin = Origin::built_in;
  std::vector<Gap> gaps;  ///< what is not known about the ConfigMaps
  RunningRelease running;
  PartitionSettings core;
  Assumptions assumptions;

  [[nodiscard]] auto partition() const -> const PartitionConfig& { return *config.default_partition(); }
};

/// Reads the queues from the file in the question, or else from the ConfigMaps yunikorn-configs and yunikorn-defaults
/// (key `<service.policyGroup>.yaml`, which is `queues.yaml` unless set), or else uses the scheduler's built-in ones.
/// YuniKorn reads the ConfigMaps of its own namespace only: where its pod or, without one, its Deployment is. If the
/// input shows neither, and the ConfigMaps of several namespaces differ, a gap decides.
/// Source: apache/yunikorn-k8shim 1.9 pkg/client/bootstrap.go LoadBootstrapConfigMaps, pkg/cache/context.go
/// filterConfigMaps.
/// Errors: an invalid configuration or assumptions file, with the place in the user's file.
[[nodiscard]] auto read_setup(const Snapshot& cluster, const Question& question) -> Result<Setup>;

/// Warns about properties of queues that the scheduler cannot read, with the place in the user's file. Does not report
/// a configuration that is invalid as a whole.
void warn_of_properties(const Snapshot& cluster, const Question& question);

/// Reads and checks the text of a `queues.yaml`; an empty text means the built-in configuration.
[[nodiscard]] auto read_queues(std::string_view text, FileId file) -> Result<Config>;

}  // namespace previct::yunikorn
