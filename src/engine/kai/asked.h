#pragma once

#include "engine/engine.h"
#include "engine/kai/snapshot/cluster_info.h"
#include "engine/kai/snapshot/grouper.h"
#include "engine/kai/snapshot/settings.h"

#include <optional>
#include <string>

namespace previct::kai {

/// The group asked about, by whichever name the question has for it.
struct Asked {
  std::string ns;
  std::string name;
  PodId pod;
  std::optional<AssumedGroup> assumed;
  const SymbolMap* labels = nullptr;  ///< of the group, or of the pod it would be made for
};

/// Fails if there is no such pod or group.
[[nodiscard]] auto find_asked(const Snapshot& cluster, const Question& question) -> Result<Asked>;

/// The shard named, else the one whose partition the group belongs to; empty: the default.
[[nodiscard]] auto shard_for(const Snapshot& cluster, const Question& question, const Asked& asked) -> std::string;

/// The group in a pool; none if it belongs to another one. A pod is in the group of that name which the scheduler
/// keeps, whatever its namespace.
[[nodiscard]] auto group_in(const ClusterInfo& cluster_info, const Asked& asked) -> GroupId;

/// The group belongs to another shard than the one asked.
[[nodiscard]] auto not_in_shard(const Snapshot& cluster, const Settings& settings, const Asked& asked)
    -> tl::unexpected<Failure>;

}  // namespace previct::kai
