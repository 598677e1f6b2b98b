// Whole cycles on small clusters; what they should decide is worked out beside each.
#include "engine/kube/node_info_snapshot.h"
#include "support/kai_cycle.h"

using namespace previct;
using namespace previct::test::cycles;

TEST_CASE("kai: a part goes where a GPU is shared already, if there is room on it") {
  const std::string two =
      queue("want", 4) + queue("have", 4) + node("a", 1) + node("b", 1) + sharing("half", "0.5", "b", "g");
  CHECK(Cluster(two + asking("p", "0.5")).place("p") == "b");
  CHECK(Cluster(two + asking("p", "0.6")).place("p") == "a");
}

TEST_CASE("kai: GPUs with room do not make up for whole ones that a node owes") {
  // One device by the node, two by the labels of its pods: the node is one GPU short (idle -1). Each of the two has
  // room for 0.5, but the pod takes part of one only, and 1 - 1 is less than the 1 that it needs.
  const std::string owing = queue("want", 4) + queue("have", 4) + node("a", 1, ", nvidia.com/gpu.count: \"1\"") +
                            sharing("left", "0.4", "a", "g1") + sharing("right", "0.4", "a", "g2");
  const Cluster cluster(owing + asking("p", "0.5"));
  CHECK(cluster.decision->start.idle(ShardNodeId{0})[kGpu] == -1);
  CHECK(cluster.place("p").empty());
}

TEST_CASE("kai: who shares a GPU is spared when its rest is not needed") {
  // 0.5 + 0.5 on one GPU. The queue `have` may keep 0.5; the pending 0.5 reclaims the younger of two alike groups,
  // that is, of equal age, the one whose name is greater; the other one stays on the device.
  const Cluster cluster(queue("want", 0.5) + queue("have", 0.5) + node("a", 1) + sharing("left", "0.5", "a", "g") +
                        sharing("right", "0.5", "a", "g") + asking("p", "0.5"));
  CHECK(cluster.evicted() == Names{"right"});
  CHECK(cluster.place("p") == "~a");
}

TEST_CASE("kai: a required level of a topology keeps a gang inside one domain") {
  // Two racks of two GPUs. One GPU of rack r1 is taken, so that two pods of a GPU fit rack r2 only; three fit no rack.
  const std::string racks =
      queue("want", 8) + queue("have", 8) + node("a", 1, ", rack: r1") + node("b", 1, ", rack: r1") +
      node("c", 1, ", rack: r2") + node("d", 1, ", rack: r2") +
      "---\n{apiVersion: kai.scheduler/v1alpha1, kind: Topology, metadata: {name: dc}, spec: {levels: [{nodeLabel: "
      "rack}]}}\n" +
      group("busy", "have", ", preemptibility: non-preemptible") +
      pod({.name = "busy", .group = "busy", .node = "a", .request = ", nvidia.com/gpu: \"1\""});
  const auto gang = [](int size) {
    std::string text = group("gang", "want",
                             fmt::format(", minMember: {}, topologyConstraint: {{topology: dc, requiredTopologyLevel: "
                                         "rack}}",
                                         size));
    for (int i = 0; i < size; ++i) {
      const std::string name = fmt::format("gang-{}", i);
      text += pod({.name = name, .group = "gang", .request = ", nvidia.com/gpu: \"1\""});
    }
    return text;
  };
  const Cluster two(racks + gang(2));
  CHECK(two.place("gang-0") == "c");
  CHECK(two.place("gang-1") == "d");
  const Cluster three(racks + gang(3));
  CHECK(three.place("gang-0").empty());
  CHECK(three.evicted().empty());
}

