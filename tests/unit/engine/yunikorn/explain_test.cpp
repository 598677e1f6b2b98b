#include "engine/engine.h"
#include "support/input.h"
#include "support/yunikorn.h"
#include "tell/gap_words.h"
#include "tell/tell.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

// Answers of the engine on small clusters. Users read the sentences, so whole sentences are compared.

namespace previct {

namespace {

using test::Asked;
using test::daemon;
using test::node;
using test::pod;
using test::YunikornPod;

constexpr const char* kQueues =
    "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: ["
    "{name: a}, {name: b, resources: {guaranteed: {vcore: 2}}}, {name: c, resources: {max: {vcore: 1}}}]}]}]";

auto has_gap(const Answer& answer, const std::string& what) -> bool {
  return std::any_of(answer.gaps.begin(), answer.gaps.end(),
                     [&](const Gap& gap) { return what_words(gap).find(what) != std::string::npos; });
}

}  // namespace

TEST_CASE("yunikorn required node: names the victims, and says that fewer would suffice", "[yunikorn]") {
  Asked asked(test::fixture("yunikorn/examples/logging-daemonset/dump.yaml"));
  asked.question.ns = "kube-system";
  asked.cluster = std::make_unique<Snapshot>(asked.objects);
  asked.question.name = "fluentd-7xk2p";
  asked.question.now = *parse_instant("2026-05-01T12:00:00Z");
  const auto answer = explain(yunikorn_engine, *asked.cluster, asked.question);
  REQUIRE(answer);
  // 2Gi of memory are requested and 30Gi are free. But the eight workers use 256Mi each, and victims are collected
  // until they cover the whole request: 8 x 256Mi.
  CHECK(answer->sentence == "would preempt 8 pods on its node gpu-1, although 1 of them would suffice");
  CHECK(answer->outcome == Outcome::preempts);
  CHECK(answer->victims.size() == 8);
  CHECK(answer->victim_lines[0].why.find("evicted although the other victims suffice") != std::string::npos);
  CHECK(answer->victim_lines[7].why.find("although the other victims suffice") == std::string::npos);
}

TEST_CASE("yunikorn, partial input: nodes of a cluster on which no pod runs leave open what fits", "[yunikorn]") {
  std::string registered = node("n");
  registered.replace(registered.find("\"name\""), 6, R"("uid": "u", "name")");
  registered.replace(registered.find("\"status\": {"), 11, R"("status": {"nodeInfo": {"kubeletVersion": "v1.34.2"}, )");
  const auto explained = [](const std::string& objects) {
    Asked asked(objects + pod({.name = "p", .on = ""}));
    asked.queues(kQueues);
    return asked.explain("p");
  };
  CHECK(explained(node("n")).outcome == Outcome::fits);  // a node written by hand
  const Answer answer = explained(registered);
  CHECK(answer.outcome == Outcome::unknown);
  CHECK(answer.sentence.starts_with("cannot tell, because the input has no running pods"));
  CHECK(explained(registered + pod({.name = "w"})).outcome == Outcome::fits);
}

TEST_CASE("yunikorn required node: every reason not to preempt is reported", "[yunikorn]") {
  const std::string other = node("m");
  SECTION("no headroom in the whole cluster") {
    Asked asked(node("n") + pod({.name = "w", .cpu = "4"}) + daemon());
    asked.queues(kQueues);
    CHECK(asked.explain("d").sentence ==
          "stays pending, and preemption on its node does not start: queue root (all nodes) has 0 of max 4 vcore left, "
          "and the pod requests 1");
  }
  SECTION("the node is unknown") {
    Asked asked(other + daemon());
    asked.queues(kQueues);
    CHECK(asked.explain("d").sentence == "stays pending: its node n is not in the input");
  }
  SECTION("the pod is larger than the node") {
    Asked asked(node("n") + other + daemon("5"));
    asked.queues(kQueues);
    CHECK(asked.explain("d").sentence == "stays pending: it requests vcore 5, but the whole node n has 4");
  }
  SECTION("enough free resources, but a filter refuses the node") {
    Asked asked(node("n", R"("taints": [{"key": "k", "effect": "NoSchedule"}])") + daemon());
    asked.queues(kQueues);
    CHECK(asked.explain("d").sentence ==
          "stays pending: n has enough free resources, but the pod cannot run there (untolerated taint k=:NoSchedule), "
          "so YuniKorn does not try preemption");
  }
  SECTION("all pods there have a higher priority") {
    Asked asked(node("n") + other + pod({.name = "w", .cpu = "4", .priority = 9}) + daemon());
    asked.queues(kQueues);
    const Answer answer = asked.explain("d");
    CHECK(
        answer.sentence ==
        "stays pending for n: none of the 1 pod there may be preempted; only 0 of the requested 1 vcore would be free");
    REQUIRE(answer.tolerating.size() == 1);
    CHECK(answer.tolerating[0].rule == "yunikorn.spared.higher-priority");
  }
  SECTION("preemption was triggered before, by assumption") {
    Asked asked(node("n") + other + pod({.name = "w", .cpu = "4"}) + daemon());
    asked.queues(kQueues);
    asked.assume("kind: Assumptions\nyunikorn: {askTriggered: true}\n");
    const Answer answer = asked.explain("d");
    CHECK(answer.outcome == Outcome::not_eligible);
    CHECK(has_gap(answer, "has triggered preemption before"));
  }
}

TEST_CASE("yunikorn required node: a pod that does not get it has no node in the answer", "[yunikorn]") {
  const auto nodes = [](const std::string& pods) {
    Asked asked(node("n") + node("m") + pods);
    asked.queues(kQueues);
    const Answer answer = asked.explain("d");
    return std::pair(answer.node, asked.cluster->names(answer.tied));
  };
  using Names = std::vector<std::string>;
  CHECK(nodes(daemon()) == std::pair(std::string("n"), Names{"n"}));
  CHECK(nodes(pod({.name = "w", .cpu = "4"}) + daemon()) == std::pair(std::string("n"), Names{"n"}));
  // It is larger than the node; then, the only pod there has a higher priority.
  CHECK(nodes(daemon("5")) == std::pair(std::string(), Names()));
  CHECK(nodes(pod({.name = "w", .cpu = "4", .priority = 9}) + daemon()) == std::pair(std::string(), Names()));
}

TEST_CASE("yunikorn queue preemption: waits for its delay, and says until when and what happens then", "[yunikorn]") {
  Asked asked(
      node("n") + pod({.name = "w1", .cpu = "2"}) + pod({.name = "w2", .cpu = "2", .minute = 1}) +
      R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "ns", "uid": "u-p", "creationTimestamp": "2026-05-01T11:59:40Z", "labels": {"applicationId": "p", "queue": "root.b"}}, "spec": {"schedulerName": "yunikorn", "containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}})");
  asked.queues(kQueues);
  const Answer answer = asked.explain("p");
  CHECK(answer.outcome == Outcome::not_eligible);
  CHECK(format_instant(answer.next_change) == "2026-05-01T12:00:10Z");  // created 11:59:40, 30 s by default
  CHECK(answer.sentence.find("when the preemption.delay of queue root.b ends, 12:00:10 (in 10s)") != std::string::npos);
  CHECK(answer.next_change_words ==
        "the preemption.delay of queue root.b ends; then it would preempt ns/w2 of queue root.a on n");
  // The delay belongs to the preemptor: no pod tolerates anything.
  CHECK(answer.tolerating.empty());
}

TEST_CASE("yunikorn queue preemption: without a guaranteed share, no pod of another queue is evicted", "[yunikorn]") {
  Asked asked(node("n") + pod({.name = "w", .cpu = "4", .queue = "root.b"}) + pod({.name = "p", .on = ""}));
  asked.queues(kQueues);
  CHECK(asked.explain("p").sentence ==
        "stays pending: queue root (all nodes) has 0 of max 4 vcore left, and the pod requests 1; no resources are "
        "guaranteed to queue root.a, so it cannot preempt");
}

// Queue a has half of the 2Gi left that it may use, and the node has enough of everything.
TEST_CASE("yunikorn queue preemption: lists name the maximum of the queue as the cause", "[yunikorn]") {
  Asked asked(node("n") + pod({.name = "w", .requests = R"(, "memory": "1Gi")"}) +
              pod({.name = "p", .requests = R"(, "memory": "2Gi")", .on = ""}));
  asked.queues(
      "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a, resources: "
      "{guaranteed: {vcore: 4}, max: {memory: 2Gi}}}]}]}]");
  const Answer answer = asked.explain("p");
  CHECK(answer.outcome == Outcome::pending);
  CHECK(
      answer.sentence ==
      "stays pending: queue root.a has 1Gi of max 2Gi memory left, and the pod requests 2Gi; no pod below queue root.a "
      "may be preempted");
  CHECK(answer.cause.words == "its queue has no headroom");
}

TEST_CASE("yunikorn queue preemption: the delay is no reason if the pod evicts no pod after it either", "[yunikorn]") {
  // Created at 11:59:40; the delay of 30 s ends at 12:00:10.
  Asked asked(
      node("n") + pod({.name = "w", .cpu = "4", .queue = "root.b"}) +
      R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p", "namespace": "ns", "uid": "u-p", "creationTimestamp": "2026-05-01T11:59:40Z", "labels": {"applicationId": "p", "queue": "root.a"}}, "spec": {"schedulerName": "yunikorn", "containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]}})");
  asked.queues(kQueues);
  const Answer answer = asked.explain("p");
  CHECK(answer.outcome == Outcome::pending);
  CHECK(answer.sentence ==
        "stays pending: queue root (all nodes) has 0 of max 4 vcore left, and the pod requests 1; no resources are "
        "guaranteed to queue root.a, so it cannot preempt");
  CHECK(answer.cause.words == "no resources are guaranteed to its queue");
}

