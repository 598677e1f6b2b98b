#include "analysis/subject.h"
#include "cluster/controlled_pods.h"
#include "sequence/controllers.h"
#include "sequence/kube_scenario.h"
#include "sequence/report.h"
#include "support/cluster.h"
#include "support/owned.h"
#include "support/simulated.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace previct::sequence {
namespace {

using test::a_class;
using test::a_cluster;
using test::a_node;
using test::a_pod;
using test::owned;
using test::simulated;
using test::TestCluster;

auto owners_play(const std::vector<std::string>& documents) -> SimulationResult {
  return simulated(*a_cluster(documents));
}

auto steps_of(const SimulationResult& play, EventKind what) -> std::ptrdiff_t {
  return std::count_if(play.steps.begin(), play.steps.end(), [&](const Step& step) { return step.what == what; });
}

auto first_of(const SimulationResult& play, EventKind what) -> Time {
  const auto found =
      std::find_if(play.steps.begin(), play.steps.end(), [&](const Step& step) { return step.what == what; });
  return found == play.steps.end() ? kNever : found->at;
}

auto has_gap(const SimulationResult& play, GapRule rule) -> bool {
  return std::any_of(play.assumed.begin(), play.assumed.end(), [&](const Gap& gap) { return gap.rule == rule; });
}

/// `batch/v1 Job d/j`, with the fields of metadata, spec and status in flow style.
auto an_object(const std::string& version, const std::string& kind, const std::string& name,
               const std::string& metadata, const std::string& spec, const std::string& status) -> std::string {
  return fmt::format(
      "apiVersion: {}\nkind: {}\nmetadata: {{namespace: d, name: {}, uid: u-{}{}{}}}\nspec: {{{}}}\nstatus: {{{}}}\n",
      version, kind, name, name, metadata.empty() ? "" : ", ", metadata, spec, status);
}
auto replica_set(const std::string& metadata, const std::string& spec, const std::string& status = "replicas: 1") {
  return an_object("apps/v1", "ReplicaSet", "web", metadata, spec, status);
}
auto stateful_set(const std::string& metadata, const std::string& spec, const std::string& status = "replicas: 1") {
  return an_object("apps/v1", "StatefulSet", "db", metadata, spec, status);
}
auto job(const std::string& spec, const std::string& status, const std::string& metadata = "", int completions = 1) {
  return an_object("batch/v1", "Job", "j", metadata,
                   fmt::format("completions: {}, parallelism: 1, backoffLimit: 6{}", completions, spec),
                   "startTime: \"2026-03-02T11:00:00Z\"" + status);
}

const std::string kDeleting = "deletionTimestamp: \"2026-03-02T11:59:00Z\"";

}  // namespace

// pkg/kubelet/kubelet.go tryReconcileMirrorPods: the static pod runs on, and its mirror is created again.
TEST_CASE("sequence: a pod that would preempt static pods is not simulated", "[sequence][controllers]") {
  const auto play = [](const std::string& kind) {
    return owners_play({a_node("n1", "4"), owned(a_pod("d/v").on("n1").cpu("4").priority(1).yaml(), kind, "n1"),
                        a_pod("d/p").cpu("4").priority(9).yaml()});
  };
  const SimulationResult of_static = play("Node");
  REQUIRE(of_static.ends.size() == 1);
  CHECK(of_static.ends[0].kind == End::Kind::not_simulated);
  CHECK(of_static.ends[0].unknown->rule == GapRule::static_victims);
  CHECK(steps_of(of_static, EventKind::deleting) == 0);
  CHECK(play("Other").ends[0].kind == End::Kind::bound);
}

TEST_CASE("sequence: an owner that should not have the pod, or cannot create it, creates no other one",
          "[sequence][controllers]") {
  // d/p takes n1 from the pod of the owner. Of the owner it depends whether another pod comes.
  struct Case {
    std::string kind;
    std::string pod;
    std::vector<std::string> objects;
    std::ptrdiff_t created;
  };
  const std::string other = owned(a_pod("d/web-b").on("n2").priority(1).yaml(), "ReplicaSet", "web");
  const std::string ns = "apiVersion: v1\nkind: Namespace\nmetadata: {name: d, " + kDeleting + "}\n";
  const Case each = GENERATE_COPY(values<Case>({
      {"ReplicaSet", "web-a", {replica_set("", "replicas: 1")}, 1},
      {"ReplicaSet", "web-a", {replica_set("", "replicas: 0")}, 0},
      {"ReplicaSet", "web-a", {replica_set(kDeleting, "replicas: 1")}, 0},
      {"ReplicaSet", "web-a", {replica_set("", "replicas: 1", "replicas: 2"), other}, 0},
      {"ReplicaSet", "web-a", {replica_set("", "replicas: 2", "replicas: 2"), other}, 1},
      {"ReplicaSet", "web-a", {replica_set("", "replicas: 1"), ns}, 0},
      {"ReplicationController",
       "rc-a",
       {an_object("v1", "ReplicationController", "web", "", "replicas: 0", "replicas: 1")},
       0},
      {"StatefulSet", "db-0", {stateful_set("", "replicas: 1")}, 1},
      {"StatefulSet", "db-1", {stateful_set("", "replicas: 1, ordinals: {start: 1}")}, 1},
      {"StatefulSet", "anonymous", {stateful_set("", "replicas: 1")}, 1},
      {"StatefulSet", "db-0", {stateful_set(kDeleting, "replicas: 1")}, 0},
      {"Job", "j-a", {job("", ", active: 1")}, 1},
      {"Job", "j-a", {job(", suspend: true", ", active: 1")}, 0},
      {"Job", "j-a", {job("", ", active: 1", kDeleting)}, 0},
      {"Job", "j-a", {job("", ", active: 1, conditions: [{type: FailureTarget, status: \"True\"}]")}, 0},
      {"Job", "j-a", {job("", ", active: 1, conditions: [{type: Suspended, status: \"False\"}]")}, 1},
      {"Job", "j-a", {job("", ", active: 1, succeeded: 1")}, 0},
      {"Job", "j-a", {job(", managedBy: kubernetes.io/job-controller", ", active: 1")}, 1},
      {"Job", "j-a", {job(", managedBy: example.com/mine", ", active: 1")}, 0},
  }));
  const std::string name = each.kind == "StatefulSet" ? "db" : each.kind == "Job" ? "j" : "web";
  std::vector<std::string> documents = {
      a_node("n1", "1"), a_node("n2", "1"), owned(a_pod("d/" + each.pod).on("n1").priority(1).yaml(), each.kind, name),
      a_pod("d/p").priority(9).spec("nodeSelector: {kubernetes.io/hostname: n1}").yaml()};
  documents.insert(documents.end(), each.objects.begin(), each.objects.end());
  const SimulationResult play = owners_play(documents);
  CAPTURE(each.objects.front());
  CHECK(steps_of(play, EventKind::deleting) == 1);
  CHECK(steps_of(play, EventKind::created) == each.created);
  CHECK(has_gap(play, GapRule::other_controller) == (each.objects.front().find("example.com") != std::string::npos));
  CHECK(steps_of(play, EventKind::call_failed) == (each.objects.back() == ns ? 1 : 0));
}

TEST_CASE("sequence: a StatefulSet does not create pods beyond its replicas again", "[sequence][controllers]") {
  // db-1 is terminating, and one replica is wanted: the ordinal 1 is condemned. d/p waits for it.
  const auto documents = [](int replicas) {
    return std::vector<std::string>{
        a_node("n1", "2"), a_node("n2", "1"), owned(a_pod("d/db-0").on("n1").priority(1).yaml(), "StatefulSet", "db"),
        owned(a_pod("d/db-1").on("n1").priority(1).deleting("2026-03-02T12:00:20Z").yaml(), "StatefulSet", "db"),
        stateful_set("", fmt::format("replicas: {}", replicas), "replicas: 2")};
  };
  CHECK(steps_of(owners_play(documents(1)), EventKind::created) == 0);
  CHECK(steps_of(owners_play(documents(2)), EventKind::created) == 1);
}

