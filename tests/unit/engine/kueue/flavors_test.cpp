// Which flavor a workload gets, and which workloads may be preempted. Source: kubernetes-sigs/kueue v0.19.0
// pkg/scheduler/flavorassigner/flavorassigner.go findFlavorForPodSetResource, checkFlavorForPodSets, flavorSelector;
// pkg/scheduler/preemption/common/preemption_policy.go SatisfiesPreemptionPolicy.
#include "support/kueue.h"

#include <catch2/catch.hpp>

namespace previct::of_flavors {
namespace {

using test::flavor;
using test::kueue_object;
using test::KueueAsked;
using test::queue;
using test::workload;

// A ClusterQueue q with flavors f of one CPU and g of four.
auto two_flavors(const std::string& f = "", const std::string& g = "", const std::string& more = "") -> std::string {
  return flavor("f", f) + flavor("g", g) +
         kueue_object(
             "ClusterQueue", "q",
             fmt::format("namespaceSelector: {{}}, resourceGroups: [{{coveredResources: [cpu], flavors: [{{name: "
                         "f, resources: [{{name: cpu, nominalQuota: 1}}]}}, {{name: g, resources: [{{name: cpu, "
                         "nominalQuota: 4}}]}}]}}]{}",
                         more)) +
         kueue_object("LocalQueue", "q", "clusterQueue: q", "ns");
}

}  // namespace

TEST_CASE("kueue flavors: without FlavorFungibility, the first one that fits", "[kueue]") {
  const auto sentence = [](const std::string& cpu, const std::string& gate) {
    KueueAsked asked(two_flavors() + workload({.name = "w", .cpu = cpu}));
    asked.config(fmt::format("featureGates: {{FlavorFungibility: {}}}\n", gate));
    return asked.explain("w").sentence;
  };
  for (const std::string gate : {"true", "false"}) {
    CAPTURE(gate);
    CHECK(sentence("1", gate) == "would be admitted by ClusterQueue q on flavor f");
    CHECK(sentence("2", gate) == "would be admitted by ClusterQueue q on flavor g");
    CHECK(sentence("5", gate).starts_with("stays pending in ClusterQueue q: it requests 5 cpu"));
  }
}

TEST_CASE("kueue flavors: taints that count, and tolerations of the pods or of the flavor", "[kueue]") {
  const auto flavor_of = [](const std::string& spec, const std::string& pod = "") {
    KueueAsked asked(two_flavors(spec) + workload({.name = "w", .pod = pod}));
    const Answer answer = asked.explain("w");
    return answer.assigned.empty() ? "none" : answer.assigned.front();
  };
  const auto taint = [](const std::string& effect, const std::string& more = "") {
    return fmt::format("nodeTaints: [{{key: spot, value: \"true\", effect: {}}}]{}", effect, more);
  };
  const std::string on_f = "main/cpu: f";
  const std::string on_g = "main/cpu: g";
  CHECK(flavor_of("") == on_f);
  CHECK(flavor_of(taint("NoSchedule")) == on_g);
  CHECK(flavor_of(taint("NoExecute")) == on_g);
  CHECK(flavor_of(taint("PreferNoSchedule")) == on_f);
  const std::string tolerations = "tolerations: [{key: spot, operator: Exists}], ";
  CHECK(flavor_of(taint("NoSchedule"), tolerations) == on_f);
  CHECK(flavor_of(taint("NoExecute"), "tolerations: [{key: spot, operator: Exists, effect: NoSchedule}], ") == on_g);
  CHECK(flavor_of(taint("NoSchedule"), "tolerations: [{key: spot, value: \"false\"}], ") == on_g);
  CHECK(flavor_of(taint("NoSchedule", ", tolerations: [{key: spot, operator: Exists}]")) == on_f);
}

// Selectors count only for the keys of the flavor's labels.
TEST_CASE("kueue flavors: selectors and affinity of the pods", "[kueue]") {
  const auto flavor_of = [](const std::string& pod) {
    KueueAsked asked(two_flavors("nodeLabels: {zone: a}", "nodeLabels: {zone: b}") +
                     workload({.name = "w", .pod = pod}));
    const Answer answer = asked.explain("w");
    return answer.assigned.empty() ? "none" : answer.assigned.front().substr(answer.assigned.front().size() - 1);
  };
  CHECK(flavor_of("nodeSelector: {zone: a}, ") == "f");
  CHECK(flavor_of("nodeSelector: {zone: b}, ") == "g");
  CHECK(flavor_of("nodeSelector: {zone: c}, ") == "none");
  CHECK(flavor_of("nodeSelector: {disk: ssd}, ") == "f");
  const auto terms = [](const std::string& list) {
    return fmt::format(
        "affinity: {{nodeAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: "
        "[{}]}}}}}}, ",
        list);
  };
  const auto zone = [](const std::string& op, const std::string& values) {
    return fmt::format("{{matchExpressions: [{{key: zone, operator: {}, values: [{}]}}]}}", op, values);
  };
  CHECK(flavor_of(terms(zone("In", "b"))) == "g");
  CHECK(flavor_of(terms(zone("In", "b, a"))) == "f");
  CHECK(flavor_of(terms(zone("NotIn", "a"))) == "g");
  CHECK(flavor_of(terms(zone("NotIn", "a, b"))) == "none");
  // One of two terms suffices; a term whose keys the flavor lacks matches.
  CHECK(flavor_of(terms(zone("In", "c") + ", " + zone("In", "b"))) == "g");
  CHECK(flavor_of(terms("{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}")) == "f");
  CHECK(
      flavor_of(terms("{matchExpressions: [{key: disk, operator: In, values: [ssd]}, {key: zone, operator: In, values: "
                      "[b]}]}")) == "g");
}

// run holds all quota, and was created at 11:10. Of equal priority, it may be preempted if it is newer; with
// SchedulerTimestampPreemptionBuffer, if it is newer by more than five minutes.
TEST_CASE("kueue preemption: workloads of equal priority, by the time of their creation", "[kueue]") {
  const auto outcome = [](int minute, const std::string& gate, const std::string& policy = "LowerOrNewerEqualPriority",
                          int priority = 0) {
    KueueAsked asked(flavor() + queue({.preemption = "withinClusterQueue: " + policy}) +
                     workload({.name = "run", .cpu = "4", .holds = true, .minute = 10}) +
                     workload({.name = "w", .cpu = "4", .priority = priority, .minute = minute}));
    asked.config(fmt::format("featureGates: {{SchedulerTimestampPreemptionBuffer: {}}}\n", gate));
    return asked.explain("w").outcome;
  };
  CHECK(outcome(9, "false") == Outcome::preempts);
  CHECK(outcome(10, "false") == Outcome::pending);
  CHECK(outcome(11, "false") == Outcome::pending);
  CHECK(outcome(9, "true") == Outcome::pending);
  CHECK(outcome(5, "true") == Outcome::pending);
  CHECK(outcome(4, "true") == Outcome::preempts);
  CHECK(outcome(9, "false", "LowerPriority") == Outcome::pending);
  CHECK(outcome(11, "false", "LowerPriority", 1) == Outcome::preempts);
  CHECK(outcome(11, "false", "Never", 1) == Outcome::pending);
  CHECK(outcome(9, "false", "LowerOrNewerEqualPriority", -1) == Outcome::pending);
}

// Source: pkg/queue/cluster_queue.go; apis/kueue/v1beta2 AdmissionGatedBy.
TEST_CASE("kueue: a workload whose admission is gated is not queued, with the gate AdmissionGatedBy", "[kueue]") {
  const auto outcome = [](const std::string& value, const std::string& gate) {
    KueueAsked asked(
        flavor() + queue({}) +
        workload(
            {.name = "w", .meta = fmt::format(", annotations: {{kueue.x-k8s.io/admission-gated-by: \"{}\"}}", value)}));
    asked.config(fmt::format("featureGates: {{AdmissionGatedBy: {}}}\n", gate));
    return asked.explain("w").outcome;
  };
  CHECK(outcome("x.io/y", "true") == Outcome::gated);
  CHECK(outcome("x.io/y", "false") == Outcome::fits);
  CHECK(outcome("", "true") == Outcome::fits);
}

TEST_CASE("kueue configuration: files with a ConfigMap, and empty documents", "[kueue]") {
  const auto read = [](const std::string& text) -> std::string {
    KueueAsked asked(flavor() + queue({}) + workload({.name = "w"}));
    asked.question.kueue_config = ConfigFile{asked.objects.files.add("c.yaml"), text};
    const auto verdict = asked.decide("w");
    return verdict ? std::string(outcome_name(verdict->outcome)) : verdict.error().message;
  };
  const std::string configuration = "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\n";
  CHECK(read(configuration) == "fits");
  CHECK(read("---\n---\n" + configuration) == "fits");
  CHECK(read("# nothing\n") == "no Configuration of Kueue in it");
  CHECK(read("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {other: text}\n") ==
        "this ConfigMap has no controller_manager_config.yaml");
  CHECK(read("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata:\n  controller_manager_config.yaml: |\n    "
             "apiVersion: config.kueue.x-k8s.io/v1beta2\n    kind: Configuration\n    fairSharing: "
             "{preemptionStrategies: [Best]}\n") == "fairSharing.preemptionStrategies: no strategy \"Best\"");
}

}  // namespace previct::of_flavors
