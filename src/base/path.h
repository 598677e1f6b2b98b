#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

namespace previct {

/// Returns true if the path does not depend on the working folder; on a system with drives, with or without one.
[[nodiscard]] inline auto is_absolute(std::string_view path) -> bool {
  return path.starts_with('/') || std::filesystem::path(path).is_absolute();
}

/// What the error means, in the same words on every system.
[[nodiscard]] inline auto reason_of(const std::error_code& error) -> std::string {
  return error.default_error_condition().message();
}

}  // namespace previct
