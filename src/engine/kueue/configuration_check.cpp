#include "engine/kueue/configuration_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace previct::kueue {
namespace {

constexpr const char* kRefused = "Kueue does not start with it";

// Source: the FrameworkName of each package of pkg/controller/jobs: the same in v0.17.0, v0.19.0 and v0.19.2.
constexpr std::array<std::string_view, 18> kFrameworks = {"batch/job",
                                                          "deployment",
                                                          "jobset.x-k8s.io/jobset",
                                                          "kubeflow.org/jaxjob",
                                                          "kubeflow.org/mpijob",
                                                          "kubeflow.org/paddlejob",
                                                          "kubeflow.org/pytorchjob",
                                                          "kubeflow.org/tfjob",
                                                          "kubeflow.org/xgboostjob",
                                                          "leaderworkerset.x-k8s.io/leaderworkerset",
                                                          "pod",
                                                          "ray.io/raycluster",
                                                          "ray.io/rayjob",
                                                          "ray.io/rayservice",
                                                          "sparkoperator.k8s.io/sparkapplication",
                                                          "statefulset",
                                                          "trainer.kubeflow.org/trainjob",
                                                          "workload.codeflare.dev/appwrapper"};

class ConfigurationCheck {
 public:
  ConfigurationCheck(const Configuration& read, const Settings& settings, const Snapshot& cluster, Place at)
      : read_(read),
        settings_(settings),
        cluster_(cluster),
        at_(at),
        v1beta1_(read.api_version.ends_with("/v1beta1")) {}

  // In upstream's order.
  auto run() const -> Result<void> {
    PREVICT_CHECK(check_pods_ready());
    PREVICT_CHECK(check_frameworks());
    PREVICT_CHECK(check_fair_sharing());
    PREVICT_CHECK(check_admission_fair_sharing());
    PREVICT_CHECK(check_transformations());
    return check_quota_strategy();
  }

 private:
  [[nodiscard]] auto refuse(const std::string& what, const std::string& advice = "") const {
    return fail(what, at_, advice.empty() ? kRefused : fmt::format("{}; {}", kRefused, advice));
  }
  [[nodiscard]] auto word(std::string_view path, std::string_view given,
                          const std::vector<std::string_view>& allowed) const -> Result<void> {
    if (given.empty() || std::find(allowed.begin(), allowed.end(), given) != allowed.end()) return {};
    return refuse(fmt::format("{}: \"{}\" is not one of {}", path, given, fmt::join(allowed, ", ")));
  }
  [[nodiscard]] auto not_negative(std::string_view path, double given) const -> Result<void> {
    if (given >= 0) return {};
    return refuse(fmt::format("{} is negative", path));
  }

  [[nodiscard]] auto check_pods_ready() const -> Result<void> {
    const auto& given = read_.wait_for_pods_ready;
    if (!given || settings_.gates.never_waits_for_pods || (v1beta1_ && !given->enable.value_or(false))) return {};
    const auto nanos = [](const std::optional<Duration>& each) {
      return each ? static_cast<double>(each->nanos) : 0.0;
    };
    const std::string path = "waitForPodsReady.";
    // Only v1beta2 replaces 0 by the default.
    if (v1beta1_ && given->timeout && given->timeout->nanos == 0) return refuse(path + "timeout is 0");
    PREVICT_CHECK(not_negative(path + "timeout", nanos(given->timeout)));
    PREVICT_CHECK(not_negative(path + "recoveryTimeout", nanos(given->recovery_timeout)));
    const RequeuingStrategy& again = given->requeuing;
    const std::string of_strategy = path + "requeuingStrategy.";
    PREVICT_CHECK(word(of_strategy + "timestamp", cluster_.text(again.timestamp), {"Creation", "Eviction"}));
    PREVICT_CHECK(not_negative(of_strategy + "backoffLimitCount", again.backoff_limit.value_or(0)));
    PREVICT_CHECK(not_negative(of_strategy + "backoffBaseSeconds", again.backoff_base_seconds.value_or(0)));
    return not_negative(of_strategy + "backoffMaxSeconds", again.backoff_max_seconds.value_or(0));
  }

