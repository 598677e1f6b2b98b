#pragma once

#include "engine/engine.h"
#include "engine/kai/snapshot/cluster_info.h"
#include "engine/kai/snapshot/grouper.h"
#include "engine/kai/snapshot/settings.h"

#include <optional>
#include <string>

namespace previct::kai {

/// The group that the question is about, under the name that the question uses.
struct Asked {
  std::string ns;
  std::string name;
  PodId pod;
  std::optional<AssumedGroup> assumed;
  const SymbolMap* labels = nullptr;  ///< labels of the group, or of the pod that it would be created for
};

/// Returns the group asked about. Fails if there is no such pod or group.
[[nodiscard]] auto find_asked(const Snapshot& cluster, const Question& question) -> Result<Asked>;

/// Returns the shard that the question names, or else the shard to whose partition the group belongs; empty: the
/// default shard.
[[nodiscard]] auto shard_for(const Snapshot& cluster, const Question& question, const Asked& asked) -> std::string;

/// Returns the group in the shard; none if it belongs to another one. A pod belongs to the group with that name that
/// the scheduler keeps, in any namespace.
[[nodiscard]] auto group_in(const ClusterInfo& cluster_info, const Asked& asked) -> GroupId;

/// Returns the error for a group that belongs to another shard than the one asked about.
[[nodiscard]] auto not_in_shard(const Snapshot& cluster, const Settings& settings, const Asked& asked)
    -> tl::unexpected<Failure>;

}  // namespace previct::kai
