#include "cluster/node_order.h"

#include "support/cluster.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace previct;
using namespace previct::test;

TEST_CASE("node order: by name, not by place in the input") {
  const auto cluster = a_cluster({a_node("n2", "1"), a_node("n10", "1"), a_node("a", "1")});
  const NodeOrder order(*cluster->snapshot);
  // "a" < "n10" < "n2"
  CHECK(order.rank(NodeId{2}) == 0);
  CHECK(order.rank(NodeId{1}) == 1);
  CHECK(order.rank(NodeId{0}) == 2);
  CHECK(order.before(NodeId{1}, NodeId{0}));
  CHECK_FALSE(order.before(NodeId{0}, NodeId{0}));
}

TEST_CASE("node order: sorts few nodes and many") {
  // By name, numbered by place in the input: a9 (8) … a1 (0); 40 more nodes make two of them few.
  std::vector<std::string> nodes;
  for (int i = 1; i <= 9; ++i) nodes.push_back(a_node("a" + std::to_string(i), "1"));
  for (int i = 10; i < 50; ++i) nodes.push_back(a_node("z" + std::to_string(i), "1"));
  std::reverse(nodes.begin(), nodes.end());
  const auto cluster = a_cluster(nodes);
  const NodeOrder order(*cluster->snapshot);
  const std::uint32_t last = 48;  // a1 is the last node of the input, a2 the one before
  std::vector<NodeId> few{NodeId{last - 1}, NodeId{last}};
  order.sort(few);
  CHECK(few == std::vector<NodeId>{NodeId{last}, NodeId{last - 1}});
  std::vector<NodeId> many;
  for (std::uint32_t i = 0; i <= last; ++i) many.push_back(NodeId{i});
  std::vector<NodeId> sorted;  // a1 to a9, then z10 to z49: the reverse of the input
  for (std::uint32_t i = 0; i <= last; ++i) sorted.push_back(NodeId{last - i});
  order.sort(many);
  CHECK(many == sorted);
}
