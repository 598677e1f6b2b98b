#include "sequence/controllers.h"

#include "analysis/subject.h"
#include "api/load.h"
#include "sequence/cost.h"
#include "sequence/cycle_simulation.h"
#include "sequence/kube_scenario.h"
#include "sequence/lanes.h"
#include "sequence/modes.h"
#include "sequence/report.h"
#include "support/cluster.h"
#include "support/input.h"
#include "support/owned.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace previct::sequence {
namespace {

using test::a_cluster;
using test::a_node;
using test::a_pod;
using test::owned;
using test::TestCluster;

/// A fixture, set up as `previct sequence` does.
struct Staged {
  Objects objects;
  std::unique_ptr<Snapshot> snapshot;
  Settings settings;
};

auto stage(const std::string& fixture) -> std::unique_ptr<Staged> {
  auto staged = std::make_unique<Staged>();
  const std::vector<std::string> files = {std::string(PREVICT_SOURCE_DIR "/fixtures/sequence/") + fixture};
  REQUIRE(load(files, {}, staged->objects));
  staged->snapshot = std::make_unique<Snapshot>(staged->objects);
  staged->settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  staged->settings.controllers = true;
  for (const Subject& subject : pending_subjects(*staged->snapshot, "")) staged->settings.pods.push_back(subject.pod);
  staged->settings.controller_objects = controller_objects_of(staged->objects);
  return staged;
}

auto played_by_controllers(Staged& staged) -> SimulationResult {
  auto play = simulate_kube(staged.objects, staged.settings, {});
  if (!play) FAIL(play.error().message);
  return *std::move(play);
}

auto created_at(const SimulationResult& play, const Snapshot& cluster, const std::string& pod) -> Time {
  for (const Step& step : play.steps) {
    if (step.what == EventKind::created && play.key(step.pod, cluster) == pod) return step.at;
  }
  return kNever;
}

/// Simulates all pending pods, with controllers, at noon.
auto played_with(TestCluster& cluster, ControllerObjects controller_objects) -> SimulationResult {
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  settings.pods = {cluster.snapshot->find_pod("d", "p")};
  settings.controllers = true;
  settings.controller_objects = std::move(controller_objects);
  auto play = simulate_kube(cluster.objects, settings, {});
  if (!play) FAIL(play.error().message);
  return *std::move(play);
}

}  // namespace

TEST_CASE("sequence: a controller of the same kind in another group counts as unknown", "[sequence][controllers]") {
  const auto maker = [](const std::string& version, const std::string& kind) {
    std::string pod = owned(a_pod("d/p").yaml(), kind, "x");
    const std::string begin = "[{kind";
    pod.replace(pod.find(begin), begin.size(), "[{apiVersion: " + version + ", kind");
    const auto cluster = a_cluster({pod});
    return owner_of(*cluster->snapshot, cluster->snapshot->pod(cluster->snapshot->find_pod("d", "p"))).maker;
  };
  CHECK(maker("apps/v1", "StatefulSet") == ControllerKind::stateful_set);
  CHECK(maker("batch/v1", "Job") == ControllerKind::job);
  CHECK(maker("v1", "ReplicationController") == ControllerKind::replica_set);
  CHECK(maker("apps.kruise.io/v1beta1", "StatefulSet") == ControllerKind::other);
  CHECK(maker("batch.volcano.sh/v1alpha1", "Job") == ControllerKind::other);
}

TEST_CASE("sequence: a new pod gets the node with the best score", "[sequence][controllers][scores]") {
  // d/p needs all of n1. For the new pod of one CPU, 1 CPU of 4 is free on n2, and 3 of 4 on n3.
  const auto cluster = a_cluster(
      {a_node("n1", "4"), a_node("n2", "4"), a_node("n3", "4"),
       owned(a_pod("d/web-1").on("n1").yaml(), "ReplicaSet", "web"), a_pod("d/x").on("n2").priority(9).cpu("2").yaml(),
       a_pod("d/p").priority(8).cpu("4").spec("nodeSelector: {kubernetes.io/hostname: n1}").yaml()});
  const SimulationResult play = played_with(*cluster, {});
  const auto made = std::find_if(play.ends.begin(), play.ends.end(), [](const End& end) { return !end.after.empty(); });
  REQUIRE(made != play.ends.end());
  CHECK(made->kind == End::Kind::bound);
  CHECK(cluster->snapshot->text(cluster->snapshot->node(made->node).meta.name) == "n3");
}

TEST_CASE("sequence: each controller recreates its pod when it does so in Kubernetes", "[sequence][controllers]") {
  const auto staged = stage("controllers.yaml");
  const SimulationResult play = played_by_controllers(*staged);
  // The deletion of all but the last victim begins at 12 ms: decision 2 ms, mark 5 ms, delete 5 ms; a new pod takes one
  // call of 5 ms.
  const Time deletion = 12 * kMillisecond;
  const Time call = 5 * kMillisecond;
  const auto at = [&](const std::string& pod) { return created_at(play, *staged->snapshot, pod); };
  CHECK(at("d/web-5d-new-1") == deletion + call);
  CHECK(at("d/job-new-1") == 10 * kSecond + call);
  CHECK(at("d/db-0") == 30 * kSecond + call);
  CHECK(at("d/agent-new-1") == 30 * kSecond + call);
  CHECK(at("d/patient-new-1") == 40 * kSecond + call);
  CHECK(at("d/strict-new-1") == kNever);
  CHECK(std::count_if(play.steps.begin(), play.steps.end(),
                      [](const Step& s) { return s.what == EventKind::gives_up; }) == 1);
  // Pods created in the simulation are gone after it.
  CHECK(staged->objects.pods.size() == play.pods_before);
}

TEST_CASE("sequence: in the picture, new pods are below the pods that they replace", "[sequence][controllers]") {
  const auto staged = stage("controllers.yaml");
  const SimulationResult play = played_by_controllers(*staged);
  const auto picture = lanes(play, *staged->snapshot);
  REQUIRE(picture);
  // Six pods are evicted for d/big, and five are recreated; that of Job d/strict is not.
  REQUIRE(picture->rows.size() == 12);
  CHECK(picture->rows.front().label == "d/big");
  CHECK(picture->rows.front().depth == 0);
  for (std::size_t i = 1; i < picture->rows.size(); ++i) {
    CHECK(picture->rows[i].depth == 1);
    const bool evicted = std::any_of(picture->rows[i].parts.begin(), picture->rows[i].parts.end(),
                                     [](const Picture::Part& part) { return part.name == "terminating"; });
    CHECK(evicted == (i <= 6));
  }
}

TEST_CASE("sequence: without controllers, no pod is recreated", "[sequence][controllers]") {
  const auto staged = stage("controllers.yaml");
  staged->settings.controllers = false;
  CHECK(played_by_controllers(*staged).created.empty());
}

TEST_CASE("sequence: a StatefulSet creates its pods in order, unless it is parallel", "[sequence][controllers]") {
  // Two pods of one CPU on a node of two; the preemptor needs all of the node. A second node has capacity for both, so
  // that the new pods run at once.
  for (const bool parallel : {false, true}) {
    const auto cluster = a_cluster(
        {a_node("n1", "2"),
         owned(a_pod("d/db-0").on("n1").priority(1).started("2026-03-02T10:00:00Z").yaml(), "StatefulSet", "db"),
         owned(a_pod("d/db-1").on("n1").priority(1).started("2026-03-02T11:00:00Z").yaml(), "StatefulSet", "db"),
         a_pod("d/p").priority(9).cpu("2").yaml()});
    Settings settings;
    settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
    settings.pods = {cluster->snapshot->find_pod("d", "p")};
    settings.controllers = true;
    StatefulSet set;
    set.meta.ns = cluster->objects.symbols.intern("d");
    set.meta.name = cluster->objects.symbols.intern("db");
    if (parallel) set.spec.pod_management_policy = cluster->objects.symbols.intern("Parallel");
    settings.controller_objects.sets.push_back(set);
    auto play = simulate_kube(cluster->objects, settings, {});
    REQUIRE(play);
    // There is no capacity: in an ordered set, db-1 waits until db-0 runs, which never happens.
    CHECK(created_at(*play, *cluster->snapshot, "d/db-0") != kNever);
    CHECK((created_at(*play, *cluster->snapshot, "d/db-1") != kNever) == parallel);
  }
}

