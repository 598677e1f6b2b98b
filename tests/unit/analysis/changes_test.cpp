#include "analysis/changes.h"

#include "support/cluster.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::test;

TEST_CASE("changes: an omitted field equals the default that the API server writes") {
  const auto cluster = a_cluster({a_class("low", 5), a_pod("ns/a").yaml()});
  Objects& objects = cluster->objects;
  const Stores before = objects;
  PodSpec& spec = objects.pods[PodId{0}].spec;
  spec.preemption_policy = objects.symbols.intern("PreemptLowerPriority");
  spec.scheduler_name = objects.symbols.intern("default-scheduler");
  objects.priority_classes[0].preemption_policy = objects.symbols.intern("PreemptLowerPriority");
  CHECK(changes_between(before, objects).empty());

  // Any other value is a change, and so is another default.
  spec.preemption_policy = objects.symbols.intern("Never");
  const auto changes = changes_between(before, objects);
  REQUIRE(changes.size() == 1);
  REQUIRE(changes[0].fields.size() == 1);
  CHECK(changes[0].fields[0].path == "spec.preemptionPolicy");
  CHECK(changes[0].fields[0].before.empty());
  CHECK(changes[0].fields[0].after == "Never");
}
