#include "base/text.h"
#include "engine/kube/explain.h"
#include "engine/kube/needs.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace previct::kube {
namespace {

/// Where the pods of an input are, counted once for all questions.
struct Population {
  explicit Population(const Snapshot& cluster) {
    for (const PodId id : cluster.pods().ids()) {
      namespaces.insert(cluster.pod(id).meta.ns);
      if (!cluster.node_of(id)) continue;
      ++running;
      by_users += of_platform(cluster.text(cluster.pod(id).meta.ns)) ? 0U : 1U;
    }
  }

  // The namespaces that a must-gather and its like collect; people run their own pods elsewhere.
  static auto of_platform(std::string_view ns) -> bool {
    return ns.starts_with("kube-") || ns.starts_with("openshift-") || ns == "openshift" || ns == "default";
  }

  std::set<Symbol> namespaces;
  std::size_t running = 0;
  std::size_t by_users = 0;  // of those
};

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

  void missing(std::string_view kind) { add_gaps(missing_kind(cluster_.objects(), kNeeds, kind), gaps_); }

  void missing_kinds() {
    missing("Node");
    for (Gap& gap : gaps_) {
      if (gap.kind != Gap::Kind::missing_kind || gap.what != "Node") continue;
      gap.decides = true;
      gap.because = "the input holds no nodes";
    }
    if (budgets_matter()) missing("PodDisruptionBudget");
    // Their annotations are also what tells that somebody runs PreemptionToleration. Tolerating pods only take
    // candidates away, so that without a candidate nothing hangs on them.
    const bool told_by_classes = !e_.question.scheduler_config && e_.question.toleration_plugin == Switch::automatic;
    if ((e_.profile.tolerates() || told_by_classes) && !e_.decision.candidates.empty()) missing("PriorityClass");
    const auto& volumes = pod().spec.volumes;
    const bool claims =
        std::any_of(volumes.begin(), volumes.end(), [](const Volume& v) { return v.claim.claim_name || v.ephemeral; });
    if (!claims) return;
    for (const std::string_view kind : {"PersistentVolumeClaim", "PersistentVolume", "StorageClass", "CSINode"})
      missing(kind);
  }

  // Budgets say in which order pods are put back, and which of several candidates is better: whether a node is a
  // candidate at all does not hang on them.
  [[nodiscard]] auto budgets_matter() const -> bool {
    const Decision& decision = e_.decision;
    if (decision.candidates.size() != 1) return decision.candidates.size() > 1;
    const DryRun& run = decision.nodes[decision.candidates.front()].run;
    if (run.fates.empty()) return true;  // not recorded
    return std::any_of(run.fates.begin(), run.fates.end(),
                       [](const Fate& fate) { return fate.reason.rule == Rule::reprieved; });
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

  [[nodiscard]] auto openshift(const std::set<Symbol>& namespaces) const -> bool {
    return std::any_of(namespaces.begin(), namespaces.end(),
                       [&](Symbol ns) { return cluster_.text(ns).starts_with("openshift"); });
  }

  // More pods only take room away, or are victims: a pod that fits might not, and one with victims might have others.
  [[nodiscard]] auto is_room_taken_for_free() const -> bool {
    return e_.decision.ending == Ending::scheduled || e_.decision.ending == Ending::preempting;
  }

  // A dump of one namespace looks emptier than the cluster is.
  void one_namespace() {
    const auto& [namespaces, running, by_users] = cluster_.derived<Population>();
    if (running == 0 && e_.world.node_count() > 0) {
      gaps_.push_back({Gap::Kind::missing_kind, "running pods", "every node counts as empty"});
    } else if (namespaces.size() == 1 && lacks(cluster_.objects(), "Namespace")) {
      gaps_.push_back({Gap::Kind::assumption,
                       fmt::format("the input holds all pods (all of them are in namespace {})",
                                   cluster_.text(*namespaces.begin())),
                       "if others run on these nodes, there is less room", false});
    } else if (by_users == 0 && openshift(namespaces)) {
      gaps_.push_back(
          {Gap::Kind::assumption,
           fmt::format("no pods run but those of the platform (all are in {}, named kube-* and openshift-*)",
                       counted(namespaces.size(), "namespace", "namespaces")),
           "a must-gather leaves out other pods; if they run on these nodes, there is less room"});
      gaps_.back().decides = is_room_taken_for_free();
      gaps_.back().because = "the input holds only the platform's pods, and others may run on these nodes";
    }
  }

  const Explained& e_;
  const Snapshot& cluster_;
  std::vector<Gap> gaps_;
};

}  // namespace

auto gaps(const Explained& explained) -> std::vector<Gap> {
  return Gaps(explained).run();
}

}  // namespace previct::kube
