#include "engine/down_scheduler.h"

#include "api/schedulers.h"
#include "api/upstream.h"
#include "engine/engine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

namespace previct {
namespace {

/// For each of kSchedulers, the gap that it does not run, if the input shows that.
struct DownSchedulers {
  explicit DownSchedulers(const Snapshot& cluster) {
    Images images(cluster);
    std::vector<std::vector<PodId>> pods(std::size(kSchedulers));  // that run each of them
    for (const PodId id : cluster.pods().ids()) {
      std::uint32_t runs = 0;
      for (const Container& each : cluster.pod(id).spec.containers) runs |= images.schedulers_in(each.image);
      for (std::size_t i = 0; runs != 0; ++i, runs >>= 1U) {
        if ((runs & 1U) != 0) pods[i].push_back(id);
      }
    }
    for (std::size_t i = 0; i < pods.size(); ++i) gaps.push_back(gap_of(i, pods[i], images, cluster));
  }

  std::vector<std::optional<Gap>> gaps;

 private:
  /// The schedulers that an image contains, as bits in the order of kSchedulers. Many pods share an image.
  class Images {
   public:
    explicit Images(const Snapshot& cluster) : cluster_(cluster) {}

    [[nodiscard]] auto schedulers_in(Symbol image) -> std::uint32_t {
      if (!image) return 0;
      const auto [found, is_new] = known_.try_emplace(image.index, 0U);
      for (std::size_t i = 0; is_new && i < std::size(kSchedulers); ++i) {
        const bool own = component_of_image(cluster_.text(image)).starts_with(kSchedulers[i].own_image);
        found->second |= own ? 1U << i : 0U;
      }
      return found->second;
    }

   private:
    const Snapshot& cluster_;
    std::unordered_map<std::uint32_t, std::uint32_t> known_;
  };

  // `own`: the pods that run the scheduler.
  static auto gap_of(std::size_t index, const std::vector<PodId>& own, Images& images, const Snapshot& cluster)
      -> std::optional<Gap> {
    const SchedulerInfo& scheduler = kSchedulers[index];
    const Symbol type = cluster.symbol("Ready");
    const bool in_system = scheduler.engine == schedulers::kube.engine;
    const auto elsewhere = [&](const ObjectMeta& meta) { return in_system && cluster.text(meta.ns) != "kube-system"; };
    std::vector<std::string> down;
    for (const PodId id : own) {
      const Pod& pod = cluster.pod(id);
      if (cluster.finished(id) || elsewhere(pod.meta)) continue;
      const Condition* const ready = type ? pod.condition(type) : nullptr;
      if (ready == nullptr || ready->status == cluster.known().true_status) return {};
      const std::string_view why = cluster.text(ready->reason);
      down.push_back(fmt::format("{}{}", cluster.key(id), why.empty() ? "" : fmt::format(": {}", why)));
    }
    if (!down.empty()) return Gap{GapRule::scheduler_not_ready, {std::to_string(down.size()), down.front()}};
    for (const Deployment& each : cluster.objects().deployments) {
      if (elsewhere(each.meta) || each.spec.replicas != 0) continue;
      const auto& containers = each.spec.pods.spec.containers;
      const bool runs = std::any_of(containers.begin(), containers.end(), [&](const auto& container) {
        return (images.schedulers_in(container.image) >> index & 1U) != 0;
      });
      if (!runs) continue;
      return Gap{GapRule::scheduler_scaled_down,
                 {fmt::format("{}/{}", cluster.text(each.meta.ns), cluster.text(each.meta.name))}};
    }
    return {};
  }
};

}  // namespace

void add_scheduler_gap(const Snapshot& cluster, std::string_view engine, Verdict& verdict) {
  switch (verdict.outcome) {
    case Outcome::scheduled:
    case Outcome::deleting:
    case Outcome::gated: return;
    default: break;
  }
  const bool of_kube = engine == schedulers::kube.engine;
  if (of_kube && verdict.subject && scheduler_of(cluster, verdict.subject) != upstream::kDefaultScheduler) return;
  const auto& down = cluster.derived<DownSchedulers>();
  for (std::size_t i = 0; i < down.gaps.size(); ++i) {
    if (kSchedulers[i].engine == engine && down.gaps[i]) verdict.gaps.insert(verdict.gaps.begin(), *down.gaps[i]);
  }
}

}  // namespace previct
