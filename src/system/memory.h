#pragma once

#include <cstdint>

namespace previct::system {

/// The resident memory of this process in bytes; 0 if the system does not report it.
[[nodiscard]] auto resident_memory() -> std::uint64_t;

}  // namespace previct::system
