// What each action of a cycle does with a group, and the reason it reports when it does nothing.
// Source: kai-scheduler/KAI-Scheduler: pkg/scheduler/actions (d5bc503a); spec §10 to §13.
#include "engine/kai/fairness/reclaim_victims.h"
#include "support/kai.h"
#include "support/kai_cycle.h"

#include <algorithm>

using namespace previct;
using namespace previct::test::cycles;

namespace {

// A pod that requests one GPU, running on node `on` or pending, in a group of its own.
auto gpu_pod(std::string_view name, std::string_view in, std::string_view on = "", std::string_view group_more = "",
             std::string_view priority_class = "train") -> std::string {
  return group(name, in, group_more, priority_class) +
         pod({.name = name, .group = name, .node = on, .request = kGpuEach});
}

}  // namespace

TEST_CASE("kai queue depth: -1 is no limit, and 0 crashes the scheduler at the first group that counts", "[kai]") {
  const std::string free = queue("want", 4) + node("a", 1);
  CHECK(Cluster(free + shard("queueDepthPerAction: {allocate: -1}") + gpu_pod("p", "want")).place("p") == "a");
  const Cluster none(free + shard("queueDepthPerAction: {allocate: 0}") + gpu_pod("p", "want"));
  CHECK(none.place("p").empty());
  CHECK(none.decision->cycle.crashed_in() == Action::allocate);
  // Groups of inner queues do not count.
  const Cluster inner(queue("top", 4) + queue("leaf", 4, ", parentQueue: top") + node("a", 1) +
                      shard("queueDepthPerAction: {allocate: 0}") + gpu_pod("p", "top"));
  CHECK_FALSE(inner.decision->cycle.crashed_in());
}

TEST_CASE("kai: the scheduler panics when it evicts a stale gang whose queue does not exist", "[kai]") {
  // The gang needs both of its two pods, one runs, and there is no grace period. The real scheduler (d5bc503a) evicts
  // it and then looks up its queue: nil pointer dereference in plugins/proportion deallocateHandlerFn.
  const std::string nodes = queue("want", 4) + node("a", 1) + node("b", 1);
  const auto stale = [&](std::string_view in) {
    return group("stale", in, ", minMember: 2, stalenessGracePeriod: 0s") +
           pod({.name = "stale-0", .group = "stale", .node = "a", .request = kGpuEach});
  };
  const Cluster lost(nodes + stale("nowhere") + gpu_pod("p", "want"));
  CHECK(lost.decision->cluster_info.key(lost.decision->cycle.crashed_at()) == "ml/stale");
  CHECK(lost.place("p") == "b");  // an earlier action, whose BindRequest is written before the panic
  CHECK_FALSE(Cluster(nodes + stale("want")).decision->cycle.crashed_at());
  CHECK_FALSE(Cluster(nodes + stale("nowhere") + shard("plugins: {proportion: {enabled: false}}"))
                  .decision->cycle.crashed_at());
}

TEST_CASE("kai panic: an answer with evictions is not known if the scheduler panics before it sends them", "[kai]") {
  // `p` reclaims the GPU of `holder`; in the same cycle the panic ends the process.
  const std::string reclaims = queue("want", 1) + queue("have", 0) + node("a", 1) + node("b", 1) +
                               gpu_pod("p", "want") + gpu_pod("holder", "have", "a");
  const std::string stale = group("stale", "nowhere", ", minMember: 2, stalenessGracePeriod: 0s") +
                            pod({.name = "stale-0", .group = "stale", .node = "b", .request = kGpuEach});
  const auto answer = test::AskedGroup(std::string(kTrain) + reclaims + stale, "p").explain();
  const auto decides = [](const Gap& gap) { return gap.rule == GapRule::kai_crash && gap.decides; };
  CHECK(std::any_of(answer.gaps.begin(), answer.gaps.end(), decides));
}

