#include "cluster/node_order.h"

#include "support/cluster.h"

#include <catch2/catch.hpp>

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