TEST_CASE("yunikorn queue preemption: too little is left of the guaranteed share", "[yunikorn]") {
  // 2 CPUs are guaranteed to b, which uses none of them; the pod requests 3.
  Asked asked(node("n") + pod({.name = "w", .cpu = "4"}) + pod({.name = "p", .cpu = "3", .on = "", .queue = "root.b"}));
  asked.queues(kQueues);
  const Answer answer = asked.explain("p");
  CHECK(answer.sentence ==
        "stays pending: queue root (all nodes) has 0 of max 4 vcore left, and the pod requests 3; queue root.b has "
        "vcore 2 left of its guaranteed share, which is too little to preempt");
  CHECK(answer.cause.words == "too little is left of its queue's guaranteed resources");
}

TEST_CASE("yunikorn queue preemption: every release says that no pod may be preempted", "[yunikorn]") {
  // Source: core v1.5.2 pkg/scheduler/objects/preemption.go checkPreemptionQueueGuarantees: without potential victims,
  // its loop ends before it compares the share. Queue a uses the 4 CPUs that are guaranteed to it.
  for (const char* release : {"1.3", "1.5", "1.6", "1.7", "1.8", "1.9"}) {
    INFO(release);
    Asked asked(node("n") + pod({.name = "w", .cpu = "4"}) + pod({.name = "p", .on = "", .queue = "root.b"}));
    asked.question.yunikorn_version = release;
    asked.queues(
        "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: ["
        "{name: a, resources: {guaranteed: {vcore: 4}}}, {name: b, resources: {guaranteed: {vcore: 4}}}]}]}]");
    CHECK(asked.explain("p").sentence.ends_with("no pod below queue root may be preempted"));
  }
}

