// The smallest and the largest values that arguments of plugins may have.
// Source: kubernetes pkg/scheduler/apis/config/validation/validation_pluginargs.go, v1.35.4.
#include "engine/kube/profile.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace previct;
using namespace previct::test;

namespace {

struct Bound {
  std::string_view plugin;
  std::string_view args;
  std::string_view refused;  // part of the reason; empty if the arguments are accepted
  std::string_view version = "1.36.3";
  std::string_view gates = "";
};

auto reason(const Bound& bound) -> std::string {
  const auto cluster = a_cluster({a_node("a", "1")});
  Question question;
  question.k8s_version = bound.version;
  question.feature_gates = bound.gates;
  question.scheduler_config =
      ConfigFile{cluster->objects.files.add("scheduler.yaml"),
                 fmt::format("apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n"
                             "- pluginConfig:\n  - name: {}\n    args: {{{}}}\n",
                             bound.plugin, bound.args)};
  const auto checked = kube::check_profiles(*cluster->snapshot, question);
  return checked ? "" : checked.error().message;
}

void check(const std::vector<Bound>& bounds) {
  for (const Bound& bound : bounds) {
    const std::string said = reason(bound);
    INFO(bound.plugin << ": " << bound.args << ": " << said);
    CHECK(said.empty() == bound.refused.empty());
    CHECK(said.find(bound.refused) != std::string::npos);
  }
}

constexpr std::string_view kPercent = "not in valid range [0, 100]";
constexpr std::string_view kNoName = "name part must consist of alphanumeric characters";

}  // namespace

TEST_CASE("plugin argument bounds: DefaultPreemption", "[kube][config]") {
  check({
      {"DefaultPreemption", "minCandidateNodesPercentage: 100", ""},
      {"DefaultPreemption", "minCandidateNodesPercentage: 101", "minCandidateNodesPercentage"},
      {"DefaultPreemption", "minCandidateNodesPercentage: -1", kPercent},
      {"DefaultPreemption", "minCandidateNodesAbsolute: 0", ""},
      {"DefaultPreemption", "minCandidateNodesAbsolute: -1", "not in valid range [0, inf)"},
      {"DefaultPreemption", "minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 1", ""},
      {"DefaultPreemption", "apiVersion: kubescheduler.config.k8s.io/v1, kind: DefaultPreemptionArgs", ""},
      {"DefaultPreemption", "apiVersion: kubescheduler.config.k8s.io/v1beta3", "is registered for version"},
      {"DefaultPreemption", "apiVersion: 1", "apiVersion is no string"},
      {"DefaultPreemption", "kind: [a]", "kind is no string"},
      {"DefaultPreemption", "kind: null", ""},
  });
}

TEST_CASE("plugin argument bounds: InterPodAffinity and NodeAffinity", "[kube][config]") {
  constexpr std::string_view kPreferred =
      "addedAffinity: {{preferredDuringSchedulingIgnoredDuringExecution: [{{weight: {}, preference: "
      "{{matchExpressions: [{{key: a, operator: In, values: [{}]}}]}}}}]}}";
  constexpr std::string_view kRequired =
      "addedAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: [{{matchExpressions: "
      "[{{key: a, operator: {}}}]}}]}}}}";
  const std::string taken = fmt::format(kPreferred, 1, "b");
  const std::string bad = fmt::format(kPreferred, 1, "");
  const std::string weightless = fmt::format(kPreferred, 0, "");  // upstream skips terms of weight 0
  const std::string exists = fmt::format(kRequired, "Exists");
  const std::string in_nothing = fmt::format(kRequired, "In");
  check({
      {"InterPodAffinity", "hardPodAffinityWeight: 0", ""},
      {"InterPodAffinity", "hardPodAffinityWeight: 100", ""},
      {"InterPodAffinity", "hardPodAffinityWeight: -1", kPercent},
      {"NodeAffinity", taken, ""},
      {"NodeAffinity", bad, "addedAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].preference"},
      {"NodeAffinity", weightless, ""},
      {"NodeAffinity", exists, ""},
      {"NodeAffinity", in_nothing, "requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0]"},
  });
}

