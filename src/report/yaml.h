#pragma once

#include "report/report.h"

#include <string>

namespace previct {

/// Writes the value as YAML in block style, which ends with a line end. Strings that some reader might not read as such
/// are quoted and escaped.
[[nodiscard]] auto yaml_of(const Json& value) -> std::string;

}  // namespace previct
