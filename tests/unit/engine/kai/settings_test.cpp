#include "engine/kai/snapshot/settings.h"

#include "engine/kai/snapshot/plugin_list.h"
#include "support/input.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>

using namespace previct;
using namespace previct::kai;

namespace {

auto settings_of(std::string_view spec, const std::string& version = "") -> Settings {
  Objects objects;
  const std::string text =
      std::string("apiVersion: kai.scheduler/v1\nkind: SchedulingShard\nmetadata: {name: default}\nspec: ") +
      std::string(spec) + "\n";
  REQUIRE(test::read_text(text, objects));
  const Snapshot cluster(objects);
  return *effective_settings(cluster, "", version);
}

}  // namespace

TEST_CASE("kai argument_duration: accepts days and weeks, and returns 0 for invalid text", "[kai]") {
  constexpr std::int64_t kHour = 3'600'000'000'000;
  CHECK(argument_duration("1d12h") == 36 * kHour);
  CHECK(argument_duration("1w") == 7 * 24 * kHour);
  CHECK(argument_duration("0.5d") == 12 * kHour);
  CHECK(argument_duration("1h30m") == kHour * 3 / 2);
  for (const char* text : {"", "0", "60", "-1h", "soon", "1x", "1h x"}) CHECK(argument_duration(text) == 0);
}

