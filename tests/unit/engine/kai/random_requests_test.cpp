// What pods request, and what a rollback restores, for random pods and statements.
#include "engine/kai/session/session.h"
#include "engine/kai/snapshot/resources.h"
#include "support/kai_cycle.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace previct;
using namespace previct::test::cycles;

namespace {

// Each with what its unit counts for.
constexpr std::array<std::pair<std::string_view, double>, 7> kRequested = {{{"cpu", 1000},
                                                                            {"memory", 1},
                                                                            {"nvidia.com/gpu", 1},
                                                                            {"nvidia.com/mig-1g.10gb", 1},
                                                                            {"ephemeral-storage", 1},
                                                                            {"example.com/x", 1000},
                                                                            {"acme.com/gpu", 0}}};

using Amounts = std::map<std::string, std::int64_t, std::less<>>;

auto random_amounts(std::mt19937& random) -> Amounts {
  Amounts amounts;
  for (const auto& [name, unit] : kRequested) {
    if (random() % 4 == 0) amounts[std::string(name)] = 1 + static_cast<std::int64_t>(random() % 3);
  }
  return amounts;
}

auto yaml_of(const Amounts& amounts) -> std::string {
  std::string text;
  for (const auto& [name, amount] : amounts) text += fmt::format("{}: \"{}\", ", name, amount);
  return text;
}

auto container(std::string_view name, const Amounts& amounts) -> std::string {
  return fmt::format("{{name: {}, resources: {{requests: {{{}}}}}}}, ", name, yaml_of(amounts));
}

void add(Amounts& to, const Amounts& some) {
  for (const auto& [name, amount] : some) to[name] += amount;
}

// What is visible of a session: its tasks, and what is free on its nodes.
auto state_of(const Session& session, const ClusterInfo& cluster_info) -> std::string {
  std::string text;
  for (const TaskId task : cluster_info.tasks().ids()) {
    const Copy& copy = session.copy(session.current(task));
    text += fmt::format("{}: {} {} {} {}\n", task.index, static_cast<int>(copy.status), copy.simulated,
                        copy.shard_node.index, copy.on_node);
  }
  for (const ShardNodeId node : cluster_info.shard_nodes().ids()) {
    const Session::FreeGpus& gpus = session.free_gpus(node);
    text += fmt::format("{}: {} {} {} {} {} {}\n", node.index, gpus.idle, gpus.releasing, session.free_places(node),
                        session.free_later(node, kPods), session.free_later(node, kCpu), session.free_gpu_memory(node));
  }
  return text;
}

}  // namespace

