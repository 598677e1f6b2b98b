#include "base/place.h"

#include <fmt/format.h>

namespace previct {

auto Files::add_live(const std::string& path) -> FileId {
  const FileId file = add("cluster:" + path);
  live_.insert(file);
  return file;
}

auto Files::namespace_listed(std::string_view resource) const -> std::string_view {
  const std::string before = "/namespaces/";
  const std::string after = fmt::format("/{}", resource);
  for (const FileId file : live_) {
    const std::string_view path = name(file);
    const auto at = path.find(before);
    if (at == std::string_view::npos || !path.ends_with(after)) continue;
    const auto ns = at + before.size();
    return path.substr(ns, path.size() - after.size() - ns);
  }
  return {};
}

auto Files::describe(const Place& place) const -> std::string {
  if (!place.file) return {};
  if (place.line == 0) return name(place.file);
  if (place.column == 0) return fmt::format("{}:{}", name(place.file), place.line);
  return fmt::format("{}:{}:{}", name(place.file), place.line, place.column);
}

}  // namespace previct
