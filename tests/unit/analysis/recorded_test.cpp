#include "analysis/recorded.h"

#include "support/cluster.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace previct;

namespace {

auto pending(const std::string& message) -> std::string {
  return R"(apiVersion: v1
kind: Pod
metadata: {name: p, namespace: default}
spec: {priority: 9, containers: [{name: c, resources: {requests: {cpu: "8"}}}]}
status:
  phase: Pending
  conditions: [{type: PodScheduled, status: "False", reason: Unschedulable, lastTransitionTime: "2026-03-02T11:00:00Z",
    message: ")" +
         message + "\"}]\n";
}

auto compared(const std::string& message, const std::string& more = "") -> Recorded {
  std::vector<std::string> documents = {test::a_node("n1", "4"), test::a_node("n2", "4"), pending(message)};
  if (!more.empty()) documents.push_back(more);
  const auto cluster = test::a_cluster(documents);
  const Answer answer = test::ask_kube(*cluster, "default/p");
  const ReportContext context{.cluster = *cluster->snapshot,
                              .now = *parse_instant("2026-03-02T12:00:00Z"),
                              .now_source = "flag",
                              .input_gaps = {}};
  const auto said = recorded(answer, context);
  REQUIRE(said);
  return *said;
}

}  // namespace

TEST_CASE("recorded: the scheduler's message is compared with the expected one", "[recorded]") {
  // Each of the two nodes has 4 CPUs, the pod wants 8: no eviction helps.
  const std::string ours =
      "0/2 nodes are available: 2 Insufficient cpu. no new claims to deallocate, preemption: 0/2 nodes are available: "
      "2 "
      "Preemption is not helpful for scheduling.";
  CHECK(compared(ours).comparison == Recorded::Comparison::same);

  const Recorded other = compared(
      "0/3 nodes are available: 1 node(s) were unschedulable, 2 Insufficient cpu. preemption: 0/3 nodes are available: "
      "3 "
      "Preemption is not helpful for scheduling.");
  CHECK(other.comparison == Recorded::Comparison::differs);
  REQUIRE(other.differences.size() == 2);
  CHECK(other.differences[0].reason == "node(s) were unschedulable");
  CHECK(other.differences[0].recorded == 1);
  CHECK(other.differences[0].answer == 0);
  CHECK(other.differences[1].reason == "preemption: Preemption is not helpful for scheduling");
  REQUIRE_FALSE(other.why.empty());
  CHECK(other.why[0] == "it was about 3 nodes, the input has 2");

  // A node that is newer than the condition explains a message about one node fewer.
  const Recorded before = compared(
      "0/2 nodes are available: 2 Insufficient cpu. preemption: 0/2 nodes are available: 2 Preemption is not helpful "
      "for "
      "scheduling.",
      "apiVersion: v1\nkind: Node\nmetadata: {name: n3, creationTimestamp: \"2026-03-02T11:30:00Z\"}\n");
  CHECK(before.why.back() == "since 11:00:00 1 node was added");
}

TEST_CASE("recorded: a pod that fits gets reasons why it may still wait", "[recorded]") {
  const auto cluster =
      test::a_cluster({test::a_node("n1", "16"), pending("0/1 nodes are available: 1 Too many pods.")});
  const Answer answer = test::ask_kube(*cluster, "default/p");
  REQUIRE(answer.outcome == Outcome::fits);
  const ReportContext context{.cluster = *cluster->snapshot,
                              .now = *parse_instant("2026-03-02T12:00:00Z"),
                              .now_source = "flag",
                              .input_gaps = {}};
  const auto why = why_it_waits(answer, context);
  REQUIRE(why.size() == 1);
  // The newest time in the input is that of the condition itself.
  CHECK(why[0].find("back-off") != std::string::npos);
}

// Kueue's decision about the workload of a gated pod: the pod is not in a queue of kube-scheduler.
TEST_CASE("recorded: nothing is said of attempts for a pod that has scheduling gates", "[recorded][kueue]") {
  const auto cluster = test::a_cluster(
      {"apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: default}\nspec: {schedulingGates: [{name: "
       "kueue.x-k8s.io/admission}], containers: [{name: c}]}\nstatus: {phase: Pending, conditions: [{type: "
       "PodScheduled, status: \"False\", reason: SchedulingGated}]}\n"});
  Answer answer;
  answer.outcome = Outcome::fits;
  answer.subject = cluster->snapshot->find_pod("default", "p");
  const ReportContext context{.cluster = *cluster->snapshot,
                              .now = *parse_instant("2026-03-02T12:00:00Z"),
                              .now_source = "flag",
                              .input_gaps = {}};
  CHECK(why_it_waits(answer, context).empty());
  // Without its Workload, kube-scheduler's answer does not know what Kueue decides.
  const Answer gated = test::ask_kube(*cluster, "default/p");
  CHECK(gated.outcome == Outcome::gated);
  CHECK(std::any_of(gated.gaps.begin(), gated.gaps.end(), [](const Gap& gap) { return gap.lacks("Workload"); }));
}