namespace {

/// Pods db-0 … of a StatefulSet on n1, and a pending pod d/p that fits there without preemption.
auto cluster_of_set(std::int64_t pods, const std::string& spec_of_last = "") -> std::unique_ptr<TestCluster> {
  std::vector<std::string> objects = {a_node("n1", "8"), a_pod("d/p").priority(9).yaml()};
  for (std::int64_t i = 0; i < pods; ++i) {
    auto pod = a_pod(fmt::format("d/db-{}", i)).on("n1").priority(1).started("2026-03-02T10:00:00Z");
    if (i + 1 == pods && !spec_of_last.empty()) pod.spec(spec_of_last);
    objects.push_back(owned(pod.yaml(), "StatefulSet", "db"));
  }
  return a_cluster(objects);
}

auto controllers_of_set(TestCluster& cluster, std::int32_t replicas, bool parallel) -> ControllerObjects {
  Symbols& symbols = cluster.objects.symbols;
  StatefulSet set;
  set.meta.ns = symbols.intern("d");
  set.meta.name = symbols.intern("db");
  set.spec.replicas = replicas;
  if (parallel) set.spec.pod_management_policy = symbols.intern("Parallel");
  ControllerObjects objects;
  objects.sets.push_back(set);
  return objects;
}

}  // namespace

TEST_CASE("sequence: a StatefulSet creates the pods that it lacks at the start", "[sequence][controllers]") {
  // One of four pods exists and runs. In order: db-1 takes one call of 5 ms; each next one 5 ms after the one before is
  // bound. In parallel: all three at 5 ms.
  const auto cluster = cluster_of_set(1);
  const bool parallel = GENERATE(false, true);
  const SimulationResult play = played_with(*cluster, controllers_of_set(*cluster, 4, parallel));
  const auto at = [&](int i) { return created_at(play, *cluster->snapshot, fmt::format("d/db-{}", i)); };
  CHECK(at(1) == 5 * kMillisecond);
  CHECK(at(4) == kNever);
  if (parallel) {
    CHECK(at(2) == at(1));
    CHECK(at(3) == at(1));
    return;
  }
  std::vector<Time> bound;
  for (const Step& step : play.steps) {
    const bool of_set = play.key(step.pod, *cluster->snapshot).starts_with("d/db-");
    if (step.what == EventKind::bound && of_set) bound.push_back(step.at);
  }
  REQUIRE(bound.size() == 3);
  CHECK(at(2) == bound[0] + 5 * kMillisecond);
  CHECK(at(3) == bound[1] + 5 * kMillisecond);
}

TEST_CASE("sequence: a StatefulSet creates no pod if the input does not show which ones it lacks",
          "[sequence][controllers]") {
  const auto creates = [](TestCluster& cluster, const ControllerObjects& objects) {
    return !played_with(cluster, objects).created.empty();
  };
  SECTION("the input has fewer pods than the status counts") {
    const auto cluster = cluster_of_set(1);
    ControllerObjects objects = controllers_of_set(*cluster, 3, true);
    CHECK(creates(*cluster, objects));
    objects.sets.front().status.replicas = 3;
    CHECK_FALSE(creates(*cluster, objects));
  }
  SECTION("new pods need claims that do not exist") {
    const auto cluster = cluster_of_set(1, "volumes: [{name: v, persistentVolumeClaim: {claimName: v-db-0}}]");
    CHECK_FALSE(creates(*cluster, controllers_of_set(*cluster, 3, true)));
  }
  SECTION("all pods exist") {
    const auto cluster = cluster_of_set(3);
    CHECK_FALSE(creates(*cluster, controllers_of_set(*cluster, 3, true)));
  }
}

TEST_CASE("sequence: a Job creates its next pod when one succeeds, until enough have", "[sequence][controllers]") {
  // Two pods at a time, five in all, one of which has succeeded before. Both running pods end at 1 m: the fourth and
  // fifth pod are created 1 s later (1.35.4: 1.0 s), by one call of 5 ms; no other one after that.
  const auto cluster = a_cluster(
      {a_node("n1", "8"), owned(a_pod("d/a").on("n1").priority(1).started("2026-03-02T11:59:00Z").yaml(), "Job", "job"),
       owned(a_pod("d/b").on("n1").priority(1).started("2026-03-02T11:59:00Z").yaml(), "Job", "job"),
       a_pod("d/p").priority(9).yaml()});
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  settings.pods = {cluster->snapshot->find_pod("d", "p")};
  settings.controllers = true;
  settings.run_durations = {{"a", 2 * 60 * kSecond}, {"b", 2 * 60 * kSecond}};
  Job job;
  job.meta.ns = cluster->objects.symbols.intern("d");
  job.meta.name = cluster->objects.symbols.intern("job");
  job.spec.completions = 5;
  job.spec.parallelism = 2;
  job.status.succeeded = 1;
  settings.controller_objects.jobs = {job};
  const auto play = simulate_kube(cluster->objects, settings, {});
  REQUIRE(play);
  CHECK(play->created.size() == 2);
  CHECK(created_at(*play, *cluster->snapshot, "d/job-new-1") == 61 * kSecond + 5 * kMillisecond);
  CHECK(created_at(*play, *cluster->snapshot, "d/job-new-2") == 61 * kSecond + 5 * kMillisecond);
}

// controller_utils.go IsPodActive; stateful_set_control.go processReplica; daemon_controller.go podsShouldBeOnNode.
TEST_CASE("sequence: other controllers than Jobs replace a pod that has succeeded", "[sequence][controllers]") {
  // It ends at 1 m; one call of 5 ms.
  for (const char* kind : {"ReplicaSet", "StatefulSet", "DaemonSet", "Other"}) {
    const auto cluster = a_cluster(
        {a_node("n1", "2"), owned(a_pod("d/set-0").on("n1").started("2026-03-02T11:59:00Z").yaml(), kind, "set"),
         a_pod("d/p").yaml()});
    Settings settings;
    settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
    settings.pods = {cluster->snapshot->find_pod("d", "p")};
    settings.controllers = true;
    settings.run_durations = {{"set-0", 2 * 60 * kSecond}};
    settings.horizon = 90 * kSecond;
    const auto play = simulate_kube(cluster->objects, settings, {});
    REQUIRE(play);
    const auto created = std::find_if(play->steps.begin(), play->steps.end(),
                                      [](const Step& step) { return step.what == EventKind::created; });
    CAPTURE(kind);
    CHECK((created == play->steps.end() ? kNever : created->at) ==
          (std::string_view(kind) == "Other" ? kNever : 60 * kSecond + 5 * kMillisecond));
  }
}

