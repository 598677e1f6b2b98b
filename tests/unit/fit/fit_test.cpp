#include "fit/fit.h"

#include "analysis/changes.h"
#include "golden/cases.h"
#include "overlay/overlay.h"
#include "support/cluster.h"
#include "support/input.h"
#include "support/owned.h"
#include "tell/tell.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace previct::test {
namespace {

using fit::Fit;
using fit::Limits;

auto engine_named(std::string_view name) -> const Engine& {
  for (const Engine* engine : engines()) {
    if (engine->name() == name) return *engine;
  }
  FAIL("no such engine");
  return *engines().front();
}

auto fit_of(TestCluster& cluster, const std::string& pod, Limits limits = {}, std::uint32_t replicas = 0,
            std::string_view plugin = "off") -> Fit {
  const std::size_t slash = pod.find('/');
  Question question;
  question.ns = pod.substr(0, slash);
  question.name = pod.substr(slash + 1);
  question.now = parse_instant("2026-03-02T12:00:00Z").value();
  question.toleration_plugin = plugin;
  const PodId id = cluster.snapshot->find_pod(question.ns, question.name);
  REQUIRE(static_cast<bool>(id));
  const Stores before = cluster.objects;
  auto found = fit::fit({.objects = cluster.objects,
                         .cluster = *cluster.snapshot,
                         .engine = engine_named("kube"),
                         .engine_name = "kube",
                         .question = question,
                         .pod = id,
                         .limits = limits,
                         .replicas = replicas});
  CHECK(changes_between(before, cluster.objects).empty());
  if (!found) FAIL(found.error().message);
  return *std::move(found);
}

// Returns `request: cpu 2 -> 1 | fits on a, b`, one line per remedy.
auto lines_of(const Fit& found) -> std::vector<std::string> {
  std::vector<std::string> lines;
  for (const fit::Solution& solution : found.solutions) {
    std::string line;
    for (const fit::Step& step : solution.steps) {
      line += fmt::format("{}{}: {}", line.empty() ? "" : " + ", fit::kind_name(step.kind), step.what);
    }
    lines.push_back(
        fmt::format("{} | {} on {}", line, outcome_name(solution.decision.outcome), fmt::join(solution.nodes, ", ")));
  }
  return lines;
}

using Lines = std::vector<std::string>;

}  // namespace

// Three pods of 1 cpu on a node of 4: two have to go for a request of 3. Those that are not ready go first.
TEST_CASE("fit: a workload is scaled down as far as it has to be", "[fit]") {
  const std::string ready =
      "  conditions: [{type: Ready, status: 'True', lastTransitionTime: '2026-03-01T00:00:00Z'}]\n";
  const auto pod = [](const std::string& name, const std::string& kind) {
    return owned(a_pod("x/" + name).on("n1").priority(5).yaml(), kind, "w");
  };
  const auto scaled = [&](const std::string& kind, const Limits& limits) {
    const auto cluster = a_cluster({a_node("n1", "4"), pod("w-0", kind), pod("w-1", kind) + ready, pod("w-2", kind),
                                    a_pod("x/p").cpu("3").yaml()});
    Lines lines;
    for (const fit::Solution& solution : fit_of(*cluster, "x/p", limits).solutions) {
      const fit::Step& step = solution.steps.front();
      if (step.kind == fit::Kind::scale) lines.push_back(fmt::format("{} | {}", step.what, step.note));
    }
    return lines;
  };
  CHECK(scaled("ReplicaSet", {}) == Lines{"ReplicaSet x/w from 3 to 1 replica | deletes x/w-0, x/w-2"});
  CHECK(scaled("StatefulSet", {}) == Lines{"StatefulSet x/w from 3 to 1 replica | deletes x/w-1, x/w-2"});
  CHECK(scaled("Job", {}).empty());
  CHECK(scaled("ReplicaSet", {.victims = false}).empty());
}

TEST_CASE("fit: a decision counts if all that it may evict is within the limits", "[fit]") {
  const auto counts = [](const Verdict& verdict) {
    return std::vector<bool>{fit::is_schedulable_within(verdict, {}),
                             fit::is_schedulable_within(verdict, {.violations = false}),
                             fit::is_schedulable_within(verdict, {.victims = false})};
  };
  Verdict verdict;
  verdict.outcome = Outcome::pending;
  CHECK(counts(verdict) == std::vector{false, false, false});
  verdict.outcome = Outcome::fits;
  CHECK(counts(verdict) == std::vector{true, true, true});
  verdict.outcome = Outcome::preempts;
  CHECK(counts(verdict) == std::vector{true, true, false});
  verdict.pdb_violations = 1;
  CHECK(counts(verdict) == std::vector{true, false, false});
  // Of several nodes, none may cost a violation.
  verdict.odds.emplace();
  verdict.odds->nodes.resize(2);
  CHECK(counts(verdict) == std::vector{true, true, false});
  verdict.odds->nodes.back().pdb_violations = 1;
  CHECK(counts(verdict) == std::vector{true, false, false});
  // Nor may an order of equal pods.
  verdict.odds.reset();
  verdict.pdb_violations = 0;
  verdict.orders.emplace();
  verdict.orders->nodes = {Orders::OnNode{.node = "n1", .ever = {}}, Orders::OnNode{.node = "n2", .ever = {}}};
  CHECK(counts(verdict) == std::vector{true, true, false});
  verdict.orders->nodes.back().most_pdb_violations = 1;
  CHECK(counts(verdict) == std::vector{true, false, false});
}

