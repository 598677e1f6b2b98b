#pragma once

#include <cstdint>
#include <string>

namespace previct::prove {

/// The amounts of one resource that the preemptors request, both ends included, in the scheduler's units (milli-CPU,
/// bytes, devices).
struct Requested {
  std::string resource;
  std::int64_t least = 0;
  std::int64_t most = INT64_MAX / 4;
};

}  // namespace previct::prove
