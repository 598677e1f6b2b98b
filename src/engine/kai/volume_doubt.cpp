#include "base/contains.h"
#include "base/text.h"
#include "engine/kai/account.h"

namespace previct::kai {

auto unknown_volumes(const Explained& e) -> std::optional<kube::UnknownVolumes> {
  if (!e.subject.group) return {};
  std::optional<kube::UnknownVolumes> all;
  std::vector<std::string> claims;
  const Group& group = e.group();
  for (std::uint32_t i = 0; i < group.sets; ++i) {
    for (const TaskId id : e.cluster_info().tasks_of(group.set(i))) {
      if (e.cluster_info().task(id).status != Status::pending) continue;
      const auto unknown = kube::unknown_volumes(e.cluster, e.cluster.pod(e.cluster_info().task(id).pod));
      if (!unknown || contains(claims, unknown->claims)) continue;
      claims.push_back(unknown->claims);
      if (!all) {
        all = unknown;
        continue;
      }
      if (all->to_be_made) all->kind = unknown->kind;
      all->to_be_made = all->to_be_made && unknown->to_be_made;
      all->several = true;
    }
  }
  if (all) all->claims = joined_up_to(3, std::move(claims));
  return all;
}

}  // namespace previct::kai
