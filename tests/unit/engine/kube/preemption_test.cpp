#include "unit/engine/kube/ask.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::test;

TEST_CASE("preemption: a pod that fits evicts no pod") {
  const auto cluster =
      a_cluster({a_node("n", "4"), a_pod("ns/a").on("n").cpu("3").yaml(), a_pod("ns/new").priority(9).yaml()});
  const Answer answer = ask_kube(*cluster, "ns/new");
  CHECK(answer.outcome == Outcome::fits);
  CHECK(answer.victims.empty());
  CHECK(answer.scheduler_message.empty());
}

TEST_CASE("preemption: the more important pods are reprieved first") {
  // 4 CPUs, all in use; the preemptor requests 1. All three pods are removed, then c (30) and b (20) are reprieved: 1 +
  // 1 + 1 ≤ 4. a (10, 2 CPUs) no longer fits: 1 + 1 + 1 + 2 > 4.
  const auto cluster = a_cluster({a_node("n", "4"), a_pod("ns/a").on("n").cpu("2").priority(10).yaml(),
                                  a_pod("ns/b").on("n").priority(20).yaml(), a_pod("ns/c").on("n").priority(30).yaml(),
                                  a_pod("ns/new").priority(100).yaml()});
  const Answer answer = ask_kube(*cluster, "ns/new");
  CHECK(answer.outcome == Outcome::preempts);
  CHECK(victims(*cluster, answer) == Names{"ns/a"});
  CHECK(answer.scheduler_message == "0/1 nodes are available: 1 Insufficient cpu.");
}

TEST_CASE("preemption: pods whose budget is exhausted are reprieved before others, whatever their priority") {
  const auto cluster = a_cluster({a_node("n", "2"), a_pod("ns/guarded").on("n").priority(1).labels("{app: g}").yaml(),
                                  a_pod("ns/free").on("n").priority(50).yaml(), a_budget("ns/g", "g", 0),
                                  a_pod("ns/new").priority(100).yaml()});
  CHECK(victims(*cluster, ask_kube(*cluster, "ns/new")) == Names{"ns/free"});
}

TEST_CASE("preemption: the node whose first victim has the lowest priority is chosen") {
  const auto cluster = a_cluster({a_node("n1", "1"), a_node("n2", "1"), a_pod("ns/a").on("n1").priority(20).yaml(),
                                  a_pod("ns/b").on("n2").priority(10).yaml(), a_pod("ns/new").priority(100).yaml()});
  const Answer answer = ask_kube(*cluster, "ns/new");
  CHECK(answer.node == "n2");
  CHECK(cluster->snapshot->names(answer.tied) == Names{"n2"});
}

TEST_CASE("preemption: nodes that tie on every criterion are all named") {
  const auto cluster =
      a_cluster({a_node("n1", "1"), a_node("n2", "1"), a_pod("ns/a").on("n1").started("2026-03-02T11:00:00Z").yaml(),
                 a_pod("ns/b").on("n2").started("2026-03-02T11:00:00Z").yaml(), a_pod("ns/new").priority(100).yaml()});
  CHECK(cluster->snapshot->names(ask_kube(*cluster, "ns/new").tied) == Names{"n1", "n2"});
}

TEST_CASE("preemption: the younger victim is evicted if all else is equal") {
  const auto cluster = a_cluster(
      {a_node("n1", "1"), a_node("n2", "1"), a_pod("ns/old").on("n1").started("2026-03-02T10:00:00Z").yaml(),
       a_pod("ns/young").on("n2").started("2026-03-02T11:00:00Z").yaml(), a_pod("ns/new").priority(100).yaml()});
  CHECK(victims(*cluster, ask_kube(*cluster, "ns/new")) == Names{"ns/young"});
}

TEST_CASE("preemption: pods of equal priority are no candidates") {
  const auto cluster =
      a_cluster({a_node("n", "1"), a_pod("ns/a").on("n").priority(100).yaml(), a_pod("ns/new").priority(100).yaml()});
  const Answer answer = ask_kube(*cluster, "ns/new");
  CHECK(answer.outcome == Outcome::pending);
  CHECK(answer.scheduler_message ==
        "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: 0/1 nodes are "
        "available: 1 No "
        "preemption victims found for incoming pod.");
}

