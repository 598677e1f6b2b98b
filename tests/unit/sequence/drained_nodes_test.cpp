#include "sequence/drained_nodes.h"

#include "support/cluster.h"
#include "support/owned.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <random>
#include <set>
#include <string>
#include <vector>

namespace previct::sequence {

using test::a_cluster;
using test::a_node;
using test::a_pod;
using test::owned;

// Source: kubernetes v1.35.4 staging/src/k8s.io/kubectl/pkg/drain/filters.go.
TEST_CASE("drained nodes: random pods, and the flags that kubectl drain needs for them", "[sequence]") {
  for (std::uint32_t seed = 0; seed < 300; ++seed) {
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) { return random() % n; };
    std::vector<std::string> documents = {a_node("n1", "90"), a_node("n2", "90"), a_node("n3", "90")};
    std::set<std::string> evicted;
    std::set<std::string> flags;
    for (std::size_t i = 0, count = below(6); i < count; ++i) {
      const std::size_t node = 1 + below(3);
      const std::string name = fmt::format("d/p{}", below(9) * 10 + i);
      test::PodBuilder pod = a_pod(name);
      pod.on(fmt::format("n{}", node));
      const bool local = below(3) == 0;
      if (local) pod.spec("volumes: [{name: v, emptyDir: {}}]");
      std::string text = pod.yaml();
      const std::size_t kind = below(5);
      if (kind == 0) text = owned(text, "DaemonSet", "agents");
      if (kind == 1) text = owned(text, "Node", fmt::format("n{}", node));
      if (kind == 2) text = owned(text, "ReplicaSet", "web");
      if (kind == 3) text.insert(text.find("  namespace:"), "  annotations: {kubernetes.io/config.mirror: x}\n");
      documents.push_back(std::move(text));
      if (node == 3) continue;  // not drained
      if (kind == 0) flags.insert("--ignore-daemonsets");
      if (kind == 2 || kind == 4) {
        evicted.insert(name);
        if (local) flags.insert("--delete-emptydir-data");
      }
      if (kind == 4) flags.insert("--force");
    }
    const auto cluster = a_cluster(documents);
    const auto node_of = [&](const char* name) {
      return cluster->snapshot->find_node(cluster->snapshot->symbol(name));
    };
    const std::vector<NodeId> nodes = {node_of("n2"), node_of("n1")};
    const Drain drain = drain_of(nodes, *cluster->snapshot);
    std::vector<std::string> keys;
    for (const PodId pod : drain.evicted) keys.push_back(cluster->snapshot->key(pod));
    INFO(fmt::format("{}", fmt::join(documents, "---\n")));
    CHECK(keys == std::vector<std::string>(evicted.begin(), evicted.end()));
    CHECK(drain.flags == std::vector<std::string>(flags.begin(), flags.end()));
  }
}

}  // namespace previct::sequence
