// The fate of a group, derived from its pods and from the cycle.
#include "engine/kai/account.h"
#include "support/kai.h"
#include "support/kai_cycle.h"

#include <algorithm>

using namespace previct;
using namespace previct::test::cycles;

namespace {

auto outcome_of(const std::string& yaml) -> Outcome {
  return test::AskedGroup(std::string(kTrain) + queue("want", 4) + node("a", 2) + yaml, "p").explain().outcome;
}

// The answer about one pod.
auto answer_about(const std::string& yaml, const std::string& name, bool brief = false) -> Answer {
  test::AskedGroup asked(std::string(kTrain) + yaml, name);
  asked.question.kind = "pod";
  asked.question.brief = brief;
  return asked.explain();
}

// A pending pod of group p for 1 GPU; the uid is the name.
auto member(std::string_view name) -> std::string {
  return pod({.name = name, .group = "p", .request = kGpuEach});
}

auto without_uids(std::string yaml) -> std::string {
  for (std::size_t at = yaml.find("uid: p-"); at != std::string::npos; at = yaml.find("uid: p-"))
    yaml.erase(at, yaml.find(", ", at) + 2 - at);
  return yaml;
}

}  // namespace

// KAI places the minimum of a group together, then one pod after another, by creation time and uid, and each must find
// a node: api/podgroup_info/allocation_info.go GetTasksToAllocate.
TEST_CASE("kai fate: of an elastic group, each pod has a verdict of its own", "[kai]") {
  const std::string three = member("p-0") + member("p-1") + member("p-2");
  const std::string cluster = queue("want", 4) + group("p", "want") + three;
  // One GPU: the first pod gets it.
  CHECK(answer_about(cluster + node("a", 1), "p-0").outcome == Outcome::fits);
  const Answer second = answer_about(cluster + node("a", 1), "p-1");
  CHECK(second.outcome == Outcome::pending);
  CHECK(second.sentence.starts_with(
      "stays pending: only 1 of the 3 pending pods of its group gets a node in this cycle (ml/p-0); allocate: fits on "
      "no node"));
  CHECK(second.cause.id == "kai.pod.left-out");
  // Three GPUs are enough for all of them, and two for the minimum of 2 alone.
  CHECK(answer_about(cluster + node("a", 3), "p-2").outcome == Outcome::fits);
  const std::string gang = queue("want", 4) + group("p", "want", ", minMember: 2") + three + node("a", 2);
  CHECK(answer_about(gang, "p-1").outcome == Outcome::fits);
  CHECK(answer_about(gang, "p-2").outcome == Outcome::pending);
  // A pod that runs does not decide for those that do not.
  const std::string partly = queue("want", 4) + group("p", "want") + node("a", 2) +
                             pod({.name = "p-0", .group = "p", .node = "a", .request = kGpuEach}) + member("p-1") +
                             member("p-2");
  CHECK(answer_about(partly, "p-0").outcome == Outcome::scheduled);
  CHECK(answer_about(partly, "p-1").outcome == Outcome::fits);
  CHECK(answer_about(partly, "p-2").outcome == Outcome::pending);
}

TEST_CASE("kai fate: the verdict on a group says how many of its pods get a node", "[kai]") {
  const std::string yaml = std::string(kTrain) + queue("want", 4) + group("p", "want") + node("a", 2) + member("p-0") +
                           member("p-1") + member("p-2");
  const Answer answer = test::AskedGroup(yaml, "p").explain();
  CHECK(answer.outcome == Outcome::fits);
  CHECK(answer.sentence == "fits with 2 of its 3 pending pods on a now; no pod is evicted");
}

// 4 GPUs, of which `have` uses 3 and has a quota of 2: the first pod takes the free one, the second one reclaims one,
// and with the third one `want` would exceed its fair share of 2.
TEST_CASE("kai fate: a pod is not charged with what its group evicts for other pods", "[kai]") {
  std::string yaml = queue("want", 2) + queue("have", 2) + node("a", 4) + group("p", "want") + member("p-0") +
                     member("p-1") + member("p-2");
  for (const std::string_view name : {"v1", "v2", "v3"})
    yaml += alone({.name = name, .node = "a", .request = kGpuEach}, "have");
  const Answer first = answer_about(yaml, "p-0");
  CHECK(first.outcome == Outcome::fits);
  CHECK(first.victims.empty());
  const Answer second = answer_about(yaml, "p-1");
  CHECK(second.outcome == Outcome::preempts);
  CHECK(second.victims.size() == 1);
  const Answer third = answer_about(yaml, "p-2");
  CHECK(third.outcome == Outcome::pending);
  CHECK(third.victims.empty());
}

