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
  Result<Proof> proof = prove({.engine = kube(),
                               .objects = cluster.objects,
                               .cluster = *cluster.snapshot,
                               .question = question,
                               .space = space,
                               .make = make});
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
                            .cluster = *cluster->snapshot,
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
  const auto frontier =
      frontier_of(cluster->objects, *cluster->snapshot, question, space, cluster->snapshot->find_pod("x", "a"));
  REQUIRE(frontier);
  REQUIRE(frontier->threats.size() == 1);
  // Of the guarded pods, b started later and is evicted first; a needs more than 3 CPUs.
  CHECK(frontier->threats[0].smallest == std::vector<std::vector<std::int64_t>>{{3001, 0}});
  CHECK(frontier->threats[0].priorities == Priorities{1, 100});
}

TEST_CASE("prove: resources for which pods may be evicted are covered or named", "[prove]") {
  const auto requesting = [](const std::string& key, const std::string& resources) {
    return test::a_pod(key)
        .on("n")
        .spec("initContainers: [{name: i, resources: {requests: {" + resources + "}}}]")
        .yaml();
  };
  const auto cluster = test::a_cluster(
      {"apiVersion: v1\nkind: Node\nmetadata: {name: host}\nstatus: {allocatable: {cpu: 4, memory: 16Gi, pods: 110, "
       "x/gpu: 8, x/nic: 2}}\n",
       requesting("x/none", "cpu: 1"), requesting("x/gpu", "x/gpu: 1, x/absent: 1"), requesting("x/nic", "x/nic: 1")});
  const std::vector<Requested> varied = {{.resource = "cpu"}, {.resource = "memory"}};
  const auto of = [&](const std::vector<std::string>& names, const std::vector<Requested>& requests) {
    std::vector<PodId> pods;
    for (const std::string& name : names) pods.push_back(cluster->snapshot->find_pod("x", name));
    return other_resources(*cluster->snapshot, pods, requests).all;
  };
  CHECK(of({"none"}, varied).empty());
  CHECK(of({"gpu"}, varied) == std::vector<std::string>{"x/gpu"});  // no node has x/absent
  CHECK(of({"nic", "none", "gpu"}, varied) == std::vector<std::string>{"x/gpu", "x/nic"});
  CHECK(of({"gpu"}, {{.resource = "cpu"}, {.resource = "x/gpu"}}).empty());

  Space space;
  CHECK(not_covered(space).ends_with("host ports or volumes, or that running pods repel."));
  space.other_resources = {"x/gpu", "x/nic"};
  CHECK(not_covered(space).ends_with("or that request x/gpu, x/nic."));
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
  const auto proof = prove({.engine = kube(),
                            .objects = cluster->objects,
                            .cluster = *cluster->snapshot,
                            .question = question,
                            .space = space,
                            .make = never("x/a")});
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
    Result<Proof> proof = prove_always_fits({.engine = kube(),
                                             .objects = cluster->objects,
                                             .cluster = *cluster->snapshot,
                                             .question = question,
                                             .space = space,
                                             .make = nullptr});
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
    auto classes = classes_of({.engine = kube(),
                               .objects = cluster->objects,
                               .cluster = *cluster->snapshot,
                               .question = question,
                               .space = space,
                               .make = nullptr});
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

namespace {

constexpr std::int64_t kGi = 1LL << 30;

// Preemptors like a pod of the cluster, with up to 1 cpu and 1Gi.
auto space_like(const test::TestCluster& cluster, const std::vector<std::string>& names) -> Space {
  Space space = space_of(cluster, INT32_MAX, 60);
  space.requests = {{"cpu", 0, 1000}, {"memory", 0, kGi}};
  Question question;
  question.now = space.from;
  std::vector<PodId> pods;
  for (const std::string& name : names) pods.push_back(cluster.snapshot->find_pod("x", name));
  space.forms = forms_of(*cluster.snapshot, question, pods, space.requests, DaemonNodes::any).value();
  return space;
}

auto a_pod_with(const std::string& name, const std::string& node, const std::string& spec, int priority = 0,
                const std::string& metadata = "") -> std::string {
  return fmt::format(
      "apiVersion: v1\nkind: Pod\nmetadata: {{namespace: x, name: {0}, uid: {0}, labels: {{app: {0}}}{4}}}\nspec:\n"
      "  priority: {3}\n{1}{2}status: {{phase: {5}}}\n",
      name, node.empty() ? "" : "  nodeName: " + node + "\n", spec, priority, metadata,
      node.empty() ? "Pending" : "Running, startTime: \"2026-03-02T10:00:00Z\"");
}

constexpr std::string_view kPlain = "  containers: [{name: main}]\n";
constexpr std::string_view kPort = "  containers: [{name: main, ports: [{containerPort: 80, hostPort: 80}]}]\n";

auto a_big_node(const std::string& name) -> std::string {
  return fmt::format(
      "apiVersion: v1\nkind: Node\nmetadata: {{name: {0}, labels: {{kubernetes.io/hostname: {0}}}}}\n"
      "status:\n  allocatable: {{cpu: \"8\", memory: 16Gi, pods: \"110\"}}\n",
      name);
}

// The manifest of a counterexample, applied to the cluster, as the API server admits it.
auto explained_manifest(const std::vector<std::string>& documents, const Counterexample& example) -> Verdict {
  std::vector<std::string> all = documents;
  all.push_back(example.manifest);
  const auto cluster = test::a_cluster(all);
  const PodId pod = cluster->snapshot->find_pod("x", "previct-counterexample");
  REQUIRE(pod);
  cluster->objects.pods[pod].spec.priority =
      known_class(cluster->objects.pods[pod].spec.priority_class_name, cluster->objects).value().value;
  cluster->objects.pods[pod].spec.has_priority = true;
  const Snapshot snapshot(cluster->objects);
  Question question;
  question.ns = "x";
  question.name = "previct-counterexample";
  question.now = example.region.preemptor.at;
  Verdict verdict = kube().decide(snapshot, question).value();
  verdict.account.reset();
  return verdict;
}

}  // namespace

// Plain pods of this size fit beside the victim. A pod with the same host port does not, on the only node.
TEST_CASE("prove: pods like one with a host port evict the pod that uses the port", "[prove]") {
  const std::vector<std::string> documents = {a_big_node("n1"), a_pod_with("victim", "n1", std::string(kPort)),
                                              a_pod_with("like", "", std::string(kPort))};
  const auto cluster = test::a_cluster(documents);
  Space plain = space_like(*cluster, {"like"});
  plain.forms.clear();
  CHECK(words(proof_of(*cluster, plain, never("x/victim"))) == "proved");
  const Proof proof = proof_of(*cluster, space_like(*cluster, {"like"}), never("x/victim"));
  CHECK(words(proof) == "priority 1000000, cpu 0, memory 0, at 2026-03-02T12:00:00Z");
  CHECK(proof.broken->node.empty());
  CHECK(proof.broken->manifest.find("hostPort: 80") != std::string::npos);
  const Verdict verdict = explained_manifest(documents, *proof.broken);
  CHECK(verdict.outcome == Outcome::preempts);
  CHECK(cluster->objects.pods.size() == 2);
}

// With another node, the scheduler evicts nobody for a pod that may run there, too: only a pod that may run on n1 alone
// is a counterexample.
TEST_CASE("prove: a counterexample of a form may run on one node if the pod would fit on others", "[prove]") {
  const std::vector<std::string> documents = {a_big_node("n1"), a_big_node("n2"),
                                              a_pod_with("victim", "n1", std::string(kPort)),
                                              a_pod_with("like", "", std::string(kPort))};
  const auto cluster = test::a_cluster(documents);
  const Proof proof = proof_of(*cluster, space_like(*cluster, {"like"}), never("x/victim"));
  REQUIRE(proof.broken);
  CHECK(proof.broken->node == "n1");
  CHECK(explained_manifest(documents, *proof.broken).outcome == Outcome::preempts);
}

// maxSkew 1 over two nodes: n1 has one pod that matches, n2 has none and no room (a pod of higher priority fills it). A
// pod with the constraint may only go to n1 if the skew there, 2 - 0, is at most 1: the victim on n1 has to go. A pod
// that may run on n1 only is counted on n1 only, with a skew of 2 - 1: it evicts nobody.
TEST_CASE("prove: a pod whose spread constraint counts allowed nodes is a counterexample only as it is", "[prove]") {
  const auto spread = [](std::string_view more) {
    return fmt::format(
        "  topologySpreadConstraints: [{{topologyKey: kubernetes.io/hostname, maxSkew: 1, whenUnsatisfiable: "
        "DoNotSchedule{}, labelSelector: {{matchLabels: {{app: victim}}}}}}]\n  containers: [{{name: main}}]\n",
        more);
  };
  const std::string full =
      a_pod_with("full", "n2", "  containers: [{name: main, resources: {requests: {cpu: \"8\"}}}]\n", 2'000'000'000);
  const auto documents = [&](std::string_view more) {
    std::string like = a_pod_with("like", "", spread(more));
    like.replace(like.find("app: like"), 9, "app: victim");
    return std::vector<std::string>{a_big_node("n1"), a_big_node("n2"), a_pod_with("victim", "n1", std::string(kPlain)),
                                    full, like};
  };
  const auto least_cpu = [](test::TestCluster& cluster) {
    Space space = space_like(cluster, {"like"});
    space.requests[0].least = 100;
    space.priorities.most = 1'000'000'000;
    return space;
  };
  for (const std::string_view more : {"", ", nodeAffinityPolicy: Ignore"}) {
    INFO(more);
    const auto cluster = test::a_cluster(documents(more));
    const Proof proof = proof_of(*cluster, least_cpu(*cluster), never("x/victim"));
    REQUIRE(proof.broken);
    CHECK(proof.broken->node.empty());
    const Verdict verdict = explained_manifest(documents(more), *proof.broken);
    CHECK(verdict.outcome == Outcome::preempts);
    CHECK(verdict.node == "n1");
  }
  // With room on n2, the scheduler takes n2: nobody is evicted, and no pod that is pinned to n1 shows more.
  auto roomy = documents("");
  roomy.erase(roomy.begin() + 3);
  const auto cluster = test::a_cluster(roomy);
  const Proof proof = proof_of(*cluster, least_cpu(*cluster), never("x/victim"));
  REQUIRE(proof.doubt);
  CHECK(proof.doubt->first == Doubt::choice_of_node);
}

// The selector of the form excludes the node of the victim.
TEST_CASE("prove: pods that may not run on the node of a pod never evict it", "[prove]") {
  const auto cluster =
      test::a_cluster({a_big_node("n1"), a_big_node("n2"), a_pod_with("victim", "n1", std::string(kPort)),
                       a_pod_with("like", "", "  nodeSelector: {kubernetes.io/hostname: n2}\n" + std::string(kPort))});
  const Proof proof = proof_of(*cluster, space_like(*cluster, {"like"}), never("x/victim"));
  CHECK(words(proof) == "proved");
  REQUIRE(proof.forms.size() == 1);
  CHECK(proof.forms.front().nodes == 1);
}

TEST_CASE("prove: a statement about pods that may run nowhere is an error", "[prove]") {
  const auto cluster =
      test::a_cluster({a_big_node("n1"), a_pod_with("victim", "n1", std::string(kPort)),
                       a_pod_with("like", "", "  nodeSelector: {kubernetes.io/hostname: z}\n" + std::string(kPort))});
  Question question;
  const Space space = space_like(*cluster, {"like"});
  question.now = space.from;
  const auto proof = prove({.engine = kube(),
                            .objects = cluster->objects,
                            .cluster = *cluster->snapshot,
                            .question = question,
                            .space = space,
                            .make = never("x/victim")});
  REQUIRE_FALSE(proof);
  CHECK(proof.error().message == "no pod like x/like may run on a node, so there is nothing to prove");
}

// Labels that no selector reads, images, preferences and amounts of cpu do not make a form; a host port, a read label
// and a volume do. A pod of a DaemonSet stands for those on all nodes.
TEST_CASE("prove: pods that differ in nothing that decides have one form", "[prove]") {
  const std::string daemon =
      ", ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: d, uid: d, controller: true}]";
  const auto pinned = [](const std::string& node) {
    return fmt::format(
        "  affinity: {{nodeAffinity: {{requiredDuringSchedulingIgnoredDuringExecution: {{nodeSelectorTerms: "
        "[{{matchFields: [{{key: metadata.name, operator: In, values: [{}]}}]}}]}}}}}}\n{}",
        node, kPlain);
  };
  const auto cluster = test::a_cluster(
      {a_big_node("n1"), a_pod_with("a", "n1", std::string(kPlain)),
       a_pod_with("b", "n1", "  containers: [{name: other, image: i, resources: {requests: {cpu: \"2\"}}}]\n", 7),
       a_pod_with("port", "n1", std::string(kPort)), a_pod_with("d1", "n1", pinned("n1"), 0, daemon),
       a_pod_with("d2", "n2", pinned("n2"), 0, daemon)});
  const std::vector<Form> forms = space_like(*cluster, {"a", "b", "port", "d1", "d2"}).forms;
  REQUIRE(forms.size() == 2);
  CHECK(forms[0].pods == 4);
  CHECK(forms[1].name == "x/port");
  CHECK(traits_of(forms[1], cluster->objects.symbols) == std::vector<std::string>{"host port 80"});

  const auto read = test::a_cluster(
      {a_big_node("n1"), a_pod_with("a", "n1", std::string(kPlain)), a_pod_with("b", "n1", std::string(kPlain)),
       a_pod_with("keeps", "n1",
                  "  affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: "
                  "kubernetes.io/hostname, labelSelector: {matchLabels: {app: a}}}]}}\n" +
                      std::string(kPlain))});
  CHECK(space_like(*read, {"a", "b"}).forms.size() == 2);
}

// It is not known where the volume is, because the input has no PersistentVolumeClaims.
TEST_CASE("prove: what is not known of volumes leaves a statement open", "[prove]") {
  const std::string with_claim = "  volumes: [{name: v, persistentVolumeClaim: {claimName: c}}]\n" + std::string(kPort);
  const auto cluster = test::a_cluster(
      {a_big_node("n1"), a_pod_with("victim", "n1", std::string(kPort)), a_pod_with("like", "", with_claim)});
  cluster->objects.listed.erase("PersistentVolumeClaim");
  const Proof proof = proof_of(*cluster, space_like(*cluster, {"like"}), never("x/victim"));
  CHECK(words(proof) == "unknown");
}

}  // namespace previct::prove