// success_policy.go matchSuccessPolicy; job_controller.go syncJob deletes the active pods. Index 0 succeeds at 1 m; the
// Job is synchronized 1 s later, and one call takes 5 ms. Index 2 has succeeded before.
TEST_CASE("sequence: a Job that meets its successPolicy deletes its other pods", "[sequence][controllers]") {
  const auto deleted_at = [](const std::string& rule) {
    const auto pod = [](const std::string& index) {
      return owned(a_pod("d/j-" + index)
                       .on("n1")
                       .labels("{batch.kubernetes.io/job-completion-index: \"" + index + "\"}")
                       .started("2026-03-02T11:59:00Z")
                       .yaml(),
                   "Job", "j");
    };
    const auto cluster =
        a_cluster({a_node("n1", "2"), pod("0"), pod("1"), a_pod("d/q").yaml(),
                   "apiVersion: batch/v1\nkind: Job\nmetadata: {namespace: d, name: j, uid: u}\nspec: {completions: 3, "
                   "parallelism: 2, completionMode: Indexed, successPolicy: {rules: [{" +
                       rule +
                       "}]}}\nstatus: {startTime: \"2026-03-02T11:59:00Z\", active: 2, succeeded: 1, completedIndexes: "
                       "\"2\"}\n"});
    Settings settings;
    settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
    settings.pods = {cluster->snapshot->find_pod("d", "q")};
    settings.controllers = true;
    settings.controller_objects = controller_objects_of(cluster->objects);
    settings.run_durations = {{"j-0", 2 * 60 * kSecond}};
    settings.horizon = 100 * kSecond;
    const auto play = simulate_kube(cluster->objects, settings, {});
    REQUIRE(play);
    const auto deletes = std::find_if(play->steps.begin(), play->steps.end(),
                                      [](const Step& step) { return step.what == EventKind::deleting; });
    return deletes == play->steps.end() ? kNever : deletes->at;
  };
  const Time at_once = 61 * kSecond + 5 * kMillisecond;
  CHECK(deleted_at("succeededIndexes: \"0\"") == at_once);
  CHECK(deleted_at("succeededIndexes: \"0,2\"") == at_once);
  CHECK(deleted_at("succeededIndexes: \"0-1\"") == kNever);
  CHECK(deleted_at("succeededIndexes: \"0-1\", succeededCount: 1") == at_once);
  CHECK(deleted_at("succeededCount: 2") == at_once);
  CHECK(deleted_at("succeededCount: 3") == kNever);
}

TEST_CASE("sequence: the success of a pod ends the back-off of its Job", "[sequence][controllers]") {
  // One of two pods of a Job is evicted at 12 ms: its replacement waits until 10 s. The other pod succeeds at 4 s, so
  // the replacement is created 1 s after that (backoff_utils.go: failures since the last success). No second pod is
  // created: one of two has succeeded, and one is to run.
  const auto cluster = a_cluster(
      {a_node("n1", "2"), owned(a_pod("d/a").on("n1").priority(5).started("2026-03-02T11:59:00Z").yaml(), "Job", "job"),
       owned(a_pod("d/b").on("n1").priority(1).started("2026-03-02T11:59:00Z").yaml(), "Job", "job"),
       a_pod("d/p").priority(9).cpu("1").yaml()});
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  settings.pods = {cluster->snapshot->find_pod("d", "p")};
  settings.controllers = true;
  settings.run_durations = {{"a", 64 * kSecond}};
  Job job;
  job.meta.ns = cluster->objects.symbols.intern("d");
  job.meta.name = cluster->objects.symbols.intern("job");
  job.spec.completions = 2;
  job.spec.parallelism = 2;
  settings.controller_objects.jobs = {job};
  const auto play = simulate_kube(cluster->objects, settings, {});
  REQUIRE(play);
  CHECK(play->created.size() == 1);
  CHECK(created_at(*play, *cluster->snapshot, "d/job-new-1") == 5 * kSecond + 5 * kMillisecond);
}

TEST_CASE("sequence: a Job creates no pod while it backs off from its last failure", "[sequence][controllers]") {
  // Both pods fail in second 0, the second 5 ms after the first: 10 s after one failure, 20 s after two, for all
  // missing pods (job_controller.go manageJob, getRemainingTime). One more call of 5 ms creates them.
  const auto cluster = a_cluster(
      {a_node("n1", "2"), owned(a_pod("d/a").on("n1").priority(1).started("2026-03-02T10:00:00Z").yaml(), "Job", "job"),
       owned(a_pod("d/b").on("n1").priority(1).started("2026-03-02T11:00:00Z").yaml(), "Job", "job"),
       a_pod("d/p").priority(9).cpu("2").yaml()});
  const SimulationResult play = played_with(*cluster, {});
  CHECK(created_at(play, *cluster->snapshot, "d/job-new-1") == 20 * kSecond + 5 * kMillisecond);
  CHECK(created_at(play, *cluster->snapshot, "d/job-new-2") == 20 * kSecond + 5 * kMillisecond);
}

TEST_CASE("sequence: the back-off of a Job starts at the deletion, however long the grace period is",
          "[sequence][controllers]") {
  // 1.35.4: 10.2 s with a grace period of 8 s.
  for (const int grace : {2, 8, 15}) {
    const auto cluster = a_cluster({a_node("n1", "1"),
                                    owned(a_pod("d/a")
                                              .on("n1")
                                              .priority(1)
                                              .started("2026-03-02T10:00:00Z")
                                              .spec(fmt::format("terminationGracePeriodSeconds: {}", grace))
                                              .yaml(),
                                          "Job", "job"),
                                    a_pod("d/p").priority(9).cpu("1").yaml()});
    const SimulationResult play = played_with(*cluster, {});
    INFO(grace);
    CHECK(created_at(play, *cluster->snapshot, "d/job-new-1") == 10 * kSecond + 5 * kMillisecond);
  }
}

TEST_CASE("sequence: a full quota admits no new pod before the old one is gone", "[sequence][controllers]") {
  const auto cluster = a_cluster(
      {a_node("n1", "1"),
       owned(a_pod("d/web-a").on("n1").priority(1).started("2026-03-02T10:00:00Z").yaml(), "ReplicaSet", "web"),
       a_pod("d/p").priority(9).cpu("1").yaml()});
  Symbols& symbols = cluster->objects.symbols;
  for (const int most : {2, 3}) {
    ResourceQuota quota;
    quota.meta.ns = symbols.intern("d");
    quota.meta.name = symbols.intern("q");
    quota.spec.hard.set(symbols.intern("pods"), Quantity::of(most));
    quota.status.used.set(symbols.intern("pods"), Quantity::of(2));
    ControllerObjects controller_objects;
    controller_objects.quotas.push_back(quota);
    const SimulationResult play = played_with(*cluster, controller_objects);
    const auto refused = std::count_if(play.steps.begin(), play.steps.end(), [](const Step& step) {
      return step.what == EventKind::call_failed && step.why.find("ResourceQuota q is exceeded") != std::string::npos;
    });
    CHECK(refused == (most == 2 ? 1 : 0));
    // Otherwise at once: a cycle of 2 ms, and the calls that mark, delete and create.
    const Time at = created_at(play, *cluster->snapshot, "d/web-new-1");
    CHECK(at == (most == 2 ? 30 * kSecond + 5 * kMillisecond : 17 * kMillisecond));
  }
}

TEST_CASE("sequence: a new pod gets the requests of the current LimitRanges, not the old ones",
          "[sequence][controllers]") {
  const auto staged = stage("limit-range.yaml");
  const auto end_of_new = [&] {
    const SimulationResult play = played_by_controllers(*staged);
    REQUIRE(play.created.size() == 1);
    const auto end = std::find_if(play.ends.begin(), play.ends.end(),
                                  [&](const End& each) { return each.pod.index >= play.pods_before; });
    REQUIRE(end != play.ends.end());
    const std::vector<Gap> gaps = gaps_of_play(*staged->snapshot, staged->settings, play, true);
    const bool told =
        std::any_of(gaps.begin(), gaps.end(), [](const Gap& gap) { return gap.rule == GapRule::limits_of_old_pods; });
    return std::pair(end->kind, told);
  };
  // node-b has 4 - 2.8 = 1.2 cpu: enough for the 1 of the old pod, too little for 1.5.
  CHECK(end_of_new() == std::pair(End::Kind::unschedulable, false));
  // Unknown LimitRanges are reported, because the annotation of the old pod shows that there was one.
  staged->settings.controller_objects.limit_ranges.clear();
  staged->settings.controller_objects.all_limit_ranges = false;
  CHECK(end_of_new() == std::pair(End::Kind::bound, true));
}

