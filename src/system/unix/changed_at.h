#pragma once

#include <ctime>

#include <sys/stat.h>

namespace previct::system {

/// When the content of a file changed last: systems have different names for it.
[[nodiscard]] auto changed_at(const struct stat& status) -> timespec;

}  // namespace previct::system
