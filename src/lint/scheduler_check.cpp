#include "lint/scheduler_check.h"

#include "api/load.h"
#include "base/contains.h"
#include "engine/kube/config_validation.h"
#include "engine/kube/plugins.h"

#include <algorithm>
#include <string>

namespace previct::lint {
namespace {

auto decoded(const Manifest& configuration, const Snapshot& cluster, Diagnostics& diagnostics)
    -> Result<kube::ReadConfiguration> {
  auto read = kube::decode_configuration(cluster, kube::Release(), configuration.tape, FileId{0}, diagnostics);
  if (read) read->any_build = true;  // a repository may contain the configuration of any scheduler
  return read;
}

auto config_of(const Manifest& configuration) -> std::optional<SchedulerConfig> {
  Objects objects;
  Diagnostics diagnostics;
  auto read = decoded(configuration, Snapshot(objects), diagnostics);
  return read ? std::optional(std::move(read->config)) : std::nullopt;
}

// The places where a profile first enables each of these plugins.
auto named(const Manifest& configuration, std::vector<std::string> plugins) -> std::vector<Value> {
  std::vector<Value> places;
  for (const Value& profile : configuration["profiles"]) {
    for (const Value& point : profile["plugins"]) {
      for (const Value& plugin : point["enabled"]) {
        const Value name = plugin["name"];
        if (std::erase_if(plugins, [&](const std::string& each) { return name.is(each); }) > 0) places.push_back(name);
      }
    }
  }
  return places;
}

}  // namespace

auto foreign_plugins(const Manifest& configuration) -> std::vector<Value> {
  const auto config = config_of(configuration);
  return config ? named(configuration, kube::own_plugins(*config, false)) : std::vector<Value>();
}

auto unknown_plugins(const Manifest& configuration) -> std::vector<Value> {
  const auto config = config_of(configuration);
  if (!config) return {};
  const std::vector<std::string> shown = kube::own_plugins(*config, false);
  std::vector<std::string> names = kube::own_plugins(*config, true);
  std::erase_if(names, [&](const std::string& name) {
    return contains(shown, name) || kube::is_gone(name);  // SC007 reports removed plugins
  });
  return named(configuration, std::move(names));
}

auto fault_of_configuration(const Manifest& configuration) -> std::optional<Failure> {
  Objects objects;
  const Snapshot cluster(objects);
  Diagnostics diagnostics;
  const auto read = decoded(configuration, cluster, diagnostics);
  if (!read) return read.error();
  const auto valid = kube::validate(cluster, *read, diagnostics);
  if (!valid) return valid.error();
  return {};
}

}  // namespace previct::lint
