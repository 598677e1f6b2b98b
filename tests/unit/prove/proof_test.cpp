#include "prove/proof.h"

#include "api/known_class.h"
#include "prove/always_fits.h"
#include "prove/classes.h"
#include "prove/frontier.h"
#include "prove/invariants/at_most_victims.h"
#include "prove/invariants/budgets_hold.h"
#include "prove/invariants/never_victim.h"
#include "prove/invariants/outcome_in.h"
#include "prove/shrink.h"
#include "support/cluster.h"
#include "support/source.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace previct::prove {
namespace {

constexpr std::string_view kNow = "2026-03-02T12:00:00Z";
constexpr std::int64_t kDay = 86'400;

// fixtures/policy/kep205 with `from` replaced by `to` in its classes.
auto kep205(const std::string& from = "", const std::string& to = "") -> std::unique_ptr<test::TestCluster> {
  std::string classes = test::read_all(test::kSource / "fixtures/policy/kep205/classes.yaml");
  if (!from.empty()) {
    const std::size_t at = classes.find(from);
    REQUIRE(at != std::string::npos);
    classes.replace(at, from.size(), to);
  }
  auto cluster = test::a_cluster({classes, test::read_all(test::kSource / "fixtures/policy/kep205/state.yaml")});
  for (Pod& pod : cluster->objects.pods) {
    pod.spec.priority = known_class(pod.spec.priority_class_name, cluster->objects).value().value;
    pod.spec.has_priority = true;
  }
  return cluster;
}

auto kube() -> const Engine& {
  return *find_engine("kube");
}

auto space_of(const test::TestCluster& cluster, std::int64_t most, std::int64_t seconds = kDay) -> Space {
  Space space{.priorities = {INT32_MIN, most}, .requests = {{"cpu"}, {"memory"}}};
  space.from = *parse_instant(kNow);
  space.to = space.from.plus_seconds(seconds);
  for (const NodeId node : cluster.snapshot->nodes().ids()) space.nodes.push_back(node);
  return space;
}

auto never(const std::string& pod) -> MakeInvariant {
  return [pod](const Snapshot& cluster) -> Result<std::unique_ptr<Invariant>> {
    return std::make_unique<NeverVictim>(cluster, pod, [&](PodId each) { return cluster.key(each) == pod; });
  };
}

auto at_most(std::size_t victims) -> MakeInvariant {
  return [victims](const Snapshot& cluster) -> Result<std::unique_ptr<Invariant>> {
    return std::make_unique<AtMostVictims>(cluster, victims);
  };
}

auto proof_of(test::TestCluster& cluster, const Space& space, const MakeInvariant& make) -> Proof {
  Question question;
  question.now = space.from;
  Result<Proof> proof =
      prove({.engine = kube(), .objects = cluster.objects, .question = question, .space = space, .make = make});
  if (!proof) FAIL(proof.error().message);
  return *std::move(proof);
}

// `priority 9000, cpu 100, memory 0, at 2026-03-02T12:06:00Z`, or `proved` or `unknown`.
auto words(const Proof& proof) -> std::string {
  if (proof.doubt) return "unknown";
  if (!proof.broken) return "proved";
  const Region& region = proof.broken->region;
  return fmt::format("priority {}, cpu {}, memory {}, at {}", region.preemptor.priority, region.requests[0].least,
                     region.requests[1].least, format_instant(region.preemptor.at));
}

}  // namespace

// The node of the license simulator has 4 CPUs, all of which it uses. Its class tolerates priorities below 10000
// forever. With 3600 seconds, its toleration ends an hour after 11:56, and any request of cpu evicts it then.
TEST_CASE("prove: no pod below 10000 evicts the license simulator, unless its toleration ends", "[prove]") {
  const auto cluster = kep205();
  const Proof proof = proof_of(*cluster, space_of(*cluster, 9999), never("ml/license-sim"));
  CHECK(words(proof) == "proved");
  CHECK(proof.pods == 1);
  CHECK(proof.nodes == 1);
  CHECK(proof.any_form);

  const auto hasty = kep205("\"-1\"", "\"3600\"");
  const Proof broken = proof_of(*hasty, space_of(*hasty, 9999), never("ml/license-sim"));
  CHECK(words(broken) == "priority 9000, cpu 100, memory 0, at 2026-03-02T12:56:00Z");
  CHECK(broken.broken->manifest.find("value: 9000\n") != std::string::npos);
  CHECK(broken.broken->node == "lab");
  // The manifest holds the whole pod.
  const auto applied = test::a_cluster({broken.broken->manifest});
  REQUIRE(applied->objects.pods.size() == 1);
  const Pod& pod = applied->objects.pods[PodId{0}];
  CHECK(applied->snapshot->text(pod.spec.priority_class_name) == "previct-counterexample");
  CHECK(pod.spec.tolerations.size() == 1);
  REQUIRE(pod.spec.affinity.node.required);
  const Requirement& name = pod.spec.affinity.node.required->terms[0].match_fields[0];
  CHECK(applied->snapshot->text(name.values[0]) == "lab");
}

