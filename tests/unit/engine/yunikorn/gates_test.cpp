#include "support/yunikorn.h"

// Checks that come before free resources: applications, limits of users and groups, gangs. Source: apache/yunikorn-core
// 1.9 pkg/scheduler/objects/queue.go TryAllocate, pkg/scheduler/ugm, objects/application.go.

namespace previct {
namespace {

using test::Asked;
using test::node;
using test::pod;

auto queues(const std::string& of_a) -> std::string {
  return "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a, " + of_a +
         "}, {name: b}]}]}]";
}

auto of_user(const std::string& user, const std::string& groups = "") -> std::string {
  return R"("annotations": {"yunikorn.apache.org/user.info": "{\"user\":\")" + user + R"(\",\"groups\":[)" + groups +
         R"(]}"}, )";
}

/// A placeholder pod of task group `group`, created 10 minutes before noon: within its timeout of 15 minutes.
auto placeholder_pod(const std::string& name, const std::string& app, const std::string& cpu, const std::string& on,
                     const std::string& group = "g") -> std::string {
  return pod(
      {.name = name,
       .cpu = cpu,
       .on = on,
       .minute = 50,
       .app = app,
       .meta = R"("annotations": {"yunikorn.apache.org/placeholder": "1", "yunikorn.apache.org/task-group-name": ")" +
               group + R"("}, )"});
}

const std::string kOfGang = R"("annotations": {"yunikorn.apache.org/task-group-name": "g"}, )";

}  // namespace

TEST_CASE("yunikorn maxapplications: a queue at its maximum starts no other application", "[yunikorn]") {
  Asked asked(node("n") + pod({.name = "w"}) + pod({.name = "p", .on = "", .minute = 1}) +
              pod({.name = "q", .on = "", .minute = 1, .app = "w"}));
  asked.queues(queues("maxapplications: 1"));
  CHECK(asked.explain("p").sentence ==
        "stays pending: queue root.a runs 1 application, and at most 1 may run there (maxapplications), so its "
        "application does not start");
  CHECK(asked.explain("q").outcome == Outcome::fits);  // its application runs already
  asked.queues(queues("maxapplications: 2"));
  CHECK(asked.explain("p").outcome == Outcome::fits);
}

TEST_CASE("yunikorn maxapplications: root has none, whatever its configuration says", "[yunikorn]") {
  Asked asked(node("n") + pod({.name = "w"}) + pod({.name = "p", .on = "", .minute = 1, .queue = "root.b"}));
  asked.queues(
      "partitions: [{name: default, queues: [{name: root, submitacl: '*', maxapplications: 1, queues: ["
      "{name: a, maxapplications: 1}, {name: b, maxapplications: 1}]}]}]");
  CHECK(asked.explain("p").outcome == Outcome::fits);
}

// Source: apache/yunikorn-core 1.9 pkg/scheduler/context.go handleRMUpdateApplicationEvent.
TEST_CASE("yunikorn partition: without a partition default, every application is rejected", "[yunikorn]") {
  Asked asked(node("n") + pod({.name = "p", .on = ""}));
  asked.queues("partitions: [{name: gpu, queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]");
  const Answer answer = asked.explain("p");
  CHECK(answer.outcome != Outcome::fits);
  CHECK(answer.sentence.find("is rejected: partition default doesn't exist") != std::string::npos);
}

TEST_CASE("yunikorn placement rule: an unsupported tag makes the answer unknown", "[yunikorn]") {
  Asked asked(node("n") + pod({.name = "p", .on = ""}));
  const auto by_tag = [](const std::string& tag) {
    return "partitions: [{name: default, placementrules: [{name: tag, value: " + tag +
           ", create: true}, {name: provided, create: true}], queues: [{name: root, submitacl: '*'}]}]";
  };
  asked.queues(by_tag("imagePullSecrets"));
  CHECK(asked.explain("p").outcome == Outcome::unknown);
  // A tag that no pod has names no queue, and the next rule is tried.
  asked.queues(by_tag("no.such.tag"));
  CHECK(asked.explain("p").outcome == Outcome::fits);
}