TEST_CASE("kai queue loop: the scheduler decides nothing if queues are their own ancestors", "[kai]") {
  // Without the loop `want` would reclaim the GPU.
  const std::string reclaims =
      queue("want", 1) + queue("have", 0) + node("a", 1) + gpu_pod("p", "want") + gpu_pod("holder", "have", "a");
  CHECK(Cluster(reclaims).evicted() == Names{"holder"});
  const std::string loop =
      queue("one", 0, ", parentQueue: two") + queue("two", 0, ", parentQueue: one") + gpu_pod("lost", "one");
  CHECK(Cluster(reclaims + loop).evicted().empty());
  const auto answer = test::AskedGroup(std::string(kTrain) + reclaims + loop, "p").explain();
  CHECK(answer.outcome == Outcome::error);
  CHECK(answer.victims.empty());
  // The scheduler does not come across the loop if its only pod has a scheduling gate.
  const std::string gated = queue("one", 0, ", parentQueue: two") + queue("two", 0, ", parentQueue: one") +
                            group("lost", "one") +
                            pod({.name = "lost", .group = "lost", .spec = ", schedulingGates: [{name: wait}]"});
  CHECK(Cluster(reclaims + gated).evicted() == Names{"holder"});
}

TEST_CASE("kai allocate: reports why a group gets no free resources", "[kai]") {
  const std::string node_a = node("a", 1);
  const std::string taken =
      node_a + queue("have", 1) + gpu_pod("holder", "have", "a", ", preemptibility: non-preemptible");
  CHECK(Cluster(queue("want", 1) + taken + gpu_pod("p", "want")).why("p", Action::allocate) == "kai.action.no-node");
  const std::string two_gpus =
      group("p", "want") + pod({.name = "p", .group = "p", .request = ", nvidia.com/gpu: \"2\""});
  CHECK(Cluster(queue("want", 2) + node_a + two_gpus).why("p", Action::allocate) == "kai.action.too-large");
  const std::string limited =
      "---\n{apiVersion: scheduling.run.ai/v2, kind: Queue, metadata: {name: want}, spec: {resources: {cpu: {quota: "
      "-1, "
      "limit: -1}, memory: {quota: -1, limit: -1}, gpu: {quota: 0, limit: 0}}}}\n";
  CHECK(Cluster(limited + node_a + gpu_pod("p", "want")).why("p", Action::allocate) == "kai.action.over-limit");
  const std::string stays = gpu_pod("p", "want", "", ", preemptibility: non-preemptible");
  CHECK(Cluster(queue("want", 0) + node_a + stays).why("p", Action::allocate) == "kai.action.over-quota");
  CHECK(Cluster(queue("want", 1) + node_a + stays).why("p", Action::allocate) == "kai.action.placed");
}

TEST_CASE("kai evicting actions: report why a group evicts no pod", "[kai]") {
  // Each action refuses a group that is too large for every node before it searches.
  const std::string held = node("a", 1) + queue("have", 0) + gpu_pod("holder", "have", "a");
  const std::string two_gpus =
      group("p", "want") + pod({.name = "p", .group = "p", .request = ", nvidia.com/gpu: \"2\""});
  const Cluster large(held + queue("want", 2) + two_gpus);
  for (const Action action : {Action::consolidation, Action::reclaim, Action::preempt})
    CHECK(large.why("p", action) == "kai.action.too-large");
  // The only GPU is within the quota of `have`, so nothing is left to share.
  const Cluster poor(node("a", 1) + queue("want", 0) + queue("have", 1) + gpu_pod("holder", "have", "a") +
                     gpu_pod("p", "want"));
  CHECK(poor.why("p", Action::reclaim) == "kai.action.over-fair-share");
  CHECK(poor.why("p", Action::consolidation) == "kai.action.too-few-gpus");
  // Of two groups with equal signatures, the second is not tried.
  const Cluster alike(node("a", 1) + queue("want", 1) + queue("have", 1) +
                      gpu_pod("holder", "have", "a", ", preemptibility: non-preemptible") + gpu_pod("first", "want") +
                      gpu_pod("second", "want"));
  CHECK(alike.why("second", Action::reclaim) == "kai.action.like-failed");
  CHECK(alike.why("second", Action::preempt) == "kai.action.like-failed");
  CHECK(alike.why("second", Action::consolidation) == "kai.action.like-failed");
  CHECK(alike.why("first", Action::consolidation) == "kai.action.too-few-gpus");
}

