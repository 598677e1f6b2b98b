#include "cluster/where_read.h"

#include <fmt/format.h>

#include <cstdint>

namespace previct {

auto where_read(const Objects& objects) -> std::string_view {
  for (std::uint32_t file = 0; file < objects.files.size(); ++file) {
    if (objects.files.live({file})) return "in the cluster";
  }
  return "in the input";
}

auto where_pods_read(const Objects& objects, std::string_view ns) -> std::string {
  const std::string_view only = objects.only_pods_of();
  if (only.empty() || only == ns) return std::string(where_read(objects));
  return fmt::format("{}, of which only the pods of namespace {} were listed", where_read(objects), only);
}

}  // namespace previct