// epoch-3 was scheduled at 11:56 and tolerates for 600 seconds, until 12:06, exclusive; with 300, until 12:01.
TEST_CASE("prove: an epoch has ten minutes", "[prove]") {
  const auto cluster = kep205();
  CHECK(words(proof_of(*cluster, space_of(*cluster, 9999, 359), never("ml/epoch-3"))) == "proved");
  const auto shorter = kep205("\"600\"", "\"300\"");
  CHECK(words(proof_of(*shorter, space_of(*shorter, 9999, 359), never("ml/epoch-3"))) ==
        "priority 9000, cpu 100, memory 0, at 2026-03-02T12:01:00Z");
}

// All running pods have a priority of 8000.
TEST_CASE("prove: no pod of the lowest class evicts another", "[prove]") {
  const auto cluster = kep205();
  CHECK(words(proof_of(*cluster, space_of(*cluster, 8000), at_most(0))) == "proved");
  CHECK(words(proof_of(*cluster, space_of(*cluster, 8001), at_most(1))) == "proved");
  // ml/batch-7 then has 7000, and is evicted by a pod with 8000, the roundest priority above 7000 and up to 8000.
  const auto lower = kep205("name: low}\nvalue: 8000", "name: low}\nvalue: 7000");
  CHECK(words(proof_of(*lower, space_of(*lower, 8000), at_most(0))) ==
        "priority 8000, cpu 100, memory 0, at 2026-03-02T12:00:00Z");
}

TEST_CASE("prove: a statement about no running pod is an error", "[prove]") {
  const auto cluster = kep205();
  Question question;
  question.now = *parse_instant(kNow);
  const Space space = space_of(*cluster, 9999);
  const std::size_t pods = cluster->objects.pods.size();
  const auto proof = prove({.engine = kube(),
                            .objects = cluster->objects,
                            .question = question,
                            .space = space,
                            .make = never("ml/high-lab")});
  REQUIRE_FALSE(proof);
  CHECK(proof.error().message == "no running pod is concerned, so there is nothing to prove");
  CHECK(cluster->objects.pods.size() == pods);
}

// One node of 4 CPUs with two pods of 1 CPU that a budget protects and two that it does not: 0 CPUs are free. A pod
// with 1 CPU or 2 evicts unprotected ones, as those with a budget are reprieved first; with more than 2, one of the
// others.
TEST_CASE("prove: budgets hold as long as other victims suffice", "[prove]") {
  std::vector<std::string> documents = {test::a_node("n", "4"), test::a_budget("x/b", "guarded", 0)};
  for (const char* name : {"a", "b", "c", "d"}) {
    documents.push_back(test::a_pod(std::string("x/") + name)
                            .on("n")
                            .started(fmt::format("2026-03-02T10:0{}:00Z", name[0] - 'a'))
                            .labels(name[0] < 'c' ? "{app: guarded}" : "{app: other}")
                            .yaml());
  }
  const auto cluster = test::a_cluster(documents);
  const MakeInvariant hold = [](const Snapshot& snapshot) -> Result<std::unique_ptr<Invariant>> {
    return std::make_unique<BudgetsHold>(snapshot);
  };
  Space space = space_of(*cluster, 100);
  space.requests[0].most = 2000;
  const Proof proof = proof_of(*cluster, space, hold);
  CHECK(words(proof) == "proved");
  CHECK_FALSE(proof.any_form);
  space.requests[0].most = 4000;
  CHECK(words(proof_of(*cluster, space, hold)) == "priority 100, cpu 2500, memory 0, at 2026-03-02T12:00:00Z");

  Question question;
  question.now = space.from;
  const auto frontier = frontier_of(cluster->objects, question, space, cluster->snapshot->find_pod("x", "a"));
  REQUIRE(frontier);
  REQUIRE(frontier->threats.size() == 1);
  // Of the guarded pods, b started later and is evicted first; a needs more than 3 CPUs.
  CHECK(frontier->threats[0].smallest == std::vector<std::vector<std::int64_t>>{{3001, 0}});
  CHECK(frontier->threats[0].priorities == Priorities{1, 100});
}

