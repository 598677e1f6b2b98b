// What is reported about a pod's nominated node that PreFilter excludes. Source: schedule_one.go findNodesThatFitPod,
// evaluateNominatedNode, v1.35.4: the nominated node is tried first, whatever PreFilter leaves; if the attempt fails,
// the plugin that refused it is reported for every excluded node.
#include "unit/engine/kube/ask.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::test;

namespace {

// The affinity of the pod allows only a. It is nominated to b, which is unschedulable. c is empty.
auto asked(int cpus_of_a) -> Answer {
  return ask({a_node("a", std::to_string(cpus_of_a)),
              "apiVersion: v1\nkind: Node\nmetadata: {name: b}\nspec: {unschedulable: true}\n"
              "status: {allocatable: {cpu: '4', memory: 8Gi, pods: '110'}}\n",
              a_node("c", "4"),
              a_pod("ns/new")
                  .cpu("2")
                  .nominated("b")
                  .spec("affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
                        "[{matchFields: [{key: metadata.name, operator: In, values: [a]}]}]}}}")
                  .yaml()});
}
auto rule_of(const Answer& answer, std::size_t node) -> std::string {
  return answer.nodes.at(node).at("filter").at("reasons").at(0).at("rule");
}

}  // namespace

TEST_CASE("nominated node: when PreFilter excludes it, its trial is reported only if the attempt fails", "[kube]") {
  const Answer fits = asked(4);
  CHECK(fits.outcome == Outcome::fits);
  CHECK(rule_of(fits, 1) == "kube.prefilter.outside");
  CHECK(rule_of(fits, 2) == "kube.prefilter.outside");
  CHECK(fits.nodes.at(2).dump().find("NodeUnschedulable") == std::string::npos);
  const Answer fails = asked(1);
  CHECK(fails.outcome == Outcome::pending);
  CHECK(rule_of(fails, 1) == "kube.filter.unschedulable");
  CHECK(rule_of(fails, 2) == "kube.prefilter.outside");
  CHECK(fails.nodes.at(2).dump().find("NodeAffinity NodeUnschedulable") != std::string::npos);
}
