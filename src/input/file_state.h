#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <sys/types.h>

namespace previct {

/// Which file this is, and of which moment: another state is other content.
struct FileState {
  dev_t device;
  ino_t number;
  off_t size;
  std::int64_t seconds;  ///< of the last change
  std::int64_t nanos;

  friend auto operator==(const FileState&, const FileState&) -> bool = default;
};

/// None: no regular file is there (standard input `-`, a pipe).
[[nodiscard]] auto state_of(const std::string& path) -> std::optional<FileState>;

}  // namespace previct