TEST_CASE("sequence: a LimitRange refuses a new pod that exceeds its bounds", "[sequence][controllers]") {
  const auto staged = stage("limit-range.yaml");
  // The whole pod may have 2; the limit that is filled in is 4.
  Symbols& symbols = staged->objects.symbols;
  LimitRangeItem whole;
  whole.type = symbols.intern("Pod");
  whole.max.set(symbols.intern("cpu"), Quantity::of(2));
  staged->settings.controller_objects.limit_ranges.front().spec.limits.push_back(whole);
  const SimulationResult play = played_by_controllers(*staged);
  CHECK(play.created.empty());
  CHECK(std::any_of(play.steps.begin(), play.steps.end(), [](const Step& step) {
    return step.what == EventKind::call_failed && step.of_new &&
           step.why.find("LimitRange usual allows at most 2 cpu for a pod") != std::string::npos;
  }));
}

TEST_CASE("sequence: results that differ only in which equal pod of a Job is evicted are one result",
          "[sequence][controllers]") {
  const auto cluster = a_cluster(
      {a_node("n1", "2"), owned(a_pod("d/a").on("n1").priority(1).started("2026-03-02T10:00:00Z").yaml(), "Job", "job"),
       owned(a_pod("d/b").on("n1").priority(1).started("2026-03-02T10:00:00Z").yaml(), "Job", "job"),
       a_pod("d/p").priority(9).cpu("1").yaml()});
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  settings.pods = {cluster->snapshot->find_pod("d", "p")};
  settings.controllers = true;
  const auto sequence = kube_sequence(cluster->objects, settings);
  REQUIRE(sequence);
  CHECK(sequence->courses > 1);
  CHECK(sequence->endings.size() == 1);
}

TEST_CASE("sequence: no end is reported for a terminating pod whose grace period is over", "[sequence]") {
  const auto cluster = a_cluster(
      {a_node("n1", "1"),
       a_pod("d/v").on("n1").priority(1).started("2026-03-02T10:00:00Z").deleting("2026-03-02T11:59:00Z").yaml(),
       a_pod("d/p").priority(9).nominated("n1").cpu("1").yaml()});
  const SimulationResult play = played_with(*cluster, {});
  REQUIRE(play.ends.size() == 1);
  CHECK(play.ends.front().why == "waits for 1 terminating pod on n1, whose grace period is over");
}

TEST_CASE("sequence: a DaemonSet creates no pod for a node that no longer admits it", "[sequence][controllers]") {
  for (const bool tainted : {false, true}) {
    const std::string taint = tainted ? "spec: {taints: [{key: k, effect: NoSchedule}]}\n" : "";
    const auto cluster = a_cluster(
        {a_node("n1", "1") + taint,
         owned(a_pod("d/agent-a").on("n1").priority(1).started("2026-03-02T10:00:00Z").yaml(), "DaemonSet", "agent"),
         a_pod("d/p").priority(9).cpu("1").spec("tolerations: [{operator: Exists}]").yaml()});
    const SimulationResult play = played_with(*cluster, {});
    CHECK((created_at(play, *cluster->snapshot, "d/agent-new-1") != kNever) == !tainted);
  }
}

TEST_CASE("sequence: a victim's finalizer is reported, unless a known controller removes it", "[sequence]") {
  for (const bool of_job : {false, true}) {
    std::string victim = a_pod("d/fin").on("n1").priority(1).started("2026-03-02T10:00:00Z").yaml();
    const std::string finalizers =
        fmt::format("  finalizers: [{}]\n", of_job ? "batch.kubernetes.io/job-tracking" : "a.b/hold");
    victim.insert(victim.find("  namespace"), finalizers);
    const auto cluster = a_cluster({a_node("n1", "1"), victim, a_pod("d/p").priority(9).cpu("1").yaml()});
    const SimulationResult play = played_with(*cluster, {});
    const auto told = std::count_if(play.assumed.begin(), play.assumed.end(), [](const Gap& gap) {
      return gap.rule == GapRule::finalizers && gap.operands == std::vector<std::string>{"a.b/hold", "d/fin"};
    });
    CHECK(told == (of_job ? 0 : 1));
  }
}

// job_controller.go: with a backoffLimit of 0, the Job fails when d/j-a is evicted, and deletes d/j-b.
TEST_CASE("sequence: the first line names a Job that fails, and what it deletes", "[sequence][controllers]") {
  const auto cluster =
      a_cluster({a_node("n1", "1"), a_node("n2", "1"), owned(a_pod("d/j-a").on("n1").priority(1).yaml(), "Job", "j"),
                 owned(a_pod("d/j-b").on("n2").priority(1).yaml(), "Job", "j"),
                 "apiVersion: batch/v1\nkind: Job\nmetadata: {namespace: d, name: j, uid: u}\nspec: {completions: 2, "
                 "parallelism: "
                 "2, backoffLimit: 0}\nstatus: {startTime: \"2026-03-02T11:00:00Z\", active: 2}\n",
                 a_pod("d/p").priority(9).spec("nodeSelector: {kubernetes.io/hostname: n1}").yaml()});
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  settings.controllers = true;
  for (const Subject& subject : pending_subjects(*cluster->snapshot, "")) settings.pods.push_back(subject.pod);
  settings.controller_objects = controller_objects_of(cluster->objects);
  const auto sequence = kube_sequence(cluster->objects, settings);
  REQUIRE(sequence);
  ReportContext context{
      .cluster = *cluster->snapshot, .now = settings.question.now, .now_source = "flag", .input_gaps = {}};
  const auto sentence = [&] {
    const Report report = sequence_report(*sequence, settings, context);
    return std::get<Line>(report.blocks.front()).spans.front().text;
  };
  CHECK(sentence().find(": 1 bound, 1 pod evicted to free resources, Job d/j fails and deletes 1 more pod.") !=
        std::string::npos);
  context.input_gaps.push_back(
      {GapRule::rollout_of_change, {"the rollout of Deployment d/w", "its pod is not replaced"}});
  CHECK_THAT(sentence(), Catch::StartsWith("Cannot tell, because the rollout of Deployment d/w is not modeled. Without "
                                           "it: 1 pending pod"));
}

TEST_CASE("loop: one that is cut short, or closes in no scenario, ends and is reported", "[sequence][circles]") {
  for (const bool asynchronous : {true, false}) {
    for (const Time horizon : {3 * kSecond, 100 * kSecond, 3600 * kSecond}) {
      const auto staged = stage("thrashing.yaml");
      staged->settings.horizon = horizon;
      if (!asynchronous) staged->settings.question.feature_gates = "SchedulerAsyncPreemption=false";
      const auto sequence = kube_sequence(staged->objects, staged->settings);
      REQUIRE(sequence);
      for (const Ending& ending : sequence->endings) {
        for (const End& end : ending.ends) CHECK(end.deleted.size() == end.victims.size());
      }
      ReportContext context{.cluster = *staged->snapshot, .now = {}, .now_source = "flag", .input_gaps = {}};
      context.now = staged->settings.question.now;
      CHECK_FALSE(sequence_report(*sequence, staged->settings, context).blocks.empty());
    }
  }
}