TEST_CASE("kai signatures: a group equal to one that is over its quota is not tried, unless signatures are off",
          "[kai]") {
  // `first` may not preempt, because it is non-preemptible and `want` has no quota. `second` could, but has the same
  // signature.
  const std::string both = node("a", 1) + queue("want", 0) + gpu_pod("holder", "want", "a") +
                           gpu_pod("first", "want", "", ", preemptibility: non-preemptible", "high") +
                           gpu_pod("second", "want", "", ", preemptibility: preemptible", "high");
  const Cluster compared(both);
  CHECK(compared.why("first", Action::preempt) == "kai.action.over-quota");
  CHECK(compared.why("second", Action::preempt) == "kai.action.like-failed");
  CHECK(compared.evicted().empty());
  const Cluster tried(both + shard("args: {use-scheduling-signatures: \"false\"}"));
  CHECK(tried.why("second", Action::preempt) == "kai.action.solved");
  CHECK(tried.evicted() == Names{"holder"});
}

TEST_CASE("kai attempts: record their evictions and count their effort", "[kai]") {
  // `first` and then `second` reclaim one GPU each.
  const Cluster cluster(node("a", 2) + queue("want", 2) + queue("have", 0) + gpu_pod("x", "have", "a") +
                        gpu_pod("z", "have", "a") + gpu_pod("first", "want") + gpu_pod("second", "want"));
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  for (const Attempt& attempt : cluster.decision->cycle.attempts()) {
    if (attempt.rule == Rule::solved) ranges.emplace_back(attempt.first_eviction, attempt.last_eviction);
  }
  CHECK(ranges == std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}, {1, 2}});
  // `effort` is the sum of the two searches, `longest` their maximum.
  const Effort& effort = cluster.decision->cycle.effort();
  const Effort& longest = cluster.decision->cycle.longest();
  Effort sum;
  Effort most;
  for (const Attempt& attempt : cluster.decision->cycle.attempts()) {
    const Effort& one = attempt.search().effort;
    sum.victims_popped += one.victims_popped;
    sum.scenarios += one.scenarios;
    sum.simulated += one.simulated;
    for (const std::size_t g : {0U, 1U}) {
      most.scenarios_by[g] = std::max(most.scenarios_by[g], one.scenarios_by[g]);
      most.popped_by[g] = std::max(most.popped_by[g], one.popped_by[g]);
    }
  }
  CHECK(effort.victims_popped == 2);
  CHECK(sum.victims_popped == 2);
  CHECK(effort.scenarios == sum.scenarios);
  CHECK(effort.simulated == sum.simulated);
  CHECK(effort.scenarios >= 2);
  CHECK(effort.simulated >= 2);
  CHECK(longest.scenarios_by == most.scenarios_by);
  CHECK(longest.popped_by == most.popped_by);
  CHECK(longest.scenarios_by[0] + longest.scenarios_by[1] >= 1);
  CHECK(longest.popped_by[0] + longest.popped_by[1] >= 1);
}

TEST_CASE("kai consolidation: tried only if usable nodes have as much free as the group requests", "[kai]") {
  // Half of each of two GPUs is free. Moving one pod frees its GPU for the pending pod.
  const std::string halves = queue("want", 4) + queue("have", 4) + node("a", 1) + node("b", 1) +
                             sharing("left", "0.5", "a", "g1") + sharing("right", "0.5", "b", "g2");
  const Cluster whole(halves + gpu_pod("p", "want"));
  CHECK(whole.why("p", Action::consolidation) == "kai.action.solved");
  CHECK(whole.evicted().size() == 1);
  // 100 GiB is the whole memory of a GPU.
  const Cluster by_memory(halves + group("p", "want") +
                          pod({.name = "p", .group = "p", .annotations = ", gpu-memory: \"102400\""}));
  CHECK(by_memory.why("p", Action::consolidation) == "kai.action.solved");
  // With another quarter in use, too little is free. A free GPU on a cordoned node does not count.
  const std::string fuller = halves + sharing("more", "0.25", "a", "g1");
  CHECK(Cluster(fuller + gpu_pod("p", "want")).why("p", Action::consolidation) == "kai.action.too-few-gpus");
  const std::string cordoned =
      "---\n{apiVersion: v1, kind: Node, metadata: {name: c, labels: {nvidia.com/gpu.memory: \"102400\"}}, spec: "
      "{unschedulable: true}, status: {allocatable: {cpu: \"64\", memory: 256Gi, pods: \"110\", nvidia.com/gpu: "
      "\"1\"}, "
      "conditions: [{type: Ready, status: \"True\"}]}}\n";
  CHECK(Cluster(fuller + cordoned + gpu_pod("p", "want")).why("p", Action::consolidation) == "kai.action.too-few-gpus");
}

