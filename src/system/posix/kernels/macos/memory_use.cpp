#include "system/beyond_posix.h"
#include "system/memory.h"

#include <mach/mach.h>

namespace previct::system {

auto resident_memory() -> std::uint64_t {
  mach_task_basic_info info{};
  mach_msg_type_number_t count = MACH_TASK_BASIC_INFO_COUNT;
  auto* const numbers = reinterpret_cast<task_info_t>(&info);  // NOLINT: so says task_info()
  if (::task_info(::mach_task_self(), MACH_TASK_BASIC_INFO, numbers, &count) != KERN_SUCCESS) return 0;
  return info.resident_size;
}

// macOS accepts such a limit, and does not enforce it.
auto limit_data(std::uint64_t /*bytes*/) -> bool {
  return true;
}

}  // namespace previct::system
