// Source: kubernetes-sigs/kueue v0.19.0 apis/config/v1beta1/defaults.go and configuration_conversion.go,
// apis/config/v1beta2/defaults.go, pkg/features/kube_features.go.
#include "support/kueue.h"

#include <catch2/catch.hpp>

namespace previct::of_settings {
namespace {

using kueue::Settings;

struct Configured {
  std::string text = "";
  std::string version = "v1beta2";
  std::string release = "0.19.0";
  std::string arguments = "";  ///< of the controller in the input
};

auto read(const Configured& of) -> Result<Settings> {
  test::KueueAsked asked(fmt::format(
      "---\n{{apiVersion: v1, kind: Pod, metadata: {{name: k, namespace: kueue-system}}, spec: {{containers: [{{name: "
      "manager, image: \"registry.k8s.io/kueue/kueue:v0.19.0\", args: [\"{}\"]}}]}}}}\n",
      of.arguments));
  asked.config(of.text);
  std::string& bytes = asked.question.kueue_config->bytes;
  bytes.replace(bytes.find("v1beta2"), 7, of.version);
  return kueue::settings_of(Snapshot(asked.objects), asked.question.kueue_config, of.release);
}

auto settings(const Configured& of) -> Settings {
  auto settings = read(of);
  REQUIRE(settings);
  return *std::move(settings);
}

}  // namespace

TEST_CASE("kueue settings: how long pods may take to become ready", "[kueue]") {
  constexpr std::int64_t kMinute = 60'000'000'000;
  const auto limits = [](const Configured& of) { return settings(of).pods_ready; };
  // Without the section, 0.19 waits 30 minutes, but not with a configuration of v1beta1.
  REQUIRE(limits({}));
  CHECK(limits({})->timeout_nanos == 30 * kMinute);
  CHECK(limits({})->recovery_nanos == 30 * kMinute);
  CHECK(limits({})->backoff_base_seconds == 60);
  CHECK(limits({})->backoff_max_seconds == 3600);
  CHECK_FALSE(limits({})->limit);
  CHECK_FALSE(limits({.version = "v1beta1"}));
  CHECK_FALSE(limits({.release = "0.18.5"}));
  CHECK_FALSE(limits({.text = "waitForPodsReady: {timeout: 1m}\n", .version = "v1beta1"}));
  const std::string enabled = "waitForPodsReady: {enable: true}\n";
  CHECK(limits({.text = enabled, .version = "v1beta1"})->timeout_nanos == 5 * kMinute);
  CHECK(limits({.text = "waitForPodsReady: {}\n", .release = "0.18.5"})->timeout_nanos == 30 * kMinute);
  CHECK(limits({.text = "waitForPodsReady: {timeout: 0s}\n"})->timeout_nanos == 30 * kMinute);
  const Configured all{
      .text =
          "waitForPodsReady: {timeout: 2m, recoveryTimeout: 3m, requeuingStrategy: {backoffLimitCount: "
          "4, backoffBaseSeconds: 5, backoffMaxSeconds: 6}}\n"};
  CHECK(limits(all)->timeout_nanos == 2 * kMinute);
  CHECK(limits(all)->recovery_nanos == 3 * kMinute);
  CHECK(limits(all)->limit == 4);
  CHECK(limits(all)->backoff_base_seconds == 5);
  CHECK(limits(all)->backoff_max_seconds == 6);
  CHECK(limits({.text = "waitForPodsReady: {timeout: 2m}\n"})->recovery_nanos == 2 * kMinute);
  // The gate turns it off, wherever it is set.
  CHECK_FALSE(limits({.text = "featureGates: {DisableWaitForPodsReady: true}\n"}));
  CHECK_FALSE(limits({.arguments = "--feature-gates=DisableWaitForPodsReady=true"}));

  const auto blocks = [](const Configured& of) { return settings(of).blocks_admission; };
  CHECK_FALSE(blocks({.text = "waitForPodsReady: {}\n"}));
  CHECK(blocks({.text = "waitForPodsReady: {blockAdmission: true}\n"}));
  CHECK(blocks({.text = enabled, .version = "v1beta1"}));
  CHECK_FALSE(blocks({.text = "waitForPodsReady: {enable: true, blockAdmission: false}\n", .version = "v1beta1"}));
  CHECK_FALSE(blocks({.text = "waitForPodsReady: {blockAdmission: true}\n", .version = "v1beta1"}));
  CHECK_FALSE(
      blocks({.text = "waitForPodsReady: {blockAdmission: true}\nfeatureGates: {DisableWaitForPodsReady: true}\n"}));
  const auto by_eviction = [](const std::string& strategy) {
    return settings({.text = fmt::format("waitForPodsReady: {{requeuingStrategy: {{{}}}}}\n", strategy)})
        .evicted_queue_by_eviction;
  };
  CHECK(by_eviction(""));
  CHECK(by_eviction("timestamp: Eviction"));
  CHECK_FALSE(by_eviction("timestamp: Creation"));
}

TEST_CASE("kueue settings: sharing, jobs and resources", "[kueue]") {
  using enum kueue::FairStrategy;
  using Strategies = std::vector<kueue::FairStrategy>;
  const auto strategies = [](const std::string& list) {
    return settings({.text = fmt::format("fairSharing: {{preemptionStrategies: [{}]}}\n", list)}).strategies;
  };
  CHECK(strategies("LessThanInitialShare") == Strategies{initial_share});
  CHECK(strategies("LessThanOrEqualToFinalShare") == Strategies{final_share});
  CHECK(strategies("LessThanOrEqualToFinalShare, LessThanInitialShare") == Strategies{final_share, initial_share});
  CHECK(settings({.text = "fairSharing: {enable: true}\n", .version = "v1beta1"}).strategies ==
        Strategies{final_share, initial_share});

  const auto sharing = [](const std::string& text, const std::string& more = "") {
    return settings({.text = fmt::format("admissionFairSharing: {{{}}}\n{}", text, more)}).admission_fair_sharing;
  };
  const auto full = sharing("usageHalfLifeTime: 168h, usageSamplingInterval: 1m, resourceWeights: {cpu: 0.5}");
  REQUIRE(full);
  CHECK(full->half_life == 168 * 3600);
  CHECK(full->sampling == 60);
  CHECK(full->weights.size() == 1);
  CHECK(sharing("usageHalfLifeTime: 1h")->sampling == 300);
  CHECK_FALSE(settings({}).admission_fair_sharing);
  CHECK_FALSE(sharing("usageHalfLifeTime: 1h", "featureGates: {AdmissionFairSharing: false}\n"));

  const auto jobs = [](const std::string& list) {
    return settings({.text = fmt::format("integrations: {{frameworks: [{}]}}\n", list)}).queues_jobs;
  };
  CHECK(jobs(""));
  CHECK(jobs("pod, batch/job"));
  CHECK_FALSE(jobs("pod, jobset.x-k8s.io/jobset"));

  const std::string undeclared = "resources: {quotaCheckStrategy: IgnoreUndeclared}\n";
  CHECK(settings({.text = undeclared}).ignores_undeclared);
  CHECK_FALSE(settings({}).ignores_undeclared);
  CHECK_FALSE(settings({.text = "resources: {quotaCheckStrategy: BlockUndeclared}\n"}).ignores_undeclared);
  CHECK_FALSE(settings({.text = undeclared + "featureGates: {QuotaCheckStrategy: false}\n"}).ignores_undeclared);
  CHECK_FALSE(settings({.text = undeclared, .release = "0.18.0"}).ignores_undeclared);  // alpha before 0.19
}

TEST_CASE("kueue settings: feature gates of the release, the controller and its configuration", "[kueue]") {
  const auto boost = [](const Configured& of) { return settings(of).gates.priority_boost; };
  CHECK_FALSE(boost({}));
  CHECK(boost({.text = "featureGates: {PriorityBoost: true}\n"}));
  CHECK(boost({.arguments = "--feature-gates=PriorityBoost=true"}));
  // What is no boolean, and gates without effect here, change nothing.
  CHECK_FALSE(boost({.arguments = "--feature-gates=PriorityBoost"}));
  CHECK_FALSE(boost({.arguments = "--feature-gates=PriorityBoost=yes"}));
  CHECK(boost({.arguments = "--feature-gates=Other=true,PriorityBoost=true"}));
  const auto sorting = [](const std::string& arguments) {
    return settings({.arguments = arguments}).gates.priority_sorting;
  };
  CHECK(sorting(""));
  CHECK_FALSE(sorting("--feature-gates=PrioritySortingWithinCohort=false"));
  // Enabled by default since 0.18 and 0.19.
  CHECK_FALSE(settings({.release = "0.17.9"}).gates.equivalence_hashing);
  CHECK(settings({.release = "0.18.0"}).gates.equivalence_hashing);
  CHECK_FALSE(settings({.release = "0.18.9"}).gates.admission_gated_by);
  CHECK(settings({.release = "0.19.0"}).gates.admission_gated_by);
  CHECK_FALSE(settings({.release = "0.18.4"}).gates.keeps_scan_progress);
  CHECK(settings({.release = "0.18.5"}).gates.keeps_scan_progress);
  CHECK_FALSE(settings({.release = "0.19.0"}).gates.keeps_scan_progress);
  CHECK(settings({.release = "0.19.1"}).gates.keeps_scan_progress);
}

// Source: kubernetes-sigs/kueue v0.19.0 pkg/config/validation.go, the same in v0.17.0 and v0.19.2 except for
// quotaCheckStrategy.
TEST_CASE("kueue settings: the controller does not start with invalid fields", "[kueue]") {
  const auto refusal = [](const Configured& of) -> std::string {
    const auto settings = read(of);
    return settings ? "" : settings.error().message + " | " + settings.error().help;
  };
  const auto in = [&](const std::string& text, const std::string& version = "v1beta2") {
    const std::string found = refusal({.text = text + "\n", .version = version});
    return found.substr(0, found.find(" | "));
  };
  const std::string help = "; use LessThanOrEqualToFinalShare, LessThanInitialShare, or both in this order";
  // validateFairSharing: only v1beta1 has a default.
  for (const std::string release : {"0.17.0", "0.18.5", "0.19.0", "0.19.2"})
    CHECK(refusal({.text = "fairSharing: {}\n", .release = release}) ==
          "fairSharing.preemptionStrategies is not set | Kueue does not start without it" + help);
  CHECK(in("fairSharing: {enable: true}", "v1beta1").empty());
  CHECK(in("fairSharing: {preemptionStrategies: [x]}") == "fairSharing.preemptionStrategies: no strategy \"x\"");
  CHECK(in("fairSharing: {preemptionStrategies: [x]}", "v1beta1").empty());  // not enabled
  CHECK(in("fairSharing: {enable: true, preemptionStrategies: [x]}", "v1beta1") ==
        "fairSharing.preemptionStrategies: no strategy \"x\"");
  CHECK(in("fairSharing: {preemptionStrategies: [LessThanInitialShare, LessThanOrEqualToFinalShare]}") ==
        "fairSharing.preemptionStrategies: [LessThanInitialShare, LessThanOrEqualToFinalShare] is not a valid order");
  CHECK(in("fairSharing: {preemptionStrategies: [LessThanInitialShare, LessThanInitialShare]}") ==
        "fairSharing.preemptionStrategies: [LessThanInitialShare, LessThanInitialShare] is not a valid order");
  // validateWaitForPodsReady
  CHECK(refusal({.text = "waitForPodsReady: {timeout: -1s}\n"}) ==
        "waitForPodsReady.timeout is negative | Kueue does not start with it");
  CHECK(in("waitForPodsReady: {recoveryTimeout: -1s}") == "waitForPodsReady.recoveryTimeout is negative");
  CHECK(in("waitForPodsReady: {recoveryTimeout: 0s}").empty());
  CHECK(in("waitForPodsReady: {enable: true, timeout: 0s}", "v1beta1") == "waitForPodsReady.timeout is 0");
  CHECK(in("waitForPodsReady: {timeout: -1s}", "v1beta1").empty());  // not enabled
  CHECK(in("waitForPodsReady: {timeout: -1s}\nfeatureGates: {DisableWaitForPodsReady: true}").empty());
  CHECK(in("waitForPodsReady: {requeuingStrategy: {timestamp: Never}}") ==
        "waitForPodsReady.requeuingStrategy.timestamp: \"Never\" is not one of Creation, Eviction");
  for (const std::string field : {"backoffLimitCount", "backoffBaseSeconds", "backoffMaxSeconds"}) {
    CHECK(in(fmt::format("waitForPodsReady: {{requeuingStrategy: {{{}: -1}}}}", field)) ==
          fmt::format("waitForPodsReady.requeuingStrategy.{} is negative", field));
    CHECK(in(fmt::format("waitForPodsReady: {{requeuingStrategy: {{{}: 0}}}}", field)).empty());
  }
  // validateIntegrations
  CHECK(in("integrations: {frameworks: [pod, batch/jobs]}") ==
        "integrations.frameworks[1]: no integration \"batch/jobs\"");
  CHECK(in("integrations: {frameworks: [pod, batch/job, pod]}") ==
        "integrations.frameworks[2]: \"pod\" is listed twice");
  // validateAdmissionFairSharing
  CHECK(in("admissionFairSharing: {usageHalfLifeTime: -1s}") == "admissionFairSharing.usageHalfLifeTime is negative");
  CHECK(in("admissionFairSharing: {usageSamplingInterval: -1s}") ==
        "admissionFairSharing.usageSamplingInterval is negative");
  CHECK(in("admissionFairSharing: {resourceWeights: {cpu: -0.5}}") ==
        "admissionFairSharing.resourceWeights[cpu] is negative");
  CHECK(in("admissionFairSharing: {resourceWeights: {cpu: 0}}").empty());
  // validateResourceTransformations
  CHECK(in("resources: {transformations: [{input: a}, {input: b, strategy: Drop}]}") ==
        "resources.transformations[1].strategy: \"Drop\" is not one of Retain, Replace");
  CHECK(in("resources: {transformations: [{input: a}, {input: b}, {input: a}]}") ==
        "resources.transformations[2].input: \"a\" has two transformations");
  // validateQuotaCheckStrategy
  const std::string ignore = "resources: {quotaCheckStrategy: IgnoreUndeclared, excludeResourcePrefixes: [a/]}\n";
  CHECK(in("resources: {quotaCheckStrategy: Ask}") ==
        "resources.quotaCheckStrategy: \"Ask\" is not one of IgnoreUndeclared, BlockUndeclared");
  CHECK(in(ignore) == "resources.quotaCheckStrategy: IgnoreUndeclared is not allowed with excludeResourcePrefixes");
  CHECK(refusal({.text = ignore, .release = "0.18.5"}).empty());
  CHECK(in("resources: {quotaCheckStrategy: BlockUndeclared, excludeResourcePrefixes: [a/]}").empty());
}

// Source: kubernetes-sigs/kueue pkg/config/validation.go LoadAndValidateFeatureGates (v0.19.0, v0.19.2),
// ValidateFeatureGates (v0.17.0); pkg/features/kube_features.go.
TEST_CASE("kueue settings: the controller does not start with feature gates that need others", "[kueue]") {
  const auto refusal = [](const std::string& gates, const std::string& release = "0.19.0",
                          const std::string& arguments = "") -> std::string {
    const auto settings = read({.text = gates.empty() ? "" : fmt::format("featureGates: {{{}}}\n", gates),
                                .release = release,
                                .arguments = arguments});
    return settings ? "" : settings.error().message;
  };
  const std::string mixed = "the feature gate TASProfileMixed requires TopologyAwareScheduling";
  CHECK(refusal("").empty());
  for (const std::string release : {"0.17.0", "0.18.5", "0.19.0"})
    CHECK(refusal("TopologyAwareScheduling: false", release) == mixed);
  CHECK(refusal("", "0.19.0", "--feature-gates=TopologyAwareScheduling=false") == mixed);
  CHECK(refusal("TopologyAwareScheduling: false, TASProfileMixed: false", "0.17.0").empty());
  CHECK(refusal("TopologyAwareScheduling: false, TASProfileMixed: false") ==
        "the feature gate TASHandleOverlappingFlavors requires TopologyAwareScheduling");
  const std::string off =
      "TopologyAwareScheduling: false, TASProfileMixed: false, TASHandleOverlappingFlavors: false, "
      "TASFailedNodeReplacement: false, TASFailedNodeReplacementFailFast: false, TASReplaceNodeOnPodTermination: "
      "false, TASReplaceNodeOnNodeTaints: false, TASMultiLayerTopology: false";
  CHECK(refusal(off).empty());
  CHECK(refusal(off, "0.19.2") ==
        "the feature gate TASRecomputeAssignmentWithinSchedulingCycle requires TopologyAwareScheduling");
  CHECK(refusal("ElasticJobsViaWorkloadSlicesWithTAS: true").empty());
  CHECK(refusal("ElasticJobsViaWorkloadSlicesWithTAS: true", "0.17.0") ==
        "the feature gate ElasticJobsViaWorkloadSlicesWithTAS requires ElasticJobsViaWorkloadSlices");
  CHECK(refusal("KueueDRAIntegration: false") ==
        "the feature gate KueueDRAIntegrationExtendedResource requires KueueDRAIntegration");
  CHECK(refusal("UnadmittedWorkloadsExplicitStatus: true") ==
        "the feature gate UnadmittedWorkloadsExplicitStatus requires UnadmittedWorkloadsObservability");
  CHECK(refusal("UnadmittedWorkloadsExplicitStatus: true, UnadmittedWorkloadsObservability: true").empty());
  CHECK(refusal("PriorityBoost: true", "0.19.0", "--feature-gates=PriorityBoost=true") ==
        "feature gates are set by featureGates and by --feature-gates of the controller");
  CHECK(refusal("TopologyAwareScheduling: false", "0.20.0").empty());  // not known
}

TEST_CASE("kueue settings: releases", "[kueue]") {
  const auto release = [](const std::string& text) -> std::string {
    const auto parsed = kueue::read_release(text);
    return parsed ? kueue::release_text(*parsed) : parsed.error().message;
  };
  CHECK(release("") == "0.19.0");
  CHECK(release("0.18") == "0.18.0");
  CHECK(release("v0.18.3") == "0.18.3");
  CHECK(release("0.18.3-rc.1") == "0.18.3");
  for (const std::string wrong : {"1.0.0", "0.", "0.x", "0.18.", "0.18.x", "0.-1", "0.18.-1", "v", "main"})
    CHECK(release(wrong) == fmt::format("\"{}\" is not a release of Kueue; expected one such as 0.19.0", wrong));
}

}  // namespace previct::of_settings
