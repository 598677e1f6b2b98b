// What differs between releases of YuniKorn; see engine/yunikorn/releases.def for the sources.
#include "engine/yunikorn/configuration.h"
#include "engine/yunikorn/eligible.h"
#include "engine/yunikorn/partition_context.h"
#include "engine/yunikorn/pod_facts.h"
#include "support/yunikorn.h"

namespace previct {
namespace {

using test::Asked;
using test::daemon;
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

// Source: pkg/scheduler/objects/queue.go findEligiblePreemptionVictims. `w` has been preempted and has not ended yet.
TEST_CASE("yunikorn release before 1.6: a pod that is preempted already may be a victim again", "[yunikorn][release]") {
  Objects objects;
  REQUIRE(test::read_text(full_node(), objects));
  const Snapshot cluster(objects);
  const auto config = yunikorn::read_queues(kBoth, objects.files.add("queues.yaml"));
  REQUIRE(config);
  yunikorn::Assumptions assumed;
  assumed.preempted.push_back({"ns", "w"});
  const auto eligible = [&](int minor) {
    const yunikorn::PartitionContext core(cluster, *config, assumed, {.release = Release(minor)});
    const yunikorn::Allocation ask = core.allocation(cluster.find_pod("ns", "p"));
    yunikorn::QueueAttempt attempt;
    find_fence(core, ask, attempt);
    yunikorn::VictimFinder(core, ask, attempt).run();
    std::string names;
    for (const yunikorn::Allocation& each : attempt.eligible) names += cluster.key(each.pod) + " ";
    return names;
  };
  CHECK(eligible(5) == "ns/v ns/w ");
  CHECK(eligible(6) == "ns/v ");
  CHECK(eligible(9) == "ns/v ");
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

// Queue a may use 1Gi and uses 2Gi, and its node has enough free resources. The expected answers of this and the next
// two tests are also those of tryAllocate in yunikorn-core 1.5.2 and 1.8.0.
TEST_CASE(
    "yunikorn release: a queue above its maximum accepts no pod that names the resource, before 1.6 no pod at all",
    "[yunikorn][release]") {
  const auto outcome = [](const std::string& version, const std::string& requests, const std::string& max,
                          const std::string& max_of_parent = "") {
    Asked asked(node("n") + pod({.name = "w", .requests = R"(, "memory": "2Gi")", .queue = "root.t.a"}) +
                pod({.name = "p", .requests = requests, .on = "", .queue = "root.t.a"}));
    asked.queues("partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: t, resources: {" +
                 max_of_parent + "}, queues: [{name: a, resources: {" + max + "}}]}]}]}]");
    asked.question.yunikorn_version = version;
    const Answer answer = asked.explain("p");
    CHECK((answer.outcome == Outcome::fits) != (answer.cause.id == "yunikorn.over-max"));
    CHECK((answer.outcome == Outcome::fits) != answer.evidence.contains("overMax"));
    return answer.evidence["outcome"].get<std::string>();
  };
  const std::string less = "max: {memory: 1Gi}";
  const std::string zero = R"(, "memory": "0")";
  for (const char* version : {"1.6", "1.9"}) {
    CHECK(outcome(version, zero, less) == "reserved");
    CHECK(outcome(version, zero, "", less) == "reserved");
    CHECK(outcome(version, "", less) == "allocated");
    CHECK(outcome(version, zero, "max: {memory: 2Gi}") == "allocated");
    CHECK(outcome(version, zero, "max: {vcore: 4}") == "allocated");
  }
  CHECK(outcome("1.5", zero, less) == "reserved");
  CHECK(outcome("1.5", "", less) == "reserved");
  CHECK(outcome("1.5", "", "", less) == "reserved");
  CHECK(outcome("1.5", zero, "max: {memory: 2Gi}") == "allocated");
}

// The running pod has a resource that its node no longer has. Before 1.6, root limits only what nodes have.
TEST_CASE("yunikorn release: since 1.6, root accepts no pod that names a resource of no node", "[yunikorn][release]") {
  const auto outcome = [](const std::string& version, const std::string& requests, const std::string& running) {
    Asked asked(node("n") + pod({.name = "w", .requests = running}) +
                pod({.name = "p", .requests = requests, .on = "", .queue = "root.b"}));
    asked.queues(kBoth);
    asked.question.yunikorn_version = version;
    return asked.explain("p").evidence["outcome"].get<std::string>();
  };
  const std::string some = R"(, "example.com/x": "1")";
  const std::string zero = R"(, "example.com/x": "0")";
  CHECK(outcome("1.9", zero, some) == "reserved");
  CHECK(outcome("1.6", zero, some) == "reserved");
  CHECK(outcome("1.5", zero, some) == "allocated");
  CHECK(outcome("1.9", "", some) == "allocated");
  CHECK(outcome("1.9", zero, "") == "allocated");
}

TEST_CASE("yunikorn release: a pod of a DaemonSet whose queue is above its maximum gets a reservation only",
          "[yunikorn][release]") {
  const auto answer = [](const std::string& requests, const std::string& version = "1.9") {
    Asked asked(node("n") + pod({.name = "w", .requests = R"(, "memory": "2Gi")"}) + daemon("1", "", requests));
    asked.queues(
        "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a, resources: {max: "
        "{memory: 1Gi}}}]}]}]");
    asked.question.yunikorn_version = version;
    return asked.explain("d");
  };
  const Answer refused = answer(R"(, "memory": "0")");
  CHECK(refused.outcome == Outcome::pending);
  CHECK(refused.evidence["outcome"] == "reserved");
  CHECK(refused.evidence["rule"] == "yunikorn.over-max");
  CHECK(refused.sentence ==
        "stays pending: queue root.a uses 2Gi memory, above its max of 1Gi, so it accepts no pod that names this "
        "resource, not even one that requests 0 of it. YuniKorn does not try preemption");
  CHECK(answer("").outcome == Outcome::fits);
  CHECK(answer("", "1.6").outcome == Outcome::fits);
  CHECK(answer("", "1.5").evidence["outcome"] == "reserved");
}

// The pod needs 2 CPUs. v comes first and has one, w has two; because of the request of 0, only w is evicted, whose
// CPUs suffice. Then root still does not accept the pod, while another pod has a resource that no node has.
TEST_CASE("yunikorn release: evictions are in vain if a queue does not accept the pod afterwards",
          "[yunikorn][release]") {
  const auto in_vain = [](const std::string& running) {
    Asked asked(node("n") + pod({.name = "q", .cpu = "1", .requests = running, .queue = "root.b"}) +
                pod({.name = "w", .cpu = "2"}) + pod({.name = "v", .cpu = "1", .minute = 1}) +
                pod({.name = "p", .cpu = "2", .requests = R"(, "example.com/x": "0")", .on = "", .queue = "root.b"}));
    asked.queues(
        "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: ["
        "{name: a}, {name: b, resources: {guaranteed: {vcore: 4}}}]}]}]");
    const Answer answer = asked.explain("p");
    CHECK(answer.evidence["solutions"].dump() == R"([{"node":"n","victims":["ns/w"]}])");
    return !answer.evidence.value("fitsAfterwards", Json()).get<bool>();
  };
  CHECK(in_vain(R"(, "example.com/x": "1")"));
  CHECK_FALSE(in_vain(""));
}

}  // namespace previct
