#include "report/aligned.h"
#include "support/cluster.h"
#include "tell/tell.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::test;

namespace {

auto ask(const TestCluster& cluster, const std::string& version, const std::optional<ConfigFile>& scheduler_config = {})
    -> Answer {
  Question question;
  question.scheduler_config = scheduler_config;
  question.ns = "ns";
  question.name = "new";
  question.now = parse_instant("2026-03-02T12:00:00Z").value();
  question.k8s_version = version;
  question.toleration_plugin = "off";
  for (const Engine* engine : engines()) {
    if (engine->name() != "kube") continue;
    auto answer = explain(*engine, *cluster.snapshot, question);
    if (!answer) FAIL(answer.error().message);
    return *answer;
  }
  FAIL("no kube engine");
  return {};
}

}  // namespace

// Up to 1.31, preemption is tried on a node that is too small, so that the scheduler's message does not show it; later
// it is not. In both cases no pod waits for pods there to finish.
TEST_CASE("node reasons: nodes that are too small are not reported as in use", "[kube]") {
  const auto cluster = a_cluster({a_node("a", "2"), a_node("b", "3"), a_pod("ns/small").on("a").priority(900).yaml(),
                                  a_pod("ns/new").cpu("4").priority(9).yaml()});
  for (const char* version : {"1.31", "1.36"}) {
    INFO(version);
    const Answer answer = ask(*cluster, version);
    CHECK(answer.sentence == "stays pending: no node has 4 cpu (at most 3)");
    REQUIRE(answer.reasons);
    REQUIRE(answer.reasons->rows.size() == 1);
    CHECK(answer.reasons->rows[0][0].text == "less than 4 cpu");
    CHECK(answer.reasons->rows[0][1].text == "2");
    CHECK(answer.reasons->rows[0][2].text == "preemption cannot change this");
  }
}

TEST_CASE("node reasons: a resource is named only where it is lacking", "[kube]") {
  const std::string apart =
      "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: "
      "kubernetes.io/hostname, labelSelector: {matchLabels: {app: x}}}]}}";
  const auto cluster = a_cluster({a_node("a", "2"), a_pod("ns/old").on("a").priority(900).labels("{app: x}").yaml(),
                                  a_pod("ns/new").priority(9).labels("{app: x}").spec(apart).yaml()});
  CHECK(
      ask(*cluster, "1.36").sentence ==
      "stays pending: a has a pod that the pod's anti-affinity excludes (hostname); no pod of lower priority to evict");

  const auto full =
      a_cluster({a_node("a", "1"), a_pod("ns/old").on("a").priority(900).yaml(), a_pod("ns/new").priority(9).yaml()});
  CHECK(ask(*full, "1.36").sentence ==
        "stays pending: a lacks cpu (1 requested, none free); no pod of lower priority to evict");
}

TEST_CASE("node reasons: pods that are terminating and cannot be victims are named, with the end of their grace period",
          "[kube]") {
  const auto answer = [](const char* deleted, int priority) {
    const auto cluster =
        a_cluster({a_node("a", "2"), a_pod("ns/old").on("a").priority(priority).cpu("2").deleting(deleted).yaml(),
                   a_pod("ns/new").priority(9).yaml()});
    return ask(*cluster, "1.36").sentence;
  };
  CHECK(answer("2026-03-02T12:00:20Z", 9) ==
        "stays pending until 12:00:20 (in 20s) at the earliest: a lacks cpu (1 requested, none free; ns/old there is "
        "terminating, until 12:00:20); no pod of lower priority to evict");
  CHECK(answer("2026-03-02T11:59:00Z", 9) ==
        "stays pending: a lacks cpu (1 requested, none free; ns/old there is terminating, past the grace period); no "
        "pod of lower priority to evict");
  CHECK(answer("2026-03-02T12:00:20Z", 8) == "would use the capacity of ns/old already terminating on a");
}

// Without ns/old, half a CPU is free.
TEST_CASE("node reasons: a terminating pod that does not leave enough gives no time", "[kube]") {
  const auto cluster = a_cluster(
      {a_node("a", "1"), a_pod("ns/old").on("a").priority(9).cpu("500m").deleting("2026-03-02T12:00:20Z").yaml(),
       a_pod("ns/kept").on("a").priority(9).cpu("500m").yaml(), a_pod("ns/new").priority(9).yaml()});
  CHECK(ask(*cluster, "1.36").sentence.starts_with("stays pending: a lacks cpu"));
}

