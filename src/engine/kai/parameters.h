#pragma once

#include "engine/parameter.h"

#include <span>

namespace previct::kai {

/// The fields of KAI's objects of which `sweep` tries values.
[[nodiscard]] auto parameters() -> std::span<const FieldParameter>;

}  // namespace previct::kai
