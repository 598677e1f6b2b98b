// The state of a cycle, and its rollback.
#include "engine/kai/actions/scenario_builder.h"
#include "engine/kai/actions/topology_check.h"
#include "engine/kai/session/task_selection.h"
#include "support/kai_cycle.h"

#include <tuple>

using namespace previct;
using namespace previct::test::cycles;

TEST_CASE("kai session: rollback restores a task whose second copy was evicted", "[kai]") {
  const Cluster cluster(two_nodes() + alone({.name = "x", .node = "a", .request = kGpuEach}, "have"));
  Session& session = cluster.decision->start();
  const TaskId task = cluster.task("x");
  const CopyId first = session.current(task);
  const std::size_t mark = session.mark();
  Statement statement;
  REQUIRE(session.evict(statement, first));
  const CopyId second = session.add_copy(task);
  REQUIRE(session.evict(statement, second));
  CHECK(session.current(task) == second);
  CHECK(session.status(task) == Status::releasing);
  session.roll_back(statement);
  session.release(mark);
  CHECK(session.current(task) == first);
  CHECK(session.status(task) == Status::running);
}

TEST_CASE("kai session: a shared GPU that all its pods leave is releasing as a whole GPU, not as a part", "[kai]") {
  // Source: api/node_info addSharedGPUTaskResourcesPerPodGroup, getSumOfAvailableSharedGPUs,
  // getSumOfReleasingSharedGPUs. x uses half of the only GPU, and what no pod uses is idle; then x is evicted.
  const auto free_after_eviction = [](const std::string& others) {
    const Cluster cluster(queue("have", 1) + node("a", 1) + sharing("x", "0.5", "a", "g") + others);
    Session& session = cluster.decision->start();
    Statement statement;
    REQUIRE(session.evict(statement, session.current(cluster.task("x"))));
    return std::pair(session.free_gpus(ShardNodeId{0}), session.free_gpu_memory(ShardNodeId{0}));
  };
  const auto [last, last_memory] = free_after_eviction("");
  CHECK(last.idle == 0.5);
  CHECK(last.releasing == 1);
  CHECK(last_memory == 51'200 + 102'400);
  const auto [beside, beside_memory] = free_after_eviction(sharing("w", "0.25", "a", "g"));
  CHECK(beside.idle == 0.25);
  CHECK(beside.releasing == 0.5);
  CHECK(beside_memory == 25'600 + 51'200);
}

