// What KAI's answers say, where it depends on settings of the shard or on the action.
#include "analysis/queue_fleet.h"
#include "report/format.h"
#include "support/kai.h"
#include "support/kai_cycle.h"

#include <algorithm>

using namespace previct;
using namespace previct::test::cycles;

namespace {

// Group v runs on the only GPU. Queue have is above its quota of 0; queue want, with a quota of 1, has nothing.
auto one_gpu(std::string_view more) -> std::string {
  return std::string(kTrain) + queue("want", 1) + queue("have", 0) + node("a", 1) +
         alone({.name = "v", .node = "a", .request = kGpuEach}, "have") + alone({.name = "p", .request = kGpuEach}) +
         std::string(more);
}

const std::string kNoReclaim = shard("actions: {reclaim: {enabled: false}}");

auto table_with(const Answer& answer, std::string_view head) -> const Table* {
  for (const Block& block : answer.details) {
    const auto* const table = std::get_if<Table>(&block);
    if (table != nullptr && !table->columns.empty() && table->columns.front().head == head) return table;
  }
  return nullptr;
}

auto possible(const std::string& yaml) -> std::vector<PossiblePreemptor> {
  test::AskedGroup asked(yaml, "v");
  asked.question.kind = "";
  auto found = possible_preemptors(kai_engine, *asked.cluster, asked.question);
  REQUIRE(found);
  return found->rows;
}

auto by(const std::vector<PossiblePreemptor>& rows, std::string_view who) -> const PossiblePreemptor& {
  const auto row =
      std::find_if(rows.begin(), rows.end(), [&](const PossiblePreemptor& each) { return each.who == who; });
  REQUIRE(row != rows.end());
  return *row;
}

}  // namespace

TEST_CASE("kai words: a disabled action evicts no pod, and the answer names the action", "[kai]") {
  CHECK(test::AskedGroup(one_gpu(""), "p").explain().outcome == Outcome::preempts);
  const Answer answer = test::AskedGroup(one_gpu(kNoReclaim), "p").explain();
  CHECK(answer.sentence == "stays pending: no node has a free GPU; reclaim is disabled");
  CHECK(answer.cause.words == "reclaim is disabled");
  // A group of the same queue that preempt does not evict either.
  const std::string more = node("b", 1) + alone({.name = "w", .node = "b", .request = kGpuEach});
  CHECK(test::AskedGroup(one_gpu(kNoReclaim + more), "p").explain().sentence ==
        "stays pending: no node has a free GPU; reclaim is disabled, and the only running group of its queue cannot be "
        "evicted: it does not have a lower priority");
}

TEST_CASE("kai words: a disabled action lets no queue and no group evict a pod", "[kai]") {
  const auto rows = possible(one_gpu(""));
  CHECK(by(rows, "ml/p").why == "reclaim: can be evicted");
  CHECK(by(rows, "ml/p").from == Instant{});
  CHECK(by(rows, "queue want").why == "reclaim: can be evicted, if shares permit it");
  CHECK(by(rows, "queue have").why == "preempt: can be evicted, by groups of higher priority");
  const auto without = possible(one_gpu(kNoReclaim));
  for (const std::string_view who : {"ml/p", "queue want"}) {
    CHECK(by(without, who).why == "reclaim: the action is disabled");
    CHECK(by(without, who).from.is_never());
  }
  CHECK(by(without, "queue have").from == Instant{});
}

TEST_CASE("kai words: the quota of a victim's queue protects it from a group within its own quota", "[kai]") {
  // Queue have uses 1 of its quota of 2.
  std::string yaml = one_gpu("");
  const std::string none = "gpu: {quota: 0,";
  yaml.replace(yaml.find(none), none.size(), "gpu: {quota: 2,");
  const auto rows = possible(yaml);
  CHECK(by(rows, "ml/p").rule == rule_id(Rule::within_quota));
  CHECK(by(rows, "ml/p").from.is_never());
  CHECK_FALSE(by(rows, "queue want").from.is_never());
}

