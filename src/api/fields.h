#pragma once

#include "api/quantity.h"
#include "base/symbols.h"

#include <map>
#include <string>

namespace previct {

/// Formats a quantity: `500m`, `2`, `4Gi`; in whole units if possible.
[[nodiscard]] auto format_quantity(Quantity quantity) -> std::string;

/// The fields of an object by their paths (as in locate.h), as text, without absent fields; for comparing two states.
/// Derived from describe(), so it covers exactly the fields that are read. Defined in fields.cpp for the kinds in
/// Stores and for PodSpec, because together they are the slowest part to compile.
template <class T>
[[nodiscard]] auto fields_of(const T& object, const Symbols& symbols) -> std::map<std::string, std::string>;

/// Returns true if fields_of() returns the same for both, without writing texts. Their symbols are of one table.
template <class T>
[[nodiscard]] auto have_same_fields(const T& one, const T& other) -> bool;

}  // namespace previct