TEST_CASE("explain: the objects of owners show whether a new pod comes", "[controllers]") {
  const auto answer = [](const std::string& kind, const std::string& pod, const std::string& object) {
    const std::string name = kind == "StatefulSet" ? "db" : kind == "Job" ? "j" : "web";
    const auto cluster = a_cluster({owned(a_pod("d/" + pod).yaml(), kind, name), object});
    return new_pod_after(*cluster->snapshot, cluster->snapshot->pod(cluster->snapshot->find_pod("d", pod)));
  };
  CHECK(answer("ReplicaSet", "web-a", replica_set("", "replicas: 1")) == previct::NewPod::yes);
  CHECK(answer("ReplicaSet", "web-a", replica_set("", "replicas: 0")) == previct::NewPod::no);
  CHECK(answer("ReplicaSet", "web-a", replica_set(kDeleting, "replicas: 1")) == previct::NewPod::no);
  CHECK(answer("StatefulSet", "db-1", stateful_set("", "replicas: 2")) == previct::NewPod::yes);
  CHECK(answer("StatefulSet", "db-2", stateful_set("", "replicas: 2")) == previct::NewPod::no);
  CHECK(answer("Job", "j-a", job("", "")) == previct::NewPod::yes);
  // The seventh failure exceeds a backoffLimit of 6.
  CHECK(answer("Job", "j-a", job("", ", failed: 5")) == previct::NewPod::yes);
  CHECK(answer("Job", "j-a", job("", ", failed: 6")) == previct::NewPod::no);
  const auto policy = [](const std::string& action) {
    return fmt::format(
        ", podFailurePolicy: {{rules: [{{action: {}, onPodConditions: [{{type: DisruptionTarget, status: "
        "\"True\"}}]}}]}}",
        action);
  };
  CHECK(answer("Job", "j-a", job(policy("Ignore"), ", failed: 6")) == previct::NewPod::yes);
  CHECK(answer("Job", "j-a", job(policy("FailJob"), "")) == previct::NewPod::no);
  CHECK(answer("Job", "j-a", job(policy("FailIndex"), "")) == previct::NewPod::no);
  CHECK(answer("Job", "j-a", job(policy("Ignore") + ", backoffLimitPerIndex: 1", ", failed: 6")) ==
        previct::NewPod::yes);
  // A container that SIGTERM ends has exit code 143, one that handles it may have another: the rule may match first.
  const auto by_exit_code = [](const std::string& action, const std::string& codes) {
    return fmt::format(
        ", podFailurePolicy: {{rules: [{{action: {}, onExitCodes: {{{}}}}}, {{action: Ignore, onPodConditions: "
        "[{{type: DisruptionTarget, status: \"True\"}}]}}]}}",
        action, codes);
  };
  CHECK(answer("Job", "j-a", job(by_exit_code("FailJob", "operator: In, values: [1, 143]"), "")) ==
        previct::NewPod::unknown);
  CHECK(answer("Job", "j-a", job(by_exit_code("FailJob", "operator: NotIn, values: [0]"), "")) ==
        previct::NewPod::unknown);
  CHECK(answer("Job", "j-a", job(by_exit_code("FailJob", "operator: In, values: [42]"), "")) == previct::NewPod::yes);
  CHECK(answer("Job", "j-a", job(by_exit_code("FailJob", "operator: NotIn, values: [137, 143]"), "")) ==
        previct::NewPod::yes);
  CHECK(answer("Job", "j-a", job(by_exit_code("Ignore", "operator: In, values: [143]"), "")) == previct::NewPod::yes);
  // isIndexFailed: the first failure of an index is one more than a limit of 0 allows, and within a limit of 1.
  CHECK(answer("Job", "j-a", job(", backoffLimitPerIndex: 0", "")) == previct::NewPod::no);
  CHECK(answer("Job", "j-a", job(", backoffLimitPerIndex: 1", "")) == previct::NewPod::yes);
  CHECK(answer("Job", "j-a", job(policy("Ignore") + ", backoffLimitPerIndex: 0", "")) == previct::NewPod::yes);
  CHECK(answer("Job", "j-a", job(", backoffLimitPerIndex: 1", ", failed: 6")) == previct::NewPod::no);
  CHECK(answer("Job", "j-a", job(", suspend: true", "")) == previct::NewPod::no);
  CHECK(answer("Job", "j-a", job(", managedBy: example.com/mine", "")) == previct::NewPod::unknown);
  CHECK(answer("DaemonSet", "x", "apiVersion: v1\nkind: Namespace\nmetadata: {name: d, " + kDeleting + "}\n") ==
        previct::NewPod::no);
}

// job_controller.go getFailJobMessage: after the indexes 1 and 3, a third one exceeds maxFailedIndexes of 2.
TEST_CASE("sequence: a Job ends indexes, and fails if too many have", "[sequence][controllers]") {
  const auto play = [](const std::string& spec, const std::string& status) {
    return owners_play(
        {a_node("n1", "1"), owned(a_pod("d/j-a").on("n1").priority(1).yaml(), "Job", "j"),
         a_pod("d/p").priority(9).yaml(),
         job(", completionMode: Indexed, backoffLimitPerIndex: 0" + spec, ", active: 1" + status, "", 5)});
  };
  CHECK(steps_of(play("", ""), EventKind::created) == 1);  // for another one of the 5 indexes
  CHECK(steps_of(play("", ""), EventKind::gives_up) == 0);
  CHECK(steps_of(play(", maxFailedIndexes: 0", ""), EventKind::gives_up) == 1);
  CHECK(steps_of(play(", maxFailedIndexes: 2", ", failedIndexes: \"1,3\""), EventKind::gives_up) == 1);
  CHECK(steps_of(play(", maxFailedIndexes: 3", ", failedIndexes: \"1,3\""), EventKind::gives_up) == 0);
}

TEST_CASE("sequence: a Job fails when its activeDeadlineSeconds end, and deletes its pods", "[sequence][controllers]") {
  // The Job began at 11:00:00, and ends 3605 s later: at +5 s. Its pod on n2 is deleted then; the one that d/p evicts
  // at 12 ms is not created again 10 s later.
  const SimulationResult play =
      owners_play({a_node("n1", "1"), a_node("n2", "1"), owned(a_pod("d/j-a").on("n1").priority(1).yaml(), "Job", "j"),
                   owned(a_pod("d/j-b").on("n2").priority(1).yaml(), "Job", "j"),
                   a_pod("d/p").priority(9).spec("nodeSelector: {kubernetes.io/hostname: n1}").yaml(),
                   an_object("batch/v1", "Job", "j", "", "completions: 2, parallelism: 2, activeDeadlineSeconds: 3605",
                             "startTime: \"2026-03-02T11:00:00Z\", active: 2")});
  CHECK(first_of(play, EventKind::gives_up) == 5 * kSecond);
  CHECK(steps_of(play, EventKind::deleting) == 2);
  CHECK(steps_of(play, EventKind::created) == 0);
}

TEST_CASE("sequence: a Job that fails after the simulated hour has still to fail", "[sequence][controllers]") {
  // It began at 11:00:00: 10000 s later, it is 13:46:40. A Job without pods has nothing to delete.
  const std::string of_job =
      an_object("batch/v1", "Job", "j", "", "completions: 1, parallelism: 1, activeDeadlineSeconds: 10000",
                "startTime: \"2026-03-02T11:00:00Z\", active: 1");
  CHECK(owners_play({a_node("n1", "1"), owned(a_pod("d/j-a").on("n1").yaml(), "Job", "j"), of_job}).cut);
  CHECK_FALSE(owners_play({a_node("n1", "1"), a_pod("d/a").on("n1").yaml(), of_job}).cut);
}

// A pod that fails by its activeDeadlineSeconds is replaced: it ends at 12:00:30, with its grace period.
TEST_CASE("sequence: a ReplicaSet replaces a pod that has failed", "[sequence][controllers]") {
  const SimulationResult play = owners_play(
      {a_node("n1", "1"),
       owned(a_pod("d/web-a").on("n1").started("2026-03-02T11:00:00Z").spec("activeDeadlineSeconds: 3600").yaml(),
             "ReplicaSet", "web"),
       replica_set("", "replicas: 1"), a_pod("d/p").yaml()});
  CHECK(first_of(play, EventKind::finished) == 30 * kSecond);
  CHECK(steps_of(play, EventKind::created) == 1);
}