TEST_CASE("kai words: a group that may not reclaim yet may do so after its preemption delay", "[kai]") {
  // It was created at 09:00, and it is 10:00.
  std::string yaml = one_gpu("");
  const std::string spec = "spec: {queue: want, priorityClassName: train";
  yaml.replace(yaml.find(spec), spec.size(), spec + ", preemptionDelay: 90m");
  const auto rows = possible(yaml);
  CHECK(format_instant(by(rows, "ml/p").from) == "2026-03-02T10:30:00Z");
  CHECK(by(rows, "ml/p").why == "reclaim: can be evicted, after the preemption delay of the group");
}

TEST_CASE("kai words: the cause for a list is that of the sentence", "[kai]") {
  const auto cause = [](const std::string& yaml) { return test::AskedGroup(yaml, "p").explain().cause; };
  const std::string nodes = std::string(kTrain) + node("a", 1);
  const std::string p = alone({.name = "p", .request = kGpuEach});
  CHECK(cause(nodes + queue("have", 1) + p).id == rule_id(Rule::no_queue));
  CHECK(cause(nodes + queue("want", 1) + queue("child", 1, ", parentQueue: want") + p).id ==
        rule_id(Rule::inner_queue));
  CHECK(cause(nodes + queue("want", 1) + group("p", "want", ", minMember: 2") +
              pod({.name = "p", .group = "p", .request = kGpuEach}))
            .id == rule_id(Rule::not_ready));
  // Queue want uses its whole fair share. The second group is like the first; what fails is reclaim again.
  const std::string full = nodes + queue("want", 1) + queue("have", 0) + node("b", 1) +
                           alone({.name = "own", .node = "a", .request = kGpuEach}) +
                           alone({.name = "v", .node = "b", .request = kGpuEach}, "have") + p +
                           alone({.name = "q", .request = kGpuEach});
  for (const std::string name : {"p", "q"})
    CHECK(test::AskedGroup(full, name).explain().cause.id == rule_id(Rule::over_fair_share));
}

TEST_CASE("kai words: consolidation moves groups, whatever their min-runtime and priority", "[kai]") {
  // Pods of one GPU run on both nodes; one of them moves to the other node.
  const Answer answer =
      test::AskedGroup(std::string(kTrain) + queue("want", 4, ", preemptMinRuntime: 24h") + node("a", 2) +
                           node("b", 2) + alone({.name = "r1", .node = "a", .request = kGpuEach}) +
                           alone({.name = "r2", .node = "b", .request = kGpuEach}) +
                           alone({.name = "p", .request = ", nvidia.com/gpu: \"2\""}),
                       "p")
          .explain();
  REQUIRE(answer.outcome == Outcome::preempts);
  const Table* const groups = table_with(answer, "GROUP");
  REQUIRE(groups != nullptr);
  REQUIRE(groups->rows.size() == 1);
  REQUIRE(groups->columns.back().head == "RESULT");
  CHECK(groups->rows[0].back().text == "is moved");
}

