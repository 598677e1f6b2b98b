#include "lint/schedulers.h"

#include "api/upstream.h"
#include "engine/kube/plugins.h"

#include <fmt/format.h>

namespace previct::lint {

auto SchedulerProfile::entry(std::string_view point, std::string_view list, std::string_view plugin) const -> Value {
  for (const Value& each : profile["plugins"][point][list]) {
    if (each["name"].is(plugin)) return each;
  }
  return {};
}

auto SchedulerProfile::runs_post_filter(std::string_view plugin, bool by_default) const -> bool {
  const bool default_stays =
      by_default && !entry("multiPoint", "disabled", plugin) && !entry("multiPoint", "disabled", "*");
  const bool everywhere = default_stays || entry("multiPoint", "enabled", plugin);
  const bool off = entry("postFilter", "disabled", plugin) || entry("postFilter", "disabled", "*");
  return entry("postFilter", "enabled", plugin) || (everywhere && !off);
}

auto SchedulerProfile::has_foreign_filter() const -> bool {
  for (const char* point : {"filter", "multiPoint"}) {
    for (const Value& each : profile["plugins"][point]["enabled"]) {
      const kube::PluginInfo* known = kube::find_plugin(each["name"].text());
      const bool published = known != nullptr && known->home == kube::PluginInfo::Home::published;
      if (known == nullptr || (published && known->implements(kube::Point::filter))) return true;
    }
  }
  return false;
}

auto scheduler_profiles(const Repository& repository) -> std::vector<SchedulerProfile> {
  std::vector<SchedulerProfile> profiles;
  for (const Manifest* manifest : repository.of(kind::kScheduler)) {
    const Value list = (*manifest)["profiles"];
    for (const Value& profile : list) {
      const std::string_view name = profile["schedulerName"].text();
      profiles.push_back({profile, std::string(name.empty() ? upstream::kDefaultScheduler : name)});
    }
    if (list.size() == 0) profiles.push_back({manifest->root(), std::string(upstream::kDefaultScheduler)});
  }
  return profiles;
}

}  // namespace previct::lint
