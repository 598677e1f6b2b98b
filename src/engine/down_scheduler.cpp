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
    for (const SchedulerInfo& each : kSchedulers) gaps.push_back(gap_of(each, cluster));
  }

  std::vector<std::optional<Gap>> gaps;

 private:
  static auto gap_of(const SchedulerInfo& scheduler, const Snapshot& cluster) -> std::optional<Gap> {
    std::unordered_map<std::uint32_t, bool> own;  // by image, which many pods share
    const auto is_own = [&](Symbol image) {
      const auto [found, is_new] = own.try_emplace(image.index, false);
      if (is_new) found->second = component_of_image(cluster.text(image)).starts_with(scheduler.own_image);
      return found->second;
    };
    const auto runs = [&](const auto& containers) {
      return std::any_of(containers.begin(), containers.end(),
                         [&](const auto& each) { return each.image && is_own(each.image); });
    };
    const Symbol type = cluster.symbol("Ready");
    const bool in_system = scheduler.engine == schedulers::kube.engine;
    const auto elsewhere = [&](const ObjectMeta& meta) { return in_system && cluster.text(meta.ns) != "kube-system"; };
    std::vector<std::string> down;
    for (const PodId id : cluster.pods().ids()) {
      const Pod& pod = cluster.pod(id);
      if (cluster.finished(id) || elsewhere(pod.meta) || !runs(pod.spec.containers)) continue;
      const Condition* const ready = type ? pod.condition(type) : nullptr;
      if (ready == nullptr || ready->status == cluster.known().true_status) return {};
      const std::string_view why = cluster.text(ready->reason);
      down.push_back(fmt::format("{}{}", cluster.key(id), why.empty() ? "" : fmt::format(": {}", why)));
    }
    if (!down.empty()) return Gap{GapRule::scheduler_not_ready, {std::to_string(down.size()), down.front()}};
    for (const Deployment& each : cluster.objects().deployments) {
      if (elsewhere(each.meta) || each.spec.replicas != 0 || !runs(each.spec.pods.spec.containers)) continue;
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