TEST_CASE("go_duration: prints durations as Go does", "[kai]") {
  CHECK(go_duration(0) == "0s");
  CHECK(go_duration(-60'000'000'000) == "-1m0s");
  CHECK(go_duration(-1) == "-1ns");
  CHECK(go_duration(999) == "999ns");
  CHECK(go_duration(1'000) == "1\xc2\xb5s");
  CHECK(go_duration(90'000'000'000) == "1m30s");
  CHECK(go_duration(3'600'000'000'000) == "1h0m0s");
  CHECK(go_duration(1'500'000'000) == "1.5s");
  CHECK(go_duration(1'500'000) == "1.5ms");
  CHECK(go_duration(60'000'000'000) == "1m0s");
  CHECK(go_duration(59'999'999'999) == "59.999999999s");
  CHECK(go_duration(3'599'000'000'000) == "59m59s");
  CHECK(go_duration(1'000'000'000) == "1s");
  CHECK(go_duration(1'000'000) == "1ms");
  CHECK(go_duration(999'999) == "999.999\xc2\xb5s");
  CHECK(go_duration(1'050) == "1.05\xc2\xb5s");
}

TEST_CASE("kai settings: unknown settings are gaps, which decide unless they are off", "[kai]") {
  const auto unknown = [](std::string_view spec) {
    std::vector<std::string> found;
    for (const Gap& gap : settings_of(spec).gaps) {
      if (gap.rule == GapRule::kai_setting_unknown) found.push_back(gap.operands[0] + (gap.decides ? "" : " (off)"));
    }
    return found;
  };
  using Names = std::vector<std::string>;
  CHECK(unknown("{plugins: {proportion: {arguments: {boost: \"true\", kValue: \"1\"}}}}") ==
        Names{"argument boost of plugin proportion"});
  CHECK(unknown("{plugins: {proportion: {arguments: {boost: \"false\"}}}}") ==
        Names{"argument boost of plugin proportion (off)"});
  CHECK(unknown("{plugins: {backgroundpods: {enabled: true}}}") == Names{"plugin backgroundpods"});
  CHECK(unknown("{plugins: {backgroundpods: {enabled: false}}}").empty());
  CHECK(unknown("{args: {node-level-scheduler: \"true\", v: \"6\", leader-elect: \"true\", namespace: kai}}") ==
        Names{"flag --node-level-scheduler"});
  CHECK(unknown("{reclaimPolicy: strict, goMemLimit: 1Gi}") == Names{"field reclaimPolicy of its shard"});
  CHECK(unknown("{minRuntime: {preemptMinRuntime: 5m, reclaimMinRuntime: 5m}, kValue: 1.5, placementStrategy: {gpu: "
                "spread, cpu: binpack}}")
            .empty());
}

TEST_CASE("kai settings: without a shard, the five actions run in their default order", "[kai]") {
  Objects objects;
  const Snapshot cluster(objects);
  const Settings settings = *effective_settings(cluster, "");
  CHECK_FALSE(settings.shard_given);
  CHECK(settings.actions == std::vector{Action::allocate, Action::consolidation, Action::reclaim, Action::preempt,
                                        Action::stalegangeviction});
  CHECK_FALSE(effective_settings(cluster, "gold"));
}

TEST_CASE("kai settings: spreading either resource disables consolidation, unless the shard enables it", "[kai]") {
  CHECK(settings_of("{placementStrategy: {cpu: spread}}").actions.size() == 4);
  CHECK(settings_of("{placementStrategy: {cpu: spread}, actions: {consolidation: {enabled: true}}}").actions.size() ==
        5);
}

TEST_CASE("kai settings: arguments of plugin minruntime replace the shard's minRuntime as a whole", "[kai]") {
  const Settings both = settings_of("{minRuntime: {reclaimMinRuntime: 1h, preemptMinRuntime: 2h}}");
  CHECK(both.default_reclaim == 3'600'000'000'000);
  const Settings replaced = settings_of(
      "{minRuntime: {reclaimMinRuntime: 1h, preemptMinRuntime: 2h}, plugins: {minruntime: {arguments: "
      "{defaultPreemptMinRuntime: 5s}}}}");
  CHECK(replaced.default_reclaim == 0);
  CHECK(replaced.default_preempt == 5'000'000'000);
}

TEST_CASE("kai settings: any other spelling of the resolve method means lca", "[kai]") {
  CHECK(settings_of("{plugins: {minruntime: {arguments: {reclaimResolveMethod: queue}}}}").method ==
        ResolveMethod::queue);
  CHECK(settings_of("{plugins: {minruntime: {arguments: {reclaimResolveMethod: Queue}}}}").method ==
        ResolveMethod::lca);
}

TEST_CASE("kai settings: a scheduler's own snapshot contains them", "[kai]") {
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
  CHECK_FALSE(effective_settings(cluster, "gold"));  // a named shard must exist, and there is none
}

TEST_CASE("kai settings: reports the settings with which the scheduler does not start", "[kai]") {
  CHECK(settings_of("{}").cannot_start.empty());
  const std::string all_off =
      "{actions: {allocate: {enabled: false}, consolidation: {enabled: false}, reclaim: {enabled: false}, preempt: "
      "{enabled: false}, stalegangeviction: {enabled: false}}}";
  CHECK(settings_of(all_off).cannot_start == "no action is enabled");
  CHECK(settings_of("{args: {qps: many}}").cannot_start == "invalid argument \"many\" for \"--qps\" flag");
  CHECK(settings_of("{args: {log-json: \"yes\"}}").cannot_start == "invalid argument \"yes\" for \"--log-json\" flag");
  // The operator passes on only the flags that the scheduler knows.
  CHECK(settings_of("{args: {no-such-flag: x}}").cannot_start.empty());
  CHECK_FALSE(settings_of("{actions: {conquer: {enabled: true}}}").cannot_start.empty());
  CHECK(settings_of("{queueDepthPerAction: {consolidation: 2}}").cannot_start.empty());
  CHECK(settings_of("{queueDepthPerAction: {consolidation: 2}, placementStrategy: {gpu: spread}}").cannot_start ==
        "queueDepthPerAction names consolidation, which is not one of the enabled actions");
  CHECK_FALSE(settings_of("{queueDepthPerAction: {Reclaim: 2}}").cannot_start.empty());
}

TEST_CASE("kai settings: plugins that order groups and tasks or propose victims can be disabled", "[kai]") {
  const Settings plain = settings_of("{}");
  CHECK(plain.group_order == std::vector{GroupOrder::priority, GroupOrder::elastic});
  CHECK(plain.generators.size() == kGenerators);
  const Settings off = settings_of("{plugins: {elastic: {enabled: false}, sg-nodelocalgreedy: {enabled: false}}}");
  CHECK(off.group_order == std::vector{GroupOrder::priority});
  CHECK(off.generators == std::vector{Generator::multi_node});
}

TEST_CASE("kai settings: actions run by priority, those of equal priority by name", "[kai]") {
  // By default allocate has 500, and each of the next four a hundred less.
  CHECK(settings_of("{actions: {reclaim: {priority: 600}}}").actions ==
        std::vector{Action::reclaim, Action::allocate, Action::consolidation, Action::preempt,
                    Action::stalegangeviction});
  CHECK(settings_of("{actions: {allocate: {priority: 200}}}").actions ==
        std::vector{Action::consolidation, Action::reclaim, Action::allocate, Action::preempt,
                    Action::stalegangeviction});
  CHECK(settings_of("{actions: {preempt: {priority: 500}}}").actions ==
        std::vector{Action::allocate, Action::preempt, Action::consolidation, Action::reclaim,
                    Action::stalegangeviction});
}

TEST_CASE("kai settings: the search time is limited for actions, groups and generators", "[kai]") {
  // Source: actions/common/solvers/search_budget.go. A budget that is not named has the default of its kind.
  constexpr std::int64_t kSecond = 1'000'000'000;
  const auto of = [](const Settings& settings, Action action) {
    return settings.budgets.action[static_cast<std::size_t>(action)];
  };
  const Settings given = settings_of(
      "{scenarioSearchBudgets: {maxActionSearchDuration: {default: 1m, reclaim: 10s}, maxJobSearchDuration: 30s, "
      "minJobSearchDuration: 20s, maxGeneratorSearchDuration: {MultiNodeGang: 7s, default: 1s}}}");
  CHECK(given.cannot_start.empty());
  CHECK(of(given, Action::reclaim) == 10 * kSecond);
  CHECK(of(given, Action::preempt) == 60 * kSecond);
  CHECK(given.budgets.generator == std::array{30 * kSecond, 7 * kSecond, std::int64_t{0}});
  CHECK_FALSE(given.budgets.contradictory);
  CHECK(given.budgets.for_group(Action::preempt) == 30 * kSecond);
  CHECK(given.budgets.for_group(Action::reclaim) == 20 * kSecond);

  const Settings plain = settings_of("{}");
  CHECK(of(plain, Action::preempt) == 300 * kSecond);
  CHECK(plain.budgets.for_group(Action::preempt) == 240 * kSecond);

  const auto contradictory = [](std::string_view most, std::string_view least) {
    return settings_of(fmt::format("{{scenarioSearchBudgets: {{maxJobSearchDuration: {}, minJobSearchDuration: {}}}}}",
                                   most, least))
        .budgets.contradictory;
  };
  CHECK(contradictory("5s", "5s"));
  CHECK_FALSE(contradictory("5s", "4s"));
  CHECK_FALSE(contradictory("0s", "4s"));
  CHECK(settings_of("{scenarioSearchBudgets: {maxActionSearchDuration: {default: 0s}, maxJobSearchDuration: 0s, "
                    "minJobSearchDuration: 4s}}")
            .budgets.for_group(Action::preempt) == 0);

  CHECK(settings_of("{scenarioSearchBudgets: {maxActionSearchDuration: {allocate: 1m}}}").cannot_start ==
        "maxActionSearchDuration contains invalid action key \"allocate\"");
  CHECK(settings_of("{scenarioSearchBudgets: {maxGeneratorSearchDuration: {Greedy: 1m}}}").cannot_start ==
        "unknown scenario generator budget key \"Greedy\"");
  // The operator refuses these, and the scheduler gets no configuration: upstream's validateScenarioSearchBudgets.
  CHECK(settings_of("{scenarioSearchBudgets: {minJobSearchDuration: 10m}}").cannot_start ==
        "minJobSearchDuration must be less than maxJobSearchDuration");
  CHECK(settings_of("{scenarioSearchBudgets: {maxActionSearchDuration: {reclaim: -1s}}}").cannot_start ==
        "maxActionSearchDuration[\"reclaim\"] must be non-negative");
  CHECK(settings_of("{scenarioSearchBudgets: {maxGeneratorSearchDuration: {default: -1s}}}").cannot_start ==
        "maxGeneratorSearchDuration[\"default\"] must be non-negative");
  CHECK(settings_of("{scenarioSearchBudgets: {maxJobSearchDuration: -1s}}").cannot_start ==
        "maxJobSearchDuration must be non-negative");
  CHECK(settings_of("{scenarioSearchBudgets: {maxJobSearchDuration: 0s, minJobSearchDuration: -1s}}").cannot_start ==
        "minJobSearchDuration must be non-negative");
}

// Source: pkg/operator/operands/scheduler/resources_for_shard.go, which writes them into flags.
TEST_CASE("kai settings: Config sets the scheduler name, and the labels of node pools and reservation pods", "[kai]") {
  Objects objects;
  REQUIRE(
      test::read_text("apiVersion: kai.scheduler/v1\nkind: Config\nmetadata: {name: kai}\n"
                      "spec: {global: {schedulerName: gold, nodePoolLabelKey: pool}, "
                      "binder: {resourceReservation: {appLabel: gpus}}}\n",
                      objects));
  const Snapshot cluster(objects);
  const Settings settings = *effective_settings(cluster, "");
  CHECK(settings.scheduler_name == "gold");
  CHECK(settings.pool_key == "pool");
  CHECK(settings.reservation_app == "gpus");
  CHECK(settings_of("{}").reservation_app == "kai-resource-reservation");
}

TEST_CASE("kai settings: shares by recorded usage are not modeled and reported as a gap", "[kai]") {
  CHECK(settings_of("{}").gaps.empty());
  REQUIRE(settings_of("{usageDBConfig: {clientType: prometheus}}").gaps.size() == 1);
  CHECK(settings_of("{usageDBConfig: {clientType: prometheus}}").gaps[0].rule == GapRule::kai_usage);
}

TEST_CASE("kai settings: a scheduler's own snapshot has its pool, depths and start errors", "[kai]") {
  const auto read = [](const std::string& config, const std::string& params) {
    Objects objects;
    REQUIRE(test::read_text("{\"config\": {" + config + "}, \"schedulerParams\": {" + params +
                                "}, \"rawObjects\": {\"nodes\": [{\"metadata\": {\"name\": \"n\"}}]}}",
                            objects));
    const Snapshot cluster(objects);
    return *effective_settings(cluster, "");
  };
  const std::string actions = R"("actions": "allocate,reclaim")";
  const Settings pool = read(actions + R"(, "queueDepthPerAction": {"reclaim": 3, "conquer": 1})",
                             R"("partitionParams": {"NodePoolLabelKey": "pool", "NodePoolLabelValue": "gold"},
                                "stuckInReleasingThreshold": 5000000000)");
  CHECK(pool.pool_key == "pool");
  CHECK(pool.stuck_threshold == 5'000'000'000);
  CHECK(pool.queue_depth[static_cast<std::size_t>(Action::reclaim)] == 3);
  CHECK(pool.cannot_start.empty());
  CHECK(pool.gaps.empty());
  CHECK(read(actions, "").stuck_threshold == 120'000'000'000);
  CHECK(read(R"("actions": "allocate,conquer")", "").cannot_start ==
        "failed to find Action conquer as given in the config");
  CHECK(read(actions + R"(, "usageDBConfig": {"clientType": "prometheus"})", "").gaps.size() == 1);
}

TEST_CASE("kai settings: plugins and flags that are not modeled are reported as gaps", "[kai]") {
  const auto rules = [](std::string_view spec) {
    std::vector<GapRule> found;
    for (const Gap& gap : settings_of(spec).gaps) found.push_back(gap.rule);
    return found;
  };
  CHECK(rules("{plugins: {numa: {}}}") == std::vector{GapRule::kai_numa});
  CHECK(rules("{plugins: {numa: {enabled: false}}}").empty());
  CHECK(rules("{plugins: {our-own: {}}}") == std::vector{GapRule::kai_setting_unknown});
  CHECK(rules("{args: {scheduler-conf: /etc/other.yaml}}") == std::vector{GapRule::kai_scheduler_conf});
}

TEST_CASE("kai settings: the node pool flag takes precedence over the field of the shard", "[kai]") {
  const auto pool_of = [](const std::string& spec) {
    Objects objects;
    REQUIRE(test::read_text(
        "apiVersion: kai.scheduler/v1\nkind: SchedulingShard\nmetadata: {name: default}\nspec: " + spec + "\n",
        objects));
    const Snapshot cluster(objects);
    return std::string(cluster.text(effective_settings(cluster, "")->node_pool));
  };
  CHECK(pool_of("{partitionLabelValue: gold}") == "gold");
  CHECK(pool_of("{partitionLabelValue: gold, args: {partition-label-value: silver}}") == "silver");
  CHECK(pool_of("{partitionLabelValue: gold, args: {partition-label-value: \"\"}}").empty());
}

TEST_CASE("kai settings: the operator gives arguments to the plugins that read them", "[kai]") {
  Objects objects;
  REQUIRE(
      test::read_text("apiVersion: kai.scheduler/v1\nkind: SchedulingShard\nmetadata: {name: default}\nspec: "
                      "{kValue: 2, minRuntime: {reclaimMinRuntime: 1m, preemptMinRuntime: 2m}}\n",
                      objects));
  const Snapshot cluster(objects);
  std::vector<std::string> given;
  const auto running = running_release(cluster, "");
  REQUIRE(running);
  for (const ActivePlugin& plugin : plugins_of(cluster, objects.kai_shards.front().spec, running->release)) {
    for (const auto& [key, value] : plugin.arguments)
      given.push_back(fmt::format("{} {}={}", plugin.name, cluster.text(key), cluster.text(value)));
  }
  std::sort(given.begin(), given.end());
  CHECK(given == std::vector<std::string>{"minruntime defaultPreemptMinRuntime=2m",
                                          "minruntime defaultReclaimMinRuntime=1m", "nodeplacement cpu=binpack",
                                          "nodeplacement gpu=binpack", "proportion kValue=2"});
}

// Until 0.9, the chart installs one scheduler with the default settings, whatever the shards say. The fields plugins
// and actions came with 0.12.
TEST_CASE("kai settings: what older releases read of a shard", "[kai][release]") {
  constexpr std::string_view kSpec =
      "{minRuntime: {reclaimMinRuntime: 30s}, partitionLabelValue: gold, actions: {preempt: {enabled: false}}, "
      "plugins: {gpupack: {enabled: false}}}";
  const auto preempts = [](const Settings& settings) {
    return std::find(settings.actions.begin(), settings.actions.end(), Action::preempt) != settings.actions.end();
  };
  const auto names_gap = [](const Settings& settings, std::string_view what) {
    return std::any_of(settings.gaps.begin(), settings.gaps.end(), [&](const Gap& gap) {
      return gap.rule == GapRule::kai_setting_unknown && gap.operands.front() == what;
    });
  };
  const Settings all = settings_of(kSpec, "0.12");
  CHECK_FALSE(preempts(all));
  CHECK_FALSE(all.plugins.gpu_pack);
  CHECK(all.default_reclaim == 30'000'000'000);

  const Settings some = settings_of(kSpec, "0.10");
  CHECK(preempts(some));
  CHECK(some.plugins.gpu_pack);
  CHECK(some.default_reclaim == 30'000'000'000);
  CHECK(names_gap(some, "fields plugins and actions of its shard"));

  const Settings none = settings_of(kSpec, "0.9");
  CHECK(preempts(none));
  CHECK(none.default_reclaim == 0);
  CHECK_FALSE(none.node_pool);
  CHECK(names_gap(none, "SchedulingShard default"));
}
