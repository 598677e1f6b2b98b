#include "engine/kube/plugins.h"

#include "engine/kube/running_release.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace previct;
using namespace previct::kube;

namespace {

auto merged(const std::vector<PluginRef>& enabled, const std::vector<PluginRef>& disabled = {})
    -> std::vector<PluginRef> {
  const auto cluster = test::a_cluster({test::a_node("a", "1")});
  const auto running = running_release(*cluster->snapshot, Question{});
  REQUIRE(running);
  ProfilePlugins profile;
  profile.multi_point = {.enabled = enabled, .disabled = disabled};
  return merged_multi_point(profile, running->release);
}

auto place_of(const std::vector<PluginRef>& plugins, std::string_view name) -> std::size_t {
  const auto at = std::find_if(plugins.begin(), plugins.end(), [&](const PluginRef& p) { return p.name == name; });
  return static_cast<std::size_t>(at - plugins.begin());
}

}  // namespace

// Source: apis/config/v1/default_plugins.go mergePluginSet, v1.35: if a default plugin is named several times, the last
// entry takes its place, and the others are appended as if they were not defaults.
TEST_CASE("merged_multi_point: a default plugin that is named again keeps its place, with its new weight",
          "[kube][config]") {
  const auto defaults = merged({});
  const std::size_t place = place_of(defaults, "NodeAffinity");
  REQUIRE(place < defaults.size());
  const auto again = merged({{"NodeAffinity", 7}, {"Mine", 1}, {"NodeAffinity", 9}});
  REQUIRE(again.size() == defaults.size() + 2);
  CHECK(place_of(again, "NodeAffinity") == place);
  CHECK(again[place].weight == 9);
  CHECK(again[defaults.size()] == PluginRef{"NodeAffinity", 7});
  CHECK(again[defaults.size() + 1] == PluginRef{"Mine", 1});
}

TEST_CASE("merged_multi_point: a default plugin that is disabled and named comes last", "[kube][config]") {
  const std::size_t all = merged({}).size();
  const auto moved = merged({{"NodeAffinity", 7}}, {{"NodeAffinity", {}}});
  CHECK(moved.size() == all);
  CHECK(place_of(moved, "NodeAffinity") == all - 1);
  CHECK(merged({{"NodeAffinity", 7}}, {{"*", {}}}) == std::vector<PluginRef>{{"NodeAffinity", 7}});
}
