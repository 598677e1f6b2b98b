#pragma once

#include "api/objects.h"

#include <cstdint>
#include <optional>

namespace previct {

/// What a PriorityClass gives to the pods that name it.
struct KnownClass {
  std::int32_t value = 0;
  Symbol policy;  ///< none: it says nothing, which means PreemptLowerPriority
};

/// The class of this name, be it one that the API server makes by itself.
[[nodiscard]] auto known_class(Symbol name, const Objects& objects) -> std::optional<KnownClass>;

/// The class of new pods that name none: of several global defaults the one with the lowest value; null if there is
/// none.
[[nodiscard]] auto default_class(const Objects& objects) -> const PriorityClass*;

}  // namespace previct