// Both pods are evicted from n1, and are gone after 30 s. db-1 is created when db-0, which is bound to n2 at 30.01 s,
// has been ready for its minReadySeconds.
TEST_CASE("sequence: a StatefulSet waits for its minReadySeconds", "[sequence][controllers]") {
  const auto created = [](const std::string& wait) {
    const SimulationResult play = owners_play(
        {a_node("n1", "2"), a_node("n2", "2"), owned(a_pod("d/db-0").on("n1").priority(1).yaml(), "StatefulSet", "db"),
         owned(a_pod("d/db-1").on("n1").priority(1).yaml(), "StatefulSet", "db"),
         stateful_set("", "replicas: 2" + wait, "replicas: 2"),
         a_pod("d/p").priority(9).cpu("2").spec("nodeSelector: {kubernetes.io/hostname: n1}").yaml()});
    std::vector<Time> at;
    for (const Step& step : play.steps) {
      if (step.what == EventKind::created) at.push_back(step.at / kSecond);
    }
    return at;
  };
  CHECK(created("") == std::vector<Time>{30, 30});
  CHECK(created(", minReadySeconds: 60") == std::vector<Time>{30, 90});
}

// stateful_set_control.go processReplica: only pods with lower ordinals block the creation.
TEST_CASE("sequence: a StatefulSet waits for the minReadySeconds of lower ordinals", "[sequence][controllers]") {
  // Both pods are ready since 11:59:50, and d/p evicts one of them, which is gone at 30 s. With 60 s, the other one is
  // available at 50 s.
  for (const bool lower_stays : {false, true}) {
    const auto pod = [](const std::string& name, const std::string& node) {
      return owned(a_pod(name).on(node).priority(1).yaml(), "StatefulSet", "db") +
             "  conditions: [{type: Ready, status: \"True\", lastTransitionTime: \"2026-03-02T11:59:50Z\"}]\n";
    };
    const SimulationResult play = owners_play(
        {a_node("n1", "1"), a_node("n2", "2"), pod("d/db-0", lower_stays ? "n2" : "n1"),
         pod("d/db-1", lower_stays ? "n1" : "n2"), stateful_set("", "replicas: 2, minReadySeconds: 60", "replicas: 2"),
         a_pod("d/p").priority(9).spec("nodeSelector: {kubernetes.io/hostname: n1}").yaml()});
    CHECK(first_of(play, EventKind::created) / kSecond == (lower_stays ? 50 : 30));
  }
}

// stateful_set_control.go and daemon_controller.go wait until the object is gone; a ReplicaSet counts it no longer.
TEST_CASE("sequence: a pod with a finalizer keeps its name", "[sequence][controllers]") {
  for (const char* kind : {"StatefulSet", "DaemonSet", "ReplicaSet"}) {
    std::string pod = owned(a_pod("d/set-0").on("n1").priority(1).yaml(), kind, "set");
    pod.insert(pod.find("  namespace"), "  finalizers: [a.b/hold]\n");
    const SimulationResult play = owners_play({a_node("n1", "1"), pod, a_pod("d/p").priority(9).yaml()});
    const bool replaced = std::string_view(kind) == "ReplicaSet";
    CAPTURE(kind);
    CHECK(steps_of(play, EventKind::created) == (replaced ? 1 : 0));
    CHECK(has_gap(play, GapRule::kept_by_finalizer) == !replaced);
  }
}

TEST_CASE("sequence: pods that the garbage collector deletes are named", "[sequence][controllers]") {
  const auto is_named = [](const std::string& uid, const std::string& metadata, bool added = false) {
    std::string pod = owned(a_pod("d/web-a").on("n1").yaml(), "ReplicaSet", "web");
    if (added) pod.replace(pod.find("  uid: uid-d-web-a\n"), 19, "");
    pod.insert(pod.find("controller: true"), "uid: " + uid + ", ");
    return has_gap(owners_play({a_node("n1", "4"), pod, replica_set(metadata, "replicas: 1"), a_pod("d/p").yaml()}),
                   GapRule::collected_pods);
  };
  CHECK_FALSE(is_named("u-web", ""));
  CHECK(is_named("u-old", ""));
  CHECK_FALSE(is_named("u-old", "", true));
  CHECK(is_named("u-web", "deletionTimestamp: '2026-03-02T11:59:00Z'"));
}

TEST_CASE("sequence: CronJobs, autoscalers and missing pods of DaemonSets are named", "[sequence][controllers]") {
  const SimulationResult play =
      owners_play({a_node("n1", "4"), a_node("n2", "4"), owned(a_pod("d/agent").on("n1").yaml(), "DaemonSet", "agent"),
                   a_pod("d/p").yaml(), an_object("batch/v1", "CronJob", "c", "", "", ""),
                   an_object("autoscaling/v2", "HorizontalPodAutoscaler", "h", "", "", "")});
  CHECK(has_gap(play, GapRule::cron_jobs_idle));
  CHECK(has_gap(play, GapRule::autoscalers_idle));
  CHECK(has_gap(play, GapRule::daemons_missing));
}

// daemon_controller.go podsShouldBeOnNode: it deletes its pod if the node no longer matches, and d/p, which has no
// higher priority, fits when the grace period of 30 s is over.
TEST_CASE("sequence: a DaemonSet deletes its pod on a node that it does not select", "[sequence][controllers]") {
  for (const bool selects : {true, false}) {
    const std::string spec = fmt::format("nodeSelector: {{kubernetes.io/hostname: {}}}", selects ? "n1" : "n2");
    const SimulationResult play =
        owners_play({a_node("n1", "1"), owned(a_pod("d/agent-a").on("n1").spec(spec).yaml(), "DaemonSet", "agent"),
                     a_pod("d/p").yaml()});
    CHECK(steps_of(play, EventKind::deleting) == (selects ? 0 : 1));
    CHECK(steps_of(play, EventKind::created) == 0);
    REQUIRE(play.ends.size() == 1);
    CHECK(play.ends[0].kind == (selects ? End::Kind::unschedulable : End::Kind::bound));
    if (!selects) CHECK(play.ends[0].at / kSecond == 30);
  }
}

TEST_CASE("sequence: a DaemonSet creates a pod in place of one that has ended", "[sequence][controllers]") {
  const auto agent = [](const std::string& name, const std::string& phase) {
    std::string text = owned(a_pod("d/" + name).on("n1").priority(9).yaml(), "DaemonSet", "agent");
    return text.replace(text.find("phase: Running"), 14, "phase: " + phase);
  };
  struct Case {
    std::vector<std::string> documents;
    std::ptrdiff_t created;
  };
  const Case each = GENERATE_COPY(values<Case>({
      {{a_node("n1", "2"), agent("agent-a", "Failed")}, 1},
      {{a_node("n1", "2"), agent("agent-a", "Succeeded"), agent("agent-b", "Failed")}, 1},
      {{a_node("n1", "2"), agent("agent-a", "Failed"), agent("agent-b", "Running")}, 0},
      {{a_node("n1", "2") + "spec: {taints: [{key: k, effect: NoSchedule}]}\n", agent("agent-a", "Failed")}, 0},
  }));
  std::vector<std::string> documents = each.documents;
  documents.push_back(a_pod("d/p").yaml());
  const SimulationResult play = owners_play(documents);
  CAPTURE(each.documents);
  CHECK(steps_of(play, EventKind::created) == each.created);
  CHECK(has_gap(play, GapRule::daemons_of_old_pods) == (each.created == 1));
}

