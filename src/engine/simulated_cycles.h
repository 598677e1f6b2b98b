#pragma once

#include "engine/gap.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace previct {

/// What becomes of the pending objects of an engine that simulates its own cycles (Engine::simulate).
struct SimulatedCycles {
  enum class Result : std::uint8_t {
    admitted,
    pending,
    unknown,  ///< depends on something that is not modeled, or on chance
    reserved  ///< has its quota, and is admitted when its admission checks are ready
  };
  struct End {
    std::string name;  ///< `workload/NAMESPACE/NAME`
    Result result = Result::pending;
    std::size_t cycle = 0;                ///< in which it got its quota, from 1; 0: it did not
    std::vector<std::string> assigned{};  ///< as in Verdict::assigned, sorted

    /// Returns true if the result is the same, in whichever cycle.
    [[nodiscard]] auto same_as(const End& other) const -> bool {
      return name == other.name && result == other.result && assigned == other.assigned;
    }
  };
  std::vector<End> ends{};  ///< of the objects that are pending at the start, by name
  /// Objects that are admitted at the start and evicted in some cycle, by name.
  std::vector<std::string> victims{};
  std::size_t cycles = 0;
  std::size_t evictions = 0;
  std::size_t loop = 0;    ///< number of cycles that repeat forever, with evictions; 0: there is no such loop
  bool cut = false;        ///< the maximum number of cycles was reached while things still changed
  std::uint64_t work = 0;  ///< objects that the cycles looked at
  std::string release{};
  std::vector<Gap> gaps{};
};

}  // namespace previct
