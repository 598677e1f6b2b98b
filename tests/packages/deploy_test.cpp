// The ClusterRole grants what live mode asks for, and no more.

#include "live/resources.h"

#include <catch2/catch.hpp>
#include <yaml-cpp/yaml.h>

#include <set>
#include <string>

TEST_CASE("deploy/clusterrole.yaml allows to list what live mode lists, and nothing else", "[packages]") {
  std::set<std::string> asked;
  for (const previct::live::Resource& resource : previct::live::resources()) {
    asked.insert(std::string(resource.group) + '/' + std::string(resource.resource));
  }
  const YAML::Node role = YAML::LoadFile(PREVICT_SOURCE_DIR "/deploy/clusterrole.yaml");
  CHECK(role["kind"].as<std::string>() == "ClusterRole");
  std::set<std::string> granted;
  for (const auto& rule : role["rules"]) {
    REQUIRE(rule["verbs"].size() == 1);
    CHECK(rule["verbs"][0].as<std::string>() == "list");
    for (const auto& group : rule["apiGroups"]) {
      for (const auto& resource : rule["resources"]) {
        granted.insert(group.as<std::string>() + '/' + resource.as<std::string>());
      }
    }
  }
  CHECK(granted == asked);
}
