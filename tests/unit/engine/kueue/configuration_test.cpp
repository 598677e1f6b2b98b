#include "support/kueue.h"

#include <catch2/catch.hpp>

#include <cmath>

// Where Kueue's Configuration is found in an input. Source: kubernetes-sigs/kueue v0.19.0
// config/components/manager/controller_manager_config.yaml.

namespace previct {
namespace {

using test::flavor;
using test::KueueAsked;
using test::queue;
using test::workload;

auto config_map(const std::string& name, const std::string& key, const std::string& text) -> std::string {
  return fmt::format(
      "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: {}, namespace: kueue-system}}\ndata:\n  {}: |\n    "
      "apiVersion: config.kueue.x-k8s.io/v1beta2\n    kind: Configuration\n    {}\n",
      name, key, text);
}

auto is_fair(const std::string& more) -> bool {
  KueueAsked asked(flavor() + queue({}) + workload({.name = "w"}) + more);
  const Answer answer = asked.explain("w");
  return static_cast<const kueue::EngineTrace&>(*answer.account).inventory->settings().fair;
}

}  // namespace

TEST_CASE("kueue configuration: read from the ConfigMap of the input", "[kueue]") {
  constexpr const char* kKey = "controller_manager_config.yaml";
  CHECK(is_fair(config_map("kueue-manager-config", kKey, test::kFairSharing)));
  CHECK(is_fair(config_map("batch-kueue-manager-config", kKey, test::kFairSharing)));  // as its chart names it
  CHECK_FALSE(is_fair(config_map("kueue-manager-config", "other.yaml", test::kFairSharing)));
  CHECK(is_fair(config_map("kueue-prod-manager-config", kKey, test::kFairSharing)));  // of the release kueue-prod
  CHECK_FALSE(is_fair(""));
}

TEST_CASE("kueue configuration: without it the input is incomplete", "[kueue]") {
  const std::string objects = flavor() + queue({}) + workload({.name = "w"});
  const auto lacks_configuration = [](const Answer& answer) {
    return std::any_of(answer.gaps.begin(), answer.gaps.end(), [](const Gap& gap) { return gap.lacks("ConfigMap"); });
  };
  CHECK(lacks_configuration(KueueAsked(objects).explain("w")));
  CHECK_FALSE(lacks_configuration(
      KueueAsked(objects + config_map("kueue-manager-config", "controller_manager_config.yaml", "")).explain("w")));
}

TEST_CASE("kueue configuration: of several ConfigMaps, that of the controller's namespace", "[kueue]") {
  // Its pod mounts the ConfigMap of its own namespace. Source: charts/kueue/templates/manager/manager.yaml.
  constexpr const char* kKey = "controller_manager_config.yaml";
  std::string other = config_map("kueue-manager-config", kKey, "");
  other.replace(other.find("kueue-system"), 12, "old");
  const std::string two = other + config_map("kueue-manager-config", kKey, test::kFairSharing);
  const auto is_known = [](const std::string& objects) {
    const Answer answer = KueueAsked(flavor() + queue({}) + workload({.name = "w"}) + objects).explain("w");
    return answer.outcome != Outcome::unknown;
  };
  CHECK_FALSE(is_known(two));
  const std::string pod =
      "---\n{apiVersion: v1, kind: Pod, metadata: {name: k, namespace: kueue-system}, spec: {containers: [{name: "
      "manager, "
      "image: \"registry.k8s.io/kueue/kueue:v0.19.0\"}]}}\n";
  CHECK(is_known(two + pod));
  CHECK(is_fair(two + pod));
}

TEST_CASE("kueue controller pod: shows the release and the feature gates", "[kueue]") {
  const auto settings_with = [](const std::string& image, const std::string& arguments, const std::string& version) {
    KueueAsked asked(
        flavor() + queue({}) + workload({.name = "w"}) +
        fmt::format(
            "---\n{{apiVersion: v1, kind: Pod, metadata: {{name: m, namespace: kueue-system}}, spec: {{nodeName: "
            "n1, containers: [{{name: manager, image: \"{}\", args: [\"{}\"]}}]}}, status: {{phase: Running}}}}\n",
            image, arguments));
    asked.question.kueue_version = version;
    const Answer answer = asked.explain("w");
    return static_cast<const kueue::EngineTrace&>(*answer.account).inventory->settings();
  };
  const std::string image = "registry.k8s.io/kueue/kueue:v0.17.3";
  CHECK(settings_with(image, "--zap-log-level=2", "").release == kueue::Release{17, 3});
  CHECK_FALSE(settings_with(image, "--zap-log-level=2", "").gates.equivalence_hashing);  // on since 0.18
  CHECK(settings_with(image, "--zap-log-level=2", "0.19.0").release == kueue::Release{19, 0});
  CHECK(settings_with("example.org/kueue:main", "", "").release == kueue::Release{19, 0});
  CHECK(settings_with("example.org/other:v0.17.3", "", "").release == kueue::Release{19, 0});
  CHECK(settings_with(image, "--feature-gates=PriorityBoost=true,PartialAdmission=false", "").gates.priority_boost);
  CHECK_FALSE(
      settings_with(image, "--feature-gates=PriorityBoost=true,PartialAdmission=false", "").gates.partial_admission);
}

TEST_CASE("kueue release: the answer says how it is known, and what is not known of it", "[kueue]") {
  const auto answer = [](const std::string& tag, const std::string& version, const std::string& config = "") {
    const std::string pod = fmt::format(
        "---\n{{apiVersion: v1, kind: Pod, metadata: {{name: k, namespace: kueue-system}}, spec: {{containers: "
        "[{{name: "
        "manager, image: \"registry.k8s.io/kueue/kueue:{}\"}}]}}}}\n",
        tag);
    KueueAsked asked(flavor() + queue({}) + workload({.name = "w"}) + (tag.empty() ? "" : pod));
    asked.question.kueue_version = version;
    if (!config.empty()) asked.config(config);
    return asked.explain("w");
  };
  const auto has = [](const Answer& of, GapRule rule) {
    return std::any_of(of.gaps.begin(), of.gaps.end(), [&](const Gap& gap) { return gap.rule == rule; });
  };
  CHECK(answer("", "").behaves == "0.19.0 (assumed)");
  CHECK(answer("main", "").behaves == "0.19.0 (assumed)");
  CHECK(answer("v0.19.0", "").behaves == "0.19.0");
  CHECK(answer("", "0.19").behaves == "0.19.0");
  CHECK(has(answer("v0.19.2", ""), GapRule::kueue_release));
  CHECK(has(answer("v0.20.0", ""), GapRule::kueue_release_unknown));
  // The last patches in the changelogs that were read.
  for (const std::string known : {"v0.17.8", "v0.18.6", "v0.19.2"})
    CHECK_FALSE(has(answer(known, ""), GapRule::kueue_release_unknown));
  for (const std::string unknown : {"v0.17.9", "v0.18.7", "v0.19.3"})
    CHECK(has(answer(unknown, ""), GapRule::kueue_release_unknown));
  CHECK(answer("v0.20.0", "").outcome == Outcome::fits);
  CHECK(answer("v0.16.9", "").sentence.starts_with("cannot tell, because the rules of Kueue 0.16.9 are not known."));
  // Both gates are off by default. Source: pkg/features/kube_features.go, v0.19.2.
  CHECK(answer("v0.19.2", "").outcome == Outcome::fits);
  for (const std::string gate : {"RecomputeAssignmentUponPreemptionTargetsOverlap", "PrioritizePreemptorWorkloads"})
    CHECK(answer("v0.19.2", "", fmt::format("featureGates: {{{}: true}}\n", gate)).outcome == Outcome::unknown);
}

TEST_CASE("kueue release: with PreemptionOverBorrowing, a flavor without candidates comes last since 0.19.1",
          "[kueue]") {
  // w requests 2. a, which may reclaim nothing, has lent its 4 CPUs of f to r, and can borrow those of g. Without
  // candidates, f is still better than g before the fix, because it needs no borrowing.
  // Source: pkg/scheduler/flavorassigner/flavorassigner.go isPreferred; #13896 (0.19.1), #13903 (0.18.5).
  const auto queue_of = [](const std::string& name, int f, int g) {
    const auto quota = [](const std::string& of, int cpu) {
      return fmt::format("{{name: {}, resources: [{{name: cpu, nominalQuota: {}}}]}}", of, cpu);
    };
    return test::kueue_object(
               "ClusterQueue", name,
               fmt::format(
                   "namespaceSelector: {{}}, cohortName: all, flavorFungibility: {{whenCanBorrow: "
                   "TryNextFlavor, preference: PreemptionOverBorrowing}}, resourceGroups: [{{coveredResources: [cpu], "
                   "flavors: [{}, {}]}}]",
                   quota("f", f), quota("g", g))) +
           test::kueue_object("LocalQueue", name, "clusterQueue: " + name, "ns");
  };
  const auto answer = [&](const std::string& release) {
    KueueAsked asked(test::kNoCohorts + flavor("f") + flavor("g") + queue_of("a", 4, 0) + queue_of("r", 0, 4) +
                     workload({.name = "run", .queue = "r", .cpu = "4", .holds = true}) +
                     workload({.name = "w", .queue = "a", .cpu = "2"}));
    asked.question.kueue_version = release;
    return asked.explain("w");
  };
  for (const std::string release : {"0.18.4", "0.19.0"}) CHECK(answer(release).outcome == Outcome::pending);
  for (const std::string release : {"0.18.5", "0.19.1", "0.19.2"}) {
    CHECK(answer(release).sentence == "would be admitted by ClusterQueue a on flavor g, borrowing from cohort all");
  }
}

// Messages of the real scheduler of 0.19.2, which gave them 16 of 16 times. In 0.19.0, the order of a Go map decides
// which resource is named. Source: pkg/scheduler/flavorassigner/flavorassigner.go findFlavorForPodSets, assignFlavors;
// pkg/resources/slice_requests.go ForEach.
TEST_CASE("kueue release: since 0.19.1, messages name all resources that a flavor lacks", "[kueue]") {
  const auto message = [](const std::string& second, const std::string& request) {
    std::string wide = queue({});
    const std::string_view covered = "coveredResources: [cpu]";
    const std::string_view quota = "{name: cpu, nominalQuota: 4}";
    wide.replace(wide.find(covered), covered.size(), "coveredResources: [cpu, memory]");
    wide.replace(wide.find(quota), quota.size(), fmt::format("{}, {{name: memory, nominalQuota: 4Gi}}", quota));
    std::string pods = workload({.name = "w", .cpu = "8"});
    const std::string_view cpu = "{cpu: \"8\"}";
    pods.replace(pods.find(cpu), cpu.size(), fmt::format("{{cpu: \"8\", {}: {}}}", second, request));
    KueueAsked asked(flavor() + wide + pods);
    asked.question.kueue_version = "0.19.2";
    return asked.explain("w").scheduler_message;
  };
  CHECK(
      message("memory", "8Gi") ==
      "couldn't assign flavors to pod set main: insufficient quota for cpu in flavor f, previously considered podsets "
      "requests (0) + current podset request (8) > maximum capacity (4), insufficient quota for memory in flavor f, "
      "previously considered podsets requests (0) + current podset request (8Gi) > maximum capacity (4Gi)");
  // The hash of example.com/odd is the smaller one.
  CHECK(message("example.com/odd", "1") ==
        "couldn't assign flavors to pod set main: resource example.com/odd unavailable in ClusterQueue");
}

TEST_CASE("kueue priority: annotations raise it only with the gate PriorityBoost", "[kueue]") {
  // Both have priority 1; boosted, `want` is above `run`, and may preempt it. Source: pkg/util/priority Priority.
  const auto outcome = [](const std::string& config) {
    KueueAsked asked(flavor() + queue({.preemption = "withinClusterQueue: LowerPriority"}) +
                     workload({.name = "run", .cpu = "4", .priority = 1, .holds = true}) +
                     workload({.name = "want",
                               .priority = 1,
                               .minute = 1,
                               .meta = ", annotations: {kueue.x-k8s.io/priority-boost: \"5\"}"}));
    asked.config(config);
    return asked.explain("want").outcome;
  };
  CHECK(outcome("") == Outcome::pending);
  CHECK(outcome("featureGates: {PriorityBoost: true}\n") == Outcome::preempts);
}

// Source: pkg/config/validation.go validateFairSharing: the controller does not start.
TEST_CASE("kueue configuration: an unknown strategy is an error at the ConfigMap", "[kueue]") {
  KueueAsked asked(flavor() + queue({}) + workload({.name = "w"}) +
                   config_map("kueue-manager-config", "controller_manager_config.yaml",
                              "fairSharing: {preemptionStrategies: [Foo]}"));
  const Failure failure = asked.failure("w");
  CHECK(failure.message == "fairSharing.preemptionStrategies: no strategy \"Foo\"");
  CHECK(failure.place.line > 0);
  CHECK_FALSE(failure.help.empty());
}

TEST_CASE("kueue release: a LocalQueue of weight 0 comes last since 0.18.5 and 0.19.1", "[kueue]") {
  // It has used nothing: 0/0 is no number, and sorted first. Source: pkg/util/admissionfairsharing CalculateUsage;
  // #13481.
  const auto usage = [](const std::string& release) {
    KueueAsked asked(flavor() + queue({}) +
                     test::kueue_object("LocalQueue", "z", "clusterQueue: q, fairSharing: {weight: 0}", "ns") +
                     workload({.name = "w", .queue = "z"}));
    asked.question.kueue_version = release;
    asked.config("admissionFairSharing: {usageHalfLifeTime: 1h, usageSamplingInterval: 5m}\n");
    const Answer answer = asked.explain("w");
    const auto& account = static_cast<const kueue::EngineTrace&>(*answer.account);
    return account.start.usage_of_local_queue(account.workload);
  };
  CHECK(usage("0.19.0") == 0);
  CHECK(usage("0.18.4") == 0);
  CHECK(std::isinf(usage("0.19.1")));
  CHECK(std::isinf(usage("0.18.5")));
}

}  // namespace previct