TEST_CASE("yunikorn queue preemption: names the pod that ends the search for additional victims", "[yunikorn]") {
  // Source: preemption.go calculateAdditionalVictims. Queue p may use 3 CPUs and does, and the node has 1 free. bl, the
  // youngest, is tried first: it uses 2, and 1 is guaranteed to a. So bs, which would be enough, is not tried.
  Asked asked(node("n") + pod({.name = "bs", .queue = "root.p.b"}) +
              pod({.name = "bl", .cpu = "2", .minute = 20, .queue = "root.p.b"}) +
              pod({.name = "p", .on = "", .queue = "root.p.a"}));
  asked.queues(
      "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: p, parent: true, resources: "
      "{max: {vcore: 3}}, queues: [{name: a, resources: {guaranteed: {vcore: 1}}}, {name: b}]}]}]}]");
  CHECK(asked.explain("p").sentence ==
        "stays pending: queue root.p has 0 of max 3 vcore left, and the pod requests 1; the search for victims ends at "
        "ns/bl (vcore 2), which uses more than queue root.p.a has left of its guaranteed share (vcore 1)");
}

TEST_CASE("yunikorn queue preemption: names the node that is reserved for another pod", "[yunikorn]") {
  // Source: preemption.go initWorkingState: no victims are searched on a node with reservations for other asks.
  Asked asked(node("n") + pod({.name = "w", .cpu = "4"}) + pod({.name = "x", .on = "", .queue = "root.b"}) +
              pod({.name = "p", .on = "", .queue = "root.b"}));
  asked.queues(kQueues);
  const Snapshot cluster(asked.objects);
  asked.question.reservations = {{cluster.find_node(cluster.symbol("n")), cluster.find_pod("ns", "x")}};
  CHECK(asked.explain("p").sentence ==
        "stays pending: queue root (all nodes) has 0 of max 4 vcore left, and the pod requests 1; preemption does not "
        "try node n, which is reserved for another pod");
}