TEST_CASE("kai staleness: a gang below its minimum loses its running pods after its grace period", "[kai]") {
  const std::string one = queue("have", 4) + node("a", 4);
  const auto gang = [&](std::string_view more, std::string_view phase) {
    return one + group("gang", "have", more) +
           pod({.name = "gang-0", .group = "gang", .node = "a", .request = kGpuEach}) +
           pod({.name = "gang-1",
                .group = "gang",
                .node = phase == "Pending" ? "" : "a",
                .request = kGpuEach,
                .spec = ", nodeSelector: {no-such: label}",
                .phase = phase});
  };
  CHECK(Cluster(gang(", minMember: 2, stalenessGracePeriod: 0s", "Pending")).evicted() == Names{"gang-0"});
  CHECK(Cluster(gang(", minMember: 2, stalenessGracePeriod: 1s", "Pending")).evicted().empty());
  CHECK(Cluster(gang(", minMember: 2, stalenessGracePeriod: -1s", "Pending")).evicted().empty());
  CHECK(Cluster(gang(", minMember: 1, stalenessGracePeriod: 0s", "Pending")).evicted().empty());
  // A gang with a succeeded pod is not evicted.
  CHECK(Cluster(gang(", minMember: 2, stalenessGracePeriod: 0s", "Succeeded")).evicted().empty());
}

TEST_CASE("kai next_change: the first end of a min-runtime that changes the answer", "[kai]") {
  // Two GPUs, held by groups that are protected until 10:10 and 10:20. A gang of two needs both.
  const std::string queues =
      queue("want", 2) +
      "---\n{apiVersion: scheduling.run.ai/v2, kind: Queue, metadata: {name: have}, spec: {reclaimMinRuntime: 1h, "
      "resources: {cpu: {quota: -1, limit: -1}, memory: {quota: -1, limit: -1}, gpu: {quota: 0, limit: -1}}}}\n";
  const auto holder = [](std::string_view name, std::string_view since) {
    return fmt::format(
               "---\n{{apiVersion: scheduling.run.ai/v2alpha2, kind: PodGroup, metadata: {{name: {}, namespace: ml, "
               "creationTimestamp: \"2026-03-02T09:00:00Z\", annotations: {{kai.scheduler/last-start-timestamp: "
               "\"2026-03-02T{}:00Z\"}}}}, spec: {{queue: have, priorityClassName: train}}}}\n",
               name, since) +
           pod({.name = name, .group = name, .node = "a", .request = kGpuEach});
  };
  const std::string gang = group("p", "want", ", minMember: 2") +
                           pod({.name = "p-0", .group = "p", .request = kGpuEach}) +
                           pod({.name = "p-1", .group = "p", .request = kGpuEach});
  const auto answer =
      test::AskedGroup(std::string(kTrain) + queues + node("a", 2) + holder("x", "09:10") + holder("z", "09:20") + gang,
                       "p")
          .explain();
  CHECK(answer.outcome == Outcome::pending);
  CHECK(answer.next_change == *parse_instant("2026-03-02T10:20:00Z"));
}

TEST_CASE("kai takes: pods whose scheduler name is set by a shard's arguments or by its Config", "[kai]") {
  const auto takes = [](const std::string& settings) {
    Objects objects;
    REQUIRE(test::read_text(settings +
                                "---\n{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: ml, uid: p}, spec: "
                                "{schedulerName: batch, containers: [{name: c}]}, status: {phase: Pending}}\n",
                            objects));
    const Snapshot cluster(objects);
    return kai_engine.owns_pod(cluster, cluster.find_pod("ml", "p"));
  };
  const auto config = [](std::string_view name) {
    return fmt::format(
        "---\n{{apiVersion: kai.scheduler/v1, kind: Config, metadata: {{name: kai}}, spec: {{global: {{schedulerName: "
        "{}}}}}}}\n",
        name);
  };
  CHECK_FALSE(takes(""));
  CHECK(takes(shard("args: {scheduler-name: batch}")));
  CHECK_FALSE(takes(shard("args: {scheduler-name: other}")));
  CHECK(takes(config("batch")));
  CHECK_FALSE(takes(config("other")));
}