TEST_CASE("plugin argument bounds: NodeResourcesFit and NodeResourcesBalancedAllocation", "[kube][config]") {
  const auto fit = [](std::string_view type, std::string_view more) {
    return fmt::format("scoringStrategy: {{type: {}, {}}}", type, more);
  };
  const auto shape = [&](std::string_view points) {
    return fit("RequestedToCapacityRatio", fmt::format("requestedToCapacityRatio: {{shape: [{}]}}", points));
  };
  const std::string weight_100 = fit("LeastAllocated", "resources: [{name: cpu, weight: 100}]");
  const std::string weight_0 = fit("LeastAllocated", "resources: [{name: cpu, weight: 0}]");  // defaults make it 1
  const std::string weight_101 = fit("LeastAllocated", "resources: [{name: cpu, weight: 101}]");
  const std::string below = fit("LeastAllocated", "resources: [{name: cpu, weight: -1}]");
  const std::string no_shape = fit("RequestedToCapacityRatio", "resources: [{name: cpu, weight: 1}]");
  const std::string whole = shape("{utilization: 0, score: 0}, {utilization: 100, score: 10}");
  const std::string empty = shape("");
  const std::string twice = shape("{utilization: 5, score: 0}, {utilization: 5, score: 1}");
  const std::string falls = shape("{utilization: 5, score: 0}, {utilization: 4, score: 1}");
  const std::string over = shape("{utilization: 101, score: 0}");
  const std::string under = shape("{utilization: -1, score: 0}");
  const std::string score_11 = shape("{utilization: 0, score: 11}");
  const std::string score_below = shape("{utilization: 0, score: -1}");
  check({
      {"NodeResourcesBalancedAllocation", "resources: [{name: cpu, weight: 1}, {name: memory, weight: 0}]", ""},
      {"NodeResourcesBalancedAllocation", "resources: [{name: cpu, weight: 1}, {name: cpu, weight: 1}]",
       "resources[1].name: Duplicate value: \"cpu\""},
      {"NodeResourcesFit", "ignoredResources: [example.com/gpu], ignoredResourceGroups: [example.com]", ""},
      {"NodeResourcesFit", "ignoredResources: ['a b']", kNoName},
      {"NodeResourcesFit", "ignoredResourceGroups: ['-x']", kNoName},
      {"NodeResourcesFit", weight_100, ""},
      {"NodeResourcesFit", weight_0, ""},
      {"NodeResourcesFit", weight_101, "resource weight of cpu not in valid range (0, 100]"},
      {"NodeResourcesFit", below, "resource weight of cpu not in valid range (0, 100]"},
      {"NodeResourcesFit", no_shape, "scoringStrategy.requestedToCapacityRatio: Required value"},
      {"NodeResourcesFit", whole, ""},
      {"NodeResourcesFit", empty, "at least one point must be specified"},
      {"NodeResourcesFit", twice, "shape[1].utilization: Invalid value: 5: values must be sorted in increasing order"},
      {"NodeResourcesFit", falls, "shape[1].utilization: Invalid value: 4: values must be sorted in increasing order"},
      {"NodeResourcesFit", over, "shape[0].utilization: Invalid value: 101: not in valid range [0, 100]"},
      {"NodeResourcesFit", under, "shape[0].utilization: Invalid value: -1: not in valid range [0, 100]"},
      {"NodeResourcesFit", score_11, "shape[0].score: Invalid value: 11: not in valid range [0, 10]"},
      {"NodeResourcesFit", score_below, "shape[0].score: Invalid value: -1: not in valid range [0, 10]"},
  });
}

TEST_CASE("plugin argument bounds: PodTopologySpread, VolumeBinding and DynamicResources", "[kube][config]") {
  const auto constraints = [](std::string_view list) {
    return fmt::format("defaultingType: List, defaultConstraints: [{}]", list);
  };
  const std::string zone = "{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}";
  const std::string soft = "{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}";
  const std::string both = constraints(zone + ", " + soft);
  const std::string twice = constraints(zone + ", " + zone);
  const std::string no_skew = constraints("{maxSkew: 0, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}");
  const std::string no_key = constraints("{maxSkew: 1, whenUnsatisfiable: DoNotSchedule}");
  const std::string bad_key = constraints("{maxSkew: 1, topologyKey: 'a b', whenUnsatisfiable: DoNotSchedule}");
  const std::string no_action = constraints("{maxSkew: 1, topologyKey: zone}");
  const std::string bad_action = constraints("{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: Never}");
  const std::string selector =
      constraints("{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {}}");
  check({
      {"PodTopologySpread", "defaultingType: System", ""},
      {"PodTopologySpread", "defaultingType: List", ""},
      {"PodTopologySpread", "defaultingType: Auto", "Unsupported value: \"Auto\""},
      {"PodTopologySpread", both, ""},
      {"PodTopologySpread", twice, "defaultConstraints[1]: Duplicate value: \"{zone, DoNotSchedule}\""},
      {"PodTopologySpread", no_skew, "maxSkew: Invalid value: 0: not in valid range (0, inf)"},
      {"PodTopologySpread", no_key, "topologyKey: Required value: can not be empty"},
      {"PodTopologySpread", bad_key, kNoName},
      {"PodTopologySpread", no_action, "whenUnsatisfiable: Required value: can not be empty"},
      {"PodTopologySpread", bad_action, "Unsupported value: \"Never\""},
      {"PodTopologySpread", selector, "labelSelector: Forbidden"},
      {"VolumeBinding", "bindTimeoutSeconds: 0", ""},
      {"VolumeBinding", "shape: [{utilization: 0, score: 0}]", "unexpected field `shape`"},
      {"DynamicResources", "filterTimeout: 0s", ""},
      {"DynamicResources", "filterTimeout: -1s", "filterTimeout: Invalid value: must be zero or positive"},
      {"DynamicResources", "filterTimeout: 1s", "filterTimeout: Forbidden", "1.36.3",
       "DRASchedulerFilterTimeout=false"},
      {"DynamicResources", "kind: DynamicResourcesArgs", ""},
      {"DynamicResources", "bindingTimeout: 1s", ""},
      {"DynamicResources", "bindingTimeout: 999ms", "bindingTimeout: Invalid value: must be at least 1 second"},
      {"DynamicResources", "bindingTimeout: 1s", "bindingTimeout: Forbidden", "1.35.4"},
      {"DynamicResources", "bindingTimeout: 1s", "", "1.34.4", "DRADeviceBindingConditions=true"},
      {"DynamicResources", "bindingTimeout: 1s", "bindingTimeout: Forbidden", "1.34.4",
       "DRADeviceBindingConditions=true,DRAResourceClaimDeviceStatus=false"},
  });
}
