#pragma once

#include <filesystem>
#include <new>
#include <system_error>

namespace previct::cli {

/// Empty if it is gone. Throws: std::bad_alloc, as without it files would have other names, and settings none.
[[nodiscard]] inline auto working_folder() -> std::filesystem::path {
  std::error_code error;
  std::filesystem::path folder = std::filesystem::current_path(error);
  if (error == std::errc::not_enough_memory) throw std::bad_alloc();
  return error ? std::filesystem::path() : folder;
}

}  // namespace previct::cli
