// Pods that are scheduled as one group. Expected values are derived by hand from upstream's schedule_one_podgroup.go,
// podgrouppreemption.go and gangscheduling.go (v1.36.3, v1.35.4). fixtures/kube-versions/1.36-groups holds the answers
// of the real scheduler.
#include "engine/engine.h"
#include "tell/gap_words.h"
#include "tell/tell.h"
#include "unit/engine/kube/ask.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

using namespace previct;
using namespace previct::test;

namespace {

constexpr std::string_view kAll = "GenericWorkload=true,GangScheduling=true,WorkloadAwarePreemption=true";

auto ask_of_group(const std::vector<std::string>& documents, std::string_view gates = kAll,
                  std::string_view release = "1.36") -> Answer {
  const auto cluster = a_cluster(documents);
  Question question;
  question.ns = "ns";
  question.name = "job-0";
  question.now = *parse_instant("2026-03-02T12:00:00Z");
  question.toleration_plugin = "off";
  question.k8s_version = std::string(release);
  question.feature_gates = std::string(gates);
  const auto& all = engines();
  const auto kube = std::find_if(all.begin(), all.end(), [](const Engine* e) { return e->name() == "kube"; });
  REQUIRE(kube != all.end());
  const Result<Answer> answer = explain(**kube, *cluster->snapshot, question);
  if (!answer) FAIL(answer.error().message);
  return *answer;
}

auto a_group(std::string_view name, std::string_view spec) -> std::string {
  return fmt::format(
      "apiVersion: scheduling.k8s.io/v1alpha2\nkind: PodGroup\nmetadata: {{namespace: ns, name: {}}}\nspec: {{{}}}\n",
      name, spec);
}
auto a_gang(int min_count, int priority = 1000) -> std::string {
  return a_group("job", fmt::format("schedulingPolicy: {{gang: {{minCount: {}}}}}, priority: {}", min_count, priority));
}
auto member(int place, const std::string& cpu = "2", const std::string& more = "") -> std::string {
  const std::string group = "schedulingGroup: {podGroupName: job}";
  return a_pod(fmt::format("ns/job-{}", place)).cpu(cpu).spec(more.empty() ? group : group + "\n  " + more).yaml();
}
// A running pod that started on that day of February.
auto running_member(const std::string& name, const std::string& node, int priority, int day,
                    const std::string& group = "") -> std::string {
  auto pod =
      a_pod("ns/" + name).on(node).priority(priority).cpu("2").started(fmt::format("2026-02-{:02}T00:00:00Z", day));
  if (!group.empty()) pod.spec(fmt::format("schedulingGroup: {{podGroupName: {}}}", group));
  return pod.yaml();
}
auto victims_of(const std::vector<std::string>& documents) -> std::vector<std::string> {
  const auto cluster = a_cluster(documents);
  const Answer answer = ask_of_group(documents);
  CHECK(answer.outcome == Outcome::preempts);
  return victims(*cluster, answer);  // ids are those of the same documents
}

}  // namespace

TEST_CASE("pod group: a gang is scheduled as a whole, or preempts on any nodes for all of it", "[kube][groups]") {
  const std::vector<std::string> empty = {a_node("a", "4"), a_node("b", "4"), a_gang(3),
                                          member(0),        member(1),        member(2)};
  CHECK(ask_of_group(empty).outcome == Outcome::fits);

  // 4 CPUs per node, 2 per pod: two pods fit, and the third needs one of the four running pods evicted: the least
  // important, which started last among those of the lowest priority.
  const std::vector<std::string> full = {a_node("a", "4"),
                                         a_node("b", "4"),
                                         a_node("c", "4"),
                                         running_member("a1", "a", 5, 1),
                                         running_member("a2", "a", 5, 4),
                                         running_member("b1", "b", 5, 2),
                                         running_member("b2", "b", 9, 3),
                                         a_gang(3),
                                         member(0),
                                         member(1),
                                         member(2)};
  CHECK(victims_of(full) == std::vector<std::string>{"ns/a2"});
}

