#pragma once

#include "lint/scope.h"

#include <vector>

namespace previct::lint {

/// A scope for each cluster that the input holds a dump of; none: it is no dump.
[[nodiscard]] auto dumps_of(const Tree& tree) -> std::vector<Scope>;

}  // namespace previct::lint