TEST_CASE("sequence: controllers create the pods that they lack at the start", "[sequence][controllers]") {
  // Both nodes have capacity for any of the pods. One call of 5 ms creates a pod.
  struct Case {
    std::vector<std::string> objects;
    std::ptrdiff_t created;
    Time at;
    std::optional<GapRule> gap{};
  };
  const auto pod = [](const std::string& name, const std::string& kind, const std::string& owner) {
    return owned(a_pod("d/" + name).on("n1").priority(1).yaml(), kind, owner);
  };
  const auto ended = [&](const std::string& name, const std::string& kind, const std::string& owner) {
    std::string text = pod(name, kind, owner);
    return text.replace(text.find("phase: Running"), 14, "phase: Failed");
  };
  const auto failed = [&](const std::string& conditions) { return ended("j-a", "Job", "j") + conditions; };
  const auto done = [&] {
    std::string text = pod("j-a", "Job", "j");
    return text.replace(text.find("phase: Running"), 14, "phase: Succeeded");
  };
  const std::string ending =
      owned(a_pod("d/web-a").on("n1").priority(1).deleting("2026-03-02T12:00:20Z").yaml(), "ReplicaSet", "web");
  const std::string leaving =
      owned(a_pod("d/j-a").on("n1").priority(1).deleting("2026-03-02T12:00:20Z").yaml(), "Job", "j");
  const Time call = 5 * kMillisecond;
  const Case each = GENERATE_COPY(values<Case>({
      // One of three pods exists; the status knows of one.
      {{pod("web-a", "ReplicaSet", "web"), replica_set("", "replicas: 3")}, 2, call},
      // The status counts two: one of them is not in the input.
      {{pod("web-a", "ReplicaSet", "web"), replica_set("", "replicas: 3", "replicas: 2")},
       0,
       kNever,
       GapRule::stateful_set_incomplete},
      // A terminating pod does not count.
      {{ending, replica_set("", "replicas: 1")}, 1, call},
      // The controller could not create it, and nothing in the input shows why.
      {{pod("web-a", "ReplicaSet", "web"),
        replica_set("", "replicas: 2", "replicas: 1, conditions: [{type: ReplicaFailure, status: \"True\"}]")},
       0,
       kNever,
       GapRule::pods_refused},
      // A pod that has ended does not count, and is what the new one is like.
      {{ended("web-a", "ReplicaSet", "web"), replica_set("", "replicas: 1")}, 1, call},
      {{ended("db-0", "StatefulSet", "db"), pod("db-1", "StatefulSet", "db"),
        stateful_set("", "replicas: 2", "replicas: 2")},
       1,
       call},
      {{ended("db-0", "StatefulSet", "db"), stateful_set("", "replicas: 1")}, 1, call},
      // The input lacks its only pod.
      {{replica_set("", "replicas: 1")}, 0, kNever, GapRule::stateful_set_incomplete},
      {{stateful_set("", "replicas: 1")}, 0, kNever, GapRule::stateful_set_incomplete},
      {{job("", ", active: 1")}, 0, kNever, GapRule::stateful_set_incomplete},
      // Without a pod, it is not known what the new one is like.
      {{stateful_set("", "replicas: 1", "")}, 0, kNever, GapRule::stateful_set_incomplete},
      // One of two pods of a Job is missing; no pod has failed.
      {{pod("j-a", "Job", "j"), an_object("batch/v1", "Job", "j", "", "completions: 2, parallelism: 2",
                                          "startTime: \"2026-03-02T11:00:00Z\", active: 1")},
       1,
       call},
      // Its status counts three active pods: two of them are not in the input.
      {{pod("j-a", "Job", "j"), an_object("batch/v1", "Job", "j", "", "completions: 4, parallelism: 4",
                                          "startTime: \"2026-03-02T11:00:00Z\", active: 3")},
       0,
       kNever,
       GapRule::stateful_set_incomplete},
      // It failed at 11:59:55: 10 s later.
      {{failed("  conditions: [{type: Ready, status: \"False\", lastTransitionTime: \"2026-03-02T11:59:55Z\"}]\n"),
        job("", ", failed: 1")},
       1,
       5 * kSecond + call},
      // It is not known when it failed.
      {{failed(""), job("", ", failed: 1")}, 1, call, GapRule::job_back_off_missing},
      // Its deletion began at 11:59:50, 30 s before the end of its grace period: 10 s later.
      {{leaving, job("", "")}, 1, call},
      {{leaving, job(", podReplacementPolicy: Failed", "")}, 1, 30 * kSecond + call},
      {{failed(""), job(", suspend: true", ", failed: 1")}, 0, kNever},
      // Its pod has succeeded, which the status does not count yet.
      {{done(), job("", "")}, 0, kNever},
      // It is complete, also when its deadline passes.
      {{job("", ", succeeded: 1")}, 0, kNever},
      {{done(), job(", activeDeadlineSeconds: 3605", "")}, 0, kNever},
      // Owners that are being deleted create no pod.
      {{pod("db-0", "StatefulSet", "db"), stateful_set(kDeleting, "replicas: 2")}, 0, kNever},
      {{pod("web-a", "ReplicaSet", "web"), replica_set(kDeleting, "replicas: 2")}, 0, kNever},
      {{failed("  conditions: [{type: Ready, status: \"False\", lastTransitionTime: \"2026-03-02T11:59:55Z\"}]\n"),
        job("", ", failed: 1", kDeleting)},
       0,
       kNever},
      // An object that was written by hand may have neither replicas nor a status.
      {{pod("web-a", "ReplicaSet", "web"), replica_set("", "")}, 0, kNever},
      {{pod("web-a", "ReplicaSet", "web"), replica_set("", "replicas: 3", "")},
       0,
       kNever,
       GapRule::stateful_set_incomplete},
      {{ended("web-a", "ReplicaSet", "web"), replica_set("", "replicas: 1", "")}, 1, call},
      // Of two failures, at 11:59:50 and 11:59:55, the later one counts: 20 s later.
      {{failed("  conditions: [{type: Ready, status: \"False\", lastTransitionTime: \"2026-03-02T11:59:55Z\"}]\n"),
        ended("j-b", "Job", "j") +
            "  conditions: [{type: Ready, status: \"False\", lastTransitionTime: \"2026-03-02T11:59:50Z\"}]\n",
        job("", ", failed: 2")},
       1,
       15 * kSecond + call},
      // A condition that is true does not say when it failed.
      {{failed("  conditions: [{type: Ready, status: \"True\", lastTransitionTime: \"2026-03-02T11:59:55Z\"}]\n"),
        job("", ", failed: 1")},
       1,
       call,
       GapRule::job_back_off_missing},
  }));
  std::vector<std::string> documents = {a_node("n1", "4"), a_node("n2", "4"), a_pod("d/p").priority(9).yaml()};
  documents.insert(documents.end(), each.objects.begin(), each.objects.end());
  const SimulationResult play = owners_play(documents);
  CAPTURE(each.objects.back(), each.objects.front());
  CHECK(steps_of(play, EventKind::created) == each.created);
  CHECK(first_of(play, EventKind::created) == each.at);
  for (const GapRule rule : {GapRule::stateful_set_incomplete, GapRule::pods_refused, GapRule::job_back_off_missing})
    CHECK(has_gap(play, rule) == (each.gap == rule));
  for (const GapRule rule : {GapRule::cron_jobs_idle, GapRule::autoscalers_idle, GapRule::daemons_missing})
    CHECK_FALSE(has_gap(play, rule));
  CHECK(steps_of(play, EventKind::gives_up) == 0);
}

// The deadline is 3605 s after 11:00:00. Without completions, a Job is complete when a pod has succeeded and no other
// one is active. backoffLimit is 6: after the seventh failure, the Job fails when it is synchronized, a second later.
// Source: job_controller.go syncJob, v1.35.
TEST_CASE("sequence: a Job fails at its deadline, or after one failure too many", "[sequence][controllers]") {
  const auto pod = [](const std::string& name, const std::string& phase, const std::string& conditions = "") {
    std::string text = owned(a_pod("d/" + name).on("n1").priority(1).yaml(), "Job", "j");
    return text.replace(text.find("phase: Running"), 14, "phase: " + phase) + conditions;
  };
  const auto fails_at = [](std::vector<std::string> objects) {
    objects.push_back(a_node("n1", "4"));
    objects.push_back(a_pod("d/p").priority(9).yaml());
    return first_of(owners_play(objects), EventKind::gives_up);
  };
  const auto without_completions = [](const std::string& status) {
    return an_object("batch/v1", "Job", "j", "", "parallelism: 1, activeDeadlineSeconds: 3605",
                     "startTime: \"2026-03-02T11:00:00Z\"" + status);
  };
  CHECK(fails_at({pod("j-a", "Running"), without_completions(", active: 1")}) == 5 * kSecond);
  CHECK(fails_at({pod("j-a", "Succeeded"), pod("j-b", "Running"), without_completions(", active: 1, succeeded: 1")}) ==
        5 * kSecond);
  CHECK(fails_at({pod("j-a", "Succeeded"), without_completions(", succeeded: 1")}) == kNever);
  CHECK(fails_at({pod("j-a", "Running"), job(", activeDeadlineSeconds: 3605", ", active: 1")}) == 5 * kSecond);
  const std::string now =
      "  conditions: [{type: Ready, status: \"False\", lastTransitionTime: \"2026-03-02T12:00:00Z\"}]\n";
  CHECK(fails_at({pod("j-a", "Failed", now), job("", ", failed: 7")}) == kSecond);
  CHECK(fails_at({pod("j-a", "Failed", now), job("", ", failed: 6")}) == kNever);
}

