// What differs between releases of YuniKorn; see engine/yunikorn/releases.def for the sources.
#include "engine/yunikorn/configuration.h"
#include "engine/yunikorn/pod_facts.h"
#include "support/yunikorn.h"

namespace previct {
namespace {

using test::Asked;
using test::node;
using test::pod;
using yunikorn::Keys;
using yunikorn::Release;

constexpr const char* kBoth =
    "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: ["
    "{name: a, resources: {guaranteed: {vcore: 1}}}, {name: b, resources: {guaranteed: {vcore: 2}}}]}]}]";
constexpr const char* kBAlone =
    "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: ["
    "{name: a}, {name: b, resources: {guaranteed: {vcore: 2, memory: 1Gi}}}]}]}]";

auto solutions_of(Asked& asked, const std::string& version) -> std::string {
  asked.question.yunikorn_version = version;
  const Answer answer = asked.explain("p");
  const Json& ends = answer.evidence["solutions"];
  return ends.is_null() ? answer.evidence["outcome"].dump() : ends.dump();
}

/// Two pods of queue a fill the node; the younger one is w.
auto full_node() -> std::string {
  return node("n") + pod({.name = "v", .cpu = "2"}) + pod({.name = "w", .cpu = "2", .minute = 1}) +
         pod({.name = "p", .on = "", .queue = "root.b"});
}

}  // namespace

TEST_CASE("yunikorn release: that of its pod, or the one in the question", "[yunikorn][release]") {
  Asked asked(
      full_node() +
      R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "s", "namespace": "y"}, "spec": {"nodeName": "n", )"
      R"("containers": [{"name": "s", "image": "apache/yunikorn:scheduler-1.6.2"}]}, "status": {"phase": "Running"}})");
  asked.queues(kBoth);
  CHECK(asked.explain("p").behaves == "1.6 (its pod runs 1.6.2; rules of v1.6.3)");
  asked.question.yunikorn_version = "1.9";
  CHECK(asked.explain("p").behaves == "1.9 (rules of v1.9.0)");
  asked.question.yunikorn_version = "2.0";
  CHECK(asked.failure("p").message.starts_with("--yunikorn-version: \"2.0\" names no release"));
}

TEST_CASE("yunikorn release: as a plugin of kube-scheduler, it is not modeled", "[yunikorn][release]") {
  Asked asked(
      full_node() +
      R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "s", "namespace": "y"}, "spec": {"nodeName": "n", )"
      R"("containers": [{"name": "s", "image": "apache/yunikorn:scheduler-plugin-1.7.0"}]}, "status": {"phase": "Running"}})");
  asked.queues(kBoth);
  CHECK(asked.explain("p").outcome == Outcome::unknown);
}

TEST_CASE("yunikorn release 1.2: no preemption between queues", "[yunikorn][release]") {
  Asked asked(full_node());
  asked.queues(kBoth);
  asked.question.yunikorn_version = "1.2.0";
  const Answer answer = asked.explain("p");
  CHECK(answer.outcome == Outcome::pending);
  CHECK(answer.victims.empty());
}

// Before 1.6, a queue may keep its guaranteed share and what maxima leave: with neither, all that the nodes have, so it
// never exceeds it.
TEST_CASE("yunikorn release before 1.6: pods of a queue without a guaranteed share are no victims",
          "[yunikorn][release]") {
  const std::string victim = R"([{"node":"n","victims":["ns/w"]}])";
  Asked with(full_node());
  with.queues(kBoth);
  CHECK(solutions_of(with, "1.5") == victim);
  CHECK(solutions_of(with, "1.6") == victim);
  CHECK(solutions_of(with, "1.9") == victim);
  Asked without(full_node());
  without.queues(kBAlone);
  CHECK(solutions_of(without, "1.5") != victim);
  CHECK(solutions_of(without, "1.6") == victim);
}

// Queue b is guaranteed 1Gi and uses 2Gi; of 2 CPUs it uses 1. The pod requests only a CPU.
TEST_CASE("yunikorn release before 1.8: a queue must be within its guaranteed share in all types",
          "[yunikorn][release]") {
  Asked asked(node("n") + pod({.name = "v", .cpu = "2"}) + pod({.name = "w", .cpu = "1", .minute = 1}) +
              pod({.name = "q",
                   .cpu = "1",
                   .queue = "root.b",
                   .spec = R"("initContainers": [{"name": "m", "resources": {"requests": {"memory": "2Gi"}}}], )"}) +
              pod({.name = "p", .on = "", .queue = "root.b"}));
  asked.queues(kBAlone);
  CHECK(solutions_of(asked, "1.9") == R"([{"node":"n","victims":["ns/w"]}])");
  CHECK(solutions_of(asked, "1.8") == R"([{"node":"n","victims":["ns/w"]}])");
  CHECK(solutions_of(asked, "1.7") != R"([{"node":"n","victims":["ns/w"]}])");
}

TEST_CASE("yunikorn release: labels and sizes of pods are read as the shim of the release does",
          "[yunikorn][release]") {
  Objects objects;
  REQUIRE(test::read_text(
      R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "ns", "labels": {"queue": "root.l", "applicationId": "l", "yunikorn.apache.org/app-id": "c"}, )"
      R"("annotations": {"yunikorn.apache.org/queue": "root.a", "yunikorn.apache.org/app-id": "a"}}, "spec": {"schedulerName": "yunikorn", )"
      R"("resources": {"requests": {"memory": "1Gi"}}, )"
      R"("containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}], )"
      R"("initContainers": [{"name": "s", "restartPolicy": "Always", "resources": {"requests": {"cpu": "2"}}}]}})",
      objects));
  const Snapshot cluster(objects);
  const Pod& of = cluster.pod(PodId{0});
  yunikorn::TypeNames types(cluster);
  const auto cpus = [&](int minor) {
    return pod_size(Keys(cluster, Release(minor)), of, types).amount(yunikorn::TypeNames::kVcore);
  };
  CHECK(cpus(5) == 2000);  // the larger of both
  CHECK(cpus(6) == 4000);  // the sidecar twice
  CHECK(cpus(8) == 4000);
  CHECK(cpus(9) == 3000);
  const auto has_memory = [&](int minor) {
    return pod_size(Keys(cluster, Release(minor)), of, types).has(types.id("memory"));
  };
  CHECK_FALSE(has_memory(6));
  CHECK(has_memory(7));
  CHECK(requested_queue(cluster, Keys(cluster, Release(5)), of) == "root.l");
  CHECK(requested_queue(cluster, Keys(cluster, Release(6)), of) == "root.a");
  CHECK(written_application(cluster, Keys(cluster, Release(5)), of) == "a");
  CHECK(written_application(cluster, Keys(cluster, Release(6)), of) == "c");
}

}  // namespace previct