TEST_CASE("fit: the nodes of a decision are all that may be chosen", "[fit]") {
  const auto cluster = a_cluster({a_node("n1", "1"), a_node("n2", "1"), a_node("n3", "1")});
  Verdict verdict;
  const auto nodes = [&] { return fit::nodes_of(verdict, *cluster->snapshot); };
  verdict.feasible = {NodeId{0}, NodeId{1}, NodeId{2}};
  CHECK(nodes() == Lines{"n1", "n2", "n3"});
  verdict.node = "n2";
  CHECK(nodes() == Lines{"n2"});
  verdict.tied = {NodeId{1}, NodeId{2}};
  CHECK(nodes() == Lines{"n2", "n3"});
  verdict.orders.emplace();  // too many orders to try them all
  CHECK(nodes() == Lines{"n2", "n3"});
  verdict.orders->nodes = {Orders::OnNode{.node = "n3", .ever = {}}, Orders::OnNode{.node = "n1", .ever = {}}};
  CHECK(nodes() == Lines{"n3", "n1"});
}

TEST_CASE("fit: proposes at most three workloads to scale", "[fit]") {
  // Each of the workloads has one pod of 1 CPU, and to delete one is enough.
  const auto scaled = [](int workloads) {
    std::vector<std::string> objects = {a_node("n1", std::to_string(workloads)), a_pod("x/p").yaml()};
    for (int i = 1; i <= workloads; ++i)
      objects.push_back(
          owned(a_pod(fmt::format("x/w{}-0", i)).on("n1").priority(5).yaml(), "ReplicaSet", fmt::format("w{}", i)));
    const Fit found = fit_of(*a_cluster(objects), "x/p");
    return std::count_if(found.solutions.begin(), found.solutions.end(),
                         [](const fit::Solution& solution) { return solution.steps.front().kind == fit::Kind::scale; });
  };
  CHECK(scaled(2) == 2);
  CHECK(scaled(3) == 3);
  CHECK(scaled(5) == 3);
}

// deployment/sync.go scale() sets the replicas of the ReplicaSet again; what an operator or a Rollout does is not
// known.
TEST_CASE("fit: scales the controller at the top", "[fit]") {
  const auto pod = [](const std::string& name) {
    return owned(a_pod("x/" + name).on("n1").priority(5).yaml(), "ReplicaSet", "w-1");
  };
  const auto set = [](const std::string& name, const std::string& kind) {
    return fmt::format(
        "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {{namespace: x, name: {}, ownerReferences: "
        "[{{apiVersion: v1, kind: {}, name: w, uid: u, controller: true}}]}}\nspec: {{replicas: 3}}\n",
        name, kind);
  };
  const auto scaled = [&](const std::vector<std::string>& more) {
    std::vector<std::string> objects = {a_node("n1", "4"), pod("a"), pod("b"), pod("c"), a_pod("x/p").cpu("3").yaml()};
    objects.insert(objects.end(), more.begin(), more.end());
    const auto cluster = a_cluster(objects);
    const Fit found = fit_of(*cluster, "x/p");
    Lines lines;
    for (const fit::Solution& solution : found.solutions) {
      const fit::Step& step = solution.steps.front();
      if (step.kind == fit::Kind::scale) lines.push_back(fmt::format("{} | {}", step.what, step.note));
    }
    for (const std::string& each : found.not_searched) {
      if (each.starts_with("scaling ")) lines.push_back(each);
    }
    return lines;
  };
  CHECK(scaled({set("w-1", "Deployment")}) == Lines{"Deployment x/w from 3 to 1 replica | deletes x/a, x/b"});
  CHECK(scaled({set("w-1", "Deployment"), set("w-2", "Deployment")}).empty());  // it divides its replicas
  CHECK(scaled({set("w-1", "Rollout")}) ==
        Lines{"scaling ReplicaSet x/w-1 of Rollout x/w, whose replicas its owner sets"});
  const std::string autoscaler =
      "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {namespace: x, name: w}\n";
  CHECK(scaled({autoscaler}) == Lines{"ReplicaSet x/w-1 from 3 to 1 replica | deletes x/a, x/b; lasts only if no "
                                      "HorizontalPodAutoscaler of the input scales it up again"});
}

