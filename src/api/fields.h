#pragma once

#include "api/quantity.h"
#include "base/symbols.h"

#include <map>
#include <string>

namespace previct {

/// `500m`, `2`, `4Gi`: whole units where they are.
[[nodiscard]] auto format_quantity(Quantity quantity) -> std::string;

/// The fields of an object by their paths (as in locate.h) and in words, absent ones left out: for comparing two states
/// of it. Made from describe(), so it holds what is read and nothing else. Of the kinds that Stores holds, and of
/// PodSpec; defined in fields.cpp, for all of them together are the most to compile there is.
template <class T>
[[nodiscard]] auto fields_of(T object, const Symbols& symbols) -> std::map<std::string, std::string>;

}  // namespace previct
