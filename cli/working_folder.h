#pragma once

#include <filesystem>
#include <new>
#include <system_error>

namespace previct::cli {

/// Empty if the folder was deleted. Throws std::bad_alloc, because without the folder file names would be wrong and
/// settings missing.
[[nodiscard]] inline auto working_folder() -> std::filesystem::path {
  std::error_code error;
  std::filesystem::path folder = std::filesystem::current_path(error);
  if (error == std::errc::not_enough_memory) throw std::bad_alloc();
  return error ? std::filesystem::path() : folder;
}

}  // namespace previct::cli