// With 10 % of one node and an absolute minimum of 0, kube-scheduler keeps no candidate of a single node, but some of
// ten.
TEST_CASE("prove: pods on one node do not stand for others if no candidate of them is kept", "[prove]") {
  const auto cluster = test::a_cluster({test::a_node("n", "1"), test::a_pod("x/a").on("n").yaml()});
  Question question;
  question.now = *parse_instant(kNow);
  question.scheduler_config =
      ConfigFile{cluster->objects.files.add("scheduler.yaml"),
                 "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n"
                 "- schedulerName: default-scheduler\n  pluginConfig:\n  - name: DefaultPreemption\n"
                 "    args: {minCandidateNodesPercentage: 10, minCandidateNodesAbsolute: 0}\n"};
  const Space space = space_of(*cluster, 9999);
  const auto proof = prove(
      {.engine = kube(), .objects = cluster->objects, .question = question, .space = space, .make = never("x/a")});
  REQUIRE_FALSE(proof);
  CHECK(
      proof.error().message ==
      "profile default-scheduler: with minCandidateNodesAbsolute 0, a pod that may run on one node only evicts no pod, "
      "but others may");
}

// Only a pod that tolerates the taint reaches the node.
TEST_CASE("prove: a tainted node is safe from pods without tolerations", "[prove]") {
  const auto cluster =
      test::a_cluster({"apiVersion: v1\nkind: Node\nmetadata: {name: n0}\n"
                       "spec: {taints: [{key: a, effect: NoSchedule}]}\n"
                       "status: {allocatable: {cpu: \"1\", memory: 1Gi, pods: \"9\"}}\n",
                       test::a_pod("x/a").on("n0").yaml()});
  Space space = space_of(*cluster, 9999);
  CHECK(words(proof_of(*cluster, space, never("x/a"))) == "priority 1000, cpu 100, memory 0, at 2026-03-02T12:00:00Z");
  space.tolerates_taints = false;
  CHECK(words(proof_of(*cluster, space, never("x/a"))) == "proved");
}

TEST_CASE("prove: a counterexample has round numbers", "[prove]") {
  CHECK(round_amount("cpu", 1, 4000) == 100);
  CHECK(round_amount("cpu", 1, 90) == 50);
  CHECK(round_amount("cpu", 2001, 4000) == 2500);
  CHECK(round_amount("cpu", 2001, 2050) == 2050);
  CHECK(round_amount("memory", 1, INT64_MAX / 4) == 1LL << 30);
  CHECK(round_amount("example.com/gpu", 3, 8) == 3);
  CHECK(round_priority({8001, 9999}) == 9000);
  CHECK(round_priority({-7, 5}) == 0);
  CHECK(round_priority({7001, 7004}) == 7001);
  const Instant at = *parse_instant("2026-03-02T12:00:01Z");
  CHECK(round_moment(at, at.plus_seconds(120)) == *parse_instant("2026-03-02T12:01:00Z"));
  CHECK(round_moment(at, at.plus_seconds(20)) == at);
}

