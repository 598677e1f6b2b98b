// Attempts that end with the error of a filter on one of several nodes.
// Source: kubernetes/kubernetes: pkg/scheduler/schedule_one.go findNodesThatPassFilters: the nodes are filtered in
// parallel, and the first error ends the attempt.
#include "unit/engine/kube/ask.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::test;

namespace {

/// Nodes with one device each, d0, which has these attributes, and a pod with a claim on a device.
struct Devices {
  std::vector<std::pair<std::string, std::string>> attributes;  ///< by node
  std::string selector;
  std::string release = "1.37.2";
};

auto answer_for(const Devices& devices) -> Answer {
  std::vector<std::string> documents = {
      scheduler_pod(devices.release),
      "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: c}\nspec: {}\n",
      fmt::format("apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {{namespace: ns, name: mine}}\n"
                  "spec: {{devices: {{requests: [{{name: r, exactly: {{deviceClassName: c, selectors: "
                  "[{{cel: {{expression: \"{}\"}}}}]}}}}]}}}}\n",
                  devices.selector),
      a_pod("ns/new").spec("resourceClaims: [{name: a, resourceClaimName: mine}]").yaml()};
  for (const auto& [node, attributes] : devices.attributes) {
    documents.push_back(a_node(node, "4"));
    documents.push_back(
        fmt::format("apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {{name: slice-{0}}}\n"
                    "spec: {{driver: d, pool: {{name: {0}, generation: 1, resourceSliceCount: 1}}, nodeName: {0}, "
                    "devices: [{{name: d0, attributes: {{{1}}}}}]}}\n",
                    node, attributes));
  }
  return ask(documents);
}

// Since 1.37, the error names the device, so it differs by node.
auto error_on(std::string_view node) -> std::string {
  return fmt::format(
      "running \"DynamicResources\" filter plugin: claim ns/mine: selector #0 on device d/{}/d0: CEL runtime error: "
      "division by zero",
      node);
}

}  // namespace

TEST_CASE("filter errors: one of several ends the attempt, and chance decides which", "[kube][errors]") {
  const Answer two = answer_for({{{"b", ""}, {"a", ""}}, "1 / 0 == 1"});
  CHECK(two.outcome == Outcome::error);
  CHECK(
      two.sentence.ends_with("stays pending: the scheduler's attempt ends in one of 2 errors; chance decides in which "
                             "one (" +
                             error_on("a") + "; " + error_on("b") + ")"));
  CHECK(two.evidence.at("error") == error_on("a"));
  CHECK(two.evidence.at("errors") == Json({error_on("a"), error_on("b")}));

  const Answer many = answer_for({{{"a", ""}, {"b", ""}, {"c", ""}, {"e", ""}, {"f", ""}}, "1 / 0 == 1"});
  CHECK(many.sentence.find("in one of 5 errors") != std::string::npos);
  CHECK(many.sentence.ends_with(error_on("c") + "; and 2 more)"));

  // Before 1.37, both nodes give the same error.
  const Answer same = answer_for({{{"b", ""}, {"a", ""}}, "1 / 0 == 1", "1.36.3"});
  CHECK(
      same.sentence.ends_with("ends in an error (running \"DynamicResources\" filter plugin: claim ns/mine: selector "
                              "#0: CEL runtime error: division by zero)"));
  CHECK_FALSE(same.evidence.contains("errors"));
}

TEST_CASE("filter errors: a node whose filter is not known may fail with another one", "[kube][errors]") {
  // On b, a truth value cannot be divided; the text of this error is not modeled.
  const Answer answer =
      answer_for({{{"a", "size: {int: 5}"}, {"b", "size: {bool: true}"}}, "device.attributes['d'].size / 0 == 1"});
  CHECK(answer.outcome == Outcome::error);
  CHECK(answer.sentence.ends_with("ends in an error; chance decides in which one, and previct knows one of them (" +
                                  error_on("a") + ")"));
  CHECK(answer.evidence.at("error") == error_on("a"));
}
