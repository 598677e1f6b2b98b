#include "engine/kube/patch_releases.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace previct::kube {
namespace {

constexpr int kMinor = 31;
constexpr int kFixesVictimOrder = 3;
constexpr int kFixesVictimStatus = 1;

enum class QosClass : std::uint8_t { best_effort, burstable, guaranteed };

// Source: pkg/apis/core/v1/helper/qos/qos.go ComputePodQOS, v1.31.
auto qos_class(const PodSpec& spec, const Symbols& symbols) -> QosClass {
  bool any = false;
  bool all_limited = true;
  const auto look_at = [&](const Container& container) {
    for (const std::string_view name : {"cpu", "memory"}) {
      const Symbol resource = symbols.find(name);
      const auto amount = [&](const ResourceList& list) { return resource ? list.get(resource) : std::nullopt; };
      const auto request = amount(container.resources.requests);
      const auto limit = amount(container.resources.limits);
      any = any || (request && request->milli() > 0) || (limit && limit->milli() > 0);
      all_limited = all_limited && limit && limit->milli() > 0 && (!request || *request == *limit);
    }
  };
  std::for_each(spec.containers.begin(), spec.containers.end(), look_at);
  std::for_each(spec.init_containers.begin(), spec.init_containers.end(), look_at);
  if (!any) return QosClass::best_effort;
  return all_limited ? QosClass::guaranteed : QosClass::burstable;
}

class PatchDoubts {
 public:
  explicit PatchDoubts(const EngineTrace& account)
      : e_(account), d_(account.decision), cluster_(account.node_infos.cluster()) {}

  [[nodiscard]] auto run() const -> std::vector<Gap> {
    const RunningRelease& running = e_.running;
    if (running.release.meant() != kMinor || !running.patch || *running.patch >= kFixesVictimOrder) return {};
    std::vector<Gap> gaps;
    const auto add = [&](GapRule rule) {
      gaps.push_back({rule, {fmt::format("{}.{}", running.release.name(), *running.patch)}, true});
    };
    if (compares_other_victims()) add(GapRule::violating_victim_first);
    if (looks_for_hostnames()) add(GapRule::hostname_as_node_name);
    if (*running.patch < kFixesVictimStatus && evicts_other_class()) add(GapRule::status_of_other_class);
    return gaps;
  }

 private:
  [[nodiscard]] auto compares_other_victims() const -> bool {
    if (d_.candidates.size() < 2) return false;
    return std::any_of(d_.candidates.begin(), d_.candidates.end(), [&](NodeId node) {
      const DryRun& run = *d_.nodes[node].run;
      return !run.violated.empty() && cluster_.pod(run.violated.front().first).spec.priority != run.first_priority;
    });
  }

  // Source: pkg/volume/util/util.go GetLocalPersistentVolumeNodeNames, v1.31.
  [[nodiscard]] auto hostnames_of(const PersistentVolume& volume) const -> std::set<Symbol> {
    std::set<Symbol> names;
    const Symbol hostname = cluster_.symbol("kubernetes.io/hostname");
    if (!volume.spec.node_affinity.required) return names;
    for (const NodeSelectorTerm& term : volume.spec.node_affinity.required->terms) {
      for (const Requirement& each : term.match_expressions) {
        if (each.key == hostname && each.op == SelectorOperator::in)
          names.insert(each.values.begin(), each.values.end());
      }
    }
    return names;
  }

  [[nodiscard]] auto looks_for_hostnames() const -> bool {
    const Pod& pod = cluster_.pod(e_.subject);
    return std::any_of(pod.spec.volumes.begin(), pod.spec.volumes.end(), [&](const Volume& each) {
      const Symbol name = each.claim.claim_name;
      const PersistentVolumeClaim* const claim = name ? cluster_.claim(pod.meta.ns, name) : nullptr;
      if (claim == nullptr || !claim->spec.volume_name) return false;
      const PersistentVolume* const volume = cluster_.volume(claim->spec.volume_name);
      if (volume == nullptr) return false;
      const std::set<Symbol> names = hostnames_of(*volume);
      const auto passed_over = [&](NodeId node) { return !names.empty() && !names.contains(e_.node_infos.name(node)); };
      return std::any_of(d_.feasible.begin(), d_.feasible.end(), passed_over) ||
             std::any_of(d_.candidates.begin(), d_.candidates.end(), passed_over);
    });
  }

  [[nodiscard]] auto evicts_other_class() const -> bool {
    const auto class_of = [&](PodId pod) { return qos_class(cluster_.pod(pod).spec, cluster_.symbols()); };
    return std::any_of(d_.choice.possible.begin(), d_.choice.possible.end(), [&](NodeId node) {
      const auto& victims = d_.nodes[node].run->victims;
      return std::any_of(victims.begin(), victims.end(),
                         [&](PodId victim) { return class_of(victim) != class_of(e_.subject); });
    });
  }

  const EngineTrace& e_;
  const Decision& d_;
  const Snapshot& cluster_;
};

}  // namespace

auto patch_doubts(const EngineTrace& account) -> std::vector<Gap> {
  return PatchDoubts(account).run();
}

}  // namespace previct::kube
