#include "base/text.h"
#include "engine/kai/account.h"
#include "engine/required_kind.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::kai {

auto unknown_config_maps(const Explained& e) -> std::vector<std::string> {
  std::vector<std::string> names;
  if (!e.subject.group || !lacks(e.cluster.objects(), kinds::config_maps)) return names;
  const Group& group = e.group();
  for (std::uint32_t i = 0; i < group.sets; ++i) {
    for (const TaskId id : e.cluster_info().tasks_of(group.set(i))) {
      if (e.cluster_info().task(id).status != Status::pending) continue;
      const Pod& pod = e.cluster.pod(e.cluster_info().task(id).pod);
      for (const Symbol name : e.cluster_info().config_maps().missing(pod)) {
        std::string key = fmt::format("{}/{}", e.cluster.text(pod.meta.ns), e.cluster.text(name));
        if (std::find(names.begin(), names.end(), key) == names.end()) names.push_back(std::move(key));
      }
    }
  }
  return names;
}

auto config_maps_words(const std::vector<std::string>& names) -> std::string {
  return fmt::format("the ConfigMap{} {}", names.size() == 1 ? "" : "s", joined(names, ", "));
}

}  // namespace previct::kai
