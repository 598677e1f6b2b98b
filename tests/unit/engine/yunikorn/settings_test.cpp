#include "engine/yunikorn/configuration.h"
#include "support/input.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

// Where YuniKorn finds its queues. Source: apache/yunikorn-k8shim 1.9 pkg/conf/schedulerconf.go FlattenConfigMaps,
// pkg/common/utils GetCoreSchedulerConfigFromConfigMap.

namespace previct::yunikorn {
namespace {

// gzip and base64 of `partitions: [{name: default, queues: [{name: root, queues: [{name: packed}]}]}]`.
constexpr const char* kPacked =
    "H4sIAAAAAAACAytILCrJLMnMzyu2UoiuzkvMTbVSSElNSyzNKdFRKCxNLU1FkijKz8ciWpCYnJ2aUhsLglwAi8aCO1AAAAA=";

auto file(const std::string& queue) -> std::string {
  return fmt::format(R"("partitions: [{{name: default, queues: [{{name: root, queues: [{{name: {}}}]}}]}}]")", queue);
}

auto map(const std::string& name, const std::string& members) -> std::string {
  return fmt::format(R"({{"apiVersion": "v1", "kind": "ConfigMap", "metadata": {{"name": "{}"}}, {}}})"
                     "\n",
                     name, members);
}

/// Returns the first queue below root that YuniKorn runs with; empty if there is none, as in the built-in
/// configuration.
auto queue_of(const std::string& manifests) -> std::string {
  Objects objects;
  REQUIRE(test::read_text(manifests, objects));
  const Snapshot cluster(objects);
  const auto setup = read_setup(cluster, Question());
  REQUIRE(setup);
  const auto& queues = setup->partition().queues;
  return queues.size() > 1 ? queues[1].name.value : "";
}

auto origin_of(const std::string& manifests) -> Setup::Origin {
  Objects objects;
  REQUIRE(test::read_text(manifests, objects));
  const Snapshot cluster(objects);
  const auto setup = read_setup(cluster, Question());
  REQUIRE(setup);
  return setup->origin;
}

}  // namespace

TEST_CASE("yunikorn settings: queues.yaml of yunikorn-configs overrides that of yunikorn-defaults", "[yunikorn]") {
  const std::string defaults = map("yunikorn-defaults", R"("data": {"queues.yaml": )" + file("low") + "}");
  CHECK(queue_of(defaults) == "low");
  CHECK(queue_of(map("yunikorn-configs", R"("data": {"queues.yaml": )" + file("high") + "}") + defaults) == "high");
  CHECK(queue_of(map("yunikorn-configs", R"("data": {"other": "x"})") + defaults) == "low");
  // If it is set, but empty, the built-in configuration applies, as without any ConfigMap.
  const std::string empty = map("yunikorn-configs", R"("data": {"queues.yaml": ""})") + defaults;
  CHECK(queue_of(empty).empty());
  CHECK(origin_of(empty) == Setup::Origin::built_in);
  CHECK(origin_of(defaults) == Setup::Origin::config_map);
}

TEST_CASE("yunikorn settings: the policy group names the file, whichever of the two maps has it", "[yunikorn]") {
  const std::string file_of_group = R"("data": {"other.yaml": )" + file("b") + R"(, "queues.yaml": )" + file("a") + "}";
  CHECK(queue_of(map("yunikorn-configs", file_of_group)) == "a");
  const std::string group = map("yunikorn-defaults", R"("data": {"service.policyGroup": "other"})");
  CHECK(queue_of(group + map("yunikorn-configs", file_of_group)) == "b");
  const std::string missing = map("yunikorn-defaults", R"("data": {"service.policyGroup": "third"})");
  CHECK(queue_of(missing + map("yunikorn-configs", file_of_group)).empty());
}

TEST_CASE("yunikorn settings: binaryData is unpacked, and overrides data", "[yunikorn]") {
  const auto binary = [](const std::string& key, const std::string& value) {
    return map("yunikorn-configs", R"("data": {"queues.yaml": )" + file("plain") + R"(}, "binaryData": {")" + key +
                                       R"(": ")" + value + R"("})");
  };
  CHECK(queue_of(binary("queues.yaml.gz", kPacked)) == "packed");
  CHECK(queue_of(binary("queues.yaml.GZ", kPacked)) == "packed");
  CHECK(queue_of(binary("queues.yaml.zip", kPacked)).empty());   // of an unknown format: empty, and it counts
  CHECK(queue_of(binary("queues.yaml.gz", "AAAA")) == "plain");  // not gzip: left out
  CHECK(queue_of(binary("queues.yaml", kPacked)) == "plain");    // the key `queues`, empty
  CHECK(queue_of(binary("other.yaml.gz", kPacked)) == "plain");
}

TEST_CASE("yunikorn settings: switches are what Go reads as a boolean", "[yunikorn]") {
  const auto settings_of = [](const std::string& value) {
    Objects objects;
    REQUIRE(
        test::read_text(map("yunikorn-configs", R"("data": {"service.disableGangScheduling": ")" + value +
                                                    R"(", "admissionController.filtering.generateUniqueAppId": "T"})"),
                        objects));
    const Snapshot cluster(objects);
    const auto setup = read_setup(cluster, Question());
    REQUIRE(setup);
    CHECK(setup->core.unique_app_ids);
    return setup->core.gangs_off;
  };
  CHECK(settings_of("true"));
  CHECK(settings_of("1"));
  CHECK_FALSE(settings_of("F"));
  CHECK_FALSE(settings_of("false"));
}

// The shim's own parser refuses each of these: "failed to load configmap".
TEST_CASE("yunikorn settings: one that cannot be read keeps the scheduler from starting", "[yunikorn]") {
  const auto refusal = [](const std::string& key, const std::string& value) {
    Objects objects;
    REQUIRE(test::read_text(map("yunikorn-configs", R"("data": {")" + key + R"(": ")" + value + R"("})"), objects));
    const Snapshot cluster(objects);
    const auto setup = read_setup(cluster, Question());
    return setup ? "" : setup.error().message;
  };
  CHECK(refusal("service.disableGangScheduling", "yes") ==
        "service.disableGangScheduling: \"yes\" is not true or false");
  CHECK(refusal("admissionController.filtering.generateUniqueAppId", "").ends_with("\"\" is not true or false"));
  CHECK(refusal("service.schedulingInterval", "1").ends_with("\"1\" is not a duration such as 10s"));
  CHECK(refusal("service.placeholderRunAsUser", "x").ends_with("\"x\" is not an integer"));
  CHECK(refusal("kubernetes.qps", "2147483648").ends_with("is not a 32-bit integer"));
  CHECK(refusal("kubernetes.qps", "100").empty());
  CHECK(refusal("service.volumeBindTimeout", "5s").empty());
  CHECK(refusal("service.placeholderImage", "").empty());
  CHECK(refusal("log.level", "x").empty());
}

}  // namespace previct::yunikorn