  [[nodiscard]] auto check_frameworks() const -> Result<void> {
    const auto& all = read_.integrations.frameworks;
    for (auto each = all.begin(); each != all.end(); ++each) {
      const std::string path = fmt::format("integrations.frameworks[{}]", each - all.begin());
      if (std::find(kFrameworks.begin(), kFrameworks.end(), *each) == kFrameworks.end())
        return refuse(fmt::format("{}: no integration \"{}\"", path, *each),
                      fmt::format("use {}", fmt::join(kFrameworks, ", ")));
      if (std::find(all.begin(), each, *each) != each)
        return refuse(fmt::format("{}: \"{}\" is listed twice", path, *each));
    }
    return {};
  }

  [[nodiscard]] auto check_fair_sharing() const -> Result<void> {
    const auto& given = read_.fair_sharing;
    if (!given || (v1beta1_ && !given->enable.value_or(false))) return {};
    constexpr std::string_view kFinal = "LessThanOrEqualToFinalShare";
    constexpr std::string_view kInitial = "LessThanInitialShare";
    const std::string path = "fairSharing.preemptionStrategies";
    const std::string advice = fmt::format("use {}, {}, or both in this order", kFinal, kInitial);
    std::vector<std::string_view> names;
    for (const Symbol each : given->strategies) names.push_back(cluster_.text(each));
    for (const std::string_view name : names) {
      if (name != kFinal && name != kInitial) return refuse(fmt::format("{}: no strategy \"{}\"", path, name), advice);
    }
    // v1beta1 has both as the default.
    if (names.empty())
      return v1beta1_ ? Result<void>()
                      : fail(path + " is not set", at_, fmt::format("Kueue does not start without it; {}", advice));
    if (names.size() == 1 || names == std::vector{kFinal, kInitial}) return {};
    return refuse(fmt::format("{}: [{}] is not a valid order", path, fmt::join(names, ", ")), advice);
  }

  [[nodiscard]] auto check_admission_fair_sharing() const -> Result<void> {
    const auto& given = read_.admission_fair_sharing;
    if (!given) return {};
    const std::string path = "admissionFairSharing.";
    PREVICT_CHECK(not_negative(path + "usageHalfLifeTime", static_cast<double>(given->usage_half_life.nanos)));
    PREVICT_CHECK(
        not_negative(path + "usageSamplingInterval", static_cast<double>(given->usage_sampling_interval.nanos)));
    for (const auto& [resource, weight] : given->resource_weights)
      PREVICT_CHECK(not_negative(fmt::format("{}resourceWeights[{}]", path, cluster_.text(resource)), weight));
    return {};
  }

  [[nodiscard]] auto check_transformations() const -> Result<void> {
    const auto& all = read_.resources.transformations;
    for (auto each = all.begin(); each != all.end(); ++each) {
      const std::string path = fmt::format("resources.transformations[{}].", each - all.begin());
      PREVICT_CHECK(word(path + "strategy", cluster_.text(each->strategy), {"Retain", "Replace"}));
      const bool again = std::any_of(all.begin(), each,
                                     [&](const ResourceTransformation& other) { return other.input == each->input; });
      if (again)
        return refuse(fmt::format("{}input: \"{}\" has two transformations", path, cluster_.text(each->input)));
    }
    return {};
  }

  [[nodiscard]] auto check_quota_strategy() const -> Result<void> {
    if (!settings_.gates.quota_check_strategy) return {};
    constexpr std::string_view kIgnore = "IgnoreUndeclared";
    const std::string path = "resources.quotaCheckStrategy";
    const std::string_view strategy = cluster_.text(read_.resources.quota_check_strategy);
    if (strategy == kIgnore && !read_.resources.exclude_prefixes.empty())
      return refuse(fmt::format("{}: {} is not allowed with excludeResourcePrefixes", path, kIgnore));
    return word(path, strategy, {kIgnore, "BlockUndeclared"});
  }

