// What scores count as the request of a pod, worked out by hand.
#include "engine/kube/scored_request.h"

#include "unit/engine/kube/ask.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace previct;
using namespace previct::test;

namespace {

constexpr std::int64_t kMi = 1024 * 1024;

using Scored = std::pair<std::int64_t, std::int64_t>;  // in milli-CPU and Mi

auto scored(const std::string& spec, int minor, const std::string& status = "") -> Scored {
  const auto cluster = a_cluster({fmt::format(
      "apiVersion: v1\nkind: Pod\nmetadata: {{namespace: ns, name: p}}\nspec: {{nodeName: a, {}}}\nstatus: {{phase: "
      "Running{}}}\n",
      spec, status)});
  const kube::ScoredRequest request = kube::scored_request(
      *cluster->snapshot, cluster->snapshot->pod(cluster->snapshot->find_pod("ns", "p")), kube::Release(minor));
  CHECK(request.memory % kMi == 0);
  return {request.milli_cpu, request.memory / kMi};
}

auto container(const std::string& requests, const std::string& more = "") -> std::string {
  return fmt::format("{{name: c, resources: {{requests: {{{}}}}}{}}}", requests, more);
}

}  // namespace

// 100m and 200Mi are assumed for what a container does not request. Sidecars count like containers since 1.32; before,
// they only count in the peak of the init containers, and 100m or 200Mi count for a resource that none of these
// requests.
// Source: pkg/scheduler/framework/types.go calculateResource, getNonMissingContainerRequests; v1.31.14, v1.35.4.
TEST_CASE("scored request: the amounts that are assumed", "[kube][scores]") {
  const std::string sidecar = container("cpu: 200m", ", restartPolicy: Always");
  struct Case {
    std::string spec;
    Scored before;  // in 1.31
    Scored since;   // in 1.35
  };
  for (const Case& each : {
           Case{"containers: [" + container("") + "]", {100, 200}, {100, 200}},
           Case{"containers: [" + container("cpu: 1") + ", " + container("memory: 1Gi") + "]",
                {1100, 1224},
                {1100, 1224}},
           Case{"overhead: {cpu: 50m, memory: 10Mi}, containers: [" + container("cpu: 1") + "]",
                {1050, 210},
                {1050, 210}},
           // An init container counts if it requests more than the containers together.
           Case{"initContainers: [" + container("cpu: 3") + "], containers: [" + container("cpu: 1") + "]",
                {3000, 200},
                {3000, 200}},
           Case{"initContainers: [" + container("cpu: 500m") + "], containers: [" + container("cpu: 1") + "]",
                {1000, 200},
                {1000, 200}},
           // 1.31: the larger one of 100m and 200m. 1.35: their sum, and 200Mi for each.
           Case{"initContainers: [" + sidecar + "], containers: [" + container("") + "]", {200, 200}, {300, 400}},
           // 1.31: the init container beside the sidecar. 1.35: the same, which is more than 200m + 1 CPU.
           Case{"initContainers: [" + sidecar + ", " + container("cpu: 3") + "], containers: [" + container("cpu: 1") +
                    "]",
                {3200, 200},
                {3200, 400}},
       }) {
    INFO(each.spec);
    CHECK(scored(each.spec, 31) == each.before);
    CHECK(scored(each.spec, 35) == each.since);
  }
}

// Nothing is assumed for a resource that the pod requests as a whole, or one of its containers.
// Source: pkg/scheduler/framework/types.go calculatePodResources, getNonMissingContainerRequests; v1.35.4.
TEST_CASE("scored request: with requests of the whole pod, less is assumed", "[kube][scores]") {
  const std::string pair = "containers: [" + container("cpu: 1") + ", " + container("") + "]";
  CHECK(scored(pair, 35) == Scored{1100, 400});
  CHECK(scored("resources: {requests: {memory: 1Gi}}, " + pair, 35) == Scored{1000, 1024});
  CHECK(scored("resources: {requests: {cpu: 2}}, " + pair, 35) == Scored{2000, 400});
}

// During a resize, the larger one of the request and of what is allocated counts.
// Source: component-helpers: resource/helpers.go AggregateContainerRequests; v0.35.
TEST_CASE("scored request: what is allocated during a resize counts", "[kube][scores]") {
  const std::string spec = "containers: [" + container("cpu: 1, memory: 100Mi") + "]";
  const auto allocated = [](const std::string& cpu) {
    return fmt::format(
        ", containerStatuses: [{{name: c, allocatedResources: {{cpu: {0}, memory: 100Mi}}, resources: {{requests: "
        "{{cpu: {0}, memory: 100Mi}}}}}}]",
        cpu);
  };
  CHECK(scored(spec, 35, allocated("3")) == Scored{3000, 100});
  CHECK(scored(spec, 35, allocated("500m")) == Scored{1000, 100});
}