TEST_CASE("yunikorn queue preemption: different amounts look different", "[yunikorn]") {
  // The node has 8Gi, which is 8192Mi.
  Asked asked(node("n") + pod({.name = "w", .requests = R"(, "memory": "4000Mi")"}) +
              pod({.name = "p", .requests = R"(, "memory": "4193Mi")", .on = ""}));
  asked.queues(kQueues);
  CHECK(asked.explain("p").sentence ==
        "stays pending: queue root (all nodes) has 4192Mi of max 8Gi memory left, and the pod requests 4193Mi; no "
        "resources are guaranteed to queue root.a, so it cannot preempt");
}

TEST_CASE("yunikorn gaps: queues are unknown if the ConfigMaps of a real cluster were not fetched", "[yunikorn]") {
  // A kubelet reports its boot and the images that it has pulled; such a real cluster is rarely without queues.
  const auto outcome = [](const std::string& node, const std::string& more) {
    return Asked(node + pod({.name = "w", .cpu = "3"}) + pod({.name = "p", .on = ""}) + more).explain("p").outcome;
  };
  const std::string machine =
      R"({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n"}, "status": {"allocatable": {"cpu": "4",)"
      R"( "memory": "16Gi", "pods": "110"}, "nodeInfo": {"bootID": "b"}, "images": [{"names": ["pause"]}]}})"
      "\n";
  const std::string other =
      R"({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "other", "namespace": "x"}})"
      "\n";
  const std::string system =
      R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "s", "namespace": "kube-system"}, "spec":)"
      R"( {"nodeName": "n", "containers": [{"name": "c"}]}, "status": {"phase": "Running"}})"
      "\n";
  CHECK(outcome(machine, system) == Outcome::unknown);
  const std::string scheduler =
      R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "y", "uid": "y", "namespace": "x"}, "spec": )"
      R"({"nodeName": "n", "containers": [{"name": "c", "image": "apache/yunikorn:scheduler-1.9.0"}]}, "status": )"
      R"({"phase": "Running"}})"
      "\n";
  // The input has a ConfigMap of the scheduler's namespace, so that it would also have its queues.
  CHECK(outcome(machine, system + scheduler + other) == Outcome::fits);
  // The built-in configuration ignores the queues that pods request.
  CHECK(outcome(machine, system + other) == Outcome::unknown);
  CHECK(outcome(node("n"), "") == Outcome::unknown);
  CHECK(Asked(node("n") + pod({.name = "p", .on = "", .queue = ""})).explain("p").outcome == Outcome::fits);
}

