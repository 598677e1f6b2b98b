#pragma once

#include "lint/scope.h"

#include <vector>

namespace previct::lint {

/// One scope for each cluster dump in the input; empty if the input is no dump.
[[nodiscard]] auto dumps_of(const Tree& tree) -> std::vector<Scope>;

}  // namespace previct::lint
