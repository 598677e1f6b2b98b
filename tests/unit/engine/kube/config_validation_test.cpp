// Which configurations kube-scheduler v1.35.4 refuses, and for which reason. The reasons are those of upstream's
// validation.go, validation_pluginargs.go and framework.go; the real scheduler gave each of them for such a
// configuration.
#include "engine/kube/profile.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace previct;
using namespace previct::test;

namespace {

constexpr std::string_view kHead = "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n";

struct ConfigError {
  std::string message;  // empty if the configuration is accepted
  std::uint32_t line = 0;
};

auto validate(const std::string& text) -> ConfigError {
  const auto cluster = a_cluster({a_node("a", "1")});
  Question question;
  question.scheduler_config = ConfigFile{cluster->objects.files.add("scheduler.yaml"), text};
  const auto checked = kube::check_profiles(*cluster->snapshot, question);
  if (checked) return {};
  return {checked.error().message, checked.error().place.line};
}
auto validate_fields(const std::string& fields) -> ConfigError {
  return validate(std::string(kHead) + fields);
}
auto with_args(std::string_view plugin, std::string_view args) -> ConfigError {
  return validate_fields(fmt::format("profiles:\n- pluginConfig:\n  - name: {}\n    args: {{{}}}\n", plugin, args));
}
auto has(const ConfigError& said, std::string_view words) -> bool {
  INFO(said.message);
  CHECK(said.message.find(words) != std::string::npos);
  return said.message.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("configuration validation: common configurations are accepted", "[kube][config]") {
  CHECK(validate_fields("").message.empty());
  CHECK(validate_fields("profiles: []\n").message.empty());
  CHECK(validate_fields("profiles:\n").message.empty());
  CHECK(validate_fields("profiles: [{plugins: {filter: {disabled: [{name: NoSuchPlugin}]}}}]\n").message.empty());
  CHECK(
      validate_fields("profiles: [{plugins: {preEnqueue: {disabled: [{name: SchedulingGates}]}}}]\n").message.empty());
  CHECK(validate_fields("profiles: [{plugins: {queueSort: {enabled: [{name: PrioritySort}]}}}]\n").message.empty());
  CHECK(validate_fields("leaderElection: {leaderElect: false, resourceLock: endpoints}\n").message.empty());
  CHECK(validate_fields("profiles: [{pluginConfig: [{name: DefaultPreemption}]}]\n").message.empty());
  CHECK(with_args("DefaultPreemption", "minCandidateNodesPercentage: 0").message.empty());
  CHECK(with_args("NodeResourcesFit", "scoringStrategy: {type: MostAllocated}").message.empty());
  CHECK(with_args("Mine", "anything: [1, 2]").message.empty());
}

TEST_CASE("configuration validation: reports upstream's reason and the line of the field", "[kube][config]") {
  const ConfigError weight = validate_fields(
      "profiles:\n- schedulerName: a\n- schedulerName: b\n  pluginConfig:\n  - name: InterPodAffinity\n    args:\n"
      "      hardPodAffinityWeight: 101\n");
  has(weight,
      "profiles[1].pluginConfig[0].args.hardPodAffinityWeight: Invalid value: 101: not in valid range [0, 100]");
  CHECK(weight.line == 9);
  has(with_args("DefaultPreemption", "minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0"),
      "minCandidateNodesPercentage: Invalid value: 0: cannot be zero at the same time as minCandidateNodesAbsolute");
  has(with_args("DefaultPreemption", "minCandidateNodesPercentage: 101"), "not in valid range [0, 100]");
  has(with_args("NodeResourcesBalancedAllocation", "resources: [{name: cpu, weight: 2}]"), "must be 1");
  has(with_args("NodeResourcesFit", "scoringStrategy: {type: Best}"),
      "scoringStrategy.type: Unsupported value: \"Best\": supported values: \"LeastAllocated\", \"MostAllocated\", "
      "\"RequestedToCapacityRatio\"");
  has(with_args("NodeResourcesFit", "ignoredResourceGroups: [a/b]"), "resource group name can't contain '/'");
  has(with_args("PodTopologySpread", "defaultConstraints: [{maxSkew: 1, topologyKey: a, whenUnsatisfiable: X}]"),
      "defaultingType: Invalid value: \"System\": when .defaultConstraints are not empty");
  has(with_args("PodTopologySpread", "defaultingType: List, defaultConstraints: [{maxSkew: 0, topologyKey: a}]"),
      "maxSkew: Invalid value: 0: not in valid range (0, inf)");
  has(with_args("VolumeBinding", "bindTimeoutSeconds: -1"), "should not be a negative value");
  has(with_args("DefaultPreemption", "kind: NodeAffinityArgs"), "were not of type DefaultPreemptionArgs");
  has(with_args("DefaultPreemption", "minCandidates: 1"), "unknown field \"minCandidates\"");
  has(validate_fields("percentageOfNodesToScore: 101\n"), "not in valid range [0-100]");
  has(validate_fields("parallelism: 0\n"), "should be an integer value greater than zero");
  has(validate_fields("leaderElection: {resourceLock: endpoints}\n"), "resourceLock value must be \"leases\"");
  has(validate_fields("podInitialBackoffSeconds: 5\npodMaxBackoffSeconds: 4\n"),
      "must be greater than or equal to PodInitialBackoffSeconds");
  has(validate_fields("parallelism: 1\nparallelism: 2\n"), "key \"parallelism\" already set in map");
}

TEST_CASE("configuration validation: arguments that only a plugin checks are not checked if it is disabled",
          "[kube][config]") {
  const std::string bad = "scoringStrategy: {type: Best}";
  const auto off = [&](std::string_view plugin, std::string_view args) {
    return validate_fields(
        fmt::format("profiles:\n- plugins: {{multiPoint: {{disabled: [{{name: {0}}}]}}}}\n  pluginConfig:\n"
                    "  - name: {0}\n    args: {{{1}}}\n",
                    plugin, args));
  };
  CHECK(off("NodeResourcesFit", bad).message.empty());
  CHECK(with_args("PreemptionToleration", "minCandidateNodesPercentage: 101").message.empty());
  // The arguments of InterPodAffinity are checked with the configuration, whether the plugin is enabled or not.
  CHECK_FALSE(off("InterPodAffinity", "hardPodAffinityWeight: 101").message.empty());
}

TEST_CASE("configuration validation: profiles and their plugins must fit together", "[kube][config]") {
  has(validate_fields("profiles: [{schedulerName: a}, {}]\n"), "profiles[1].schedulerName: Required value");
  has(validate_fields("profiles: [{schedulerName: a}, {schedulerName: a}]\n"), "Duplicate value");
  has(validate_fields("profiles: [{plugins: {filter: {enabled: [{name: NoSuchPlugin}]}}}]\n"),
      "FilterPlugin \"NoSuchPlugin\" does not exist");
  has(validate_fields("profiles: [{plugins: {filter: {enabled: [{name: DefaultPreemption}]}}}]\n"),
      "plugin \"DefaultPreemption\" does not extend FilterPlugin plugin");
  has(validate_fields("profiles: [{plugins: {filter: {enabled: [{name: NodeName}, {name: NodeName}]}}}]\n"),
      "plugin \"NodeName\" already registered as \"FilterPlugin\"");
  has(validate_fields("profiles: [{plugins: {bind: {disabled: [{name: DefaultBinder}]}}}]\n"),
      "at least one bind plugin is needed for profile with scheduler name \"default-scheduler\"");
  has(validate_fields("profiles: [{plugins: {queueSort: {disabled: [{name: '*'}]}}}]\n"),
      "only one queue sort plugin required for profile with scheduler name \"default-scheduler\", but got 0");
  has(validate_fields("profiles: [{schedulerName: a}, {schedulerName: b, plugins: {queueSort: {enabled: [{name: "
                      "PrioritySort}]}}}]\n"),
      "must be the same for all profiles");
  has(validate_fields("profiles: [{pluginConfig: [{name: NodePorts}, {name: NodePorts}]}]\n"),
      "Duplicate value: \"NodePorts\"");
}

// Source: validation.go validatePercentageOfNodesToScore, validateCommonQueueSort, validateExtendedResourceName.
TEST_CASE("configuration validation: the bounds of percentages, the queue sort plugin, names of extenders",
          "[kube][config]") {
  for (const char* accepted : {"0", "100"}) {
    CHECK(validate_fields(fmt::format("percentageOfNodesToScore: {}\n", accepted)).message.empty());
    CHECK(validate_fields(fmt::format("profiles: [{{percentageOfNodesToScore: {}}}]\n", accepted)).message.empty());
  }
  has(validate_fields("percentageOfNodesToScore: -1\n"), "not in valid range [0-100]");
  has(validate_fields("profiles: [{percentageOfNodesToScore: -1}]\n"), "not in valid range [0-100]");
  // Only those of the first profile are counted; the others must be equal to them.
  const std::string two = "plugins: {queueSort: {enabled: [{name: PrioritySort}, {name: Other}]}}";
  has(validate_fields(fmt::format("profiles: [{{schedulerName: a, {}}}, {{schedulerName: b}}]\n", two)),
      "only one queue sort plugin can be enabled");
  has(validate_fields(fmt::format("profiles: [{{schedulerName: a}}, {{schedulerName: b, {}}}]\n", two)),
      "profiles[1].plugins.queueSort: Invalid value: must be the same for all profiles");
  const auto managed = [](std::string_view name) {
    return validate_fields(
        fmt::format("extenders: [{{urlPrefix: 'http://x', filterVerb: f, managedResources: [{{name: {}}}]}}]\n", name));
  };
  CHECK(managed("example.com/foo").message.empty());
  for (const char* name : {"cpu", "kubernetes.io/foo", "requests.example.com/foo", "'example.com/f o'", "example.com/"})
    has(managed(name), "is an invalid extended resource name");
}

// Source: framework.go getScoreWeights. Only plugins that score have a weight, and the weight in `score` overrides the
// one in multiPoint. The sum counts as too large once it is negative.
TEST_CASE("configuration validation: the weight of each score plugin is added once", "[kube][config]") {
  const auto with = [](std::string_view multi_point, std::string_view score) {
    return validate_fields(fmt::format(
        "profiles: [{{plugins: {{multiPoint: {{enabled: [{}]}}, score: {{enabled: [{}]}}}}}}]\n", multi_point, score));
  };
  const char* too_large = "total score of Score plugins could overflow";
  // TaintToleration comes first, with weight 3.
  has(with("{name: NodeAffinity, weight: -9}", ""), too_large);
  CHECK(with("{name: NodePorts, weight: -9}", "").message.empty());
  CHECK(with("{name: NodeAffinity, weight: -9}", "{name: NodeAffinity, weight: 1}").message.empty());
  has(with("{name: NodeAffinity, weight: 1}", "{name: NodeAffinity, weight: -9}"), too_large);
}

TEST_CASE("configuration validation: of several documents, the configuration counts, also in a ConfigMap",
          "[kube][config]") {
  const std::string good(kHead);
  const std::string other = "apiVersion: v1\nkind: Service\nmetadata: {name: s}\n";
  CHECK(validate(other + "---\n" + good).message.empty());
  CHECK(validate(good + "---\n" + other).message.empty());
  const std::string map =
      fmt::format("apiVersion: v1\nkind: ConfigMap\ndata:\n  other: x\n  config.yaml: |\n    {}    {}",
                  "apiVersion: kubescheduler.config.k8s.io/v1\n", "kind: KubeSchedulerConfiguration\n");
  CHECK(validate(other + "---\n" + map).message.empty());
  const ConfigError two = validate(good + "---\n" + map);
  has(two, "two documents are a KubeSchedulerConfiguration: this one and the one at line 1");
  CHECK(two.line == 9);
  has(validate(other + "---\n" + other), "none of the 2 documents is a KubeSchedulerConfiguration");
  const ConfigError deep = validate(map + "    parallelism: 0\n");
  has(deep, "should be an integer value greater than zero");
  CHECK(deep.line == 8);
}