TEST_CASE("kai fate: pods of a gang on several nodes each have one", "[kai]") {
  const std::string yaml = queue("want", 4) + group("p", "want", ", minMember: 2") + member("p-0") + member("p-1") +
                           node("a", 1) + node("b", 1);
  const std::string first = answer_about(yaml, "p-0", true).node;
  const std::string second = answer_about(yaml, "p-1", true).node;
  CHECK(std::min(first, second) == "a");
  CHECK(std::max(first, second) == "b");
}

// Without uids, it is not known which of three equal pods is first. In a list, their number is.
TEST_CASE("kai fate: without uids, it is not known which of equal pods gets the node", "[kai]") {
  const std::string yaml = without_uids(queue("want", 4) + group("p", "want") + member("p-0") + member("p-1") +
                                        member("p-2") + node("a", 1));
  for (const std::string name : {"p-0", "p-1", "p-2"}) {
    const Answer answer = answer_about(yaml, name);
    CHECK(answer.outcome == Outcome::unknown);
    CHECK(answer.sentence.starts_with("cannot tell, because not all of 3 equal pods of group ml/p get a node"));
  }
  int fit = 0;
  for (const std::string name : {"p-0", "p-1", "p-2"}) {
    const Answer answer = answer_about(yaml, name, true);
    fit += answer.outcome == Outcome::fits ? 1 : 0;
    CHECK(std::any_of(answer.gaps.begin(), answer.gaps.end(),
                      [](const Gap& gap) { return gap.rule == GapRule::kai_task_order; }));
  }
  CHECK(fit == 1);
}

// A pod without the label of a sub-group belongs to none: api/podgroup_info/job_info.go AddTaskInfo.
TEST_CASE("kai fate: a pod of no sub-group is ignored, and the answer says why", "[kai]") {
  const std::string yaml = queue("want", 4) + node("a", 4) +
                           group("p", "want", ", subGroups: [{name: workers, minMember: 1}]") + member("p-0");
  const Answer answer = answer_about(yaml, "p-0");
  CHECK(answer.outcome == Outcome::pending);
  CHECK(answer.sentence ==
        "stays pending: it has no label kai.scheduler/subgroup-name, but group ml/p has sub-groups, so the scheduler "
        "ignores it");
  test::AskedGroup asked(std::string(kTrain) + yaml, "p");
  CHECK(asked.explain().sentence == "stays pending: its sub-group workers has 0 pods, and its minMember is 1");
}

TEST_CASE("kai fate: what other groups of the cycle take first is named", "[kai]") {
  // Group a is older by name at the same creation time, and takes 1 of the 2 GPUs; b needs 2.
  const std::string yaml = queue("want", 4) + node("g", 2) + alone({.name = "a", .request = kGpuEach}) +
                           alone({.name = "b", .request = ", nvidia.com/gpu: \"2\""});
  const Answer answer = answer_about(yaml, "b");
  CHECK(answer.outcome == Outcome::pending);
  CHECK(answer.sentence.starts_with(
      "stays pending: no node has 2 free GPUs (at most 1), because this cycle places group ml/a first"));
}

// The pod on the node ends its grace period at 10:00:20; KAI would call it stuck after two minutes more.
TEST_CASE("kai next change: terminating pods leave at the end of their grace period", "[kai]") {
  std::string leaving = alone({.name = "v", .node = "a", .request = kGpuEach});
  leaving.insert(leaving.rfind("creationTimestamp"), "deletionTimestamp: \"2026-03-02T10:00:20Z\", ");
  const std::string yaml = queue("want", 4) + node("a", 1) + leaving + alone({.name = "p", .request = kGpuEach});
  const Answer answer = answer_about(yaml, "p");
  CHECK(answer.outcome == Outcome::waits);
  CHECK(answer.next_change == *parse_instant("2026-03-02T10:00:20Z"));
  CHECK(answer.next_change_words == "the grace period of ml/v on a ends; then it fits on a now; no pod is evicted");
  // The StatefulSet of the pod creates another one, which is not simulated.
  std::string of_set = yaml;
  of_set.insert(of_set.find("deletionTimestamp"),
                "ownerReferences: [{apiVersion: apps/v1, kind: StatefulSet, name: s, uid: s, controller: true}], ");
  CHECK(answer_about(of_set, "p").next_change_words ==
        "the grace period of ml/v on a ends; the pod that its controller then creates is not simulated");
}

