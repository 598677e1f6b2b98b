// Where single pods go: lists of nodes that are tried in turn, counts of a topology, parts of GPUs.
// What the real scheduler (d5bc503a) does with each of these clusters was asked of it, three times and more.
#include "support/kai_cycle.h"

using namespace previct;
using namespace previct::test::cycles;

namespace {

constexpr std::string_view kRacks =
    "---\n{apiVersion: kai.scheduler/v1alpha1, kind: Topology, metadata: {name: dc}, spec: {levels: [{nodeLabel: "
    "rack}]}}\n";
constexpr std::string_view kOneRack = "topologyConstraint: {topology: dc, requiredTopologyLevel: rack}";

// `text` with another one in place of its first `from`.
auto with_instead(std::string text, std::string_view from, std::string_view to) -> std::string {
  return text.replace(text.find(from), from.size(), to);
}

auto both_queues() -> std::string {
  return queue("want", 8) + queue("have", 8);
}

}  // namespace

TEST_CASE("kai: what a list of nodes did not take whole is taken back before the next list", "[kai]") {
  // Of each rack two GPUs are free, and node b is cordoned, which the count of a rack does not look at: r1 is tried,
  // and given up with one pod placed. The GPU of a is free for a later pod then.
  const std::string racks =
      both_queues() + std::string(kRacks) + node("a", 1, ", rack: r1") +
      with_instead(node("b", 1, ", rack: r1"), "status:", "spec: {unschedulable: true}, status:") +
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

TEST_CASE("kai: a topology counts pods of the largest size, if all are alike in GPUs and further resources", "[kai]") {
  // One node of 8 CPUs. Pods of 6 and 1 fit it, but not two of 6. Of pods that are not alike the sums are compared.
  const auto placed = [](std::string_view cpu, std::string_view other_cpu, std::string_view request = "",
                         std::string_view other_request = "") {
    const std::string one = pod({.name = "gang-0", .group = "gang", .request = request});
    const std::string other = pod({.name = "gang-1", .group = "gang", .request = other_request});
    const std::string eight = with_instead(with_instead(node("a", 1, ", rack: r1"), "\"64\"", "\"8\""),
                                           "pods:", "example.com/x: \"5\", pods:");
    const Cluster cluster(both_queues() + std::string(kRacks) + eight +
                          group("gang", "want", fmt::format(", minMember: 2, {}", kOneRack)) +
                          with_instead(one, "cpu: \"1\"", fmt::format("cpu: \"{}\"", cpu)) +
                          with_instead(other, "cpu: \"1\"", fmt::format("cpu: \"{}\"", other_cpu)));
    return cluster.place("gang-0") == "a" && cluster.place("gang-1") == "a";
  };
  CHECK(placed("4", "4"));
  CHECK_FALSE(placed("6", "1"));
  CHECK(placed("6", "1", kGpuEach));
  constexpr std::string_view kOther = ", example.com/x: \"1\"";
  CHECK(placed("6", "1", kOther));
  CHECK_FALSE(placed("6", "1", kOther, kOther));
}

TEST_CASE("kai: memory of more than a GPU is refused, unless it is that of several whole ones", "[kai]") {
  // 100 GiB each. Upstream takes twice as much for a number of GPUs, and then looks for one.
  const auto place = [](int mebibytes) {
    const std::string memory = fmt::format(", gpu-memory: \"{}\"", mebibytes);
    return Cluster(both_queues() + node("a", 2) + alone({.name = "p", .annotations = memory})).place("p");
  };
  CHECK(place(102'400) == "a");
  CHECK(place(153'600).empty());
  CHECK(place(204'800) == "a");
}

TEST_CASE("kai: parts of GPUs go to the fullest, or, where they are spread, to the emptiest", "[kai]") {
  const std::string two = both_queues() + node("a", 2, ", nvidia.com/gpu.count: \"2\"");
  const std::string spread = shard("placementStrategy: {gpu: spread}");
  // 0.2 and 0.5 are taken. The 0.25 of p leaves 0.8 of one GPU free if it goes to the fuller one.
  const std::string uneven = two + sharing("left", "0.2", "a", "g1") + sharing("right", "0.5", "a", "g2") +
                             asking("p", "0.25") + asking("z", "0.8");
  CHECK(Cluster(uneven).place("z") == "a");
  CHECK(Cluster(spread + uneven).place("p") == "a");
  CHECK(Cluster(spread + uneven).place("z").empty());
  // Of two devices for p only one can be a whole one; z has room beside it.
  const std::string parts = ", gpu-fraction: \"0.5\", gpu-fraction-num-devices: \"2\"";
  const std::string one_whole =
      two + sharing("left", "0.25", "a", "g1") + alone({.name = "p", .annotations = parts}) + asking("z", "0.5");
  CHECK(Cluster(one_whole).place("z") == "a");
  CHECK(Cluster(spread + one_whole).place("p") == "a");
  CHECK(Cluster(spread + one_whole).place("z") == "a");
}

TEST_CASE("kai: without the plugin predicates nothing but room decides about nodes", "[kai]") {
  const std::string off = shard("plugins: {predicates: {enabled: false}}");
  const std::string claim = both_queues() + node("a", 1) +
                            alone({.name = "p",
                                   .request = kGpuEach,
                                   .spec = ", volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]"});
  CHECK(Cluster(claim).place("p").empty());
  CHECK(Cluster(off + claim).place("p") == "a");
}

TEST_CASE("kai: a pod without GPUs prefers nodes without any") {
  // Node a is the fuller one, and would be chosen for that (9 points) but for the GPU that b does not have (10).
  const std::string nodes = both_queues() + node("a", 1) + node("b", 0) + alone({.name = "x", .node = "a"}, "have");
  CHECK(Cluster(nodes + alone({.name = "p"})).place("p") == "b");
  CHECK(Cluster(shard("plugins: {resourcetype: {enabled: false}}") + nodes + alone({.name = "p"})).place("p") == "a");
}

TEST_CASE("kai: a constraint of the whole group holds a sub-group only to where pods of it run") {
  // Rack r1 is full. Upstream asks where the sub-groups run that have a pod to place now
  // (actions/common/allocate.go subtreePodSetsContainingTasks): the one of `runs` may lie in another rack.
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

TEST_CASE("kai: local storage that pods ask for is counted") {
  const auto places = [](std::string_view resource, std::string_view amount) {
    const std::string request = fmt::format(", {}: {}", resource, amount);
    const Cluster cluster(both_queues() +
                          with_instead(node("a", 1), "pods:", fmt::format("{}: 10Gi, pods:", resource)) +
                          alone({.name = "p", .request = request}) + alone({.name = "q", .request = request}));
    return Names{cluster.place("p"), cluster.place("q")};
  };
  for (const std::string_view resource : {"ephemeral-storage", "storage"}) {
    CHECK(places(resource, "5Gi") == Names{"a", "a"});
    CHECK(places(resource, "6Gi") == Names{"a", ""});
    CHECK(places(resource, "11Gi") == Names{"", ""});
  }
}

TEST_CASE("kai: what is left of shared GPUs counts for a topology", "[kai]") {
  const auto pods = [](int count) {
    std::string text = group("gang", "want", fmt::format(", minMember: {}, {}", count, kOneRack));
    for (int i = 0; i < count; ++i) {
      text += pod({.name = fmt::format("gang-{}", i), .group = "gang", .annotations = ", gpu-fraction: \"0.5\""});
    }
    return both_queues() + std::string(kRacks) + text;
  };
  // Half of a GPU of each node.
  const Cluster halves(pods(2) + node("a", 1, ", rack: r1") + node("b", 1, ", rack: r1") +
                       sharing("left", "0.5", "a", "g1") + sharing("right", "0.5", "b", "g2"));
  CHECK(Names{halves.place("gang-0"), halves.place("gang-1")} == Names{"a", "b"});
  // Half of a GPU that is about to be free, beside a pod that stays.
  const std::string leaves = with_instead(sharing("leaves", "0.5", "a", "g1"), "uid: leaves,",
                                          "uid: leaves, deletionTimestamp: \"2026-03-02T10:00:00Z\",");
  CHECK(Cluster(pods(1) + node("a", 1, ", rack: r1") + sharing("stays", "0.5", "a", "g1") + leaves).place("gang-0") ==
        "~a");
  // Of a GPU that is given away more than once nothing is left, and nothing is owed: half of the other one is free.
  CHECK(Cluster(pods(1) + node("a", 2, ", rack: r1, nvidia.com/gpu.count: \"2\"") + sharing("one", "0.6", "a", "g1") +
                sharing("two", "0.6", "a", "g1") + sharing("half", "0.5", "a", "g2"))
            .place("gang-0") == "a");
}

TEST_CASE("kai: what has no name that counts, and devices of the overhead, are not asked for") {
  const std::string nodes = both_queues() + node("a", 1);
  CHECK(Cluster(nodes + alone({.name = "p", .request = ", requests.example.com/x: \"1\""})).place("p") == "a");
  CHECK(Cluster(nodes + alone({.name = "p", .spec = ", overhead: {nvidia.com/mig-1g.10gb: \"1\"}"})).place("p") == "a");
}

TEST_CASE("kai: a victim on a node that is not there frees nothing in a topology") {
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
