#include "base/place.h"

#include <fmt/format.h>

namespace previct {

auto Files::add_live(const std::string& path) -> FileId {
  const FileId file = add("cluster:" + path);
  live_.insert(file);
  return file;
}

auto Files::describe(const Place& place) const -> std::string {
  if (!place.file) return {};
  if (place.line == 0) return name(place.file);
  if (place.column == 0) return fmt::format("{}:{}", name(place.file), place.line);
  return fmt::format("{}:{}:{}", name(place.file), place.line, place.column);
}

}  // namespace previct