// The pod started at 09:00:00 and may run for 3620 seconds.
TEST_CASE("kai next change: a pod that does not terminate yet ends at its deadline", "[kai]") {
  std::string active = alone({.name = "v", .node = "a", .request = kGpuEach, .spec = ", activeDeadlineSeconds: 3620"});
  active.insert(active.rfind("phase: Running"), "startTime: \"2026-03-02T09:00:00Z\", ");
  const Answer answer =
      answer_about(queue("want", 4) + node("a", 1) + active + alone({.name = "p", .request = kGpuEach}), "p");
  CHECK(answer.outcome == Outcome::pending);
  CHECK(answer.next_change == *parse_instant("2026-03-02T10:00:20Z"));
  CHECK(answer.next_change_words == "activeDeadlineSeconds of ml/v on a end; what follows is not simulated");
}

TEST_CASE("kai gaps: a class whose value nothing shows makes the answer unknown", "[kai]") {
  const auto sentence = [](std::string_view of_v) {
    const std::string yaml = queue("want", 1) + queue("have", 0) + node("a", 1) + group("v", "have", "", of_v) +
                             pod({.name = "v", .group = "v", .node = "a", .request = kGpuEach}) +
                             alone({.name = "p", .request = kGpuEach});
    return test::AskedGroup(yaml, "p").explain().sentence;
  };
  CHECK(sentence("train").starts_with("would reclaim"));
  CHECK(sentence("inference").starts_with("stays pending"));  // 125 in KAI's chart: non-preemptible
  CHECK(
      sentence("gold").starts_with("cannot tell, because the input has no PriorityClass, and no pod shows the value "
                                   "of class gold of group ml/v"));
}

TEST_CASE("kai fate: a group without pending pods has the outcome of its other pods", "[kai]") {
  const std::string gate = ", schedulingGates: [{name: wait}]";
  const auto one = [](const PodText& text) { return group("p", "want") + pod(text); };
  CHECK(outcome_of(one({.name = "p", .group = "p", .node = "a"})) == Outcome::scheduled);
  CHECK(outcome_of(one({.name = "p", .group = "p", .spec = gate})) == Outcome::gated);
  CHECK(outcome_of(one({.name = "p", .group = "p", .node = "a", .phase = "Succeeded"})) == Outcome::pending);
  CHECK(outcome_of(one({.name = "p", .group = "p", .node = "a"}) + pod({.name = "q", .group = "p", .spec = gate})) ==
        Outcome::gated);
  CHECK(outcome_of(one({.name = "p", .group = "p", .node = "a"}) + pod({.name = "q", .group = "p"})) == Outcome::fits);
}

TEST_CASE("kai preemption delay: counted from the last eviction if that came after the group's creation", "[kai]") {
  // The group was created at 09:00 and evicted once. It is 10:00, and no node has enough free GPUs.
  const auto outcome = [](std::string_view delay, std::string_view evicted) {
    std::string waits = group("p", "want", fmt::format(", preemptionDelay: {}", delay)) +
                        pod({.name = "p", .group = "p", .request = ", nvidia.com/gpu: \"2\""});
    waits.insert(
        waits.find("creationTimestamp"),
        fmt::format("annotations: {{kai.scheduler/last-eviction-timestamp: \"2026-03-02T{}:00Z\"}}, ", evicted));
    return outcome_of(alone({.name = "holder", .node = "a", .request = kGpuEach}) + waits);
  };
  CHECK(outcome("15m", "09:50") == Outcome::not_eligible);
  CHECK(outcome("10m", "09:50") == Outcome::pending);
  CHECK(outcome("61m", "08:00") == Outcome::not_eligible);
  CHECK(outcome("60m", "08:00") == Outcome::pending);
  CHECK(outcome("0s", "09:50") == Outcome::pending);
}