TEST_CASE("pod group: the priority of the group counts, not that of its pods", "[kube][groups]") {
  const auto with = [](int priority) {
    return ask_of_group({a_node("a", "2"), running_member("a1", "a", 100, 1), a_gang(1, priority), member(0)});
  };
  CHECK(with(101).outcome == Outcome::preempts);
  const Answer equal = with(100);
  CHECK(equal.outcome == Outcome::pending);
  CHECK(equal.sentence.find("no pod, and no group, has a lower priority than the group's (100)") != std::string::npos);
}

TEST_CASE("pod group: one that is disrupted as a whole is evicted as a whole, and ranks above single pods",
          "[kube][groups]") {
  // One victim of 2 CPUs is needed. At equal priority, the group counts as more important than the pod.
  const std::string whole = a_group("other", "schedulingPolicy: {basic: {}}, priority: 5, disruptionMode: PodGroup");
  CHECK(victims_of({a_node("a", "4"), a_node("b", "2"), running_member("a1", "a", 5, 1),
                    running_member("g1", "a", 0, 2, "other"), running_member("g2", "b", 0, 3, "other"), whole,
                    a_gang(1), member(0)}) == std::vector<std::string>{"ns/a1"});
  // Without the pod, both pods of the group are evicted, although one would be enough.
  CHECK(victims_of({a_node("a", "2"), a_node("b", "2"), running_member("g1", "a", 0, 2, "other"),
                    running_member("g2", "b", 0, 3, "other"), whole, a_gang(1), member(0)}) ==
        std::vector<std::string>{"ns/g1", "ns/g2"});
}

// Source: podgrouppreemption.go, which counts only the victims whose budget is exhausted.
TEST_CASE("pod group: only victims whose budget is exhausted violate a budget", "[kube][groups]") {
  const std::vector<std::string> others = {a_node("a", "2"), a_node("b", "2"), a_budget("ns/g", "g", 0)};
  const auto check = [&](std::vector<std::string> documents) {
    documents.insert(documents.end(), others.begin(), others.end());
    const auto cluster = a_cluster(documents);
    Question question = a_question();
    question.name = "job-0";
    question.k8s_version = "1.36";
    question.feature_gates = kAll;
    const Verdict verdict = verdict_on(*cluster, question);
    CHECK(verdict.outcome == Outcome::preempts);
    REQUIRE(verdict.victims.size() == 2);
    for (const Victim& victim : verdict.victims) {
      const bool violates = cluster->snapshot->key(victim.pod) == "ns/guarded";
      CHECK(victim.rule == (violates ? "kube.victim.violates-budget" : "kube.victim.lower-priority"));
    }
    CHECK(verdict.pdb_violations == 1);
  };
  auto guarded = a_pod("ns/guarded").on("a").priority(5).cpu("2").started("2026-02-01T00:00:00Z").labels("{app: g}");
  check({guarded.yaml(), running_member("free", "b", 5, 2), a_gang(2), member(0), member(1)});
  // A group that is evicted as a whole is one victim; its other pod has no budget.
  check({guarded.spec("schedulingGroup: {podGroupName: other}").yaml(), running_member("free", "b", 5, 1, "other"),
         a_group("other", "schedulingPolicy: {basic: {}}, priority: 5, disruptionMode: PodGroup"), a_gang(1),
         member(0)});
}

// One of two victims is enough: the one whose budget is exhausted is reprieved first.
TEST_CASE("pod group: a reprieved victim violates no budget", "[kube][groups]") {
  const std::vector<std::string> documents = {
      a_node("a", "2"),
      a_node("b", "2"),
      a_budget("ns/g", "g", 0),
      a_pod("ns/guarded").on("a").priority(1).cpu("2").labels("{app: g}").yaml(),
      running_member("free", "b", 5, 2),
      a_gang(1),
      member(0)};
  CHECK(victims_of(documents) == std::vector<std::string>{"ns/free"});
  CHECK(ask_of_group(documents).pdb_violations == 0);
}