TEST_CASE("yunikorn applications: pending, gated and unplaced pods do not make one run", "[yunikorn]") {
  const std::string gate = R"("schedulingGates": [{"name": "g"}], )";
  Asked asked(node("n") + pod({.name = "waits", .on = ""}) + pod({.name = "gated", .spec = gate}) +
              pod({.name = "orphan", .on = "nowhere"}) + pod({.name = "p", .on = "", .minute = 1}));
  asked.queues(queues("maxapplications: 1"));
  CHECK(asked.explain("p").outcome == Outcome::fits);
}

TEST_CASE("yunikorn limits: the limit that names the user counts, else the one for all users", "[yunikorn]") {
  const std::string limits = "limits: [{users: [ann], maxresources: {vcore: 2}}, {users: ['*'], maxapplications: 1}]";
  Asked asked(node("n") + pod({.name = "w", .cpu = "2", .meta = of_user("ann")}) +
              pod({.name = "ann", .on = "", .minute = 1, .meta = of_user("ann")}) +
              pod({.name = "bob", .on = "", .minute = 1, .meta = of_user("bob")}));
  asked.queues(queues(limits));
  // ann uses 2 of 2; the applications of ann are not counted, because the limit of ann does not mention them.
  const Answer ann = asked.explain("ann");
  CHECK(ann.sentence ==
        "stays pending: it requests vcore 1, and user ann has 0 left of the 2 that it may use in queue root.a "
        "(limits); so YuniKorn does not try preemption");
  CHECK(ann.evidence["outcome"] == "pending");
  CHECK(asked.explain("bob").outcome == Outcome::fits);
}

// Source: apache/yunikorn-core 1.9 pkg/scheduler/ugm queue_tracker.go canRunApp, headroom.
TEST_CASE("yunikorn limits: a limit of resources holds for each type that it names", "[yunikorn]") {
  // ann uses 2 cores and 2Gi of memory, and wants 1 core and 1Gi.
  const std::string gigabyte = R"(, "memory": "1Gi")";
  Asked asked(node("n") + pod({.name = "w", .cpu = "2", .requests = R"(, "memory": "2Gi")", .meta = of_user("ann")}) +
              pod({.name = "p", .requests = gigabyte, .on = "", .minute = 1, .meta = of_user("ann")}));
  struct Row {
    const char* max;
    bool fits;
  };
  for (const Row& row : {Row{"{vcore: 3, memory: 3Gi}", true}, Row{"{vcore: 2999m, memory: 3Gi}", false},
                         Row{"{vcore: 3, memory: 3071Mi}", false}, Row{"{memory: 3Gi}", true}, Row{"{vcore: 1}", false},
                         Row{"{pods: 2}", true}, Row{"{pods: 1}", false}, Row{"{nvidia.com/gpu: 1}", true}}) {
    for (const char* who : {"users: [ann]", "users: ['*']"}) {
      INFO(row.max << ' ' << who);
      asked.queues(queues(std::string("limits: [{") + who + ", maxresources: " + row.max + "}]"));
      CHECK((asked.explain("p").outcome == Outcome::fits) == row.fits);
    }
  }
}

TEST_CASE("yunikorn limits: one group counts for an application, the first configured from the leaf up", "[yunikorn]") {
  Asked asked(node("n") + pod({.name = "w", .meta = of_user("ann", R"(\"ops\",\"dev\")")}) +
              pod({.name = "p", .on = "", .minute = 1, .meta = of_user("bob", R"(\"dev\",\"ops\")")}) +
              pod({.name = "q", .on = "", .minute = 1, .meta = of_user("eve", R"(\"ops\")")}));
  asked.queues(queues("limits: [{groups: [dev], maxapplications: 1}, {groups: [ops], maxapplications: 1}]"));
  CHECK(asked.explain("p").sentence ==
        "stays pending: group dev has 1 application running in queue root.a, and at most 1 may run there (limits), so "
        "its application does not start");
  CHECK(asked.explain("q").outcome == Outcome::fits);  // w counts for dev, not for ops
}

