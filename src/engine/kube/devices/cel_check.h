#pragma once

#include "base/regexp.h"
#include "base/symbols.h"
#include "engine/kube/devices/cel_syntax.h"
#include "engine/kube/devices/cel_value.h"

#include <functional>
#include <map>
#include <string>

namespace previct::kube::devices::cel {

/// The regular expressions that stand in an expression as literals.
using Patterns = std::map<std::string, go::Regexp, std::less<>>;

/// What of the expression is not evaluated, or could not be compiled by the scheduler either; empty if nothing. Its
/// names become symbols, and its patterns are compiled.
[[nodiscard]] auto check(const Node& root, bool shared, Symbols& symbols, Patterns& patterns) -> std::string;

}  // namespace previct::kube::devices::cel
