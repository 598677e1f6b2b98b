#include "engine/yunikorn/known.h"
#include "support/yunikorn.h"

// Steps of an attempt that matter in few clusters. Source: apache/yunikorn-core 1.9
// pkg/scheduler/objects/preemption.go, application.go, node_collection.go; apache/yunikorn-k8shim 1.9
// pkg/common/utils/utils.go.

namespace previct {
namespace {

using test::Asked;
using test::daemon;
using test::node;
using test::pod;

constexpr const char* kGuaranteeToB =
    "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: ["
    "{name: a}, {name: b, resources: {guaranteed: {vcore: 4}}}]}]}]";

/// Adds `requests` to the requests of the only container.
auto also_requests(std::string text, const std::string& requests) -> std::string {
  return text.insert(text.find(R"("cpu": ")"), requests + ", ");
}

auto names(const Answer& answer, const Gap& gap) -> bool {
  return std::any_of(answer.gaps.begin(), answer.gaps.end(), [&](const Gap& g) { return g.rule == gap.rule; });
}

}  // namespace

TEST_CASE("yunikorn queue name: an annotation counts before the older label", "[yunikorn]") {
  // Source: utils.go GetQueueNameFromPod: the label yunikorn.apache.org/queue, the annotation of that name, the label
  // queue.
  const auto queue_of = [](const std::string& meta) {
    Asked asked(node("n") + pod({.name = "p", .on = "", .meta = meta}));
    asked.queues(kGuaranteeToB);
    return asked.explain("p").evidence["ask"]["queue"];
  };
  CHECK(queue_of("") == "root.a");
  CHECK(queue_of(R"("annotations": {"yunikorn.apache.org/queue": "root.b"}, )") == "root.b");
}

TEST_CASE("yunikorn queue name: one that is nested too deep is an error", "[yunikorn]") {
  const auto asked_for = [](int below_root) {
    std::string path = "root";
    for (int i = 0; i < below_root; ++i) path += ".a";
    Asked asked(node("n") +
                pod({.name = "p",
                     .on = "",
                     .meta = fmt::format(R"("annotations": {{"yunikorn.apache.org/queue": "{}"}}, )", path)}));
    asked.queues(
        "partitions: [{name: default, placementrules: [{name: provided, create: true}], queues: "
        "[{name: root, submitacl: '*'}]}]");
    return asked;
  };
  CHECK(asked_for(999).explain("p").outcome == Outcome::fits);
  CHECK(asked_for(1000).failure("p").message ==
        "pod ns/p names a YuniKorn queue 1001 levels deep; previct supports at most 1000 levels");
}

TEST_CASE("yunikorn design mode: a pod that is being deleted is not scheduled", "[yunikorn]") {
  Asked asked(node("n") +
              pod({.name = "p", .on = "", .queue = "", .meta = R"("deletionTimestamp": "2026-05-01T12:00:30Z", )"}));
  asked.question.yunikorn_mode = "design-1.5.1";
  CHECK(asked.explain("p").outcome == Outcome::deleting);
  asked.question.yunikorn_mode = "release";
  CHECK(asked.explain("p").outcome == Outcome::fits);
}

TEST_CASE("yunikorn design mode: a node is named only if the pod gets it", "[yunikorn]") {
  // n has 4 CPUs, of which w uses 3. [A11] A victim must cover the whole request. p does not belong to a DaemonSet.
  const auto answer_for = [](const std::string& cpu, const std::string& name) {
    Asked asked(node("n") + pod({.name = "w", .cpu = "3"}) + pod({.name = "p", .on = ""}) + daemon(cpu));
    asked.question.yunikorn_mode = "design-1.5.1";
    return asked.explain(name);
  };
  const Answer fits = answer_for("1", "d");
  CHECK(fits.outcome == Outcome::fits);
  CHECK(fits.node == "n");
  const Answer preempts = answer_for("3", "d");
  CHECK(preempts.outcome == Outcome::preempts);
  CHECK(preempts.node == "n");
  const Answer large = answer_for("4", "d");
  CHECK(large.outcome == Outcome::pending);
  CHECK(large.node.empty());
  const Answer other = answer_for("1", "p");
  CHECK(other.outcome == Outcome::not_eligible);
  CHECK(other.node.empty());
}

TEST_CASE("yunikorn design mode: the deviation covers the requested types, except those of 0", "[yunikorn]") {
  // [A12]: v has exactly the CPU that d requests, and a gpu, of which d requests 0.
  const std::string v = also_requests(pod({.name = "v"}), R"("example.com/gpu": "1")");
  Asked asked(node("n") + pod({.name = "w", .cpu = "3", .priority = 1}) + v +
              also_requests(daemon("1"), R"("example.com/gpu": "0")"));
  asked.question.yunikorn_mode = "design-1.5.1";
  CHECK(asked.explain("d").sentence.starts_with("would preempt ns/v on its node n by strategy single "));
}

TEST_CASE("yunikorn volumes: their location matters only if the pod fits otherwise", "[yunikorn]") {
  // The input has no claims at all.
  const std::string manifests =
      node("n") + pod({.name = "w"}) +
      pod({.name = "p",
           .on = "",
           .minute = 1,
           .spec = R"("volumes": [{"name": "d", "persistentVolumeClaim": {"claimName": "data"}}], )"});
  const auto outcome_with = [&](const std::string& of_a) {
    Asked asked(manifests);
    asked.queues("partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a, " + of_a +
                 "}]}]}]");
    return asked.explain("p").outcome;
  };
  CHECK(outcome_with("maxapplications: 2") == Outcome::unknown);
  CHECK(outcome_with("maxapplications: 1") == Outcome::pending);
}

TEST_CASE("yunikorn originators: of many possible ones a dozen is tried, which is reported", "[yunikorn]") {
  const auto said_with = [](int pods) {
    std::string manifests = node("n") + daemon("4");
    for (int i = 0; i < pods; ++i) manifests += pod({.name = fmt::format("x{:02}", i), .cpu = "250m", .app = "x"});
    Asked asked(manifests);
    asked.queues(kGuaranteeToB);
    return names(asked.explain("d"), {GapRule::yunikorn_originators_tried});
  };
  CHECK_FALSE(said_with(13));  // the first in the input, and twelve others
  CHECK(said_with(14));
}

TEST_CASE("yunikorn node score: a type of which a node has none left does not count as idle", "[yunikorn][nodes]") {
  // Source: resources.go FitInScore, which sums up what stays idle in types that are available. m1 has less than 0 gpus
  // left, because the pod on it was bound before one of two failed. The pod requests 3 of 4 CPUs. m1 has 2 left and
  // comes first, because it is used least (m2 has 1 left), and both leave the same idle.
  const std::string gpu = R"("example.com/gpu": "1")";
  const auto with_gpu = [&](std::string text) { return text.insert(text.find(R"("memory": "8Gi")"), gpu + ", "); };
  const std::string taint = R"("taints": [{"key": "k", "effect": "NoSchedule"}])";
  const auto outcome_with = [&](const std::string& of_m1, const std::string& of_m2) {
    Asked asked(with_gpu(node("m1", of_m1)) + node("m2", of_m2) +
                also_requests(pod({.name = "v", .cpu = "2", .on = "m1"}), R"("example.com/gpu": "2")") +
                pod({.name = "w", .cpu = "3", .on = "m2"}) + pod({.name = "p", .cpu = "3", .on = ""}));
    asked.queues(kGuaranteeToB);
    return asked.explain("p");
  };
  CHECK(outcome_with("", taint).evidence["outcome"] == "reserved");
  const Answer refused = outcome_with(taint, "");
  CHECK(refused.evidence["outcome"] == "pending");
  CHECK(refused.sentence.find("; no node is reserved for it, because the only candidate, m1, is not suitable (") !=
        std::string::npos);
}

TEST_CASE("yunikorn cordoned node: gets no pod, not even one that tolerates the taint", "[yunikorn][nodes]") {
  const auto outcome_with = [](const std::string& of_node) {
    Asked asked(
        node("n", of_node) +
        pod({.name = "p",
             .on = "",
             .spec = R"("tolerations": [{"key": "node.kubernetes.io/unschedulable", "operator": "Exists"}], )"}));
    asked.queues(kGuaranteeToB);
    return asked.explain("p").outcome;
  };
  CHECK(outcome_with(R"("taints": [{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}])") ==
        Outcome::fits);
  CHECK(outcome_with(R"("unschedulable": true)") == Outcome::pending);
}

TEST_CASE("yunikorn preemption: of more nodes than one batch, those with fewest victims come first", "[yunikorn]") {
  // The eldest pod of the application makes node 0 expensive. Each of the ten nodes a to j needs two victims, z needs
  // one: z comes before them, and ten nodes are checked at a time.
  std::string manifests = node("0") + node("z") + pod({.name = "eldest", .cpu = "4", .on = "0", .app = "w"}) +
                          pod({.name = "big", .cpu = "4", .on = "z", .minute = 1, .app = "w"}) +
                          pod({.name = "p", .cpu = "2", .on = "", .minute = 2, .queue = "root.b"});
  for (char name = 'a'; name <= 'j'; ++name) {
    manifests += node(std::string(1, name));
    for (int i = 0; i < 4; ++i) {
      manifests += pod({.name = fmt::format("{}{}", name, i), .on = std::string(1, name), .minute = 1, .app = "w"});
    }
  }
  Asked asked(manifests);
  asked.queues(kGuaranteeToB);
  CHECK(asked.explain("p").evidence["solutions"].dump() == R"([{"node":"z","victims":["ns/big"]}])");
}

TEST_CASE("yunikorn cordoned node: no preemption there, not even for a pod that tolerates the taint", "[yunikorn]") {
  // Source: preemption.go initWorkingState, which uses only schedulable nodes.
  const auto outcome_with = [](const std::string& of_node) {
    Asked asked(
        node("n", of_node) + pod({.name = "w", .cpu = "4"}) +
        pod({.name = "p",
             .on = "",
             .minute = 1,
             .queue = "root.b",
             .spec = R"("tolerations": [{"key": "node.kubernetes.io/unschedulable", "operator": "Exists"}], )"}));
    asked.queues(kGuaranteeToB);
    return asked.explain("p").evidence["outcome"];
  };
  CHECK(outcome_with(R"("taints": [{"key": "node.kubernetes.io/unschedulable", "effect": "NoSchedule"}])") ==
        "preempted");
  CHECK(outcome_with(R"("unschedulable": true)") == "pending");
}

TEST_CASE("yunikorn preemption: a victim counts for its queue before the next pod is looked at", "[yunikorn]") {
  // Source: preemption.go calculateVictimsByNode, first pass. b may have 2 CPUs. a is guaranteed 1 and uses 2, so its
  // younger pod is evicted; then a is within its share, and its other pod stays. So c1 is evicted for the second CPU.
  Asked asked(node("n") + pod({.name = "a2", .minute = 5, .app = "a"}) + pod({.name = "a1", .minute = 6, .app = "a"}) +
              pod({.name = "c1", .minute = 1, .queue = "root.c"}) + pod({.name = "f", .queue = "root.off"}) +
              pod({.name = "p", .cpu = "2", .on = "", .minute = 7, .queue = "root.b"}));
  asked.queues(
      "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: ["
      "{name: a, resources: {guaranteed: {vcore: 1}}}, {name: b, resources: {guaranteed: {vcore: 2}}}, {name: c}, "
      "{name: off, properties: {preemption.policy: disabled}}]}]}]");
  CHECK(asked.explain("p").evidence["solutions"].dump() == R"([{"node":"n","victims":["ns/a1","ns/c1"]}])");
}

TEST_CASE("yunikorn preemption: a pod that is evicted in several results is one victim", "[yunikorn]") {
  // Two of the three pods, which are equally old, must be evicted: any two.
  Asked asked(node("n") + pod({.name = "v1"}) + pod({.name = "v2"}) + pod({.name = "v3"}) +
              pod({.name = "f", .priority = 9}) + pod({.name = "p", .cpu = "2", .on = "", .queue = "root.b"}));
  asked.queues(kGuaranteeToB);
  const Answer answer = asked.explain("p");
  CHECK(answer.evidence["solutions"].size() == 3);
  REQUIRE(answer.victims.size() == 3);
  for (const Victim& victim : answer.victims) CHECK_FALSE(victim.certain);
  CHECK(answer.ends.size() == 3);
}

TEST_CASE("yunikorn preemption: results are listed only if there are several", "[yunikorn]") {
  Asked asked(node("n") + pod({.name = "w", .cpu = "4"}) +
              pod({.name = "p", .on = "", .minute = 1, .queue = "root.b"}));
  asked.queues(kGuaranteeToB);
  const Answer answer = asked.explain("p");
  REQUIRE(answer.victims.size() == 1);
  CHECK(answer.victims[0].certain);
  CHECK(answer.ends.empty());
}

TEST_CASE("yunikorn known: the state for all questions is built once, until a question changes it", "[yunikorn]") {
  Asked asked(node("n") + pod({.name = "p", .on = ""}));
  asked.queues(kGuaranteeToB);
  const Snapshot cluster(asked.objects);
  const auto core_for = [&] { return (*yunikorn::known(cluster, asked.question))->core; };
  const auto first = core_for();
  CHECK(core_for() == first);
  asked.queues("partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]");
  CHECK(core_for() != first);
}

TEST_CASE("yunikorn words: a cordoned node with enough free resources, or with the victims, is named", "[yunikorn]") {
  // n has 4 CPUs. Source: application.go tryNodes, preemption.go initWorkingState: only schedulable nodes.
  const std::string cordon = R"("unschedulable": true)";
  Asked free(node("n", cordon) + pod({.name = "p", .on = "", .queue = "root.b"}));
  free.queues(kGuaranteeToB);
  CHECK(free.explain("p").sentence ==
        "stays pending: no node has 1 vcore free (none); n has enough free resources, but is cordoned; no pod below "
        "queue root may be preempted");
  Asked full(node("n", cordon) + pod({.name = "w", .cpu = "4"}) +
             pod({.name = "p", .on = "", .minute = 1, .queue = "root.b"}));
  full.queues(kGuaranteeToB);
  CHECK(full.explain("p").sentence.ends_with("; the pods that may be preempted are on n, which is cordoned"));
}

TEST_CASE("yunikorn words: a victim that is terminating already is marked", "[yunikorn]") {
  Asked asked(node("n") +
              pod({.name = "w",
                   .cpu = "4",
                   .meta = R"("deletionTimestamp": "2026-05-01T12:00:20Z", "deletionGracePeriodSeconds": 30, )"}) +
              pod({.name = "p", .on = "", .minute = 1, .queue = "root.b"}));
  asked.queues(kGuaranteeToB);
  const Answer answer = asked.explain("p");
  CHECK(answer.sentence == "would preempt ns/w of queue root.a on n (already terminating)");
  REQUIRE(answer.victim_lines.size() == 1);
  CHECK(answer.victim_lines[0].why == "its queue is over its guaranteed share (root.a); already terminating");
}

TEST_CASE("yunikorn words: a rejected application names the queue, and what is wrong with it", "[yunikorn]") {
  // Source: placement/placement.go PlaceApplication, provided_rule.go; queue.go CheckSubmitAccess.
  const auto sentence = [](const std::string& wanted, const std::string& of_root, const std::string& of_a) {
    Asked asked(node("n") + pod({.name = "p", .on = "", .queue = wanted}));
    asked.queues(fmt::format("partitions: [{{name: default, queues: [{{name: root, {}queues: [{{name: a{}}}]}}]}}]",
                             of_root, of_a));
    return asked.explain("p").sentence;
  };
  const std::string rejected = "is never scheduled: application p is rejected: no placement rule matched (";
  CHECK(sentence("root.c", "submitacl: '*', ", "") == rejected + "queue root.c does not exist)");
  CHECK(sentence("root", "submitacl: '*', ", "").starts_with(rejected));
  CHECK(sentence("root.a", "", ", submitacl: someone") ==
        rejected + "submitacl of queue root.a, or of one above it, does not permit user nobody)");
}

}  // namespace previct
