#include "lint/scheduler_check.h"

#include "api/load.h"
#include "base/text.h"
#include "engine/kube/config_validation.h"
#include "engine/kube/plugins.h"

#include <algorithm>
#include <string>

namespace previct::lint {
namespace {

auto is_slip(std::string_view name) -> bool {
  std::vector<std::string> known;
  for (const kube::PluginInfo& plugin : kube::plugins()) known.emplace_back(plugin.name);
  return name.empty() || nearest(name, known).has_value();
}

void without(kube::ReadConfiguration& read, const std::vector<Value>& foreign) {
  const auto is_foreign = [&](const PluginRef& ref) {
    return std::any_of(foreign.begin(), foreign.end(), [&](const Value& name) { return name.is(ref.name); });
  };
  for (ProfileConfig& profile : read.config.profiles) {
    std::erase_if(profile.plugins.multi_point.enabled, is_foreign);
    for (const kube::PointInfo& point : kube::points()) {
      std::vector<PluginRef>& enabled = (profile.plugins.*point.set).enabled;
      std::erase_if(enabled, [&](const PluginRef& ref) {
        const kube::PluginInfo* known = kube::find_plugin(ref.name);
        // What points a plugin of another repository has, depends on its release.
        const bool moved = known != nullptr && known->home == kube::PluginInfo::Home::published &&
                           ref.name != "PreemptionToleration" && !known->implements(point.point);
        return moved || is_foreign(ref);
      });
    }
  }
}

}  // namespace

auto foreign_plugins(const Manifest& configuration) -> std::vector<Value> {
  std::vector<Value> foreign;
  bool own_build = false;
  for (const Value& profile : configuration["profiles"]) {
    for (const Value& entry : profile["pluginConfig"]) {
      const Value name = entry["name"];
      own_build = own_build || (name && kube::find_plugin(name.text()) == nullptr && !is_slip(name.text()));
    }
    for (const Value& point : profile["plugins"]) {
      for (const Value& plugin : point["enabled"]) {
        const Value name = plugin["name"];
        const kube::PluginInfo* known = kube::find_plugin(name.text());
        own_build = own_build || (known != nullptr && known->home == kube::PluginInfo::Home::published);
        if (name && known == nullptr && !is_slip(name.text())) foreign.push_back(name);
      }
    }
  }
  if (!own_build) foreign.clear();
  return foreign;
}

auto fault_of_configuration(const Manifest& configuration) -> std::optional<Failure> {
  Objects objects;
  const Snapshot cluster(objects);
  Diagnostics diagnostics;
  auto read = kube::decode_configuration(cluster, kube::Release(), configuration.tape, FileId{0}, diagnostics);
  if (!read) return read.error();
  without(*read, foreign_plugins(configuration));
  const auto valid = kube::validate(cluster, *read, diagnostics);
  if (!valid) return valid.error();
  return {};
}

}  // namespace previct::lint