TEST_CASE("kai quota: non-preemptible groups placed in a cycle count against the quota of their queue", "[kai]") {
  // Two GPUs are free, and the quota is one. Preemptible groups may exceed it.
  const auto two = [](std::string_view preemptibility) {
    const std::string more = fmt::format(", preemptibility: {}", preemptibility);
    return Cluster(queue("want", 1) + node("a", 2) + gpu_pod("first", "want", "", more) +
                   gpu_pod("second", "want", "", more));
  };
  CHECK(two("non-preemptible").place("first") == "a");
  CHECK(two("non-preemptible").why("second", Action::allocate) == "kai.action.over-quota");
  CHECK(two("preemptible").place("second") == "a");
}

TEST_CASE("kai placement: of equal nodes, a pod gets its nominated node", "[kai]") {
  const auto place = [](std::string_view phase) {
    return Cluster(two_nodes() + alone({.name = "p", .request = kGpuEach, .phase = phase})).place("p");
  };
  CHECK(place("Pending") == "a");
  CHECK(place("Pending, nominatedNodeName: b") == "b");
}

TEST_CASE("kai gang: only pipelined while it cannot be complete yet", "[kai]") {
  // The GPU of `a` is free, and the GPU of `b` is being released.
  const std::string leaving =
      group("old", "have") +
      "---\n{apiVersion: v1, kind: Pod, metadata: {name: old, namespace: ml, uid: old, "
      "deletionTimestamp: \"2026-03-02T10:00:00Z\", annotations: {pod-group-name: old}}, spec: "
      "{schedulerName: kai-scheduler, nodeName: b, containers: [{name: c, resources: {requests: "
      "{nvidia.com/gpu: \"1\"}}}]}, status: {phase: Running}}\n";
  const auto places = [&](int min_member) {
    const Cluster cluster(two_nodes() + leaving + group("gang", "want", fmt::format(", minMember: {}", min_member)) +
                          pod({.name = "gang-0", .group = "gang", .request = kGpuEach}) +
                          pod({.name = "gang-1", .group = "gang", .request = kGpuEach}));
    return cluster.place("gang-0") + " " + cluster.place("gang-1");
  };
  CHECK(places(1) == "a ~b");
  CHECK(places(2) == "~a ~b");
}

TEST_CASE("kai victim search: not tried with contradictory budgets, and fails without a scenario generator", "[kai]") {
  const std::string contradictory =
      shard("scenarioSearchBudgets: {maxJobSearchDuration: 5s, minJobSearchDuration: 5s}");
  const std::string no_generators =
      shard("plugins: {sg-nodelocalgreedy: {enabled: false}, sg-multinodegang: {enabled: false}}");
  const auto check = [&](const std::string& cluster, Action action) {
    const Cluster tried(cluster);
    CHECK(tried.why("p", action) == "kai.action.solved");
    CHECK(tried.evicted().size() == 1);
    const Cluster not_tried(contradictory + cluster);
    CHECK(not_tried.why("p", action).empty());
    CHECK(not_tried.evicted().empty());
    const Cluster in_vain(no_generators + cluster);
    CHECK(in_vain.why("p", action) == "kai.action.no-generator");
    CHECK(in_vain.evicted().empty());
  };
  check(node("a", 1) + queue("want", 1) + gpu_pod("holder", "want", "a") + gpu_pod("p", "want", "", "", "high"),
        Action::preempt);
  check(node("a", 1) + queue("want", 1) + queue("have", 0) + gpu_pod("holder", "have", "a") + gpu_pod("p", "want"),
        Action::reclaim);
  check(node("a", 2) + node("b", 2) + queue("want", 4) + gpu_pod("left", "want", "a") + gpu_pod("right", "want", "b") +
            alone({.name = "p", .request = ", nvidia.com/gpu: \"2\""}),
        Action::consolidation);
}

TEST_CASE("kai victim search: victims that free too little are not simulated", "[kai]") {
  // Each of two holders has 128 of 256 GiB. For a request of 200, one victim is not enough; two are.
  const std::string half = ", memory: 128Gi";
  const Cluster cluster(node("a", 1) + queue("want", 1) + alone({.name = "left", .node = "a", .request = half}) +
                        alone({.name = "right", .node = "a", .request = half}) + group("p", "want", "", "high") +
                        pod({.name = "p", .group = "p", .request = ", memory: 200Gi"}));
  CHECK(cluster.why("p", Action::preempt) == "kai.action.solved");
  CHECK(cluster.evicted().size() == 2);
  const auto& attempts = cluster.decision->cycle.attempts();
  const auto solved = std::find_if(attempts.begin(), attempts.end(), [](const Attempt& attempt) {
    return attempt.action == Action::preempt && attempt.rule == Rule::solved;
  });
  REQUIRE(solved != attempts.end());
  const Effort& effort = solved->search().effort;
  CHECK(effort.scenarios > effort.simulated);
  CHECK(solved->search().refused[static_cast<std::size_t>(Rule::no_room)] == effort.scenarios - effort.simulated);
}