TEST_CASE("kai other_results: returns no more results than requested", "[kai]") {
  // Four pods could move. The scheduler looks at any two of them and moves the later one, so never the one on a.
  std::string yaml = std::string(kTrain) + queue("want", -1) + shard("args: {max-consolidation-preemptees: \"1\"}");
  for (const std::string name : {"a", "b", "c", "d"})
    yaml += node(name, 2) + alone({.name = "on-" + name, .node = name, .request = kGpuEach});
  Objects objects;
  REQUIRE(test::read_text(yaml + alone({.name = "p", .request = ", nvidia.com/gpu: \"2\""}), objects));
  const Snapshot cluster(objects);
  const auto cycles = *cycles_of(cluster, {""}, *parse_instant("2026-03-02T10:00:00Z"), {});
  Subject subject;
  subject.group = cycles->in_order(0).cluster_info.find_group("ml", "p");
  CHECK(other_results(cycles, subject, 1).size() == 1);
  Names nodes = fate_of(cycles->in_order(0), subject.group).nodes;
  for (const auto& other : other_results(cycles, subject, 3)) {
    CHECK(other->fate.outcome == Outcome::preempts);
    CHECK(other->fate.evictions.size() == 1);
    nodes.insert(nodes.end(), other->fate.nodes.begin(), other->fate.nodes.end());
  }
  std::sort(nodes.begin(), nodes.end());
  CHECK(nodes == Names{"b", "c", "d"});
}

TEST_CASE("kai chance: which victim of equal queues is placed again first is open", "[kai]") {
  // p takes the GPUs of both pods. One of them can move to b; upstream takes the groups out of a map. All three GPUs
  // belong to `want`, in which q is pending for another node, so `one` and `two` have no share at all.
  const std::string yaml = std::string(kTrain) + queue("want", 3) + queue("one", 0) + queue("two", 0) + node("a", 2) +
                           node("b", 1) + alone({.name = "v1", .node = "a", .request = kGpuEach}, "one") +
                           alone({.name = "v2", .node = "a", .request = kGpuEach}, "two") +
                           alone({.name = "p", .request = ", nvidia.com/gpu: \"2\""}) +
                           alone({.name = "q", .request = kGpuEach, .spec = ", nodeSelector: {no-such: label}"});
  Objects objects;
  REQUIRE(test::read_text(yaml, objects));
  const Snapshot cluster(objects);
  const auto cycles = *cycles_of(cluster, {""}, *parse_instant("2026-03-02T10:00:00Z"), {});
  Names moved;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Decision& decision = cycles->in_order(seed);
    const ClusterInfo& info = decision.cluster_info;
    REQUIRE(fate_of(decision, info.find_group("ml", "p")).evictions.size() == 2);
    for (const TaskId task : info.tasks().ids()) {
      const ShardNodeId to = decision.cycle.pipelined_to(task);
      if (to && info.shard_nodes()[to].name == "b") moved.emplace_back(info.group(info.task(task).group).name);
    }
  }
  CHECK(moved.size() == 20);
  std::sort(moved.begin(), moved.end());
  moved.erase(std::unique(moved.begin(), moved.end()), moved.end());
  CHECK(moved == Names{"v1", "v2"});
  // In each order, one of both moves. So either may, and both are marked.
  Subject subject;
  subject.group = cycles->in_order(0).cluster_info.find_group("ml", "p");
  Fate fate = fate_of(cycles->in_order(0), subject);
  CHECK(fate.moves_depending_on_order.empty());
  widen(cycles, cycles->in_order(0), subject, fate);
  CHECK(fate.moves_depending_on_order.size() == 2);
  CHECK(fate.moved.least == 1);
  CHECK(fate.moved.most == 1);
  CHECK_FALSE(fate.placement_depends_on_order);
  CHECK(other_results(cycles, subject, 3).empty());
}