TEST_CASE("kai: affinity counts pods that the cycle has placed on other nodes") {
  // Both nodes are in one zone. `first` (its group is served first, by name) goes to node a; `second` refuses to be in
  // a zone with it. Neither has any other reason to wait.
  const std::string zone = queue("want", 8) + node("a", 1, ", zone: z") + node("b", 1, ", zone: z");
  const std::string refuses =
      ", affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone, "
      "labelSelector: {matchLabels: {app: first}}}]}}";
  const Cluster cluster(
      zone + group("first", "want") + group("second", "want") +
      pod({.name = "first", .group = "first", .labels = "app: first", .request = ", nvidia.com/gpu: \"1\""}) +
      pod({.name = "second", .group = "second", .request = ", nvidia.com/gpu: \"1\"", .spec = refuses}));
  CHECK(cluster.place("first") == "a");
  CHECK(cluster.place("second").empty());
}

TEST_CASE("kai: a MIG pod goes to nodes with its profile only, and counts with its slices") {
  const std::string mig =
      "---\n{apiVersion: v1, kind: Node, metadata: {name: m}, status: {allocatable: {cpu: \"64\", pods: \"110\", "
      "nvidia.com/mig-1g.10gb: \"4\", nvidia.com/mig-3g.40gb: \"1\"}, conditions: [{type: Ready, status: "
      "\"True\"}]}}\n";
  const std::string asks =
      group("p", "want") + pod({.name = "p", .group = "p", .request = ", nvidia.com/mig-3g.40gb: \"1\""});
  CHECK(Cluster(queue("want", 8) + node("a", 8) + mig + asks).place("p") == "m");
  // One profile is taken; four free 1g devices do not make a 3g one.
  const std::string taken = group("x", "want", ", preemptibility: non-preemptible") +
                            pod({.name = "x", .group = "x", .node = "m", .request = ", nvidia.com/mig-3g.40gb: \"1\""});
  const Cluster full(queue("want", 8) + mig + taken + asks);
  CHECK(full.place("p").empty());
  CHECK(full.decision->cycle.session().allocated(full.decision->cluster_info.tree().find("want"))[kGpu] == 3);
}

// kube-scheduler's filters, as KAI asks them: what each should say follows from the rules of Kubernetes for host ports,
// pod affinity and claims. A pod of a GPU on equal nodes goes to the first of them, a, unless a filter refuses it.
namespace {

constexpr std::string_view kPort = ", ports: [{containerPort: 80, hostPort: 8080}]";

}  // namespace

TEST_CASE("kai: a host port that is taken keeps a pod from the node") {
  const std::string holder = alone({.name = "holder", .node = "a", .container = kPort}, "have");
  const auto asks = [&](std::string_view container, std::string_view spec = "") {
    return Cluster(two_nodes() + holder +
                   alone({.name = "p", .request = kGpuEach, .spec = spec, .container = container}))
        .place("p");
  };
  CHECK(asks("") == "a");
  CHECK(asks(kPort) == "b");
  CHECK(asks(", ports: [{containerPort: 80, hostPort: 8081}]") == "a");
  CHECK(asks(", ports: [{containerPort: 8080}]") == "a");
  // Of containers that run before the others only those that go on beside them count.
  const std::string init = ", initContainers: [{{name: i{}, ports: [{{containerPort: 80, hostPort: 8080}}]}}]";
  CHECK(asks("", fmt::format(fmt::runtime(init), ", restartPolicy: Always")) == "b");
  CHECK(asks("", fmt::format(fmt::runtime(init), "")) == "a");
}

TEST_CASE("kai: a host port that the cycle itself has given away is taken") {
  const auto both = [](std::string_view port) {
    return alone({.name = "first", .request = kGpuEach, .container = kPort}) +
           alone({.name = "second", .request = kGpuEach, .container = port});
  };
  const std::string roomy =
      queue("want", 8) + node("a", 8, ", kubernetes.io/hostname: a");  // room for both, but for the port
  const Cluster one(roomy + both(kPort));
  CHECK(one.place("first") == "a");
  CHECK(one.place("second").empty());
  CHECK(Cluster(roomy + both(", ports: [{containerPort: 80, hostPort: 8081}]")).place("second") == "a");
}

