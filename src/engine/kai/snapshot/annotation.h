#pragma once

#include "cluster/snapshot.h"

#include <optional>
#include <string_view>

namespace previct::kai {

/// Returns the value of annotation `key`, if the object has it.
[[nodiscard]] inline auto annotation(const Snapshot& cluster, const ObjectMeta& meta, std::string_view key)
    -> std::optional<std::string_view> {
  const Symbol symbol = cluster.symbol(key);
  if (!symbol || !meta.annotations.has(symbol)) return {};
  return cluster.text(meta.annotations.get(symbol));
}

}  // namespace previct::kai
