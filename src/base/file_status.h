#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace previct {

/// What the system tells of a file. src/system has the functions.
struct FileStatus {
  enum class Type : std::uint8_t { file, folder, other };  ///< other: a device, a pipe, …
  Type type = Type::other;
  std::uint64_t device = 0;  ///< device and number identify a file, whatever its path
  std::uint64_t number = 0;
  std::uint64_t size = 0;    ///< in bytes
  std::uint64_t names = 1;   ///< hard links
  std::int64_t seconds = 0;  ///< time of the last change, since 1970
  std::int64_t nanos = 0;

  [[nodiscard]] auto is_file() const -> bool { return type == Type::file; }
  [[nodiscard]] auto is_folder() const -> bool { return type == Type::folder; }
  [[nodiscard]] auto is_same(const FileStatus& other) const -> bool {
    return device == other.device && number == other.number;
  }
};

/// Of the file that `path` leads to, through links. None if there is no such file; errno has the reason.
[[nodiscard]] auto status_of(const std::string& path) -> std::optional<FileStatus>;
/// Of an open file.
[[nodiscard]] auto status_of(int descriptor) -> std::optional<FileStatus>;

}  // namespace previct
