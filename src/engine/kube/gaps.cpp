#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"
#include "engine/kube/explain.h"
#include "engine/kube/needs.h"

namespace previct::kube {
namespace {

class Gaps {
 public:
  explicit Gaps(const Explained& e) : e_(e), cluster_(e.world.cluster()), gaps_(e.profile.gaps) {}

  auto run() -> std::vector<Gap> {
    const Ending ending = e_.decision.ending;
    if (ending == Ending::assigned || ending == Ending::deleting || ending == Ending::gated) return std::move(gaps_);
    missing_kinds();
    unmodelled();
    one_namespace();
    return std::move(gaps_);
  }

 private:
  [[nodiscard]] auto pod() const -> const Pod& { return cluster_.pod(e_.subject); }

  [[nodiscard]] auto lacks(const std::string& kind) const -> bool {
    const Objects& objects = cluster_.objects();
    return !objects.counts.contains(kind) && !objects.listed.contains(kind);
  }

  void missing(std::string_view kind) {
    gaps_.push_back({Gap::Kind::missing_kind, std::string(kind), std::string(without(kNeeds, kind))});
  }

  void missing_kinds() {
    const bool preemption = e_.decision.eligible();
    if (lacks("Node")) missing("Node");
    if (preemption && lacks("policy/PodDisruptionBudget")) missing("PodDisruptionBudget");
    // Their annotations are also what tells that somebody runs PreemptionToleration.
    const bool told_by_classes = !e_.question.scheduler_config && e_.question.toleration_plugin == Switch::automatic;
    if ((e_.profile.tolerates() || told_by_classes) && lacks("scheduling.k8s.io/PriorityClass")) missing("PriorityClass");
    const auto& volumes = pod().spec.volumes;
    const bool claims = std::any_of(volumes.begin(), volumes.end(),
                                    [](const Volume& v) { return v.claim.claim_name || v.ephemeral; });
    if (!claims) return;
    if (lacks("PersistentVolumeClaim")) missing("PersistentVolumeClaim");
    if (lacks("PersistentVolume")) missing("PersistentVolume");
    if (lacks("storage.k8s.io/StorageClass")) missing("StorageClass");
    if (lacks("storage.k8s.io/CSINode")) missing("CSINode");
  }

  void unmodelled() {
    const auto add = [&](std::string what, std::string weakens) {
      gaps_.push_back({Gap::Kind::unmodelled, std::move(what), std::move(weakens)});
    };
    if (pod().spec.has_resource_claims) {
      add("DynamicResources", "the pod's resource claims are not evaluated; nodes without the devices may look free");
    }
    if (pod().spec.has_scheduling_group) {
      add("scheduling groups", "with the gates of 1.36 on, pods of a group are placed and evicted as one");
    }
    if (!pod().spec.has_priority && pod().spec.priority_class_name) {
      add("spec.priority is missing", "it counts as 0, as for the scheduler; the API server would have filled it in");
    }
    const Release release = release_of(e_.question);
    for (const std::string& gate : release.unmodelled) add(gate, "what this feature gate changes is not modelled");
  }

  // A dump of one namespace looks emptier than the cluster is.
  void one_namespace() {
    std::set<Symbol> namespaces;
    std::size_t running = 0;
    for (const PodId id : cluster_.pods().ids()) {
      namespaces.insert(cluster_.pod(id).meta.ns);
      running += cluster_.node_of(id) ? 1U : 0U;
    }
    if (running == 0 && e_.world.node_count() > 0) {
      gaps_.push_back({Gap::Kind::missing_kind, "running pods", "every node counts as empty"});
    } else if (namespaces.size() == 1 && lacks("Namespace")) {
      gaps_.push_back({Gap::Kind::assumption,
                       fmt::format("the input holds all pods (all of them are in namespace {})",
                                   cluster_.text(*namespaces.begin())),
                       "if others run on these nodes, there is less room", false});
    }
  }

  const Explained& e_;
  const Snapshot& cluster_;
  std::vector<Gap> gaps_;
};

}  // namespace

auto gaps(const Explained& explained) -> std::vector<Gap> { return Gaps(explained).run(); }

}  // namespace previct::kube