// daemon_controller.go NodeShouldRunDaemonPod, podsShouldBeOnNode; v1.35: a pod is missing on a node that the template
// selects and whose taints it tolerates, unless one is there, or waits for it.
TEST_CASE("sequence: which node lacks the pod of a DaemonSet", "[sequence][controllers]") {
  const auto agent = [](const std::string& name, const std::string& node, const std::string& spec = "") {
    test::PodBuilder pod = a_pod("d/" + name);
    if (!node.empty()) pod.on(node);
    if (!spec.empty()) pod.spec(spec);
    return owned(pod.yaml(), "DaemonSet", "agent");
  };
  const auto waiting_for = [&](const std::string& node) {
    return agent("agent-w", "",
                 "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: "
                 "[{matchFields: [{key: metadata.name, operator: In, values: [" +
                     node + "]}]}]}}}");
  };
  const std::string taint = "spec: {taints: [{key: k, effect: NoSchedule}]}\n";
  struct Case {
    std::vector<std::string> documents;
    std::string node;  // that is named
  };
  for (const Case& each : {
           Case{{a_node("n2", "4"), agent("agent-a", "n1")}, "n2"},
           Case{{agent("agent-a", "n1")}, ""},
           Case{{a_node("n2", "4"), agent("agent-a", "n1"), agent("agent-b", "n2")}, ""},
           Case{{a_node("n2", "4"), agent("agent-a", "n1"), waiting_for("n2")}, ""},
           Case{{a_node("n2", "4"), a_node("n3", "4"), agent("agent-a", "n1"), waiting_for("n2")}, "n3"},
           Case{{a_node("n2", "4") + taint, agent("agent-a", "n1")}, ""},
           Case{{a_node("n2", "4") + taint, agent("agent-a", "n1", "tolerations: [{operator: Exists}]")}, "n2"},
           Case{{a_node("n2", "4"), agent("agent-a", "n1", "nodeSelector: {kubernetes.io/hostname: n1}")}, ""},
           Case{{a_node("n2", "4"), owned(a_pod("d/web-a").on("n1").yaml(), "ReplicaSet", "web")}, ""},
       }) {
    std::vector<std::string> documents = {a_node("n1", "4"), a_pod("d/p").yaml()};
    documents.insert(documents.end(), each.documents.begin(), each.documents.end());
    CAPTURE(each.documents);
    const SimulationResult play = owners_play(documents);
    const auto found = std::find_if(play.assumed.begin(), play.assumed.end(),
                                    [](const Gap& gap) { return gap.rule == GapRule::daemons_missing; });
    CHECK((found == play.assumed.end() ? "" : found->operands[1]) == each.node);
  }
}

// Of pods that are alike otherwise, a ReplicaSet deletes one on the node with the most pods of its Deployment, and of
// those, if their ages are similar, the one with the lowest uid. Pods of other namespaces or owners do not count, nor
// do those that have ended. Source: pkg/controller/controller_utils.go ActivePodsWithRanks; replicaset/replica_set.go
// getPodsRankedByRelatedPodsOnSameNode.
TEST_CASE("sequence: a ReplicaSet deletes a pod that is not alone on its node first", "[sequence][controllers]") {
  const auto created = [](std::string text, const std::string& time) {
    return text.insert(text.find("  namespace:"), "  creationTimestamp: \"2026-03-02T" + time + "Z\"\n");
  };
  const auto pod = [&](const std::string& name, const std::string& node, const std::string& time,
                       const std::string& set = "web") {
    return created(owned(a_pod(name).on(node).yaml(), "ReplicaSet", set), time);
  };
  const auto ended = [](std::string text) { return text.replace(text.find("phase: Running"), 14, "phase: Failed"); };
  const auto deleted = [&](std::vector<std::string> documents) {
    documents.insert(documents.end(),
                     {a_node("n1", "9"), a_node("n2", "9"), a_pod("d/p").yaml(), pod("d/web-b", "n1", "10:00:00"),
                      pod("d/web-c", "n1", "10:00:01"), pod("d/web-a", "n2", "10:00:02"),
                      replica_set("", "replicas: 2", "replicas: 3")});
    const auto cluster = a_cluster(documents);
    const SimulationResult play = simulated(*cluster);
    const auto found = std::find_if(play.steps.begin(), play.steps.end(),
                                    [](const Step& step) { return step.what == EventKind::deleting; });
    return found == play.steps.end() ? std::string() : play.key(found->pod, *cluster->snapshot);
  };
  CHECK(deleted({}) == "d/web-b");
  CHECK(deleted({pod("e/web-x", "n2", "10:00:00"), pod("e/web-z", "n2", "10:00:00")}) == "d/web-b");
  CHECK(deleted({pod("d/x1", "n2", "10:00:00", "other"), pod("d/x2", "n2", "10:00:00", "other")}) == "d/web-b");
  CHECK(deleted({ended(pod("d/web-x", "n2", "10:00:00")), ended(pod("d/web-y", "n2", "10:00:00"))}) == "d/web-b");
}

// What is assumed of a Job whose pod is evicted.
TEST_CASE("sequence: what the status and the spec of a Job leave open is named", "[sequence][controllers]") {
  const auto play = [](const std::string& spec, const std::string& status) {
    return owners_play({a_node("n1", "1"), owned(a_pod("d/j-a").on("n1").priority(1).yaml(), "Job", "j"),
                        a_pod("d/p").priority(9).yaml(), job(spec, ", active: 1" + status)});
  };
  const SimulationResult plain = play("", "");
  CHECK(steps_of(plain, EventKind::created) == 1);
  CHECK_FALSE(has_gap(plain, GapRule::job_failures));
  CHECK_FALSE(has_gap(plain, GapRule::job_index_backoff));
  CHECK(has_gap(play("", ", failed: 1"), GapRule::job_failures));
  CHECK(has_gap(play(", completionMode: Indexed, backoffLimitPerIndex: 1", ""), GapRule::job_index_backoff));
}

TEST_CASE("sequence: a new pod follows the template where that differs from the old pod", "[sequence][controllers]") {
  // d/p takes n1; n2 has 2 CPU. A new pod of 2 CPU fits there, one of 3 does not.
  const auto set = [](const std::string& strategy, const std::string& cpu) {
    return stateful_set("", "replicas: 1, updateStrategy: " + strategy +
                                ", template: {spec: {containers: [{name: main, resources: {requests: {cpu: " + cpu +
                                "}}}]}}");
  };
  const std::string webhook =
      "apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration\nmetadata: {name: vpa}\n"
      "webhooks: [{name: vpa.example.com, rules: [{apiGroups: [\"\"], apiVersions: [v1], operations: [CREATE], "
      "resources: [pods]}]}]\n";
  struct Case {
    std::string set;
    bool bound;
    std::optional<GapRule> gap{};
    bool with_webhook = false;
  };
  const Case each = GENERATE_COPY(values<Case>({
      {set("{type: OnDelete}", "\"2\""), true},
      {set("{type: OnDelete}", "2000m"), true},
      {set("{type: OnDelete}", "\"3\""), false, GapRule::template_differs},
      {set("{type: RollingUpdate}", "\"3\""), false, GapRule::template_differs},
      // Ordinals below the partition keep the previous template.
      {set("{type: RollingUpdate, rollingUpdate: {partition: 1}}", "\"3\""), true},
      {set("{type: OnDelete}", "\"3\""), true, GapRule::template_of_webhooks, true},
  }));
  std::vector<std::string> documents = {
      a_node("n1", "2"), a_node("n2", "2"),
      owned(a_pod("d/db-0").on("n1").priority(1).cpu("2").yaml(), "StatefulSet", "db"),
      a_pod("d/p").priority(9).cpu("2").spec("nodeSelector: {kubernetes.io/hostname: n1}").yaml(), each.set};
  if (each.with_webhook) documents.push_back(webhook);
  const SimulationResult play = owners_play(documents);
  CAPTURE(each.set);
  const auto made = std::find_if(play.ends.begin(), play.ends.end(), [](const End& end) { return !end.after.empty(); });
  REQUIRE(made != play.ends.end());
  CHECK((made->kind == End::Kind::bound) == each.bound);
  for (const GapRule rule : {GapRule::template_differs, GapRule::template_of_webhooks})
    CHECK(has_gap(play, rule) == (each.gap == rule));
}