// Two equal pods on two nodes: which of them is deleted is not known, and either is enough.
TEST_CASE("fit: says that fewer deleted pods may be enough", "[fit]") {
  const auto pod = [](const std::string& node) {
    return owned(a_pod("x/on-" + node).on(node).priority(5).cpu("3").yaml(), "ReplicaSet", "w");
  };
  const auto cluster =
      a_cluster({a_node("n1", "4"), a_node("n2", "4"), pod("n1"), pod("n2"), a_pod("x/p").cpu("2").yaml()});
  const Fit found = fit_of(*cluster, "x/p");
  const auto scale = std::find_if(found.solutions.begin(), found.solutions.end(), [](const fit::Solution& each) {
    return each.steps.front().kind == fit::Kind::scale;
  });
  REQUIRE(scale != found.solutions.end());
  CHECK(scale->steps.front().what == "ReplicaSet x/w from 2 to 0 replicas");
  CHECK(scale->steps.front().note ==
        "deletes x/on-n1, x/on-n2; 1 replica may be enough, but it is not known which pods would be deleted");
}

TEST_CASE("fit: the largest request that fits is exact", "[fit]") {
  // 4000m - 2750m and 4000m - 1501m are free; no running pod could be moved to the other node.
  const auto cluster =
      a_cluster({a_node("n1", "4"), a_node("n2", "4"), a_pod("x/a").on("n1").priority(5).cpu("2750m").yaml(),
                 a_pod("x/b").on("n2").priority(5).cpu("1501m").yaml(), a_pod("x/p").cpu("3").yaml()});
  const Fit found = fit_of(*cluster, "x/p", {.victims = false});
  REQUIRE_FALSE(found.solutions.empty());
  CHECK(lines_of(found).front() == "request: cpu 3 -> 2499m | fits on n2");
  CHECK(found.solutions.front().steps.front().field == "spec.containers[0].resources.requests[\"cpu\"]");
}

TEST_CASE("fit: proposes at most three nodes to add", "[fit]") {
  // The pod would fit on another node like any of the five.
  std::vector<std::string> objects = {a_pod("x/p").cpu("2").yaml()};
  for (int i = 1; i <= 5; ++i) {
    const std::string name = fmt::format("n{}", i);
    objects.push_back(a_node(name, std::to_string(3 + i)));
    objects.push_back(a_pod("x/on-" + name).on(name).priority(50).cpu(std::to_string(3 + i)).yaml());
  }
  const auto cluster = a_cluster(objects);
  const Lines lines = lines_of(fit_of(*cluster, "x/p", {.victims = false}));
  CHECK(std::count_if(lines.begin(), lines.end(), [](const std::string& line) { return line.starts_with("node: "); }) ==
        3);
}

TEST_CASE("fit: finds a pod with anti-affinity over a zone, even on a node that the pod may not use", "[fit]") {
  const auto node = [](const std::string& name, const std::string& spec) {
    return fmt::format(
        "apiVersion: v1\nkind: Node\nmetadata: {{name: {}, labels: {{zone: z}}}}\nspec: {}\n"
        "status: {{allocatable: {{cpu: \"4\", memory: 16Gi, pods: \"110\"}}}}\n",
        name, spec);
  };
  const auto cluster = a_cluster(
      {node("n1", "{taints: [{key: a, effect: NoSchedule}]}"), node("n2", "{}"),
       a_pod("x/w").on("n1").priority(50).labels("{app: web}").yaml(), a_pod("x/other").on("n1").priority(50).yaml(),
       a_pod("x/p")
           .priority(5)
           .spec("affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                 "[{topologyKey: zone, labelSelector: {matchLabels: {app: web}}}]}}")
           .yaml()});
  const Lines lines = lines_of(fit_of(*cluster, "x/p"));
  CHECK(std::count(lines.begin(), lines.end(), "delete: x/w | fits on n2") == 1);
  CHECK(std::none_of(lines.begin(), lines.end(),
                     [](const std::string& line) { return line.starts_with("delete: x/other"); }));
}

