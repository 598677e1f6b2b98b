#pragma once

#include <cstddef>
#include <string_view>

namespace previct::system {

[[nodiscard]] auto is_terminal(int descriptor) -> bool;

/// The number of columns of the terminal at this descriptor; 0 if the system does not tell.
[[nodiscard]] auto columns_of(int descriptor) -> std::size_t;

/// Returns true if the terminal at this descriptor can show colors, as far as the system knows. Prepares it for them.
[[nodiscard]] auto takes_colors(int descriptor) -> bool;

/// Returns true if every terminal shows UTF-8, whatever the locale is.
[[nodiscard]] auto terminals_take_utf8() -> bool;

/// The keys that end standard input.
[[nodiscard]] auto keys_that_end_input() -> std::string_view;

}  // namespace previct::system
