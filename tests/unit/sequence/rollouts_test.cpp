#include "analysis/subject.h"
#include "sequence/controllers.h"
#include "sequence/deployment_rollout.h"
#include "sequence/kube_scenario.h"
#include "support/cluster.h"
#include "support/owned.h"
#include "support/simulated.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

// The steps take what the API and the scheduler take elsewhere: a controller's call 5 ms, a cycle 2 ms, a binding 5 ms.
namespace previct::sequence {
namespace {

using test::a_class;
using test::a_cluster;
using test::a_node;
using test::a_pod;
using test::owned;
using test::simulated;

using Lines = std::vector<std::string>;

// The template of pods with this request.
auto a_template(const std::string& cpu, const std::string& more = "") -> std::string {
  return fmt::format(
      "template: {{metadata: {{labels: {{app: web}}}}, spec: {{containers: [{{name: main, resources: {{requests: "
      "{{cpu: "
      "\"{}\"}}}}}}]{}}}}}",
      cpu, more.empty() ? "" : ", " + more);
}

struct OldSet {
  std::string hash;
  int replicas = 0;
  std::string cpu = "1";
  std::string more{};  // of metadata
  std::string spec{};  // beside replicas and template
  int counted = -1;    // pods that the status counts; -1: all
  std::string status{};
};

auto a_set(const OldSet& set) -> std::string {
  return fmt::format(
      "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {{namespace: d, name: web-{0}, uid: u-{0}, "
      "ownerReferences: [{{apiVersion: apps/v1, kind: Deployment, name: web, uid: u-web, controller: true}}]{1}}}\n"
      "spec: {{replicas: {2}, {3}{4}}}\nstatus: {{replicas: {5}{6}}}\n",
      set.hash, set.more.empty() ? "" : ", " + set.more, set.replicas, set.spec.empty() ? "" : set.spec + ", ",
      a_template(set.cpu), set.counted < 0 ? set.replicas : set.counted, set.status.empty() ? "" : ", " + set.status);
}

auto a_deployment(const std::string& spec, const std::string& pods, const std::string& metadata = "") -> std::string {
  return fmt::format(
      "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{namespace: d, name: web, uid: u-web{}}}\nspec: {{{}, {}}}\n",
      metadata.empty() ? "" : ", " + metadata, spec, pods);
}

// A pod of the set with this hash, which lasts 10 s after its deletion begins.
auto a_web(const std::string& hash, const std::string& name, const std::string& node = "n1") -> std::string {
  return owned(a_pod("d/web-" + hash + "-" + name)
                   .on(node)
                   .priority(1)
                   .labels(fmt::format("{{app: web, pod-template-hash: \"{}\"}}", hash))
                   .spec("terminationGracePeriodSeconds: 10")
                   .yaml(),
               "ReplicaSet", "web-" + hash);
}
auto unready(std::string pod) -> std::string {
  return pod + "  conditions: [{type: Ready, status: \"False\"}]\n";
}

auto three_webs() -> Lines {
  return {a_web("1", "a"), a_web("1", "b"), a_web("1", "c"), a_set({.hash = "1", .replicas = 3})};
}

auto play_of(Lines documents, const Lines& more) -> SimulationResult {
  documents.insert(documents.end(), more.begin(), more.end());
  return simulated(*a_cluster(documents));
}

// `0.005 created web-new-new-1`, for the steps of these kinds.
auto log_of(const Lines& documents, const std::vector<EventKind>& kinds = {EventKind::created, EventKind::deleting,
                                                                           EventKind::bound}) -> Lines {
  const auto cluster = a_cluster(documents);
  const SimulationResult play = simulated(*cluster);
  Lines log;
  for (const Step& step : play.steps) {
    if (std::find(kinds.begin(), kinds.end(), step.what) == kinds.end()) continue;
    std::string name = play.key(step.pod, *cluster->snapshot);
    log.push_back(fmt::format("{:.3f} {} {}", seconds(step.at), what_name(step.what), name.substr(2)));
  }
  return log;
}

auto with(Lines documents, const Lines& more) -> Lines {
  documents.insert(documents.end(), more.begin(), more.end());
  return documents;
}

auto has_gap(const SimulationResult& play, GapRule rule) -> bool {
  return std::any_of(play.assumed.begin(), play.assumed.end(), [&](const Gap& gap) { return gap.rule == rule; });
}

auto steps_of(const SimulationResult& play, EventKind what) -> std::ptrdiff_t {
  return std::count_if(play.steps.begin(), play.steps.end(), [&](const Step& step) { return step.what == what; });
}

}  // namespace

TEST_CASE("rollout: limits in percent are rounded as the Deployment controller rounds them", "[sequence][rollouts]") {
  const Symbols symbols;
  const auto most_and_least = [&](int replicas, std::optional<NumberOrPercent> surge,
                                  std::optional<NumberOrPercent> unavailable) {
    DeploymentSpec spec;
    spec.replicas = replicas;
    spec.strategy.rolling_update = {surge, unavailable};
    const DeploymentRollout rollout(spec, symbols);
    // All pods are old and available: how many may there be, and how many are left after one synchronization?
    std::vector<RolledSet> old_sets = {{replicas, replicas, true}};
    RolledSet current{rollout.most() - replicas, 0, false};
    static_cast<void>(rollout.synchronize(old_sets, current));
    return std::pair(rollout.most(), old_sets.front().replicas);
  };
  // The default of 25%: 10 pods may be 13, and at least 8 (10 - 2.5, rounded down to 2).
  CHECK(most_and_least(10, {}, {}) == std::pair<std::int64_t, std::int64_t>(13, 8));
  // 25% of 3 is 0.75: up to 1 more, and 0 less.
  CHECK(most_and_least(3, {}, {}) == std::pair<std::int64_t, std::int64_t>(4, 3));
  // 1% of 3 is rounded down to 0, and with a surge of 0, one pod may be unavailable (ResolveFenceposts).
  CHECK(most_and_least(3, NumberOrPercent{0, false}, NumberOrPercent{1, true}) ==
        std::pair<std::int64_t, std::int64_t>(3, 2));
  // More than there are.
  CHECK(most_and_least(3, NumberOrPercent{0, false}, NumberOrPercent{5, false}) ==
        std::pair<std::int64_t, std::int64_t>(3, 0));
}

// The comment in rolling.go reconcileOldReplicaSets: 10 replicas, maxUnavailable 2, maxSurge 3; 8 old and 5 new pods,
// which never become available. A lost old pod is not replaced by fewer: 13 - 8 - 5 = 0. After a rollback, 13 - 8 - 1 =
// 4 of the failing pods are deleted.
TEST_CASE("rollout: the examples of the controller's source", "[sequence][rollouts]") {
  const Symbols symbols;
  DeploymentSpec spec;
  spec.replicas = 10;
  spec.strategy.rolling_update = {NumberOrPercent{3, false}, NumberOrPercent{2, false}};
  const DeploymentRollout rollout(spec, symbols);
  std::vector<RolledSet> old_sets = {{8, 7, true}};
  RolledSet current{5, 0, true};
  CHECK_FALSE(rollout.synchronize(old_sets, current));
  std::vector<RolledSet> failing = {{5, 0, true}};
  RolledSet good{8, 7, true};
  CHECK(rollout.synchronize(failing, good));
  CHECK(failing.front().replicas == 1);
  // "The total number of pods will then be 9 and the newRS can be scaled up to 10."
  CHECK(rollout.synchronize(failing, good));
  CHECK(good.replicas == 10);
}

// Created at 5 ms, tried until 7 ms, bound at 12 ms: then a new pod is available, one old pod too many, and there may
// be another new one.
TEST_CASE("rollout: with a surge, each new pod that runs replaces an old one", "[sequence][rollouts]") {
  const std::string strategy = "replicas: 3, strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}";
  const Lines expected = {"0.005 created web-new-new-1", "0.012 bound web-new-new-1", "0.017 deleting web-1-a",
                          "0.017 created web-new-new-2", "0.024 bound web-new-new-2", "0.029 deleting web-1-b",
                          "0.029 created web-new-new-3", "0.036 bound web-new-new-3", "0.041 deleting web-1-c"};
  const Lines log = log_of(with(three_webs(), {a_node("n1", "9"), a_deployment(strategy, a_template("1500m"))}));
  CHECK(std::is_permutation(log.begin(), log.end(), expected.begin(), expected.end()));
  const SimulationResult play = play_of(three_webs(), {a_node("n1", "9"), a_deployment(strategy, a_template("1500m"))});
  CHECK_FALSE(has_gap(play, GapRule::rollouts));
  CHECK(has_gap(play, GapRule::rollout_template));
}

// n1 has capacity for three pods. An old pod is deleted at 5 ms and lasts until 10 s (a whole second); the new one
// takes its place, and is bound 7 ms later. Its controller deletes the next one 5 ms after that.
TEST_CASE("rollout: without a surge, an old pod leaves before a new one runs", "[sequence][rollouts]") {
  const std::string strategy = "replicas: 3, strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}";
  const Lines log = log_of(with(three_webs(), {a_node("n1", "3"), a_deployment(strategy, a_template("1"), "")}));
  // The template is that of the pods: nothing to do.
  CHECK(log.empty());
  Lines other = three_webs();
  other.push_back(a_node("n1", "3"));
  other.push_back(a_deployment(strategy, a_template("900m")));
  const Lines rolled = log_of(other, {EventKind::deleting, EventKind::bound});
  CHECK(rolled == Lines{"0.005 deleting web-1-a", "10.007 bound web-new-new-1", "10.012 deleting web-1-b",
                        "20.007 bound web-new-new-2", "20.012 deleting web-1-c", "30.007 bound web-new-new-3"});
}

TEST_CASE("rollout: the minReadySeconds of a Deployment delay its next step", "[sequence][rollouts]") {
  const std::string strategy =
      "replicas: 3, minReadySeconds: 20, strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}";
  const Lines log = log_of(with(three_webs(), {a_node("n1", "9"), a_deployment(strategy, a_template("1500m"))}),
                           {EventKind::deleting, EventKind::bound});
  // Bound at 12 ms, available 20 s later, 5 ms for the call; so again and again.
  CHECK(log == Lines{"0.012 bound web-new-new-1", "20.017 deleting web-1-a", "20.024 bound web-new-new-2",
                     "40.029 deleting web-1-b", "40.036 bound web-new-new-3", "60.041 deleting web-1-c"});
}

// All old pods are deleted at 5 ms, and end at 10 s. Only then the new ones are created.
TEST_CASE("rollout: Recreate waits until all old pods are gone", "[sequence][rollouts]") {
  const std::string strategy = "replicas: 2, strategy: {type: Recreate}";
  const Lines pods = {a_web("1", "a"), a_web("1", "b"), a_set({.hash = "1", .replicas = 2})};
  const Lines log = log_of(with(pods, {a_node("n1", "9"), a_deployment(strategy, a_template("1500m"))}),
                           {EventKind::created, EventKind::deleting});
  CHECK(log == Lines{"0.005 deleting web-1-a", "0.005 deleting web-1-b", "10.005 created web-new-new-1",
                     "10.005 created web-new-new-2"});
  // It is under way: the last old pod ends at 12:00:20.
  const std::string ends = owned(a_pod("d/web-1-a")
                                     .on("n1")
                                     .labels("{app: web, pod-template-hash: \"1\"}")
                                     .deleting("2026-03-02T12:00:20Z")
                                     .yaml(),
                                 "ReplicaSet", "web-1");
  const Lines later = log_of({ends, a_set({.hash = "1", .replicas = 0}), a_node("n1", "9"),
                              a_deployment("replicas: 1, strategy: {type: Recreate}", a_template("1500m"))},
                             {EventKind::created});
  CHECK(later == Lines{"20.005 created web-new-new-1"});
}

// Two of three pods may be too few, so that one may go: the one that is not available, before others.
TEST_CASE("rollout: an old pod that is not ready is deleted first", "[sequence][rollouts]") {
  const std::string strategy = "replicas: 3, strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}";
  const Lines log =
      log_of({a_web("1", "a"), a_web("1", "b"), unready(a_web("1", "c")), a_set({.hash = "1", .replicas = 3}),
              a_node("n1", "9"), a_deployment(strategy, a_template("1500m"))},
             {EventKind::deleting});
  // 1.5 + 3 CPU fit at once: each new pod is bound 7 ms after it was created, with the old pod that is deleted.
  CHECK(log == Lines{"0.005 deleting web-1-c", "0.017 deleting web-1-a", "0.029 deleting web-1-b"});
}

TEST_CASE("rollout: one whose new pods do not fit stops", "[sequence][rollouts]") {
  const std::string strategy = "replicas: 3, strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}";
  const SimulationResult play = play_of(three_webs(), {a_node("n1", "4"), a_deployment(strategy, a_template("5"))});
  CHECK(steps_of(play, EventKind::created) == 1);
  CHECK(steps_of(play, EventKind::deleting) == 0);
  REQUIRE(play.ends.size() == 1);
  CHECK(play.ends.front().kind == End::Kind::unschedulable);
}

// The new pod of class high evicts an old one, in whose place its ReplicaSet creates another one. That does not fit,
// and is the first to be deleted when the new pod runs.
TEST_CASE("rollout: new pods preempt old ones", "[sequence][rollouts]") {
  const std::string strategy = "replicas: 3, strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}";
  const auto cluster =
      a_cluster(with(three_webs(), {a_node("n1", "3"), a_class("high", 9),
                                    a_deployment(strategy, a_template("1", "priorityClassName: high"))}));
  const SimulationResult play = simulated(*cluster);
  std::vector<std::string> created;
  for (const NewPod& each : play.created) created.emplace_back(cluster->snapshot->text(each.pod.meta.name));
  REQUIRE(created.size() >= 2);
  CHECK(created[0] == "web-new-new-1");
  CHECK(created[1] == "web-1-new-1");
  // In the end, three pods of the new template run, and none of the old one is left.
  std::size_t bound = 0;
  for (const End& end : play.ends) {
    if (end.kind == End::Kind::bound) ++bound;
    CHECK((end.name.starts_with("d/web-new-") || end.kind == End::Kind::removed));
  }
  CHECK(bound == 3);
}

TEST_CASE("rollout: one that is under way continues with the ReplicaSet of the template", "[sequence][rollouts]") {
  // Two old and two new pods run, which is one more than 3. All are available: an old one is deleted, and a third
  // new one is created at the same moment. When that runs 7 ms later, the last old one is deleted.
  const std::string strategy = "replicas: 3, strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}";
  const auto revision = [](int number) {
    return fmt::format("annotations: {{deployment.kubernetes.io/revision: \"{}\"}}", number);
  };
  const Lines sets = {a_set({.hash = "1", .replicas = 2, .more = revision(1)}),
                      a_set({.hash = "2", .replicas = 2, .more = revision(2)})};
  const Lines pods = {a_web("1", "a"), a_web("1", "b"), a_web("2", "x"), a_web("2", "y")};
  const Lines documents = with(with(pods, sets), {a_node("n1", "9")});
  // Both sets have the same template in what is read, as after kubectl rollout restart: the revision decides.
  const Lines log = log_of(with(documents, {a_deployment(strategy, a_template("1"), revision(2))}),
                           {EventKind::created, EventKind::deleting});
  const Lines expected = {"0.005 deleting web-1-a", "0.005 created web-2-new-1", "0.017 deleting web-1-b"};
  CHECK(std::is_permutation(log.begin(), log.end(), expected.begin(), expected.end()));
  const auto told = [&](const std::string& metadata) {
    return has_gap(play_of(documents, {a_deployment(strategy, a_template("1"), metadata)}), GapRule::rollouts);
  };
  CHECK_FALSE(told(revision(2)));
  // Either of the two may be that of the template.
  CHECK(told(""));
}

TEST_CASE("rollout: what the input lacks leaves it open", "[sequence][rollouts]") {
  const std::string deployment =
      a_deployment("replicas: 3, strategy: {rollingUpdate: {maxSurge: 1}}", a_template("1500m"));
  const auto told = [](const Lines& documents) {
    const SimulationResult play = play_of(documents, {a_node("n1", "9")});
    return has_gap(play, GapRule::rollouts) && steps_of(play, EventKind::created) == 0;
  };
  CHECK_FALSE(told(with(three_webs(), {deployment})));
  // The status counts a pod that the input does not have.
  const Lines pods = {a_web("1", "a"), a_web("1", "b"), a_web("1", "c")};
  CHECK(told(with(pods, {deployment, a_set({.hash = "1", .replicas = 4, .counted = 4})})));
  // The ReplicaSet of a pod is missing.
  CHECK(told(with(three_webs(), {deployment, a_web("3", "z")})));
  // No pod shows what admission adds.
  CHECK(told({deployment, a_set({.hash = "1", .replicas = 0})}));
  // Pods of KAI Scheduler have annotations that other components write.
  Lines kai = three_webs();
  for (std::string& text : kai) {
    const std::string grace = "terminationGracePeriodSeconds: 10";
    if (const std::size_t at = text.find(grace); at != std::string::npos)
      text.replace(at, grace.size(), "schedulerName: kai-scheduler");
  }
  CHECK(told(with(kai, {deployment})));
  // The replicas were changed while two sets have pods: both are scaled, in proportion.
  const auto scaled = [](const std::string& replicas) {
    return fmt::format("annotations: {{deployment.kubernetes.io/desired-replicas: \"{}\"}}", replicas);
  };
  const auto two_sets = [&](const std::string& replicas) {
    return with(three_webs(), {deployment, a_web("2", "x"),
                               a_set({.hash = "2", .replicas = 1, .cpu = "1200m", .more = scaled(replicas)})});
  };
  CHECK(told(two_sets("2")));
  CHECK_FALSE(told(two_sets("3")));
}

// The number of restarts, which is not read, decides between pods that became ready at the same time on two nodes.
TEST_CASE("rollout: it stops if it is not known which pod is deleted", "[sequence][rollouts]") {
  const SimulationResult play = play_of(
      {a_web("1", "a"), a_web("1", "b", "n2"), a_set({.hash = "1", .replicas = 2}), a_node("n1", "9"),
       a_node("n2", "9")},
      {a_deployment("replicas: 2, strategy: {rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}", a_template("2"))});
  CHECK(has_gap(play, GapRule::rollout_open));
  CHECK(play.steps.empty());
}

TEST_CASE("rollout: a Deployment that is paused does not roll out", "[sequence][rollouts]") {
  const SimulationResult play =
      play_of(three_webs(), {a_node("n1", "9"), a_deployment("replicas: 3, paused: true", a_template("2"))});
  CHECK(play.steps.empty());
  CHECK_FALSE(has_gap(play, GapRule::rollouts));
  // It is scaled: the set gets the replicas.
  const std::string known = "annotations: {deployment.kubernetes.io/desired-replicas: \"3\"}";
  const Lines log =
      log_of({a_web("1", "a"), a_web("1", "b"), a_web("1", "c"), a_set({.hash = "1", .replicas = 3, .more = known}),
              a_node("n1", "9"), a_deployment("replicas: 2, paused: true", a_template("2"))},
             {EventKind::deleting});
  CHECK(log == Lines{"0.005 deleting web-1-a"});
}

TEST_CASE("rollout: a new pod that is not ready delays it, which is said", "[sequence][rollouts]") {
  const std::string strategy = "replicas: 2, strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}";
  const SimulationResult play = play_of({a_web("1", "a"), a_web("1", "b"), a_set({.hash = "1", .replicas = 2}),
                                         unready(a_web("2", "x")), a_set({.hash = "2", .replicas = 1, .cpu = "1500m"})},
                                        {a_node("n1", "9"), a_deployment(strategy, a_template("1500m"))});
  CHECK(play.steps.empty());
  CHECK(has_gap(play, GapRule::rollout_unready));
}

TEST_CASE("rollout: new pods have the labels of their template, and what admission adds", "[sequence][rollouts]") {
  std::string old = a_web("1", "a");
  const std::string main = "  - name: main\n";
  old.insert(old.find(main), "  - name: sidecar\n    resources: {requests: {cpu: \"2\"}}\n");
  const std::string set = a_set({.hash = "1", .replicas = 1});
  std::string deployment = a_deployment("replicas: 1", a_template("1500m"));
  deployment.replace(deployment.find("app: web}"), 9, "app: web, tier: x}");
  const auto cluster = a_cluster({old, set, deployment, a_node("n1", "9")});
  const SimulationResult play = simulated(*cluster);
  REQUIRE(play.created.size() == 1);
  const Pod& made = play.created.front().pod;
  const auto label = [&](const char* key) {
    return cluster->snapshot->text(made.meta.labels.get(cluster->objects.symbols.find(key)));
  };
  CHECK(label("tier") == "x");
  CHECK(label("pod-template-hash") == "new");
  CHECK(made.spec.containers.size() == 2);
  CHECK(describe_owner(*cluster->snapshot, owner_of(*cluster->snapshot, made)) == "ReplicaSet d/web-new");
}

namespace {

struct Set {
  std::string spec{};
  std::string strategy = "{type: RollingUpdate}";
};

auto a_db(int ordinal, const std::string& revision, const std::string& conditions = "") -> std::string {
  std::string text = owned(a_pod(fmt::format("d/db-{}", ordinal))
                               .on("n1")
                               .priority(1)
                               .labels(fmt::format("{{app: db, controller-revision-hash: {}}}", revision))
                               .spec("terminationGracePeriodSeconds: 10")
                               .yaml(),
                           "StatefulSet", "db");
  return conditions.empty() ? text : text + "  conditions: " + conditions + "\n";
}

auto a_stateful_set(const Set& set) -> std::string {
  return fmt::format(
      "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {{namespace: d, name: db, uid: u-db}}\n"
      "spec: {{replicas: 3, updateStrategy: {}{}, {}}}\n"
      "status: {{replicas: 3, currentRevision: db-1, updateRevision: db-2}}\n",
      set.strategy, set.spec.empty() ? "" : ", " + set.spec, a_template("1"));
}

auto updates_of(const Set& set, const Lines& pods = {a_db(0, "db-1"), a_db(1, "db-1"), a_db(2, "db-1")}) -> Lines {
  return log_of(with(pods, {a_node("n1", "9"), a_stateful_set(set)}), {EventKind::created, EventKind::deleting});
}

}  // namespace

// Deleted at 5 ms, gone at 10 s, created 5 ms later, bound 7 ms later; then the next one.
TEST_CASE("rollout: a StatefulSet updates its pods from the highest ordinal on", "[sequence][rollouts]") {
  CHECK(updates_of({}) == Lines{"0.005 deleting db-2", "10.005 created db-2", "10.017 deleting db-1",
                                "20.005 created db-1", "20.017 deleting db-0", "30.005 created db-0"});
  CHECK(updates_of({.strategy = "{type: RollingUpdate, rollingUpdate: {partition: 1}}"}) ==
        Lines{"0.005 deleting db-2", "10.005 created db-2", "10.017 deleting db-1", "20.005 created db-1"});
  CHECK(updates_of({.strategy = "{type: OnDelete}"}).empty());
  // One that has its template already.
  CHECK(updates_of({}, {a_db(0, "db-1"), a_db(1, "db-1"), a_db(2, "db-2")}).front() == "0.005 deleting db-1");
  CHECK(updates_of({}, {a_db(0, "db-2"), a_db(1, "db-2"), a_db(2, "db-2")}).empty());
  // 30 s after the new pod is bound at 10.012 s.
  CHECK(updates_of({.spec = "minReadySeconds: 30"})[2] == "40.017 deleting db-1");
  const SimulationResult play =
      play_of({a_db(0, "db-1"), a_db(1, "db-1"), a_db(2, "db-2")}, {a_node("n1", "9"), a_stateful_set({})});
  CHECK_FALSE(has_gap(play, GapRule::rollouts));
}

// Only the API server of a cluster with the gate MaxUnavailableStatefulSet keeps maxUnavailable.
TEST_CASE("rollout: a StatefulSet with maxUnavailable updates several pods at a time", "[sequence][rollouts]") {
  const auto first = [](const Set& set) {
    Lines lines = updates_of(set);
    std::erase_if(lines, [](const std::string& line) { return !line.starts_with("0.005"); });
    return lines;
  };
  CHECK(first({.strategy = "{type: RollingUpdate, rollingUpdate: {maxUnavailable: 2}}"}) ==
        Lines{"0.005 deleting db-2", "0.005 deleting db-1"});
  // 50% of 3, rounded down; and never less than 1.
  CHECK(first({.strategy = "{type: RollingUpdate, rollingUpdate: {maxUnavailable: 50%}}"}).size() == 1);
  CHECK(first({.strategy = "{type: RollingUpdate, rollingUpdate: {maxUnavailable: 1%}}"}).size() == 1);
}

TEST_CASE("rollout: a StatefulSet waits for pods that are not ready", "[sequence][rollouts]") {
  const std::string no = "[{type: Ready, status: \"False\"}]";
  const Lines pods = {a_db(0, "db-1", no), a_db(1, "db-1"), a_db(2, "db-1")};
  // An ordered set waits for all of them, a parallel one only for those that it has updated.
  CHECK(updates_of({}, pods).empty());
  CHECK(has_gap(play_of(pods, {a_node("n1", "9"), a_stateful_set({})}), GapRule::stateful_set_unready));
  CHECK(updates_of({.spec = "podManagementPolicy: Parallel"}, pods).front() == "0.005 deleting db-2");
  const Lines updated = {a_db(0, "db-1"), a_db(1, "db-1"), a_db(2, "db-2", no)};
  CHECK(updates_of({.spec = "podManagementPolicy: Parallel"}, updated).empty());
}

TEST_CASE("rollout: the updated pod of a StatefulSet has its template and revision", "[sequence][rollouts]") {
  std::string set = a_stateful_set({});
  set.replace(set.find("cpu: \"1\""), 8, "cpu: \"3\"");
  const auto cluster = a_cluster({a_db(0, "db-1"), a_db(1, "db-1"), a_db(2, "db-1"), a_node("n1", "12"), set});
  const SimulationResult play = simulated(*cluster);
  REQUIRE(play.created.size() == 3);
  const Symbol label = cluster->objects.symbols.find("controller-revision-hash");
  const Symbol cpu = cluster->objects.symbols.find("cpu");
  for (const NewPod& each : play.created) {
    CHECK(cluster->snapshot->text(each.pod.meta.labels.get(label)) == "db-2");
    CHECK(each.pod.spec.containers[0].resources.requests.get(cpu)->value() == 3);
  }
}

}  // namespace previct::sequence
