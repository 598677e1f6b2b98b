// What an input from a real cluster leaves unknown if it lacks pods. Expected values are derived by hand: more pods
// only reduce the free resources.
#include "api/lacking_pods.h"
#include "engine/engine.h"
#include "engine/kube/namespaces.h"
#include "support/cluster.h"
#include "support/owned.h"
#include "tell/gap_words.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

using namespace previct;
using namespace previct::test;

namespace {

// A node as a kubelet reports it, with 4 CPUs.
auto real_node(const std::string& images = "[]") -> std::string {
  return fmt::format(
      "apiVersion: v1\nkind: Node\nmetadata: {{name: n1, uid: u-n1}}\nstatus:\n  allocatable: {{cpu: \"4\", memory: "
      "16Gi, pods: \"110\"}}\n  nodeInfo: {{kubeletVersion: v1.35.4, bootID: b-1}}\n  images: {}\n",
      images);
}
auto a_namespace(const std::string& name) -> std::string {
  return fmt::format("apiVersion: v1\nkind: Namespace\nmetadata: {{name: {}}}\n", name);
}
const std::string kNew = a_pod("default/new").cpu("2").yaml();

}  // namespace

TEST_CASE("partial input: a real node without running pods does not count as empty", "[kube][partial]") {
  CHECK(ask_kube(*a_cluster({real_node(), kNew}), "default/new").outcome == Outcome::unknown);
  // The pod is too large for the node, whatever runs there.
  CHECK(ask_kube(*a_cluster({real_node(), a_pod("default/new").cpu("5").yaml()}), "default/new").outcome ==
        Outcome::pending);
  // kubectl get -o custom-columns and trimmed dumps lack the boot id; a kubelet with a release shows a cluster as well.
  const std::string trimmed =
      "apiVersion: v1\nkind: Node\nmetadata: {name: n1, uid: u-n1}\nstatus: {allocatable: {cpu: 4, memory: 16Gi, "
      "pods: 110}, nodeInfo: {kubeletVersion: v1.35.4}}\n";
  CHECK(ask_kube(*a_cluster({trimmed, kNew}), "default/new").outcome == Outcome::unknown);
  // A pod that is already on the node is enough: others may run there, which is a remark.
  CHECK(ask_kube(*a_cluster({trimmed, kNew, a_pod("default/r").on("n1").yaml()}), "default/new").outcome ==
        Outcome::fits);
  // In an input made by hand, this may be all there is.
  CHECK(ask_kube(*a_cluster({a_node("n1", "4"), kNew}), "default/new").outcome == Outcome::fits);
}

TEST_CASE("partial input: pods of one namespace do not count as all pods of a cluster", "[kube][partial]") {
  const auto outcome = [](const std::string& node, const std::string& ns, const std::string& other) {
    std::vector<std::string> documents = {node, a_pod(ns + "/r").on("n1").yaml(), a_pod(ns + "/new").cpu("2").yaml()};
    if (!other.empty()) documents.push_back(a_namespace(other));
    return ask_kube(*a_cluster(documents), ns + "/new").outcome;
  };
  CHECK(outcome(real_node(), "default", "") == Outcome::unknown);
  // kubectl get without -A lists all Namespaces. They show that no other pods run only if nothing ever ran on the node.
  const std::string images = "[{names: [registry.k8s.io/pause], sizeBytes: 1}]";
  CHECK(outcome(real_node(images), "default", "kube-system") == Outcome::unknown);
  CHECK(outcome(real_node(), "default", "kube-system") == Outcome::fits);
  CHECK(outcome(real_node(images), "kube-system", "") == Outcome::fits);
}

