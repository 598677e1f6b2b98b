#pragma once

#include "api/load.h"

#include <cstddef>
#include <string>
#include <vector>

namespace previct::capture {

/// How many different fields the objects of the inputs have, of the kinds that are read: `spec.containers.env.value` of
/// a Pod is one, however often it stands there, and so are all labels together. Every text is read by the general path.
/// Errors: as for load().
[[nodiscard]] auto count_fields(const std::vector<std::string>& paths, const LoadOptions& options)
    -> Result<std::size_t>;

}  // namespace previct::capture
