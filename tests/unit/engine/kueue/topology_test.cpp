#include "support/kueue.h"

#include <catch2/catch.hpp>

// Topology-aware scheduling. Source: kubernetes-sigs/kueue v0.19.0 pkg/cache/scheduler/tas_flavor_snapshot.go; expected
// values are derived by hand from the rules there.

namespace previct {
namespace {

using test::kueue_object;
using test::KueueAsked;
using test::queue;
using test::workload;

auto node(const std::string& name, const std::string& rack, const std::string& cpu, const std::string& more = "")
    -> std::string {
  return fmt::format(
      "---\n{{apiVersion: v1, kind: Node, metadata: {{name: {0}, labels: {{rack: {1}, kubernetes.io/hostname: {0}}}}}, "
      "{3}status: {{allocatable: {{cpu: \"{2}\", pods: \"110\"}}, conditions: [{{type: Ready, status: "
      "\"True\"}}]}}}}\n",
      name, rack, cpu, more);
}

const std::string kTopology =
    kueue_object("Topology", "t", "levels: [{nodeLabel: rack}, {nodeLabel: kubernetes.io/hostname}]") +
    kueue_object("ResourceFlavor", "f", "topologyName: t");
// Rack r1 has 3 cpu on two nodes, rack r2 has 4 on two.
const std::string kNodes =
    node("n1", "r1", "2") + node("n2", "r1", "1") + node("n3", "r2", "2") + node("n4", "r2", "2");

auto asked(const std::string& request, int count, const std::string& more = "") -> Answer {
  KueueAsked asked(kTopology + kNodes + queue({.cpu = "100", .preemption = "withinClusterQueue: LowerPriority"}) +
                   workload({.name = "w", .cpu = "1", .priority = 10, .sets = request, .count = count}) + more);
  asked.question.documents = true;
  return asked.explain("w");
}

auto placed(const Answer& answer) -> std::string {
  return answer.evidence.contains("topology") ? answer.evidence["topology"]["main"].dump() : "";
}

}  // namespace

TEST_CASE("kueue topology: BestFit takes the smallest domain that holds all pods", "[kueue][topology]") {
  // 3 pods of 1 cpu: r1 holds 3, r2 holds 4; the smaller one is enough. In it, the larger node is filled first.
  const Answer answer = asked(", topologyRequest: {required: rack}", 3);
  CHECK(answer.sentence == "would be admitted by ClusterQueue q on flavor f, with its pods in n1 (2), n2 (1)");
  CHECK(placed(answer) == R"([{"values":["n1"],"count":2},{"values":["n2"],"count":1}])");
  // 4 pods only fit into r2.
  CHECK(placed(asked(", topologyRequest: {required: rack}", 4)) ==
        R"([{"values":["n3"],"count":2},{"values":["n4"],"count":2}])");
}

TEST_CASE("kueue topology: a flavor that only limits the number of pods needs no topology", "[kueue][topology]") {
  std::string limited = queue({.cpu = "100"});
  const std::string_view end = "}]}]}]";
  limited.replace(limited.find(end), end.size(),
                  "}]}]}, {coveredResources: [pods], flavors: [{name: plain, resources: [{name: pods, nominalQuota: "
                  "10}]}]}]");
  KueueAsked asked(kTopology + kueue_object("ResourceFlavor", "plain", "nodeLabels: {}") + kNodes + limited +
                   workload({.name = "w", .cpu = "1", .sets = ", topologyRequest: {unconstrained: true}"}));
  asked.question.documents = true;
  // LeastFreeCapacity: n2, with 1 cpu, is the smallest node that holds the pod.
  CHECK(placed(asked.explain("w")) == R"([{"values":["n2"],"count":1}])");
}

TEST_CASE("kueue topology: a required level that no domain can hold", "[kueue][topology]") {
  const Answer answer = asked(", topologyRequest: {required: rack}", 5);
  CHECK(answer.outcome == Outcome::pending);
  CHECK(answer.scheduler_message ==
        "couldn't assign flavors to pod set main: topology \"t\" allows to fit only 4 out of 5 pod(s)");
  CHECK(answer.sentence ==
        "stays pending in ClusterQueue q: 4 of 5 pods fit into one rack of topology t, even without other workloads");
  // A preferred level is given up. Both racks are used, and all their nodes are sorted together: n1, n3 and n4 hold 2,
  // n2 holds 1. n1 and n3 get 2 each, and the smallest node that holds the last pod is n2.
  CHECK(placed(asked(", topologyRequest: {preferred: rack}", 5)) ==
        R"([{"values":["n1"],"count":2},{"values":["n2"],"count":1},{"values":["n3"],"count":2}])");
}

TEST_CASE("kueue topology: pods without constraints go to the fullest nodes", "[kueue][topology]") {
  // LeastFreeCapacity: n2 has 1 cpu and is the smallest node that holds 1 pod.
  CHECK(placed(asked(", topologyRequest: {unconstrained: true}", 1)) == R"([{"values":["n2"],"count":1}])");
}

TEST_CASE("kueue topology: slices stay together", "[kueue][topology]") {
  // Two slices of 2 pods, each on one node: n1, n3 and n4 hold one each. r2 holds both.
  CHECK(placed(asked(", topologyRequest: {preferred: rack, podSetSliceRequiredTopology: kubernetes.io/hostname, "
                     "podSetSliceSize: 2}",
                     4)) == R"([{"values":["n3"],"count":2},{"values":["n4"],"count":2}])");
}

TEST_CASE("kueue topology: inside a slice, pods are placed one at a time, or in slices of their own",
          "[kueue][topology]") {
  // Both nodes of rack r3 hold 5 pods; r1 and r2 are too small for 8.
  const std::string rack3 = node("n5", "r3", "5") + node("n6", "r3", "5");
  const auto one_slice = [&](const std::string& constraint) {
    return placed(asked(", topologyRequest: {preferred: rack, " + constraint + "}", 8, rack3));
  };
  // One at a time: the first node is filled, and the second one gets the rest.
  CHECK(one_slice("podSetSliceRequiredTopology: rack, podSetSliceSize: 8") ==
        R"([{"values":["n5"],"count":5},{"values":["n6"],"count":3}])");
  // In slices of 2 on a node, each node holds two of them.
  const auto layers = [&](int size) {
    return one_slice(
        fmt::format("podsetSliceRequiredTopologyConstraints: [{{topology: rack, size: 8}}, {{topology: "
                    "kubernetes.io/hostname, size: {}}}]",
                    size));
  };
  CHECK(layers(2) == R"([{"values":["n5"],"count":4},{"values":["n6"],"count":4}])");
  CHECK(layers(4) == R"([{"values":["n5"],"count":4},{"values":["n6"],"count":4}])");
  CHECK(layers(8).empty());
}

TEST_CASE("kueue topology: what other pods and workloads use", "[kueue][topology]") {
  const std::string daemon =
      "---\n{apiVersion: v1, kind: Pod, metadata: {name: ds, namespace: ns}, spec: {nodeName: n3, containers: [{name: "
      "c, "
      "resources: {requests: {cpu: \"1\"}}}]}, status: {phase: Running}}\n";
  // r2 is left with 3.
  CHECK(asked(", topologyRequest: {required: rack}", 4, daemon).outcome == Outcome::pending);
  // A workload of lower priority uses 2 cpu of n3: there is quota, but no rack has 4 cpu, so it is preempted.
  std::string run = workload({.name = "run", .cpu = "2", .holds = true});
  const std::string usage = "resourceUsage: {cpu: \"2\"}";
  run.insert(run.find(usage),
             "topologyAssignment: {levels: [kubernetes.io/hostname], slices: [{domainCount: 1, "
             "valuesPerLevel: [{universal: n3}], podCounts: {universal: 1}}]}, ");
  const Answer answer = asked(", topologyRequest: {required: rack}", 4, run);
  CHECK(answer.outcome == Outcome::preempts);
  CHECK(answer.evicted == std::vector<std::string>{"workload/ns/run"});
  CHECK(placed(answer) == R"([{"values":["n3"],"count":2},{"values":["n4"],"count":2}])");
  // On a flavor without a topology, its domains count nowhere.
  run.replace(run.find("flavors: {cpu: f}"), 17, "flavors: {cpu: plain}");
  const Answer elsewhere = asked(", topologyRequest: {required: rack}", 4, test::flavor("plain") + run);
  CHECK(elsewhere.outcome == Outcome::fits);
  CHECK(placed(elsewhere) == R"([{"values":["n3"],"count":2},{"values":["n4"],"count":2}])");
}

TEST_CASE("kueue topology: flavors and pods that do not suit each other", "[kueue][topology]") {
  KueueAsked plain(test::flavor() + queue({}) + workload({.name = "w", .sets = ", topologyRequest: {required: rack}"}));
  CHECK(plain.explain("w").scheduler_message ==
        "couldn't assign flavors to pod set main: Flavor \"f\" does not support TopologyAwareScheduling");
  CHECK(asked(", topologyRequest: {required: block}", 1).scheduler_message ==
        "couldn't assign flavors to pod set main: Flavor \"f\" does not contain the requested level");
}

// A pod set has one topology assignment, so that its flavors may have one topology in all. Each cycle tries the next
// flavor of cpu, with the same result; then it is the turn of the second workload. Source:
// pkg/scheduler/flavorassigner/tas_flavorassigner.go onlyTASFlavor; pkg/workload/workload.go PendingFlavors.
TEST_CASE("kueue topology: several flavors with a topology for one pod set", "[kueue][topology]") {
  const std::string queue = kueue_object("ClusterQueue", "q",
                                         "namespaceSelector: {}, resourceGroups: ["
                                         "{coveredResources: [cpu], flavors: ["
                                         "{name: f, resources: [{name: cpu, nominalQuota: 4}]}, "
                                         "{name: g, resources: [{name: cpu, nominalQuota: 4}]}]}, "
                                         "{coveredResources: [memory], flavors: ["
                                         "{name: m, resources: [{name: memory, nominalQuota: 4Gi}]}]}]") +
                            kueue_object("LocalQueue", "q", "clusterQueue: q", "ns");
  const std::string request = ", topologyRequest: {unconstrained: true}";
  std::string first = workload({.name = "first", .cpu = "1", .minute = 0, .sets = request});
  const std::string_view cpu = "{cpu: \"1\"}";
  first.replace(first.find(cpu), cpu.size(), "{cpu: \"1\", memory: 1Gi}");
  KueueAsked asked(kTopology + kueue_object("ResourceFlavor", "g", "topologyName: t") +
                   kueue_object("ResourceFlavor", "m", "topologyName: t") + kNodes + queue + first +
                   workload({.name = "second", .cpu = "1", .minute = 1, .sets = request}));
  const Answer pending = asked.explain("first");
  CHECK(pending.scheduler_message ==
        "failed to assign flavors to pod set main: more than one TAS flavor assigned: f, m");
  CHECK(pending.sentence ==
        "stays pending, 1st of 2 in ClusterQueue q: pod set main would use several flavors that have a topology: f, m");
  // LeastFreeCapacity: n2 is the smallest node that holds the pod.
  const Answer next = asked.explain("second");
  CHECK(next.outcome == Outcome::fits);
  CHECK(next.sentence == "would be admitted by ClusterQueue q on flavor f, with its pods in n2, in cycle 3 from now");
}

TEST_CASE("kueue topology: cannot tell what is not modeled or not in the input", "[kueue][topology]") {
  KueueAsked without_nodes(kTopology + queue({}) +
                           workload({.name = "w", .sets = ", topologyRequest: {required: rack}"}));
  CHECK(without_nodes.explain("w").outcome == Outcome::unknown);
  KueueAsked old(kTopology + kNodes + queue({}) +
                 workload({.name = "w", .sets = ", topologyRequest: {required: rack}"}));
  old.question.kueue_version = "0.17.0";
  CHECK(old.explain("w").outcome == Outcome::unknown);
  KueueAsked balanced(kTopology + kNodes + queue({}) +
                      workload({.name = "w", .sets = ", topologyRequest: {preferred: rack}"}));
  balanced.config("featureGates: {TASBalancedPlacement: true}\n");
  CHECK(balanced.explain("w").outcome == Outcome::unknown);
}

// All ClusterQueues share one state of each topology flavor, whatever their cohorts. Source:
// pkg/cache/scheduler/snapshot.go Snapshot, tasSnapshots. There is quota for both workloads, and one node, with 4 cpu.
TEST_CASE("kueue topology: queues of different cohorts share the nodes of a flavor", "[kueue][topology]") {
  const auto asked = [](const std::string& flavors, int minute_of_w) {
    const std::string request = ", topologyRequest: {required: kubernetes.io/hostname}";
    return KueueAsked(test::kNoCohorts + flavors + node("n1", "r1", "4") + queue({.name = "a", .cohort = "x"}) +
                      queue({.name = "b"}) +
                      workload({.name = "other", .queue = "a", .cpu = "4", .minute = 5, .sets = request}) +
                      workload({.name = "w", .queue = "b", .cpu = "4", .minute = minute_of_w, .sets = request}));
  };
  const auto outcome = [&](int minute_of_w, const std::string& name) {
    return asked(kTopology, minute_of_w).explain(name).outcome;
  };
  CHECK(outcome(4, "w") == Outcome::fits);
  CHECK(outcome(4, "other") == Outcome::pending);
  CHECK(outcome(6, "w") == Outcome::pending);
  CHECK(outcome(6, "other") == Outcome::fits);
  // Which of equal heads comes first is chance.
  CHECK(outcome(5, "w") == Outcome::unknown);
  CHECK(outcome(5, "other") == Outcome::unknown);
  // With fair sharing, so is the order of queues that share no cohort (pkg/scheduler/fair_sharing_iterator.go getCq).
  const auto with_fair_sharing = [&](const std::string& flavors) {
    KueueAsked fair = asked(flavors, 6);
    fair.config("fairSharing: {preemptionStrategies: [LessThanInitialShare]}\n");
    return fair.explain("w").outcome;
  };
  CHECK(with_fair_sharing(kTopology) == Outcome::unknown);
  // Without a topology, they share nothing.
  const std::string plain = kueue_object("ResourceFlavor", "f", "");
  KueueAsked apart(test::kNoCohorts + plain + queue({.name = "a", .cohort = "x"}) + queue({.name = "b"}) +
                   workload({.name = "other", .queue = "a", .cpu = "4", .minute = 5}) +
                   workload({.name = "w", .queue = "b", .cpu = "4", .minute = 6}));
  CHECK(apart.explain("w").outcome == Outcome::fits);
  CHECK(apart.explain("other").outcome == Outcome::fits);
}

}  // namespace previct
