#include "lint/scheduler_check.h"

#include "api/load.h"
#include "engine/kube/config_validation.h"
#include "engine/kube/plugins.h"

#include <algorithm>
#include <string>

namespace previct::lint {
namespace {

auto decoded(const Manifest& configuration, const Snapshot& cluster, Diagnostics& diagnostics)
    -> Result<kube::ReadConfiguration> {
  return kube::decode_configuration(cluster, kube::Release(), configuration.tape, FileId{0}, diagnostics);
}

}  // namespace

auto foreign_plugins(const Manifest& configuration) -> std::vector<Value> {
  Objects objects;
  Diagnostics diagnostics;
  const auto read = decoded(configuration, Snapshot(objects), diagnostics);
  if (!read) return {};
  const std::vector<std::string> own = kube::own_plugins(read->config);
  std::vector<Value> foreign;
  for (const Value& profile : configuration["profiles"]) {
    for (const Value& point : profile["plugins"]) {
      for (const Value& plugin : point["enabled"]) {
        const Value name = plugin["name"];
        if (std::any_of(own.begin(), own.end(), [&](const std::string& each) { return name.is(each); }))
          foreign.push_back(name);
      }
    }
  }
  return foreign;
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
