// Groups of KAI in the simulation: each pod gets the node that the cycle gives it.
#include "sequence/cycle_simulation.h"
#include "support/kai_cycle.h"

#include <algorithm>
#include <map>
#include <string>

namespace previct {

extern const Engine& kai_engine;

namespace sequence {
namespace {

namespace kai_text = test::cycles;

// The ends of the pending pods, or of one of them, by name: `bound a`, `unschedulable`.
auto ends_of(const std::string& yaml, std::string_view only = "") -> std::map<std::string, std::string> {
  Objects objects;
  REQUIRE(test::read_text(std::string(kai_text::kTrain) + yaml, objects));
  Settings settings;
  settings.question.now = *parse_instant("2026-03-02T10:00:00Z");
  const Snapshot before(objects);
  for (const PodId pod : before.pods().ids()) {
    if (before.pending(pod) && (only.empty() || before.key(pod) == only)) settings.pods.push_back(pod);
  }
  const auto sequence = simulate_cycles(objects, kai_engine, settings);
  REQUIRE(sequence);
  std::map<std::string, std::string> ends;
  for (const End& end : sequence->play.ends) {
    ends[end.name] = end.kind == End::Kind::bound           ? "bound " + std::string(before.name(end.node))
                     : end.kind == End::Kind::unschedulable ? "unschedulable"
                     : end.unknown                          ? "cannot tell"
                                                            : "other";
  }
  return ends;
}

auto member(std::string_view name) -> std::string {
  return kai_text::pod({.name = name, .group = "p", .request = ", nvidia.com/gpu: \"1\""});
}

}  // namespace

TEST_CASE("sequence, KAI: a gang is bound on several nodes", "[sequence][kai]") {
  const auto ends = ends_of(kai_text::queue("want", 4) + kai_text::group("p", "want", ", minMember: 2") +
                            member("p-0") + member("p-1") + kai_text::node("a", 1) + kai_text::node("b", 1));
  REQUIRE(ends.size() == 2);
  const std::string first = ends.at("ml/p-0");
  const std::string second = ends.at("ml/p-1");
  CHECK(std::min(first, second) == "bound a");
  CHECK(std::max(first, second) == "bound b");
}

TEST_CASE("sequence, KAI: of an elastic group, as many pods are bound as find a node", "[sequence][kai]") {
  for (const int gpus : {1, 2, 3}) {
    const auto ends = ends_of(kai_text::queue("want", 4) + kai_text::group("p", "want") + member("p-0") +
                              member("p-1") + member("p-2") + kai_text::node("a", gpus));
    CHECK(std::count_if(ends.begin(), ends.end(), [](const auto& end) { return end.second == "bound a"; }) == gpus);
  }
}

TEST_CASE("sequence, KAI: a pod with a BindRequest is bound, and its GPU is not free for others", "[sequence][kai]") {
  // Node a has 1 GPU, which q gets. Source: api/pod_status AllocatedStatus, which includes Binding.
  const std::string yaml =
      kai_text::queue("want", 4) + kai_text::group("p", "want") + member("p-0") + kai_text::group("q", "want") +
      kai_text::pod({.name = "q", .group = "q", .request = ", nvidia.com/gpu: \"1\""}) + kai_text::node("a", 1) +
      "---\n{apiVersion: scheduling.run.ai/v1alpha2, kind: BindRequest, metadata: {name: q, namespace: ml}, spec: "
      "{podName: q, selectedNode: a, receivedResourceType: Regular}}\n";
  const auto both = ends_of(yaml);
  CHECK(both.at("ml/q") == "bound a");
  CHECK(both.at("ml/p-0") == "unschedulable");
  CHECK(ends_of(yaml, "ml/p-0").at("ml/p-0") == "unschedulable");
}

// Node a has 1 GPU: two halves fill it, and 0.4 of it is too little for 0.6. A pod on two GPUs gets half of each.
// Source: api/node_info/gpu_sharing_node_info.go: a pod counts on the GPUs of its groups in every cycle.
TEST_CASE("sequence, KAI: a pod that is bound keeps its part of a shared GPU", "[sequence][kai]") {
  const auto bound = [](const std::string& pods, int gpus) {
    const auto ends = ends_of(kai_text::queue("want", 4) + kai_text::node("a", gpus) + pods);
    return std::count_if(ends.begin(), ends.end(), [](const auto& end) { return end.second == "bound a"; });
  };
  const auto halves = kai_text::asking("x", "0.5") + kai_text::asking("w", "0.5") + kai_text::asking("z", "0.5");
  CHECK(bound(halves, 1) == 2);
  CHECK(bound(halves, 2) == 3);
  CHECK(bound(kai_text::asking("x", "0.6") + kai_text::asking("w", "0.6"), 1) == 1);
  const auto on_two = [](std::string_view name) {
    return kai_text::alone({.name = name, .annotations = ", gpu-fraction: \"0.5\", gpu-fraction-num-devices: \"2\""});
  };
  CHECK(bound(on_two("x") + on_two("w") + on_two("z"), 2) == 2);
}

// Gang e has one of the two pods that it needs: KAI evicts it after its grace period, and p gets the GPU.
// Source: pkg/scheduler/actions/stalegangeviction/stalegangeviction.go.
TEST_CASE("sequence, KAI: the end of a pod is open while a stale gang keeps its place", "[sequence][kai]") {
  const auto beside = [](std::string_view members) {
    return ends_of(kai_text::queue("want", 1) + kai_text::queue("have", 1) + kai_text::node("a", 1) +
                   kai_text::group("e", "have", members) +
                   kai_text::pod({.name = "e", .group = "e", .node = "a", .request = ", nvidia.com/gpu: \"1\""}) +
                   kai_text::group("p", "want") + member("p-0"))
        .at("ml/p-0");
  };
  CHECK(beside(", minMember: 1") == "unschedulable");
  CHECK(beside(", minMember: 2") == "cannot tell");
  CHECK(beside(", minMember: 2, stalenessGracePeriod: \"-1s\"") == "unschedulable");
}

// Source: pkg/scheduler/api/podgroup_info/job_info.go IsStale: a gang with a pod that has succeeded is not stale.
TEST_CASE("sequence, KAI: a gang of which a pod has succeeded is not stale", "[sequence][kai]") {
  for (const std::string_view phase : {"Succeeded", "Failed"}) {
    const auto ends =
        ends_of(kai_text::queue("want", 1) + kai_text::queue("have", 1) + kai_text::node("a", 1) +
                kai_text::group("e", "have", ", minMember: 2") +
                kai_text::pod({.name = "e-0", .group = "e", .node = "a", .request = ", nvidia.com/gpu: \"1\""}) +
                kai_text::pod(
                    {.name = "e-1", .group = "e", .node = "a", .request = ", nvidia.com/gpu: \"1\"", .phase = phase}) +
                kai_text::group("p", "want") + member("p-0"));
    CHECK(ends.at("ml/p-0") == (phase == "Succeeded" ? "unschedulable" : "cannot tell"));
  }
}

// Node a has 1 GPU, which q gets, as its group has the higher priority. Among pods of one group, all of it takes part.
TEST_CASE("sequence, KAI: groups that are not part of the simulation do not exist in it", "[sequence][kai]") {
  const std::string both = kai_text::queue("want", 4) + kai_text::node("a", 1) + kai_text::group("p", "want") +
                           member("p-0") + kai_text::group("q", "want", "", "high") +
                           kai_text::pod({.name = "q", .group = "q", .request = ", nvidia.com/gpu: \"1\""});
  CHECK(ends_of(both).at("ml/p-0") == "unschedulable");
  CHECK(ends_of(both, "ml/p-0").at("ml/p-0") == "bound a");
  const std::string gang = kai_text::queue("want", 4) + kai_text::node("a", 2) +
                           kai_text::group("p", "want", ", minMember: 2") + member("p-0") + member("p-1");
  CHECK(ends_of(gang, "ml/p-0").at("ml/p-0") == "bound a");
}

}  // namespace sequence
}  // namespace previct