TEST_CASE("partial input: namespaces dumped one by one, none of them a system namespace, are not all",
          "[kube][partial]") {
  // 3 of 4 CPUs are in use. `apart`: the pods of each namespace are in a file of their own.
  const auto outcome = [](const std::string& node, const std::string& ns, bool apart = true) {
    const auto cluster = a_cluster({node, a_pod("xx/r").on("n1").yaml(), a_pod("zz/r").on("n1").yaml(),
                                    a_pod(ns + "/s").on("n1").yaml(), a_pod("xx/new").cpu("1").yaml()});
    for (const PodId id : cluster->objects.pods.ids()) {
      Pod& pod = cluster->objects.pods[id];
      if (apart) pod.meta.source.file = FileId{pod.meta.ns.index};
    }
    return ask_kube(*cluster, "xx/new").outcome;
  };
  CHECK(outcome(real_node(), "ww") == Outcome::unknown);
  CHECK(outcome(real_node(), "ww", false) == Outcome::fits);
  CHECK(outcome(real_node(), "default") == Outcome::unknown);
  CHECK(outcome(real_node(), "kube-system") == Outcome::fits);
  CHECK(outcome(real_node(), "openshift-dns") == Outcome::fits);
  CHECK(outcome(a_node("n1", "4"), "ww") == Outcome::fits);
}

TEST_CASE("partial input: pods that controllers count, and the input lacks, may use the nodes", "[kube][partial]") {
  // n1 has room for 20 of the pods, of which the input has `present`, and for default/new.
  const auto answer = [](const std::string& kind, const std::string& status, int present) {
    std::vector<std::string> documents = {a_node("n1", "22"), a_pod("default/r").on("n1").yaml(),
                                          a_pod("default/new").yaml()};
    documents.push_back(
        fmt::format("apiVersion: {}\nkind: {}\nmetadata: {{namespace: default, name: w, uid: u-w}}\n"
                    "status: {{{}}}\n",
                    kind == "Job" ? "batch/v1" : "apps/v1", kind, status));
    for (int i = 0; i < present; ++i)
      documents.push_back(owned(a_pod(fmt::format("default/w-{}", i)).on("n1").yaml(), kind, "w"));
    const auto cluster = a_cluster(documents);
    note_lacking_pods(cluster->objects);
    return ask_kube(*cluster, "default/new");
  };
  const auto told = [](const Answer& of) {
    return std::any_of(of.gaps.begin(), of.gaps.end(),
                       [](const Gap& gap) { return gap.rule == GapRule::lacking_pods; });
  };
  CHECK(answer("ReplicaSet", "replicas: 1", 0).outcome == Outcome::unknown);
  CHECK(answer("StatefulSet", "replicas: 2", 1).outcome == Outcome::unknown);
  CHECK(answer("Job", "active: 1", 0).outcome == Outcome::unknown);
  CHECK(answer("ReplicaSet", "replicas: 1", 1).outcome == Outcome::fits);
  CHECK_FALSE(told(answer("ReplicaSet", "replicas: 1", 1)));
  // One of 20 may have been created after the pods were listed.
  const Answer newer = answer("ReplicaSet", "replicas: 20", 19);
  CHECK(newer.outcome == Outcome::fits);
  CHECK(told(newer));
}

TEST_CASE("partial input: allocatable without pods was trimmed if a kubelet reported it", "[kube][partial]") {
  const auto node = [](const std::string& info) {
    return fmt::format(
        "apiVersion: v1\nkind: Node\nmetadata: {{name: n1}}\nstatus: {{allocatable: {{cpu: \"4\", memory: 16Gi}}, "
        "nodeInfo: {{{}}}}}\n",
        info);
  };
  const std::string running = a_pod("kube-system/r").on("n1").yaml();
  CHECK(ask_kube(*a_cluster({node("bootID: b-1"), running, kNew}), "default/new").outcome == Outcome::unknown);
  CHECK(ask_kube(*a_cluster({node("bootID: \"\""), running, kNew}), "default/new").outcome == Outcome::pending);
}

// The pod needs 1 CPU. It may fit on big; if not, it preempts q on small.
TEST_CASE("partial input: a pod may fit on a node whose allocatable was trimmed", "[kube][partial]") {
  const std::string big = "apiVersion: v1\nkind: Node\nmetadata: {name: big, uid: u-big}\n";
  const std::vector<std::string> small = {a_node("small", "1"), a_pod("x/q").on("small").yaml(),
                                          a_pod("x/new").priority(1000).yaml()};
  CHECK(ask_kube(*a_cluster(small), "x/new").outcome == Outcome::preempts);
  std::vector<std::string> both = small;
  both.push_back(big);
  CHECK(ask_kube(*a_cluster(both), "x/new").outcome == Outcome::unknown);
}