TEST_CASE("yunikorn gang: a pod replaces a placeholder of its gang, and nothing else while there is one",
          "[yunikorn]") {
  const std::string p = pod({.name = "p", .on = "", .minute = 51, .app = "gang", .meta = kOfGang});
  SECTION("node and queue are full, and the placeholder is as large") {
    Asked asked(node("n") + placeholder_pod("h", "gang", "1", "n") + pod({.name = "w", .cpu = "3"}) + p);
    asked.queues(queues("resources: {max: {vcore: 4}}"));
    const Answer answer = asked.explain("p");
    CHECK(answer.sentence == "fits on n: it replaces ns/h; no preemption needed");
    CHECK(answer.evidence["outcome"] == "allocated");
  }
  SECTION("of several placeholders, any may be replaced") {
    Asked asked(node("n") + node("m") + placeholder_pod("h", "gang", "1", "n") +
                placeholder_pod("i", "gang", "1", "m") + p);
    asked.queues(queues("parent: false"));
    CHECK(asked.explain("p").sentence ==
          "fits on n or m: it replaces one of the 2 placeholders of its gang, whichever comes first; no "
          "preemption needed");
  }
  SECTION("a filter refuses the placeholder's node: the first node that fits") {
    // Source: tryPlaceholderAllocate. If no placeholder's node fits the pod, all nodes are tried.
    Asked asked(node("n", R"("taints": [{"key": "k", "effect": "NoSchedule"}])") + node("m") +
                placeholder_pod("h", "gang", "1", "n") + p);
    asked.queues(queues("parent: false"));
    CHECK(asked.explain("p").sentence ==
          "fits on m: it replaces ns/h, whose own node does not suit it; no preemption needed");
  }
  SECTION("the placeholder is too small: the pod waits, although it fits") {
    Asked asked(node("n") + placeholder_pod("h", "gang", "500m", "n") + p);
    asked.queues(queues("parent: false"));
    CHECK(asked.explain("p").evidence["outcome"] == "pending");
  }
  SECTION("the placeholder is of another group: the pod is like any other") {
    Asked asked(node("n") + placeholder_pod("h", "gang", "500m", "n", "other") + p);
    asked.queues(queues("parent: false"));
    CHECK(asked.explain("p").sentence == "fits on n; no preemption needed");
  }
  SECTION("a placeholder without a group is none, and the core does not know it") {
    Asked asked(node("n") + placeholder_pod("h", "gang", "4", "n", "") + p);
    asked.queues(queues("parent: false"));
    // The core sees an empty node, kube-scheduler's filters a full one.
    const Answer answer = asked.explain("p");
    CHECK(answer.evidence["outcome"] == "reserved");
    CHECK(answer.evidence["headroom"]["vcore"] == 4000);
  }
}

