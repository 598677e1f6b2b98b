// The state of a cycle, and what is taken back.
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