TEST_CASE("partial input: the priority of a manifest is unknown if its class is not in the input", "[kube][partial]") {
  const std::string manifest =
      "apiVersion: v1\nkind: Pod\nmetadata: {name: new, namespace: default}\nspec: {priorityClassName: nope, "
      "containers: [{name: c, resources: {requests: {cpu: \"4\"}}}]}\n";
  const auto asked = [&](const std::string& node) {
    return ask_kube(*a_cluster({node, a_pod("kube-system/r").on("n1").yaml(), manifest}), "default/new").outcome;
  };
  CHECK(asked(real_node()) == Outcome::unknown);
  CHECK(asked(a_node("n1", "4")) == Outcome::pending);  // upstream counts it as 0
}

TEST_CASE("partial input: pods that could not be read, or are on no node, leave open what fits", "[kube][partial]") {
  // One pod of 2 CPUs runs on n1, which has 4: 2 more fit, if nothing else runs there.
  const auto asked = [](const std::string& cpu, LeftOut InputSummary::*which) {
    const auto cluster =
        a_cluster({a_node("n1", "4"), a_pod("x/r").on("n1").cpu("2").yaml(), a_pod("x/new").cpu(cpu).yaml()});
    if (which != nullptr) cluster->objects.*which = {.count = 1, .first = {}};
    return ask_kube(*cluster, "x/new");
  };
  CHECK(asked("2", nullptr).outcome == Outcome::fits);
  const Answer broken = asked("2", &InputSummary::broken_pods);
  CHECK(broken.outcome == Outcome::unknown);
  CHECK(broken.sentence.starts_with("cannot tell, because a file with pods could not be read"));
  const Answer unplaced = asked("2", &InputSummary::unplaced_pods);
  CHECK(unplaced.outcome == Outcome::unknown);
  CHECK(unplaced.sentence.starts_with("cannot tell, because 1 running pod has no spec.nodeName"));
  // A file without pods uses no resources; and a pod that does not fit does not fit beside more pods either.
  CHECK(asked("2", &InputSummary::broken_files).outcome == Outcome::fits);
  CHECK(asked("3", &InputSummary::broken_pods).outcome == Outcome::pending);
}

TEST_CASE("partial input: without nodes, nothing is assumed about the pods that run on them", "[kube][partial]") {
  const auto assumes_all = [](const std::vector<std::string>& documents) {
    const Answer answer = ask_kube(*a_cluster(documents), "x/new");
    return std::any_of(answer.gaps.begin(), answer.gaps.end(),
                       [](const Gap& gap) { return gap.rule == GapRule::one_namespace; });
  };
  CHECK_FALSE(assumes_all({a_pod("x/new").yaml()}));
  CHECK(assumes_all({a_node("n1", "4"), a_pod("x/r").on("n1").yaml(), a_pod("x/new").yaml()}));
}

