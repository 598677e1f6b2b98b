#include "engine/kai/snapshot/grouper.h"

#include "engine/kai/snapshot/priority_classes.h"
#include "support/input.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

// Source: kai-scheduler/KAI-Scheduler pkg/podgrouper/podgrouper/plugins/{defaultgrouper,job,deployment}; documentation
// of the default pod-grouper. All expected values are derived from these by hand.

using namespace previct;
using namespace previct::kai;

namespace {

constexpr std::string_view kClasses =
    "---\n{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: train}, value: 50}\n"
    "---\n{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: build}, value: 100}\n"
    "---\n{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: inference}, value: 125}\n"
    "---\n{apiVersion: scheduling.k8s.io/v1, kind: PriorityClass, metadata: {name: mine}, value: 70}\n";

struct Manifest {
  std::string_view name = "p";
  std::string_view labels = "";       // `key: value, …`
  std::string_view annotations = "";  // `key: value, …`
  std::string_view owners = "";       // `{kind: …}, …`
  std::string_view spec = "";         // `key: value, …`
};

auto pod_manifest(const Manifest& p) -> std::string {
  return fmt::format(
      "---\n{{apiVersion: v1, kind: Pod, metadata: {{name: {0}, namespace: ml, uid: u-{0}, labels: {{{1}}}, "
      "annotations: "
      "{{{2}}}, ownerReferences: [{3}]}}, spec: {{{4}}}}}\n",
      p.name, p.labels, p.annotations, p.owners, p.spec);
}

// The group of the pod `p`.
struct GroupOfPod {
  explicit GroupOfPod(const std::string& yaml, std::string_view classes = kClasses) {
    REQUIRE(test::read_text(std::string(classes) + yaml, objects));
    cluster.emplace(objects);
    group = assumed_group(*cluster, cluster->find_pod("ml", "p"));
  }
  [[nodiscard]] auto pods() const -> std::vector<std::string> {
    std::vector<std::string> names;
    for (const PodId id : group.pods) names.emplace_back(cluster->text(cluster->pod(id).meta.name));
    return names;
  }

  Objects objects;
  std::optional<Snapshot> cluster;
  AssumedGroup group;
};

constexpr std::string_view kJob = "{apiVersion: batch/v1, kind: Job, name: work, uid: u-job, controller: true}";

}  // namespace

TEST_CASE("kai grouper: a pod without an owner gets a group of its own", "[kai][grouper]") {
  const GroupOfPod alone(pod_manifest({}) + pod_manifest({.name = "other"}));
  CHECK(alone.group.name == "pg-p-u-p");
  CHECK(alone.group.ns == "ml");
  CHECK(alone.group.queue == "default-queue");
  CHECK(alone.group.priority_class == "train");
  CHECK(alone.group.preemptibility.empty());
  CHECK(alone.group.min_member == 1);
  CHECK(alone.group.preemption_delay == 0);
  CHECK(alone.pods() == std::vector<std::string>{"p"});
}

TEST_CASE("kai grouper: the queue comes from a label, else from project and node pool", "[kai][grouper]") {
  const auto queue = [](std::string_view labels, const std::string& more = "") {
    return GroupOfPod(pod_manifest({.labels = labels}) + more).group.queue;
  };
  CHECK(queue("kai.scheduler/queue: research, project: ads") == "research");
  CHECK(queue("project: ads") == "ads");
  CHECK(queue("project: ads, kai.scheduler/node-pool: h100") == "ads-h100");
  CHECK(queue("kai.scheduler/node-pool: h100") == "default-queue");
  const std::string other_key =
      "---\n{apiVersion: kai.scheduler/v1, kind: Config, metadata: {name: kai}, spec: {global: {queueLabelKey: "
      "team}}}\n";
  CHECK(queue("team: search, kai.scheduler/queue: research", other_key) == "search");
  CHECK(queue("kai.scheduler/queue: research", other_key) == "default-queue");
}

TEST_CASE("kai grouper: the priority class is the first that exists of label, spec and kind", "[kai][grouper]") {
  const auto chosen = [](const Manifest& p, std::string_view classes = kClasses) {
    return GroupOfPod(pod_manifest(p), classes).group.priority_class;
  };
  CHECK(chosen({.labels = "priorityClassName: mine", .spec = "priorityClassName: build"}) == "mine");
  CHECK(chosen({.labels = "priorityClassName: none", .spec = "priorityClassName: build"}) == "build");
  CHECK(chosen({.spec = "priorityClassName: none"}) == "train");
  CHECK(chosen({.owners = "{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: u-web, controller: true}"}) ==
        "inference");
  CHECK(chosen({.owners = "{apiVersion: kubeflow.org/v1, kind: Notebook, name: nb, uid: u-nb, controller: true}"}) ==
        "build");
  CHECK(chosen({.owners = kJob}) == "train");
  // Without any class in the input, those of KAI's chart and of the pods are assumed to exist.
  CHECK(chosen({}, "") == "train");
  CHECK(chosen({.spec = "priorityClassName: mine, priority: 70"}, "") == "mine");
}

