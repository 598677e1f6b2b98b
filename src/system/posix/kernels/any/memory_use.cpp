#include "system/beyond_posix.h"
#include "system/memory.h"

#include <sys/resource.h>

namespace previct::system {

auto resident_memory() -> std::uint64_t {
  return 0;
}

auto limit_data(std::uint64_t bytes) -> bool {
  const rlimit limit{.rlim_cur = bytes, .rlim_max = bytes};
  return ::setrlimit(RLIMIT_DATA, &limit) == 0;
}

}  // namespace previct::system