TEST_CASE("fit: names each obstacle of a pod on a node", "[fit]") {
  struct Example {
    std::string spec;  // of the pod
    std::string solution;
  };
  // n1 has free resources and label zone=z; w with label app=web runs there.
  const Example example = GENERATE(
      Example{"nodeSelector: {zone: q}", "node-selector: without zone=q | fits on n1"},
      Example{"affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
              "[{matchExpressions: [{key: zone, operator: In, values: [z]}, {key: disk, operator: Exists}]}]}}}",
              "node-affinity: without disk Exists | fits on n1"},
      Example{"affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
              "[{matchExpressions: [{key: disk, operator: Exists}]}]}}}",
              "node-affinity: without disk Exists | fits on n1"},
      Example{"affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
              "[{topologyKey: zone, labelSelector: {matchLabels: {app: db}}}]}}",
              "pod-affinity: without app=db by zone | fits on n1"},
      Example{"affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
              "[{topologyKey: zone, labelSelector: {matchLabels: {app: web}}}]}}",
              "pod-anti-affinity: without app=web by zone | fits on n1"},
      Example{"topologySpreadConstraints: [{maxSkew: 1, topologyKey: rack, whenUnsatisfiable: DoNotSchedule, "
              "labelSelector: {matchLabels: {app: p}}}]",
              "topology-spread: without maxSkew 1 by rack | fits on n1"},
      Example{"schedulingGates: [{name: wait-for-me}]", "scheduling-gate: without wait-for-me | fits on n1"});
  const auto cluster =
      a_cluster({"apiVersion: v1\nkind: Node\nmetadata: {name: n1, labels: {zone: z}}\n"
                 "status: {allocatable: {cpu: \"4\", memory: 16Gi, pods: \"110\"}}\n",
                 a_pod("x/w").on("n1").priority(5).labels("{app: web}").yaml(),
                 a_pod("x/p").labels("{app: p}").spec(example.spec).yaml()});
  INFO(example.spec);
  const Lines lines = lines_of(fit_of(*cluster, "x/p", {.victims = false}));
  CHECK(std::find(lines.begin(), lines.end(), example.solution) != lines.end());
}

TEST_CASE("fit: a pod that fits needs no change, and nothing is tried", "[fit]") {
  const auto cluster = a_cluster({a_node("n1", "4"), a_pod("x/p").yaml()});
  const Fit found = fit_of(*cluster, "x/p");
  CHECK(found.in);
  CHECK(found.solutions.empty());
  CHECK(found.tried == 0);
}

TEST_CASE("fit: waiting comes last, and makes the pod schedulable only by preemption", "[fit]") {
  // Class low tolerates for 10 minutes from 11:55 on, so until 12:05.
  const auto cluster = a_cluster(
      {a_node("n1", "4"), a_class("high", 9000),
       a_class("low", 8000,
               "{preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority: \"10000\", "
               "preemption-toleration.scheduling.x-k8s.io/toleration-seconds: \"600\"}"),
       a_pod("x/v").on("n1").priority_class("low").priority(8000).cpu("4").scheduled("2026-03-02T11:55:00Z").yaml(),
       a_pod("x/p").priority_class("high").priority(9000).cpu("2").yaml()});
  const Lines lines = lines_of(fit_of(*cluster, "x/p", {}, 0, "on"));
  REQUIRE_FALSE(lines.empty());
  CHECK(lines.front() == "wait: until 12:05:00 (in 5m) | preempts on n1");
  // 10000 reaches the minimum of the class.
  CHECK(std::find(
            lines.begin(), lines.end(),
            "priority: class high (9000) -> a new class with value 10000, the lowest that helps | preempts on n1") !=
        lines.end());
  for (const std::string& line : lines_of(fit_of(*cluster, "x/p", {.victims = false}, 0, "on"))) {
    CHECK_FALSE(line.starts_with("wait"));
  }
}

TEST_CASE("fit: three selectors that no node has are reported together, and nothing else", "[fit]") {
  const auto cluster =
      a_cluster({a_node("n1", "4"), a_pod("x/p").spec("nodeSelector: {a: \"1\", b: \"1\", c: \"1\"}").yaml()});
  CHECK(lines_of(fit_of(*cluster, "x/p")) ==
        Lines{"node-selector: without a=1 + node-selector: without b=1 + node-selector: without c=1 | fits on n1"});
}

TEST_CASE("fit: reports obstacles that no change removes", "[fit]") {
  const auto cluster = a_cluster(
      {a_node("n1", "4"), a_pod("x/p").spec("volumes: [{name: v, persistentVolumeClaim: {claimName: lost}}]").yaml()});
  const Fit found = fit_of(*cluster, "x/p");
  CHECK(found.solutions.empty());
  REQUIRE(found.blocked);
  CHECK(found.blocked->why.find("lost") != std::string::npos);
}

TEST_CASE("fit: a ResourceQuota limits the number of copies", "[fit]") {
  // Two pods are allowed, and the pod is one of them. Source: resourcequota/controller.go checkRequest.
  const auto quota = [](const std::string& used) {
    return "apiVersion: v1\nkind: ResourceQuota\nmetadata: {namespace: x, name: q}\nspec: {hard: {pods: 2}}\nstatus: "
           "{hard: {pods: 2}, used: {pods: " +
           used + "}}\n";
  };
  const auto two = a_cluster({a_node("n", "9"), a_pod("x/p").yaml(), quota("1")});
  const Fit found = fit_of(*two, "x/p", {}, 5);
  REQUIRE(found.replicas);
  CHECK(found.replicas->copies.size() == 2);
  CHECK(found.replicas->ending ==
        "would be refused by the API server: ResourceQuota q is exceeded: 1 requested, 2 in use, limited to 2 of pods");
  const auto other = a_cluster({a_node("n", "9"), a_pod("z/p").yaml(), quota("2")});
  CHECK(fit_of(*other, "z/p", {}, 5).replicas->copies.size() == 5);
}

