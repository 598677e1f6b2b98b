// Whole cycles on small clusters; the expected decisions are derived in comments.
#include "engine/kube/node_info_snapshot.h"
#include "support/kai_cycle.h"

using namespace previct;
using namespace previct::test::cycles;

TEST_CASE("kai GPU sharing: a fraction is placed on a GPU that is shared already, if it fits there", "[kai]") {
  const std::string two =
      queue("want", 4) + queue("have", 4) + node("a", 1) + node("b", 1) + sharing("half", "0.5", "b", "g");
  CHECK(Cluster(two + asking("p", "0.5")).place("p") == "b");
  CHECK(Cluster(two + asking("p", "0.6")).place("p") == "a");
}

TEST_CASE("kai GPU sharing: free parts of shared GPUs do not make up for missing whole GPUs", "[kai]") {
  // The node reports one device, the labels of its pods name two: the node is one GPU short (idle -1). Each of the two
  // has 0.5 free, but the pod uses part of only one, and 1 - 1 is less than the 1 that it needs.
  const std::string owing = queue("want", 4) + queue("have", 4) + node("a", 1, ", nvidia.com/gpu.count: \"1\"") +
                            sharing("left", "0.4", "a", "g1") + sharing("right", "0.4", "a", "g2");
  const Cluster cluster(owing + asking("p", "0.5"));
  CHECK(cluster.decision->start().idle(ShardNodeId{0})[kGpu] == -1);
  CHECK(cluster.place("p").empty());
}

// Source: api/node_info/gpu_sharing_node_info.go addSharedGPUTaskResourcesPerPodGroup: a pod that opens a shared GPU
// takes an idle one if the node has fewer GPUs than are idle and used. `a` takes one of two as a whole; 1 idle and 2
// used are more than 2, so `b` takes the other one.
TEST_CASE("kai GPU sharing: whole GPUs that the cycle has assigned are used", "[kai]") {
  const Cluster cluster(queue("want", 4) + node("a1", 2) + alone({.name = "a", .request = kGpuEach}) +
                        asking("b", "0.5") + alone({.name = "c", .request = kGpuEach}));
  CHECK(cluster.place("a") == "a1");
  CHECK(cluster.place("b") == "a1");
  CHECK(cluster.decision->start().idle(ShardNodeId{0})[kGpu] == 2);
  CHECK(cluster.place("c").empty());
}

TEST_CASE("kai GPU sharing: a pod on a shared GPU is spared if its part is not needed", "[kai]") {
  // 0.5 + 0.5 on one GPU. The queue `have` may keep 0.5. The pending 0.5 reclaims the younger of two equal groups; at
  // equal age, that is the one with the greater name. The other one stays on the device.
  const Cluster cluster(queue("want", 0.5) + queue("have", 0.5) + node("a", 1) + sharing("left", "0.5", "a", "g") +
                        sharing("right", "0.5", "a", "g") + asking("p", "0.5"));
  CHECK(cluster.evicted() == Names{"right"});
  CHECK(cluster.place("p") == "~a");
}

TEST_CASE("kai: a required level of a topology keeps a gang inside one domain", "[kai]") {
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

TEST_CASE("kai: affinity counts pods that the cycle has placed on other nodes", "[kai]") {
  // Both nodes are in one zone. `first`, whose group comes first by name, gets node a; `second` has anti-affinity to it
  // within the zone. Nothing else keeps either pending.
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

TEST_CASE("kai MIG: a MIG pod fits only nodes with its profile, and counts with its slices", "[kai]") {
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

// The filters of kube-scheduler as KAI runs them. The expected results follow from the rules of Kubernetes for host
// ports, pod affinity and claims. Among equal nodes, a pod that requests a GPU gets the first one, a, unless a filter
// refuses it.
namespace {

constexpr std::string_view kPort = ", ports: [{containerPort: 80, hostPort: 8080}]";

}  // namespace

TEST_CASE("kai host port: a port that is in use keeps a pod off the node", "[kai]") {
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
  // Of init containers, only those that keep running beside the others (restartPolicy: Always) count.
  const std::string init = ", initContainers: [{{name: i{}, ports: [{{containerPort: 80, hostPort: 8080}}]}}]";
  CHECK(asks("", fmt::format(fmt::runtime(init), ", restartPolicy: Always")) == "b");
  CHECK(asks("", fmt::format(fmt::runtime(init), "")) == "a");
}

TEST_CASE("kai host port: a port that the cycle itself has assigned is in use", "[kai]") {
  const auto both = [](std::string_view port) {
    return alone({.name = "first", .request = kGpuEach, .container = kPort}) +
           alone({.name = "second", .request = kGpuEach, .container = port});
  };
  const std::string roomy =
      queue("want", 8) + node("a", 8, ", kubernetes.io/hostname: a");  // fits both pods, except for the port
  const Cluster one(roomy + both(kPort));
  CHECK(one.place("first") == "a");
  CHECK(one.place("second").empty());
  CHECK(Cluster(roomy + both(", ports: [{containerPort: 80, hostPort: 8081}]")).place("second") == "a");
}

TEST_CASE("kai host port: evicting its holder does not free it within the cycle", "[kai]") {
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

TEST_CASE("kai pod affinity: affinity and anti-affinity decide about nodes", "[kai]") {
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
  // Only the running pod has anti-affinity; the pending pod has none.
  CHECK(place("a", term("podAntiAffinity", "noise"), "", "app: noise") == "b");
  CHECK(place("a", term("podAntiAffinity", "noise"), "", "app: quiet") == "a");
}

TEST_CASE("kai volumes: a claim ties a pod to the node of its volume, and a missing claim excludes all nodes",
          "[kai]") {
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
  const auto other = [](std::string text) { return text.replace(text.find("name: d"), 7, "name: other-d"); };
  CHECK(Cluster(two_nodes() + volume + other(claim) + asks).place("p").empty());
  CHECK(Cluster(two_nodes() + claim + other(volume) + asks).place("p").empty());
  // Without any claim, or any volume, the input does not say what is missing.
  CHECK(Cluster(two_nodes() + volume + asks).place("p") == "a");
  CHECK(Cluster(two_nodes() + claim + asks).place("p") == "a");
}

TEST_CASE("kai shard: hiding pods of other nodes from a shard does not change the shared snapshot", "[kai]") {
  const Cluster cluster(two_nodes() + node("c", 1, ", kai.scheduler/node-pool: gold") +
                        alone({.name = "there", .node = "c", .container = kPort}, "have") +
                        alone({.name = "p", .request = kGpuEach, .container = kPort}));
  CHECK(cluster.place("p") == "a");
  const auto& picture = cluster.snapshot->derived<kube::NodeInfoSnapshot>();
  CHECK(picture.pods_on(cluster.snapshot->find_node(cluster.snapshot->symbol("c"))).size() == 1);
}
