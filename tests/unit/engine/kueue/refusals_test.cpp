#include "support/kueue.h"

#include <catch2/catch.hpp>

// Why a workload is refused before Kueue looks for quota. Source: kubernetes-sigs/kueue v0.19.0
// pkg/scheduler/scheduler.go nominate; the messages are those of Kueue.

namespace previct {
namespace {

using test::flavor;
using test::kueue_object;
using test::KueueAsked;
using test::queue;
using test::workload;

auto with_status(std::string object, const std::string& status) -> std::string {
  object.insert(object.rfind('}'), fmt::format(", status: {{{}}}", status));
  return object;
}

auto answer_of(const std::string& objects) -> Answer {
  return KueueAsked(flavor() + objects).explain("w");
}

auto message_of(const std::string& objects) -> std::string {
  const Answer answer = answer_of(objects);
  CHECK(answer.outcome == Outcome::pending);
  return answer.scheduler_message;
}

auto with_check(const std::string& state) -> std::string {
  return queue({}) +
         with_status(workload({.name = "w"}), fmt::format("admissionChecks: [{{name: c, state: {}}}]", state));
}

// Returns a ClusterQueue with this selector of namespaces, and workload w.
auto with_selector(const std::string& selector) -> std::string {
  return kueue_object("ClusterQueue", "q",
                      selector +
                          "resourceGroups: [{coveredResources: [cpu], flavors: [{name: f, resources: [{name: cpu, "
                          "nominalQuota: 4}]}]}]") +
         kueue_object("LocalQueue", "q", "clusterQueue: q", "ns") + workload({.name = "w"});
}

auto limit_range(const std::string& item) -> std::string {
  return fmt::format(
      "---\n{{apiVersion: v1, kind: LimitRange, metadata: {{name: l, namespace: ns}}, spec: {{limits: [{{{}}}]}}}}\n",
      item);
}

}  // namespace

TEST_CASE("kueue refusal: an admission check failed", "[kueue]") {
  const std::string failed = "The workload has failed admission checks";
  CHECK(message_of(with_check("Retry")) == failed);
  CHECK(message_of(with_check("Rejected")) == failed);
  CHECK(answer_of(with_check("Ready")).outcome == Outcome::fits);
  CHECK(answer_of(with_check("Pending")).outcome == Outcome::fits);
}

TEST_CASE("kueue refusal: the queue does not take the namespace", "[kueue]") {
  const std::string mismatch = "workload namespace doesn't match ClusterQueue selector";
  const std::string team_a = "---\n{apiVersion: v1, kind: Namespace, metadata: {name: ns, labels: {team: a}}}\n";
  CHECK(message_of(team_a + with_selector("")) == mismatch);  // no selector matches nothing
  CHECK(answer_of(team_a + with_selector("namespaceSelector: {}, ")).outcome == Outcome::fits);
  CHECK(answer_of(team_a + with_selector("namespaceSelector: {matchLabels: {team: a}}, ")).outcome == Outcome::fits);
  CHECK(message_of(team_a + with_selector("namespaceSelector: {matchLabels: {team: b}}, ")) == mismatch);
}

TEST_CASE("kueue refusal: a request above its limit, or outside a LimitRange", "[kueue]") {
  const std::string requests = "requests: {cpu: \"2\"}";
  std::string above = workload({.name = "w", .cpu = "2"});
  above.insert(above.find(requests) + requests.size(), ", limits: {cpu: \"1\"}");
  CHECK(message_of(queue({}) + above) ==
        "resources validation failed: spec.podSets[0].template.spec.containers[0]: Invalid value: [\"cpu\"]: requests "
        "must not exceed its limits");
  const std::string of_pod = ", limits: {cpu: \"1\"}}, ";
  CHECK(message_of(queue({}) + workload({.name = "w", .pod = "resources: {requests: {cpu: \"2\"}" + of_pod})) ==
        "resources validation failed: spec.podSets[0].template.spec.resources: Invalid value: [\"cpu\"]: requests must "
        "not exceed its limits");
  CHECK(answer_of(queue({}) + workload({.name = "w", .pod = "resources: {requests: {cpu: \"1\"}" + of_pod})).outcome ==
        Outcome::fits);
  const std::string two = queue({}) + workload({.name = "w", .cpu = "2"});
  const std::string unsatisfied = "resources didn't satisfy LimitRange constraints: ";
  const std::string in_container =
      unsatisfied + "spec.podSets[0].template.spec.containers[0]: Invalid value: [\"cpu\"]: ";
  const std::string in_pod = unsatisfied + "spec.podSets[0].template.spec: Invalid value: [\"cpu\"]: ";
  const std::string too_much = "requests must not be above the limitRange max";
  const std::string too_little = "requests must not be below the limitRange min";
  CHECK(message_of(two + limit_range("type: Container, max: {cpu: 1}")) == in_container + too_much);
  CHECK(message_of(two + limit_range("type: Container, min: {cpu: 3}")) == in_container + too_little);
  CHECK(message_of(two + limit_range("type: Pod, max: {cpu: 1}")) == in_pod + too_much);
  CHECK(message_of(two + limit_range("type: Pod, min: {cpu: 3}")) == in_pod + too_little);
  CHECK(answer_of(two + limit_range("type: Container, min: {cpu: 2}, max: {cpu: 2}")).outcome == Outcome::fits);
  CHECK(answer_of(two + limit_range("type: Pod, min: {cpu: 2}, max: {cpu: 2}")).outcome == Outcome::fits);
}

TEST_CASE("kueue back-off: a workload that was evicted waits until its time, which counts as over", "[kueue]") {
  // It is noon. Source: pkg/cache/queue/cluster_queue.go backoffWaitingTimeExpired.
  const auto next_change = [](const std::string& at, const std::string& requeued) {
    const Answer answer = answer_of(
        queue({}) +
        with_status(workload({.name = "w"}),
                    fmt::format("requeueState: {{count: 1, requeueAt: \"2026-05-01T{}Z\"}}, conditions: [{{type: "
                                "Requeued, status: \"{}\", lastTransitionTime: \"2026-05-01T11:50:00Z\"}}]",
                                at, requeued)));
    return std::pair(answer.outcome == Outcome::fits, answer.next_change);
  };
  const Instant later = *parse_instant("2026-05-01T12:01:00Z");
  CHECK(next_change("12:01:00", "True") == std::pair(false, later));
  CHECK(next_change("12:00:00", "True") == std::pair(true, Instant::never()));
  // While Requeued is False, it waits for its controller.
  CHECK(next_change("12:01:00", "False") == std::pair(false, later));
  CHECK(next_change("12:00:00", "False") == std::pair(false, Instant::never()));
}

TEST_CASE("kueue back-off: its controller ends it, although the condition Requeued is False", "[kueue]") {
  // It is noon. Source: pkg/controller/core/workload_controller.go Reconcile, WorkloadBackoffFinished.
  const auto answer = [](const std::string& reason, const std::string& at) {
    return answer_of(
        queue({}) +
        with_status(workload({.name = "w"}),
                    fmt::format("{}conditions: [{{type: Requeued, status: \"False\", reason: {}, lastTransitionTime: "
                                "\"2026-05-01T11:50:00Z\"}}]",
                                at.empty() ? "" : fmt::format("requeueState: {{requeueAt: \"2026-05-01T{}Z\"}}, ", at),
                                reason)));
  };
  for (const std::string reason : {"PodsReadyTimeout", "AdmissionCheck"}) {
    CAPTURE(reason);
    CHECK(answer(reason, "11:59:00").outcome == Outcome::fits);
    CHECK(answer(reason, "").outcome == Outcome::fits);
    const Answer later = answer(reason, "12:05:00");
    CHECK(later.sentence == "stays pending until 12:05:00 (in 5m) (status.requeueState.requeueAt)");
    CHECK(later.next_change == *parse_instant("2026-05-01T12:05:00Z"));
  }
  // The workload is active, and its LocalQueue is not stopped.
  for (const std::string reason : {"Deactivated", "LocalQueueStopped"})
    CHECK(answer(reason, "11:59:00").outcome == Outcome::fits);
  CHECK(answer("ClusterQueueStopped", "11:59:00").sentence ==
        "stays pending: its condition Requeued is False (ClusterQueueStopped)");
  CHECK(answer("ClusterQueueStopped", "").next_change == Instant::never());
}

// `other` may come first from 12:01 on, which only timelines ask for.
TEST_CASE("kueue back-off: a brief answer holds until the back-off of another workload in the cohorts ends",
          "[kueue]") {
  const auto next_change = [](const std::string& of_w, bool brief) {
    const std::string later = "requeueState: {requeueAt: \"2026-05-01T12:01:00Z\"}";
    KueueAsked asked(flavor() + queue({}) + queue({.name = "apart"}) + with_status(workload({.name = "other"}), later) +
                     workload({.name = "w", .queue = of_w}));
    asked.question.brief = brief;
    const auto verdict = asked.decide("w");
    REQUIRE(verdict);
    return verdict->next_change;
  };
  CHECK(next_change("q", true) == *parse_instant("2026-05-01T12:01:00Z"));
  CHECK(next_change("q", false) == Instant::never());
  CHECK(next_change("apart", true) == Instant::never());
  CHECK(next_change("no-such-queue", true) == Instant::never());
  CHECK(next_change("no-such-queue", false) == Instant::never());
}

TEST_CASE("kueue admission checks: until they are ready, a workload with quota waits", "[kueue]") {
  // Source: pkg/controller/core/workload_controller.go reconcileCheckBasedEviction.
  const auto answer = [](const std::string& state) {
    std::string object = workload({.name = "w", .holds = true});
    const std::string admitted = "{type: Admitted";
    object.replace(object.find(admitted), admitted.size(), "{type: Other");
    const std::string status = "status: {admission: ";
    object.insert(object.find(status) + 9, fmt::format("admissionChecks: [{{name: c, state: {}}}], ", state));
    return answer_of(queue({}) + object);
  };
  CHECK(answer("Pending").outcome == Outcome::waits);
  CHECK(answer("Pending").sentence ==
        "holds quota of ClusterQueue q on flavor f, and is admitted when its admission checks are ready (c: Pending)");
  const Answer rejected = answer("Rejected");
  CHECK(rejected.outcome == Outcome::gated);
  CHECK(rejected.sentence ==
        "loses its quota of ClusterQueue q, because an admission check rejects it (c: Rejected), and is deactivated");
  const Answer retry = answer("Retry");
  CHECK(retry.outcome == Outcome::pending);
  CHECK(retry.sentence ==
        "loses its quota of ClusterQueue q, because an admission check requests a retry (c: Retry), and is queued "
        "again");
  // pkg/workload/admissionchecks.go GetMaxRetryTime: 11:59 + 600 s = 12:09. A time in the past changes nothing.
  const auto later = [&](const std::string& since) {
    return answer(fmt::format("Retry, requeueAfterSeconds: 600, lastTransitionTime: \"2026-05-01T{}Z\"", since))
        .sentence;
  };
  CHECK(later("11:59:00") ==
        "loses its quota of ClusterQueue q at 12:09:00 (in 9m), because an admission check requests a retry (c: "
        "Retry), and is queued again");
  CHECK(later("11:49:00") == retry.sentence);
}

// run was admitted at 11:00 and holds all quota; w waits for it. It is noon. Source:
// pkg/controller/core/workload_controller.go Reconcile.
namespace {

struct Losing {
  std::string spec = "";    ///< of run: `, active: false`
  std::string status = "";  ///< conditions of run, each preceded by a comma
  std::string meta = "";
  std::string queue = "";  ///< more of the ClusterQueue
  std::string config = "";
};

auto answers_of_losing(const Losing& of) -> std::pair<Answer, Answer> {
  KueueAsked asked(
      flavor() + queue({.more = of.queue}) +
      workload({.name = "run", .cpu = "4", .holds = true, .meta = of.meta, .spec = of.spec, .status = of.status}) +
      workload({.name = "w", .cpu = "4"}));
  if (!of.config.empty()) asked.config(of.config);
  Answer run = asked.explain("run");
  return {std::move(run), asked.explain("w")};
}

auto has_gap(const Answer& answer, GapRule rule) -> bool {
  return std::any_of(answer.gaps.begin(), answer.gaps.end(), [&](const Gap& gap) { return gap.rule == rule; });
}

}  // namespace

TEST_CASE("kueue maximumExecutionTimeSeconds: at its end, the workload is deactivated and its quota is free",
          "[kueue]") {
  // reconcileMaxExecutionTime: 7200 s from 11:00 on end at 13:00.
  const auto [run, w] = answers_of_losing({.spec = ", maximumExecutionTimeSeconds: 7200"});
  CHECK(run.outcome == Outcome::scheduled);
  CHECK(run.next_change == *parse_instant("2026-05-01T13:00:00Z"));
  CHECK(w.outcome == Outcome::pending);
  CHECK(w.next_change == *parse_instant("2026-05-01T13:00:00Z"));
  CHECK(w.next_change_words == "maximumExecutionTimeSeconds of workload ns/run end, and it is deactivated");
  const auto [ended, next] = answers_of_losing({.spec = ", maximumExecutionTimeSeconds: 3600"});
  CHECK(ended.sentence ==
        "loses its quota of ClusterQueue q, because its maximumExecutionTimeSeconds ended at 12:00:00 (now), and is "
        "deactivated");
  CHECK(ended.outcome == Outcome::gated);
  CHECK(next.outcome == Outcome::fits);
}

TEST_CASE("kueue DeactivationTarget: the workload is deactivated at once", "[kueue]") {
  const auto [run, w] =
      answers_of_losing({.status = ", {type: DeactivationTarget, status: \"True\", reason: RequeuingLimitExceeded}"});
  CHECK(run.sentence ==
        "loses its quota of ClusterQueue q, because its condition DeactivationTarget is True (RequeuingLimitExceeded), "
        "and is deactivated");
  CHECK(w.outcome == Outcome::fits);
}

TEST_CASE("kueue spec.active: a deactivated workload with quota is evicted, and its quota is free", "[kueue]") {
  const auto [run, w] = answers_of_losing({.spec = ", active: false"});
  CHECK(run.sentence ==
        "is being evicted, because it is deactivated (spec.active is false); its quota of ClusterQueue q is free");
  CHECK(w.outcome == Outcome::fits);
}

TEST_CASE("kueue HoldAndDrain: admitted workloads are evicted", "[kueue]") {
  // reconcileOnClusterQueueActiveState; Hold evicts none.
  const auto [run, w] = answers_of_losing({.queue = ", stopPolicy: HoldAndDrain"});
  CHECK(
      run.sentence ==
      "loses its quota of ClusterQueue q, because the queue is stopped (stopPolicy HoldAndDrain), and is queued again "
      "when the queue is started");
  CHECK(answers_of_losing({.queue = ", stopPolicy: Hold"}).first.outcome == Outcome::scheduled);
}

TEST_CASE("kueue waitForPodsReady: a workload whose pods are not ready in time is evicted", "[kueue]") {
  // admittedNotReadyWorkload: the timeout counts from Admitted, 11:00, on. The quota is used until its pods have ended.
  const std::string waits = ", {type: PodsReady, status: \"False\", reason: WaitForStart}";
  const auto [run, w] = answers_of_losing({.status = waits, .config = "waitForPodsReady: {timeout: 30m}\n"});
  CHECK(run.sentence ==
        "loses its quota of ClusterQueue q, because its pods were not ready until 11:30:00 (30m ago) "
        "(waitForPodsReady), and is queued again");
  CHECK(w.outcome == Outcome::pending);
  CHECK(
      w.sentence ==
      "stays pending in ClusterQueue q: flavor f lacks 4 cpu (4 of nominal 4 used); no workload may be preempted for "
      "it; when workload ns/run, which is being evicted, has returned its quota, it would be admitted by ClusterQueue "
      "q on flavor f");
  CHECK(has_gap(w, GapRule::kueue_quota_returns));
  const auto [later, waiting] = answers_of_losing({.status = waits, .config = "waitForPodsReady: {timeout: 90m}\n"});
  CHECK(later.next_change == *parse_instant("2026-05-01T12:30:00Z"));
  CHECK(waiting.next_change_words == "unless the pods of workload ns/run are ready by then, it is evicted");
  // Since 0.19, the default is 30 minutes; without the condition, the controller of the input does not wait.
  CHECK(answers_of_losing({.status = waits}).first.outcome == Outcome::pending);
  CHECK(answers_of_losing({}).first.outcome == Outcome::scheduled);
  // triggerDeactivation: the first time is already above a limit of 0.
  const auto limited = answers_of_losing(
      {.status = waits, .config = "waitForPodsReady: {timeout: 30m, requeuingStrategy: {backoffLimitCount: 0}}\n"});
  CHECK(limited.first.outcome == Outcome::gated);
  CHECK(limited.second.outcome == Outcome::fits);
}

TEST_CASE("kueue deletion: a deleted workload is not admitted, and returns its quota", "[kueue]") {
  // pkg/controller/jobframework/reconciler.go ReconcileGenericJob, 1.1: the job is suspended, Kueue's finalizer
  // removed.
  const std::string deleted = ", deletionTimestamp: \"2026-05-01T11:59:00Z\"";
  const auto [run, w] = answers_of_losing({.meta = deleted});
  CHECK(run.sentence == "is being deleted");
  CHECK(run.outcome == Outcome::deleting);
  CHECK(w.outcome == Outcome::fits);
  const auto [kept, waits] = answers_of_losing({.meta = deleted + ", finalizers: [x/y]"});
  CHECK(kept.sentence == "is being deleted (finalizer x/y); until then, its quota of ClusterQueue q is used");
  CHECK(waits.outcome == Outcome::pending);
  CHECK(has_gap(waits, GapRule::kueue_quota_returns));
}

// Source: pkg/cache/queue/manager.go QueueAssociatedInadmissibleWorkloadsAfter, which finds the ClusterQueue by the
// LocalQueue of the workload that returned its quota.
TEST_CASE("kueue eviction: quota that returns to a stopped or missing LocalQueue wakes no other workload", "[kueue]") {
  const auto answer = [](const std::string& local_queue, const std::string& cpu_of_run = "4") {
    std::string run = workload(
        {.name = "run",
         .cpu = cpu_of_run,
         .priority = -1,
         .holds = true,
         .status =
             ", {type: Evicted, status: \"True\", reason: Preempted, lastTransitionTime: \"2026-05-01T11:59:00Z\"}"});
    run.replace(run.find("queueName: q"), 12, "queueName: own");
    KueueAsked asked(flavor() + queue({}) + local_queue + run + workload({.name = "w", .cpu = "4", .minute = 1}));
    return asked.explain("w");
  };
  const auto local_queue = [](const std::string& policy) {
    return test::kueue_object("LocalQueue", "own", "clusterQueue: q, stopPolicy: " + policy, "ns");
  };
  for (const std::string& unnoticed : {local_queue("Hold"), local_queue("HoldAndDrain"), std::string()}) {
    const Answer w = answer(unnoticed);
    CHECK(w.outcome == Outcome::pending);
    CHECK(w.sentence.ends_with(
        "; workload ns/run, which is being evicted, returns its quota, but Kueue tries no other workload for that, "
        "because its LocalQueue is stopped or missing"));
    CHECK(has_gap(w, GapRule::kueue_quota_returns));
  }
  const Answer noticed = answer(local_queue("None"));
  CHECK(
      noticed.sentence.ends_with("; when workload ns/run, which is being evicted, has returned its quota, it would be "
                                 "admitted by ClusterQueue q on "
                                 "flavor f"));
}

TEST_CASE("kueue eviction: only quota that a workload lacks, and waits for, is of interest", "[kueue]") {
  // `full` uses 3 of 4 CPUs of f, and w requests 4 in zone a, which g is not in. `run` is evicted from a LocalQueue
  // that does not exist. It holds 1 CPU of f, or what does not help: 1 CPU of g, or memory.
  const auto says_more = [](const std::string& flavors, const std::string& usage) {
    const std::string q =
        test::kueue_object(
            "ClusterQueue", "q",
            "namespaceSelector: {}, resourceGroups: [{coveredResources: [cpu, memory], flavors: [{name: "
            "f, resources: [{name: cpu, nominalQuota: 4}, {name: memory, nominalQuota: 8Gi}]}, {name: g, "
            "resources: [{name: cpu, nominalQuota: 4}, {name: memory, nominalQuota: 8Gi}]}]}]") +
        test::kueue_object("LocalQueue", "q", "clusterQueue: q", "ns");
    std::string run = workload(
        {.name = "run",
         .holds = true,
         .status =
             ", {type: Evicted, status: \"True\", reason: Preempted, lastTransitionTime: \"2026-05-01T11:59:00Z\"}"});
    run.replace(run.find("queueName: q"), 12, "queueName: own");
    run.replace(run.find("flavors: {cpu: f}"), 17, "flavors: {" + flavors + "}");
    run.replace(run.find("resourceUsage: {cpu: \"1\"}"), 25, "resourceUsage: {" + usage + "}");
    KueueAsked asked(flavor("f", "nodeLabels: {zone: a}") + flavor("g", "nodeLabels: {zone: b}") + q + run +
                     workload({.name = "full", .cpu = "3", .holds = true}) +
                     workload({.name = "w", .cpu = "4", .minute = 1, .pod = "nodeSelector: {zone: a}, "}));
    const Answer w = asked.explain("w");
    CHECK(w.outcome == Outcome::pending);
    CHECK((w.sentence.find("returns its quota") != std::string::npos) == has_gap(w, GapRule::kueue_quota_returns));
    return has_gap(w, GapRule::kueue_quota_returns);
  };
  CHECK(says_more("cpu: f", "cpu: \"1\""));
  CHECK_FALSE(says_more("cpu: g", "cpu: \"1\""));
  CHECK_FALSE(says_more("memory: f", "memory: \"1Gi\""));
  CHECK_FALSE(says_more("memory: g", "memory: \"1Gi\""));
  // One that preempts others does not wait for it.
  std::string run = workload(
      {.name = "run",
       .cpu = "2",
       .priority = 20,
       .holds = true,
       .status =
           ", {type: Evicted, status: \"True\", reason: Preempted, lastTransitionTime: \"2026-05-01T11:59:00Z\"}"});
  run.replace(run.find("queueName: q"), 12, "queueName: own");
  KueueAsked preempts(flavor() + queue({.preemption = "withinClusterQueue: LowerPriority"}) + run +
                      workload({.name = "low", .cpu = "2", .holds = true}) +
                      workload({.name = "w", .cpu = "2", .priority = 10, .minute = 1}));
  const Answer w = preempts.explain("w");
  CHECK(w.outcome == Outcome::preempts);
  CHECK_FALSE(has_gap(w, GapRule::kueue_quota_returns));
}

TEST_CASE("kueue elastic jobs: a slice that replaces another is not decided", "[kueue]") {
  // old holds 2 of 4 cpu, w requests 3. Kueue takes the quota of old off, so that w fits. Source:
  // pkg/workloadslicing/workloadslicing.go ReplacedWorkloadSlice, which looks for the named slice in the same queue.
  const auto answer = [](const std::string& replaced, const std::string& more = "") {
    return answer_of(queue({}) + workload({.name = "old", .cpu = "2", .holds = true}) +
                     workload({.name = "w",
                               .cpu = "3",
                               .meta = fmt::format(", annotations: {{{}kueue.x-k8s.io/workload-slice-replacement-for: "
                                                   "{}}}",
                                                   more, replaced)}));
  };
  const Answer unknown = answer("ns/old");
  CHECK(unknown.outcome == Outcome::unknown);
  CHECK(unknown.sentence.starts_with("cannot tell, because it is a slice of an elastic job"));
  CHECK(answer("ns/old", "kueue.x-k8s.io/elastic-job: \"true\", ").outcome == Outcome::unknown);
  // There is no such slice in its queue.
  CHECK(answer("ns/none").outcome == Outcome::pending);
}

// Kueue counts the workloads with quota in reservingWorkloads. Source: pkg/cache/scheduler/cache.go Usage.
TEST_CASE("kueue: the status of a ClusterQueue may count workloads that the input lacks", "[kueue]") {
  const auto answer = [](int reserving, const std::string& cpu, const std::string& pending = "",
                         const std::string& others = "") {
    const std::string more = fmt::format("status: {{reservingWorkloads: {}{}}}, ", reserving, pending);
    std::string queues = queue({.cohort = "co"}) + queue({.name = "other", .cohort = "co"});
    const std::size_t other = queues.find("kind: ClusterQueue, metadata: {name: other}");
    queues.insert(queues.find("spec:", other), more);
    return answer_of(queues + workload({.name = "run", .queue = "other", .holds = true}) +
                     workload({.name = "w", .cpu = cpu}) + others + test::kNoCohorts);
  };
  // One of the two workloads with quota is in the input: 4 of 8 cpu are enough only if the other one uses little.
  const Answer open = answer(2, "4");
  CHECK(open.outcome == Outcome::unknown);
  CHECK(
      open.sentence.find("1 workload with quota of ClusterQueue other, which its status counts, is not in the input") !=
      std::string::npos);
  CHECK(answer(1, "4").outcome == Outcome::fits);
  // 9 cpu exceed the quota of the cohort, whatever uses it.
  CHECK(answer(2, "9").outcome == Outcome::pending);
  // A pending workload holds no quota: with one that waits, 2 + 1 workloads are one more than the 1 + 1 of the input.
  const std::string waiting = workload({.name = "other-w", .queue = "other", .cpu = "9"});
  CHECK(answer(2, "4", ", pendingWorkloads: 1", waiting).outcome == Outcome::unknown);
  // One that was created since the status was written never had quota.
  CHECK(answer(2, "4", ", pendingWorkloads: 0", waiting).outcome == Outcome::unknown);
  // An evicted one had it: 2 + 0 are as many as 1 + 1.
  std::string evicted = waiting;
  evicted.insert(evicted.rfind('}'), ", status: {conditions: [{type: Evicted, status: \"True\", reason: Preempted}]}");
  CHECK(answer(2, "4", ", pendingWorkloads: 0", evicted).outcome == Outcome::fits);
  // Of 1 + 2 workloads, one with quota is in the input: only those that wait are missing.
  CHECK(answer(1, "4", ", pendingWorkloads: 2", waiting).outcome == Outcome::fits);
}

// The first line of a list counts the causes.
TEST_CASE("kueue lists: each workload that is not admitted, with its own cause", "[kueue]") {
  const std::string stopped = test::kueue_object("LocalQueue", "held", "clusterQueue: q, stopPolicy: Hold", "ns") +
                              test::kueue_object("LocalQueue", "lost", "clusterQueue: gone", "ns");
  const std::string selects = test::kueue_object("ClusterQueue", "s", "namespaceSelector: {matchLabels: {a: b}}") +
                              test::kueue_object("LocalQueue", "s", "clusterQueue: s", "ns") +
                              "---\n{apiVersion: v1, kind: Namespace, metadata: {name: ns}}\n";
  const auto checked = [](const std::string& name, const std::string& state) {
    std::string object = workload({.name = name, .holds = true});
    object.replace(object.find("{type: Admitted"), 15, "{type: Other");
    object.insert(object.find("status: {admission") + 9,
                  fmt::format("admissionChecks: [{{name: c, state: {}}}], ", state));
    return object;
  };
  KueueAsked asked(flavor() + queue({.cpu = "9"}) + stopped + selects + workload({.name = "none", .queue = "none"}) +
                   workload({.name = "held", .queue = "held"}) + workload({.name = "lost", .queue = "lost"}) +
                   workload({.name = "other", .queue = "s"}) +
                   workload({.name = "offline", .spec = ", active: false"}) + checked("retried", "Retry") +
                   checked("rejected", "Rejected") + checked("waiting", "Pending") +
                   workload({.name = "evicted", .holds = true, .status = ", {type: Evicted, status: \"True\"}"}) +
                   workload({.name = "runs", .holds = true}));
  const auto cause = [&](const std::string& name) { return asked.explain(name).cause.words; };
  CHECK(cause("none") == "its LocalQueue does not exist");
  CHECK(cause("held") == "its LocalQueue is stopped");
  CHECK(cause("lost") == "its ClusterQueue does not exist");
  CHECK(cause("other") == "its ClusterQueue does not select its namespace");
  CHECK(cause("offline") == "it is deactivated");
  CHECK(cause("rejected") == "it is deactivated");
  CHECK(cause("retried") == "it loses its quota");
  CHECK(cause("waiting").empty());
  CHECK(teller_of("kueue")->outcome_words(asked.explain("offline").outcome, true) == "is not queued");
  CHECK(teller_of("kueue")->outcome_words(asked.explain("waiting").outcome, true) == "waits for its admission checks");
  CHECK(teller_of("kueue")->outcome_words(asked.explain("evicted").outcome, false) == "are being evicted");
  const auto listed = kueue_engine.pending(*asked.cluster, asked.question, "");
  REQUIRE(listed);
  std::vector<std::string> names;
  for (const AskedObject& each : *listed) names.push_back(each.name + (each.waits_for_others ? " (waits)" : ""));
  CHECK(names == std::vector<std::string>{"other", "evicted", "held", "lost", "none", "offline", "rejected", "retried",
                                          "waiting (waits)"});
}

TEST_CASE("kueue policies: a value that the API server refuses is an error", "[kueue]") {
  // Source: apis/kueue/v1beta2/clusterqueue_types.go: withinClusterQueue has no Any, and the case counts.
  const auto message = [](const std::string& preemption, const std::string& more = "") {
    return KueueAsked(flavor() + queue({.preemption = preemption, .more = more}) + workload({.name = "w"}))
        .failure("w")
        .message;
  };
  CHECK(message("withinClusterQueue: Any") ==
        "ClusterQueue q: spec.preemption.withinClusterQueue: \"Any\" is not one of Never, LowerPriority, "
        "LowerOrNewerEqualPriority");
  CHECK(message("reclaimWithinCohort: any") ==
        "ClusterQueue q: spec.preemption.reclaimWithinCohort: \"any\" is not one of Never, LowerPriority, Any");
  CHECK(message("", ", stopPolicy: Drain") ==
        "ClusterQueue q: spec.stopPolicy: \"Drain\" is not one of None, Hold, HoldAndDrain");
  // v1beta1's Borrow means the same as MayStopSearch.
  CHECK(KueueAsked(flavor() + queue({.more = ", flavorFungibility: {whenCanBorrow: Borrow}"}) + workload({.name = "w"}))
            .explain("w")
            .outcome == Outcome::fits);
}

}  // namespace previct