TEST_CASE("sequence: a new pod keeps what its template does not decide", "[sequence][controllers]") {
  // d/p takes n1; n2 has 2 CPU.
  const auto new_pod = [](const std::string& spec, const std::string& container, const std::string& pod) {
    const std::string pods = "replicas: 1, template: {spec: {" + spec + "containers: [{name: " + container +
                             ", resources: {requests: {cpu: \"1\"}}}]}}";
    const SimulationResult play =
        owners_play({a_node("n1", "2"), a_node("n2", "2"), owned(pod, "StatefulSet", "db"),
                     a_pod("d/p").priority(9).cpu("2").spec("nodeSelector: {kubernetes.io/hostname: n1}").yaml(),
                     stateful_set("", "updateStrategy: {type: OnDelete}, " + pods)});
    const auto made =
        std::find_if(play.ends.begin(), play.ends.end(), [](const End& end) { return !end.after.empty(); });
    REQUIRE(made != play.ends.end());
    return made->kind;
  };
  const auto old_pod = [] { return a_pod("d/db-0").on("n1").priority(1).cpu("2"); };
  // The container was renamed, and requests 1 instead of 2: both together would not fit.
  CHECK(new_pod("", "renamed", old_pod().yaml()) == End::Kind::bound);
  // The selector of the old pod may come from admission (PodNodeSelector): no node has the label.
  CHECK(new_pod("", "main", old_pod().spec("nodeSelector: {pool: w}").yaml()) == End::Kind::unschedulable);
  CHECK(new_pod("nodeSelector: {zone: z}, ", "main", old_pod().yaml()) == End::Kind::unschedulable);
}

TEST_CASE("sequence: a new pod has the gates, the grace period and the host ports of its template",
          "[sequence][controllers]") {
  // d/p takes n1 from d/web-a. The API server sets a grace period of 30 s in a template that has none.
  struct Case {
    std::string spec;
    std::string ports;
    std::string differs;  // empty: nothing
    std::int64_t grace = 30;
    std::int32_t host_port = 80;
    bool gated = false;
    std::size_t spread = 0;
  };
  const std::string same = "[{containerPort: 80, hostPort: 80}]";
  const Case each = GENERATE_COPY(values<Case>({
      {"", same, ""},
      {"terminationGracePeriodSeconds: 4, ", same, "terminationGracePeriodSeconds", 4},
      {"schedulingGates: [{name: x/y}], ", same, "schedulingGates", 30, 80, true},
      {"topologySpreadConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule}], ", same,
       "topologySpreadConstraints", 30, 80, false, 1},
      {"", "[{containerPort: 80, hostPort: 81}]", "host ports", 30, 81},
      {"", "[{containerPort: 80, hostPort: 80}, {containerPort: 90}]", ""},
  }));
  const std::string old_pod =
      a_pod("d/web-a")
          .on("n1")
          .spec("containers: [{name: main, resources: {requests: {cpu: \"1\"}}, ports: " + same + "}]")
          .yaml();
  const SimulationResult play = owners_play(
      {a_node("n1", "1"), owned(old_pod, "ReplicaSet", "web"), a_pod("d/p").priority(9).yaml(),
       replica_set("", "replicas: 1, template: {spec: {" + each.spec +
                           "containers: [{name: main, resources: {requests: {cpu: \"1\"}}, ports: " + each.ports +
                           "}]}}")});
  CAPTURE(each.spec, each.ports);
  REQUIRE(play.created.size() == 1);
  const PodSpec& made = play.created.front().pod.spec;
  CHECK(made.termination_grace_seconds.value_or(30) == each.grace);
  CHECK(std::as_const(made.containers).begin()->ports.begin()->host_port == each.host_port);
  CHECK(made.scheduling_gates.empty() == !each.gated);
  CHECK(made.topology_spread.size() == each.spread);
  const auto told = std::find_if(play.assumed.begin(), play.assumed.end(),
                                 [](const Gap& gap) { return gap.rule == GapRule::template_differs; });
  CHECK((told == play.assumed.end() ? std::string() : told->operands[1]) == each.differs);
  CHECK((play.ends.back().kind == End::Kind::gated) == each.gated);
}

TEST_CASE("sequence: a new pod of a Deployment has the grace period of the old one", "[sequence][controllers]") {
  // The template of its ReplicaSet does not change, so that admission has set the grace period of 60 s.
  const std::string old_pod =
      a_pod("d/web-a").on("n1").labels("{pod-template-hash: abc}").spec("terminationGracePeriodSeconds: 60").yaml();
  const SimulationResult play = owners_play(
      {a_node("n1", "1"), owned(old_pod, "ReplicaSet", "web"), a_pod("d/p").priority(9).yaml(),
       replica_set("",
                   "replicas: 1, template: {spec: {terminationGracePeriodSeconds: 4, containers: [{name: c, "
                   "resources: {requests: {cpu: \"1\"}}}]}}")});
  REQUIRE(play.created.size() == 1);
  CHECK(play.created.front().pod.spec.termination_grace_seconds == 60);
}

TEST_CASE("sequence: pods of a namespace that is being deleted are deleted 5 s later", "[sequence][controllers]") {
  // Its deletion began at 11:59:58: its pods are deleted at 12:00:03. A pod without a node ends at once.
  const auto cluster =
      a_cluster({"apiVersion: v1\nkind: Namespace\nmetadata: {name: d, deletionTimestamp: \"2026-03-02T11:59:58Z\"}\n",
                 a_node("n1", "1"), owned(a_pod("d/web-a").on("n1").yaml(), "ReplicaSet", "web"),
                 a_pod("d/waits").cpu("9").yaml(), a_pod("e/other").on("n1").cpu("100m").yaml()});
  const SimulationResult play = simulated(*cluster);
  CHECK(first_of(play, EventKind::deleting) == 3 * kSecond);
  CHECK(first_of(play, EventKind::gone) == 3 * kSecond);
  CHECK(steps_of(play, EventKind::deleting) == 1);
  CHECK(steps_of(play, EventKind::created) == 0);
  REQUIRE(play.ends.size() == 1);
  CHECK(play.ends.front().kind == End::Kind::removed);
}

TEST_CASE("sequence: a new pod gets the default class, as its template names none", "[sequence][controllers]") {
  const std::string usual = a_class("usual", 3000) + "globalDefault: true\n";
  const std::string pods =
      "replicas: 1, template: {spec: {containers: [{name: main, resources: {requests: {cpu: "
      "\"1\"}}}]}}";
  const auto priority_of_new = [&](const std::string& old_pod, const std::vector<std::string>& more) {
    std::vector<std::string> documents = {a_node("n1", "1"), owned(old_pod, "ReplicaSet", "web"),
                                          a_pod("d/p").priority(9000).yaml()};
    documents.insert(documents.end(), more.begin(), more.end());
    const SimulationResult play = owners_play(documents);
    REQUIRE(play.created.size() == 1);
    return play.created.front().pod.spec.priority;
  };
  // Created before the class was the default: no class, priority 0.
  const std::string without = a_pod("d/web-a").on("n1").yaml();
  CHECK(priority_of_new(without, {usual}) == 3000);
  CHECK(priority_of_new(without, {}) == 0);
  // The former default, of which the template says nothing, is gone.
  const std::string former = a_pod("d/web-a").on("n1").priority(100).priority_class("former").yaml();
  CHECK(priority_of_new(former, {usual, replica_set("", pods)}) == 3000);
}

TEST_CASE("sequence: a negative grace period lasts a second", "[sequence]") {
  // The API server: a period below 0 counts as 1. Deleted at 12 ms, gone at 1 s.
  const SimulationResult play =
      owners_play({a_node("n1", "1"), a_pod("d/v").on("n1").spec("terminationGracePeriodSeconds: -1").yaml(),
                   a_pod("d/p").priority(9).yaml()});
  CHECK(first_of(play, EventKind::gone) == kSecond);
}

