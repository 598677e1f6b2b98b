#pragma once

#include "report/report.h"

#include <string>

namespace previct {

/// JSON in ASCII: no byte of an input can affect a terminal or break a reader. Broken UTF-8 becomes U+FFFD. `indent`
/// -1: all on one line.
[[nodiscard]] auto json_text(const Json& json, int indent) -> std::string;

}  // namespace previct