// Source: k8shim pkg/client/bootstrap.go LoadBootstrapConfigMaps: the ConfigMaps of the scheduler's own namespace.
TEST_CASE("yunikorn gaps: of several namespaces with ConfigMaps, that of the scheduler counts", "[yunikorn]") {
  const auto map = [](const std::string& ns, const std::string& of_b) {
    return R"({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "yunikorn-configs", "namespace": ")" + ns +
           R"("}, "data": {"queues.yaml": "partitions: [{name: default, queues: [{name: root, submitacl: '*', )" +
           "queues: [{name: a}, {name: b" + of_b + "}]}]}]\"}}\n";
  };
  const auto scheduler = [](const std::string& ns) {
    return R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "s", "uid": "s", "namespace": ")" + ns +
           R"("}, "spec": {"nodeName": "n", "containers": [{"name": "c", )"
           R"("image": "apache/yunikorn:scheduler-1.9.0"}]}, "status": {"phase": "Running"}})"
           "\n";
  };
  // The node is full. Queue b has 2 vcore guaranteed in the first namespace only, and can only preempt there.
  const std::string first = map("one", ", resources: {guaranteed: {vcore: 2}}");
  const std::string second = map("two", "");
  const std::string pods = node("n") + pod({.name = "v", .cpu = "2"}) + pod({.name = "w", .cpu = "2"}) +
                           pod({.name = "p", .on = "", .queue = "root.b"});
  const auto outcome = [&](const std::string& more) { return Asked(pods + more).explain("p").outcome; };
  CHECK(outcome(first) == Outcome::preempts);
  CHECK(outcome(second) == Outcome::pending);
  CHECK(outcome(first + second + scheduler("one")) == Outcome::preempts);
  CHECK(outcome(second + first + scheduler("two")) == Outcome::pending);
  CHECK(outcome(first + map("two", ", resources: {guaranteed: {vcore: 2}}")) == Outcome::preempts);
  for (const std::string& both : {first + second, second + first})
    CHECK(Asked(pods + both)
              .explain("p")
              .sentence.starts_with("cannot tell, because it is not known in which namespace YuniKorn runs, and the "
                                    "ConfigMaps of namespaces one "
                                    "and two differ"));
  CHECK(Asked(pods + first + scheduler("x"))
            .explain("p")
            .sentence.starts_with("cannot tell, because YuniKorn runs in namespace x, and the input has its ConfigMaps "
                                  "only of namespace one"));
}

TEST_CASE("yunikorn next change: a pod whose end is known leaves its node", "[yunikorn]") {
  // Queue a has nothing guaranteed, so that p can only wait for w, which uses the whole node until 12:00:20.
  const auto ask = [](const std::string& meta, const std::string& spec, const std::string& node_spec = "") {
    YunikornPod w{.name = "w", .cpu = "4"};
    w.meta = meta;
    w.spec = spec;
    Asked asked(node("n", node_spec) + pod(w) +
                pod({.name = "p", .on = "", .spec = R"("tolerations": [{"operator": "Exists"}], )"}));
    asked.queues(kQueues);
    return asked.explain("p");
  };
  const Answer leaving = ask(R"("deletionTimestamp": "2026-05-01T12:00:20Z", )", "");
  CHECK(leaving.outcome == Outcome::pending);
  CHECK(format_instant(leaving.next_change) == "2026-05-01T12:00:20Z");
  CHECK(leaving.next_change_words == "the grace period of ns/w on n ends; then it fits on n; no preemption needed");
  // The grace period is over: what keeps the pod is not known.
  const Answer stuck = ask(R"("deletionTimestamp": "2026-05-01T11:30:00Z", "finalizers": ["x/y"], )", "");
  CHECK(stuck.next_change.is_never());
  CHECK(has_gap(stuck,
                "1 pod stays, although its grace period is over (the first: ns/w on n, since "
                "2026-05-01T11:30:00Z; finalizer x/y)"));
  // The taint was added at 11:58, and the pod tolerates it for 300 seconds: until 12:03.
  const std::string taint = R"("taints": [{"key": "k", "effect": "NoExecute", "timeAdded": "2026-05-01T11:58:00Z"}])";
  const Answer tainted =
      ask("", R"("tolerations": [{"key": "k", "operator": "Exists", "tolerationSeconds": 300}], )", taint);
  CHECK(format_instant(tainted.next_change) == "2026-05-01T12:03:00Z");
  CHECK(tainted.next_change_words == "a NoExecute taint deletes ns/w on n; what follows is not simulated");
  // It does not tolerate the taint: it is deleted at once.
  const Answer deleted = ask("", "", taint);
  CHECK(has_gap(deleted, "1 pod that NoExecute taints delete at once (the first: ns/w)"));
}