TEST_CASE("kai: evicting who holds a host port does not free it within the cycle") {
  // `have` has no quota and holds the only GPU, which `want` may reclaim.
  const auto decide = [](std::string_view held) {
    return Cluster(queue("want", 4) + queue("have", 0) + node("a", 1) +
                   alone({.name = "holder", .node = "a", .request = kGpuEach, .container = held}, "have") +
                   alone({.name = "p", .request = kGpuEach, .container = kPort}));
  };
  CHECK(decide("").evicted() == Names{"holder"});
  CHECK(decide("").place("p") == "~a");
  CHECK(decide(kPort).evicted().empty());
  CHECK(decide(kPort).place("p").empty());
}

TEST_CASE("kai: affinity to pods and against them decides about nodes") {
  const auto term = [](std::string_view kind, std::string_view app) {
    return fmt::format(
        ", affinity: {{{}: {{requiredDuringSchedulingIgnoredDuringExecution: [{{topologyKey: kubernetes.io/hostname, "
        "labelSelector: {{matchLabels: {{app: {}}}}}}}]}}}}",
        kind, app);
  };
  const auto place = [&](std::string_view on, std::string_view its_spec, std::string_view spec,
                         std::string_view label = "") {
    return Cluster(two_nodes() + alone({.name = "other", .node = on, .labels = "app: db", .spec = its_spec}, "have") +
                   alone({.name = "p", .labels = label, .request = kGpuEach, .spec = spec}))
        .place("p");
  };
  CHECK(place("b", "", term("podAffinity", "db")) == "b");
  CHECK(place("b", "", term("podAffinity", "web")).empty());
  CHECK(place("a", "", term("podAntiAffinity", "db")) == "b");
  CHECK(place("a", "", term("podAntiAffinity", "web")) == "a");
  // The running pod refuses others beside it; the pending one says nothing.
  CHECK(place("a", term("podAntiAffinity", "noise"), "", "app: noise") == "b");
  CHECK(place("a", term("podAntiAffinity", "noise"), "", "app: quiet") == "a");
}

TEST_CASE("kai: a claim keeps a pod to where its volume is, and one that is missing keeps it from all nodes") {
  const std::string volume =
      "---\n{apiVersion: v1, kind: PersistentVolume, metadata: {name: disk}, spec: {capacity: {storage: 1Gi}, "
      "accessModes: [ReadWriteOnce], claimRef: {namespace: ml, name: data}, nodeAffinity: {required: "
      "{nodeSelectorTerms: [{matchExpressions: [{key: kubernetes.io/hostname, operator: In, values: [b]}]}]}}}}\n";
  const std::string claim =
      "---\n{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: data, namespace: ml, annotations: "
      "{pv.kubernetes.io/bind-completed: \"yes\"}}, spec: {accessModes: [ReadWriteOnce], volumeName: disk, "
      "resources: {requests: {storage: 1Gi}}}, status: {phase: Bound}}\n";
  const std::string asks = alone(
      {.name = "p", .request = kGpuEach, .spec = ", volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]"});
  CHECK(Cluster(two_nodes() + volume + claim + asks).place("p") == "b");
  CHECK(Cluster(two_nodes() + volume + asks).place("p").empty());
  CHECK(Cluster(two_nodes() + claim + asks).place("p").empty());
}

TEST_CASE("kai: that a shard does not see the pods of other nodes changes nothing for the rest of the program") {
  const Cluster cluster(two_nodes() + node("c", 1, ", kai.scheduler/node-pool: gold") +
                        alone({.name = "there", .node = "c", .container = kPort}, "have") +
                        alone({.name = "p", .request = kGpuEach, .container = kPort}));
  CHECK(cluster.place("p") == "a");
  const auto& picture = cluster.snapshot->derived<kube::NodeInfoSnapshot>();
  CHECK(picture.pods_on(cluster.snapshot->find_node(cluster.snapshot->symbol("c"))).size() == 1);
}