TEST_CASE("node reasons: several taints are no single cause", "[kube]") {
  const auto tainted = [](const std::string& name, const std::string& key) {
    return a_node(name, "2") + "spec: {taints: [{key: " + key + ", effect: NoSchedule}]}\n";
  };
  const std::string pod = a_pod("ns/new").priority(9).yaml();
  CHECK(ask(*a_cluster({tainted("a", "x"), tainted("b", "x"), pod}), "1.36").cause.words ==
        "nodes have the taint x:NoSchedule");
  CHECK(ask(*a_cluster({tainted("a", "x"), tainted("b", "z"), pod}), "1.36").cause.words ==
        "nodes have taints that the pods do not tolerate");
}

// Both profiles are of one kube-scheduler, and its queue knows all nominations. Source: kubernetes v1.35
// pkg/scheduler/eventhandlers.go responsibleForPod.
TEST_CASE("node reasons: a pod of another profile that is nominated to the node is named", "[kube]") {
  const auto cluster = a_cluster({a_node("a", "2"), a_pod("ns/p").priority(900).cpu("2").nominated("a").yaml(),
                                  a_pod("ns/new").priority(9).spec("schedulerName: other").yaml()});
  const ConfigFile two{cluster->objects.files.add("scheduler.yaml"),
                       "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n"
                       "- schedulerName: default-scheduler\n- schedulerName: other\n"};
  CHECK(ask(*cluster, "1.36", two).sentence ==
        "stays pending: a lacks cpu (1 requested, none free beside ns/p, nominated to it); no pod of lower priority to "
        "evict");
}

// The pods request 3 of 2 CPUs, for example because the node has been shrunk.
TEST_CASE("node reasons: nothing is free on a node whose pods request more than it has", "[kube]") {
  const auto cluster = a_cluster(
      {a_node("a", "2"), a_pod("ns/old").on("a").priority(900).cpu("3").yaml(), a_pod("ns/new").priority(9).yaml()});
  CHECK(ask(*cluster, "1.36").nodes.at(0).at("preemption").at("why") ==
        "cpu: requests 1, 0 of 2 free or used by lower priority, the rest used by priority >= 9");
}

TEST_CASE("node reasons: those counted in a table are not repeated below the nodes", "[kube]") {
  const auto cluster = a_cluster({a_node("a", "2") + "spec: {unschedulable: true}\n",
                                  a_node("b", "2") + "spec: {taints: [{key: k, effect: NoSchedule}]}\n",
                                  a_pod("ns/new").priority(9).yaml()});
  const Answer answer = ask(*cluster, "1.36");
  REQUIRE(answer.reasons);
  REQUIRE(answer.node_table);
  REQUIRE(answer.node_table->footer.size() == 1);
  CHECK(text_of(answer.node_table->footer[0]) == "+ 2 nodes where preemption cannot help (--show all)");
}

TEST_CASE("node reasons: numbers are those of the nodes, as a range if they differ", "[kube]") {
  const auto with = [](const std::string& pod, const std::string& node) {
    return a_pod("ns/" + pod).on(node).priority(900).labels("{app: x}").yaml();
  };
  // The fewest pods of app x on a node are none, on c, which is full: with the new pod, a has 3 more, b has 2 more.
  const auto cluster = a_cluster(
      {a_node("a", "9"), a_node("b", "9"), a_node("c", "1"), with("a1", "a"), with("a2", "a"), with("b1", "b"),
       a_pod("ns/full").on("c").priority(900).yaml(),
       a_pod("ns/new")
           .priority(9)
           .labels("{app: x}")
           .spec("topologySpreadConstraints: [{maxSkew: 1, topologyKey: kubernetes.io/hostname, whenUnsatisfiable: "
                 "DoNotSchedule, labelSelector: {matchLabels: {app: x}}}]")
           .yaml()});
  const Answer answer = ask(*cluster, "1.36");
  REQUIRE(answer.reasons);
  REQUIRE(answer.reasons->rows.size() == 2);
  const auto& rows = answer.reasons->rows;
  const auto& spread = rows[0][0].text.starts_with("pods") ? rows[1] : rows[0];
  CHECK(spread[0].text == "kubernetes.io/hostname: skew would be 2 to 3, at most 1");
  CHECK(spread[1].text == "2");
}

