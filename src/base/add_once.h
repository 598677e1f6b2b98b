#pragma once

#include "base/contains.h"

#include <utility>
#include <vector>

namespace previct {

/// Appends the value unless it is among the elements already (a linear search).
template <class Value>
void add_once(std::vector<Value>& to, Value value) {
  if (!contains(to, value)) to.push_back(std::move(value));
}

}  // namespace previct