TEST_CASE("yunikorn gaps: what is not modeled makes the answer unknown if it takes part in the decision",
          "[yunikorn]") {
  const auto outcome_with = [](const std::string& spec, const std::string& queue, const std::string& what) {
    Asked asked(node("n") + pod({.name = "w", .cpu = "4"}) + pod({.name = "p", .on = "", .spec = spec}));
    asked.queues(
        "partitions: [{name: default, preemption: {quotapreemptionenabled: true}, queues: [{name: root, "
        "submitacl: '*', queues: [{name: a, " +
        queue + "}]}]}]");
    const Answer answer = asked.explain("p");
    CHECK(has_gap(answer, what));
    return answer.outcome;
  };
  CHECK(outcome_with("", "properties: {quota.preemption.delay: 1m}", "") == Outcome::pending);
  // 4 cpus are in use in a queue that may use 3, so quota preemption will follow; until then, the pod stays pending.
  CHECK(outcome_with("", "resources: {max: {vcore: 3}}, properties: {quota.preemption.delay: 1m}",
                     "quota preemption") == Outcome::pending);
  CHECK(outcome_with(R"("resourceClaims": [{"name": "gpu"}], )", "parent: false", "DynamicResources") ==
        Outcome::unknown);
}

TEST_CASE("yunikorn design mode: the answer always says that no release had it", "[yunikorn]") {
  Asked asked(node("n") + node("m") + pod({.name = "w", .cpu = "4"}) + daemon("4"));
  asked.question.yunikorn_mode = "design-1.5.1";
  const Answer answer = asked.explain("d");
  CHECK(answer.sentence ==
        "would preempt ns/w on its node n by strategy single (1.5.1 design document, not in any release)");
  CHECK(answer.behaves.find("not in any release") != std::string::npos);
  CHECK(asked.explain("w").outcome == Outcome::scheduled);
}

TEST_CASE("yunikorn assumptions: an invalid file is refused with its place", "[yunikorn]") {
  Asked asked(node("n") + daemon());
  const auto refused = [&](const std::string& text) {
    asked.assume(text);
    const Failure failure = asked.failure("d");
    return fmt::format("{}:{} {}", failure.place.line, failure.place.column, failure.message);
  };
  CHECK(refused("kind: Assumptions\nyunikorn:\n  premmpted: []\n") == R"(3:3 yunikorn: unknown key "premmpted")");
  CHECK(refused("kind: Other\n") == "1:7 kind: expected Assumptions, found \"Other\"");
  CHECK(refused("yunikorn: {}\n") == "1:1 kind: Assumptions is missing");
  CHECK(refused("kind: Assumptions\nkai: {}\nyunikor: {}\n") == "3:1 unknown key \"yunikor\"");
  CHECK(refused("kind: Assumptions\nyunikorn: {preempted: [a]}\n") ==
        R"(2:24 yunikorn.preempted[0]: expected NAMESPACE/NAME, found "a")");
  CHECK(refused("kind: Assumptions\nyunikorn: {preempted: a/b}\n") ==
        R"(2:23 yunikorn.preempted: expected a list of NAMESPACE/NAME, found "a/b")");
  CHECK(refused("kind: Assumptions\nyunikorn: {askTriggered: yes}\n") ==
        R"(2:26 yunikorn.askTriggered: expected true or false, found "yes")");
  const std::string design = "kind: Assumptions\nyunikorn: {design: {";
  CHECK(refused(design + "max_victims: -1}}\n") ==
        R"(2:34 yunikorn.design.max_victims: expected an integer, 0 or more, found "-1")");
  CHECK(refused(design + "max_victims: 3000000000}}\n").starts_with("2:34 yunikorn.design.max_victims: expected"));
  for (const char* strategies : {"double", "'single,'", "', single'", "' '", "single multiple"}) {
    INFO(strategies);
    CHECK(
        refused(design + "preemption_victim_pods_selection_strategy: " + strategies + "}}\n")
            .starts_with("2:64 yunikorn.design.preemption_victim_pods_selection_strategy: expected single and multiple "
                         "in their order, separated by commas, found \""));
  }
  for (const char* number : {"x", "-1", "1.2.3", "1e3", ".5", "1234567890", "1.1234567890"}) {
    INFO(number);
    CHECK(refused(design + "deviation_percent: " + number + "}}\n")
              .starts_with("2:40 yunikorn.design.deviation_percent: expected a number, 0 or more, with at most nine "
                           "decimals, found \""));
  }
  CHECK(refused("kind: [\n") == "1:7 not valid YAML: end of sequence flow not found");
}

