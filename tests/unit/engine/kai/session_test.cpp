// The state of a cycle, and what is taken back.
#include "engine/kai/actions/scenario_builder.h"
#include "support/kai_cycle.h"

using namespace previct;
using namespace previct::test::cycles;

TEST_CASE("kai: taken back, a task is what it was before a second copy of it was evicted", "[kai]") {
  const Cluster cluster(two_nodes() + alone({.name = "x", .node = "a", .request = kGpuEach}, "have"));
  Session& session = cluster.decision->start;
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

TEST_CASE("kai: a shared GPU that all its pods leave is being released as a whole one, not as a part", "[kai]") {
  // Source: api/node_info addSharedGPUTaskResourcesPerPodGroup, getSumOfAvailableSharedGPUs,
  // getSumOfReleasingSharedGPUs. Of the only GPU x has half. What x leaves free is idle; then x goes.
  const auto free_after_eviction = [](const std::string& others) {
    const Cluster cluster(queue("have", 1) + node("a", 1) + sharing("x", "0.5", "a", "g") + others);
    Session& session = cluster.decision->start;
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

TEST_CASE("kai: that a recorded victim is listed twice switches the check of GPUs off, whatever follows it", "[kai]") {
  // Source: accumulated_scenario_filters/idle_gpus assertRecordedVictimsState: from the second look on, what is met
  // again must be as many as what is known; pod_scenario_builder isScenarioValid goes on after an error. No node ever
  // has the three GPUs that z asks for.
  const Cluster cluster(two_nodes() + alone({.name = "x", .node = "a", .request = kGpuEach}, "have") +
                        alone({.name = "w", .node = "b", .request = kGpuEach}, "have") +
                        alone({.name = "z", .request = ", nvidia.com/gpu: \"3\""}));
  const Session& session = cluster.decision->start;
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
