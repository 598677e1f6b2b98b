#include "support/yunikorn.h"

// YuniKorn runs kube-scheduler's filters, in two lists, and tries victims in its own way. Source:
// apache/yunikorn-k8shim 1.9 pkg/plugin/predicates/predicate_manager.go.

namespace previct {
namespace {

using test::Asked;
using test::daemon;
using test::node;
using test::pod;

constexpr const char* kGuaranteeOfB =
    "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: ["
    "{name: a}, {name: b, resources: {guaranteed: {vcore: 2}}}]}]}]";

/// A node with 4 CPUs in a zone.
auto in_zone(const std::string& name, const std::string& zone, const std::string& spec = "") -> std::string {
  std::string text = node(name, spec);
  const std::string metadata = R"("metadata": {)";
  return text.insert(text.find(metadata) + metadata.size(), R"("labels": {"zone": ")" + zone + R"("}, )");
}

/// Keeps every pod of the namespace out of its zone.
const std::string kAlone =
    R"("affinity": {"podAntiAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": [{"topologyKey": "zone", "labelSelector": {}}]}}, )";

auto solutions_of(const Answer& answer) -> std::string {
  return answer.evidence["solutions"].dump();
}

}  // namespace

TEST_CASE("yunikorn filters: preemption does not resolve the anti-affinity of a victim", "[yunikorn]") {
  const auto asked_with = [](const std::string& spec) {
    Asked asked(in_zone("n", "z") + pod({.name = "v", .cpu = "2", .spec = spec}) +
                pod({.name = "w", .cpu = "2", .minute = 1}) + pod({.name = "p", .on = "", .queue = "root.b"}));
    asked.queues(kGuaranteeOfB);
    return asked.explain("p");
  };
  CHECK(solutions_of(asked_with("")) == R"([{"node":"n","victims":["ns/w"]}])");
  const Answer repelled = asked_with(kAlone);
  CHECK(repelled.outcome == Outcome::pending);
  CHECK(repelled.evidence["outcome"] == "pending");
}

TEST_CASE("yunikorn filters: a victim that frees a host port is dropped if the others cover the request",
          "[yunikorn]") {
  const std::string port =
      R"("initContainers": [{"name": "s", "restartPolicy": "Always", "ports": [{"hostPort": 80, "containerPort": 80}]}], )";
  Asked asked(node("n") + pod({.name = "v", .cpu = "2", .spec = port}) + pod({.name = "w", .cpu = "2", .minute = 1}) +
              pod({.name = "p", .on = "", .queue = "root.b", .spec = port}));
  asked.queues(
      "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: ["
      "{name: a}, {name: b, resources: {guaranteed: {vcore: 4}}}]}]}]");
  // w, the youngest, frees enough CPU; v holds the port, so the trial selects both. But victims are evicted only until
  // they exceed the request, which w does (2 of 1): v stays, and the pod still does not fit.
  const Answer answer = asked.explain("p");
  CHECK(solutions_of(answer) == R"([{"node":"n","victims":["ns/w"]}])");
  CHECK(answer.in_vain);
}

TEST_CASE("yunikorn reservation: only the first node by score may be reserved, if filters accept it", "[yunikorn]") {
  // The pod requests 3 CPUs; n has 1 left and m 2, so the pod would leave the same idle on both (memory, and all but
  // one of 109 pods). m is used less, so it comes first. Queue a has no guaranteed share, so no pod is evicted.
  const std::string taint = R"("taints": [{"key": "k", "effect": "NoSchedule"}])";
  const auto asked_with = [&](const std::string& of_n, const std::string& of_m) {
    Asked asked(node("n", of_n) + node("m", of_m) + pod({.name = "v", .cpu = "3"}) +
                pod({.name = "w", .cpu = "2", .on = "m"}) + pod({.name = "p", .cpu = "3", .on = ""}));
    asked.queues(kGuaranteeOfB);
    return asked.explain("p").evidence["outcome"];
  };
  CHECK(asked_with("", "") == "reserved");
  CHECK(asked_with(taint, "") == "reserved");
  CHECK(asked_with("", taint) == "pending");
  CHECK(asked_with(taint, taint) == "pending");
}

// Source: yunikorn-k8shim 1.9.0 pkg/cache/task.go sanityCheckBeforeScheduling, checkPodPVCs.
TEST_CASE("yunikorn sanity check: a pod whose claim is missing or being deleted is kept from the core", "[yunikorn]") {
  const auto claim = [](const std::string& metadata) {
    return R"({"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {)" + metadata +
           R"("namespace": "ns"}, "status": {"phase": "Bound"}})"
           "\n";
  };
  const std::string wants_data =
      node("n") + pod({.name = "p",
                       .on = "",
                       .spec = R"("volumes": [{"name": "d", "persistentVolumeClaim": {"claimName": "data"}}], )"});
  SECTION("the claim is missing, but others exist") {
    Asked asked(wants_data + claim(R"("name": "other", )"));
    asked.queues(kGuaranteeOfB);
    const Answer answer = asked.explain("p");
    CHECK(answer.outcome == Outcome::pending);
    CHECK(answer.evidence["outcome"] == "not-scheduled-by-yunikorn");
    CHECK(answer.evidence["problems"][0] == R"(sanity: persistentvolumeclaim "data" not found)");
  }
  SECTION("the claim is being deleted") {
    Asked asked(wants_data + claim(R"("name": "data", "deletionTimestamp": "2026-05-01T11:59:00Z", )"));
    asked.queues(kGuaranteeOfB);
    const Answer answer = asked.explain("p");
    CHECK(answer.outcome == Outcome::pending);
    CHECK(answer.evidence["outcome"] == "not-scheduled-by-yunikorn");
    CHECK(answer.evidence["problems"][0] == R"(sanity: persistentvolumeclaim "data" is being deleted)");
  }
  SECTION("a claim of the same name in another namespace is another claim") {
    Asked asked(
        wants_data +
        R"({"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "data", "namespace": "x"}})");
    asked.queues(kGuaranteeOfB);
    CHECK(asked.explain("p").evidence["outcome"] == "not-scheduled-by-yunikorn");
  }
  SECTION("the input has no claims at all") {
    Asked asked(wants_data);
    asked.queues(kGuaranteeOfB);
    const Answer answer = asked.explain("p");
    CHECK(answer.outcome == Outcome::unknown);
    REQUIRE(answer.assuming.size() == 1);
    CHECK(answer.assuming[0].outcome == Outcome::fits);
  }
}