TEST_CASE("partial input: nodes that have pods but are not in the input may fit the pod", "[kube][partial]") {
  // n1 has 4 CPUs, of which a pod of priority 0 uses 3. The free resources of n2 are not known.
  const std::string on_n1 = a_pod("x/r").on("n1").cpu("3").yaml();
  const std::string on_n2 = a_pod("z/s").on("n2").yaml();
  const auto asked = [&](const std::string& pod, const std::vector<std::string>& more = {}) {
    std::vector<std::string> documents = {real_node(), on_n1, pod};
    documents.insert(documents.end(), more.begin(), more.end());
    return ask_kube(*a_cluster(documents), "x/new");
  };
  const std::string equal = a_pod("x/new").cpu("2").yaml();
  const std::string higher = a_pod("x/new").cpu("2").priority(9).yaml();
  const std::string small = a_pod("x/new").cpu("1").yaml();
  CHECK(asked(equal, {a_pod("z/s").on("n1").cpu("0").yaml()}).outcome == Outcome::pending);
  const Answer pending = asked(equal, {on_n2});
  CHECK(pending.outcome == Outcome::unknown);
  CHECK(pending.sentence.starts_with("cannot tell, because the input lacks node n2, on which pods run"));
  CHECK(pending.scheduler_message.empty());  // it would be about two nodes
  const Answer preempting = asked(higher, {on_n2, a_pod("z/t").on("n3").yaml()});
  CHECK(preempting.outcome == Outcome::unknown);
  CHECK(preempting.sentence.find("2 nodes on which pods run (the first: n2)") != std::string::npos);
  // A pod that fits does so whatever other nodes there are.
  CHECK(asked(small, {on_n2}).outcome == Outcome::fits);

  // No pod runs on n2 any more, or only a terminating one.
  CHECK(asked(equal,
              {a_pod("z/s").on("n2").deleting("2026-03-02T11:00:00Z").yaml(), a_pod("z/r").on("n1").cpu("0").yaml()})
            .outcome == Outcome::pending);
  // A list of the API server is complete: the node no longer exists, and its pods will be deleted.
  const std::string listed = "apiVersion: v1\nkind: NodeList\nitems: []\n";
  CHECK(asked(equal, {on_n2, listed}).outcome == Outcome::pending);
  // If one file has two lists, the list of nodes may have been restricted, as by kubectl get nodes -l role=gpu.
  CHECK(asked(equal, {on_n2, listed, "apiVersion: v1\nkind: PodList\nitems: []\n"}).outcome == Outcome::unknown);
  // In an input written by hand, the node may never have existed.
  CHECK(ask_kube(*a_cluster({a_node("n1", "4"), on_n1, on_n2, equal}), "x/new").outcome == Outcome::pending);
}

// The scheduler does not look at metadata.deletionTimestamp of nodes.
TEST_CASE("partial input: a node that is being deleted is assumed to stay", "[kube][partial]") {
  const auto assumed = [](const std::string& metadata, const std::vector<std::string>& more = {}) {
    std::vector<std::string> documents = {"apiVersion: v1\nkind: Node\nmetadata: {name: n1" + metadata +
                                              "}\nstatus: {allocatable: {cpu: \"4\", memory: 16Gi, pods: \"110\"}}\n",
                                          a_pod("x/new").cpu("2").priority(9).yaml()};
    documents.insert(documents.end(), more.begin(), more.end());
    std::string words;
    for (const Gap& gap : ask_kube(*a_cluster(documents), "x/new").gaps) {
      if (gap.rule == GapRule::deleting_nodes) words += gap_words(gap);
    }
    return words;
  };
  const std::string deleting = ", deletionTimestamp: \"2026-03-02T11:59:00Z\", finalizers: [karpenter.sh/termination]";
  CHECK(assumed("").empty());
  const std::string stays =
      "assumed: 1 node stays, although it is being deleted (the first: n1, since 2026-03-02T11:59:00Z)";
  CHECK(assumed(deleting) == stays);
  CHECK(assumed(deleting, {a_pod("x/low").on("n1").cpu("4").yaml()}) == stays);              // it preempts there
  CHECK(assumed(deleting, {a_pod("x/high").on("n1").cpu("4").priority(9).yaml()}).empty());  // it stays pending
}

TEST_CASE("partial input: a pod that may run on one node only depends on that node only", "[kube][partial]") {
  const auto asked = [](const std::string& node) {
    const std::string pod =
        a_pod("x/new")
            .cpu("2")
            .spec(fmt::format(
                "affinity: {{nodeAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: "
                "[{{matchFields: [{{key: metadata.name, operator: In, values: [{}]}}]}}]}}}}}}",
                node))
            .yaml();
    return ask_kube(*a_cluster({real_node(), a_pod("x/r").on("n1").cpu("3").yaml(), a_pod("z/s").on("n2").yaml(), pod}),
                    "x/new");
  };
  CHECK(asked("n1").outcome == Outcome::pending);  // n2 does not matter
  const Answer missing = asked("n3");
  CHECK(missing.outcome == Outcome::unknown);
  CHECK(missing.sentence.find("the input lacks node n3, which the pod's affinity or volumes name") !=
        std::string::npos);
}

