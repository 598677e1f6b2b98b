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

}  // namespace previct