// A ReplicaSet hears of its own pods only; otherwise, it tries again when its back-off ends.
TEST_CASE("sequence: a quota that a pod of another owner frees is reported", "[sequence][controllers]") {
  // e/p evicts d/web-a, which is gone at 30 s. Of a quota of one pod, d/u uses one, too, until 40 s.
  for (const bool shared : {false, true}) {
    std::vector<std::string> documents = {
        a_node("n1", "1"), a_node("n2", "2"), owned(a_pod("d/web-a").on("n1").yaml(), "ReplicaSet", "web"),
        a_pod("e/p").priority(9).spec("nodeSelector: {kubernetes.io/hostname: n1}").yaml(),
        fmt::format("apiVersion: v1\nkind: ResourceQuota\nmetadata: {{namespace: d, name: q}}\nspec: {{hard: {{pods: "
                    "\"1\"}}}}\nstatus: {{hard: {{pods: \"1\"}}, used: {{pods: \"{}\"}}}}\n",
                    shared ? 2 : 1)};
    if (shared) documents.push_back(a_pod("d/u").on("n2").deleting("2026-03-02T12:00:40Z").yaml());
    const SimulationResult play = owners_play(documents);
    CAPTURE(shared);
    CHECK(first_of(play, EventKind::created) / kSecond == (shared ? 40 : 30));
    CHECK(has_gap(play, GapRule::quota_retried) == shared);
  }
}

TEST_CASE("sequence: controllers delete the pods that they have too many at the start", "[sequence][controllers]") {
  // A controller sees its object after 5 ms. A pod without a node ends at once, before the scheduler tries it.
  struct Case {
    std::vector<std::string> objects;
    std::vector<std::string> deleted;
    std::vector<std::string> gone{};
    bool told = false;
  };
  const auto pod = [](const std::string& name, const std::string& kind, const std::string& owner, bool bound = true) {
    auto made = a_pod("d/" + name).priority(1);
    if (bound) made.on("n1");
    return owned(made.yaml(), kind, owner);
  };
  const std::string web_a = pod("web-a", "ReplicaSet", "web");
  const std::string web_b = pod("web-b", "ReplicaSet", "web");
  const std::string pending = pod("web-c", "ReplicaSet", "web", false);
  const std::string j_a = pod("j-a", "Job", "j");
  const Case each = GENERATE_COPY(values<Case>({
      {{web_a, web_b, replica_set("", "replicas: 0", "replicas: 2")}, {"d/web-a", "d/web-b"}},
      {{web_a, web_b, replica_set("", "replicas: 2", "replicas: 2")}, {}},
      // They only differ in their names, or the input does not show which one is deleted.
      {{web_a, web_b, replica_set("", "replicas: 1", "replicas: 2")}, {"d/web-a"}},
      {{web_a, owned(a_pod("d/web-d").priority(1).cpu("2").on("n1").yaml(), "ReplicaSet", "web"),
        replica_set("", "replicas: 1", "replicas: 2")},
       {},
       {},
       true},
      // Pods without a node go first.
      {{web_a, pending, replica_set("", "replicas: 1", "replicas: 2")}, {}, {"d/web-c"}},
      {{web_a, replica_set(kDeleting, "replicas: 0")}, {}},
      {{j_a, job(", suspend: true", ", active: 1")}, {"d/j-a"}},
      {{j_a, job("", ", active: 1, succeeded: 1")}, {"d/j-a"}},
      // Without completions, the others go on once a pod has succeeded.
      {{j_a, an_object("batch/v1", "Job", "j", "", "parallelism: 1",
                       "startTime: \"2026-03-02T11:00:00Z\", active: 1, succeeded: 1")},
       {}},
  }));
  std::vector<std::string> documents = {a_node("n1", "9")};
  documents.insert(documents.end(), each.objects.begin(), each.objects.end());
  const auto cluster = a_cluster(documents);
  const SimulationResult play = simulated(*cluster);
  CAPTURE(each.objects.back(), each.objects.front());
  std::vector<std::string> deleted;
  std::vector<std::string> gone;
  for (const Step& step : play.steps) {
    const std::string name = play.key(step.pod, *cluster->snapshot);
    if (step.what == EventKind::deleting && step.at == 5 * kMillisecond) deleted.push_back(name);
    if (step.what == EventKind::gone && step.at == 0) gone.push_back(name);
  }
  CHECK(deleted == each.deleted);
  CHECK(gone == each.gone);
  CHECK(steps_of(play, EventKind::bound) == 0);
  CHECK(steps_of(play, EventKind::deleting) == static_cast<std::ptrdiff_t>(each.deleted.size()));
  CHECK(has_gap(play, GapRule::surplus_pods) == each.told);
}

TEST_CASE("sequence: a StatefulSet deletes the pods beyond its replicas from the highest ordinal on",
          "[sequence][controllers]") {
  // Grace periods of 10 s. In order, each deletion begins one call of 5 ms after the previous pod is gone; a parallel
  // set begins all of them at once. db-0 must run before an ordered set deletes others.
  struct Case {
    std::string spec;
    std::string first;
    std::vector<std::pair<std::string, Time>> deleted;
    bool told = false;
  };
  const Time call = 5 * kMillisecond;
  const std::string not_ready = "[{type: Ready, status: \"False\", lastTransitionTime: \"2026-03-02T11:59:55Z\"}]";
  const Case each = GENERATE_COPY(values<Case>({
      {"replicas: 1", "", {{"d/db-2", call}, {"d/db-1", 10 * kSecond + call}}},
      {"replicas: 1, podManagementPolicy: Parallel", "", {{"d/db-2", call}, {"d/db-1", call}}},
      {"replicas: 1", not_ready, {}, true},
      {"replicas: 1, podManagementPolicy: Parallel", not_ready, {{"d/db-2", call}, {"d/db-1", call}}},
      {"replicas: 3", "", {}},
  }));
  const auto pod = [](const std::string& name, const std::string& conditions = "") {
    std::string text = owned(a_pod("d/" + name).on("n1").priority(1).spec("terminationGracePeriodSeconds: 10").yaml(),
                             "StatefulSet", "db");
    return conditions.empty() ? text : text + "  conditions: " + conditions + "\n";
  };
  const auto cluster = a_cluster({a_node("n1", "9"), pod("db-0", each.first), pod("db-1"), pod("db-2"),
                                  stateful_set("", each.spec, "replicas: 3")});
  const SimulationResult play = simulated(*cluster);
  CAPTURE(each.spec, each.first);
  std::vector<std::pair<std::string, Time>> deleted;
  for (const Step& step : play.steps) {
    if (step.what == EventKind::deleting) deleted.emplace_back(play.key(step.pod, *cluster->snapshot), step.at);
  }
  CHECK(deleted == each.deleted);
  CHECK(steps_of(play, EventKind::created) == 0);
  CHECK(has_gap(play, GapRule::stateful_set_unready) == each.told);
}

TEST_CASE("sequence: rollouts that the input does not show are not simulated, which is said",
          "[sequence][controllers]") {
  const auto pod = [](const std::string& name, const std::string& kind, const std::string& owner,
                      const std::string& label, const std::string& hash) {
    return owned(a_pod("d/" + name).on("n1").labels(fmt::format("{{{}: \"{}\"}}", label, hash)).yaml(), kind, owner);
  };
  const auto of_deployment = [](const std::string& name, int replicas) {
    return an_object("apps/v1", "ReplicaSet", name,
                     "ownerReferences: [{kind: Deployment, name: web, controller: true}]",
                     fmt::format("replicas: {}", replicas), fmt::format("replicas: {}", replicas));
  };
  const std::string revision = "controller-revision-hash";
  const auto told = [&](const std::vector<std::string>& objects) {
    std::vector<std::string> documents = {a_node("n1", "9")};
    documents.insert(documents.end(), objects.begin(), objects.end());
    return has_gap(owners_play(documents), GapRule::rollouts);
  };
  const std::string web_a = pod("web-1-a", "ReplicaSet", "web-1", "pod-template-hash", "1");
  const std::string web_b = pod("web-2-b", "ReplicaSet", "web-2", "pod-template-hash", "2");
  CHECK(told({web_a, web_b}));
  CHECK_FALSE(told({web_a, of_deployment("web-1", 1), of_deployment("web-2", 0)}));
  CHECK(told({web_a, of_deployment("web-1", 1), of_deployment("web-2", 1)}));
  const std::string ds_a = pod("x-a", "DaemonSet", "x", revision, "1");
  CHECK(told({ds_a, pod("x-b", "DaemonSet", "x", revision, "2")}));
  CHECK_FALSE(told({ds_a, pod("x-b", "DaemonSet", "x", revision, "1")}));
  const std::string db_0 = pod("db-0", "StatefulSet", "db", revision, "1");
  const std::string db_1 = pod("db-1", "StatefulSet", "db", revision, "2");
  CHECK(told({db_0, db_1, stateful_set("", "replicas: 2", "replicas: 2")}));
  CHECK_FALSE(told({db_0, db_1, stateful_set("", "replicas: 2, updateStrategy: {type: OnDelete}", "replicas: 2")}));
  // The input lacks the StatefulSet, of which nothing else is needed.
  CHECK(told({db_0, db_1}));
  CHECK_FALSE(has_gap(owners_play({a_node("n1", "9"), db_0}), GapRule::stateful_set_missing));
  // Recreate: no ReplicaSet has pods until those of the old template are gone.
  const auto deployment = [](int replicas) {
    return an_object("apps/v1", "Deployment", "web", "", fmt::format("replicas: {}", replicas), "");
  };
  const std::string ends =
      owned(a_pod("d/web-1-a").on("n1").labels("{pod-template-hash: \"1\"}").deleting("2026-03-02T12:00:30Z").yaml(),
            "ReplicaSet", "web-1");
  CHECK(told({ends, deployment(1), of_deployment("web-1", 0)}));
  CHECK(told({ends, deployment(1), of_deployment("web-1", 0), of_deployment("web-2", 0)}));
  CHECK_FALSE(told({ends, deployment(0), of_deployment("web-1", 0)}));
  CHECK_FALSE(told({ends, deployment(1), of_deployment("web-1", 0), of_deployment("web-2", 1)}));
  CHECK_FALSE(told({ends, deployment(1)}));
  // Below the partition, pods keep the previous template.
  CHECK_FALSE(
      told({db_0, db_1,
            stateful_set("", "replicas: 2, updateStrategy: {type: RollingUpdate, rollingUpdate: {partition: 1}}",
                         "replicas: 2")}));
}

