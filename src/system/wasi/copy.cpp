#include "system/copy.h"

// WASI has one process.
namespace previct::system {

auto makes_copies() -> bool {
  return false;
}

auto run_in_copy(const std::function<void()>& work) -> int {
  work();
  return -1;
}

auto BackgroundProcess::start(const Work& /*work*/, std::uint64_t /*memory*/, Statuses /*statuses*/)
    -> Result<std::unique_ptr<BackgroundProcess>> {
  return fail("this build of previct starts no processes");
}

BackgroundProcess::~BackgroundProcess() = default;

}  // namespace previct::system
