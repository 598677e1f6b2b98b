#include "input/file_state.h"

#include "base/file_status.h"

namespace previct {

auto state_of(const std::string& path) -> std::optional<FileState> {
  const auto status = path == "-" ? std::nullopt : status_of(path);
  if (!status || !status->is_file()) return {};
  return FileState{status->device, status->number, status->size, status->seconds, status->nanos};
}

}  // namespace previct
