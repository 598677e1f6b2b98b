#pragma once

namespace previct {

[[nodiscard]] constexpr auto is_digit(char c) -> bool {
  return c >= '0' && c <= '9';
}

}  // namespace previct