TEST_CASE("yunikorn protections: against any pod, a priority and a queue", "[yunikorn]") {
  Asked asked(node("n") + pod({.name = "plain"}) +
              pod({.name = "high", .priority = 50, .minute = 1, .queue = "root.b"}) +
              pod({.name = "shy",
                   .minute = 2,
                   .meta = R"("annotations": {"yunikorn.apache.org/allow-preemption": "false"}, )"}));
  asked.queues(kQueues);
  asked.cluster = std::make_unique<Snapshot>(asked.objects);
  const auto rules = [&](const std::string& against) {
    asked.question.against = against;
    const auto found = protections(yunikorn_engine, *asked.cluster, asked.question);
    REQUIRE(found);
    std::vector<std::string> rows;
    for (const Protection& row : found->rows) {
      rows.push_back(std::string(asked.cluster->text(asked.cluster->pod(row.line.pod).meta.name)) + " " +
                     std::string(row.line.rule));
    }
    return rows;
  };
  // Each is the first pod of its application.
  CHECK(rules("").size() == 3);
  CHECK(rules("10")[0] == "high yunikorn.spared.higher-priority");
  // Queue b is within its guaranteed share of 2; c is the preemptor, and a is not protected from it.
  CHECK(rules("root.c") == std::vector<std::string>{"high yunikorn.spared.within-guarantee"});
  asked.question.against = "nobody";
  CHECK_FALSE(protections(yunikorn_engine, *asked.cluster, asked.question));
}

TEST_CASE("yunikorn protections: a queue that is not preempted protects its pods while others suffice, too",
          "[yunikorn]") {
  // w is the first pod of its application, so a DaemonSet's pod evicts it last; pods of other queues never evict it.
  Asked asked(node("n") + pod({.name = "w"}));
  asked.queues(
      "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: ["
      "{name: a, properties: {preemption.policy: disabled}}]}]}]");
  asked.cluster = std::make_unique<Snapshot>(asked.objects);
  const auto found = protections(yunikorn_engine, *asked.cluster, asked.question);
  REQUIRE(found);
  REQUIRE(found->rows.size() == 1);
  CHECK(found->rows[0].line.rule == "yunikorn.spared.queue-disabled");
  CHECK(found->rows[0].own[1].value == "other queues, and DaemonSets as long as others suffice");
}

TEST_CASE("yunikorn protections: without the queues of the ConfigMap, they are not known", "[yunikorn]") {
  // The pod requests a queue, which the built-in configuration ignores: the cluster has another one.
  Asked asked(node("n") + pod({.name = "w", .queue = "root.b"}));
  asked.cluster = std::make_unique<Snapshot>(asked.objects);
  const auto found = protections(yunikorn_engine, *asked.cluster, asked.question);
  REQUIRE(found);
  CHECK(found->rows.empty());
  REQUIRE(found->unknown);
  CHECK(found->unknown->lacks("ConfigMap"));
}

namespace {

auto possible_preemptors_of(Asked& asked, const std::string& pod) -> Result<PossiblePreemptors> {
  asked.queues(kQueues);
  asked.cluster = std::make_unique<Snapshot>(asked.objects);
  asked.question.ns = "ns";
  asked.question.name = pod;
  asked.question.now = *parse_instant("2026-05-01T12:00:00Z");
  return possible_preemptors(yunikorn_engine, *asked.cluster, asked.question);
}

}  // namespace

TEST_CASE("yunikorn possible preemptors: pending pods, and DaemonSet pods of equal or higher priority", "[yunikorn]") {
  Asked asked(node("n") + pod({.name = "w", .priority = 5}) +
              pod({.name = "p", .on = "", .priority = 9, .minute = 30, .queue = "root.b"}));
  const auto found = possible_preemptors_of(asked, "w");
  REQUIRE(found);
  REQUIRE(found->rows.size() == 2);
  CHECK(found->rows[0].rank == ">= 5");
  CHECK(found->rows[1].who == "ns/p");
  CHECK(found->rows[1].from == Instant{});
}