TEST_CASE("loop: pods without a grace period that come and go forever are cut, which is reported",
          "[sequence][circles]") {
  const auto staged = stage("thrashing.yaml");
  for (Pod& pod : staged->objects.pods) pod.spec.termination_grace_seconds = 0;
  staged->settings.question.feature_gates = "SchedulerAsyncPreemption=false";
  staged->settings.most_steps = 5000;
  const auto sequence = kube_sequence(staged->objects, staged->settings);
  REQUIRE(sequence);
  CHECK(sequence->play.too_much);
  CHECK(sequence->play.steps.size() < 5100);
  const ReportContext context{
      .cluster = *staged->snapshot, .now = staged->settings.question.now, .now_source = "flag", .input_gaps = {}};
  const Json data = sequence_report(*sequence, staged->settings, context).data;
  CHECK(data["tooMuchHappens"] == true);
  CHECK(data["horizonReached"] == false);
}

TEST_CASE("loop: a pod whose grace period has long been over does not prevent one", "[sequence][circles]") {
  const auto staged = stage("thrashing.yaml");
  Pod over = staged->objects.pods[PodId{0}];
  for (const Pod& each : staged->objects.pods) {
    if (each.spec.node_name) over = each;
  }
  over.meta.name = staged->objects.symbols.intern("over");
  over.meta.labels = {};
  over.meta.owners = {};
  over.spec.containers[0].resources.requests = {};
  over.meta.deleting = parse_instant("2026-03-02T11:00:00Z");
  staged->objects.pods.add(over);
  staged->snapshot = std::make_unique<Snapshot>(staged->objects);
  CHECK(played_by_controllers(*staged).circle);
}

/// Adds a node in another zone, which one pod of the highest priority fills until it ends.
void add_full_node(Staged& staged, std::string_view end) {
  Symbols& symbols = staged.objects.symbols;
  Node node = staged.objects.nodes[NodeId{0}];
  node.meta.name = symbols.intern("node-c");
  node.meta.labels.set(symbols.intern("zone"), symbols.intern("y"));
  staged.objects.nodes.add(node);
  Pod last = *std::find_if(staged.objects.pods.begin(), staged.objects.pods.end(),
                           [](const Pod& pod) { return pod.spec.node_name; });
  last.meta.name = symbols.intern("last");
  last.meta.owners = {};
  last.meta.labels = {};
  last.meta.deleting = parse_instant(end);
  last.spec.node_name = node.meta.name;
  last.spec.priority = 2'000'000'000;
  staged.objects.pods.add(last);
  staged.snapshot = std::make_unique<Snapshot>(staged.objects);
}

TEST_CASE("loop: a change that is known from the start ends it", "[sequence][circles]") {
  // Once node-c is free, shop/important fits there, in another zone than shop/web.
  const auto within = stage("thrashing.yaml");
  add_full_node(*within, "2026-03-02T12:10:00Z");
  const SimulationResult ended = played_by_controllers(*within);
  CHECK_FALSE(ended.circle);
  CHECK(std::all_of(ended.ends.begin(), ended.ends.end(), [](const End& end) { return end.kind == End::Kind::bound; }));
  // After the horizon, the loop is reported, but not as one without an end.
  const auto beyond = stage("thrashing.yaml");
  add_full_node(*beyond, "2026-03-02T14:00:00Z");
  const SimulationResult play = played_by_controllers(*beyond);
  REQUIRE(play.circle);
  REQUIRE(play.circle->until);
  CHECK(play.circle->until->at == 2 * 3600 * kSecond);
  CHECK(play.circle->until->what == KnownChange::What::pod_ends);
  const SimulationCosts costs(play, beyond->settings, *beyond->snapshot);
  CHECK(costs.sentences().find("every 1m0s, until +2h0m0s at least, when shop/last ends: 120 pods") !=
        std::string::npos);
}

// Adds a node that no other pod tolerates, with the pod shop/last, and what else is given.
void add_tainted_node(Staged& staged, const std::string& metadata, const std::string& toleration,
                      const std::string& more) {
  REQUIRE(test::read_text(
      fmt::format(
          "apiVersion: v1\nkind: Node\nmetadata: {{name: node-c}}\nspec: {{taints: [{{key: maint, effect: NoExecute, "
          "timeAdded: \"2026-03-02T12:00:00Z\"}}]}}\nstatus: {{allocatable: {{cpu: '1', memory: 1Gi, pods: '9'}}}}\n"
          "---\napiVersion: v1\nkind: Pod\nmetadata: {{namespace: shop, name: last, uid: u-last{}}}\nspec: "
          "{{nodeName: node-c, tolerations: [{{key: maint, operator: Exists{}}}], containers: [{{name: c}}]}}\n"
          "status: {{phase: Running, startTime: \"2026-03-02T11:00:00Z\"}}\n{}",
          metadata, toleration, more),
      staged.objects));
  staged.snapshot = std::make_unique<Snapshot>(staged.objects);
  staged.settings.controller_objects = controller_objects_of(staged.objects);
}

TEST_CASE("loop: a deletion by a taint after the horizon may end it", "[sequence][circles][taints]") {
  const auto staged = stage("thrashing.yaml");
  add_tainted_node(*staged, "", ", effect: NoExecute, tolerationSeconds: 7200", "");
  const SimulationResult play = played_by_controllers(*staged);
  REQUIRE(play.circle);
  REQUIRE(play.circle->until);
  CHECK(play.circle->until->at == 7200 * kSecond);
  CHECK(play.circle->until->what == KnownChange::What::pod_ends);
  CHECK(staged->snapshot->key(play.circle->until->pod) == "shop/last");
}

TEST_CASE("loop: the first change after the horizon is reported, such as the deadline of a Job",
          "[sequence][circles]") {
  // The Job began at 11:00. Its deadline is at 14:00 or 15:00, and the pod is deleted at 14:30 or not at all.
  const auto until = [](int hours, const std::string& toleration) {
    const auto staged = stage("thrashing.yaml");
    add_tainted_node(*staged,
                     ", ownerReferences: [{apiVersion: batch/v1, kind: Job, name: j, uid: u-j, controller: true}]",
                     toleration,
                     fmt::format("---\napiVersion: batch/v1\nkind: Job\nmetadata: {{namespace: shop, name: j, uid: "
                                 "u-j}}\nspec: {{completions: 1, parallelism: 1, backoffLimit: 6, "
                                 "activeDeadlineSeconds: {}}}\nstatus: {{startTime: \"2026-03-02T11:00:00Z\", active: "
                                 "1}}\n",
                                 hours * 3600));
    const SimulationResult play = played_by_controllers(*staged);
    REQUIRE(play.circle);
    REQUIRE(play.circle->until);
    return std::pair(play.circle->until->at / kSecond, play.circle->until->what);
  };
  const std::string deleted = ", effect: NoExecute, tolerationSeconds: 9000";
  CHECK(until(3, "") == std::pair(Time{7200}, KnownChange::What::deadline_ends));
  CHECK(until(3, deleted) == std::pair(Time{7200}, KnownChange::What::deadline_ends));
  CHECK(until(4, deleted) == std::pair(Time{9000}, KnownChange::What::pod_ends));
}

