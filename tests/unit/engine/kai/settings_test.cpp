#include "engine/kai/snapshot/settings.h"

#include "support/input.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::kai;

namespace {

auto settings_of(std::string_view spec) -> Settings {
  Objects objects;
  const std::string text =
      std::string("apiVersion: kai.scheduler/v1\nkind: SchedulingShard\nmetadata: {name: default}\nspec: ") +
      std::string(spec) + "\n";
  REQUIRE(test::read_text(text, objects));
  const Snapshot cluster(objects);
  return *effective_settings(cluster, "");
}

}  // namespace

TEST_CASE("durations of plugin arguments have days and weeks, and what does not parse is none") {
  constexpr std::int64_t kHour = 3'600'000'000'000;
  CHECK(argument_duration("1d12h") == 36 * kHour);
  CHECK(argument_duration("1w") == 7 * 24 * kHour);
  CHECK(argument_duration("0.5d") == 12 * kHour);
  CHECK(argument_duration("1h30m") == kHour * 3 / 2);
  for (const char* text : {"", "0", "60", "-1h", "soon", "1x", "1h x"}) CHECK(argument_duration(text) == 0);
}

TEST_CASE("durations print as Go prints them") {
  CHECK(go_duration(0) == "0s");
  CHECK(go_duration(90'000'000'000) == "1m30s");
  CHECK(go_duration(3'600'000'000'000) == "1h0m0s");
  CHECK(go_duration(1'500'000'000) == "1.5s");
  CHECK(go_duration(1'500'000) == "1.5ms");
  CHECK(go_duration(-60'000'000'000) == "-1m0s");
}

TEST_CASE("without a shard the five actions run in their order") {
  Objects objects;
  const Snapshot cluster(objects);
  const Settings settings = *effective_settings(cluster, "");
  CHECK_FALSE(settings.shard_given);
  CHECK(settings.actions == std::vector{Action::allocate, Action::consolidation, Action::reclaim, Action::preempt,
                                        Action::stalegangeviction});
  CHECK_FALSE(effective_settings(cluster, "gold"));
}

TEST_CASE("spreading either resource switches consolidation off, unless the shard switches it on") {
  CHECK(settings_of("{placementStrategy: {cpu: spread}}").actions.size() == 4);
  CHECK(settings_of("{placementStrategy: {cpu: spread}, actions: {consolidation: {enabled: true}}}").actions.size() ==
        5);
}

TEST_CASE("given arguments of minruntime replace the shard's minRuntime as a whole") {
  const Settings both = settings_of("{minRuntime: {reclaimMinRuntime: 1h, preemptMinRuntime: 2h}}");
  CHECK(both.default_reclaim == 3'600'000'000'000);
  const Settings replaced = settings_of(
      "{minRuntime: {reclaimMinRuntime: 1h, preemptMinRuntime: 2h}, plugins: {minruntime: {arguments: "
      "{defaultPreemptMinRuntime: 5s}}}}");
  CHECK(replaced.default_reclaim == 0);
  CHECK(replaced.default_preempt == 5'000'000'000);
}

TEST_CASE("any other spelling of the resolve method means lca") {
  CHECK(settings_of("{plugins: {minruntime: {arguments: {reclaimResolveMethod: queue}}}}").method ==
        ResolveMethod::queue);
  CHECK(settings_of("{plugins: {minruntime: {arguments: {reclaimResolveMethod: Queue}}}}").method ==
        ResolveMethod::lca);
}

TEST_CASE("a scheduler's own snapshot says what it runs with") {
  Objects objects;
  REQUIRE(test::read_text(R"({"config": {"actions": "allocate, reclaim", "tiers": [{"plugins": [
      {"name": "minruntime", "arguments": {"defaultReclaimMinRuntime": "90s"}}]}]},
      "schedulerParams": {"schedulerName": "kai-gold", "maxNumberConsolidationPreemptees": 3, "fullHierarchyFairness": true},
      "rawObjects": {"nodes": [{"metadata": {"name": "n"}}], "queues": [{"metadata": {"name": "q"}}], "pods": null}})",
                          objects));
  CHECK(objects.nodes.size() == 1);
  CHECK(objects.kai_queues.size() == 1);
  const Snapshot cluster(objects);
  const Settings settings = *effective_settings(cluster, "");
  CHECK(settings.actions == std::vector{Action::allocate, Action::reclaim});
  CHECK(settings.default_reclaim == 90'000'000'000);
  CHECK(settings.scheduler_name == "kai-gold");
  CHECK(settings.max_consolidation_preemptees == 3);
  CHECK_FALSE(settings.signatures);
}

TEST_CASE("what the scheduler does not start with is named") {
  CHECK(settings_of("{}").cannot_start.empty());
  const std::string all_off =
      "{actions: {allocate: {enabled: false}, consolidation: {enabled: false}, reclaim: {enabled: false}, preempt: "
      "{enabled: false}, stalegangeviction: {enabled: false}}}";
  CHECK(settings_of(all_off).cannot_start == "no action is enabled");
  CHECK(settings_of("{args: {qps: many}}").cannot_start == "invalid argument \"many\" for \"--qps\" flag");
  CHECK(settings_of("{args: {log-json: \"yes\"}}").cannot_start == "invalid argument \"yes\" for \"--log-json\" flag");
  // The operator hands on the flags that the scheduler knows.
  CHECK(settings_of("{args: {no-such-flag: x}}").cannot_start.empty());
  CHECK_FALSE(settings_of("{actions: {conquer: {enabled: true}}}").cannot_start.empty());
  CHECK(settings_of("{queueDepthPerAction: {consolidation: 2}}").cannot_start.empty());
  CHECK(settings_of("{queueDepthPerAction: {consolidation: 2}, placementStrategy: {gpu: spread}}").cannot_start ==
        "queueDepthPerAction names consolidation, which is none of the actions that run");
  CHECK_FALSE(settings_of("{queueDepthPerAction: {Reclaim: 2}}").cannot_start.empty());
}

TEST_CASE("plugins that order groups and tasks, and those that propose victims, can be switched off") {
  const Settings plain = settings_of("{}");
  CHECK(plain.group_order == std::vector{GroupOrder::priority, GroupOrder::elastic});
  CHECK(plain.generators.size() == kGenerators);
  const Settings off = settings_of("{plugins: {elastic: {enabled: false}, sg-nodelocalgreedy: {enabled: false}}}");
  CHECK(off.group_order == std::vector{GroupOrder::priority});
  CHECK(off.generators == std::vector{Generator::multi_node});
}
