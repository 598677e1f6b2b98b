// Values of a SchedulingShard that KAI replaces, and what a release without the field does. Source:
// kai-scheduler/KAI-Scheduler pkg/scheduler/plugins/minruntime/minruntime.go, pkg/scheduler/plugins/proportion
// (d5bc503a); cmd/scheduler/app/options/options.go AddFlags.
#include "engine/kai/snapshot/shard_values.h"

#include "engine/kai/snapshot/gpu_request.h"
#include "engine/kai/snapshot/settings.h"
#include "support/input.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace previct::of_shards {
namespace {

using Texts = std::vector<std::string>;

auto shard(const std::string& spec) -> std::string {
  return fmt::format(
      "---\napiVersion: kai.scheduler/v1\nkind: SchedulingShard\nmetadata: {{name: default}}\nspec: {{{}}}\n", spec);
}

auto warnings(const std::string& spec) -> Texts {
  Objects objects;
  REQUIRE(test::read_text(shard(spec), objects));
  const Snapshot cluster(objects);
  kai::warn_of_shard_values(cluster);
  Texts all;
  for (const Warning& each : cluster.diagnostics().sorted()) all.push_back(each.id + ": " + each.message);
  return all;
}

auto settings(const std::string& spec, const std::string& version = "") -> kai::Settings {
  Objects objects;
  REQUIRE(test::read_text(shard(spec), objects));
  const auto read = kai::effective_settings(Snapshot(objects), "", version);
  REQUIRE(read);
  return *read;
}

}  // namespace

TEST_CASE("kai shard: values that are replaced are named", "[kai]") {
  const auto proportion = [](const std::string& key, const std::string& value) {
    return warnings(fmt::format("plugins: {{proportion: {{arguments: {{{}: \"{}\"}}}}}}", key, value));
  };
  const auto instead = [](const std::string& id, const std::string& what, const std::string& by) {
    return Texts{fmt::format("{}: SchedulingShard default: {}: KAI uses {} instead", id, what, by)};
  };
  const std::string unreadable = "argument-unreadable";
  CHECK(proportion("kValue", "0.5").empty());
  CHECK(proportion("kValue", "0").empty());
  CHECK(proportion("kValue", "-0.5") == instead(unreadable, "kValue \"-0.5\" is negative", "0"));
  CHECK(proportion("kValue", "many") == instead(unreadable, "kValue \"many\" is not a number", "1"));
  const std::string multiplier = "relcaimerSaturationMultiplier";
  CHECK(proportion(multiplier, "1").empty());
  CHECK(proportion(multiplier, "0.9") == instead(unreadable, multiplier + " \"0.9\" is less than 1", "1"));
  CHECK(proportion(multiplier, "x") == instead(unreadable, multiplier + " \"x\" is not a number", "1"));
  CHECK(warnings("plugins: {minruntime: {arguments: {kValue: \"-1\"}}}").empty());
  CHECK(warnings("plugins: {proportion: {enabled: true}}").empty());
  // The settings are those that the warning names.
  const auto k = [](const std::string& value) {
    return settings(fmt::format("plugins: {{proportion: {{arguments: {{kValue: \"{}\"}}}}}}", value)).k_value;
  };
  CHECK(k("0.5") == 0.5);
  CHECK(k("-0.5") == 0);
  CHECK(k("many") == 1);
  const auto saturation = [&](const std::string& value) {
    return settings(fmt::format("plugins: {{proportion: {{arguments: {{{}: \"{}\"}}}}}}", multiplier, value))
        .saturation_multiplier;
  };
  CHECK(saturation("1.5") == 1.5);
  CHECK(saturation("0.9") == 1);
  CHECK(saturation("x") == 1);

  CHECK(warnings("minRuntime: {reclaimMinRuntime: 1w, preemptMinRuntime: 0s}").empty());
  CHECK(warnings("minRuntime: {reclaimMinRuntime: soon}") ==
        instead("min-runtime-unreadable", "reclaimMinRuntime \"soon\" is not a duration", "0s"));
  CHECK(warnings("minRuntime: {preemptMinRuntime: -1s}") ==
        instead("min-runtime-negative", "preemptMinRuntime \"-1s\" is negative", "0s"));
  CHECK(warnings("plugins: {minruntime: {arguments: {defaultReclaimMinRuntime: \"5\"}}}") ==
        instead("min-runtime-unreadable", "defaultReclaimMinRuntime \"5\" is not a duration", "0s"));
  CHECK(warnings("plugins: {minruntime: {arguments: {defaultPreemptMinRuntime: \"-5m\"}}}") ==
        instead("min-runtime-negative", "defaultPreemptMinRuntime \"-5m\" is negative", "0s"));
}