TEST_CASE("prove: no class has a priority between those of users and of the system", "[prove]") {
  const std::vector<Priorities> parts = possible({});
  REQUIRE(parts.size() == 3);
  CHECK(parts[0] == Priorities{INT32_MIN, 1'000'000'000});
  CHECK(parts[1] == Priorities{2'000'000'000, 2'000'000'000});
  CHECK(parts[2] == Priorities{2'000'001'000, 2'000'001'000});
}

// One node of 4 CPUs and 16Gi with a pod of 1 CPU, which every preemptor above 0 may evict.
TEST_CASE("prove: an outcome holds for all requests that the node can have", "[prove]") {
  const auto cluster =
      test::a_cluster({test::a_node("n", "4"), test::a_pod("x/a").on("n").started("2026-03-02T10:00:00Z").yaml()});
  const MakeInvariant gets_a_node = [](const Snapshot&) -> Result<std::unique_ptr<Invariant>> {
    return std::make_unique<OutcomeIn>(std::vector{Outcome::fits, Outcome::preempts});
  };
  Space space = space_of(*cluster, 10);
  space.priorities.least = 5;
  space.requests = {{"cpu", 0, 4000}, {"memory", 0, 16LL << 30}};
  CHECK(words(proof_of(*cluster, space, gets_a_node)) == "proved");
  space.requests[0].most = 5000;
  CHECK(words(proof_of(*cluster, space, gets_a_node)) == "priority 10, cpu 5000, memory 0, at 2026-03-02T12:00:00Z");
  // Without preemption, 3 CPUs are free.
  const MakeInvariant fits = [](const Snapshot&) -> Result<std::unique_ptr<Invariant>> {
    return std::make_unique<OutcomeIn>(std::vector{Outcome::fits});
  };
  space.requests[0].most = 3000;
  CHECK(words(proof_of(*cluster, space, fits)) == "proved");
  space.requests[0].most = 4000;
  CHECK(words(proof_of(*cluster, space, fits)) == "priority 10, cpu 3500, memory 0, at 2026-03-02T12:00:00Z");
}

// Two nodes: n1 has 4 CPUs, 1 of them used by a pod of priority 3; n2 has 8 CPUs and a taint.
TEST_CASE("prove: pods always fit up to what some node can free", "[prove]") {
  const auto cluster = test::a_cluster(
      {test::a_node("n1", "4"), test::a_pod("x/a").on("n1").priority(3).started("2026-03-02T10:00:00Z").yaml(),
       "apiVersion: v1\nkind: Node\nmetadata: {name: n2}\nspec: {taints: [{key: a, effect: NoSchedule}]}\n"
       "status: {allocatable: {cpu: \"8\", memory: 16Gi, pods: \"10\"}}\n"});
  const auto proof_from = [&](std::int64_t priority, std::int64_t cpu) {
    Space space = space_of(*cluster, INT32_MAX);
    space.priorities.least = priority;
    space.requests = {{"cpu", 0, cpu}, {"memory", 0, 16LL << 30}};
    space.tolerates_taints = false;
    Question question;
    question.now = space.from;
    Result<Proof> proof = prove_always_fits(
        {.engine = kube(), .objects = cluster->objects, .question = question, .space = space, .make = nullptr});
    if (!proof) FAIL(proof.error().message);
    return *std::move(proof);
  };
  CHECK(words(proof_from(3, 3000)) == "proved");
  CHECK(words(proof_from(4, 4000)) == "proved");
  // A pod of priority 3 cannot evict x/a: 3001m fits nowhere, and 3500m is the first round amount.
  CHECK(words(proof_from(3, 4000)) == "priority 3, cpu 3500, memory 0, at 2026-03-02T12:00:00Z");
  const Proof large = proof_from(4, 5000);
  CHECK(words(large) == "priority 4, cpu 5000, memory 0, at 2026-03-02T12:00:00Z");
  CHECK(large.broken->manifest.find("affinity") == std::string::npos);
}

// All running pods have 8000, so the classes of 8000 evict no pod. Until 12:06, epoch-3 tolerates; the license
// simulator always does.
TEST_CASE("prove: classes that can evict no pod, and tolerations without effect", "[prove]") {
  const auto cluster = kep205();
  const auto effects = [&](const char* now) {
    Space space = space_of(*cluster, INT32_MAX);
    space.from = *parse_instant(now);
    space.to = space.from.plus_seconds(kDay);
    Question question;
    question.now = space.from;
    auto classes = classes_of(
        {.engine = kube(), .objects = cluster->objects, .question = question, .space = space, .make = nullptr});
    if (!classes) FAIL(classes.error().message);
    return *std::move(classes);
  };
  const auto of = [](const Classes& classes, const std::string& name) -> const ClassEffect& {
    const auto at = std::find_if(classes.all.begin(), classes.all.end(), [&](const auto& e) { return e.name == name; });
    REQUIRE(at != classes.all.end());
    return *at;
  };
  const Classes early = effects("2026-03-02T12:00:00Z");
  for (const char* name : {"low", "low-non-preempted", "low-non-preempted-10min"})
    CHECK_FALSE(of(early, name).evicts.has_value());
  for (const char* name : {"high", "critical"}) CHECK(of(early, name).evicts.has_value());
  CHECK(of(early, "low-non-preempted").toleration == ClassEffect::Toleration::protects);
  CHECK(of(early, "low-non-preempted-10min").toleration == ClassEffect::Toleration::protects);
  CHECK_FALSE(of(early, "low").toleration.has_value());
  CHECK(of(effects("2026-03-02T12:06:00Z"), "low-non-preempted-10min").toleration == ClassEffect::Toleration::over);
}

}  // namespace previct::prove
