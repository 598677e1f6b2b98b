// Placement of single pods: lists of nodes that are tried in order, counts of a topology, fractions of GPUs. The
// expected results were observed in at least three runs of the real scheduler (d5bc503a) on each of these clusters.
#include "support/kai_cycle.h"

using namespace previct;
using namespace previct::test::cycles;

namespace {

constexpr std::string_view kRacks =
    "---\n{apiVersion: kai.scheduler/v1alpha1, kind: Topology, metadata: {name: dc}, spec: {levels: [{nodeLabel: "
    "rack}]}}\n";
constexpr std::string_view kOneRack = "topologyConstraint: {topology: dc, requiredTopologyLevel: rack}";

// Returns `text` with its first `from` replaced by `to`.
auto with_replaced(std::string text, std::string_view from, std::string_view to) -> std::string {
  return text.replace(text.find(from), from.size(), to);
}

auto both_queues() -> std::string {
  return queue("want", 8) + queue("have", 8);
}

}  // namespace

TEST_CASE("kai topology: a gang that fits a list of nodes only in part is rolled back before the next list", "[kai]") {
  // Each rack has two free GPUs. Node b is cordoned, which the count of a rack ignores: r1 is tried, and given up after
  // one pod is placed. Then the GPU of a is free for a later pod.
  const std::string racks =
      both_queues() + std::string(kRacks) + node("a", 1, ", rack: r1") +
      with_replaced(node("b", 1, ", rack: r1"), "status:", "spec: {unschedulable: true}, status:") +
      node("c", 1, ", rack: r2") + node("d", 1, ", rack: r2");
  const auto places = [&](const std::string& spec, std::string_view labels) {
    const Cluster cluster(racks + group("gang", "want", spec) +
                          pod({.name = "gang-0", .group = "gang", .labels = labels, .request = kGpuEach}) +
                          pod({.name = "gang-1", .group = "gang", .labels = labels, .request = kGpuEach}) +
                          alone({.name = "z", .request = kGpuEach}));
    return Names{cluster.place("gang-0"), cluster.place("gang-1"), cluster.place("z")};
  };
  CHECK(places(fmt::format(", minMember: 2, {}", kOneRack), "") == Names{"c", "d", "a"});
  CHECK(places(fmt::format(", minMember: 2, subGroups: [{{name: s, minMember: 2, {}}}]", kOneRack),
               "kai.scheduler/subgroup-name: s") == Names{"c", "d", "a"});
}

TEST_CASE("kai topology: counts pods of the largest size if all are equal in GPUs and extended resources", "[kai]") {
  // One node of 8 CPUs. Pods of 6 and 1 fit it, but two of 6 do not. For pods that are not equal, the sums are
  // compared.
  const auto placed = [](std::string_view cpu, std::string_view other_cpu, std::string_view request = "",
                         std::string_view other_request = "") {
    const std::string one = pod({.name = "gang-0", .group = "gang", .request = request});
    const std::string other = pod({.name = "gang-1", .group = "gang", .request = other_request});
    const std::string eight = with_replaced(with_replaced(node("a", 1, ", rack: r1"), "\"64\"", "\"8\""),
                                            "pods:", "example.com/x: \"5\", pods:");
    const Cluster cluster(both_queues() + std::string(kRacks) + eight +
                          group("gang", "want", fmt::format(", minMember: 2, {}", kOneRack)) +
                          with_replaced(one, "cpu: \"1\"", fmt::format("cpu: \"{}\"", cpu)) +
                          with_replaced(other, "cpu: \"1\"", fmt::format("cpu: \"{}\"", other_cpu)));
    return cluster.place("gang-0") == "a" && cluster.place("gang-1") == "a";
  };
  CHECK(placed("4", "4"));
  CHECK_FALSE(placed("6", "1"));
  CHECK(placed("6", "1", kGpuEach));
  constexpr std::string_view kOther = ", example.com/x: \"1\"";
  CHECK(placed("6", "1", kOther));
  CHECK_FALSE(placed("6", "1", kOther, kOther));
}