TEST_CASE("partial input: an incomplete list of nodes does not show that the pod's own node is gone",
          "[kube][partial]") {
  const std::string pod =
      a_pod("x/new")
          .cpu("2")
          .spec(
              "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
              "[{matchFields: [{key: metadata.name, operator: In, values: [n3]}]}]}}}")
          .yaml();
  const std::string nodes = "apiVersion: v1\nkind: NodeList\nitems: []\n";
  const std::string pods = "apiVersion: v1\nkind: PodList\nitems: []\n";
  const std::vector<std::string> documents = {real_node(), a_pod("x/r").on("n1").cpu("3").yaml(), pod, nodes, pods};
  const auto asked = [&](const std::string& other) {
    std::vector<std::string> all = documents;
    all.push_back(a_pod("z/s").on(other).cpu("0").yaml());
    return ask_kube(*a_cluster(all), "x/new").outcome;
  };
  CHECK(asked("n1") == Outcome::pending);  // nothing shows that the lists are incomplete
  CHECK(asked("n2") == Outcome::unknown);
}

TEST_CASE("partial input: the message of the scheduler is not known without nodes", "[kube][partial]") {
  const Answer answer = ask_kube(*a_cluster({a_pod("x/new").yaml()}), "x/new");
  CHECK(answer.outcome == Outcome::unknown);
  CHECK(answer.scheduler_message.empty());
}

TEST_CASE("partial input: a pending pod of another namespace does not make the running pods complete",
          "[kube][partial]") {
  const std::string pod = a_pod("other/new").cpu("2").yaml();
  const Answer answer = ask_kube(*a_cluster({real_node(), a_pod("x/r").on("n1").yaml(), pod}), "other/new");
  CHECK(answer.outcome == Outcome::unknown);
  CHECK(answer.sentence.find("the input has pods of namespace x only") != std::string::npos);
}

TEST_CASE("partial input: a pod without a phase on a real node may have ended", "[kube][partial]") {
  // `kubectl get pods -o json | jq 'del(.items[].status)'`: the Job's pod uses 3 of 4 CPUs, if it still runs.
  const auto outcome = [](const std::string& node, const std::string& cpu, const std::string& status,
                          const std::string& uid = ", uid: u-j") {
    const std::string job = "apiVersion: v1\nkind: Pod\nmetadata: {name: j, namespace: kube-system" + uid +
                            "}\nspec: {nodeName: n1, priority: 0, containers: [{name: c, resources: {requests: {cpu: "
                            "\"3\"}}}]}\n" +
                            status;
    const auto cluster = a_cluster({node, job, a_pod("kube-system/new").priority(9).cpu(cpu).yaml()});
    cluster->objects.files.add("dump.yaml");
    return ask_kube(*cluster, "kube-system/new").outcome;
  };
  CHECK(outcome(real_node(), "2", "") == Outcome::unknown);
  CHECK(outcome(real_node(), "2", "status: {phase: Running}\n") == Outcome::preempts);
  CHECK(outcome(real_node(), "1", "") == Outcome::fits);
  CHECK(outcome(a_node("n1", "4"), "2", "") == Outcome::preempts);
  // An API server gives each pod a uid. Without one, it was written by hand.
  CHECK(outcome(real_node(), "2", "", "") == Outcome::preempts);
}

