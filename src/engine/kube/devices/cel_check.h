#pragma once

#include "base/symbols.h"
#include "engine/kube/devices/cel_syntax.h"
#include "engine/kube/devices/cel_value.h"

#include <string>

namespace previct::kube::devices::cel {

/// What of the expression is not evaluated, or could not be compiled by the scheduler either; empty if nothing. Its
/// names become symbols.
[[nodiscard]] auto check(const Node& root, bool shared, Symbols& symbols) -> std::string;

/// May a text be matched with this pattern, by the rules that RE2 and ECMAScript share?
[[nodiscard]] auto is_plain_pattern(std::string_view pattern) -> bool;

}  // namespace previct::kube::devices::cel