TEST_CASE("kai victim search: what the victims for one pod free counts for the next pod of its gang", "[kai]") {
  // No GPU is free. Without the node-local generator, the search counts how many nodes are enough: one for the first
  // pod of the gang, two for both.
  const Cluster cluster(shard("plugins: {sg-nodelocalgreedy: {enabled: false}}") + node("a", 1) + node("b", 1) +
                        queue("want", 2) + queue("have", 0) + gpu_pod("left", "have", "a") +
                        gpu_pod("right", "have", "b") + group("gang", "want", ", minMember: 2") +
                        pod({.name = "gang-0", .group = "gang", .request = kGpuEach}) +
                        pod({.name = "gang-1", .group = "gang", .request = kGpuEach}));
  CHECK(cluster.why("gang", Action::reclaim) == "kai.action.solved");
  CHECK(cluster.evicted().size() == 2);
}

TEST_CASE("kai consolidation: GPU memory that is being released counts", "[kai]") {
  // Half of the GPU of a is free, and the GPU of b is being released. The pod needs the whole GPU of a.
  const std::string leaving =
      group("old", "have") +
      "---\n{apiVersion: v1, kind: Pod, metadata: {name: old, namespace: ml, uid: old, deletionTimestamp: "
      "\"2026-03-02T10:00:00Z\", annotations: {pod-group-name: old}}, spec: {schedulerName: kai-scheduler, nodeName: "
      "b, containers: [{name: c, resources: {requests: {nvidia.com/gpu: \"1\"}}}]}, status: {phase: Running}}\n";
  const Cluster cluster(two_nodes() + leaving + sharing("left", "0.5", "a", "g1") + group("p", "want") +
                        pod({.name = "p",
                             .group = "p",
                             .annotations = ", gpu-memory: \"102400\"",
                             .spec = ", nodeSelector: {kubernetes.io/hostname: a}"}));
  CHECK(cluster.why("p", Action::consolidation) == "kai.action.solved");
  CHECK(cluster.evicted() == Names{"left"});
  CHECK(cluster.place("left") == "~b");
}

TEST_CASE("kai signatures: every group is tried if signatures are off", "[kai]") {
  const Cluster cluster(shard("args: {use-scheduling-signatures: \"false\"}") + node("a", 1) + queue("want", 1) +
                        queue("have", 1) + gpu_pod("holder", "have", "a", ", preemptibility: non-preemptible") +
                        gpu_pod("first", "want") + gpu_pod("second", "want"));
  CHECK(cluster.why("second", Action::consolidation) == "kai.action.too-few-gpus");
  CHECK(cluster.why("second", Action::reclaim) == "kai.action.no-candidates");
  CHECK(cluster.why("second", Action::preempt) == "kai.action.no-candidates");
}

TEST_CASE("kai scenario generators: a generator whose time budget is too small is skipped", "[kai]") {
  const auto solved_by = [](std::string_view limits) -> std::string {
    const Cluster cluster(shard(fmt::format("scenarioSearchBudgets: {{maxGeneratorSearchDuration: {{{}}}}}", limits)) +
                          node("a", 1) + queue("want", 1) + queue("have", 0) + gpu_pod("holder", "have", "a") +
                          gpu_pod("p", "want"));
    for (const Attempt& attempt : cluster.decision->cycle.attempts()) {
      if (attempt.rule == Rule::solved) return attempt.search().multi_node ? "multi-node" : "node-local";
    }
    return cluster.why("p", Action::reclaim);
  };
  CHECK(solved_by("") == "node-local");
  CHECK(solved_by("NodeLocalGreedy: 1ns") == "multi-node");
  CHECK(solved_by("MultiNodeGang: 1ns") == "node-local");
  CHECK(solved_by("NodeLocalGreedy: 1ns, MultiNodeGang: 1ns") == "kai.action.no-solution");
}

