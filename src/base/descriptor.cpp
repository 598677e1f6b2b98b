#include "base/descriptor.h"

#include "base/file_status.h"
#include "base/files_read.h"

#include <cerrno>

namespace previct {

auto open_to_read(const std::string& path) -> Descriptor {
  Descriptor descriptor = path == "-" ? Descriptor(kStandardInput) : Descriptor::open(path);
  if (descriptor) note_read(descriptor.number(), path);
  return descriptor;
}

auto open_regular(const std::string& path) -> Descriptor {
  Descriptor descriptor = open_to_inspect(path);
  if (descriptor) note_read(descriptor.number(), path);
  return descriptor;
}

auto open_to_inspect(const std::string& path) -> Descriptor {
  const auto status = status_of(path);
  if (!status) return {};
  if (status->is_file()) return Descriptor::open(path);
  errno = EINVAL;
  return {};
}

}  // namespace previct
