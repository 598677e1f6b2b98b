#pragma once

#include "cluster/snapshot.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace previct::cli {

/// Returns the priority that a flag names: a number, or that of a PriorityClass.
[[nodiscard]] auto named_priority(const std::string& text, std::string_view flag, const Snapshot& cluster)
    -> Result<std::int64_t>;

/// Returns the nodes that a flag names.
[[nodiscard]] auto named_nodes(const std::vector<std::string>& names, std::string_view flag, const Snapshot& cluster)
    -> Result<std::vector<NodeId>>;

/// The same, or all nodes if it names none.
[[nodiscard]] auto named_or_all_nodes(const std::vector<std::string>& names, std::string_view flag,
                                      const Snapshot& cluster) -> Result<std::vector<NodeId>>;

}  // namespace previct::cli