// The timeout counts from the first allocation of a placeholder, and after a restart from the creation of the pod that
// created the application, so it ends no sooner than this pod is as old. Source: apache/yunikorn-core 1.9
// pkg/scheduler/objects/application.go initPlaceholderTimer, timeoutPlaceholderProcessing, defaultPlaceholderTimeout
// (15 minutes); pkg/common/utils.go ConvertSITimeout, adjustTimeout; apache/yunikorn-k8shim 1.9 pkg/cache/utils.go
// GetSchedulingPolicyParam.
TEST_CASE("yunikorn gang: unknown whether a pod replaces a placeholder whose timeout may have ended", "[yunikorn]") {
  const auto answer = [](int minute, const std::string& parameters, const std::string& cpu = "1") {
    const std::string annotations =
        R"("annotations": {"yunikorn.apache.org/task-group-name": "g", "yunikorn.apache.org/schedulingPolicyParameters": ")" +
        parameters + R"("}, )";
    Asked asked(node("n") + placeholder_pod("h", "gang", cpu, "n") +
                pod({.name = "p", .on = "", .minute = minute, .app = "gang", .meta = annotations}));
    asked.queues(queues("parent: false"));
    return asked.explain("p");
  };
  const auto outcome = [&](int minute, const std::string& parameters) { return answer(minute, parameters).outcome; };
  CHECK(outcome(46, "") == Outcome::fits);
  CHECK(outcome(45, "") == Outcome::unknown);
  CHECK(
      answer(45, "").sentence.starts_with("cannot tell, because the placeholders of application gang may have existed "
                                          "longer than their timeout (15m), and YuniKorn releases them then"));
  // The placeholder is too small; without it, the pod is like any other.
  CHECK(answer(45, "", "500m").outcome == Outcome::unknown);
  CHECK(outcome(1, "placeholderTimeoutInSeconds=3600") == Outcome::fits);
  CHECK(outcome(0, "placeholderTimeoutInSeconds=3600") == Outcome::unknown);
  CHECK(outcome(1, "gangSchedulingStyle=Hard placeholderTimeoutInSeconds=3600") == Outcome::fits);
  CHECK(outcome(49, "placeholderTimeoutInSeconds=600") == Outcome::unknown);
  // Not a number, negative, malformed: the default.
  for (const std::string wrong : {"placeholderTimeoutInSeconds=x", "placeholderTimeoutInSeconds=-5",
                                  "placeholderTimeoutInSeconds=3600=1", "placeholderTimeoutInSeconds"}) {
    CHECK(outcome(46, wrong) == Outcome::fits);
    CHECK(outcome(45, wrong) == Outcome::unknown);
  }
}

