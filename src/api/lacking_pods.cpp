#include "api/lacking_pods.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <vector>

namespace previct {

void note_lacking_pods(Objects& objects) {
  objects.lacking_pods = {};
  const Symbols& symbols = objects.symbols;
  struct Counted {
    std::string_view kind;
    const ObjectMeta* meta;
    std::int64_t pods;
  };
  std::vector<Counted> all;
  const auto add = [&](std::string_view kind, const auto& controllers, const auto& pods_of) {
    for (const auto& each : controllers) {
      const std::int64_t pods = pods_of(each.status);
      if (pods > 0 && each.meta.uid && !each.meta.deleting) all.push_back({kind, &each.meta, pods});
    }
  };
  const auto replicas = [](const auto& status) { return status.replicas; };
  add(kinds::replica_sets.name, objects.replica_sets, replicas);
  add(kinds::replication_controllers.name, objects.replication_controllers, replicas);
  add(kinds::stateful_sets.name, objects.stateful_sets, replicas);
  add(kinds::jobs.name, objects.jobs, [](const JobStatus& status) { return status.active; });
  if (all.empty()) return;
  std::map<std::tuple<Symbol, Symbol, Symbol>, std::int64_t> present;  // by kind, namespace and name of the controller
  for (const Pod& pod : objects.pods) {
    if (const OwnerReference* const owner = controller_of(pod.meta)) ++present[{owner->kind, pod.meta.ns, owner->name}];
  }
  for (const Counted& each : all) {
    const auto found = present.find({symbols.find(each.kind), each.meta->ns, each.meta->name});
    const std::int64_t lacking = each.pods - (found == present.end() ? 0 : found->second);
    objects.lacking_pods.counted += each.pods;
    if (lacking <= 0) continue;
    objects.lacking_pods.lacking += lacking;
    objects.lacking_pods.owners.push_back(
        fmt::format("{} {}/{}", each.kind, symbols.text(each.meta->ns), symbols.text(each.meta->name)));
  }
}

}  // namespace previct