TEST_CASE("node reasons: a pod that its affinity requires is not said to be missing if it is a potential victim",
          "[kube]") {
  const std::string beside =
      "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: "
      "kubernetes.io/hostname, labelSelector: {matchLabels: {app: x}}}]}}";
  // 3 of 4 CPUs are in use; the dry run removes both pods of lower priority first (preemption.go SelectVictimsOnNode).
  const auto cluster = a_cluster(
      {a_node("a", "4"), a_pod("ns/x").on("a").priority(1).cpu("2").labels("{app: x}").yaml(),
       a_pod("ns/other").on("a").priority(2).yaml(), a_pod("ns/new").priority(9).cpu("2").spec(beside).yaml()});
  const Answer answer = ask(*cluster, "1.36");
  CHECK(answer.sentence ==
        "stays pending: a lacks cpu (2 requested, 1 free); with all lower-priority pods evicted, a has no pod that the "
        "pod's affinity requires (hostname)");
  CHECK(answer.nodes.at(0).at("preemption").at("why") ==
        "cpu: requests 2, 1 of 4 free; without the pods of lower priority there: no pod there matches its pod affinity "
        "(kubernetes.io/hostname)");
}

// interpodaffinity satisfyPodAffinity: all topology labels must exist on the node, also for the first pod of its kind.
TEST_CASE("node reasons: without the topology label of its affinity, no pod is said to be missing", "[kube]") {
  const std::string beside =
      "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: rack, labelSelector: "
      "{matchLabels: {app: x}}}]}}";
  const std::string node =
      "apiVersion: v1\nkind: Node\nmetadata: {name: b, labels: {rack: r}}\n"
      "status: {allocatable: {cpu: \"4\", memory: 16Gi, pods: \"110\"}}\n";
  const auto sentence = [&](const std::string& app, const std::string& of_node) {
    const auto cluster = a_cluster({of_node, a_pod("ns/new").labels("{app: " + app + "}").spec(beside).yaml()});
    return ask(*cluster, "1.36").sentence;
  };
  const std::string_view lacks = "stays pending: a lacks the topology label rack of the pod's affinity";
  CHECK(sentence("x", a_node("a", "4")).starts_with(lacks));
  CHECK(sentence("z", a_node("a", "4")).starts_with(lacks));
  CHECK(sentence("x", node).starts_with("fits"));
  CHECK(sentence("z", node).starts_with("stays pending: b has no pod that the pod's affinity requires (rack)"));
}

TEST_CASE("node reasons: what no eviction changes comes first", "[kube]") {
  // The node is full, but without its topology label, an empty one would not do either.
  const auto cluster =
      a_cluster({a_node("a", "2"), a_pod("ns/low").on("a").priority(1).cpu("2").yaml(),
                 a_pod("ns/new")
                     .priority(9)
                     .cpu("1")
                     .spec("topologySpreadConstraints: [{maxSkew: 1, topologyKey: rack, whenUnsatisfiable: "
                           "DoNotSchedule, labelSelector: {matchLabels: {app: x}}}]")
                     .yaml()});
  CHECK(ask(*cluster, "1.36").sentence == "stays pending: a lacks the topology label rack; eviction would not help");
}

TEST_CASE("a finalizer is named if the grace period of its pod is over", "[kube]") {
  const auto cluster = a_cluster(
      {a_node("a", "1"),
       "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: old, deletionTimestamp: '2026-03-02T11:00:00Z', "
       "finalizers: [example.com/hold]}\nspec: {nodeName: a, priority: 1, containers: [{name: c, resources: {requests: "
       "{cpu: 1}}}]}\nstatus: {phase: Running, conditions: [{type: DisruptionTarget, status: 'True', reason: "
       "PreemptionByScheduler}]}\n",
       a_pod("ns/new").priority(9).nominated("a").yaml()});
  CHECK(ask(*cluster, "1.36").sentence ==
        "waits for a: 1 victim is still terminating there (ns/old, grace ended 11:00:00, 1h ago; finalizer "
        "example.com/hold is still set)");
}
