#include "engine/own_release.h"

#include "base/ascii.h"
#include "engine/versions.h"

#include <fmt/format.h>

#include <array>

namespace previct {
namespace {

/// Returns `1.6.3` of `scheduler-amd64-1.6.3`, `v0.14.0` of `v0.14.0-fips`; empty if no part begins with a number.
auto version_in(std::string_view tag) -> std::string_view {
  for (std::size_t at = 0; at < tag.size();) {
    const std::string_view part = tag.substr(at);
    const bool v = part.starts_with('v');
    if (part.size() > (v ? 1U : 0U) && is_digit(part[v ? 1 : 0])) return part;
    const std::size_t dash = tag.find('-', at);
    at = dash == std::string_view::npos ? tag.size() : dash + 1;
  }
  return {};
}

class Evidence {
 public:
  Evidence(const Snapshot& cluster, const ComponentNames& parts) : cluster_(cluster), parts_(parts) {
    for (const PodId id : cluster.pods().ids()) {
      const Pod& pod = cluster.pod(id);
      if (cluster.finished(id)) continue;
      for (const Container& each : pod.spec.containers) see(each.image, pod.meta.labels, pods_);
    }
    for (const Deployment& deployment : cluster.objects().deployments) {
      const SymbolMap& of_pods = deployment.spec.pods.meta.labels;
      for (const Container& each : deployment.spec.pods.spec.containers) {
        if (!see(each.image, of_pods, deployments_)) see(each.image, deployment.meta.labels, deployments_);
      }
    }
  }

  auto release() && -> DetectedRelease {
    for (const auto& [versions, words] :
         {std::pair{&pods_.scheduler, "its pod runs"}, std::pair{&deployments_.scheduler, "its Deployment runs"},
          std::pair{&pods_.other, "other parts of it run"}, std::pair{&deployments_.other, "other parts of it run"}}) {
      if (versions->empty()) continue;
      return {versions->newest(), fmt::format("{} {}", words, versions->text()), versions->differ(), versions->patch()};
    }
    return {};
  }

 private:
  struct Seen {
    Versions scheduler;
    Versions other;
  };

  // Returns false if the image is not a component of the scheduler, or if its version is not known.
  auto see(Symbol image, const SymbolMap& labels, Seen& seen) const -> bool {
    const std::string_view text = image ? component_of_image(cluster_.text(image)) : std::string_view();
    if (!text.starts_with(parts_.any)) return false;
    Versions& versions = text.starts_with(parts_.scheduler) ? seen.scheduler : seen.other;
    const std::size_t colon = text.find(':');
    std::string_view version =
        colon == std::string_view::npos ? std::string_view() : version_in(text.substr(colon + 1));
    if (!minor_of(version, parts_.major)) version = by_labels(labels);
    versions.see(version);
    return minor_of(version, parts_.major).has_value();
  }

  [[nodiscard]] auto by_labels(const SymbolMap& labels) const -> std::string_view {
    const auto value = [&](std::string_view key) {
      const Symbol symbol = cluster_.symbol(key);
      return symbol ? cluster_.text(labels.get(symbol)) : std::string_view();
    };
    if (const std::string_view version = value("app.kubernetes.io/version"); minor_of(version, parts_.major))
      return version;
    for (const std::string_view key : {"helm.sh/chart", "chart"}) {
      const std::string_view chart = value(key);
      if (chart.starts_with(parts_.chart)) return chart.substr(parts_.chart.size());
    }
    return {};
  }

  const Snapshot& cluster_;
  const ComponentNames& parts_;
  Seen pods_{Versions(parts_.major), Versions(parts_.major)};
  Seen deployments_{Versions(parts_.major), Versions(parts_.major)};
};

}  // namespace

auto detect_release(const Snapshot& cluster, const ComponentNames& parts) -> DetectedRelease {
  return Evidence(cluster, parts).release();
}

auto describe_release(std::string_view name, std::string_view known_by, std::string_view compared_with) -> std::string {
  const std::string rules = compared_with.empty() ? "not compared with it" : fmt::format("rules of {}", compared_with);
  return fmt::format("{} ({}{}{})", name, known_by, known_by.empty() ? "" : "; ", rules);
}

}  // namespace previct