TEST_CASE("loop: it does not close before the last pod has arrived", "[sequence][circles]") {
  const auto staged = stage("thrashing.yaml");
  REQUIRE(
      test::read_text("apiVersion: v1\nkind: Pod\nmetadata: {namespace: shop, name: late, uid: u-late}\nspec: "
                      "{nodeSelector: {none: has-this}, containers: [{name: c}]}\nstatus: {phase: Pending}\n",
                      staged->objects));
  staged->snapshot = std::make_unique<Snapshot>(staged->objects);
  const PodId late = staged->snapshot->find_pod("shop", "late");
  staged->settings.pods.push_back(late);
  staged->settings.arrivals = {{late, 600 * kSecond}};
  const SimulationResult play = played_by_controllers(*staged);
  CHECK(play.circle);
  CHECK(std::any_of(play.steps.begin(), play.steps.end(), [&](const Step& step) {
    return step.what == EventKind::arrives && step.pod == late && step.at == 600 * kSecond;
  }));
}

TEST_CASE("loop: reported with its period", "[sequence][circles]") {
  const auto staged = stage("thrashing.yaml");
  const SimulationResult play = played_by_controllers(*staged);
  REQUIRE(play.circle);
  CHECK(play.circle->period == 60 * kSecond);
  const SimulationCosts tolls(play, staged->settings, *staged->snapshot);
  CHECK(tolls.thrashes());
  CHECK(tolls.evictions() == 2);
  CHECK(tolls.evictions_per_hour() == Approx(120));
}

TEST_CASE("loop: an epoch is never finished if the toleration is too short", "[sequence][circles]") {
  struct Want {
    std::string_view seconds;
    bool finished;
  };
  // See the header of the fixture.
  for (const Want want : {Want{"600", false}, Want{"870", false}, Want{"871", true}, Want{"1200", true}}) {
    const auto staged = stage("epochs.yaml");
    Settings& settings = staged->settings;
    Symbols& symbols = staged->objects.symbols;
    for (PriorityClass& each : staged->objects.priority_classes) {
      const Symbol key = symbols.intern("preemption-toleration.scheduling.x-k8s.io/toleration-seconds");
      if (each.meta.annotations.has(key)) each.meta.annotations.set(key, symbols.intern(want.seconds));
    }
    settings.recurring.push_back({settings.pods.front(), 1200 * kSecond});
    settings.run_durations.push_back({"ml/eval", 300 * kSecond});
    settings.epochs.push_back({"ml/train-*", 900 * kSecond});
    settings.horizon = 6 * 3600 * kSecond;
    const SimulationResult play = played_by_controllers(*staged);
    const SimulationCosts tolls(play, settings, *staged->snapshot);
    INFO(want.seconds);
    const auto train = std::find_if(tolls.all().begin(), tolls.all().end(),
                                    [](const WorkloadCost& toll) { return toll.workload == "StatefulSet ml/train"; });
    REQUIRE(train != tolls.all().end());
    CHECK(train->reaches_epoch == want.finished);
    if (!want.finished) {
      REQUIRE(play.circle);
      CHECK(play.circle->period == 1200 * kSecond);
      CHECK(tolls.evictions_per_hour() == Approx(3));
    }
  }
}

TEST_CASE("loop, KAI: an epoch is finished once the min-runtime is at least as long", "[sequence][circles][kai]") {
  // See the header of the fixture.
  for (const std::int64_t seconds : {600, 899, 900, 1200}) {
    const auto staged = stage("kai-min-runtime.yaml");
    Settings& settings = staged->settings;
    for (kai::Queue& queue : staged->objects.kai_queues) {
      if (queue.spec.preempt_min_runtime) queue.spec.preempt_min_runtime = Duration{seconds * kSecond};
    }
    settings.recurring.push_back({settings.pods.front(), 1200 * kSecond});
    settings.run_durations.push_back({"ml/eval", 300 * kSecond});
    settings.epochs.push_back({"ml/train-*", 900 * kSecond});
    settings.horizon = 6 * 3600 * kSecond;
    const auto kai =
        std::find_if(engines().begin(), engines().end(), [](const Engine* e) { return e->name() == "kai"; });
    REQUIRE(kai != engines().end());
    const auto sequence = simulate_cycles(staged->objects, **kai, settings);
    REQUIRE(sequence);
    const SimulationCosts tolls(sequence->play, settings, *staged->snapshot);
    const auto train = std::find_if(tolls.all().begin(), tolls.all().end(),
                                    [](const WorkloadCost& toll) { return toll.workload == "StatefulSet ml/train"; });
    INFO(seconds);
    REQUIRE(train != tolls.all().end());
    CHECK(train->reaches_epoch == (seconds >= 900));
    if (seconds == 600) {
      REQUIRE(sequence->play.circle);
      CHECK(sequence->play.circle->period == 1200 * kSecond);
      CHECK(tolls.evictions() == 1);  // at the very time at which the state repeats
    }
  }
}

// default/busy and other/busy: KAI keeps the last by name, with the pods of both. The victim's Job, in the other
// namespace, creates a new pod of the group that is not kept.
TEST_CASE("sequence, KAI: a new pod finds its group by name, whatever its namespace is", "[sequence][kai]") {
  const auto staged = stage("../kai/objects/same-podgroup-name-two-namespaces/dump.yaml");
  staged->settings.question.now = parse_instant("2026-03-02T09:59:40Z").value();
  const auto kai = std::find_if(engines().begin(), engines().end(), [](const Engine* e) { return e->name() == "kai"; });
  REQUIRE(kai != engines().end());
  const auto sequence = simulate_cycles(staged->objects, **kai, staged->settings);
  REQUIRE(sequence);
  const auto created = [](const Step& step) { return step.what == EventKind::created; };
  const auto& steps = sequence->play.steps;
  CHECK(std::any_of(steps.begin(), steps.end(), created));
}

// Three nodes, each full of pods of queue b, which has no guaranteed share; the asks are from queue a, which has one.
auto yunikorn_asks(int asks) -> std::unique_ptr<TestCluster> {
  std::vector<std::string> documents = {
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yunikorn-configs, namespace: yunikorn}\ndata:\n  queues.yaml: "
      "|\n"
      "    partitions:\n    - name: default\n      queues:\n      - name: root\n        submitacl: '*'\n        "
      "queues:\n"
      "        - name: a\n          resources: {guaranteed: {vcore: 3}}\n          properties: {preemption.delay: "
      "10s}\n"
      "        - name: b\n"};
  const auto pod = [&](const std::string& name, const std::string& queue, const std::string& more) {
    documents.push_back(fmt::format(
        "apiVersion: v1\nkind: Pod\nmetadata: {{name: {0}, namespace: t, uid: {0}, creationTimestamp: "
        "\"2026-03-02T10:00:00Z\", labels: {{applicationId: {0}, queue: root.{1}}}}}\nspec: {{schedulerName: yunikorn, "
        "{2}containers: [{{name: c, resources: {{requests: {{cpu: \"1\"}}}}}}]}}\nstatus: {{phase: {3}}}\n",
        name, queue, more, more.empty() ? "Pending" : "Running"));
  };
  for (int n = 0; n < 3; ++n) {
    documents.push_back(a_node(fmt::format("n{}", n), "1"));
    pod(fmt::format("b-{}", n), "b", fmt::format("nodeName: n{}, ", n));
  }
  for (int i = 0; i < asks; ++i) pod(fmt::format("a-{}", i), "a", "");
  return a_cluster(documents);
}

