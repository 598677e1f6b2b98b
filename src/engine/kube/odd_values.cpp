#include "engine/kube/odd_values.h"

#include "api/locate.h"

#include <fmt/format.h>

namespace previct::kube {
namespace {

/// The warnings and the fields they are about; all places are looked up in one pass over the input.
struct OddValues {
  std::vector<FieldOf> fields;
  std::vector<std::string> words;

  void add(const Source& object, std::string path, std::string said) {
    fields.push_back({object, std::move(path)});
    words.push_back(std::move(said));
  }
};

void find_taints(const Snapshot& cluster, OddValues& odd) {
  for (const Node& node : cluster.nodes()) {
    for (std::size_t i = 0; i < node.spec.taints.size(); ++i) {
      const Taint& taint = node.spec.taints[i];
      const std::string_view effect = cluster.text(taint.effect);
      if (effect == "NoSchedule" || effect == "NoExecute" || effect == "PreferNoSchedule") continue;
      odd.add(
          node.meta.source, fmt::format("spec.taints[{}].effect", i),
          fmt::format("Node {}: the taint {} has the effect \"{}\", which schedulers do not know; it keeps no pod away",
                      cluster.text(node.meta.name), cluster.text(taint.key), effect));
    }
  }
}

void find_policies(const Snapshot& cluster, OddValues& odd) {
  for (const PodId id : cluster.pods().ids()) {
    if (!cluster.pending(id)) continue;
    const Pod& pod = cluster.pod(id);
    const std::string_view policy = cluster.text(pod.spec.preemption_policy);
    if (policy.empty() || policy == "Never" || policy == "PreemptLowerPriority") continue;
    odd.add(pod.meta.source, "spec.preemptionPolicy",
            fmt::format("{}: \"{}\" is not a preemptionPolicy; the pod may preempt, as with PreemptLowerPriority",
                        cluster.key(id), policy));
  }
}

}  // namespace

void warn_of_odd_values(const Snapshot& cluster) {
  OddValues odd;
  find_taints(cluster, odd);
  find_policies(cluster, odd);
  if (odd.fields.empty()) return;
  const std::vector<Place> places = locate(cluster.objects().sources, odd.fields);
  for (std::size_t i = 0; i < places.size(); ++i) {
    cluster.diagnostics().warn("odd-value", std::move(odd.words[i]), places[i]);
  }
}

}  // namespace previct::kube