TEST_CASE("pod group: no victims for a group with constraints, or one that never preempts", "[kube][groups]") {
  // "kube.group.constraints"
  const std::string near = a_group("job",
                                   "schedulingPolicy: {gang: {minCount: 1}}, priority: 9, "
                                   "schedulingConstraints: {topology: [{key: zone}]}");
  const Answer constrained = ask_of_group({a_node("a", "2"), running_member("a1", "a", 0, 1), near, member(0)});
  CHECK(constrained.outcome == Outcome::pending);
  CHECK(constrained.sentence.find("not supported for groups with scheduling constraints") != std::string::npos);
  const Answer never = ask_of_group(
      {a_node("a", "2"), running_member("a1", "a", 0, 1), a_gang(1), member(0, "2", "preemptionPolicy: Never")});
  CHECK(never.outcome == Outcome::not_eligible);
  CHECK(never.victims.empty());
}

TEST_CASE("pod group: an incomplete gang, or a pod whose group is missing, is not tried", "[kube][groups]") {
  CHECK(ask_of_group({a_node("a", "4"), a_gang(2), member(0)}).outcome == Outcome::gated);
  CHECK(ask_of_group({a_node("a", "4"), a_group("other", "schedulingPolicy: {basic: {}}"), member(0)}).outcome ==
        Outcome::gated);
  // Nothing is known about groups, because the input has none.
  CHECK(ask_of_group({a_node("a", "4"), member(0)}).outcome == Outcome::unknown);
}

TEST_CASE("pod group: running pods of a gang count for it, and are not placed again", "[kube][groups]") {
  // One of two pods runs on a, where one more pod fits.
  CHECK(ask_of_group({a_node("a", "4"), running_member("first", "a", 0, 1, "job"), a_gang(2), member(0)}).outcome ==
        Outcome::fits);
}

TEST_CASE("pod group: gated pods are not placed, unless plugin SchedulingGates is disabled", "[kube][groups]") {
  const auto with = [](std::string_view plugins, const std::string& more) {
    const auto cluster = a_cluster({a_node("a", "4"), a_gang(2), member(0, "2", more), member(1, "2", more)});
    Question question = a_question();
    question.name = "job-0";
    question.k8s_version = "1.36";
    question.feature_gates = kAll;
    question.scheduler_config = with_profile(fmt::format("plugins: {{{}}}", plugins));
    return verdict_on(*cluster, question).outcome;
  };
  const std::string gated = "schedulingGates: [{name: wait}]";
  CHECK(with("", "hostNetwork: false") == Outcome::fits);
  CHECK(with("", gated) == Outcome::gated);
  CHECK(with("preEnqueue: {disabled: [{name: SchedulingGates}]}", gated) == Outcome::fits);
}

TEST_CASE("pod group: pods are tried only on the nodes that PreFilter leaves", "[kube][groups]") {
  // All pods must run on a, where only one of the larger ones fits. The filter that would keep them off b is disabled,
  // but not its PreFilter.
  const auto with = [](const std::string& cpu, const std::string& other) {
    const std::string to_a =
        "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchFields: "
        "[{key: metadata.name, operator: In, values: [a]}]}]}}}";
    const auto cluster =
        a_cluster({a_node("a", "4"), a_node("b", "4"), a_gang(2), member(0, cpu, to_a), member(1, other, to_a)});
    Question question = a_question();
    question.name = "job-0";
    question.k8s_version = "1.36";
    question.feature_gates = kAll;
    question.scheduler_config = with_profile("plugins: {filter: {disabled: [{name: NodeAffinity}]}}");
    return verdict_on(*cluster, question).outcome;
  };
  CHECK(with("2", "2") == Outcome::fits);
  CHECK(with("3", "3") == Outcome::pending);
  CHECK(with("3", "2") == Outcome::pending);
}

TEST_CASE("pod group: the answer is unknown if placements are tried one by one", "[kube][groups]") {
  const std::vector<std::string> documents = {a_node("a", "4"), a_gang(1), member(0)};
  CHECK(ask_of_group(documents).outcome == Outcome::fits);
  CHECK(ask_of_group(documents, std::string(kAll) + ",TopologyAwareWorkloadScheduling=true").outcome ==
        Outcome::unknown);
}