TEST_CASE("fit: a pod that cannot be evicted, or is not recreated, gets a note", "[fit]") {
  const std::string running = a_pod("x/q").on("n1").priority(9).cpu("2").labels("{app: q}").yaml();
  const auto note_of = [&](const std::string& budget, Limits limits = {}, const std::string& more_status = "") {
    std::vector<std::string> documents = {a_node("n1", "4"), a_node("n2", "2"), running + more_status,
                                          a_pod("x/p").priority(9).cpu("4").yaml()};
    if (!budget.empty()) documents.push_back(budget);
    const auto cluster = a_cluster(documents);
    const Fit found = fit_of(*cluster, "x/p", limits);
    for (const fit::Solution& solution : found.solutions) {
      if (solution.steps.front().kind == fit::Kind::move) return solution.steps.front().note;
    }
    return std::string("not offered");
  };
  CHECK(note_of("") == "no owner, so not recreated");
  CHECK(note_of(a_budget("x/b", "q", 1)) == "no owner, so not recreated");
  const std::string none = a_budget("x/b", "q", 0);
  CHECK(note_of(none) == "PDB x/b refuses its eviction; no owner, so not recreated");
  CHECK(note_of(none, {.victims = true, .violations = false}) == "not offered");
  // The API server evicts a pod that is not ready, if the budget says so, and refuses to evict one of two budgets.
  CHECK(note_of("apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {namespace: x, name: b}\nspec: "
                "{selector: {matchLabels: {app: q}}, unhealthyPodEvictionPolicy: AlwaysAllow}\nstatus: "
                "{disruptionsAllowed: 0}\n",
                {}, "  conditions: [{type: Ready, status: 'False'}]\n") == "no owner, so not recreated");
  CHECK(note_of(a_budget("x/b", "q", 1) + "---\n" + a_budget("x/c", "q", 1)) ==
        "its eviction is refused, because 2 PDBs select it; no owner, so not recreated");
}

TEST_CASE("fit: a move to a node that is not ready says so", "[fit]") {
  const std::string unready =
      "apiVersion: v1\nkind: Node\nmetadata: {name: n2}\nstatus: {allocatable: {cpu: 2, memory: 16Gi, pods: 110}, "
      "conditions: [{type: Ready, status: 'False'}]}\n";
  const auto cluster = a_cluster({a_node("n1", "4"), unready, a_pod("x/q").on("n1").priority(9).cpu("2").yaml(),
                                  a_pod("x/p").priority(9).cpu("4").yaml()});
  const Lines lines = lines_of(fit_of(*cluster, "x/p"));
  CHECK(std::find(lines.begin(), lines.end(),
                  "move: x/q to another node (it fits on n2, which is not ready) | fits on n1") != lines.end());
}

TEST_CASE("fit: a pod is moved only to a node that still has capacity after the other pod is placed", "[fit]") {
  // p requests 3; n1 has 1 free, n2 has 1.
  const std::vector<std::string> objects = {a_node("n1", "4"),
                                            a_node("n2", "4"),
                                            a_pod("x/a").on("n1").priority(5).cpu("3").yaml(),
                                            a_pod("x/b").on("n2").priority(5).cpu("2").yaml(),
                                            a_pod("x/c").on("n2").priority(5).cpu("1").yaml(),
                                            a_pod("x/p").cpu("3").yaml()};
  const auto cluster = a_cluster(objects);
  const auto moves = [&](const Fit& found) {
    Lines lines;
    for (const std::string& line : lines_of(found)) {
      if (line.starts_with("move") || line.starts_with("delete")) lines.push_back(line);
    }
    return lines;
  };
  // Without b (2), n2 has 3 free, p takes them, and b does not fit into 1 on n1. Without a (3), p takes 3 of n1, and a
  // does not fit into 1.
  CHECK(moves(fit_of(*cluster, "x/p")) == Lines{"delete: x/b | fits on n2", "delete: x/a | fits on n1"});
  CHECK(moves(fit_of(*cluster, "x/p", {.victims = false})).empty());
  // With one more node that fits b, but not p.
  std::vector<std::string> roomier = objects;
  roomier.push_back(a_node("n3", "2"));
  const auto larger = a_cluster(roomier);
  CHECK(moves(fit_of(*larger, "x/p", {.victims = false})) ==
        Lines{"move: x/b to another node (it fits on n3) | fits on n2"});
}

