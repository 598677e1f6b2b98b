#pragma once

#include "engine/engine.h"
#include "engine/yunikorn/assumptions.h"
#include "engine/yunikorn/config.h"
#include "engine/yunikorn/partition_context.h"

#include <string>

namespace previct::yunikorn {

/// All that a question brings beside the cluster.
struct Setup {
  enum class Origin : std::uint8_t { file, config_map, built_in };

  Config config;
  Origin origin = Origin::built_in;
  RunningRelease running;
  PartitionSettings core;
  Assumptions assumptions;

  [[nodiscard]] auto partition() const -> const PartitionConfig& { return *config.default_partition(); }
};

/// Takes the queues from the file of the question, else from the ConfigMaps yunikorn-configs and yunikorn-defaults
/// (key `<service.policyGroup>.yaml`, which is `queues.yaml` unless set), else the scheduler's own.
/// Errors: a broken configuration or assumptions file, in the file that the user has.
[[nodiscard]] auto read_setup(const Snapshot& cluster, const Question& question) -> Result<Setup>;

/// Warns of properties of queues that the scheduler cannot read, with the place in the file that the user has. Says
/// nothing of a configuration that is broken as a whole.
void warn_of_properties(const Snapshot& cluster, const Question& question);

/// Reads and checks the text of a `queues.yaml`; an empty one stands for the built-in configuration.
[[nodiscard]] auto read_queues(std::string_view text, FileId file) -> Result<Config>;

}  // namespace previct::yunikorn