TEST_CASE("preemption: a pod with preemptionPolicy Never is not eligible") {
  const auto cluster = a_cluster(
      {a_node("n", "1"), a_pod("ns/a").on("n").yaml(), a_pod("ns/new").priority(100).never_preempts().yaml()});
  const Answer answer = ask_kube(*cluster, "ns/new");
  CHECK(answer.outcome == Outcome::not_eligible);
  CHECK(answer.scheduler_message ==
        "0/1 nodes are available: 1 Insufficient cpu. no new claims to deallocate, preemption: not eligible due to "
        "preemptionPolicy=Never.");
}

TEST_CASE("preemption: evictions do not help a request that exceeds the node's size") {
  const auto cluster =
      a_cluster({a_node("n", "1"), a_pod("ns/a").on("n").yaml(), a_pod("ns/new").priority(100).cpu("2").yaml()});
  CHECK(ask_kube(*cluster, "ns/new").sentence == "stays pending: no node has 2 cpu (at most 1)");
}

TEST_CASE("nominated node: a pod nominated there counts for pods of at most its priority") {
  const auto build = [](int priority) {
    return a_cluster({a_node("n", "1"), a_pod("ns/first").priority(50).nominated("n").yaml(),
                      a_pod("ns/new").priority(priority).yaml()});
  };
  CHECK(ask_kube(*build(50), "ns/new").outcome == Outcome::pending);
  CHECK(ask_kube(*build(51), "ns/new").outcome == Outcome::fits);
}

TEST_CASE("nominated node: if the pod fits there, errors of other nodes do not occur") {
  // Source: schedule_one.go findNodesThatFitPod, v1.35.4: evaluateNominatedNode ends the search. Without a nomination,
  // NodeVolumeLimits fails on n1: the claim of ns/other's ephemeral volume was not created for that pod.
  const auto build = [](const std::string& nominated) {
    PodBuilder incoming = a_pod("ns/new");
    if (!nominated.empty()) incoming.nominated(nominated);
    return a_cluster(
        {a_node("n1", "4"), a_node("n2", "4"),
         "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: s}\nprovisioner: csi.example.com\n"
         "volumeBindingMode: WaitForFirstConsumer\n",
         "apiVersion: storage.k8s.io/v1\nkind: CSINode\nmetadata: {name: n1}\nspec: {drivers: [{name: "
         "csi.example.com, nodeID: n1, allocatable: {count: 9}}]}\n",
         "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {namespace: ns, name: data}\n"
         "spec: {storageClassName: s}\nstatus: {phase: Pending}\n",
         "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {namespace: ns, name: other-e}\n"
         "spec: {storageClassName: s}\nstatus: {phase: Pending}\n",
         a_pod("ns/other").on("n1").spec("volumes: [{name: e, ephemeral: {volumeClaimTemplate: {spec: {}}}}]").yaml(),
         incoming.spec("volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]").yaml()});
  };
  CHECK(ask_kube(*build(""), "ns/new").outcome == Outcome::error);
  CHECK(ask_kube(*build("n1"), "ns/new").outcome == Outcome::error);
  const Answer used = ask_kube(*build("n2"), "ns/new");
  CHECK(used.outcome == Outcome::fits);
  CHECK(used.sentence == "fits on n2, its nominated node; no preemption needed");
}

TEST_CASE("node search: an error on one node may be missed if enough other nodes fit the pod", "[kube]") {
  // Source: schedule_one.go numFeasibleNodesToFind: 50 % of 101 nodes are 50, but the minimum is 100; the 101st
  // feasible node cancels the search. On n0, NodeVolumeLimits fails: the claim of ns/other's volume was not created for
  // that pod.
  const auto outcome = [](int nodes) {
    std::vector<std::string> documents = {
        "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: s}\nprovisioner: csi.example.com\n"
        "volumeBindingMode: WaitForFirstConsumer\n",
        "apiVersion: storage.k8s.io/v1\nkind: CSINode\nmetadata: {name: n0}\nspec: {drivers: [{name: "
        "csi.example.com, nodeID: n0, allocatable: {count: 9}}]}\n",
        "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {namespace: ns, name: data}\n"
        "spec: {storageClassName: s}\nstatus: {phase: Pending}\n",
        "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {namespace: ns, name: other-e}\n"
        "spec: {storageClassName: s}\nstatus: {phase: Pending}\n",
        a_pod("ns/other").on("n0").spec("volumes: [{name: e, ephemeral: {volumeClaimTemplate: {spec: {}}}}]").yaml(),
        a_pod("ns/new").spec("volumes: [{name: data, persistentVolumeClaim: {claimName: data}}]").yaml()};
    for (int i = 0; i < nodes; ++i) documents.push_back(a_node("n" + std::to_string(i), "4"));
    return ask_kube(*a_cluster(documents), "ns/new").outcome;
  };
  CHECK(outcome(2) == Outcome::error);
  CHECK(outcome(101) == Outcome::error);  // 100 nodes fit the pod
  CHECK(outcome(102) == Outcome::unknown);
}

