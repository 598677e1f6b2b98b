#include "api/node.h"

namespace previct {

auto some_boot_id(std::string_view id) -> std::string_view {
  return id.empty() ? std::string_view() : std::string_view("some");
}

void default_node(Node& node) {
  if (node.status.allocatable.empty()) node.status.allocatable = node.status.capacity;
}

}  // namespace previct
