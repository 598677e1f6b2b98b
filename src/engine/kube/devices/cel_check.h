#pragma once

#include "base/regexp.h"
#include "base/symbols.h"
#include "engine/kube/devices/cel_syntax.h"
#include "engine/kube/devices/cel_value.h"

#include <functional>
#include <map>
#include <string>

namespace previct::kube::devices::cel {

/// The regular expressions that are literals of an expression.
using Patterns = std::map<std::string, go::Regexp, std::less<>>;

/// Returns the part of the expression that is not evaluated, or that the scheduler could not compile either; empty if
/// there is none. Adds its names to `symbols` and compiles its patterns.
[[nodiscard]] auto check(const Node& root, bool shared, Symbols& symbols, Patterns& patterns) -> std::string;

}  // namespace previct::kube::devices::cel
