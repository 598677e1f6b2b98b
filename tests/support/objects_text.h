#pragma once

#include "api/objects.h"

#include <string>

namespace previct::test {

/// All that was read into `objects`, field by field with what it was read from, counts and warnings: two loads are the
/// same if their texts are.
[[nodiscard]] auto objects_text(Objects& objects) -> std::string;

/// The objects alone, without the places they were read from.
[[nodiscard]] auto objects_text_without_places(Objects& objects) -> std::string;

}  // namespace previct::test