TEST_CASE("pod group: the answer is unknown if scores decide which pod gets which node", "[kube][groups]") {
  const std::vector<std::string> nodes = {a_node("a", "4"), a_node("b", "4")};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), nodes.begin(), nodes.end());
    return ask_of_group(more);
  };
  // The pod that requests 2 CPUs may get node a, and then no node fits the other one.
  const Answer unlike = ask_of_group({a_node("a", "4"), a_node("b", "2"), a_gang(2), member(0, "2"), member(1, "4")});
  CHECK(unlike.outcome == Outcome::unknown);
  CHECK(std::any_of(unlike.gaps.begin(), unlike.gaps.end(),
                    [](const Gap& gap) { return gap.rule == GapRule::group_unlike; }));
  // The pod that requests 1 CPU may get node b, and then no node fits the other one; node a stays empty.
  CHECK(ask_of_group({a_node("a", "1"), a_node("b", "2"), a_gang(2), member(0, "2"), member(1, "1")}).outcome ==
        Outcome::unknown);
  const std::string apart =
      "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: "
      "kubernetes.io/hostname, labelSelector: {}}]}}";
  const Answer beyond = with({a_gang(2), member(0, "1", apart), member(1, "1", apart)});
  CHECK(beyond.outcome == Outcome::unknown);
  const auto named = std::find_if(beyond.gaps.begin(), beyond.gaps.end(),
                                  [](const Gap& gap) { return gap.rule == GapRule::group_beyond_nodes; });
  REQUIRE(named != beyond.gaps.end());
  CHECK(named->operands == std::vector<std::string>{"InterPodAffinity"});
  // Two of three pods fit, and two are enough.
  CHECK(with({a_gang(2), member(0, "3"), member(1, "3"), member(2, "3")}).outcome == Outcome::unknown);
}

TEST_CASE("pod group: pods with different requests get an answer if every order ends alike", "[kube][groups]") {
  // Whichever pod comes first, the other one fits: on the same node or on the other one.
  CHECK(ask_of_group({a_node("a", "4"), a_node("b", "4"), a_gang(2), member(0, "1"), member(1, "3")}).outcome ==
        Outcome::fits);
  CHECK(ask_of_group({a_node("a", "3"), a_node("b", "2"), a_gang(2), member(0, "2"), member(1, "4")}).outcome ==
        Outcome::pending);
  // The second pod fits nowhere. Each node has space for more pods like the first one than there are.
  CHECK(ask_of_group({a_node("a", "4"), a_node("b", "4"), a_gang(2), member(0, "1"), member(1, "8")}).outcome ==
        Outcome::pending);
  CHECK(ask_of_group({a_node("a", "4"), a_node("b", "4"), a_gang(2), member(0, "8"), member(1, "1")}).outcome ==
        Outcome::pending);
  // Neither node fits both pods, and neither fits one of them while another pod runs there.
  CHECK(victims_of({a_node("a", "4"), a_node("b", "4"), running_member("a1", "a", 5, 3),
                    running_member("b1", "b", 9, 1), running_member("b2", "b", 9, 2), a_gang(2), member(0, "3"),
                    member(1, "3500m")}) == std::vector<std::string>{"ns/b1", "ns/b2", "ns/a1"});
}

TEST_CASE("pod group: nominations of its own pods do not count while the group is tried", "[kube][groups]") {
  const auto to = [](int place, const std::string& node) {
    return a_pod(fmt::format("ns/job-{}", place))
        .cpu("2")
        .nominated(node)
        .spec("schedulingGroup: {podGroupName: job}")
        .yaml();
  };
  const std::string a = a_node("a", "2");
  const std::string b = a_node("b", "2");
  // Both pods are nominated to a, where one fits: the other one gets b.
  CHECK(ask_of_group({a, b, a_gang(2), to(0, "a"), to(1, "a")}).outcome == Outcome::fits);
  CHECK(ask_of_group({a, a_gang(1), to(0, "a")}).outcome == Outcome::fits);
  CHECK(victims_of({a, running_member("r", "a", 0, 1), a_gang(1), to(0, "a")}) == std::vector<std::string>{"ns/r"});
  // While the group is tried, the nominations of its pods count for none of them: one fits, whichever it is.
  CHECK(ask_of_group({a, a_gang(2), to(0, "a"), to(1, "a")}).outcome == Outcome::pending);
  CHECK(ask_of_group({a_node("a", "4"), a_gang(2), to(0, "a"), to(1, "a")}).outcome == Outcome::fits);
  // But each nominated pod counts if the node has reached its maximum number of pods.
  const Answer crowded = ask_of_group({a_node("a", "4", 1), b, a_gang(2), to(0, "a"), to(1, "a")});
  CHECK(crowded.outcome == Outcome::unknown);
  CHECK(std::any_of(crowded.gaps.begin(), crowded.gaps.end(),
                    [](const Gap& gap) { return gap.rule == GapRule::group_nominated; }));
}

