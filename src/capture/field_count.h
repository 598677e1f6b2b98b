#pragma once

#include "api/load.h"

#include <cstddef>
#include <string>
#include <vector>

namespace previct::capture {

/// The number of different fields in the objects of the inputs, for the kinds that are read; without configurations,
/// which flags may add to a capture.
/// `spec.containers.env.value` of a Pod counts as one field, however often it occurs, and so do all labels together.
/// Every text is read by the general reader. Errors: as for load().
[[nodiscard]] auto count_fields(const std::vector<std::string>& paths, const LoadOptions& options)
    -> Result<std::size_t>;

}  // namespace previct::capture