TEST_CASE("kai words: answers about waiting pods and about its own pods report that a stale gang is evicted",
          "[kai][fleet]") {
  // Gang e has 1 pod, which uses 3 of the 4 GPUs, and a minimum of 2. It has been stale for 2 hours; the grace period
  // is a minute. Its queue is within its quota, so that p, which requests 2 GPUs, cannot evict it. Source:
  // pkg/scheduler/actions/stalegangeviction/stalegangeviction.go; cmd/scheduler/app/options/options.go
  // defaultStalenessGracePeriod.
  std::string stale = group("e", "have", ", minMember: 2");
  stale.replace(stale.find("name: e"), 7,
                "name: e, annotations: {kai.scheduler/stale-podgroup-timestamp: \"2026-03-02T08:00:00Z\"}");
  const std::string yaml = std::string(kTrain) + queue("want", 4) + queue("have", 4) + node("a", 4) + stale +
                           pod({.name = "e0", .group = "e", .node = "a", .request = ", nvidia.com/gpu: \"3\""}) +
                           alone({.name = "p", .request = ", nvidia.com/gpu: \"2\""});
  const std::string waits = test::AskedGroup(yaml, "p").explain().sentence;
  CHECK(waits.starts_with("stays pending: "));
  CHECK(waits.ends_with("; in the same cycle, 1 pod of the stale gang ml/e is evicted"));
  test::AskedGroup own(yaml, "e0");
  own.question.kind = "pod";
  CHECK(
      own.explain().sentence ==
      "is already on a; in the next cycle, it is evicted because its gang has had fewer pods than its minimum for too "
      "long");
  own.question.kind = "";
  own.question.ns = "";
  const auto fleet = queue_fleet(kai_engine, *own.cluster, own.question);
  REQUIRE(fleet);
  CHECK(
      queue_fleet_report(*fleet, {*own.cluster, own.question.now, "flag", {}}).data["summary"] ==
      "2 leaf queues; 0 of 1 pending group would evict pods, all decided in one cycle; 1 running pod is at risk. 1 pod "
      "of a stale gang is evicted for no other pod.");
}

TEST_CASE("kai words: the fleet tells the outcomes of pods that none of its queues lists", "[kai][fleet]") {
  const auto summary = [](const std::string& yaml) {
    test::AskedGroup asked(std::string(kTrain) + node("a", 1) + queue("want", 1) + yaml, "");
    asked.question.kind = "";
    asked.question.ns = "";
    const auto fleet = queue_fleet(kai_engine, *asked.cluster, asked.question);
    REQUIRE(fleet);
    return queue_fleet_report(*fleet, {*asked.cluster, asked.question.now, "flag", {}}).data["summary"];
  };
  CHECK(summary(alone({.name = "p"}, "other")) ==
        "1 leaf queue; 1 more pending pod, in no group of these queues: 1 stays pending.");
  CHECK(summary(alone({.name = "q"}) + alone({.name = "p"}, "other")) ==
        "1 leaf queue; 0 of 1 pending group would evict pods, all decided in one cycle; 0 running pods are at risk. 1 "
        "more pending pod, in no group of these queues: 1 stays pending.");
}

TEST_CASE("kai words: values of a shard that KAI replaces are reported", "[kai]") {
  const auto warnings = [](std::string_view spec) {
    Objects objects;
    REQUIRE(test::read_text(shard(spec) + queue("want", 1), objects));
    const Snapshot cluster(objects);
    REQUIRE(kai_engine.check_configuration(cluster, Question{}));
    Names said;
    for (const Warning& warning : cluster.diagnostics().sorted()) said.push_back(warning.message);
    return said;
  };
  CHECK(warnings("minRuntime: {reclaimMinRuntime: 10m, preemptMinRuntime: 1w2d}").empty());
  CHECK(warnings("minRuntime: {reclaimMinRuntime: tenminutes}") ==
        Names{"SchedulingShard default: reclaimMinRuntime \"tenminutes\" is not a duration: KAI uses 0s instead"});
  CHECK(warnings("minRuntime: {preemptMinRuntime: -10m}") ==
        Names{"SchedulingShard default: preemptMinRuntime \"-10m\" is negative: KAI uses 0s instead"});
  CHECK(warnings("plugins: {minruntime: {arguments: {defaultReclaimMinRuntime: \"10\"}}}") ==
        Names{"SchedulingShard default: defaultReclaimMinRuntime \"10\" is not a duration: KAI uses 0s instead"});
  CHECK(warnings("plugins: {proportion: {arguments: {kValue: abc}}}") ==
        Names{"SchedulingShard default: kValue \"abc\" is not a number: KAI uses 1 instead"});
  CHECK(warnings("plugins: {proportion: {arguments: {kValue: \"-2\", relcaimerSaturationMultiplier: \"0.5\"}}}") ==
        Names{"SchedulingShard default: kValue \"-2\" is negative: KAI uses 0 instead",
              "SchedulingShard default: relcaimerSaturationMultiplier \"0.5\" is less than 1: KAI uses 1 instead"});
  // Arguments of other plugins are not read.
  CHECK(warnings("plugins: {minruntime: {arguments: {kValue: abc}}, "
                 "proportion: {arguments: {defaultPreemptMinRuntime: abc}}}")
            .empty());
}