TEST_CASE("yunikorn gang: the timeout of placeholders starts when the first of them is allocated", "[yunikorn]") {
  const std::string first = pod(
      {.name = "first",
       .on = "",
       .app = "gang",
       .meta =
           R"("annotations": {"yunikorn.apache.org/task-groups": "[{\"name\":\"g\",\"minMember\":2,\"minResource\":{\"cpu\":\"1\"}}]"}, )"});
  const auto outcome = [&](const std::string& on) {
    Asked asked(node("n") + first + placeholder_pod("h", "gang", "1", on) + placeholder_pod("i", "gang", "1", ""));
    asked.queues(queues("parent: false"));
    return asked.explain("i").outcome;
  };
  CHECK(outcome("") == Outcome::fits);
  CHECK(outcome("n") == Outcome::unknown);
}

// Source: apache/yunikorn-k8shim 1.9 pkg/cache/application.go Schedule: bound placeholders are New tasks after a
// restart, and placeholders of an application that skips the reservation are not submitted.
TEST_CASE("yunikorn placeholder: without declared task groups, it counts as long as the scheduler runs", "[yunikorn]") {
  const auto kept = [](const Answer& answer) {
    return std::any_of(answer.gaps.begin(), answer.gaps.end(),
                       [](const Gap& gap) { return gap.rule == GapRule::yunikorn_places_kept; });
  };
  const std::string p = pod({.name = "p", .on = "", .minute = 1});
  SECTION("without the placeholder there is headroom for the pod") {
    Asked asked(node("n") + placeholder_pod("h", "gang", "2", "n") + p);
    asked.queues(queues("resources: {max: {vcore: 2}}"));
    const Answer answer = asked.explain("p");
    CHECK(answer.evidence["outcome"] == "pending");
    CHECK(kept(answer));
  }
  SECTION("the pod fits with the placeholder, too") {
    Asked asked(node("n") + placeholder_pod("h", "gang", "2", "n") + p);
    asked.queues(queues("parent: false"));
    CHECK_FALSE(kept(asked.explain("p")));
  }
  SECTION("with declared task groups, the placeholder is reserved again") {
    const std::string groups =
        R"("annotations": {"yunikorn.apache.org/task-groups": "[{\"name\":\"g\",\"minMember\":1,\"minResource\":{\"cpu\":\"2\"}}]"}, )";
    Asked asked(node("n") + pod({.name = "first", .on = "", .app = "gang", .meta = groups}) +
                placeholder_pod("h", "gang", "2", "n") + p);
    asked.queues(queues("resources: {max: {vcore: 2}}"));
    const Answer answer = asked.explain("p");
    CHECK(answer.evidence["outcome"] == "pending");
    CHECK_FALSE(kept(answer));
  }
}

// The real scheduler, started on such a cluster, creates the missing placeholders and does not submit the bound pod.
// Source: apache/yunikorn-k8shim 1.9 pkg/cache/application.go onReserving, Schedule.
TEST_CASE("yunikorn gang: a bound pod counts as long as the scheduler runs, if placeholders are missing",
          "[yunikorn]") {
  const auto kept = [](const Answer& answer) {
    return std::any_of(answer.gaps.begin(), answer.gaps.end(),
                       [](const Gap& gap) { return gap.rule == GapRule::yunikorn_gang_kept; });
  };
  const std::string first = pod(
      {.name = "first",
       .cpu = "2",
       .app = "gang",
       .meta =
           R"("annotations": {"yunikorn.apache.org/task-groups": "[{\"name\":\"g\",\"minMember\":1,\"minResource\":{\"cpu\":\"1\"}}]"}, )"});
  const std::string p = pod({.name = "p", .on = "", .minute = 1});
  SECTION("without the bound pod there is headroom for the pod") {
    Asked asked(node("n") + first + p);
    asked.queues(queues("resources: {max: {vcore: 2}}"));
    const Answer answer = asked.explain("p");
    CHECK(answer.evidence["outcome"] == "pending");
    CHECK(kept(answer));
  }
  SECTION("the pod fits with the bound pod, too") {
    Asked asked(node("n") + first + p);
    asked.queues(queues("parent: false"));
    CHECK_FALSE(kept(asked.explain("p")));
  }
  SECTION("the pod belongs to the gang: it waits for the placeholders") {
    Asked asked(node("n") + first + pod({.name = "p", .on = "", .minute = 1, .app = "gang", .meta = kOfGang}));
    asked.queues(queues("parent: false"));
    const Answer answer = asked.explain("p");
    CHECK(answer.outcome == Outcome::fits);
    CHECK(kept(answer));
  }
  SECTION("no placeholder is missing: the bound pod counts as soon as that is seen") {
    Asked asked(node("n") + first + placeholder_pod("h", "gang", "1", "n") + p);
    asked.queues(queues("resources: {max: {vcore: 3}}"));
    const Answer answer = asked.explain("p");
    CHECK(answer.evidence["outcome"] == "pending");
    CHECK_FALSE(kept(answer));
  }
}

// This is the answer of the real core: the shim passes on the name of the group all the same.
TEST_CASE("yunikorn gang: placeholders are replaced even if gang scheduling is disabled", "[yunikorn]") {
  const std::string off =
      R"({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "yunikorn-configs"}, "data": )"
      R"({"service.disableGangScheduling": "true"}})"
      "\n";
  Asked asked(off + node("n") + placeholder_pod("h", "gang", "1", "n") + pod({.name = "w", .cpu = "3"}) +
              pod({.name = "p", .on = "", .minute = 1, .app = "gang", .meta = kOfGang}));
  asked.queues(queues("parent: false"));
  const Answer answer = asked.explain("p");
  CHECK(answer.evidence["outcome"] == "allocated");
  CHECK(answer.evidence["queues"]["root"]["allocated"]["vcore"] == 4000);  // the core knows the placeholder
}

// This is the answer of the real core: "Placement manager created without rules: not active".
TEST_CASE("yunikorn placement rule: one invalid rule disables all, and every application is rejected", "[yunikorn]") {
  Asked asked(node("n") + pod({.name = "w"}) + pod({.name = "p", .on = "", .minute = 1}));
  const auto said = [&](const std::string& rules) {
    asked.queues("partitions: [{name: default, placementrules: [{name: provided}, " + rules +
                 "], queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]");
    const Answer answer = asked.explain("p");
    CHECK(answer.evidence["outcome"] == "not-scheduled-by-yunikorn");
    return answer.sentence;
  };
  CHECK(said("{name: pick}") ==
        "is never scheduled: application p is rejected: no placement rule is active: there is no placement rule pick");
  CHECK(said("{name: recovery}").ends_with("there is no placement rule recovery"));
  CHECK(said("{name: tag}").ends_with("placement rule tag has no value"));
  CHECK(
      said("{name: fixed, value: a b, create: true}").ends_with("placement rule fixed: a b is not a valid queue name"));
  CHECK(said("{name: fixed, value: root.a, parent: {name: user, create: true}}")
            .ends_with("placement rule fixed has a full path and a parent rule"));
}

TEST_CASE("yunikorn gang: rejected if it is too large for its queue, or the queue is not fifo", "[yunikorn]") {
  // 3 placeholders of 1 CPU.
  const std::string gang =
      R"("annotations": {"yunikorn.apache.org/task-groups": "[{\"name\":\"g\",\"minMember\":3,\"minResource\":{\"cpu\":1}}]"}, )";
  Asked asked(node("n") + pod({.name = "p", .on = "", .meta = gang}));
  const auto outcome_in = [&](const std::string& of_a) {
    asked.queues(queues(of_a));
    return asked.explain("p").outcome;
  };
  CHECK(outcome_in("resources: {max: {vcore: 2}}") == Outcome::pending);
  CHECK(outcome_in("properties: {application.sort.policy: fair}") == Outcome::pending);
  // The gang is accepted, but its own pods wait for the placeholders, so the outcome of this pod is not known yet.
  CHECK(outcome_in("resources: {max: {vcore: 3}}") == Outcome::unknown);
  CHECK(outcome_in("properties: {application.sort.policy: Fair}") == Outcome::unknown);  // not a policy, so fifo
}

TEST_CASE("yunikorn applications: gated pods, and pods on unknown nodes, create none", "[yunikorn]") {
  const std::string gate = R"("schedulingGates": [{"name": "g"}], )";
  Asked asked(node("n") + pod({.name = "gated", .on = "", .queue = "root.b", .app = "x", .spec = gate}) +
              pod({.name = "bound", .minute = 1, .queue = "root.b", .app = "x", .spec = gate}) +
              pod({.name = "orphan", .on = "nowhere", .minute = 2, .queue = "root.b", .app = "x"}) +
              pod({.name = "p", .on = "", .minute = 3, .app = "x"}));
  asked.queues(queues("parent: false"));
  const Json ask = asked.explain("p").evidence["ask"];
  CHECK(ask["queue"] == "root.a");
  CHECK(ask["originator"] == true);
}

TEST_CASE("yunikorn rejected application: its pods use no resources in the core, but do on the node", "[yunikorn]") {
  // `eldest` creates x and requests a queue that does not exist: no rule places it.
  Asked asked(node("n") + node("m") + pod({.name = "eldest", .on = "", .queue = "root.nowhere", .app = "x"}) +
              pod({.name = "w", .cpu = "4", .minute = 1, .app = "x"}) + test::daemon());
  asked.queues(queues("parent: false"));
  const Answer answer = asked.explain("d");
  CHECK(answer.sentence ==
        "stays pending: n has enough free resources, but the pod cannot run there (cpu: requests 1, 0 of 4 free), so "
        "YuniKorn does not try preemption");
  CHECK(answer.evidence["outcome"] == "reserved");
  CHECK(answer.evidence["preemptor"]["counts"]["total"] == 0);
  CHECK(asked.explain("eldest").outcome == Outcome::pending);
}

TEST_CASE("yunikorn originator: if several pods may be the originator, the other result is reported", "[yunikorn]") {
  // x1 and x2 are equally old: whichever is the first of their application is evicted after the other. One victim is
  // enough.
  Asked asked(node("n") + node("m") + pod({.name = "x1", .cpu = "2", .app = "x"}) +
              pod({.name = "x2", .cpu = "2", .app = "x"}) + test::daemon());
  asked.queues(queues("parent: false"));
  const Answer answer = asked.explain("d");
  CHECK(answer.sentence ==
        "would preempt ns/x2 on its node n; but if ns/x2 instead of the equally old ns/x1 created application x, it "
        "would preempt ns/x1 on its node n");
  REQUIRE(answer.victims.size() == 1);
  CHECK_FALSE(answer.victims[0].certain);
}

TEST_CASE("yunikorn originator: a pod of equal age may have created an application that is not rejected",
          "[yunikorn]") {
  // p and q are equally old, and only the queue of q exists. yunikorn-core 1.9 with its shim allocated p on n in 11 of
  // 20 runs, and rejected the application in the others.
  const auto sentence = [](const std::string& queue_of_q) {
    Asked asked(node("n") + pod({.name = "p", .on = "", .queue = "root.c", .app = "x"}) +
                pod({.name = "q", .on = "", .queue = queue_of_q, .app = "x"}));
    asked.queues("partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]");
    return asked.explain("p").sentence;
  };
  const std::string rejected =
      "is never scheduled: application x is rejected: no placement rule matched (queue root.c does not exist)";
  CHECK(sentence("root.a") ==
        rejected +
            "; but if ns/q instead of the equally old ns/p created application x, it fits on n; no "
            "preemption needed");
  CHECK(sentence("root.d") == rejected);
}

TEST_CASE("yunikorn originator: a pod of equal age matters even if it cannot be preempted itself", "[yunikorn]") {
  // x1 and y request 2 CPUs each, d requests 2. y is older than x1. x1 is the first of its application and y is not, so
  // y is evicted. If x2, which is equally old, created the application, x1 is like y, and the younger one is evicted
  // first. Source: apache/yunikorn-core 1.9 pkg/scheduler/objects/required_node_preemptor.go, sorting by originator,
  // priority and age.
  Asked asked(node("n") + node("m") + pod({.name = "eldest", .on = "m", .app = "y"}) +
              pod({.name = "y", .cpu = "2", .minute = 1, .app = "y"}) +
              pod({.name = "x1", .cpu = "2", .minute = 2, .app = "x"}) +
              pod({.name = "x2", .on = "m", .priority = 9, .minute = 2, .app = "x"}) + test::daemon("2"));
  asked.queues(queues("parent: false"));
  CHECK(asked.explain("d").sentence ==
        "would preempt ns/y on its node n; but if ns/x2 instead of the equally old ns/x1 created application x, it "
        "would preempt ns/x1 on its node n");
}

TEST_CASE("yunikorn placeholder: one of a rejected application is not one that a restart loses", "[yunikorn]") {
  // The core never knew it: h is the placeholder that decides.
  const std::string lost =
      R"("annotations": {"yunikorn.apache.org/placeholder": "1", "yunikorn.apache.org/task-group-name": "g"}, )";
  Asked asked(node("n") + pod({.name = "eldest", .on = "", .queue = "root.nowhere", .app = "lost"}) +
              pod({.name = "0", .minute = 1, .app = "lost", .meta = lost}) + placeholder_pod("h", "gang", "2", "n") +
              pod({.name = "p", .on = "", .minute = 1}));
  asked.queues(queues("resources: {max: {vcore: 2}}"));
  const Answer answer = asked.explain("p");
  CHECK(answer.evidence["outcome"] == "pending");
  const auto kept = std::find_if(answer.gaps.begin(), answer.gaps.end(),
                                 [](const Gap& gap) { return gap.rule == GapRule::yunikorn_places_kept; });
  REQUIRE(kept != answer.gaps.end());
  CHECK(kept->operands == std::vector<std::string>{"ns/h", "gang"});
}

}  // namespace previct