// The overhead counts, but for devices in it. A resource whose name only ends in gpu counts for nothing.
// Source: pkg/scheduler/api/pod_info getPodResourceRequest; resource_info RequirementsFromResourceList (d5bc503a).
TEST_CASE("kai requests: those of random pods are the sum of containers, or the peak of init containers", "[kai]") {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    Amounts sum;
    std::string containers;
    for (std::size_t i = 0; i < 1 + seed % 2; ++i) {
      const Amounts amounts = random_amounts(random);
      containers += container(fmt::format("c{}", i), amounts);
      add(sum, amounts);
    }
    std::string init;
    for (std::size_t i = 0; i < seed % 3; ++i) {
      const Amounts amounts = random_amounts(random);
      init += container(fmt::format("i{}", i), amounts);
      for (const auto& [name, amount] : amounts) sum[name] = std::max(sum[name], amount);
    }
    Amounts overhead = random_amounts(random);
    const std::string text = fmt::format(
        "apiVersion: v1\nkind: Node\nmetadata: {{name: a}}\nstatus: {{allocatable: {{cpu: 9, memory: 9, pods: 9, "
        "ephemeral-storage: 9, nvidia.com/gpu: 9, nvidia.com/mig-1g.10gb: 9, example.com/x: 9, acme.com/gpu: 9}}}}\n"
        "---\napiVersion: v1\nkind: Pod\nmetadata: {{name: p, namespace: ml}}\n"
        "spec: {{containers: [{}], initContainers: [{}], overhead: {{{}}}}}\n",
        containers, init, yaml_of(overhead));
    for (const char* device : {"nvidia.com/gpu", "nvidia.com/mig-1g.10gb"}) overhead.erase(device);
    add(sum, overhead);
    INFO(text);
    Objects objects;
    REQUIRE(test::read_text(text, objects));
    const Snapshot cluster(objects);
    const std::vector<NodeId> nodes = {NodeId{0}};
    const Resources resources(cluster, nodes, Release());
    const Resources::OfPod of = resources.of_pod(cluster.pod(PodId{0}), Resources::Counted::containers);
    for (std::size_t dim = 0; dim < resources.count(); ++dim) {
      const std::string_view name = resources.name(dim);
      INFO(name);
      if (name == "pods") CHECK(of.request[dim] == 1);
      const auto known =
          std::find_if(kRequested.begin(), kRequested.end(), [&](const auto& r) { return r.first == name; });
      if (known == kRequested.end()) continue;
      const auto amount = sum.find(name);
      CHECK(of.request[dim] == (amount == sum.end() ? 0 : static_cast<double>(amount->second) * known->second));
    }
    const auto gpus = sum.find("nvidia.com/gpu");
    const auto mig = sum.find("nvidia.com/mig-1g.10gb");
    const bool names_mig = mig != sum.end() && mig->second > 0;
    CHECK((of.gpu.kind == GpuRequest::Kind::mig) == names_mig);
    if (!names_mig) CHECK(of.request[kGpu] == (gpus == sum.end() ? 0 : static_cast<double>(gpus->second)));
  }
}

// Source: framework/statement.go Rollback, and what each operation undoes (d5bc503a).
TEST_CASE("kai session: a rollback restores what random operations on whole GPUs have changed", "[kai]") {
  std::string text = two_nodes(3);
  const std::array<std::string, 6> names = {"r0", "r1", "r2", "p0", "p1", "p2"};
  for (std::size_t i = 0; i < 3; ++i)
    text += alone({.name = names[i], .node = i == 2 ? "b" : "a", .request = kGpuEach}, "have");
  for (std::size_t i = 3; i < 6; ++i) text += alone({.name = names[i], .request = kGpuEach});
  const Cluster cluster(text);
  const ClusterInfo& cluster_info = cluster.decision->cluster_info;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    INFO(seed);
    Session& session = cluster.decision->start();
    const std::string before = state_of(session, cluster_info);
    const std::size_t mark = session.mark();
    Statement statement;
    std::size_t checkpoint = 0;
    std::string at_checkpoint = before;
    std::size_t copies = mark;
    const std::size_t count = 1 + random() % 6;
    const std::size_t middle = random() % count;
    for (std::size_t i = 0; i < count; ++i) {
      if (i == middle) {
        checkpoint = statement.size();
        at_checkpoint = state_of(session, cluster_info);
        copies = session.mark();
      }
      const TaskId task = cluster.task(names[random() % names.size()]);
      const CopyId copy = session.current(task);
      const ShardNodeId node{static_cast<std::uint32_t>(random() % 2)};
      const Session::FreeGpus free = session.free_gpus(node);
      if (session.status(task) != Status::running && free.idle + free.releasing < 1) continue;
      switch (session.status(task)) {
        case Status::pending:
          if (free.idle >= 1) {
            session.allocate(statement, copy, node, {});
          } else {
            session.pipeline(statement, copy, node, false, {});
          }
          break;
        case Status::running: REQUIRE(session.evict(statement, copy)); break;
        // An evicted task is placed again: elsewhere, or where it was, which undoes its eviction.
        case Status::releasing: session.pipeline(statement, copy, node, false, {}); break;
        default: break;
      }
    }
    session.roll_back(statement, checkpoint);
    session.release(copies);
    CHECK(state_of(session, cluster_info) == at_checkpoint);
    session.roll_back(statement, 0);
    session.release(mark);
    CHECK(state_of(session, cluster_info) == before);
    CHECK(statement.empty());
  }
}