TEST_CASE("kai: what was looked ahead at answers the question about that time", "[kai]") {
  // `p` may reclaim the GPU of `holder` when its min-runtime ends: a minute after it is asked.
  const auto yaml = [](std::string_view stale) {
    std::string holder =
        group("holder", "have") + pod({.name = "holder", .group = "holder", .node = "a", .request = kGpuEach});
    holder.insert(holder.find("creationTimestamp"),
                  "annotations: {kai.scheduler/last-start-timestamp: \"2026-03-02T09:31:00Z\"}, ");
    return std::string(kTrain) + queue("want", 1) + queue("have", 0, ", reclaimMinRuntime: 30m") + node("a", 1) +
           node("b", 0) + holder + group("p", "want") + pod({.name = "p", .group = "p", .request = kGpuEach}) +
           std::string(stale);
  };
  const Instant now = *parse_instant("2026-03-02T10:00:00Z");
  const Instant then = *parse_instant("2026-03-02T10:01:00Z");
  const auto is_kept = [&](const std::string& text) {
    Objects objects;
    REQUIRE(test::read_text(text, objects));
    const Snapshot cluster(objects);
    const auto cycles = *cycles_of(cluster, {""}, now, {});
    REQUIRE(cycles->in_order(0).moment.horizon() == then);
    const auto ahead = cycles->look_ahead(then);
    CHECK(cycles->work() == cycles->in_order(0).work());
    const auto asked = *cycles_of(cluster, {""}, then, {});
    CHECK(asked->now() == then);
    const Decision& decision = asked->in_order(0);
    CHECK(asked->work() == decision.work());
    CHECK(fate_of(decision, decision.cluster_info.find_group("ml", "p")).outcome == Outcome::preempts);
    const auto later = *cycles_of(cluster, {""}, then.plus_seconds(1), {});
    CHECK(later->now() == then.plus_seconds(1));
    return &decision == ahead.get();
  };
  CHECK(is_kept(yaml("")));
  // A gang below its minimum without a timestamp is stale since the time of the question.
  CHECK_FALSE(is_kept(
      yaml(group("stale", "have", ", minMember: 2") + pod({.name = "stale-0", .group = "stale", .node = "b"}))));
}

// A gang without a timestamp is stale since the time of the question, also if a later time is looked at.
TEST_CASE("kai: a gang below its minimum loses its pods a grace period after the question", "[kai]") {
  Objects objects;
  REQUIRE(test::read_text(std::string(kTrain) + queue("have", 1) + node("a", 1) +
                              group("stale", "have", ", minMember: 2, stalenessGracePeriod: 60s") +
                              pod({.name = "stale-0", .group = "stale", .node = "a", .request = kGpuEach}),
                          objects));
  const Snapshot cluster(objects);
  const Instant now = *parse_instant("2026-03-02T10:00:00Z");
  const auto cycles = *cycles_of(cluster, {""}, now, {});
  CHECK(cycles->in_order(0).cycle.evictions().empty());
  CHECK(cycles->in_order(0).moment.horizon() == now.plus_seconds(60));
  CHECK(cycles->look_ahead(now.plus_seconds(59))->cycle.evictions().empty());
  CHECK(cycles->look_ahead(now.plus_seconds(60))->cycle.evictions().size() == 1);
}

TEST_CASE("kai: the next change is only looked for if it is asked for or the sentence names it", "[kai]") {
  // `p` may reclaim the GPU of `holder` when the min-runtime has ended, counted from 09:31.
  std::string holder =
      group("holder", "have") + pod({.name = "holder", .group = "holder", .node = "a", .request = kGpuEach});
  holder.insert(holder.find("creationTimestamp"),
                "annotations: {kai.scheduler/last-start-timestamp: \"2026-03-02T09:31:00Z\"}, ");
  const auto asked = [&](std::string_view min_runtime) {
    return test::AskedGroup(std::string(kTrain) + queue("want", 1) +
                                queue("have", 0, fmt::format(", reclaimMinRuntime: {}", min_runtime)) + node("a", 1) +
                                holder + group("p", "want") + pod({.name = "p", .group = "p", .request = kGpuEach}),
                            "p");
  };
  test::AskedGroup pending = asked("30m");
  const Answer whole = pending.explain();
  CHECK(whole.sentence.find("until 10:01:00") != std::string::npos);
  pending.question.next_change = false;
  CHECK(pending.explain().sentence == whole.sentence);
  CHECK(pending.explain().next_change == whole.next_change);
  test::AskedGroup preempts = asked("10m");
  preempts.question.next_change = false;
  const Answer answer = preempts.explain();
  CHECK(answer.outcome == Outcome::preempts);
  CHECK(answer.next_change_words.empty());
  preempts.question.next_change = true;
  CHECK(preempts.explain().sentence == answer.sentence);
}