TEST_CASE("kai gpu-memory: more than one GPU is refused, unless it equals several whole ones", "[kai]") {
  // Each GPU has 100 GiB. Upstream reads twice as much as a number of GPUs, and then looks for one GPU.
  const auto place = [](int mebibytes) {
    const std::string memory = fmt::format(", gpu-memory: \"{}\"", mebibytes);
    return Cluster(both_queues() + node("a", 2) + alone({.name = "p", .annotations = memory})).place("p");
  };
  CHECK(place(102'400) == "a");
  CHECK(place(153'600).empty());
  CHECK(place(204'800) == "a");
}

// Derived by hand: upstream compares only what the pods request, and counts no pods on a node without room for one.
TEST_CASE("kai topology: neither resources that no pod requests nor full nodes take room from others", "[kai]") {
  const auto eight = [](std::string_view name) {
    return with_replaced(node(name, 1, ", rack: r1"), "\"64\"", "\"8\"");
  };
  const auto of_cpu = [](std::string_view name, std::string_view group, std::string_view cpu, std::string_view on = "",
                         std::string_view request = "") {
    return with_replaced(pod({.name = name, .group = group, .node = on, .request = request}), "cpu: \"1\"",
                         fmt::format("cpu: \"{}\"", cpu));
  };
  const std::string gang =
      both_queues() + std::string(kRacks) + group("gang", "want", fmt::format(", minMember: 2, {}", kOneRack));
  const auto places = [](const Cluster& cluster) { return Names{cluster.place("gang-0"), cluster.place("gang-1")}; };
  // The pods differ in GPUs, so sums are compared. The rack has none of resource y.
  const Cluster other(gang + eight("a") + with_replaced(node("b", 0), "pods:", "example.com/y: \"5\", pods:") +
                      of_cpu("gang-0", "gang", "6", "", kGpuEach) + of_cpu("gang-1", "gang", "1"));
  CHECK(places(other) == Names{"a", "a"});
  // Pods that were bound to a by hand use 20 of its 8 CPUs. Both pods fit on c.
  const Cluster full(gang + eight("a") + eight("c") + group("fat", "have") + of_cpu("fat", "fat", "20", "a") +
                     of_cpu("gang-0", "gang", "4") + of_cpu("gang-1", "gang", "4"));
  CHECK(places(full) == Names{"c", "c"});
}

// The 512 MiB are 0.005 of a GPU; they would count if only memory were requested.
TEST_CASE("kai gpu-memory: beside a fraction, it does not count towards the limit of a queue", "[kai]") {
  const std::string half =
      "---\n{apiVersion: scheduling.run.ai/v2, kind: Queue, metadata: {name: half}, spec: {resources: {cpu: {quota: "
      "-1, limit: -1}, memory: {quota: -1, limit: -1}, gpu: {quota: 0.5, limit: 0.5, overQuotaWeight: 1}}}}\n";
  const auto place = [&](std::string_view fraction) {
    const std::string parts =
        fmt::format(", gpu-fraction: \"{}\", gpu-fraction-num-devices: \"1\", gpu-memory: \"512\"", fraction);
    return Cluster(half + node("a", 1) + alone({.name = "p", .annotations = parts}, "half")).place("p");
  };
  CHECK(place("0.5") == "a");
  CHECK(place("0.51").empty());
}

TEST_CASE("kai GPU sharing: fractions go to the fullest GPU, or to the emptiest with strategy spread", "[kai]") {
  const std::string two = both_queues() + node("a", 2, ", nvidia.com/gpu.count: \"2\"");
  const std::string spread = shard("placementStrategy: {gpu: spread}");
  // 0.2 and 0.5 are in use. If the 0.25 of p is on the fuller GPU, 0.8 of the other one stays free.
  const std::string uneven = two + sharing("left", "0.2", "a", "g1") + sharing("right", "0.5", "a", "g2") +
                             asking("p", "0.25") + asking("z", "0.8");
  CHECK(Cluster(uneven).place("z") == "a");
  CHECK(Cluster(spread + uneven).place("p") == "a");
  CHECK(Cluster(spread + uneven).place("z").empty());
  // Of the two devices for p, only one can be a whole GPU; z fits beside it.
  const std::string parts = ", gpu-fraction: \"0.5\", gpu-fraction-num-devices: \"2\"";
  const std::string one_whole =
      two + sharing("left", "0.25", "a", "g1") + alone({.name = "p", .annotations = parts}) + asking("z", "0.5");
  CHECK(Cluster(one_whole).place("z") == "a");
  CHECK(Cluster(spread + one_whole).place("p") == "a");
  CHECK(Cluster(spread + one_whole).place("z") == "a");
}

TEST_CASE("kai placement: without the plugin predicates, only free resources decide about nodes", "[kai]") {
  const std::string off = shard("plugins: {predicates: {enabled: false}}");
  const std::string claim =
      both_queues() + node("a", 1) +
      alone({.name = "p",
             .request = kGpuEach,
             .spec = ", volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]"}) +
      "---\n{apiVersion: v1, kind: PersistentVolumeClaim, metadata: {name: other, namespace: ml}}\n";
  CHECK(Cluster(claim).place("p").empty());
  CHECK(Cluster(off + claim).place("p") == "a");
}

TEST_CASE("kai: a pod without GPUs prefers nodes without any", "[kai]") {
  // Node a is fuller, and would be chosen for that (9 points) if b did not get 10 points for having no GPU.
  const std::string nodes = both_queues() + node("a", 1) + node("b", 0) + alone({.name = "x", .node = "a"}, "have");
  CHECK(Cluster(nodes + alone({.name = "p"})).place("p") == "b");
  CHECK(Cluster(shard("plugins: {resourcetype: {enabled: false}}") + nodes + alone({.name = "p"})).place("p") == "a");
}

TEST_CASE("kai topology: a constraint of the group ties a sub-group only to its own running pods", "[kai]") {
  // Rack r1 is full. Upstream looks only at the sub-groups that have a pod to place now (actions/common/allocate.go
  // subtreePodSetsContainingTasks), so the sub-group of `runs` may be in another rack.
  const auto place = [](std::string_view sub_group) {
    return Cluster(both_queues() + std::string(kRacks) + node("a", 1, ", rack: r1") + node("b", 1, ", rack: r2") +
                   group("gang", "want",
                         fmt::format(", minMember: 2, {}, subGroups: [{{name: one, minMember: 1}}, {{name: two, "
                                     "minMember: 1}}]",
                                     kOneRack)) +
                   pod({.name = "runs",
                        .group = "gang",
                        .node = "a",
                        .labels = "kai.scheduler/subgroup-name: one",
                        .request = kGpuEach}) +
                   pod({.name = "p",
                        .group = "gang",
                        .labels = fmt::format("kai.scheduler/subgroup-name: {}", sub_group),
                        .request = kGpuEach}))
        .place("p");
  };
  CHECK(place("two") == "b");
  CHECK(place("one").empty());
}

TEST_CASE("kai placement: local storage that pods request is counted", "[kai]") {
  const auto places = [](std::string_view resource, std::string_view amount) {
    const std::string request = fmt::format(", {}: {}", resource, amount);
    const Cluster cluster(both_queues() +
                          with_replaced(node("a", 1), "pods:", fmt::format("{}: 10Gi, pods:", resource)) +
                          alone({.name = "p", .request = request}) + alone({.name = "q", .request = request}));
    return Names{cluster.place("p"), cluster.place("q")};
  };
  for (const std::string_view resource : {"ephemeral-storage", "storage"}) {
    CHECK(places(resource, "5Gi") == Names{"a", "a"});
    CHECK(places(resource, "6Gi") == Names{"a", ""});
    CHECK(places(resource, "11Gi") == Names{"", ""});
  }
}

TEST_CASE("kai topology: free parts of shared GPUs count", "[kai]") {
  const auto pods = [](int count) {
    std::string text = group("gang", "want", fmt::format(", minMember: {}, {}", count, kOneRack));
    for (int i = 0; i < count; ++i) {
      text += pod({.name = fmt::format("gang-{}", i), .group = "gang", .annotations = ", gpu-fraction: \"0.5\""});
    }
    return both_queues() + std::string(kRacks) + text;
  };
  // Half of a GPU is free on each node.
  const Cluster halves(pods(2) + node("a", 1, ", rack: r1") + node("b", 1, ", rack: r1") +
                       sharing("left", "0.5", "a", "g1") + sharing("right", "0.5", "b", "g2"));
  CHECK(Names{halves.place("gang-0"), halves.place("gang-1")} == Names{"a", "b"});
  // Half of a GPU is being released, beside a pod that stays.
  const std::string leaves = with_replaced(sharing("leaves", "0.5", "a", "g1"), "uid: leaves,",
                                           "uid: leaves, deletionTimestamp: \"2026-03-02T10:00:00Z\",");
  CHECK(Cluster(pods(1) + node("a", 1, ", rack: r1") + sharing("stays", "0.5", "a", "g1") + leaves).place("gang-0") ==
        "~a");
  // A GPU that is assigned more than once counts as 0, not as negative: half of the other one is free.
  CHECK(Cluster(pods(1) + node("a", 2, ", rack: r1, nvidia.com/gpu.count: \"2\"") + sharing("one", "0.6", "a", "g1") +
                sharing("two", "0.6", "a", "g1") + sharing("half", "0.5", "a", "g2"))
            .place("gang-0") == "a");
}

TEST_CASE("kai placement: resources whose names do not count, and devices in the overhead, are ignored", "[kai]") {
  const std::string nodes = both_queues() + node("a", 1);
  CHECK(Cluster(nodes + alone({.name = "p", .request = ", requests.example.com/x: \"1\""})).place("p") == "a");
  CHECK(Cluster(nodes + alone({.name = "p", .spec = ", overhead: {nvidia.com/mig-1g.10gb: \"1\"}"})).place("p") == "a");
}

TEST_CASE("kai topology: a victim on a node that does not exist frees nothing", "[kai]") {
  // It cannot be evicted, nor can the other pod of its gang without it.
  const Cluster cluster(both_queues() + std::string(kRacks) + node("a", 1, ", rack: r1") +
                        group("v", "want", ", minMember: 2") +
                        pod({.name = "v-0", .group = "v", .node = "a", .request = kGpuEach}) +
                        pod({.name = "v-1", .group = "v", .node = "nowhere", .request = kGpuEach}) +
                        group("p", "want", fmt::format(", {}", kOneRack), "high") +
                        pod({.name = "p", .group = "p", .request = kGpuEach}));
  CHECK(cluster.why("p", Action::preempt) == "kai.action.no-solution");
  CHECK(cluster.evicted().empty());
}
