#include "api/custom_resource.h"

namespace previct {

auto group_of_kai(std::string_view group) -> std::string_view {
  return group == "kai.scheduler" || group == "scheduling.run.ai" ? group : std::string_view();
}

}  // namespace previct
