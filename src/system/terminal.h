#pragma once

#include <cstddef>

namespace previct::system {

/// The number of columns of the terminal at this descriptor; 0 if the system does not tell.
[[nodiscard]] auto columns_of(int descriptor) -> std::size_t;

}  // namespace previct::system