// Pods request queues, which the built-in configuration, one queue per namespace, does not have.
TEST_CASE("yunikorn protections, possible preemptors: unknown if the queues are unknown", "[yunikorn]") {
  Asked asked(node("n") + pod({.name = "w"}) + pod({.name = "p", .on = "", .queue = "root.b"}));
  asked.cluster = std::make_unique<Snapshot>(asked.objects);
  const auto protected_pods = protections(yunikorn_engine, *asked.cluster, asked.question);
  REQUIRE(protected_pods);
  CHECK(protected_pods->rows.empty());
  REQUIRE(protected_pods->unknown);
  CHECK(because_words(*protected_pods->unknown) == "ConfigMap is not in the input");
  asked.question.ns = "ns";
  asked.question.name = "w";
  const auto preemptors_of_w = possible_preemptors(yunikorn_engine, *asked.cluster, asked.question);
  REQUIRE(preemptors_of_w);
  CHECK(preemptors_of_w->rows.empty());
  CHECK(preemptors_of_w->unknown);
}

TEST_CASE("yunikorn possible preemptors: not a pod whose queue has too small a share", "[yunikorn]") {
  // 2 CPUs are guaranteed to b, and nothing to c.
  Asked asked(node("n") + pod({.name = "w", .cpu = "4"}) + pod({.name = "p", .cpu = "3", .on = "", .queue = "root.b"}) +
              pod({.name = "q", .on = "", .queue = "root.c"}));
  const auto found = possible_preemptors_of(asked, "w");
  REQUIRE(found);
  REQUIRE(found->rows.size() == 3);
  CHECK(found->rows[1].from.is_never());
  CHECK(found->rows[1].rule == "yunikorn.queue.guarantees");
  CHECK(found->rows[2].from.is_never());
  CHECK(found->rows[2].rule == "yunikorn.queue.no-guarantee");
}

TEST_CASE("yunikorn possible preemptors: the design document does not say", "[yunikorn]") {
  Asked asked(node("n") + pod({.name = "w"}) + daemon());
  asked.question.yunikorn_mode = "design-1.5.1";
  const std::string refused =
      "the 1.5.1 design document does not say which pods tolerate preemption; use --yunikorn-mode release";
  const auto found = possible_preemptors_of(asked, "w");
  REQUIRE_FALSE(found);
  CHECK(found.error().message == refused);
  const auto protections = previct::protections(yunikorn_engine, *asked.cluster, asked.question);
  REQUIRE_FALSE(protections);
  CHECK(protections.error().message == refused);
}

TEST_CASE("yunikorn possible preemptors: a DaemonSet pod spares the last victim if others suffice", "[yunikorn]") {
  // The DaemonSet's pod requests 1 CPU of a full node. x is the first pod of its application, y the second: y is
  // evicted.
  const std::string first = pod({.name = "x", .cpu = "2"});
  std::string second = pod({.name = "y", .cpu = "2", .minute = 1});
  const std::string own = R"("applicationId": "y")";
  second.replace(second.find(own), own.size(), R"("applicationId": "x")");
  Asked asked(node("n") + first + second + daemon());
  const auto found = possible_preemptors_of(asked, "x");
  REQUIRE(found);
  REQUIRE(found->rows.size() == 2);
  CHECK(found->rows[0].from == Instant{});
  CHECK(found->rows[0].why == "can be preempted, but only if regular pods do not suffice");
  CHECK(found->rows[1].who == "ns/d");
  CHECK(found->rows[1].from.is_never());
  CHECK(found->rows[1].rule == "yunikorn.spared.originator");

  // Only a DaemonSet's pod that is bound to its node is protected against every pod.
  const auto protections = previct::protections(yunikorn_engine, *asked.cluster, asked.question);
  REQUIRE(protections);
  for (const Protection& row : protections->rows) CHECK(row.partial);
}

TEST_CASE("yunikorn takes: pods whose schedulerName is exactly yunikorn", "[yunikorn]") {
  Asked asked(
      node("n") + pod({.name = "w"}) +
      R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "other", "namespace": "ns"}, "spec": {"schedulerName": "default-scheduler"}})");
  const Snapshot cluster(asked.objects);
  CHECK(yunikorn_engine.owns_pod(cluster, cluster.find_pod("ns", "w")));
  CHECK_FALSE(yunikorn_engine.owns_pod(cluster, cluster.find_pod("ns", "other")));
}

}  // namespace previct