TEST_CASE("sequence: a Job fails a second after more of its pods have failed than it allows",
          "[sequence][controllers]") {
  const std::string spec = "completions: 2, parallelism: 2, backoffLimit: 0";
  const std::string status = "startTime: \"2026-03-02T11:00:00Z\", active: 2";
  const std::string other = owned(a_pod("d/j-b").on("n2").priority(1).yaml(), "Job", "j");
  // The deletion of d/j-a began at 11:59:59, 30 s before its end, and the Job is synchronized a second later: it has
  // failed by now, and makes no other pod. Its status still counts d/j-a as active.
  const SimulationResult at_start =
      owners_play({a_node("n1", "1"), a_node("n2", "1"), other,
                   owned(a_pod("d/j-a").on("n1").deleting("2026-03-02T12:00:29Z").yaml(), "Job", "j"),
                   an_object("batch/v1", "Job", "j", "", spec, status)});
  CHECK(first_of(at_start, EventKind::gives_up) == 0);
  CHECK(steps_of(at_start, EventKind::deleting) == 1);
  CHECK(steps_of(at_start, EventKind::created) == 0);
  // d/p evicts d/j-a at 12 ms. The Job is synchronized a second later (SyncJobBatchPeriod).
  const SimulationResult evicted = owners_play(
      {a_node("n1", "1"), a_node("n2", "1"), other, owned(a_pod("d/j-a").on("n1").priority(1).yaml(), "Job", "j"),
       a_pod("d/p").priority(9).spec("nodeSelector: {kubernetes.io/hostname: n1}").yaml(),
       an_object("batch/v1", "Job", "j", "", spec, status)});
  CHECK(first_of(evicted, EventKind::gives_up) == first_of(evicted, EventKind::deleting) + kSecond);
  CHECK(steps_of(evicted, EventKind::deleting) == 2);
  CHECK(steps_of(evicted, EventKind::created) == 0);
}

TEST_CASE("sequence: a Job does not count the pods that it deletes itself", "[sequence][controllers]") {
  // kube-controller-manager 1.35.4: a Job with a backoffLimit of 0 that is suspended, or wants fewer pods, continues.
  const auto of_job = [](const std::string& name) { return a_pod("d/" + name).on("n1").priority(1); };
  const std::string status = "startTime: \"2026-03-02T11:00:00Z\", active: 1";
  const SimulationResult suspended =
      owners_play({a_node("n1", "9"), owned(of_job("j-a").yaml(), "Job", "j"),
                   an_object("batch/v1", "Job", "j", "",
                             "completions: 1, parallelism: 1, backoffLimit: 0, suspend: true", status)});
  CHECK(steps_of(suspended, EventKind::deleting) == 1);
  CHECK(steps_of(suspended, EventKind::gives_up) == 0);
  // d/j-a terminates, and the status has no failure and does not count it as active. One pod is missing, for which
  // nothing backs off.
  const SimulationResult before =
      owners_play({a_node("n1", "9"), owned(of_job("j-a").deleting("2026-03-02T12:00:20Z").yaml(), "Job", "j"),
                   owned(of_job("j-b").yaml(), "Job", "j"),
                   an_object("batch/v1", "Job", "j", "", "completions: 2, parallelism: 2, backoffLimit: 0", status)});
  CHECK(steps_of(before, EventKind::gives_up) == 0);
  CHECK(first_of(before, EventKind::created) == 5 * kMillisecond);
  // The status counts both as active: another client has deleted d/j-a, at 11:59:55, 10 s before the next pod.
  const SimulationResult lags =
      owners_play({a_node("n1", "9"), owned(of_job("j-a").deleting("2026-03-02T12:00:25Z").yaml(), "Job", "j"),
                   owned(of_job("j-b").yaml(), "Job", "j"),
                   an_object("batch/v1", "Job", "j", "", "completions: 2, parallelism: 2, backoffLimit: 6",
                             "startTime: \"2026-03-02T11:00:00Z\", active: 2")});
  CHECK(first_of(lags, EventKind::created) == 5 * kSecond + 5 * kMillisecond);
}

TEST_CASE("sequence: a Job with other ready pods backs off from the end of its pod", "[sequence][controllers]") {
  // d/p evicts d/j-a at 12 ms. kube-controller-manager 1.35.4 created the next pod 10 s after the deletion, or, if
  // another pod was ready and the grace period was shorter than that, 10 s after its end. 1.36 counts the failure at
  // once.
  struct Case {
    int grace;
    bool other;
    std::string version;
    std::int64_t created;
  };
  const Case each = GENERATE(values<Case>({{4, true, "1.35", 14},
                                           {14, true, "1.35", 10},
                                           {4, false, "1.35", 10},
                                           {4, true, "1.36", 10},
                                           {4, true, "1.31", 10}}));
  std::vector<std::string> documents = {
      a_node("n1", "1"), a_node("n2", "2"),
      owned(
          a_pod("d/j-a").on("n1").priority(1).spec(fmt::format("terminationGracePeriodSeconds: {}", each.grace)).yaml(),
          "Job", "j"),
      a_pod("d/p").priority(9).spec("nodeSelector: {kubernetes.io/hostname: n1}").yaml(),
      an_object("batch/v1", "Job", "j", "", fmt::format("completions: 3, parallelism: {}", each.other ? 2 : 1),
                fmt::format("startTime: \"2026-03-02T11:00:00Z\", active: {}", each.other ? 2 : 1))};
  if (each.other) documents.push_back(owned(a_pod("d/j-b").on("n2").priority(1).yaml(), "Job", "j"));
  const auto cluster = a_cluster(documents);
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  settings.question.k8s_version = each.version;
  settings.pods = {cluster->snapshot->find_pod("d", "p")};
  settings.controllers = true;
  settings.controller_objects = controller_objects_of(cluster->objects);
  const auto play = simulate_kube(cluster->objects, settings, {});
  REQUIRE(play.has_value());
  CAPTURE(each.grace, each.other, each.version);
  CHECK(first_of(*play, EventKind::created) == each.created * kSecond + 5 * kMillisecond);
}

TEST_CASE("sequence: pods of nodes that do not exist are collected later, which is said", "[sequence][controllers]") {
  const auto told = [](const SimulationResult& play, const TestCluster& cluster) {
    Settings settings;
    const auto gaps = gaps_of_play(*cluster.snapshot, settings, play, true);
    return std::any_of(gaps.begin(), gaps.end(), [](const Gap& gap) { return gap.rule == GapRule::orphaned_pods; });
  };
  const auto without = a_cluster({a_node("n1", "1"), a_pod("d/a").on("n1").yaml()});
  CHECK_FALSE(told(simulated(*without), *without));
  const auto with = a_cluster({a_node("n1", "1"), a_pod("d/a").on("n2").yaml()});
  CHECK(told(simulated(*with), *with));
}

}  // namespace previct::sequence
