#include "api/configurations.h"

#include "api/load.h"
#include "support/scratch.h"

#include <catch2/catch.hpp>

using namespace previct;

namespace {

constexpr const char* kNode = "apiVersion: v1\nkind: Node\nmetadata: {name: a}\n";
constexpr const char* kScheduler = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";
constexpr const char* kQueues = "partitions:\n- name: default\n";

}  // namespace

TEST_CASE("load: configurations among objects are recognised, with their lines", "[load]") {
  // The node is in lines 1 to 3, its separator in 4, the scheduler's document in 5 and 6, the next separator in 7.
  const test::Scratch scratch;
  const std::string file = scratch.file("all.yaml", std::string(kNode) + "---\n" + kScheduler + "---\n" + kQueues);
  Objects objects;
  const auto found = load({file}, {}, objects);
  REQUIRE(found);
  CHECK(objects.nodes.size() == 1);
  REQUIRE(found->scheduler_config);
  CHECK(found->scheduler_config->bytes == "\n\n\n\n" + std::string(kScheduler));
  REQUIRE(found->yunikorn_config);
  CHECK(found->yunikorn_config->bytes == "\n\n\n\n\n\n\n" + std::string(kQueues));
  CHECK_FALSE(found->assumptions);
}

TEST_CASE("load: of two configurations of one kind none is used, with a warning", "[load]") {
  const test::Scratch scratch;
  const std::string file = scratch.file("all.yaml", std::string(kScheduler) + "---\n" + kScheduler + "---\n" + kNode);
  Objects objects;
  const auto found = load({file}, {}, objects);
  REQUIRE(found);
  CHECK_FALSE(found->scheduler_config);
  REQUIRE(objects.diagnostics.sorted().size() == 1);
  CHECK(objects.diagnostics.sorted()[0].place.line == 4);
}

TEST_CASE("load: a later configuration replaces only an earlier one of its kind", "[load]") {
  Configurations configurations{
      .scheduler_config = ConfigFile{{}, "a"}, .yunikorn_config = ConfigFile{{}, "b"}, .assumptions = {}};
  configurations.replace_by({.scheduler_config = ConfigFile{{}, "c"}, .yunikorn_config = {}, .assumptions = {}});
  CHECK(configurations.scheduler_config->bytes == "c");
  CHECK(configurations.yunikorn_config->bytes == "b");
}

TEST_CASE("load: the configuration of a skipped input is skipped, too", "[load]") {
  const test::Scratch scratch;
  const std::string good = scratch.file("good.yaml", kNode);
  const std::string bad =
      scratch.file("bad.yaml", std::string(kScheduler) + "---\nkind: Pod\napiVersion: v1\nmetadata: {name: [}\n");
  Objects objects;
  const auto found = load({good, bad}, {.keep_going = true}, objects);
  REQUIRE(found);
  CHECK_FALSE(found->scheduler_config);
  CHECK(objects.inputs_skipped);
  CHECK(objects.nodes.size() == 1);
}

TEST_CASE("load: a scheduler snapshot that is skipped does not provide its settings", "[load]") {
  const test::Scratch scratch;
  const std::string good = scratch.file("good.yaml", kNode);
  const std::string bad = scratch.file(
      "kai.json",
      R"({"schedulerParams": {"partitionParams": {"nodePoolLabelValue": "gold"}}, "rawObjects": {"pods": [{"metadata": {"name": 5}}]}})");
  Objects objects;
  REQUIRE(load({good, bad}, {.keep_going = true}, objects));
  CHECK(objects.inputs_skipped);
  CHECK_FALSE(objects.kai_scheduler);
}
