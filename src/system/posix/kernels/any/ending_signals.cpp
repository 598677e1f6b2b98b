#include "system/beyond_posix.h"

namespace previct::system {

auto more_ending_signals() -> std::span<const int> {
  return {};
}

}  // namespace previct::system
