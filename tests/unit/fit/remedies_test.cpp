// The changes that `fit` tries, and how it describes them.
#include "fit/remedy.h"
#include "support/cluster.h"
#include "support/kueue.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

namespace previct::test {
namespace {

using fit::Remedy;
using Lines = std::vector<std::string>;

// Returns `request to 3: cpu 4 -> 3 | Pod/d/p FIELD | 4 -> 3 | note`, for the smallest change.
auto line(const Remedy& remedy) -> std::string {
  const fit::Step step = remedy.step(1);
  CHECK(step.kind == remedy.kind);
  return fmt::format("{} to {}: {} | {} {} | {} -> {}{}", fit::kind_name(remedy.kind), remedy.most, step.what,
                     step.object, step.field, step.before, step.after, step.note.empty() ? "" : " | " + step.note);
}

auto lines(const std::vector<Remedy>& remedies) -> Lines {
  Lines all;
  for (const Remedy& remedy : remedies) all.push_back(line(remedy));
  return all;
}

// Returns the changes of pod d/p, but for priorities, and what is not searched.
auto of_pod(const std::string& pod, const Lines& others = {}) -> Lines {
  Lines documents = others;
  documents.push_back(pod);
  const auto cluster = a_cluster(documents);
  std::vector<std::string> not_searched;
  std::vector<Remedy> remedies =
      fit::remedies_of_pod(*cluster->snapshot, cluster->snapshot->find_pod("d", "p"), not_searched);
  std::erase_if(remedies, [](const Remedy& r) { return r.kind == fit::Kind::priority; });
  Lines all = lines(remedies);
  for (const std::string& each : not_searched) all.push_back("not searched: " + each);
  return all;
}

auto a_tainted_node(const std::string& name, const std::string& taints, const std::string& more = "") -> std::string {
  return fmt::format("apiVersion: v1\nkind: Node\nmetadata: {{name: {}}}\nspec: {{taints: [{}]{}}}\n", name, taints,
                     more);
}

}  // namespace

TEST_CASE("remedies: the place of a request is the container that decides it", "[fit]") {
  const auto field = [](const std::string& spec) {
    const Lines all = of_pod("apiVersion: v1\nkind: Pod\nmetadata: {namespace: d, name: p}\nspec: {" + spec + "}\n");
    REQUIRE(all.size() == 1);
    const std::size_t from = all.front().find("spec.");
    return all.front().substr(from, all.front().find(".resources", from) - from);
  };
  const auto cpu = [](const std::string& amount) { return "resources: {requests: {cpu: " + amount + "}}"; };
  // The init container needs 3 CPUs, the containers together 2.5: 500m and 2.
  CHECK(field("initContainers: [{name: i, " + cpu("3") + "}], containers: [{name: a, " + cpu("500m") + "}, {name: b, " +
              cpu("2") + "}]") == "spec.initContainers[0]");
  CHECK(field("initContainers: [{name: i, " + cpu("2") + "}], containers: [{name: a, " + cpu("500m") + "}, {name: b, " +
              cpu("2") + "}]") == "spec.containers[1]");
  // A sidecar runs beside the container.
  CHECK(field("initContainers: [{name: s, restartPolicy: Always, " + cpu("2") + "}], containers: [{name: a, " +
              cpu("1") + "}]") == "spec.initContainers[0]");
  CHECK(field(cpu("3") + ", containers: [{name: a, " + cpu("1") + "}]") == "spec");
}

TEST_CASE("remedies: a node selector that a RuntimeClass adds cannot be removed from the pod", "[fit]") {
  const std::string kata =
      "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: kata}\nhandler: kata\nscheduling: "
      "{nodeSelector: {kata: 'yes'}}\n";
  CHECK(of_pod("apiVersion: v1\nkind: Pod\nmetadata: {namespace: d, name: p}\nspec: {nodeSelector: {kata: 'yes', disk: "
               "ssd}, containers: [{name: a}]}\n",
               {kata}) ==
        Lines{"node-selector to 1: without disk=ssd | Pod/d/p spec.nodeSelector[\"disk\"] | disk=ssd -> ",
              "not searched: the node selector kata=yes, which RuntimeClass kata adds"});
}

TEST_CASE("remedies: taints of nodes that are not usable yet, or about to be deleted, are not tolerated", "[fit]") {
  const auto keys = [](const std::string& key) {
    return of_pod("apiVersion: v1\nkind: Pod\nmetadata: {namespace: d, name: p}\nspec: {containers: [{name: a}]}\n",
                  {a_tainted_node("n1", "{key: " + key + ", effect: NoSchedule}")});
  };
  for (const std::string key : {"karpenter.sh/disrupted", "karpenter.sh/disruption", "karpenter.sh/unregistered",
                                "ToBeDeletedByClusterAutoscaler", "node.cloudprovider.kubernetes.io/uninitialized",
                                "cloud.google.com/impending-node-termination", "aws-node-termination-handler/spot-itn",
                                "node.cilium.io/agent-not-ready", "ebs.csi.aws.com/agent-not-ready",
                                "startup-taint.cluster-autoscaler.kubernetes.io/x"}) {
    CHECK(keys(key) == Lines{"not searched: tolerations of node conditions (" + key + ")"});
  }
  CHECK(keys("example.com/x").front().starts_with("toleration to 1: for taint example.com/x:NoSchedule"));
}

TEST_CASE("remedies: requests are reduced to one unit, in the container that has them", "[fit]") {
  CHECK(
      of_pod("apiVersion: v1\nkind: Pod\nmetadata: {namespace: d, name: p}\nspec: {overhead: {cpu: 100m}, containers: "
             "[{name: a, resources: {requests: {cpu: 300m}}}, {name: b, resources: {requests: {cpu: 100m, "
             "nvidia.com/gpu: '2'}}}, {name: c, resources: {requests: {example.com/x: '1'}}}]}\n") ==
      Lines{"request to 399: cpu 500m -> 499m | Pod/d/p spec.containers[0].resources.requests[\"cpu\"] | 500m -> 499m",
            "request to 1: nvidia.com/gpu 2 -> 1 | Pod/d/p spec.containers[1].resources.requests[\"nvidia.com/gpu\"] "
            "| 2 -> 1"});
  // YuniKorn treats a request of 0 as one.
  CHECK(
      of_pod("apiVersion: v1\nkind: Pod\nmetadata: {namespace: d, name: p}\nspec: {containers: [{name: a, resources: "
             "{requests: {example.com/x: '0'}}}]}\n") ==
      Lines{"request to 1: example.com/x 0 -> none | Pod/d/p spec.containers[0].resources.requests[\"example.com/x\"] "
            "| 0 -> none"});
}

TEST_CASE("remedies: annotations that request a part of a GPU are reduced", "[fit]") {
  const auto with = [](const std::string& annotations) {
    return of_pod("apiVersion: v1\nkind: Pod\nmetadata: {namespace: d, name: p, annotations: {" + annotations +
                  "}}\nspec: {containers: [{name: a}]}\n");
  };
  CHECK(
      with("gpu-fraction: '0.5'") ==
      Lines{"request to 49: gpu-fraction 0.5 -> 0.49 | Pod/d/p metadata.annotations[\"gpu-fraction\"] | 0.5 -> 0.49"});
  CHECK(with("gpu-fraction: '1', gpu-memory: '9'") ==
        Lines{"request to 99: gpu-fraction 1 -> 0.99 | Pod/d/p metadata.annotations[\"gpu-fraction\"] | 1 -> 0.99"});
  CHECK(with("gpu-fraction: '1.5', gpu-memory: '2'") ==
        Lines{"request to 1: gpu-memory 2 -> 1 | Pod/d/p metadata.annotations[\"gpu-memory\"] | 2 -> 1"});
  for (const char* none :
       {"gpu-fraction: '0.01'", "gpu-fraction: '0'", "gpu-memory: '1'", "gpu-memory: '0'", "gpu-memory: x"}) {
    CHECK(with(none).empty());
  }
}

TEST_CASE("remedies: taints that keep the pod away are tolerated, each once", "[fit]") {
  CHECK(of_pod(a_pod("d/p").cpu("1m").spec("tolerations: [{key: mine, operator: Exists}]").yaml(),
               {a_tainted_node("n1",
                               "{key: a, value: v, effect: NoSchedule}, {key: mine, effect: NoSchedule}, {key: s, "
                               "effect: PreferNoSchedule}"),
                a_tainted_node("n2",
                               "{key: a, value: v, effect: NoSchedule}, {key: b, effect: NoExecute}, {key: "
                               "node.kubernetes.io/disk-pressure, effect: NoSchedule}, {key: "
                               "node.kubernetes.io/unschedulable, effect: NoSchedule}")}) ==
        Lines{"toleration to 1: for taint a=v:NoSchedule | Pod/d/p spec.tolerations |  -> a=v:NoSchedule | taint of n1",
              "toleration to 1: for taint b:NoExecute, operator Exists | Pod/d/p spec.tolerations |  -> b:NoExecute, "
              "operator Exists | taint of n2",
              "not searched: tolerations of node conditions (node.kubernetes.io/disk-pressure)"});
}

TEST_CASE("remedies: of many taints, the first 32 are tried", "[fit]") {
  std::string taints;
  for (int i = 0; i < 33; ++i) taints += fmt::format("{}{{key: t{:02}, effect: NoSchedule}}", i == 0 ? "" : ", ", i);
  const Lines all = of_pod(a_pod("d/p").cpu("1m").yaml(), {a_tainted_node("n1", taints)});
  REQUIRE(all.size() == 33);
  CHECK(all[31].starts_with("toleration to 1: for taint t31:NoSchedule, operator Exists "));
  CHECK(all[32] == "not searched: 1 of 33 taints");
}

TEST_CASE("remedies: selectors, affinity, gates and the policy are removed, one at a time", "[fit]") {
  const std::string affinity =
      "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
      "[{matchExpressions: [{key: disk, operator: In, values: [ssd, nvme]}, {key: gpu, operator: Exists}]}, "
      "{matchExpressions: [{key: old, operator: DoesNotExist}]}]}}, podAffinity: "
      "{requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {matchLabels: {app: a}, matchExpressions: "
      "[{key: track, operator: Exists}]}, topologyKey: zone}]}, podAntiAffinity: "
      "{requiredDuringSchedulingIgnoredDuringExecution: [{labelSelector: {}, topologyKey: rack}]}}\n  ";
  const std::string rest =
      "nodeSelector: {zone: z}\n  topologySpreadConstraints: [{maxSkew: 2, topologyKey: zone, whenUnsatisfiable: "
      "ScheduleAnyway}, {maxSkew: 1, topologyKey: host, whenUnsatisfiable: DoNotSchedule}]\n  schedulingGates: [{name: "
      "g1}, {name: g2}]";
  const std::string path = "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution";
  CHECK(
      of_pod(a_pod("d/p").cpu("1m").never_preempts().spec(affinity + rest).yaml()) ==
      Lines{
          "node-selector to 1: without zone=z | Pod/d/p spec.nodeSelector[\"zone\"] | zone=z -> ",
          "node-affinity to 1: without disk In (ssd, nvme) | Pod/d/p " + path +
              ".nodeSelectorTerms[0].matchExpressions[0] | disk In (ssd, nvme) -> ",
          "node-affinity to 1: without gpu Exists | Pod/d/p " + path +
              ".nodeSelectorTerms[0].matchExpressions[1] | gpu Exists -> ",
          "node-affinity to 1: remove it | Pod/d/p " + path + " |  -> ",
          "pod-affinity to 1: without app=a, track Exists by zone | Pod/d/p "
          "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0] | app=a, track Exists by "
          "zone -> ",
          "pod-anti-affinity to 1: without any pod by rack | Pod/d/p "
          "spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0] | any pod by rack -> ",
          "topology-spread to 1: without maxSkew 1 by host | Pod/d/p spec.topologySpreadConstraints[1] | maxSkew 1 by "
          "host -> ",
          "scheduling-gate to 1: without g1, g2 | Pod/d/p spec.schedulingGates | g1, g2 -> ",
          "preemption-policy to 1: Never -> PreemptLowerPriority | Pod/d/p spec.preemptionPolicy | Never -> "
          "PreemptLowerPriority"});
}

// Without it, the pod would run without quota.
TEST_CASE("remedies: Kueue's scheduling gate is not removed", "[fit]") {
  for (const std::string& each :
       of_pod(a_pod("d/p").spec("schedulingGates: [{name: kueue.x-k8s.io/admission}]").yaml()))
    CHECK_FALSE(each.starts_with("scheduling-gate"));
}

TEST_CASE("remedies: a single node affinity requirement is named, one that names a node is kept", "[fit]") {
  const auto with = [](const std::string& terms) {
    return of_pod(a_pod("d/p")
                      .cpu("1m")
                      .spec("affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                            "{nodeSelectorTerms: [" +
                            terms + "]}}}")
                      .yaml());
  };
  CHECK(with("{matchExpressions: [{key: gpu, operator: Exists}]}") ==
        Lines{"node-affinity to 1: without gpu Exists | Pod/d/p "
              "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution |  -> "});
  CHECK(with("{matchFields: [{key: metadata.name, operator: In, values: [n1]}]}").empty());
}

TEST_CASE("remedies: a policy that comes from a class is changed there", "[fit]") {
  const std::string never =
      "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: polite}\nvalue: 5\npreemptionPolicy: "
      "Never\n";
  const auto pod = a_pod("d/p").cpu("1m").priority(5).priority_class("polite").never_preempts().yaml();
  CHECK(of_pod(pod, {never}) ==
        Lines{"preemption-policy to 1: Never -> PreemptLowerPriority | PriorityClass/polite "
              "preemptionPolicy | Never -> PreemptLowerPriority | the class must be deleted and "
              "recreated, and then the pod"});
}

TEST_CASE("remedies: the priority is raised to that of a class, lowest first, then to a number", "[fit]") {
  const auto priorities = [](const std::string& pod, const Lines& classes) {
    Lines documents = classes;
    documents.push_back(pod);
    const auto cluster = a_cluster(documents);
    std::vector<std::string> ignored;
    Lines found;
    for (const Remedy& each :
         fit::remedies_of_pod(*cluster->snapshot, cluster->snapshot->find_pod("d", "p"), ignored)) {
      if (each.kind != fit::Kind::priority) continue;
      found.push_back(line(each));
      if (each.most < 9) found.push_back(each.step(each.most).what);
    }
    return found;
  };
  const std::string never = a_class("never", 30) + "preemptionPolicy: Never\n";
  const Lines classes = {a_class("high", 40),
                         a_class("same", 10),
                         a_class("mid", 20),
                         a_class("low", 5),
                         never,
                         a_class("system", 2'000'000'000),
                         a_class("top", 1'000'000'000)};
  CHECK(priorities(a_pod("d/p").cpu("1m").priority(10).priority_class("same").yaml(), classes) ==
        Lines{"priority to 3: class same (10) -> class mid (20) | Pod/d/p spec.priorityClassName | class same (10) -> "
              "class mid (20)",
              "class same (10) -> class top (1000000000)",
              "priority to 999999990: class same (10) -> a new class with value 11, the lowest that helps | Pod/d/p "
              "spec.priorityClassName | class same (10) -> a new class with value 11, the lowest that helps"});
  CHECK(priorities(a_pod("d/p").cpu("1m").priority(999'999'999).yaml(), {}) ==
        Lines{"priority to 1: priority 999999999 -> a new class with value 1000000000, the lowest that helps | Pod/d/p "
              "spec.priorityClassName | priority 999999999 -> a new class with value 1000000000, the lowest that helps",
              "priority 999999999 -> a new class with value 1000000000, the lowest that helps"});
  CHECK(priorities(a_pod("d/p").cpu("1m").priority(1'000'000'000).yaml(), {}).empty());
}

TEST_CASE("remedies: cordoned nodes are uncordoned, unless the pod tolerates it", "[fit]") {
  const auto of_cordons = [](const std::string& spec, const Lines& nodes) {
    Lines documents = nodes;
    documents.push_back(a_pod("d/p").spec(spec).yaml());
    const auto cluster = a_cluster(documents);
    Lines not_searched;
    Lines all =
        lines(fit::remedies_of_cordons(*cluster->snapshot, cluster->snapshot->find_pod("d", "p"), not_searched));
    all.insert(all.end(), not_searched.begin(), not_searched.end());
    return all;
  };
  const std::string cordoned = ", unschedulable: true";
  const Lines three = {a_tainted_node("c", "", cordoned), a_tainted_node("b", ""), a_tainted_node("a", "", cordoned)};
  CHECK(of_cordons("", three) == Lines{"uncordon to 1: a | Node/a spec.unschedulable | true -> false",
                                       "uncordon to 1: c | Node/c spec.unschedulable | true -> false"});
  CHECK(of_cordons("tolerations: [{key: node.kubernetes.io/unschedulable, operator: Exists}]", three).empty());
  Lines many;
  for (int i = 0; i < 17; ++i) many.push_back(a_tainted_node(fmt::format("n{:02}", i), "", cordoned));
  const Lines found = of_cordons("", many);
  REQUIRE(found.size() == 17);
  CHECK(found[15].starts_with("uncordon to 1: n15 "));
  CHECK(found[16] == "1 of 17 cordoned nodes");
  // The node will be gone when its finalizer is removed.
  std::string leaving = a_tainted_node("l", "", cordoned);
  leaving.insert(leaving.find("metadata: {") + std::string("metadata: {").size(),
                 "deletionTimestamp: \"2026-03-02T11:59:00Z\", ");
  CHECK(of_cordons("", {leaving}) == Lines{"uncordoning l, which is being deleted"});
}

TEST_CASE("remedies: a budget allows at most as many disruptions as it has pods on nodes", "[fit]") {
  const auto pod = [](const std::string& name, const std::string& app) {
    return a_pod(name).on("n1").labels("{app: " + app + "}").yaml();
  };
  const auto cluster = a_cluster({a_node("n1", "9"), a_budget("x/z", "a", 1), a_budget("x/full", "b", 1),
                                  a_budget("x/b", "b", 0), pod("x/a1", "a"), pod("x/a2", "a"), pod("x/a3", "a"),
                                  pod("w/a4", "a"), a_pod("x/a5").labels("{app: a}").yaml(), pod("x/b1", "b")});
  CHECK(lines(fit::remedies_of_budgets(*cluster->snapshot)) ==
        Lines{"budget to 1: x/b allows 0 -> 1 | PodDisruptionBudget/x/b status.disruptionsAllowed | 0 -> 1",
              "budget to 2: x/z allows 1 -> 2 | PodDisruptionBudget/x/z status.disruptionsAllowed | 1 -> 2"});
}

TEST_CASE("remedies: one more node of each shape is tried, smallest first", "[fit]") {
  const auto of_nodes = [](const std::string& spec, const Lines& documents) {
    Lines all = documents;
    all.push_back(a_pod("d/p").spec(spec).yaml());
    const auto cluster = a_cluster(all);
    Lines not_searched;
    Lines found;
    for (const Remedy& each :
         fit::remedies_of_nodes(*cluster->snapshot, cluster->snapshot->find_pod("d", "p"), not_searched)) {
      const fit::Step step = each.step(1);
      found.push_back(step.what + (step.note.empty() ? "" : ", " + step.note));
    }
    found.insert(found.end(), not_searched.begin(), not_searched.end());
    return found;
  };
  const auto labelled = [](const std::string& name, const std::string& labels, const std::string& cpu) {
    return fmt::format(
        "apiVersion: v1\nkind: Node\nmetadata: {{name: {}, labels: {{{}}}}}\nstatus: {{allocatable: {{cpu: '{}', "
        "memory: "
        "1Gi}}}}\n",
        name, labels, cpu);
  };
  const std::string daemon =
      "apiVersion: v1\nkind: Pod\nmetadata: {namespace: x, name: d-1, ownerReferences: [{kind: DaemonSet, name: d, "
      "uid: "
      "u}]}\nspec: {nodeName: n1, containers: [{name: c}]}\nstatus: {phase: Running}\n";
  CHECK(
      of_nodes("", {a_node("big", "16"), a_node("n2", "4"), a_node("n1", "4"), daemon, a_pod("x/a").on("n1").yaml()}) ==
      Lines{"one more node like n1 (cpu 4, memory 16Gi), with its 1 pod of DaemonSets",
            "one more node like big (cpu 16, memory 16Gi)"});
  // Labels count if the pod refers to them, the type of machine always.
  const Lines pools = {labelled("a", "pool: x, node.kubernetes.io/instance-type: m", "4"),
                       labelled("b", "pool: w, node.kubernetes.io/instance-type: m", "5"),
                       labelled("c", "pool: w, node.kubernetes.io/instance-type: l", "8")};
  CHECK(of_nodes("", pools) ==
        Lines{"one more node like a (cpu 4, memory 1Gi)", "one more node like c (cpu 8, memory 1Gi)"});
  const Lines all = {"one more node like a (cpu 4, memory 1Gi)", "one more node like b (cpu 5, memory 1Gi)",
                     "one more node like c (cpu 8, memory 1Gi)"};
  const std::string required = ": {requiredDuringSchedulingIgnoredDuringExecution: ";
  for (const std::string& refers : {
           std::string("nodeSelector: {pool: x}"),
           "affinity: {nodeAffinity" + required +
               "{nodeSelectorTerms: [{matchExpressions: [{key: pool, operator: Exists}]}]}}}",
           "affinity: {podAffinity" + required + "[{labelSelector: {}, topologyKey: pool}]}}",
           "affinity: {podAntiAffinity" + required + "[{labelSelector: {}, topologyKey: pool}]}}",
           std::string(
               "topologySpreadConstraints: [{maxSkew: 1, topologyKey: pool, whenUnsatisfiable: DoNotSchedule}]"),
       }) {
    INFO(refers);
    CHECK(of_nodes(refers, pools) == all);
  }
  // Extended resources count: the device plugin of g1 does not run.
  const auto with_gpus = [&](const std::string& name, const std::string& gpus) {
    return fmt::format(
        "apiVersion: v1\nkind: Node\nmetadata: {{name: {}, labels: {{node.kubernetes.io/instance-type: m}}}}\nstatus: "
        "{{allocatable: {{cpu: '4', memory: 1Gi, x/gpu: '{}'}}}}\n",
        name, gpus);
  };
  CHECK(of_nodes("", {with_gpus("g1", "0"), with_gpus("g2", "1"), with_gpus("g3", "1")}).size() == 2);
  // Labels count to which volumes refer, or the anti-affinity of other pods.
  const std::string volume =
      "apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: v}\nspec: {nodeAffinity: {required: "
      "{nodeSelectorTerms: [{matchExpressions: [{key: pool, operator: In, values: [w]}]}]}}}\n";
  const std::string repelling =
      a_pod("d/other")
          .on("a")
          .spec("affinity: {podAntiAffinity" + required + "[{labelSelector: {}, topologyKey: pool}]}}")
          .yaml();
  const auto and_also = [&](const std::string& more) {
    Lines documents = pools;
    documents.push_back(more);
    return documents;
  };
  CHECK(of_nodes("volumes: [{name: x, persistentVolumeClaim: {claimName: x}}]", and_also(volume)) == all);
  CHECK(of_nodes("", and_also(repelling)) == all);
  // Taints of conditions are not part of a shape.
  const auto tainted = [](const std::string& name, const std::string& key) {
    return a_tainted_node(name, "{key: " + key + ", value: v, effect: NoSchedule}");
  };
  CHECK(of_nodes("", {tainted("a", "node.kubernetes.io/not-ready"), tainted("b", "mine"), a_tainted_node("c", "")})
            .size() == 2);
  Lines many;
  for (int i = 1; i <= 13; ++i) many.push_back(a_node(fmt::format("n{:02}", i), std::to_string(i)));
  const Lines found = of_nodes("", many);
  REQUIRE(found.size() == 13);
  CHECK(found[11] == "one more node like n12 (cpu 12, memory 16Gi)");
  CHECK(found[12] == "one more node of 1 of 13 shapes");
}

TEST_CASE("remedies: a new node is free of what is temporary, and has a name of its own", "[fit]") {
  const auto cluster = a_cluster(
      {"apiVersion: v1\nkind: Node\nmetadata: {name: n1, uid: u, labels: {kubernetes.io/hostname: n1}}\nspec: "
       "{unschedulable: true, taints: [{key: node.kubernetes.io/unschedulable, effect: NoSchedule}, {key: mine, "
       "effect: "
       "NoSchedule}]}\nstatus: {allocatable: {cpu: '4'}}\n",
       a_node("n1-new", "4"),
       "apiVersion: v1\nkind: Pod\nmetadata: {namespace: x, name: static, ownerReferences: [{kind: Node, name: n1, "
       "uid: "
       "u}]}\nspec: {nodeName: n1, containers: [{name: c}]}\nstatus: {phase: Running}\n",
       a_pod("d/p").yaml()});
  Lines not_searched;
  const auto remedies = fit::remedies_of_nodes(*cluster->snapshot, cluster->snapshot->find_pod("d", "p"), not_searched);
  const auto like_n = std::find_if(remedies.begin(), remedies.end(),
                                   [](const Remedy& each) { return each.step(1).object == "Node/n1"; });
  REQUIRE(like_n != remedies.end());
  ChangedCluster changed(cluster->objects);
  like_n->turn(changed, 1);
  const Snapshot after(cluster->objects);
  REQUIRE(after.nodes().size() == 3);
  const Node& made = after.node(NodeId{2});
  CHECK(after.text(made.meta.name) == "n1-new-new");
  CHECK(after.text(made.meta.uid) != "u");
  CHECK(made.meta.labels.get(after.symbol("kubernetes.io/hostname")) == made.meta.name);
  CHECK_FALSE(made.spec.unschedulable);
  REQUIRE(made.spec.taints.size() == 1);
  CHECK(after.text(made.spec.taints[0].key) == "mine");
  const PodId daemon = after.find_pod("x", "static-n1-new-new");
  REQUIRE(daemon);
  CHECK(after.pod(daemon).spec.node_name == made.meta.name);
}

TEST_CASE("remedies: a running pod is resized in its largest container, and keeps its QoS class", "[fit]") {
  const auto resized = [](const std::string& resource, const std::string& containers, const std::string& statuses = "",
                          const std::string& kubelet = "v1.33.0") -> std::string {
    const auto cluster =
        a_cluster({"apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: '4'}, nodeInfo: "
                   "{kubeletVersion: '" +
                       kubelet + "'}}\n",
                   "apiVersion: v1\nkind: Pod\nmetadata: {namespace: d, name: p}\nspec: {nodeName: n1, containers: [" +
                       containers + "]}\nstatus: {phase: Running, containerStatuses: [" + statuses + "]}\n"});
    const PodId id = cluster->snapshot->find_pod("d", "p");
    const Symbol symbol = cluster->objects.symbols.intern(resource);
    const auto remedy = fit::remedy_of_resize(*cluster->snapshot, id, symbol);
    if (!remedy) return "none";
    std::string text = line(*remedy);
    ChangedCluster changed(cluster->objects);
    remedy->turn(changed, 1);
    const auto value = [&](const ResourceList& of) {
      const auto amount = of.get(symbol);
      return amount ? std::to_string(resource == "cpu" ? amount->milli() : amount->value()) : std::string("-");
    };
    for (const Container& each : cluster->objects.pods[id].spec.containers)
      text += fmt::format(" | {} of {}", value(each.resources.requests), value(each.resources.limits));
    for (const ContainerStatus& each : cluster->objects.pods[id].status.container_statuses)
      text += fmt::format(" | {}, {}", value(each.allocated_resources),
                          each.resources ? value(each.resources->requests) : std::string("none"));
    return text;
  };
  const std::string small = "{name: a, resources: {requests: {cpu: 100m, memory: 1Mi}}}, ";
  CHECK(
      resized("cpu", small + "{name: b, resources: {requests: {cpu: 300m}, limits: {cpu: 300m}}}") ==
      "resize to 299: d/p: cpu 300m -> 299m | Pod/d/p spec.containers[1].resources.requests[\"cpu\"] | 300m -> 299m | "
      "may restart container b | 100 of - | 299 of 299");
  CHECK(
      resized("memory", small + "{name: b, resources: {requests: {memory: 3Mi}, limits: {memory: 4Mi}}}") ==
      "resize to 2: d/p: memory 3Mi -> 2Mi | Pod/d/p spec.containers[1].resources.requests[\"memory\"] | 3Mi -> 2Mi | "
      "may restart container b | 1048576 of - | 2097152 of 4194304");
  CHECK(resized("cpu", "{name: b, resources: {requests: {cpu: 2m}}}",
                "{name: b, allocatedResources: {cpu: 2m}, resources: {requests: {cpu: 2m}}}, {name: x, "
                "allocatedResources: {cpu: 7m}}") ==
        "resize to 1: d/p: cpu 2m -> 1m | Pod/d/p spec.containers[0].resources.requests[\"cpu\"] | 2m -> 1m | may "
        "restart "
        "container b | 1 of - | 1, 1 | 7, none");
  CHECK(resized("cpu", "{name: b, resources: {requests: {cpu: 1m}}}") == "none");
  CHECK(resized("cpu", "{name: b}") == "none");
  CHECK(resized("memory", "{name: b, resources: {requests: {memory: 1Mi}}}") == "none");
  // ValidatePodResize of 1.33 refuses to lower a memory limit, unless the resizePolicy is RestartContainer.
  const std::string guaranteed = "{name: b, resources: {requests: {memory: 3Mi}, limits: {memory: 3Mi}}}";
  CHECK(resized("memory", guaranteed) == "none");
  CHECK(resized("memory", guaranteed, "", "v1.34.0") != "none");
  const std::string two = "{name: b, resources: {requests: {cpu: 2m}}}";
  CHECK(resized("cpu", two, "", "v1.32.9") == "none");
  CHECK(resized("cpu", two, "", "v1.33.4-gke.1043000") != "none");
  CHECK(resized("cpu", two, "", "unknown") != "none");
}

// Source: pkg/apis/core/validation ValidatePodResize: not on Windows. Requests of the whole pod are not lowered, and a
// pod without a node or without containers has nothing to lower.
TEST_CASE("remedies: only pods with containers of their own requests, on nodes with Linux, are resized", "[fit]") {
  const auto resizes = [](const std::string& spec, const std::string& labels = "") {
    const auto cluster =
        a_cluster({"apiVersion: v1\nkind: Node\nmetadata: {name: n1, labels: {" + labels +
                       "}}\nstatus: {allocatable: {cpu: '4'}, nodeInfo: {kubeletVersion: v1.35.0}}\n",
                   "apiVersion: v1\nkind: Pod\nmetadata: {namespace: d, name: p}\nspec: {" + spec + "}\n"});
    const PodId id = cluster->snapshot->find_pod("d", "p");
    return fit::remedy_of_resize(*cluster->snapshot, id, cluster->objects.symbols.intern("cpu")).has_value();
  };
  const std::string containers = "containers: [{name: b, resources: {requests: {cpu: 2}}}]";
  CHECK(resizes("nodeName: n1, " + containers));
  CHECK(resizes("nodeName: n1, " + containers, "kubernetes.io/os: linux"));
  CHECK_FALSE(resizes(containers));
  CHECK_FALSE(resizes("nodeName: n1, containers: []"));
  CHECK_FALSE(resizes("nodeName: n1, resources: {requests: {cpu: 3}}, " + containers));
  CHECK_FALSE(resizes("nodeName: n1, " + containers, "kubernetes.io/os: windows"));
  CHECK_FALSE(resizes("nodeName: n1, nodeSelector: {kubernetes.io/os: windows}, " + containers));
}

// A quota of 0 pods of class critical, and a LimitRange of at least 500m: 1 cpu can be reduced by 500m at most.
TEST_CASE("remedies: what quotas and LimitRanges refuse is not offered", "[fit]") {
  const auto cluster = a_cluster(
      {"apiVersion: v1\nkind: ResourceQuota\nmetadata: {namespace: d, name: none}\nspec: {hard: {pods: '0'}, "
       "scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [critical]}]}}\nstatus: "
       "{hard: {pods: '0'}, used: {pods: '0'}}\n",
       "apiVersion: v1\nkind: LimitRange\nmetadata: {namespace: d, name: least}\nspec: {limits: [{type: Container, "
       "min: "
       "{cpu: 500m}}]}\n",
       a_class("critical", 900), a_class("mid", 500), a_pod("d/p").cpu("1").priority(5).yaml()});
  Lines not_searched;
  const auto remedies = fit::remedies_of_pod(*cluster->snapshot, cluster->snapshot->find_pod("d", "p"), not_searched);
  const auto of_kind = [&](fit::Kind kind) {
    const auto found =
        std::find_if(remedies.begin(), remedies.end(), [&](const Remedy& each) { return each.kind == kind; });
    REQUIRE(found != remedies.end());
    return *found;
  };
  CHECK(of_kind(fit::Kind::request).most == 500);
  CHECK(of_kind(fit::Kind::priority).most == 1);
  CHECK(of_kind(fit::Kind::priority).step(1).after == "class mid (500)");
  CHECK(not_searched == Lines{"requests for cpu that its namespace does not allow",
                              "class critical, because ResourceQuota none is exceeded: 1 requested, 0 in use, limited "
                              "to 0 of pods"});
}

TEST_CASE("remedies, Kueue: of a workload and its queue", "[fit][kueue]") {
  const auto of_workload = [](const std::string& text) {
    KueueAsked asked(text);
    const Snapshot cluster(asked.objects);
    Lines not_searched;
    return lines(fit::remedies_of_workload(cluster, "ns", "want", not_searched));
  };
  // The unit of CPU is 1m: 3 pods of 1 CPU are 3,000, and four times as much is tried.
  const std::string flavors = "spec.resourceGroups[0].flavors[0].resources[0]";
  CHECK(
      of_workload(flavor() + queue({.cohort = "team", .limits = ", borrowingLimit: 1"}) +
                  queue({.name = "o", .cohort = "team"}) + queue({.name = "alone"}) +
                  workload({.name = "high", .priority = 9, .holds = true}) +
                  workload({.name = "large", .queue = "o", .holds = true, .count = 2}) +
                  workload({.name = "small", .queue = "o", .holds = true}) +
                  workload({.name = "apart", .queue = "alone", .priority = -1, .holds = true}) +
                  workload({.name = "idle", .holds = true, .spec = ", active: false"}) +
                  workload({.name = "want", .count = 3})) ==
      Lines{"count to 2: pods of pod set main 3 -> 2 | Workload/ns/want spec.podSets[0].count | 3 -> 2",
            "priority to 2: priority 0 -> 1 | Workload/ns/want spec.priority | 0 -> 1",
            "preemption to 1: withinClusterQueue Never -> LowerPriority | ClusterQueue/q "
            "spec.preemption.withinClusterQueue | Never -> LowerPriority",
            "preemption to 1: reclaimWithinCohort Never -> Any | ClusterQueue/q spec.preemption.reclaimWithinCohort | "
            "Never -> Any",
            "preemption to 1: borrowWithinCohort.policy Never -> LowerPriority | ClusterQueue/q "
            "spec.preemption.borrowWithinCohort.policy | Never -> LowerPriority",
            "borrowing-limit to 12000: borrowingLimit of cpu on flavor f 1 -> 1001m | ClusterQueue/q " + flavors +
                ".borrowingLimit | 1 -> 1001m",
            "quota to 12000: nominalQuota of cpu on flavor f 4 -> 4001m | ClusterQueue/q " + flavors +
                ".nominalQuota | 4 -> 4001m",
            "finish to 1: ns/small | Workload/ns/small  |  -> ", "finish to 1: ns/large | Workload/ns/large  |  -> ",
            "finish to 1: ns/high | Workload/ns/high  |  -> "});
  // Without a cohort, nothing is reclaimed or borrowed; policies that preempt stay as they are.
  CHECK(of_workload(flavor() + queue({.preemption = "withinClusterQueue: LowerPriority"}) +
                    workload({.name = "want", .priority = INT32_MAX})) ==
        Lines{"quota to 4000: nominalQuota of cpu on flavor f 4 -> 4001m | ClusterQueue/q " + flavors +
              ".nominalQuota | 4 -> 4001m"});
  // Quota is shared by all queues below one root cohort, at any depth. A cohort without an object is its own root.
  const auto cohort = [](const std::string& name, const std::string& parent) {
    return test::kueue_object("Cohort", name, parent.empty() ? "" : "parentName: " + parent);
  };
  const Lines nested = of_workload(
      flavor() + cohort("top", "") + cohort("left", "top") + cohort("right", "top") + cohort("deep", "right") +
      cohort("other", "") + queue({.cohort = "left"}) + queue({.name = "near", .cohort = "top"}) +
      queue({.name = "far", .cohort = "deep"}) + queue({.name = "apart", .cohort = "other"}) +
      queue({.name = "lone", .cohort = "unknown"}) + workload({.name = "a", .queue = "near", .holds = true}) +
      workload({.name = "b", .queue = "far", .holds = true}) +
      workload({.name = "c", .queue = "apart", .holds = true}) +
      workload({.name = "d", .queue = "lone", .holds = true}) + workload({.name = "want"}));
  Lines finished;
  std::copy_if(nested.begin(), nested.end(), std::back_inserter(finished),
               [](const std::string& each) { return each.starts_with("finish"); });
  CHECK(finished == Lines{"finish to 1: ns/a | Workload/ns/a  |  -> ", "finish to 1: ns/b | Workload/ns/b  |  -> "});
  // Without its queue, only the workload can change.
  CHECK(of_workload(flavor() + workload({.name = "want", .count = 2})) ==
        Lines{"count to 1: pods of pod set main 2 -> 1 | Workload/ns/want spec.podSets[0].count | 2 -> 1",
              "priority to 1: priority 0 -> 1 | Workload/ns/want spec.priority | 0 -> 1"});
}

TEST_CASE("remedies: a pod of KAI whose queue does not exist gets the label of a leaf queue", "[fit][kai]") {
  const auto queue = [](const std::string& name, const std::string& parent = "") {
    return fmt::format(
        "apiVersion: scheduling.run.ai/v2\nkind: Queue\nmetadata: {{name: {}}}\nspec: {{parentQueue: '{}'}}\n", name,
        parent);
  };
  const auto pod = [](const std::string& labels, const std::string& scheduler = "kai-scheduler",
                      const std::string& annotations = "") {
    return fmt::format(
        "apiVersion: v1\nkind: Pod\nmetadata: {{namespace: d, name: p, labels: {{{}}}, annotations: {{{}}}}}\nspec: "
        "{{schedulerName: {}, containers: [{{name: a}}]}}\n",
        labels, annotations, scheduler);
  };
  const Lines queues = {queue("top"), queue("b", "top"), queue("a", "top")};
  const auto offered = [](const std::string& name, const std::string& before) {
    return fmt::format(
        "label to 1: kai.scheduler/queue: {} | Pod/d/p metadata.labels[\"kai.scheduler/queue\"] | {} -> {}", name,
        before, name);
  };
  CHECK(of_pod(pod(""), queues) == Lines{offered("a", ""), offered("b", "")});
  CHECK(of_pod(pod("kai.scheduler/queue: z"), queues) == Lines{offered("a", "z"), offered("b", "z")});
  CHECK(of_pod(pod("kai.scheduler/queue: b"), queues).empty());
  CHECK(of_pod(pod("project: b"), queues).empty());
  // With a node pool, the queue is that of both: b-h.
  CHECK(of_pod(pod("project: b, kai.scheduler/node-pool: h"), queues) == Lines{offered("a", ""), offered("b", "")});
  CHECK(of_pod(pod("", "other"), queues).empty());
  CHECK(of_pod(pod("", "kai-scheduler", "pod-group-name: g"), queues).empty());
  // The label is the one that KAI's Config names, if it names one.
  const auto with_config = [&](const std::string& global) {
    Lines all = queues;
    all.push_back("apiVersion: kai.scheduler/v1\nkind: Config\nmetadata: {name: kai}\nspec: {global: {" + global +
                  "}}\n");
    return all;
  };
  CHECK(of_pod(pod("kai.scheduler/queue: b"), with_config("")).empty());
  CHECK(of_pod(pod("team: b"), with_config("queueLabelKey: team")).empty());
  const Lines renamed = of_pod(pod("kai.scheduler/queue: b, team: z"), with_config("queueLabelKey: team"));
  REQUIRE(renamed.size() == 2);
  CHECK(renamed[0] == "label to 1: team: a | Pod/d/p metadata.labels[\"team\"] | z -> a");
}

}  // namespace previct::test