TEST_CASE("fit: a running pod is resized in place, by no more than is missing", "[fit]") {
  // 4 - 3 = 1 is free and 2 are requested, so x/a must release 1. x/b holds less than that.
  const auto cluster = a_cluster({a_node("n1", "4"), a_pod("x/a").on("n1").priority(5).cpu("2500m").yaml(),
                                  a_pod("x/b").on("n1").priority(1).cpu("500m").yaml(), a_pod("x/p").cpu("2").yaml()});
  const Lines lines = lines_of(fit_of(*cluster, "x/p", {.victims = false}));
  const auto resized = [](const std::string& line) { return line.starts_with("resize"); };
  CHECK(std::count_if(lines.begin(), lines.end(), resized) == 1);
  CHECK(std::find(lines.begin(), lines.end(), "resize: x/a: cpu 2500m -> 1500m | fits on n1") != lines.end());
}

TEST_CASE("fit: no pod is resized if its kubelet cannot, or if something else is missing", "[fit]") {
  const auto none = [](const Lines& lines) {
    return std::none_of(lines.begin(), lines.end(), [](const std::string& l) { return l.starts_with("resize"); });
  };
  std::string old = a_node("n1", "4");
  old.replace(old.find("status:"), 7, "status:\n  nodeInfo: {kubeletVersion: v1.32.9}");
  const auto before_resize =
      a_cluster({old, a_pod("x/a").on("n1").priority(5).cpu("3").yaml(), a_pod("x/p").cpu("2").yaml()});
  CHECK(none(lines_of(fit_of(*before_resize, "x/p", {.victims = false}))));
  // It would have to release everything, which would change its QoS class.
  const auto all_of_it =
      a_cluster({a_node("n1", "4"), a_pod("x/a").on("n1").priority(5).cpu("3").yaml(), a_pod("x/p").cpu("4").yaml()});
  CHECK(none(lines_of(fit_of(*all_of_it, "x/p", {.victims = false}))));
}

TEST_CASE("fit: a new node has the daemons of nodes like it", "[fit]") {
  // A new n1 has 4 - 1 of the daemon = 3 for p, which requests 3; p2 requests 4 and fits on no new node.
  const std::string daemon =
      "apiVersion: v1\nkind: Pod\nmetadata: {namespace: x, name: d-1, ownerReferences: [{kind: DaemonSet, name: d, "
      "uid: u}]}\n"
      "spec: {nodeName: n1, priority: 5, containers: [{name: c, resources: {requests: {cpu: \"1\"}}}]}\nstatus: "
      "{phase: Running}\n";
  const auto cluster = a_cluster({a_node("n1", "4"), daemon, a_pod("x/a").on("n1").priority(5).cpu("3").yaml(),
                                  a_pod("x/p").cpu("3").yaml(), a_pod("x/p2").cpu("4").yaml()});
  const auto has_node = [](const Fit& found) {
    return std::any_of(found.solutions.begin(), found.solutions.end(),
                       [](const fit::Solution& w) { return w.steps.front().kind == fit::Kind::node; });
  };
  CHECK(has_node(fit_of(*cluster, "x/p", {.victims = false})));
  CHECK_FALSE(has_node(fit_of(*cluster, "x/p2", {.victims = false})));
}

TEST_CASE("fit: a budget is raised only if budgets matter", "[fit]") {
  // Two pods of the budget fill the node, and p needs the eviction of both: 2 instead of 0 disruptions.
  const auto cluster = a_cluster({a_node("n1", "4"), a_budget("x/guard", "a", 0),
                                  a_pod("x/v1").on("n1").priority(1).cpu("2").labels("{app: a}").yaml(),
                                  a_pod("x/v2").on("n1").priority(1).cpu("2").labels("{app: a}").yaml(),
                                  a_pod("x/p").priority(5).cpu("4").yaml()});
  CHECK(fit_of(*cluster, "x/p").in);
  const Lines lines = lines_of(fit_of(*cluster, "x/p", {.victims = true, .violations = false}));
  CHECK(std::find(lines.begin(), lines.end(), "budget: x/guard allows 0 -> 2 | preempts on n1") != lines.end());
}