TEST_CASE("kai staleness: a zero stale timestamp means that the gang became stale just now", "[kai]") {
  std::string stale = group("stale", "want", ", minMember: 2, stalenessGracePeriod: 60s");
  stale.insert(stale.find("creationTimestamp"),
               "annotations: {kai.scheduler/stale-podgroup-timestamp: \"0001-01-01T00:00:00Z\"}, ");
  CHECK(Cluster(queue("want", 4) + node("a", 1) + stale +
                pod({.name = "stale-0", .group = "stale", .node = "a", .request = kGpuEach}))
            .evicted()
            .empty());
}

TEST_CASE("kai consolidation: moves also pods that min-runtime protects", "[kai]") {
  // A gated pod makes the group elastic. Consolidation moves its running pod, the minimum of the group, from a to b.
  // Preempt may not evict it.
  std::string held = group("held", "want");
  held.insert(held.find("creationTimestamp"),
              "annotations: {kai.scheduler/last-start-timestamp: \"2026-03-02T09:00:00Z\"}, ");
  held += pod({.name = "runs", .group = "held", .node = "a", .request = kGpuEach}) +
          pod({.name = "gated", .group = "held", .spec = ", schedulingGates: [{name: wait}]"});
  const std::string cluster = queue("want", 4, ", preemptMinRuntime: 2h") + node("a", 2) + held +
                              group("p", "want", "", "high") +
                              pod({.name = "p", .group = "p", .request = ", nvidia.com/gpu: \"2\""});
  const Cluster moved(cluster + node("b", 1));
  CHECK(moved.why("p", Action::consolidation) == "kai.action.solved");
  CHECK(moved.place("runs") == "~b");
  CHECK(moved.place("p") == "~a");
  CHECK(Cluster(cluster).why("p", Action::preempt) == "kai.action.no-solution");
  CHECK(Cluster(cluster).evicted().empty());
}

TEST_CASE("kai job info: a pod that was evicted twice is subtracted twice from the running pods of its group",
          "[kai]") {
  // Source: api/podgroup_info/job_info.go deleteTaskIndex; actions/preempt filters by GetActiveAllocatedTasksCount. The
  // node-local generator lists a recorded victim again, as another object (spec §19). Of the three pods of v, the
  // victim found for the first pod of p is evicted twice, and another one once. 3 - 2 - 1 = 0: v seems to have no
  // running pod, so it is no victim for q, although its third pod would do.
  const auto cluster_with = [](std::string_view p) {
    std::string text =
        queue("have", 3) +
        "---\n{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: mid}, value: 55}\n" +
        group("v", "have", ", minMember: 1") + group("q", "have", "", "mid") +
        pod({.name = "q", .group = "q", .request = kGpuEach});
    for (const char* on : {"a", "b", "c"}) {
      text += node(on, 1) + pod({.name = fmt::format("v-{}", on), .group = "v", .node = on, .request = kGpuEach});
    }
    return Cluster(text + std::string(p));
  };
  const auto two_pods = [](std::string_view first, std::string_view second) {
    return pod({.name = "p-0", .group = first, .request = kGpuEach}) +
           pod({.name = "p-1", .group = second, .request = kGpuEach});
  };
  const Cluster gang = cluster_with(group("p", "have", ", minMember: 2", "high") + two_pods("p", "p"));
  CHECK_FALSE(gang.place("p-0").empty());
  CHECK_FALSE(gang.place("p-1").empty());
  CHECK(gang.place("q").empty());
  const Cluster apart =
      cluster_with(group("p0", "have", "", "high") + group("p1", "have", "", "high") + two_pods("p0", "p1"));
  CHECK_FALSE(apart.place("p-0").empty());
  CHECK_FALSE(apart.place("p-1").empty());
  CHECK_FALSE(apart.place("q").empty());
}

TEST_CASE("kai shared GPU: a pod that its best node refuses during allocation gets the next best node", "[kai]") {
  // Source: gpu_sharing AllocateFractionalGPUTaskToNode; api/node_info IsTaskFitOnGpuGroup, GetUsedGpuPortion. A node
  // with a shared GPU that fits the pod comes first. If the node label says that its GPUs have -100 MiB, x uses -50 of
  // it, and as much seems to be free. But a GPU of less than 100 MiB gets no score and is left out, and a has no whole
  // GPU.
  const auto place_with = [](std::string_view memory_of_a, int gpus_of_a) {
    std::string a = node("a", gpus_of_a);
    a.replace(a.find("102400"), std::string_view("102400").size(), memory_of_a);
    return Cluster(queue("want", 4) + queue("have", 0) + a + node("b", 1) + sharing("x", "0.5", "a", "g") +
                   asking("z", "0.5"))
        .place("z");
  };
  CHECK(place_with("102400", 1) == "a");
  CHECK(place_with("-100", 0) == "b");
}

