#include "engine/kube/required_nodes.h"

#include "support/cluster.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::test;

TEST_CASE("required nodes: pods that require the same share what is found out", "[kube]") {
  const auto in_zone = [](const std::string& zone) {
    return "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
           "[{matchExpressions: [{key: zone, operator: In, values: [" +
           zone + "]}]}]}}}";
  };
  const auto labelled = [](const std::string& name, const std::string& zone) {
    return "apiVersion: v1\nkind: Node\nmetadata: {name: " + name + ", labels: {zone: " + zone + "}}\n";
  };
  const auto cluster = a_cluster(
      {labelled("a", "z1"), labelled("b", "z2"), a_pod("ns/p").spec(in_zone("z1")).yaml(),
       a_pod("ns/q").spec(in_zone("z1")).yaml(), a_pod("ns/r").spec(in_zone("z2")).yaml(),
       a_pod("ns/s").spec("nodeSelector: {zone: z2}").yaml(), a_pod("ns/t").yaml(),
       a_pod("ns/u").spec(in_zone("z1") + "\n  nodeSelector: {zone: z2}").yaml(),
       a_pod("ns/v")
           .spec("affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms:"
                 " [{matchFields: [{key: metadata.name, operator: In, values: [b]}]}]}}}")
           .yaml()});
  const auto spec = [&](std::uint32_t pod) -> const PodSpec& { return cluster->snapshot->pod(PodId{pod}).spec; };
  kube::RequiredNodesOfPods pods(*cluster->snapshot);
  const auto on = [&](std::uint32_t pod) {
    const auto nodes = pods.of(spec(pod));
    return std::vector<bool>{nodes->contains(NodeId{0}), nodes->contains(NodeId{1})};
  };
  using Bools = std::vector<bool>;
  for (int i = 0; i < 2; ++i) {  // found out, then known
    CHECK(on(0) == Bools{true, false});
    CHECK(on(1) == Bools{true, false});
    CHECK(on(2) == Bools{false, true});
    CHECK(on(3) == Bools{false, true});
    CHECK(on(4) == Bools{true, true});
    CHECK(on(5) == Bools{false, false});
    CHECK(on(6) == Bools{false, true});
  }
  CHECK(pods.of(spec(0)) == pods.of(spec(1)));
  CHECK(pods.of(spec(0)) != pods.of(spec(2)));
  CHECK(pods.of(spec(2)) != pods.of(spec(3)));
  CHECK(pods.of(spec(2)) != pods.of(spec(6)));
}
