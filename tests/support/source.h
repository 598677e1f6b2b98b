#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace previct::test {

/// The root folder of the project.
inline const std::filesystem::path kSource = PREVICT_SOURCE_DIR;

/// Returns the contents of a file; empty if it cannot be read.
[[nodiscard]] inline auto read_all(const std::filesystem::path& path) -> std::string {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

}  // namespace previct::test
