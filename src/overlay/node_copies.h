#pragma once

#include "api/load.h"

#include <string>
#include <string_view>

namespace previct {

/// Returns a new node like this one.
[[nodiscard]] auto node_like(const Node& like, std::string_view name, Symbols& symbols) -> Node;

/// Adds `count` nodes like the only object of the file, a Node. Returns what was added, in words.
[[nodiscard]] auto add_nodes(const std::string& file, std::size_t count, const LoadOptions& options, Objects& objects)
    -> Result<std::string>;

}  // namespace previct
