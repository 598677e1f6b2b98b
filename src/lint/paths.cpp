#include "lint/paths.h"

#include <filesystem>

namespace previct::lint {

auto folder_of(std::string_view path) -> std::string {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string_view::npos ? std::string() : std::string(path.substr(0, slash));
}

auto resolved(std::string_view folder, std::string_view path) -> std::string {
  const std::filesystem::path whole = std::filesystem::path(folder) / path;
  std::string text = whole.lexically_normal().generic_string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text == "." ? std::string() : text;
}

auto is_below(std::string_view path, std::string_view folder) -> bool {
  return folder.empty() || path == folder || (path.starts_with(folder) && path.substr(folder.size()).starts_with("/"));
}

auto base_name(std::string_view path) -> std::string_view {
  return path.substr(path.find_last_of("/!") + 1);
}

}  // namespace previct::lint
