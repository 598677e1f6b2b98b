#include "engine/yunikorn/running_release.h"

#include "api/schedulers.h"
#include "engine/own_release.h"
#include "engine/versions.h"

#include <fmt/format.h>

#include <algorithm>

namespace previct::yunikorn {
namespace {

constexpr ComponentNames kParts = {
    .major = 1, .scheduler = schedulers::yunikorn.own_image, .any = "yunikorn", .chart = "yunikorn-"};

auto name_of(int minor) -> std::string {
  return fmt::format("1.{}", minor);
}

// The Helm chart has the same version as the release.
auto by_config_maps(const Snapshot& cluster) -> DetectedRelease {
  Versions charts(kParts.major);
  const Symbol label = cluster.symbol("chart");
  for (const ConfigMap& map : cluster.objects().config_maps) {
    if (!label || !ConfigMap::wanted(cluster.text(map.meta.name))) continue;
    const std::string_view chart = cluster.text(map.meta.labels.get(label));
    if (chart.starts_with(kParts.chart)) charts.see(chart.substr(kParts.chart.size()));
  }
  if (charts.empty()) return {};
  return {charts.newest(), fmt::format("its ConfigMap is of chart {}", charts.text()), charts.differ(), charts.patch()};
}

auto seen_in(const Snapshot& cluster) -> RunningRelease {
  DetectedRelease own = detect_release(cluster, kParts);
  if (!own.minor) own = by_config_maps(cluster);
  if (!own.minor) return {{}, "assumed", {}};
  RunningRelease running{Release(*own.minor), own.known_by, {}};
  if (own.several) running.gaps.push_back({GapRule::yunikorn_releases_differ, {own.known_by, name_of(*own.minor)}});
  return running;
}

/// Returns true if the scheduler runs as a plugin of kube-scheduler, which releases up to 1.8 support.
auto is_plugin(const Snapshot& cluster) -> bool {
  const auto runs = [&](const Pod& pod) {
    return std::any_of(pod.spec.containers.begin(), pod.spec.containers.end(), [&](const Container& each) {
      return each.image && component_of_image(cluster.text(each.image)).starts_with("yunikorn:scheduler-plugin");
    });
  };
  return std::any_of(cluster.pods().begin(), cluster.pods().end(), runs);
}

}  // namespace

auto scheduler_namespaces(const Snapshot& cluster) -> std::set<std::string_view> {
  const auto runs_scheduler = [&](const auto& container) {
    return container.image && component_of_image(cluster.text(container.image)).starts_with(kParts.scheduler);
  };
  const auto any = [&](const auto& containers) {
    return std::any_of(containers.begin(), containers.end(), runs_scheduler);
  };
  std::set<std::string_view> found;
  for (const PodId id : cluster.pods().ids()) {
    const Pod& pod = cluster.pod(id);
    if (!cluster.finished(id) && any(pod.spec.containers)) found.insert(cluster.text(pod.meta.ns));
  }
  if (!found.empty()) return found;
  for (const Deployment& each : cluster.objects().deployments) {
    if (any(each.spec.pods.spec.containers)) found.insert(cluster.text(each.meta.ns));
  }
  return found;
}

auto RunningRelease::words() const -> std::string {
  return describe_release(name_of(release.meant()), known_by, release.compared_with());
}

auto running_release(const Snapshot& cluster, const std::string& version) -> Result<RunningRelease> {
  RunningRelease running;
  if (version.empty()) {
    running = seen_in(cluster);
  } else {
    PREVICT_TRY(const int minor, minor_asked_for("--yunikorn-version", version,
                                                 KnownReleases{kParts.major, Release::oldest(), Release::newest()}));
    running.release = Release(minor);
  }
  const Release& release = running.release;
  if (!release.known())
    running.gaps.push_back({GapRule::yunikorn_release_unknown, {name_of(release.meant()), name_of(release.minor())}});
  if (release.compared_with().empty())
    running.gaps.push_back({GapRule::yunikorn_release_not_measured, {name_of(release.meant())}});
  if (is_plugin(cluster)) running.gaps.push_back({GapRule::yunikorn_is_plugin, {}, true});
  return running;
}

}  // namespace previct::yunikorn
