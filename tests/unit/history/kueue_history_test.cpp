#include "history/post_mortem.h"
#include "support/kueue.h"

#include <catch2/catch.hpp>

// What Kueue writes to workloads that it evicts. Source: kubernetes-sigs/kueue v0.19.0
// pkg/scheduler/preemption/preemption.go preemptionMessage, pkg/workload/evict.go.

namespace previct::history {
namespace {

using test::flavor;
using test::KueueAsked;
using test::queue;
using test::workload;

constexpr const char* kMessage =
    "Preempted to accommodate a workload (UID: w-want, JobUID: j) due to reclamation within the cohort; preemptor "
    "path: /team/a; preemptee path: /team/b";

auto evicted(const std::string& type, const std::string& reason, const std::string& message) -> std::string {
  return fmt::format(
      "---\n{{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {{name: gone, namespace: ns, uid: "
      "w-gone}}, "
      "spec: {{queueName: b, podSets: []}}, status: {{conditions: [{{type: {}, status: \"True\", reason: {}, "
      "lastTransitionTime: \"2026-05-01T11:50:00Z\", message: \"{}\"}}]}}}}\n",
      type, reason, message);
}
const std::string kWant =
    "---\n{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: want, namespace: ns, uid: w-want}, "
    "spec: {queueName: a, podSets: []}}\n";

auto judged(KueueAsked& asked, const std::string& name) -> PostMortem {
  asked.question.now = *parse_instant("2026-05-01T12:00:00Z");
  auto result = post_mortem({asked.objects, Snapshot(asked.objects), asked.question, "auto"}, name, "ns");
  REQUIRE(result);
  return *std::move(result);
}

}  // namespace

TEST_CASE("post-mortem, Kueue: the condition Preempted gives the preemptor and the reason", "[history][kueue]") {
  KueueAsked asked(evicted("Preempted", "InCohortReclamation", kMessage) + kWant);
  const PostMortem found = judged(asked, "workload/ns/gone");
  REQUIRE(found.disruption);
  CHECK(cause_id(found.disruption->cause) == "kueue.preemption");
  CHECK(found.preemptor_words == "workload ns/want");
  CHECK(found.disruption->detail == "InCohortReclamation: reclamation within the cohort, from /team/b for /team/a");
  CHECK(found.verdict == Verdict::unclear);
}

TEST_CASE("post-mortem, Kueue: a text without paths, or about an unknown workload, is used as far as possible",
          "[history][kueue]") {
  // Until 0.18 the text ended with the reason.
  KueueAsked old(evicted("Preempted", "InClusterQueue",
                         "Preempted to accommodate a workload (UID: UNKNOWN, JobUID: UNKNOWN) due to prioritization in "
                         "the ClusterQueue"));
  const PostMortem found = judged(old, "workload/ns/gone");
  CHECK(found.preemptor_words == "an unknown workload");
  CHECK(found.disruption->detail == "InClusterQueue: prioritization in the ClusterQueue");
  KueueAsked other(evicted("Preempted", "InClusterQueue", "something else"));
  CHECK(judged(other, "workload/ns/gone").disruption->detail == "InClusterQueue");
}

TEST_CASE("post-mortem, Kueue: a workload evicted for another reason was not preempted", "[history][kueue]") {
  KueueAsked asked(evicted("Evicted", "PodsReadyTimeout", "Exceeded the PodsReady timeout"));
  const PostMortem found = judged(asked, "workload/ns/gone");
  CHECK(found.verdict == Verdict::not_preempted);
  CHECK(found.why == "evicted by Kueue (PodsReadyTimeout)");
}

TEST_CASE("post-mortem, Kueue: an event gives the same as the condition", "[history][kueue]") {
  KueueAsked asked(
      "---\n{apiVersion: v1, kind: Event, metadata: {namespace: ns, name: e}, involvedObject: {kind: Workload, "
      "namespace: ns, name: gone, uid: w-gone}, reason: Preempted, eventTime: \"2026-05-01T11:50:00.5Z\", message: "
      "\"" +
      std::string(kMessage) +
      "; preemptor effective priority: 0 (base: 0, boost: 0); preemptee effective priority: 0 (base: 0, boost: "
      "0)\"}\n" +
      kWant);
  const PostMortem found = judged(asked, "workload/ns/gone");
  CHECK(found.preemptor_words == "workload ns/want");
  CHECK(found.disruption->detail == "reclamation within the cohort, from /team/b for /team/a");
}

TEST_CASE("post-mortem, Kueue: a workload without evictions reports its state", "[history][kueue]") {
  KueueAsked asked(flavor() + queue({}) + workload({.name = "run", .holds = true}) + workload({.name = "w"}));
  CHECK(judged(asked, "workload/ns/run").why == "it has quota of ClusterQueue q");
  CHECK(judged(asked, "workload/ns/w").why == "it is pending");
}

}  // namespace previct::history