TEST_CASE("kai shard: each flag has its setting, and a value of its type", "[kai]") {
  const auto with = [](const std::string& name, const std::string& value) {
    return settings(fmt::format("args: {{{}: \"{}\"}}", name, value));
  };
  CHECK(with("max-consolidation-preemptees", "-1").max_consolidation_preemptees == -1);
  CHECK_FALSE(with("allow-consolidating-reclaim", "false").consolidating_reclaim);
  CHECK_FALSE(with("full-hierarchy-fairness", "false").full_hierarchy);
  CHECK_FALSE(with("use-scheduling-signatures", "false").signatures);
  CHECK(with("restrict-node-scheduling", "true").restrict_nodes);
  CHECK(with("schedule-csi-storage", "true").storage_capacity);
  CHECK(with("default-staleness-grace-period", "5s").stale_grace == 5'000'000'000);
  CHECK(with("stuck-in-releasing-threshold", "5s").stuck_threshold == 5'000'000'000);
  CHECK(with("stuck-in-releasing-threshold", "0s").stuck_threshold == 120'000'000'000);
  CHECK(with("stuck-in-releasing-threshold", "-5s").stuck_threshold == 120'000'000'000);
  CHECK(with("resource-reservation-app-label", "x").reservation_app == "x");
  CHECK(with("cpu-worker-node-label-key", "x").cpu_worker_key == "x");
  CHECK(with("gpu-worker-node-label-key", "x").gpu_worker_key == "x");
  CHECK(with("mig-worker-node-label-key", "x").mig_worker_key == "x");
  CHECK(with("scheduler-name", "x").scheduler_name == "x");
  CHECK(with("nodepool-label-key", "x").pool_key == "x");
  const auto refused = [&](const std::string& name, const std::string& value) {
    return with(name, value).cannot_start == fmt::format("invalid argument \"{}\" for \"--{}\" flag", value, name);
  };
  for (const char* name : {"leader-elect", "version", "enable-profiler", "log-json", "detailed-fit-errors",
                           "update-pod-eviction-condition", "schedule-csi-storage", "allow-consolidating-reclaim",
                           "full-hierarchy-fairness", "use-scheduling-signatures", "restrict-node-scheduling"}) {
    CAPTURE(name);
    CHECK(refused(name, "maybe"));
    CHECK(with(name, "true").cannot_start.empty());
  }
  for (const char* name :
       {"v", "qps", "burst", "plugin-server-port", "pyroscope-mutex-profiler-rate", "pyroscope-block-profiler-rate",
        "num-of-status-recording-workers", "max-consolidation-preemptees"}) {
    CAPTURE(name);
    CHECK(refused(name, "1.5"));
    CHECK(with(name, "5").cannot_start.empty());
  }
  for (const char* name : {"schedule-period", "default-staleness-grace-period", "stuck-in-releasing-threshold"}) {
    CAPTURE(name);
    CHECK(refused(name, "5"));
    CHECK(with(name, "5s").cannot_start.empty());
  }
}

TEST_CASE("kai shard: plugins are off if they are disabled, and placement chooses between two", "[kai]") {
  const std::vector<std::pair<std::string, bool kai::Plugins::*>> plugins = {
      {"predicates", &kai::Plugins::predicates},
      {"proportion", &kai::Plugins::proportion},
      {"minruntime", &kai::Plugins::min_runtime},
      {"nodeavailability", &kai::Plugins::node_availability},
      {"resourcetype", &kai::Plugins::resource_type},
      {"podaffinity", &kai::Plugins::pod_affinity},
      {"subgrouporder", &kai::Plugins::sub_group_order},
      {"nominatednode", &kai::Plugins::nominated_node},
      {"topology", &kai::Plugins::topology},
      {"nodeplacement", &kai::Plugins::node_placement},
      {"gpupack", &kai::Plugins::gpu_pack},
      {"gpusharingorder", &kai::Plugins::gpu_sharing_order}};
  for (const auto& [name, member] : plugins) {
    CAPTURE(name);
    CHECK(settings("").plugins.*member);
    const kai::Plugins off = settings(fmt::format("plugins: {{{}: {{enabled: false}}}}", name)).plugins;
    for (const auto& [other, of_other] : plugins) CHECK(off.*of_other == (other != name));
  }
  CHECK_FALSE(settings("").plugins.gpu_spread);
  const kai::Settings spread = settings("placementStrategy: {gpu: spread}");
  CHECK(spread.plugins.gpu_spread);
  CHECK_FALSE(spread.plugins.gpu_pack);
  CHECK_FALSE(spread.plugins.gpu_sharing_order);
  CHECK(spread.gpu_spread);
  CHECK_FALSE(spread.cpu_spread);
  CHECK(settings("placementStrategy: {cpu: spread}").cpu_spread);
}

TEST_CASE("kai shard: a release without search budgets passes them over", "[kai]") {
  const auto gaps = [](const std::string& spec, const std::string& version) {
    Texts names;
    for (const Gap& gap : settings(spec, version).gaps) {
      if (gap.rule == GapRule::kai_setting_unknown) names.push_back(gap.operands.front());
    }
    return names;
  };
  const Texts passed = {"field scenarioSearchBudgets of its shard"};
  for (const char* field : {"maxActionSearchDuration: {default: 1m}", "maxGeneratorSearchDuration: {default: 1m}",
                            "maxJobSearchDuration: 1m", "minJobSearchDuration: 1m"}) {
    CHECK(gaps(fmt::format("scenarioSearchBudgets: {{{}}}", field), "0.12") == passed);
  }
  CHECK(gaps("scenarioSearchBudgets: {}", "0.12").empty());
}

// Of several, the first by name: the scheduler reads them in no fixed order.
TEST_CASE("kai GPU request: the annotations of MIG devices in older releases", "[kai]") {
  const auto legacy = [](const std::string& annotations) -> std::string {
    Objects objects;
    REQUIRE(test::read_text(fmt::format("apiVersion: v1\nkind: Pod\nmetadata: {{name: p, namespace: ml, annotations: "
                                        "{{{}}}}}\nspec: {{containers: [{{name: c}}]}}\n",
                                        annotations),
                            objects));
    const Snapshot cluster(objects);
    const auto found = kai::legacy_mig_of(cluster, cluster.pod(cluster.find_pod("ml", "p")));
    return found ? fmt::format("{} {}", found->count, cluster.text(found->resource)) : "none";
  };
  CHECK(legacy("") == "none");
  CHECK(legacy("nvidia.com/mig-2g.20gb: \"3\"") == "3 nvidia.com/mig-2g.20gb");
  CHECK(legacy("nvidia.com/mig-2g.20gb: \"3\", nvidia.com/mig-1g.5gb: \"2\"") == "2 nvidia.com/mig-1g.5gb");
  CHECK(legacy("nvidia.com/mig-1g.5gb: \"2\", nvidia.com/mig-2g.20gb: \"3\"") == "2 nvidia.com/mig-1g.5gb");
  CHECK(legacy("nvidia.com/mig-1g.5gb: many, nvidia.com/mig-2g.20gb: \"3\"") == "3 nvidia.com/mig-2g.20gb");
  CHECK(legacy("nvidia.com/gpu: \"3\"") == "none");
}

}  // namespace previct::of_shards
