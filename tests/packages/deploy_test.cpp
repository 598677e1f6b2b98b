// The ClusterRole grants what live mode requests, and no more.

#include "live/resources.h"

#include <catch2/catch.hpp>
#include <yaml-cpp/yaml.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace {

using previct::live::Need;
using previct::live::Resource;

constexpr const char* kRole = PREVICT_SOURCE_DIR "/deploy/clusterrole.yaml";

auto name_of(const Resource& resource) -> std::string {
  return std::string(resource.kind->group) + '/' + std::string(resource.kind->plural);
}

// Returns true if --watch of explain follows it.
auto is_followed(const Resource& resource) -> bool {
  return resource.need != Need::whole && resource.need != Need::created && resource.need != Need::made &&
         resource.need != Need::history;
}

// With PREVICT_UPDATE set, adds rules for the lists of schedulers that the role does not allow yet.
void add_rules_of_schedulers(std::set<std::string> granted) {
  if (std::getenv("PREVICT_UPDATE") == nullptr) return;
  std::ofstream role(kRole, std::ios::app);
  for (const Resource& resource : previct::live::resources()) {
    if (resource.scheduler == nullptr || !granted.insert(name_of(resource)).second) continue;
    role << "# " << resource.scheduler->title << ".\n- apiGroups: ["
         << (resource.kind->group.empty() ? "\"\"" : resource.kind->group) << "]\n  resources: ["
         << resource.kind->plural << "]\n  verbs: [list, watch]\n";
  }
}

auto granted_by_role() -> std::set<std::string> {
  std::set<std::string> granted;
  for (const auto& rule : YAML::LoadFile(kRole)["rules"]) {
    for (const auto& group : rule["apiGroups"]) {
      for (const auto& resource : rule["resources"])
        granted.insert(group.as<std::string>() + '/' + resource.as<std::string>());
    }
  }
  return granted;
}

}  // namespace

TEST_CASE("deploy/clusterrole.yaml: allows what live mode requests, and nothing else", "[packages]") {
  std::set<std::string> asked;
  std::set<std::string> followed;
  for (const Resource& resource : previct::live::resources()) {
    if (resource.need == Need::files) continue;
    asked.insert(name_of(resource));
    if (is_followed(resource)) followed.insert(name_of(resource));
  }
  add_rules_of_schedulers(granted_by_role());
  const YAML::Node role = YAML::LoadFile(kRole);
  CHECK(role["kind"].as<std::string>() == "ClusterRole");
  std::set<std::string> watched;
  for (const auto& rule : role["rules"]) {
    const auto verbs = rule["verbs"].as<std::vector<std::string>>();
    const bool watch = verbs == std::vector<std::string>{"list", "watch"};
    CHECK((watch || verbs == std::vector<std::string>{"list"}));
    for (const auto& group : rule["apiGroups"]) {
      for (const auto& resource : rule["resources"]) {
        if (watch) watched.insert(group.as<std::string>() + '/' + resource.as<std::string>());
      }
    }
  }
  INFO("PREVICT_UPDATE=1 unit_tests \"[packages]\" adds what the lists of schedulers need");
  CHECK(granted_by_role() == asked);
  CHECK(watched == followed);
}
