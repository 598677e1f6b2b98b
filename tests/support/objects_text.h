#pragma once

#include "api/objects.h"

#include <string>

namespace previct::test {

/// Returns everything that was read into `objects`, field by field with its position, counts and warnings: two loads
/// are equal if their texts are.
[[nodiscard]] auto objects_text(Objects& objects) -> std::string;

/// Returns only the objects, without the positions that they were read from.
[[nodiscard]] auto objects_text_without_places(Objects& objects) -> std::string;

}  // namespace previct::test