TEST_CASE("sequence, YuniKorn: of several possible results of a decision, one is simulated",
          "[sequence][rounds][yunikorn]") {
  // Whichever node is tried first, one pod is evicted for one ask. An ask ignores pods that are evicted for another.
  for (const int asks : {1, 2, 3}) {
    const auto cluster = yunikorn_asks(asks);
    Settings settings;
    settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
    for (int i = 0; i < asks; ++i) settings.pods.push_back(cluster->snapshot->find_pod("t", fmt::format("a-{}", i)));
    const auto yunikorn =
        std::find_if(engines().begin(), engines().end(), [](const Engine* e) { return e->name() == "yunikorn"; });
    REQUIRE(yunikorn != engines().end());
    const auto sequence = simulate_cycles(cluster->objects, **yunikorn, settings);
    REQUIRE(sequence);
    std::vector<Time> deleted;
    for (const Step& step : sequence->play.steps) {
      if (step.what == EventKind::deleting) deleted.push_back(step.at);
    }
    INFO(asks);
    CHECK(deleted == std::vector<Time>(static_cast<std::size_t>(asks), 0));
    for (const End& end : sequence->play.ends) CHECK(end.kind == End::Kind::bound);
  }
}

// The pod's claim is not in the input.
TEST_CASE("sequence, YuniKorn: a pod about which no answer is possible is not simulated",
          "[sequence][rounds][yunikorn]") {
  const auto cluster = a_cluster(
      {a_node("a", "1"),
       "apiVersion: v1\nkind: Pod\nmetadata: {name: new, namespace: ns, labels: {applicationId: app}}\nspec: "
       "{schedulerName: yunikorn, volumes: [{name: v, persistentVolumeClaim: {claimName: c}}], containers: [{name: c, "
       "resources: {requests: {cpu: '1'}}}]}\nstatus: {phase: Pending}\n"});
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  settings.pods.push_back(cluster->snapshot->find_pod("ns", "new"));
  const auto sequence = simulate_cycles(cluster->objects, *find_engine("yunikorn"), settings);
  REQUIRE(sequence);
  REQUIRE(sequence->play.ends.size() == 1);
  CHECK(sequence->play.ends[0].kind == End::Kind::not_simulated);
  CHECK(sequence->play.ends[0].why.starts_with("cannot tell, because"));
  CHECK(sequence->play.steps.empty());
}

// Returns why the pod ns/new is not simulated.
auto why_not_played(const std::vector<std::string>& documents, LeftOut InputSummary::*left_out = nullptr)
    -> std::string {
  const auto cluster = a_cluster(documents);
  if (left_out != nullptr) cluster->objects.*left_out = {.count = 1, .first = {}};
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  settings.pods.push_back(cluster->snapshot->find_pod("ns", "new"));
  const auto sequence = kube_sequence(cluster->objects, settings);
  REQUIRE(sequence);
  REQUIRE(sequence->play.ends.size() == 1);
  CHECK(sequence->play.ends[0].kind == End::Kind::not_simulated);
  return sequence->play.ends[0].why;
}

TEST_CASE("sequence: a decision that depends on missing claims is not simulated", "[sequence]") {
  CHECK(
      why_not_played({a_node("n1", "4"),
                      a_pod("ns/new").spec("volumes: [{name: v, persistentVolumeClaim: {claimName: data}}]").yaml()}) ==
      "cannot tell, because the pod uses the claim data, but the input has no PersistentVolumeClaim");
}

TEST_CASE("sequence: what explain cannot decide is not simulated as a fact", "[sequence]") {
  // The claim's kind is not in the input, and without nodes nothing is known about any pod.
  CHECK(why_not_played(
            {a_node("n1", "4"), a_pod("ns/new").spec("resourceClaims: [{name: gpu, resourceClaimName: gpu}]").yaml()})
            .starts_with("cannot tell, because ResourceClaim is not in the input"));
  CHECK(why_not_played({a_pod("ns/new").yaml()}) == "cannot tell, because the input has no nodes");
  // In 1.33 the gate is off by default, although an API server has kept the field.
  const std::string old_node =
      "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: \"4\", memory: 16Gi, pods: "
      "\"110\"}, nodeInfo: {kubeletVersion: v1.33.4}}\n";
  CHECK(why_not_played({old_node, a_pod("ns/new").spec("resourceClaims: [{name: gpu, resourceClaimName: gpu}]").yaml()})
            .starts_with("cannot tell, because the input has spec.resourceClaims of pods"));
}

TEST_CASE("sequence: a kind missing from the input leaves a simulation as open as a verdict", "[sequence]") {
  // n1 has 4 CPUs, of which a pod of priority 0 has 3. The free resources of n2, where a pod runs, are unknown.
  const std::string machine =
      "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\nstatus: {allocatable: {cpu: \"4\", memory: 16Gi, pods: "
      "\"110\"}, nodeInfo: {bootID: b-1, kubeletVersion: v1.35.0}}\n";
  const std::string on_n1 = a_pod("x/r").on("n1").cpu("3").yaml();
  const std::string on_n2 = a_pod("z/s").on("n2").yaml();
  for (const int priority : {0, 9}) {
    CHECK(why_not_played({machine, on_n1, on_n2, a_pod("ns/new").cpu("2").priority(priority).yaml()})
              .starts_with("cannot tell, because the input lacks node n2, on which pods run"));
  }
  CHECK(why_not_played({machine, on_n1, a_pod("ns/new").cpu("1").yaml()}, &InputSummary::broken_pods)
            .starts_with("cannot tell, because a file with pods could not be read"));
}

TEST_CASE("sequence: the order of pods of one priority is unknown after a scheduler's start", "[sequence]") {
  // One node with capacity for one pod: the pod that is tried first evicts the pod there, and the others find no
  // victim.
  const auto endings = [](const std::vector<std::string>& created) {
    std::vector<std::string> documents = {
        a_node("n1", "1"), a_pod("d/low").on("n1").priority(1).started("2026-03-02T10:00:00Z").yaml(),
        a_pod("e/other").on("n1").cpu("0").priority(99).started("2026-03-02T10:00:00Z").yaml()};
    for (std::size_t i = 0; i < created.size(); ++i)
      documents.push_back(a_pod(fmt::format("d/p{}", i)).priority(9).yaml());
    const auto cluster = a_cluster(documents);
    Settings settings;
    settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
    for (std::size_t i = 0; i < created.size(); ++i) {
      settings.pods.push_back(cluster->snapshot->find_pod("d", fmt::format("p{}", i)));
      cluster->objects.pods[settings.pods.back()].meta.created = parse_instant(created[i]);
    }
    const auto sequence = kube_sequence(cluster->objects, settings);
    REQUIRE(sequence);
    std::string words = sequence->more_orders ? "at least: " : "";
    for (const Ending& ending : sequence->endings) {
      for (const End& end : ending.ends) words += end.kind == End::Kind::bound ? '+' : '-';
      words += ending.when.empty() ? "" : fmt::format(" {}; ", ending.when);
    }
    return words;
  };
  const std::string order = " pods of equal priority are tried in this order: ";
  CHECK(endings({"2026-03-02T11:00:00Z", "2026-03-02T11:00:01Z"}) ==
        "+-" + order + "d/p0, d/p1; -+" + order + "d/p1, d/p0; ");
  const std::string second = "2026-03-02T11:00:00Z";
  CHECK(endings({second, second, second}) ==
        "+--" + order + "d/p0, d/p1, d/p2; -+-" + order + "d/p1, d/p0, d/p2; --+" + order + "d/p2, d/p0, d/p1; ");
  // 720 orders: each pod first, and the reverse.
  CHECK(endings(std::vector<std::string>(6, second)).starts_with("at least: +-----" + order + "d/p0, d/p1"));
}

