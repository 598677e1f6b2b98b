#include "support/yunikorn.h"

// Which node a pod gets. Source: apache/yunikorn-core 1.9 pkg/scheduler/objects/nodesorting.go, node_collection.go; the
// usage of each node is given beside its case.

namespace previct {
namespace {

using test::Asked;
using test::node;
using test::pod;

// Each node has 4 CPUs and 8Gi; three quarters of the CPUs of m1 are used, and half of the memory of m2.
auto two_nodes(const std::string& spec_of_first = "") -> std::string {
  return node("m1", spec_of_first) + node("m2") + pod({.name = "w", .cpu = "3", .on = "m1"}) +
         pod({.name = "other", .cpu = "0", .requests = R"(, "memory": "4Gi")", .on = "m2"}) +
         pod({.name = "p", .on = "", .minute = 1});
}

auto node_by(const std::string& policy, const std::string& manifests = two_nodes()) -> std::string {
  Asked asked(manifests);
  asked.queues("partitions: [{name: default, nodesortpolicy: {" + policy +
               "}, queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]");
  const Answer answer = asked.explain("p");
  CHECK(answer.outcome == Outcome::fits);
  return answer.node;
}

}  // namespace

TEST_CASE("yunikorn node sorting: fair chooses the node that is used least, binpacking the other",
          "[yunikorn][nodes]") {
  CHECK(node_by("type: fair") == "m2");                                           // (0.75 + 0) / 2 > (0 + 0.5) / 2
  CHECK(node_by("type: fair, resourceweights: {vcore: 1, memory: 4}") == "m1");   // 0.75 / 5 < 2 / 5
  CHECK(node_by("type: fair, resourceweights: {vcore: 1, memory: +4}") == "m1");  // as YAML writes numbers
  CHECK(node_by("type: fair, resourceweights: {vcore: 1, memory: 0x4}") == "m1");
  CHECK(node_by("type: fair, resourceweights: {vcore: 1, memory: 1.4}") == "m2");  // 0.75 / 2.4 > 0.7 / 2.4
  CHECK(node_by("type: fair, resourceweights: {vcore: 0, memory: 1}") == "m1");    // 0 < 0.5
  CHECK(node_by("type: fair, resourceweights: {memory: 0, vcore: 1}") == "m2");    // 0.75 > 0
  CHECK(node_by("type: binpacking") == "m1");
  CHECK(node_by("type: binpacking, resourceweights: {vcore: 1, memory: 4}") == "m2");
  CHECK(node_by("") == "m2");
}

TEST_CASE("yunikorn node sorting: nodes of equal usage come by name", "[yunikorn][nodes]") {
  // No node has the weighted resource.
  CHECK(node_by("type: fair, resourceweights: {no.such/thing: 1}") == "m1");
  CHECK(node_by("type: fair", node("z") + node("a") + pod({.name = "p", .on = ""})) == "a");
}

TEST_CASE("yunikorn node sorting: a node that is cordoned, or too small for the pod, is skipped", "[yunikorn][nodes]") {
  CHECK(node_by("type: binpacking", two_nodes(R"("unschedulable": true)")) == "m2");
  const std::string small =
      R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "a"}, "status": {"allocatable": {"cpu": "500m", "memory": "8Gi", "pods": "110"}}})"
      "\n";
  CHECK(node_by("type: fair", small + node("b") + pod({.name = "p", .on = ""})) == "b");
}

TEST_CASE("yunikorn node sorting: pods of other schedulers count only beside one of YuniKorn", "[yunikorn][nodes]") {
  // 3 of 4 CPUs of m1 are used by a foreign pod. The core does not sort its node again for it: m1 counts as empty, and
  // is first by name. The cases were decided by yunikorn-core 1.8.0 and branch-1.9; 1.6 sorts nodes for foreign pods,
  // too.
  const std::string foreign =
      R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "f", "namespace": "ns", "uid": "u-f"}, "spec": )"
      R"({"nodeName": "m1", "containers": [{"name": "c", "resources": {"requests": {"cpu": "3"}}}]}})"
      "\n";
  const std::string alone =
      node("m1") + node("m2") + foreign + pod({.name = "p", .cpu = "500m", .on = "", .minute = 1});
  CHECK(node_by("type: fair", alone) == "m1");
  CHECK(node_by("type: fair", alone + pod({.name = "w", .cpu = "100m", .on = "m1"})) == "m2");
  CHECK(node_by("type: binpacking", alone + pod({.name = "w", .cpu = "100m", .on = "m2"})) == "m2");
}

TEST_CASE("yunikorn gang: a pod gets the node of its placeholder, else the first node that fits", "[yunikorn][nodes]") {
  // Source: application.go tryPlaceholderAllocate. The placeholder is on m3, and the pod tolerates no taint.
  const auto placed = [](const std::string& of_m1, const std::string& of_m3) {
    const std::string place =
        R"("annotations": {"yunikorn.apache.org/placeholder": "1", "yunikorn.apache.org/task-group-name": "g"}, )";
    Asked asked(node("m1", of_m1) + node("m2") + node("m3", of_m3) +
                pod({.name = "place", .cpu = "2", .on = "m3", .minute = 50, .app = "job", .meta = place}) +
                pod({.name = "p",
                     .cpu = "2",
                     .on = "",
                     .minute = 51,
                     .app = "job",
                     .meta = R"("annotations": {"yunikorn.apache.org/task-group-name": "g"}, )"}));
    asked.queues("partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]");
    return asked.explain("p").node;
  };
  const std::string tainted = R"("taints": [{"key": "k", "effect": "NoSchedule"}])";
  CHECK(placed("", "") == "m3");
  CHECK(placed("", tainted) == "m1");
  CHECK(placed(tainted, tainted) == "m2");
}

}  // namespace previct