TEST_CASE("kai reclaim: the victims are the groups of which each verdict allows it", "[kai]") {
  // `far` protects its pods for an hour, of which `elastic` can lose one. `poor` uses no more than its quota.
  const auto running = [](std::string_view name, std::string_view in, std::string_view on, std::string_view more) {
    const std::string first = fmt::format("{}-0", name);
    const std::string second = fmt::format("{}-1", name);
    return fmt::format(
               "---\n{{apiVersion: scheduling.run.ai/v2alpha2, kind: PodGroup, metadata: {{name: {0}, namespace: ml, "
               "annotations: {{kai.scheduler/last-start-timestamp: \"2026-03-02T09:30:00Z\"}}}}, spec: {{queue: {1}, "
               "priorityClassName: train{2}}}}}\n",
               name, in, more) +
           pod({.name = first, .group = name, .node = on, .request = kGpuEach}) +
           pod({.name = second, .group = name, .node = on, .request = kGpuEach});
  };
  const std::string queues = queue("want", 4) + queue("near", 0, ", reclaimMinRuntime: 10m") +
                             queue("far", 0, ", reclaimMinRuntime: 1h") + queue("poor", 4);
  const std::string groups = running("of-near", "near", "a", "") + running("of-far", "far", "a", ", minMember: 2") +
                             running("elastic", "far", "b", ", minMember: 1") + running("of-poor", "poor", "b", "") +
                             running("ours", "want", "c", "");
  const Cluster cluster(queues + node("a", 4) + node("b", 4) + node("c", 2) + groups + gpu_pod("p", "want"));
  const ClusterInfo& info = cluster.decision->cluster_info;
  Session session(info);
  Moment moment(cluster.decision->moment.now());
  Moment alone(cluster.decision->moment.now());
  const QueueOrder order(session, cluster.decision->cycle.shares());
  const GroupId pending = info.find_group("ml", "p");
  std::vector<std::string> expected;
  for (const GroupId id : info.groups_by_name()) {
    const Rule rule = Candidates(session, order, alone).reclaim_verdict(pending, id);
    if (rule == Rule::candidate || rule == Rule::candidate_elastic) expected.push_back(info.key(id));
  }
  std::vector<std::string> victims;
  ReclaimVictims reclaim_victims(session, order, moment);
  for (const GroupQueue::Entry& each : reclaim_victims.of(pending)) victims.push_back(info.key(each.group));
  CHECK(victims == expected);
  CHECK(victims == std::vector<std::string>{"ml/elastic", "ml/of-near"});
  CHECK(moment.horizon() == alone.horizon());
  CHECK(moment.horizon() == *parse_instant("2026-03-02T10:30:00Z"));

  // After changes, what is kept is what is found again.
  const auto as_found = [&](ReclaimVictims& of) {
    std::vector<std::tuple<std::string, std::uint32_t, Share>> found;
    for (const GroupQueue::Entry& each : of.of(pending))
      found.emplace_back(info.key(each.group), each.key.by_plugin[1], each.amount);
    return found;
  };
  const auto is_as_found_again = [&] {
    ReclaimVictims fresh(session, order, alone);
    return as_found(reclaim_victims) == as_found(fresh);
  };
  Statement statement;
  const auto evict_all_of = [&](const char* group) {
    for (const TaskId task : info.tasks_of(info.group(info.find_group("ml", group)).first_set))
      CHECK(session.evict(statement, session.current(task)));
  };
  const auto before = as_found(reclaim_victims);
  evict_all_of("of-near");
  CHECK(is_as_found_again());
  CHECK(as_found(reclaim_victims).size() == 1);
  session.roll_back(statement);
  CHECK(as_found(reclaim_victims) == before);
  evict_all_of("elastic");
  session.roll_back(statement, 1);
  CHECK(is_as_found_again());
  CHECK(as_found(reclaim_victims) != before);  // it holds one GPU less
  // Its min-runtime of an hour is over.
  session.started(info.find_group("ml", "of-far"), alone.now().plus_seconds(-7200));
  CHECK(is_as_found_again());
  CHECK(as_found(reclaim_victims).size() == 3);
}