// Source: kai-scheduler/KAI-Scheduler deployments/kai-scheduler/templates/priorityclasses.
TEST_CASE("kai: without PriorityClasses, their values are those of pods, then those of KAI's chart", "[kai]") {
  Objects objects;
  REQUIRE(test::read_text(pod_manifest({.spec = "priorityClassName: build, priority: 90"}) +
                              pod_manifest({.name = "q", .spec = "priorityClassName: mine, priority: 70"}),
                          objects));
  const PriorityClasses classes{Snapshot(objects)};
  CHECK(classes.value_of("build") == 90);
  CHECK(classes.value_of("mine") == 70);
  CHECK(classes.value_of("inference") == 125);
  CHECK_FALSE(classes.value_of("other"));
}

TEST_CASE("kai grouper: of several owners, the controller counts, else the first", "[kai][grouper]") {
  constexpr std::string_view kSet = "{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: u-web}";
  CHECK(GroupOfPod(pod_manifest({.owners = fmt::format("{}, {}", kSet, kJob)})).group.name == "pg-work-u-job");
  CHECK(GroupOfPod(pod_manifest({.owners = fmt::format(
                                     "{}, {{apiVersion: batch/v1, kind: Job, name: work, uid: u-job}}", kSet)}))
            .group.priority_class == "inference");
}

TEST_CASE("kai grouper: a Job makes one group of those of its pods that have none", "[kai][grouper]") {
  const std::string others =
      pod_manifest({.name = "q", .owners = kJob}) +
      pod_manifest({.name = "grouped", .annotations = "pod-group-name: elsewhere", .owners = kJob}) +
      pod_manifest({.name = "of-another",
                    .owners = "{apiVersion: batch/v1, kind: Job, name: work, uid: u-other, controller: true}"}) +
      pod_manifest({.name = "alone"});
  const GroupOfPod job(pod_manifest({.owners = kJob}) + others);
  CHECK(job.group.name == "pg-work-u-job");
  CHECK(job.pods() == std::vector<std::string>{"p", "q"});
  CHECK(job.group.min_member == 1);

  // A ReplicaSet makes one group for each pod.
  constexpr std::string_view kSet = "{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: u-web, controller: true}";
  const GroupOfPod set(pod_manifest({.owners = kSet}) + pod_manifest({.name = "q", .owners = kSet}));
  CHECK(set.group.name == "pg-p-u-p");
  CHECK(set.pods() == std::vector<std::string>{"p"});

  // A Job that is not created yet has no uid, so its pods cannot be distinguished from those of other Jobs.
  const GroupOfPod planned(pod_manifest({.owners = "{apiVersion: batch/v1, kind: Job, name: work, controller: true}"}));
  CHECK(planned.group.name == "pg-p-u-p");
}

TEST_CASE("kai grouper: an annotation sets how many pods of a Job are needed", "[kai][grouper]") {
  const auto least = [](std::string_view owners, std::string_view number) {
    const std::string annotation = fmt::format("kai.scheduler/batch-min-member: \"{}\"", number);
    return GroupOfPod(pod_manifest({.annotations = annotation, .owners = owners})).group.min_member;
  };
  CHECK(least(kJob, "3") == 3);
  CHECK(least(kJob, "0") == 1);
  CHECK(least(kJob, "-2") == 1);
  CHECK(least(kJob, "many") == 1);
  CHECK(least("", "3") == 1);
}

TEST_CASE("kai grouper: preemptibility and preemption delay come from the pod", "[kai][grouper]") {
  const auto delay = [](std::string_view text) {
    const std::string annotation = fmt::format("kai.scheduler/preemption-delay: {}", text);
    return GroupOfPod(pod_manifest({.annotations = annotation})).group.preemption_delay;
  };
  CHECK(delay("90s") == 90'000'000'000);
  CHECK(delay("-90s") == 0);
  CHECK(delay("soon") == 0);
  CHECK(GroupOfPod(pod_manifest({.labels = "kai.scheduler/preemptibility: non-preemptible"})).group.preemptibility ==
        "non-preemptible");
}
