// Passes libFuzzer's input to one target, PREVICT_FUZZ_TARGET. An exception of a target ends the process, and libFuzzer
// keeps the input.

#include "fuzz/fuzz.h"

#include <cstddef>
#include <cstdint>

extern "C" auto LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) -> int {
  previct::fuzz::PREVICT_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