// Source: podgrouppreemption.go: victims are sorted by importance; which of two equal ones comes first is not defined.
TEST_CASE("pod group: the answer is unknown if one of two equally important pods is evicted", "[kube][groups]") {
  const auto ask = [](int day, int members) {
    std::vector<std::string> documents = {a_node("a", "4"), running_member("a1", "a", 5, 1),
                                          running_member("a2", "a", 5, day), a_gang(members)};
    for (int i = 0; i < members; ++i) documents.push_back(member(i));
    return ask_of_group(documents);
  };
  const Answer open = ask(1, 1);
  CHECK(open.outcome == Outcome::unknown);
  const auto order =
      std::find_if(open.gaps.begin(), open.gaps.end(), [](const Gap& gap) { return gap.rule == GapRule::group_order; });
  REQUIRE(order != open.gaps.end());
  CHECK(order->operands == std::vector<std::string>{"2"});
  CHECK(ask(2, 1).outcome == Outcome::preempts);
  CHECK(ask(1, 2).outcome == Outcome::preempts);  // both are evicted
}

TEST_CASE("pod group: changes nothing if the gates are off", "[kube][groups]") {
  const std::vector<std::string> documents = {a_node("a", "2"), a_gang(3), member(0), member(1), member(2)};
  const Answer answer = ask_of_group(documents, "");
  CHECK(answer.outcome == Outcome::fits);
  CHECK(std::any_of(answer.gaps.begin(), answer.gaps.end(),
                    [](const Gap& gap) { return gap.rule == GapRule::groups_off; }));
  // Without workload-aware preemption, the pods are scheduled one at a time.
  CHECK(ask_of_group(documents, "GenericWorkload=true,GangScheduling=true").outcome == Outcome::unknown);
}

TEST_CASE("pod group: in 1.35 a gang is part of a Workload, and waits until it is complete", "[kube][groups]") {
  constexpr std::string_view kGates = "GenericWorkload=true,GangScheduling=true";
  const auto workload = [](int min_count) {
    return fmt::format(
        "apiVersion: scheduling.k8s.io/v1alpha1\nkind: Workload\nmetadata: {{namespace: ns, name: train}}\n"
        "spec: {{podGroups: [{{name: workers, policy: {{gang: {{minCount: {}}}}}}}]}}\n",
        min_count);
  };
  const auto pod = [](int place, const std::string& group = "workers") {
    return a_pod(fmt::format("ns/job-{}", place))
        .cpu("2")
        .priority(9)
        .spec(fmt::format("workloadRef: {{name: train, podGroup: {}}}", group))
        .yaml();
  };
  const std::string node = a_node("a", "2");
  CHECK(ask_of_group({node, workload(2), pod(0)}, kGates, "1.35").outcome == Outcome::gated);
  CHECK(ask_of_group({node, workload(2), pod(0), pod(1)}, kGates, "1.35").outcome == Outcome::fits);
  // "kube.gated.workload-group-missing", "kube.gated.workload-missing"
  const Answer no_group = ask_of_group({node, workload(1), pod(0, "others")}, kGates, "1.35");
  CHECK(no_group.outcome == Outcome::gated);
  CHECK(no_group.sentence.find("its Workload train has no pod group others") != std::string::npos);
  const std::string other =
      "apiVersion: scheduling.k8s.io/v1alpha1\nkind: Workload\nmetadata: {namespace: ns, name: eval}\nspec: {}\n";
  const Answer no_workload = ask_of_group({node, other, pod(0)}, kGates, "1.35");
  CHECK(no_workload.outcome == Outcome::gated);
  CHECK(no_workload.sentence.find("its Workload train does not exist") != std::string::npos);
  CHECK(ask_of_group({node, workload(2), pod(0)}, "", "1.35").outcome == Outcome::fits);
}
