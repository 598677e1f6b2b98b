#pragma once

#include <string>
#include <string_view>

namespace previct::yunikorn {

/// Why Go's regexp.Compile refuses an expression, in its words; empty: it need not. Names of Unicode classes,
/// repetitions of repetitions and the size of the whole are not looked at, so that nothing is refused that Go accepts.
/// Source: go1.26 src/regexp/syntax/parse.go parse, with the flags Perl.
[[nodiscard]] auto regexp_fault(std::string_view expression) -> std::string;

}  // namespace previct::yunikorn