// Source: yunikorn-core 1.9.0 pkg/scheduler/objects/preemption.go tryPreemption, resources.go StrictlyGreaterThan: a
// requested amount of 0 is never exceeded, so what the victims free never counts as enough.
TEST_CASE("yunikorn queue preemption: a requested amount of 0 keeps it from its victims", "[yunikorn]") {
  const std::string zero =
      R"("initContainers": [{"name": "s", "resources": {"requests": {"example.com/gpu": "0"}}}], )";
  const auto asked_with = [&](const std::string& spec) {
    Asked asked(node("n") + pod({.name = "v", .cpu = "2"}) + pod({.name = "w", .cpu = "2", .minute = 1}) +
                pod({.name = "p", .on = "", .queue = "root.b", .spec = spec}));
    asked.queues(kGuaranteeOfB);
    return asked.explain("p");
  };
  // Either way, the node is reserved: for a pod that waits for its victims, the node that they leave.
  const auto reserves_the_node = [](const Answer& answer) {
    return answer.reserves && answer.reserves->node == NodeId{0} && answer.reserves->pod == answer.subject &&
           !answer.reserves->required;
  };
  const Answer preempts = asked_with("");
  CHECK(preempts.outcome == Outcome::preempts);
  CHECK(preempts.node == "n");
  CHECK(preempts.tied == std::vector{NodeId{0}});
  CHECK(reserves_the_node(preempts));
  CHECK_FALSE(preempts.in_vain);
  const Answer answer = asked_with(zero);
  CHECK(answer.outcome == Outcome::pending);
  CHECK(answer.node.empty());
  CHECK(answer.victims.empty());
  CHECK(answer.evidence["outcome"] == "reserved");
  CHECK(reserves_the_node(answer));
}

TEST_CASE("yunikorn required node: victims are evicted in vain if a filter refuses the node without them",
          "[yunikorn]") {
  const auto asked_on = [](const std::string& spec_of_node) {
    Asked asked(node("n", spec_of_node) + node("m") + pod({.name = "w", .cpu = "4"}) + daemon());
    asked.queues(kGuaranteeOfB);
    return asked.explain("d");
  };
  const Answer tainted = asked_on(R"("taints": [{"key": "k", "effect": "NoSchedule"}])");
  CHECK(tainted.outcome == Outcome::preempts);
  CHECK(tainted.in_vain);
  const Answer open = asked_on("");
  CHECK(open.outcome == Outcome::preempts);
  CHECK_FALSE(open.in_vain);
  REQUIRE(open.reserves);
  CHECK(open.reserves->required);
}

TEST_CASE("yunikorn required node: if only one order frees enough, both results are named", "[yunikorn]") {
  // On n, the foreign pod overcommits the memory by 2Gi. x frees 1Gi and 2.5 CPUs, y 4Gi and 1.5: neither sorts before
  // the other. x alone covers the requested CPU, but not the missing memory; y alone covers both.
  const auto memory = [](const std::string& amount) {
    return R"("resources": {"requests": {"memory": ")" + amount + R"("}}, )";
  };
  Asked asked(
      node("n") + node("m") + pod({.name = "x", .cpu = "2500m", .spec = memory("1Gi")}) +
      pod({.name = "y", .cpu = "1500m", .spec = memory("4Gi")}) + test::daemon() +
      R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "f", "namespace": "ns"}, "spec": {"nodeName": "n", "containers": [{"name": "c", "resources": {"requests": {"memory": "5Gi"}}}]}})");
  asked.queues(kGuaranteeOfB);
  const Answer answer = asked.explain("d");
  CHECK(answer.evidence["outcome"] == "varies");
  CHECK(answer.sentence ==
        "would preempt ns/y on its node n, or none, depending on the order in which it finds them; it tries again in "
        "another order until a pod is evicted");
}

}  // namespace previct