TEST_CASE("fit: copies are placed in order until the next one does not fit", "[fit]") {
  // n1 has 4 free: two copies of 2. On n2, v1 (2) and v2 (1) of lower priority run and 1 is free: one more copy if v1
  // is evicted, which is the only victim after v2 (more important) is reprieved; then 1 is free and v2 can be evicted:
  // 2, one more copy. No fifth copy fits.
  const auto cluster =
      a_cluster({a_node("n1", "4"), a_node("n2", "4"), a_pod("x/v1").on("n2").priority(1).cpu("2").yaml(),
                 a_pod("x/v2").on("n2").priority(2).cpu("1").yaml(), a_pod("x/p").priority(5).cpu("2").yaml()});
  const Fit found = fit_of(*cluster, "x/p", {}, 10);
  REQUIRE(found.replicas);
  const auto& copies = found.replicas->copies;
  REQUIRE(copies.size() == 4);
  CHECK(copies[0].node == "n1");
  CHECK(copies[1].node == "n1");
  CHECK(copies[1].victims.empty());
  CHECK(copies[2].node == "n2");
  CHECK(copies[2].victims == Lines{"x/v1"});
  CHECK(copies[3].victims == Lines{"x/v2"});
  CHECK(found.replicas->ending.starts_with("stays pending"));
  const Fit free = fit_of(*cluster, "x/p", {.victims = false}, 10);
  CHECK(free.replicas->copies.size() == 2);
  CHECK(fit_of(*cluster, "x/p", {}, 3).replicas->copies.size() == 3);
}

// Each pod of a StatefulSet has its own claim, and two local volumes are free.
TEST_CASE("fit: a copy cannot use a volume that another copy takes", "[fit]") {
  std::vector<std::string> documents = {
      a_node("n1", "16"),
      "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {name: s}\nprovisioner: "
      "kubernetes.io/no-provisioner\nvolumeBindingMode: WaitForFirstConsumer\n",
      "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {namespace: x, name: data-db-0}\nspec: {accessModes: "
      "[ReadWriteOnce], storageClassName: s, resources: {requests: {storage: 1Gi}}}\nstatus: {phase: Pending}\n",
      owned(a_pod("x/db-0").spec("volumes: [{name: data, persistentVolumeClaim: {claimName: data-db-0}}]").yaml(),
            "StatefulSet", "db")};
  for (const char* name : {"v", "w"})
    documents.push_back(fmt::format(
        "apiVersion: v1\nkind: PersistentVolume\nmetadata: {{name: {}}}\nspec: {{capacity: {{storage: 1Gi}}, "
        "accessModes: [ReadWriteOnce], storageClassName: s}}\nstatus: {{phase: Available}}\n",
        name));
  const auto cluster = a_cluster(documents);
  const Fit found = fit_of(*cluster, "x/db-0", {}, 4);
  REQUIRE(found.replicas);
  CHECK(found.replicas->copies.size() == 2);
  CHECK(found.replicas->ending.starts_with("stays pending"));
}

// Claims of templates exist once for each pod, so that two devices serve two copies; all copies share a named claim.
TEST_CASE("fit: copies have their own claims of templates", "[fit]") {
  const std::string devices =
      "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu}\n---\n"
      "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec: {driver: d, nodeName: n1, pool: "
      "{name: n1, generation: 1, resourceSliceCount: 1}, devices: [{name: d0}, {name: d1}]}\n---\n"
      "apiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {namespace: x, name: t}\nspec: {spec: "
      "{devices: {requests: [{name: r, exactly: {deviceClassName: gpu}}]}}}\n";
  const std::string claim =
      "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {namespace: x, name: c, ownerReferences: [{kind: "
      "Pod, name: p, uid: uid-x-p, controller: true}]}\nspec: {devices: {requests: [{name: r, exactly: "
      "{deviceClassName: gpu}}]}}\n";
  const auto placed = [&](const std::string& spec, const std::string& status) {
    const auto cluster = a_cluster({a_node("n1", "16"), devices, claim, a_pod("x/p").spec(spec).yaml() + status});
    const Fit found = fit_of(*cluster, "x/p", {}, 4);
    REQUIRE(found.replicas);
    return found.replicas->copies.size();
  };
  CHECK(placed("resourceClaims: [{name: g, resourceClaimTemplateName: t}]",
               "  resourceClaimStatuses: [{name: g, resourceClaimName: c}]\n") == 2);
  CHECK(placed("resourceClaims: [{name: g, resourceClaimName: c}]", "") == 4);
}

