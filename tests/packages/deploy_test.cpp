// The ClusterRole grants what live mode requests, and no more.

#include "live/resources.h"

#include <catch2/catch.hpp>
#include <yaml-cpp/yaml.h>

#include <set>
#include <string>
#include <vector>

TEST_CASE("deploy/clusterrole.yaml: allows what live mode requests, and nothing else", "[packages]") {
  using previct::live::Need;
  std::set<std::string> asked;
  std::set<std::string> followed;  // by --watch of explain
  for (const previct::live::Resource& resource : previct::live::resources()) {
    if (resource.need == Need::files) continue;
    const std::string name = std::string(resource.kind->group) + '/' + std::string(resource.kind->plural);
    asked.insert(name);
    const bool listed_only = resource.need == Need::whole || resource.need == Need::created ||
                             resource.need == Need::made || resource.need == Need::history;
    if (!listed_only) followed.insert(name);
  }
  const YAML::Node role = YAML::LoadFile(PREVICT_SOURCE_DIR "/deploy/clusterrole.yaml");
  CHECK(role["kind"].as<std::string>() == "ClusterRole");
  std::set<std::string> granted;
  std::set<std::string> watched;
  for (const auto& rule : role["rules"]) {
    const auto verbs = rule["verbs"].as<std::vector<std::string>>();
    const bool watch = verbs == std::vector<std::string>{"list", "watch"};
    CHECK((watch || verbs == std::vector<std::string>{"list"}));
    for (const auto& group : rule["apiGroups"]) {
      for (const auto& resource : rule["resources"]) {
        const std::string name = group.as<std::string>() + '/' + resource.as<std::string>();
        granted.insert(name);
        if (watch) watched.insert(name);
      }
    }
  }
  CHECK(granted == asked);
  CHECK(watched == followed);
}