TEST_CASE("kai words: a disabled plugin sets no default min-runtime", "[kai]") {
  const auto set_by = [](std::string_view plugins) {
    const Answer answer =
        test::AskedGroup(one_gpu(shard(fmt::format("minRuntime: {{reclaimMinRuntime: 10m}}{}", plugins))), "p")
            .explain();
    const Table* const groups = table_with(answer, "GROUP");
    REQUIRE(groups != nullptr);
    for (std::size_t i = 0; i < groups->columns.size(); ++i) {
      if (groups->columns[i].head == "SET BY") return groups->rows.at(0)[i].text;
    }
    return std::string();
  };
  CHECK(set_by("") == "default of the shard (lca: have, from have upward)");
  CHECK(set_by(", plugins: {minruntime: {enabled: false}}") == "none: plugin minruntime is disabled");
}

// Source: pkg/scheduler/cache/cluster_info/cluster_info.go: pods without a PodGroup belong to no job.
TEST_CASE("kai words: a pod of KAI without a PodGroup that holds the GPUs is named", "[kai]") {
  const std::string holds =
      "---\n{apiVersion: v1, kind: Pod, metadata: {name: k, namespace: ml, uid: k}, spec: {nodeName: a, schedulerName: "
      "kai-scheduler, containers: [{name: c, resources: {requests: {nvidia.com/gpu: \"1\"}}}]}, status: {phase: "
      "Running}}\n";
  const std::string asks = std::string(kTrain) + queue("want", 4) + alone({.name = "p", .request = kGpuEach});
  CHECK(test::AskedGroup(asks + node("a", 1) + holds, "p").explain().sentence ==
        "stays pending: no node has a free GPU; no other group is running in the shard; KAI does not evict ml/k, which "
        "has no PodGroup");
}

TEST_CASE("kai words: without any Queue, it is unknown what could preempt a pod", "[kai]") {
  test::AskedGroup asked(
      std::string(kTrain) + node("a", 1) + alone({.name = "v", .node = "a", .request = kGpuEach}, "have"), "v");
  asked.question.kind = "";
  const auto found = possible_preemptors(kai_engine, *asked.cluster, asked.question);
  REQUIRE(found);
  CHECK(found->rows.empty());
  REQUIRE(found->unknown);
  CHECK(found->unknown->lacks("Queue"));
}

TEST_CASE("kai words: a pod of another scheduler that holds the GPUs is named", "[kai]") {
  const auto foreign = [](std::string_view name) {
    return fmt::format(
        "---\n{{apiVersion: v1, kind: Pod, metadata: {{name: {0}, namespace: d, uid: {0}}}, spec: {{nodeName: a, "
        "containers: [{{name: c, resources: {{requests: {{nvidia.com/gpu: \"1\"}}}}}}]}}, status: {{phase: "
        "Running}}}}\n",
        name);
  };
  const std::string asks = std::string(kTrain) + queue("want", 4) + alone({.name = "p", .request = kGpuEach});
  CHECK(test::AskedGroup(asks + node("a", 1) + foreign("one"), "p").explain().sentence ==
        "stays pending: no node has a free GPU; d/one of another scheduler has 1 GPU; no other group is running in the "
        "shard");
  CHECK(test::AskedGroup(asks + node("a", 2) + foreign("one") + foreign("two"), "p").explain().sentence ==
        "stays pending: no node has a free GPU; d/one, d/two of other schedulers have 2 GPUs; no other group is "
        "running in "
        "the shard");
}
