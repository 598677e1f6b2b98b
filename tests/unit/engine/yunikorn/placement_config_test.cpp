// Which placement rules and policies of a partition YuniKorn refuses.
// Source: yunikorn-core 1.9 pkg/common/configs/configvalidator.go checkPlacementRule, checkPlacementFilter,
// checkQueueHierarchyForPlacement, checkNodeSortingPolicy, Validate.
#include "engine/yunikorn/configuration.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace previct;
using namespace previct::yunikorn;

namespace {

auto validation_message(const std::string& partitions) -> std::string {
  Files files;
  const auto config = read_queues("partitions: " + partitions, files.add("queues.yaml"));
  return config ? "accepted" : config.error().message;
}

// The queues are root.leaf; root.inner with its leaf c; root.empty, which has parent: true.
auto with_rule(std::string_view rule) -> std::string {
  return validation_message(
      fmt::format("[{{name: default, placementrules: [{{{}}}], queues: [{{name: root, queues: [{{name: leaf}}, {{name: "
                  "inner, queues: [{{name: c}}]}}, {{name: empty, parent: true}}]}}]}}]",
                  rule));
}
auto with_filter(std::string_view filter) -> std::string {
  return with_rule(fmt::format("name: user, create: true, filter: {{{}}}", filter));
}
auto with_policy(std::string_view policy) -> std::string {
  return validation_message(
      fmt::format("[{{name: default, nodesortpolicy: {{{}}}, queues: [{{name: root}}]}}]", policy));
}
auto has(const std::string& said, std::string_view words) -> bool {
  INFO(said);
  CHECK(said.find(words) != std::string::npos);
  return said.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("yunikorn placement rule: a fixed queue must be a leaf that exists or may be created", "[yunikorn][config]") {
  CHECK(with_rule("name: fixed, value: root.leaf") == "accepted");
  CHECK(with_rule("name: fixed, value: leaf") == "accepted");
  CHECK(with_rule("name: fixed, value: root.Inner.C") == "accepted");
  // Only parent: true makes a queue a parent: a queue with children is accepted, and the rule finds no leaf at run
  // time.
  CHECK(with_rule("name: fixed, value: root.inner") == "accepted");
  has(with_rule("name: fixed, value: root.empty"), "queue root.empty is not a leaf");
  has(with_rule("name: fixed, value: root.inner.x"), "queue root.inner.x does not exist and create is false");
  has(with_rule("name: fixed, value: root.empty.x"), "queue root.empty.x does not exist and create is false");
  CHECK(with_rule("name: fixed, value: root.inner.x, create: true") == "accepted");
  CHECK(with_rule("name: fixed, value: root.empty.x, create: true") == "accepted");
  has(with_rule("name: fixed, value: root.leaf.x, create: true"), "queue root.leaf.x lies below a leaf");
}

TEST_CASE("yunikorn placement rule: continues below the queue of its parent rule, which is not a leaf",
          "[yunikorn][config]") {
  CHECK(with_rule("name: user, create: true, parent: {name: fixed, value: empty}") == "accepted");
  has(with_rule("name: user, create: true, parent: {name: fixed, value: inner}"),
      "queue root.inner has no parent: true, but another rule continues below it");
  has(with_rule("name: user, create: true, parent: {name: fixed, value: leaf}"),
      "queue root.leaf has no parent: true, but another rule continues below it");
  CHECK(with_rule("name: fixed, value: c, parent: {name: fixed, value: inner}") == "accepted");
  has(with_rule("name: fixed, value: x, parent: {name: fixed, value: inner}"), "queue root.inner.x does not exist");
  has(with_rule("name: fixed, value: root.inner.c, parent: {name: fixed, value: inner}"),
      "a full path and a parent rule exclude each other");
}

TEST_CASE("yunikorn placement filter: a single entry is a name or a regular expression", "[yunikorn][config]") {
  CHECK(with_filter("type: Deny, users: [ann]") == "accepted");
  has(with_filter("type: maybe, users: [ann]"), "filter type \"maybe\" is neither allow nor deny");
  CHECK(with_filter("users: [service$]") == "accepted");
  CHECK(with_filter("users: [_a1]") == "accepted");
  CHECK(with_filter("users: ['1.*']") == "accepted");
  has(with_filter("users: ['1a']"), "\"1a\" is neither a user nor a regular expression");
  CHECK(with_filter("users: ['1a', '2b']") == "accepted");
  CHECK(with_filter("groups: [staff]") == "accepted");
  CHECK(with_filter("groups: ['[0-9]+']") == "accepted");
  has(with_filter("groups: ['1a']"), "\"1a\" is neither a group nor a regular expression");
  has(with_filter("users: ['test[test']"), "\"test[test\" is not a regular expression: missing closing ]: `[test`");
  has(with_filter("groups: ['+x']"),
      "\"+x\" is not a regular expression: missing argument to repetition operator: `+`");
  CHECK(with_filter("users: ['test[test', ann]") == "accepted");  // entries of a list are not compiled
}

TEST_CASE("yunikorn partitions: node sort policies and partition names are validated", "[yunikorn][config]") {
  CHECK(with_policy("type: fair, resourceweights: {vcore: 2.0, memory: 0}") == "accepted");
  CHECK(with_policy("type: binpacking") == "accepted");
  has(with_policy("type: fare"), "nodesortpolicy type \"fare\" is neither fair nor binpacking");
  has(with_policy("type: fair, resourceweights: {vcore: 1.0, memory: -1.0}"), "resourceweights: memory is negative");
  has(validation_message("[{queues: [{name: root}]}, {name: Default, queues: [{name: root}]}]"),
      "partition \"default\" occurs twice");
  CHECK(validation_message("[{queues: [{name: root}]}, {name: gpu, queues: [{name: root}]}]") == "accepted");
}