TEST_CASE("preemption: a preemptor waits while its victims terminate on its nominated node") {
  const auto cluster =
      a_cluster({a_node("n", "1"), a_pod("ns/new").priority(100).nominated("n").yaml(),
                 "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: v, uid: v, deletionTimestamp: "
                 "\"2026-03-02T12:00:20Z\"}\n"
                 "spec: {nodeName: \"n\", containers: [{name: m, resources: {requests: {cpu: \"1\"}}}]}\n"
                 "status: {phase: Running, conditions: [{type: DisruptionTarget, status: \"True\", reason: "
                 "PreemptionByScheduler}]}\n"});
  const Answer answer = ask_kube(*cluster, "ns/new");
  CHECK(answer.outcome == Outcome::waits);
  CHECK(answer.sentence == "waits for n: 1 victim is still terminating there (ns/v, grace ends 12:00:20, in 20s)");
}

TEST_CASE("preemption toleration: protects a pod, and the answer says when that ends") {
  const auto cluster =
      a_cluster({a_class("low", 0,
                         "{preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority: \"1000\", "
                         "preemption-toleration.scheduling.x-k8s.io/toleration-seconds: \"600\"}"),
                 a_node("n", "1"), a_pod("ns/v").on("n").priority_class("low").scheduled("2026-03-02T11:55:00Z").yaml(),
                 a_pod("ns/new").priority(100).yaml()});
  const Answer now = ask_kube(*cluster, "ns/new", "2026-03-02T12:00:00Z", "on");
  CHECK(now.outcome == Outcome::pending);
  CHECK(format_instant(now.next_change) == "2026-03-02T12:05:00Z");
  CHECK(format_instant(now.acted_on_by) == "2026-03-02T12:10:30Z");  // + 5 min flush, checked every 30 s
  const Answer then = ask_kube(*cluster, "ns/new", "2026-03-02T12:05:00Z", "on");
  CHECK(victims(*cluster, then) == Names{"ns/v"});
}

TEST_CASE("next_change: the answer does not change before it") {
  const auto cluster =
      a_cluster({a_class("low", 0,
                         "{preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority: \"1000\", "
                         "preemption-toleration.scheduling.x-k8s.io/toleration-seconds: \"600\"}"),
                 a_node("n1", "1"), a_node("n2", "1"),
                 a_pod("ns/v").on("n1").priority_class("low").scheduled("2026-03-02T11:55:00Z").yaml(),
                 a_pod("ns/w").on("n2").priority_class("low").scheduled("2026-03-02T11:56:30Z").yaml(),
                 a_pod("ns/new").priority(100).yaml()});
  const Answer first = ask_kube(*cluster, "ns/new", "2026-03-02T12:00:00Z", "on");
  const Answer last = ask_kube(*cluster, "ns/new", "2026-03-02T12:04:59.999Z", "on");
  CHECK(first.outcome == last.outcome);
  CHECK(first.cause == last.cause);
  CHECK(first.next_change == last.next_change);
  const Answer next = ask_kube(*cluster, "ns/new", "2026-03-02T12:05:00Z", "on");
  CHECK(next.node == "n1");
}

TEST_CASE("preemption: a pod whose affinity only its victim satisfies is then the first of its kind") {
  // Source: plugins/interpodaffinity/filtering.go satisfyPodAffinity: a count that falls to 0 is removed, and if none
  // is left, a pod that matches its own terms passes. Without its label, it depends on the victim.
  const auto outcome = [](const std::string& labels) {
    const auto cluster =
        a_cluster({a_node("n", "1"), a_pod("ns/old").on("n").priority(1).labels("{app: a}").yaml(),
                   a_pod("ns/new")
                       .priority(9)
                       .labels(labels)
                       .spec("affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: "
                             "kubernetes.io/hostname, labelSelector: {matchLabels: {app: a}}}]}}")
                       .yaml()});
    return ask_kube(*cluster, "ns/new").outcome;
  };
  CHECK(outcome("{app: a}") == Outcome::preempts);
  CHECK(outcome("{app: b}") == Outcome::pending);
}
