// The resources that a pod takes from its node. Expected values are derived by hand from the rules of each release; the
// schedulers of 1.31, 1.32 and later, run with the gates on, agree (fixtures/kube-versions).
#include "cluster/pod_request.h"

#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace previct;
using namespace previct::test;

namespace {

// A container requests 2 CPUs, was admitted with 3 and has 5; its sidecar requests 500m and has 700m.
auto pod_in_a_resize(const std::string& status) -> std::string {
  return fmt::format(
      "apiVersion: v1\nkind: Pod\nmetadata: {{namespace: ns, name: p}}\n"
      "spec:\n  nodeName: a\n"
      "  containers: [{{name: main, resources: {{requests: {{cpu: \"2\"}}}}}}]\n"
      "  initContainers: [{{name: side, restartPolicy: Always, resources: {{requests: {{cpu: 500m}}}}}}]\n"
      "status:\n  phase: Running\n"
      "  containerStatuses: [{{name: main, resources: {{requests: {{cpu: \"5\"}}}}, allocatedResources: {{cpu: "
      "\"3\"}}}}]\n"
      "  initContainerStatuses: [{{name: side, resources: {{requests: {{cpu: 700m}}}}}}]\n{}",
      status);
}

auto milli_cpus(const std::string& pod, RequestOf who, RequestRules rules) -> std::int64_t {
  const auto cluster = a_cluster({pod});
  const Snapshot& snapshot = *cluster->snapshot;
  const ResourceList request = pod_request(snapshot, snapshot.pod(snapshot.find_pod("ns", "p")), who, rules);
  return request.get(snapshot.known().cpu)->milli();
}

}  // namespace

TEST_CASE("pod request: the release decides what counts of a resize in progress") {
  const std::string pod = pod_in_a_resize("");
  const auto placed = [&](ResizeRule rule) { return milli_cpus(pod, RequestOf::placed, {.resize = rule}); };
  CHECK(placed(ResizeRule::wanted) == 2500);
  CHECK(placed(ResizeRule::admitted) == 3500);
  CHECK(placed(ResizeRule::in_use) == 5500);
  CHECK(placed(ResizeRule::largest) == 5700);
  CHECK(placed(ResizeRule::whole_pod) == 5700);
  CHECK(milli_cpus(pod, RequestOf::incoming, {.resize = ResizeRule::largest}) == 2500);
}

TEST_CASE("pod request: an infeasible resize does not count, in releases that check this") {
  std::string by_field = pod_in_a_resize("  resize: Infeasible\n");
  std::string by_condition =
      pod_in_a_resize("  conditions: [{type: PodResizePending, status: \"True\", reason: Infeasible}]\n");
  for (std::string* pod : {&by_field, &by_condition}) pod->replace(pod->find("\"2\""), 3, "\"9\"");
  const auto request = [](const std::string& pod, ResizeRule rule) {
    return milli_cpus(pod, RequestOf::placed, {.resize = rule});
  };
  CHECK(request(by_field, ResizeRule::admitted) == 3500);
  CHECK(request(by_field, ResizeRule::in_use) == 5500);
  CHECK(request(by_field, ResizeRule::largest) == 9700);
  CHECK(request(by_condition, ResizeRule::admitted) == 9500);
  CHECK(request(by_condition, ResizeRule::in_use) == 9500);
  CHECK(request(by_condition, ResizeRule::largest) == 5700);
  CHECK(request(by_condition, ResizeRule::whole_pod) == 5700);
}

TEST_CASE("pod request: since 1.37, the sums over all containers are compared") {
  // One container shrinks from 4 CPUs to 1, the other grows from 1 to 4: each by itself takes 4, the pod 5. The pod's
  // own status has 7 in use and 6 allocated, which counts with the gate for resizes of whole pods.
  const std::string pod =
      "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: p}\n"
      "spec:\n  nodeName: a\n"
      "  containers: [{name: a, resources: {requests: {cpu: \"1\"}}}, {name: b, resources: {requests: {cpu: \"4\"}}}]\n"
      "status:\n  phase: Running\n  resources: {requests: {cpu: \"7\"}}\n  allocatedResources: {cpu: \"6\"}\n"
      "  containerStatuses: [{name: a, resources: {requests: {cpu: \"4\"}}, allocatedResources: {cpu: \"4\"}},\n"
      "    {name: b, resources: {requests: {cpu: \"1\"}}, allocatedResources: {cpu: \"1\"}}]\n";
  CHECK(milli_cpus(pod, RequestOf::placed, {.resize = ResizeRule::largest}) == 8000);
  CHECK(milli_cpus(pod, RequestOf::placed, {.resize = ResizeRule::whole_pod}) == 5000);
  CHECK(milli_cpus(pod, RequestOf::placed, {.resize = ResizeRule::whole_pod, .pod_level_resize = true}) == 7000);
  CHECK(milli_cpus(pod, RequestOf::incoming, {.resize = ResizeRule::whole_pod}) == 5000);
}

TEST_CASE("pod request: pod-level hugepages count since 1.33") {
  const auto cluster =
      a_cluster({"apiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: p}\n"
                 "spec:\n  resources: {requests: {cpu: \"3\", hugepages-2Mi: 8Mi}}\n"
                 "  containers: [{name: main, resources: {requests: {cpu: \"1\", hugepages-2Mi: 2Mi}}}]\n"});
  const Snapshot& snapshot = *cluster->snapshot;
  const Pod& pod = snapshot.pod(snapshot.find_pod("ns", "p"));
  for (const bool counts : {true, false}) {
    const ResourceList request = pod_request(snapshot, pod, RequestOf::incoming, {.pod_level_hugepages = counts});
    CHECK(request.get(snapshot.known().cpu)->value() == 3);
    CHECK(request.get(snapshot.symbol("hugepages-2Mi"))->value() == (counts ? 8 : 2) * 1024 * 1024);
  }
}
