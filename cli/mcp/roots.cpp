#include "cli/mcp/roots.h"

#include "base/path.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace previct::cli::mcp {
namespace {

namespace fs = std::filesystem;

auto is_below(const fs::path& path, const fs::path& root) -> bool {
  return std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first == root.end();
}

}  // namespace

auto check_below_roots(const std::string& path, const std::vector<std::string>& roots, std::string_view property)
    -> Result<void> {
  if (path.empty()) return fail(fmt::format("{}: expected the name of a file", property));
  if (path.find(',') != std::string::npos)
    return fail(fmt::format("{} \"{}\": expected one file per string, without a comma", property, path));
  std::error_code error;
  const fs::path real = fs::canonical(path, error);
  // Whether a file outside the roots exists is not the client's business.
  const auto allows = [&](const std::string& root) {
    return is_below(error ? fs::absolute(path).lexically_normal() : real, root);
  };
  if (std::none_of(roots.begin(), roots.end(), allows))
    return fail(fmt::format("{} \"{}\": outside the folders of --root", property, path));
  if (error) return fail(fmt::format("{} \"{}\": {}", property, path, reason_of(error)));
  return {};
}

auto real_folders(const std::vector<std::string>& paths) -> Result<std::vector<std::string>> {
  std::vector<std::string> folders;
  for (const std::string& path : paths) {
    std::error_code error;
    const fs::path real = fs::canonical(path, error);
    if (error) return fail(fmt::format("--root {}: {}", path, reason_of(error)));
    if (!fs::is_directory(real, error)) return fail(fmt::format("--root {}: not a folder", path));
    folders.push_back(real.generic_string());
  }
  return folders;
}

}  // namespace previct::cli::mcp
