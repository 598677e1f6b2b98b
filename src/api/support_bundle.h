#pragma once

#include "input/documents.h"

#include <optional>
#include <string_view>

namespace previct {

/// The list that a file of a support bundle is, told by its path: older collectors write the items of a list alone
/// (`cluster-resources/pods/default.json`), without a kind on the list or on them. None for all other paths.
/// Source: replicatedhq/troubleshoot pkg/constants/constants.go, pkg/collect/cluster_resources.go (before items got
/// their kind).
[[nodiscard]] auto list_of_path(std::string_view path) -> std::optional<EnclosingList>;

}  // namespace previct
