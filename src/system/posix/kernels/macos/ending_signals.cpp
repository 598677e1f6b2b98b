#include "system/beyond_posix.h"

#include <array>
#include <csignal>

namespace previct::system {

auto more_ending_signals() -> std::span<const int> {
  static constexpr std::array kMore = {SIGEMT};
  return kMore;
}

}  // namespace previct::system