TEST_CASE("partial input: a namespace is known by its object, or else by its pods", "[kube][partial]") {
  const auto cluster =
      a_cluster({"apiVersion: v1\nkind: Namespace\nmetadata: {name: one, labels: {team: x}}\n", a_pod("one/a").yaml(),
                 a_pod("one/b").yaml(), a_pod("two/a").yaml(), a_pod("two/b").yaml()});
  const auto known = [&] {
    std::string text;
    for (const kube::KnownNamespace& each : kube::known_namespaces(*cluster->snapshot)) {
      const Symbol team = each.labels.get(cluster->objects.symbols.intern("team"));
      text += fmt::format("{}:{} ", cluster->snapshot->text(each.name), cluster->snapshot->text(team));
    }
    return text;
  };
  CHECK(known() == "one:x ");
  // If only a manifest of the user has a Namespace, the cluster has others.
  cluster->objects.manifest_only_kinds.insert("Namespace");
  CHECK(known() == "one:x two: ");
}

TEST_CASE("partial input: pods of one node do not count as all pods of a cluster", "[kube][partial]") {
  const auto used = [](const std::string& name) {
    return fmt::format(
        "apiVersion: v1\nkind: Node\nmetadata: {{name: {0}, uid: u-{0}}}\nstatus:\n  allocatable: {{cpu: \"4\", "
        "memory: "
        "16Gi, pods: \"110\"}}\n  nodeInfo: {{kubeletVersion: v1.35.4, bootID: b-{0}}}\n  images: [{{names: "
        "[pause]}}]\n",
        name);
  };
  const std::string proxy =
      "apiVersion: v1\nkind: Pod\nmetadata: {name: proxy, namespace: kube-system, ownerReferences: [{apiVersion: "
      "apps/v1, "
      "kind: DaemonSet, name: proxy, uid: u, controller: true}]}\nspec: {nodeName: n1, priority: 2000001000, "
      "containers: [{name: c}]}\nstatus: {phase: Running}\n";
  const std::string full = a_pod("x/full").on("n1").priority(9).cpu("4").yaml();
  const auto outcome = [&](const std::vector<std::string>& more) {
    std::vector<std::string> documents = {used("n1"), used("n2"), full, a_pod("x/new").cpu("2").yaml()};
    documents.insert(documents.end(), more.begin(), more.end());
    return ask_kube(*a_cluster(documents), "x/new").outcome;
  };
  // A DaemonSet has a pod on most nodes, and n2 has run containers.
  CHECK(outcome({proxy}) == Outcome::unknown);
  CHECK(outcome({proxy, a_pod("x/other").on("n2").cpu("1").yaml()}) == Outcome::fits);
  CHECK(outcome({a_pod("z/other").on("n1").cpu("1").yaml()}) == Outcome::fits);
}

TEST_CASE("partial input: without its PriorityClass, the priority of a pod may decide", "[kube][partial]") {
  // The API server sets spec.priority, so that the input was trimmed. Whether the running pod, of priority 100, is a
  // victim depends on the value of class high.
  const auto pod = [](const std::string& cpu, const std::string& more = "") {
    return "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: new, uid: u}\nspec: {priorityClassName: high, "
           "containers: [{name: c, resources: {requests: {cpu: " +
           cpu + "}}}]" + more + "}\n";
  };
  const std::string running = a_pod("ns/r").on("n1").priority(100).cpu("3").yaml();
  const auto outcome = [](const std::vector<std::string>& documents) {
    return ask_kube(*a_cluster(documents), "ns/new").outcome;
  };
  CHECK(outcome({a_node("n1", "4"), running, pod("2")}) == Outcome::unknown);
  CHECK(outcome({a_node("n1", "4"), running, pod("2", ", priority: 1000")}) == Outcome::preempts);
  // It fits beside the running pod, is too large for the node, or the node is empty: the value decides nothing.
  CHECK(outcome({a_node("n1", "4"), running, pod("1")}) == Outcome::fits);
  CHECK(outcome({a_node("n1", "4"), running, pod("5")}) == Outcome::pending);
  CHECK(outcome({a_node("n1", "4"), running, pod("2", ", preemptionPolicy: Never")}) == Outcome::not_eligible);
  // A nominated pod of priority 100 keeps its place from pods of at most its own priority.
  CHECK(outcome({a_node("n1", "4"), a_pod("ns/first").priority(100).cpu("3").nominated("n1").yaml(), pod("2")}) ==
        Outcome::unknown);
}
