#include "system/copy.h"

// WASI has one process.
namespace previct::system {

auto run_in_copy(const std::function<void()>& /*work*/) -> int {
  return -1;
}

auto BackgroundCopy::start(const std::function<void()>& /*work*/, std::uint64_t /*memory*/, Statuses /*statuses*/)
    -> Result<std::unique_ptr<BackgroundCopy>> {
  return fail("this build of previct starts no processes");
}

BackgroundCopy::~BackgroundCopy() = default;

}  // namespace previct::system