TEST_CASE("kai session: a shared GPU that pods only wait for has no idle part", "[kai]") {
  // Source: api/node_info addSharedGPUTaskResourcesPerPodGroup (Pipelined), getSumOfAvailableSharedGPUs. p, which asks
  // for half of a GPU, takes the only one, which is idle, as a whole one that is releasing: 1 - 1.
  const Cluster alone_on_it(queue("want", 1) + node("a", 1) + asking("p", "0.5"));
  Session& session = alone_on_it.decision->start();
  const auto free = [](const Session& of) {
    const Session::FreeGpus& gpus = of.free_gpus(ShardNodeId{0});
    return std::tuple(gpus.idle, gpus.releasing, of.free_gpu_memory(ShardNodeId{0}));
  };
  const std::tuple whole(1.0, 0.0, std::int64_t{102'400});
  CHECK(free(session) == whole);
  Statement statement;
  const CopyId p = session.current(alone_on_it.task("p"));
  REQUIRE(session.pipeline(statement, p, ShardNodeId{0}, true, {session.new_gpu()}));
  CHECK(free(session) == std::tuple(1.0, -1.0, std::int64_t{0}));
  session.roll_back(statement);
  CHECK(free(session) == whole);

  // Beside w, p waits for half of what x leaves: a quarter is idle, and a quarter of the GPU is left of what x
  // releases.
  const Cluster shared(queue("have", 1) + queue("want", 1) + node("a", 1) + sharing("x", "0.5", "a", "g") +
                       sharing("w", "0.25", "a", "g") + asking("p", "0.25"));
  Session& later = shared.decision->start();
  const CopyId x = later.current(shared.task("x"));
  const std::vector<GpuGroupId> gpus = later.copy(x).gpus;
  Statement of_both;
  REQUIRE(later.evict(of_both, x));
  REQUIRE(later.pipeline(of_both, later.current(shared.task("p")), ShardNodeId{0}, true, gpus));
  CHECK(free(later) == std::tuple(0.25, 0.25, std::int64_t{25'600 + 25'600}));
}

TEST_CASE("kai session: a pod is new on the nodes that it was not on at the start, while it is there", "[kai]") {
  // x is evicted from a, where it stays until it has terminated, and is placed on b later; p is placed on a.
  const Cluster cluster(two_nodes(2) + alone({.name = "x", .node = "a", .request = kGpuEach}, "have") +
                        alone({.name = "p", .request = kGpuEach}));
  Session& session = cluster.decision->start();
  const TaskId x = cluster.task("x");
  const TaskId p = cluster.task("p");
  const auto on = [&](std::string_view name) {
    for (const ShardNodeId id : session.cluster_info().shard_nodes().ids()) {
      if (session.cluster_info().shard_nodes()[id].name == name) return id;
    }
    FAIL(name);
    return ShardNodeId{};
  };
  const auto newcomers = [&] { return std::pair(session.newcomers(on("a")), session.newcomers(on("b"))); };
  using Tasks = std::vector<TaskId>;
  CHECK(newcomers() == std::pair(Tasks{}, Tasks{}));
  Statement statement;
  REQUIRE(session.evict(statement, session.current(x)));
  CHECK(newcomers() == std::pair(Tasks{}, Tasks{}));
  const std::uint64_t before = session.newcomers_version();
  session.allocate(statement, session.current(p), on("a"));
  CHECK(newcomers() == std::pair(Tasks{p}, Tasks{}));
  CHECK(session.newcomers_version() != before);
  const std::size_t checkpoint = statement.size();
  REQUIRE(session.pipeline(statement, session.current(x), on("b"), true));
  CHECK(newcomers() == std::pair(Tasks{p}, Tasks{x}));
  session.roll_back(statement, checkpoint);
  CHECK(newcomers() == std::pair(Tasks{p}, Tasks{}));
  session.roll_back(statement);
  CHECK(newcomers() == std::pair(Tasks{}, Tasks{}));
}

TEST_CASE("kai GPU check: a recorded victim that is listed twice switches it off", "[kai]") {
  // Source: accumulated_scenario_filters/idle_gpus assertRecordedVictimsState: from the second check on, as many
  // recorded victims must be seen again as are known; pod_scenario_builder isScenarioValid continues after an error. No
  // node ever has the three GPUs that z requests.
  const Cluster cluster(two_nodes() + alone({.name = "x", .node = "a", .request = kGpuEach}, "have") +
                        alone({.name = "w", .node = "b", .request = kGpuEach}, "have") +
                        alone({.name = "z", .request = ", nvidia.com/gpu: \"3\""}));
  const Session& session = cluster.decision->start();
  const TaskId x = cluster.task("x");
  const TaskId w = cluster.task("w");
  const auto passes = [&](std::vector<Batch> recorded) {
    return GpuCheck(session, {session.current(cluster.task("z"))}, recorded).passes();
  };
  const GroupId of_x = cluster.decision->cluster_info.task(x).group;
  const GroupId of_w = cluster.decision->cluster_info.task(w).group;
  CHECK_FALSE(passes({{of_x, {x}}, {of_w, {w}}}));
  CHECK(passes({{of_x, {x}}, {of_w, {w}}, {of_x, {x}}}));
  CHECK(passes({{of_x, {x, x}}, {of_w, {w}}}));
}

namespace {

// Returns a topology of racks, and a pending group whose sub-groups one and two each request two GPUs of a rack.
auto two_parts() -> std::string {
  const std::string rack = "minMember: 1, topologyConstraint: {topology: t, requiredTopologyLevel: rack}";
  return "---\n{apiVersion: kai.scheduler/v1alpha1, kind: Topology, metadata: {name: t}, spec: {levels: [{nodeLabel: "
         "rack}]}}\n" +
         group("g", "want",
               fmt::format(", subGroups: [{{name: top-one, {0}}}, {{name: top-two, {0}}}, {{name: one, parent: "
                           "top-one, minMember: 1}}, {{name: two, parent: top-two, minMember: 1}}]",
                           rack)) +
         pod({.name = "p1",
              .group = "g",
              .labels = "kai.scheduler/subgroup-name: one",
              .request = ", nvidia.com/gpu: \"2\""}) +
         pod({.name = "p2",
              .group = "g",
              .labels = "kai.scheduler/subgroup-name: two",
              .request = ", nvidia.com/gpu: \"2\""});
}

}  // namespace

// Source: accumulated_scenario_filters/idle_gpus/topology_aware_idle_gpus.go.
TEST_CASE("kai topology check: parts that require the same level share the GPUs of its domains", "[kai]") {
  const auto passes = [](const std::string& nodes) {
    const Cluster cluster(queue("want", 8) + nodes + two_parts());
    const Session& session = cluster.decision->start();
    return TopologyCheck(session, view_of(session, cluster.decision->cluster_info.find_group("ml", "g"))).passes();
  };
  // The only rack has enough GPUs for one part, but not for both.
  CHECK_FALSE(passes(node("a", 3, ", rack: r1")));
  CHECK(passes(node("a", 4, ", rack: r1")));
  CHECK(passes(node("a", 2, ", rack: r1") + node("b", 2, ", rack: r2")));
}

TEST_CASE("kai topology check: the GPUs of a victim that is named twice count once", "[kai]") {
  // Three GPUs of the rack are in use. The group requests four: x and w free three of them, x alone frees one.
  const Cluster cluster(queue("want", 8) + queue("have", 0) + node("a", 5, ", rack: r1") +
                        alone({.name = "x", .node = "a", .request = kGpuEach}, "have") +
                        alone({.name = "w", .node = "a", .request = ", nvidia.com/gpu: \"2\""}, "have") + two_parts());
  const Session& session = cluster.decision->start();
  TopologyCheck check(session, view_of(session, cluster.decision->cluster_info.find_group("ml", "g")));
  CHECK_FALSE(check.passes());  // 2 of 4
  check.free(cluster.task("x"), ShardNodeId{0});
  CHECK_FALSE(check.passes());  // 3 of 4
  check.free(cluster.task("x"), ShardNodeId{0});
  CHECK_FALSE(check.passes());
  check.free(cluster.task("w"), ShardNodeId{0});
  CHECK(check.passes());  // 5 of 4
}

TEST_CASE("kai need: GPU memory counts as parts of the smallest GPU, for the sum and for the rules of reclaim",
          "[kai]") {
  // 51,200 MiB are half of the 102,400 MiB of a GPU of node a, and a quarter of those of node b.
  // Source: plugins/proportion/reclaimable, api/resource_info; MIG devices count only for the sum.
  std::string larger = node("b", 1);
  larger.replace(larger.find("102400"), 6, "204800");
  const std::string nodes = queue("want", 4) + node("a", 1) + larger;
  const auto need = [&](std::string_view annotations, std::string_view request = "") {
    const Cluster cluster(nodes + alone({.name = "p", .annotations = annotations, .request = request}));
    Session& session = cluster.decision->start();
    const Ask ask = need_of(session, cluster.decision->cluster_info.find_group("ml", "p"));
    return std::pair(ask.amount[kGpu], ask.gpus);
  };
  CHECK(need(", gpu-memory: \"51200\"") == std::pair(0.5, 0.5));
  CHECK(need(", gpu-memory: \"51200\", gpu-fraction-num-devices: \"2\"") == std::pair(1.0, 1.0));
  CHECK(need(", gpu-fraction: \"0.25\"") == std::pair(0.25, 0.25));
  CHECK(need("", kGpuEach) == std::pair(1.0, 1.0));
  CHECK(need("", ", nvidia.com/mig-2g.10gb: \"1\"") == std::pair(2.0, 0.0));
  CHECK(need("") == std::pair(0.0, 0.0));
}