// The new pod of the ReplicaSet has a higher priority than p, and fits only on the same node.
// The node has 4 CPUs, all of them in use, and p needs 2. PreemptPod of kube-scheduler deletes no pod that is
// terminating, and the kubelet does not stop a static pod when its mirror is deleted (tryReconcileMirrorPods); v1.35.
TEST_CASE("fit: neither static pods nor pods past their grace periods are evicted, moved or resized", "[fit]") {
  const auto changes = [](const std::string& user, int priority) {
    const auto cluster = a_cluster({a_node("n1", "4"), user, a_pod("x/p").cpu("2").priority(priority).yaml()});
    const Fit found = fit_of(*cluster, "x/p");
    CHECK_FALSE(found.in);
    CHECK(found.in_vain.size() == (priority > 0 ? 1 : 0));
    Lines lines;
    for (const fit::Solution& solution : found.solutions) {
      const fit::Step& step = solution.steps.front();
      if (step.kind != fit::Kind::node) lines.push_back(fmt::format("{}: {}", fit::kind_name(step.kind), step.what));
    }
    return lines;
  };
  const auto user = a_pod("x/q").on("n1").cpu("4");
  std::string mirror = user.yaml();
  mirror.replace(mirror.find("  uid:"), 0, "  annotations: {kubernetes.io/config.mirror: h}\n");
  for (const int priority : {0, 9}) {
    CHECK(changes(mirror, priority).empty());
    CHECK(changes(PodBuilder(user).deleting("2026-03-02T11:00:00Z").yaml(), priority) ==
          Lines{"delete: x/q with --force"});
  }
  // It ends in a minute, without any change.
  CHECK(changes(PodBuilder(user).deleting("2026-03-02T12:01:00Z").yaml(), 0) == Lines{"wait: until 12:01:00 (in 1m)"});
}

TEST_CASE("fit: a pod is not deleted if its controller's new pod takes the node first", "[fit]") {
  const auto changes = [](int priority) {
    const auto cluster = a_cluster({a_node("n1", "4"),
                                    owned(a_pod("x/v").on("n1").priority(priority).cpu("4").yaml(), "ReplicaSet", "v"),
                                    a_pod("x/p").priority(1000).cpu("4").never_preempts().yaml()});
    Lines found;
    for (const fit::Solution& solution : fit_of(*cluster, "x/p").solutions) {
      const fit::Step& step = solution.steps.front();
      if (step.kind == fit::Kind::remove || step.kind == fit::Kind::move)
        found.push_back(fmt::format("{} {} | {}", fit::kind_name(step.kind), step.what, step.note));
    }
    return found;
  };
  CHECK(changes(5000).empty());
  CHECK(changes(1000).empty());
  CHECK(changes(500) == Lines{"delete x/v | its controller creates a new pod"});
}

// Compares the result of the search with the answers of --request for the same amounts.
TEST_CASE("fit: the largest request is right on dumps of real clusters", "[fit]") {
  std::size_t checked = 0;
  for (const Case& c : cases_in_fixtures()) {
    if (c.family() != "kube" || checked >= 60) continue;
    Objects objects;
    const auto read = read_text(text_of(c.folder / "dump.yaml"), objects);
    if (!read) continue;
    const Json asked = json_of(c.folder / "case.json");
    const Question base = question_of(c, asked, objects);
    std::vector<PodId> pending;
    {
      const Snapshot cluster(objects);
      for (const PodId id : cluster.pods().ids()) {
        if (cluster.pending(id)) pending.push_back(id);
      }
    }
    if (pending.size() != 1) continue;
    Question question = base;
    question.ns = objects.symbols.text(objects.pods[pending.front()].meta.ns);
    question.name = objects.symbols.text(objects.pods[pending.front()].meta.name);
    const Snapshot before(objects);
    const fit::Task task{.objects = objects,
                         .cluster = before,
                         .engine = engine_named("kube"),
                         .engine_name = "kube",
                         .question = question,
                         .pod = pending.front()};
    const auto found = fit::fit(task);
    if (!found) continue;
    for (const fit::Solution& solution : found->solutions) {
      const fit::Step& step = solution.steps.front();
      if (solution.steps.size() != 1 || step.kind != fit::Kind::request || step.after == "none") continue;
      const std::string resource = step.what.substr(0, step.what.find(' '));
      const auto lets_in_with = [&](std::int64_t more) {
        const Pod kept = objects.pods[pending.front()];
        const auto amount = Quantity::parse(step.after);
        REQUIRE(amount);
        const __int128 unit = resource == "cpu" ? 1'000'000 : 1'000'000'000;
        set_request(objects.pods[pending.front()].spec, objects.symbols.intern(resource),
                    Quantity::of_nanos(amount->nanos() + more * unit));
        const Snapshot cluster(objects);
        const auto answer = explain(task.engine, cluster, question);
        objects.pods[pending.front()] = kept;
        return answer && fit::is_schedulable_within(*answer, {});
      };
      INFO(c.folder << ' ' << step.what);
      CHECK(lets_in_with(0));
      CHECK_FALSE(lets_in_with(1));
      ++checked;
    }
  }
  CHECK(checked > 10);
}

TEST_CASE("fit: for a running pod, copies of it are asked about, not the pod", "[fit]") {
  // Of 4 CPUs one is used: three more copies fit.
  const auto cluster = a_cluster({a_node("n1", "4"), a_pod("x/p").on("n1").yaml()});
  const Fit found = fit_of(*cluster, "x/p", {}, 5);
  REQUIRE(found.replicas);
  CHECK(found.replicas->copies.size() == 3);
  CHECK(found.replicas->ending.starts_with("stays pending"));
}

}  // namespace previct::test
