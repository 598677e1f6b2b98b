#pragma once

#include "engine/kai/snapshot/types.h"

#include <array>
#include <string>
#include <string_view>

namespace previct::kai {

/// The order in which resources are shown: GPUs first, because they are the main purpose of these clusters.
inline constexpr std::array<std::size_t, kShared> kInOrder = {kGpu, kCpu, kMemory};

/// `cpu`, `memory`, `gpu`
[[nodiscard]] auto resource_word(std::size_t resource) -> std::string_view;

/// Formats milli-CPU as cores and bytes as GiB; unlimited is `-`.
[[nodiscard]] auto amount_words(double value, std::size_t resource) -> std::string;

}  // namespace previct::kai
