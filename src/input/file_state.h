#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace previct {

/// Identifies a file and its version: if the state is different, the content may be different.
struct FileState {
  std::uint64_t device;
  std::uint64_t number;
  std::uint64_t size;
  std::int64_t seconds;  ///< time of the last change
  std::int64_t nanos;

  friend auto operator==(const FileState&, const FileState&) -> bool = default;
};

/// None if there is no regular file at `path` (standard input `-`, a pipe).
[[nodiscard]] auto state_of(const std::string& path) -> std::optional<FileState>;

}  // namespace previct