TEST_CASE("sequence: a choice that matters only after another one is combined with it", "[sequence]") {
  // d/p0 fits on n1 and n2, which get the same score: cpu 0, memory 97, with d/p0 on either. On n2, it leaves d/p1 only
  // n1, where d/r ends at 27 s; nothing is evicted. On n1, d/p1 evicts d/a from n2, which started later than d/r. If
  // d/a uses its grace period of 30 s, n1 is free before that; if it ends at once, d/p1 gets n2.
  for (const bool reversed : {false, true}) {
    std::vector<std::string> documents = {a_node(reversed ? "n2" : "n1", reversed ? "2" : "4"),
                                          a_node(reversed ? "n1" : "n2", reversed ? "4" : "2"),
                                          a_pod("d/b").on("n1").priority(10).started("2026-03-02T11:01:00Z").yaml(),
                                          a_pod("d/r")
                                              .on("n1")
                                              .priority(10)
                                              .cpu("2")
                                              .started("2026-03-02T11:02:00Z")
                                              .deleting("2026-03-02T12:00:27Z")
                                              .yaml(),
                                          a_pod("d/a").on("n2").priority(10).started("2026-03-02T11:03:00Z").yaml(),
                                          a_pod("d/p0").priority(1000).yaml(),
                                          a_pod("d/p1").priority(100).cpu("2").yaml()};
    const auto cluster = a_cluster(documents);
    Settings settings;
    settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
    settings.question.k8s_version = "1.35";
    settings.pods = {cluster->snapshot->find_pod("d", "p0"), cluster->snapshot->find_pod("d", "p1")};
    const auto sequence = kube_sequence(cluster->objects, settings);
    REQUIRE(sequence);
    std::set<std::string> endings;
    for (const Ending& ending : sequence->endings) {
      std::string nodes;
      for (const End& end : ending.ends) nodes += cluster->snapshot->name(end.node);
      endings.insert(nodes);
    }
    CAPTURE(reversed);
    CHECK(endings == std::set<std::string>{"n1n1", "n1n2", "n2n1"});
    CHECK_FALSE(sequence->more_choices);
  }
}

TEST_CASE("sequence: orders and equal nodes together may have further results", "[sequence]") {
  // Two of three equal pods fit, each on either node: which two depends on the order, and where on the choice of nodes.
  const auto cluster = a_cluster({a_node("n1", "1"), a_node("n2", "1"), a_pod("d/p").priority(9).yaml(),
                                  a_pod("d/q").priority(9).yaml(), a_pod("d/s").priority(9).yaml()});
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  for (const char* name : {"p", "q", "s"}) settings.pods.push_back(cluster->snapshot->find_pod("d", name));
  const auto sequence = kube_sequence(cluster->objects, settings);
  REQUIRE(sequence);
  CHECK(sequence->more_orders);
}

TEST_CASE("sequence: a replica with a nomination is not equal to one without", "[sequence]") {
  // n1 has 1 of 2 CPU until d/v is gone at 12:00:05. If d/web-a is tried first, it takes that CPU. If d/web-b is, the
  // nomination of d/web-a is in its way, and its own nomination is then in the way of d/web-a: both wait for d/v.
  const auto replica = [](const std::string& name) { return a_pod(name).priority(9); };
  const auto cluster = a_cluster(
      {a_node("n1", "2"),
       a_pod("d/v").on("n1").priority(1).started("2026-03-02T10:00:00Z").deleting("2026-03-02T12:00:05Z").yaml(),
       owned(replica("d/web-a").nominated("n1").yaml(), "ReplicaSet", "web"),
       owned(replica("d/web-b").yaml(), "ReplicaSet", "web")});
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  settings.pods = {cluster->snapshot->find_pod("d", "web-a"), cluster->snapshot->find_pod("d", "web-b")};
  const auto sequence = kube_sequence(cluster->objects, settings);
  REQUIRE(sequence);
  std::vector<Time> bound;
  for (const Ending& ending : sequence->endings) {
    CHECK(ending.ends.front().kind == End::Kind::bound);
    bound.push_back(ending.ends.front().at / kSecond);
  }
  CHECK(bound == std::vector<Time>{0, 5});
}

TEST_CASE("sequence: all other scenarios together do at most four times the work of one", "[sequence]") {
  std::vector<std::string> documents = {a_node("n1", "1"),
                                        a_pod("d/low").on("n1").priority(1).started("2026-03-02T10:00:00Z").yaml()};
  for (int i = 0; i < 6; ++i) documents.push_back(a_pod(fmt::format("d/p{}", i)).priority(9).yaml());
  const auto cluster = a_cluster(documents);
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  for (int i = 0; i < 6; ++i) settings.pods.push_back(cluster->snapshot->find_pod("d", fmt::format("p{}", i)));
  const auto all = kube_sequence(cluster->objects, settings);
  REQUIRE(all);
  CHECK(all->courses > 10);
  settings.most_work = all->play.work + 1;
  const auto some = kube_sequence(cluster->objects, settings);
  REQUIRE(some);
  CHECK_FALSE(some->play.too_much);
  CHECK(some->courses <= 6);
  CHECK(some->more_orders);
}

TEST_CASE("modes: asynchronous preemption decides for more preemptors per second", "[sequence][modes]") {
  // Ten nodes, ten preemptors. The decision (2 ms) and the status (5 ms) block the thread: one preemptor in 7 ms. If
  // synchronous, the mark and the delete call (5 ms each) block it, too: one in 17 ms.
  std::vector<std::string> documents;
  for (int i = 0; i < 10; ++i) {
    documents.push_back(a_node(fmt::format("n{}", i), "1"));
    documents.push_back(
        a_pod(fmt::format("d/v{}", i)).on(fmt::format("n{}", i)).priority(1).started("2026-03-02T10:00:00Z").yaml());
    documents.push_back(a_pod(fmt::format("d/p{}", i)).priority(9).yaml());
  }
  const auto cluster = a_cluster(documents);
  Settings settings;
  settings.question.now = parse_instant("2026-03-02T12:00:00Z").value();
  for (int i = 0; i < 10; ++i) settings.pods.push_back(cluster->snapshot->find_pod("d", fmt::format("p{}", i)));
  const auto sequence = kube_sequence(cluster->objects, settings);
  REQUIRE(sequence);
  CHECK(sequence->play.asynchronous);
  REQUIRE(sequence->other_mode);
  const auto took = [](const Metrics& metrics) { return metrics.last_preemption - metrics.first_preemption; };
  CHECK(sequence->play.metrics.preemptions == 10);
  CHECK(took(sequence->play.metrics) == 9 * 7 * kMillisecond);
  CHECK(sequence->other_mode->metrics.preemptions == 10);
  CHECK(took(sequence->other_mode->metrics) == 9 * 17 * kMillisecond);
  Json document;
  add_modes(*sequence, document);
  const Json& metrics = document.at("preemptionModes").at(0).at("metrics");
  CHECK(metrics.at("scheduler_preemption_victims_sum") == 10);
  CHECK(metrics.at("scheduler_preemption_goroutines_execution_total{result=\"success\"}") == 10);
}

TEST_CASE("modes: many preemptors with failing calls evict no pod twice, and are all scheduled later",
          "[sequence][modes]") {
  for (const char* gates : {"SchedulerAsyncPreemption=true", "SchedulerAsyncPreemption=false"}) {
    const auto staged = stage("middle-priority.yaml");
    staged->settings.question.feature_gates = gates;
    staged->settings.failures.push_back({Failure::Verb::any, {}, kMillisecond, 5 * kSecond});
    const SimulationResult play = played_by_controllers(*staged);
    INFO(gates);
    std::set<PodId> victims;
    for (const Step& step : play.steps) {
      if (step.what != EventKind::deleting) continue;
      CHECK(step.at >= 5 * kSecond);
      CHECK(victims.insert(step.pod).second);
    }
    CHECK(victims.size() == 6);
    CHECK(std::all_of(play.ends.begin(), play.ends.end(), [](const End& e) { return e.kind == End::Kind::bound; }));
    CHECK(play.ends.size() == 6);
  }
}

}  // namespace previct::sequence