  const Configuration& read_;
  const Settings& settings_;
  const Snapshot& cluster_;
  Place at_;
  bool v1beta1_;
};

// A feature gate with which the controller does not start unless another one is enabled, and the release from which
// this is known.
struct GateNeed {
  std::string_view gate;
  std::string_view needs;
  Release since;
};
constexpr std::string_view kTopology = "TopologyAwareScheduling";
constexpr std::string_view kReplacement = "TASFailedNodeReplacement";
constexpr std::string_view kDevices = "KueueDRAIntegration";
constexpr std::string_view kSlices = "ElasticJobsViaWorkloadSlices";
constexpr std::string_view kObservability = "UnadmittedWorkloadsObservability";
constexpr Release k17{17, 0};
constexpr Release k19{19, 0};
constexpr Release kLast{19, 2};
constexpr std::array kNeedsOfGates = {GateNeed{"TASProfileMixed", kTopology, k17},
                                      GateNeed{"ElasticJobsViaWorkloadSlicesWithTAS", kSlices, k17},
                                      GateNeed{"ElasticJobsViaWorkloadSlicesWithTAS", kTopology, k17},
                                      GateNeed{"TASHandleOverlappingFlavors", kTopology, k19},
                                      GateNeed{kReplacement, kTopology, k19},
                                      GateNeed{"TASFailedNodeReplacementFailFast", kTopology, k19},
                                      GateNeed{"TASFailedNodeReplacementFailFast", kReplacement, k19},
                                      GateNeed{"TASReplaceNodeOnPodTermination", kTopology, k19},
                                      GateNeed{"TASReplaceNodeOnPodTermination", kReplacement, k19},
                                      GateNeed{"TASReplaceNodeDueToNotReadyOverFixedTime", kTopology, k19},
                                      GateNeed{"TASReplaceNodeDueToNotReadyOverFixedTime", kReplacement, k19},
                                      GateNeed{"TASBalancedPlacement", kTopology, k19},
                                      GateNeed{"TASReplaceNodeOnNodeTaints", kTopology, k19},
                                      GateNeed{"TASMultiLayerTopology", kTopology, k19},
                                      GateNeed{"TASRespectNodeAffinityPreferred", kTopology, k19},
                                      GateNeed{"TASRecomputeAssignmentWithinSchedulingCycle", kTopology, kLast},
                                      GateNeed{"UnadmittedWorkloadsExplicitStatus", kObservability, k19},
                                      GateNeed{"KueueDRAIntegrationExtendedResource", kDevices, k19},
                                      GateNeed{"KueueDRAIntegrationPartitionableDevices", kDevices, k19},
                                      GateNeed{"KueueDRAIntegrationConsumableCapacity", kDevices, k19}};

// Of the gates that previct does not read otherwise, those that are enabled by default in the releases of their rows.
constexpr std::array<std::string_view, 6> kOthersOnByDefault = {kReplacement,
                                                                "TASFailedNodeReplacementFailFast",
                                                                "TASReplaceNodeOnPodTermination",
                                                                "TASReplaceNodeOnNodeTaints",
                                                                "TASMultiLayerTopology",
                                                                "KueueDRAIntegrationPartitionableDevices"};

auto is_on(std::string_view gate, const GivenGates& given, Release release) -> bool {
  if (const auto found = given.find(gate); found != given.end()) return found->second;
  if (const auto known = on_by_default(gate, release)) return *known;
  return std::find(kOthersOnByDefault.begin(), kOthersOnByDefault.end(), gate) != kOthersOnByDefault.end();
}

}  // namespace

auto check_configuration(const Configuration& read, const Settings& settings, const Snapshot& cluster, Place at)
    -> Result<void> {
  return ConfigurationCheck(read, settings, cluster, at).run();
}

auto check_gates(const GivenGates& given, Release release, Place at) -> Result<void> {
  if (release > last_known(release)) return {};
  for (const GateNeed& each : kNeedsOfGates) {
    if (release < each.since || !is_on(each.gate, given, release) || is_on(each.needs, given, release)) continue;
    return fail(fmt::format("the feature gate {} requires {}", each.gate, each.needs), at,
                fmt::format("Kueue {} does not start with it; disable {}, too, or select another release with "
                            "--kueue-version",
                            release_text(release), each.gate));
  }
  return {};
}

}  // namespace previct::kueue
