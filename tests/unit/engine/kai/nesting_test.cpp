// Trees that are walked recursively have a maximum depth, so that no input can overflow the stack.
#include "engine/kai/snapshot/nesting.h"

#include "support/input.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <string>

using namespace previct;
using namespace previct::kai;

namespace {

auto nesting_error(const std::string& text) -> std::string {
  Objects objects;
  REQUIRE(test::read_text(text, objects));
  const Snapshot cluster(objects);
  const Result<void> checked = check_nesting(cluster);
  return checked ? "" : checked.error().message;
}

auto queue_below(const std::string& name, const std::string& parent) -> std::string {
  return fmt::format(
      "---\n{{apiVersion: scheduling.run.ai/v2, kind: Queue, metadata: {{name: \"{}\"}}, spec: {{parentQueue: "
      "\"{}\"}}}}\n",
      name, parent);
}

auto chain_of_queues(std::size_t length) -> std::string {
  std::string text;
  for (std::size_t i = 0; i < length; ++i)
    text += queue_below(fmt::format("q{}", i), i == 0 ? "" : fmt::format("q{}", i - 1));
  return text;
}

auto chain_of_sub_groups(std::size_t length) -> std::string {
  std::string text =
      "{apiVersion: scheduling.run.ai/v2alpha2, kind: PodGroup, metadata: {name: g, namespace: ml}, spec: {subGroups: "
      "[";
  for (std::size_t i = 0; i < length; ++i)
    text += fmt::format("{{name: s{}, parent: \"{}\"}},\n", i, i == 0 ? "" : fmt::format("s{}", i - 1));
  return text + "]}}\n";
}

auto topology_of(std::size_t levels) -> std::string {
  std::string text = "{apiVersion: kai.scheduler/v1alpha1, kind: Topology, metadata: {name: t}, spec: {levels: [";
  for (std::size_t i = 0; i < levels; ++i) text += fmt::format("{{nodeLabel: l{}}},", i);
  return text + "]}}\n";
}

}  // namespace

TEST_CASE("kai nesting: queues, sub-groups and topologies have a maximum depth", "[kai]") {
  CHECK(nesting_error(chain_of_queues(1000)).empty());
  CHECK(nesting_error(chain_of_queues(1001)) == "the KAI queues are nested 1001 deep; previct supports at most 1000");
  CHECK(nesting_error(chain_of_sub_groups(1000)).empty());
  CHECK(nesting_error(chain_of_sub_groups(1001)) ==
        "the sub-groups of PodGroup g are nested 1001 deep; previct supports at most 1000");
  CHECK(nesting_error(topology_of(16)).empty());
  CHECK(nesting_error(topology_of(17)) == "Topology t has 17 levels; the API server allows 16");
}

TEST_CASE("kai nesting: a loop of queues does not count as deep", "[kai]") {
  CHECK(nesting_error(queue_below("a", "b") + queue_below("b", "a") + queue_below("c", "c") + queue_below("d", ""))
            .empty());
}
