// Which group a question is about, and the answer when no cycle runs for it.
// Source: kai-scheduler/KAI-Scheduler: pkg/scheduler/cache/cluster_info (d5bc503a): groups by name alone; spec §2.5.
#include "engine/kai/asked.h"

#include "cluster/changed_cluster.h"
#include "support/kai.h"
#include "support/kai_cycle.h"

using namespace previct;
using namespace previct::kai;
using namespace previct::test::cycles;

namespace {

auto group_in_namespace(std::string_view ns, std::string_view name) -> std::string {
  return fmt::format(
      "---\n{{apiVersion: scheduling.run.ai/v2alpha2, kind: PodGroup, metadata: {{name: {}, namespace: {}}}, spec: "
      "{{queue: want}}}}\n",
      name, ns);
}

// Returns the namespace of the group that a question about pod ml/p or podgroup ml/g is about, else the error message.
auto namespace_asked(const std::string& groups, const std::string& kind) -> std::string {
  Objects objects;
  REQUIRE(test::read_text(groups + pod({.name = "p", .group = "g"}), objects));
  const Snapshot cluster(objects);
  Question question;
  question.kind = kind;
  question.ns = "ml";
  question.name = kind == "podgroup" ? "g" : "p";
  const auto asked = find_asked(cluster, question);
  return asked ? asked->ns : asked.error().message;
}

}  // namespace

TEST_CASE("kai find_asked: a pod finds its group by name alone, a question names the group's namespace", "[kai]") {
  const std::string there = group_in_namespace("other", "g");
  const std::string here = group_in_namespace("ml", "g");
  CHECK(namespace_asked(there, "pod") == "other");
  CHECK(namespace_asked(there + here, "pod") == "ml");
  CHECK(namespace_asked(here + there, "pod") == "ml");
  CHECK(namespace_asked(here + there, "podgroup") == "ml");
  CHECK(namespace_asked(there, "podgroup") == "no podgroup ml/g in the input (1 group)");
  CHECK(
      namespace_asked(group_in_namespace("ml", "h"), "pod") ==
      "no podgroup ml/g in the input; did you mean ml/h? (1 group); pod ml/p names it, and the scheduler ignores pods "
      "whose group is missing");
}

TEST_CASE("kai refused settings: a pending pod gets an error, running and gated pods keep their outcome", "[kai]") {
  const std::string refused = std::string(kTrain) + queue("want", 2) + node("a", 1) + shard("args: {qps: many}");
  const auto outcome = [&](const PodText& text) {
    return test::AskedGroup(refused + alone(text), "p").explain().outcome;
  };
  CHECK(outcome({.name = "p"}) == Outcome::error);
  CHECK(outcome({.name = "p", .node = "a"}) == Outcome::scheduled);
  CHECK(outcome({.name = "p", .spec = ", schedulingGates: [{name: wait}]"}) == Outcome::gated);
}

TEST_CASE("kai: a pod on a node, a gated one and one that is being deleted have these outcomes", "[kai]") {
  const auto outcome = [](const std::string& text) {
    test::AskedGroup asked(std::string(kTrain) + queue("want", 2) + node("a", 1) + text, "p");
    asked.question.kind = "pod";
    return asked.explain().outcome;
  };
  CHECK(outcome(alone({.name = "p"})) == Outcome::fits);
  CHECK(outcome(alone({.name = "p", .node = "a"})) == Outcome::scheduled);
  CHECK(outcome(alone({.name = "p", .spec = ", schedulingGates: [{name: wait}]"})) == Outcome::gated);
  std::string leaving = alone({.name = "p", .node = "a"});
  leaving.replace(leaving.find("uid: p"), 6, "uid: p, deletionTimestamp: \"2026-03-02T10:00:10Z\"");
  CHECK(outcome(leaving) == Outcome::deleting);
}

TEST_CASE("kai find_asked: a pod without a group is explained with the group that it would get", "[kai]") {
  Objects objects;
  REQUIRE(
      test::read_text("---\n{apiVersion: v1, kind: Pod, metadata: {name: p, namespace: ml, uid: u, labels: "
                      "{kai.scheduler/queue: want}}, "
                      "spec: {schedulerName: kai-scheduler, containers: [{name: c}]}, status: {phase: Pending}}\n",
                      objects));
  const Snapshot cluster(objects);
  Question question;
  question.ns = "ml";
  question.name = "p";
  const auto asked = find_asked(cluster, question);
  REQUIRE(asked);
  CHECK(asked->ns == "ml");
  CHECK(asked->name == "pg-p-u");
  REQUIRE(asked->assumed);
  CHECK(asked->assumed->queue == "want");
  question.name = "q";
  CHECK(find_asked(cluster, question).error().message == "no pod ml/q in the input");
}

TEST_CASE("kai find_asked: an input without PodGroups gives an error for a pod that names one", "[kai]") {
  CHECK(namespace_asked("", "pod") ==
        "cannot tell what happens to pod ml/p: it belongs to ml/g, and the input has no PodGroups of KAI Scheduler");
  CHECK(namespace_asked("", "podgroup") == "no podgroup ml/g in the input (0 groups)");
}

TEST_CASE("kai shard_for: the shard of the group's node pool, unless the question names one", "[kai]") {
  const auto shard_of = [](const std::string& labels, const std::string& named) {
    Objects objects;
    const auto pool = [](std::string_view name, std::string_view value) {
      return fmt::format(
          "---\n{{apiVersion: kai.scheduler/v1, kind: SchedulingShard, metadata: {{name: {}}}, spec: "
          "{{partitionLabelValue: {}}}}}\n",
          name, value);
    };
    REQUIRE(test::read_text(pool("first", "silver") + pool("second", "gold") +
                                fmt::format("---\n{{apiVersion: scheduling.run.ai/v2alpha2, kind: PodGroup, metadata: "
                                            "{{name: g, namespace: ml, labels: {{{}}}}}, spec: {{queue: want}}}}\n",
                                            labels),
                            objects));
    const Snapshot cluster(objects);
    Question question;
    question.kind = "podgroup";
    question.ns = "ml";
    question.name = "g";
    question.shard = named;
    return shard_for(cluster, question, *find_asked(cluster, question));
  };
  CHECK(shard_of("kai.scheduler/node-pool: gold", "") == "second");
  CHECK(shard_of("kai.scheduler/node-pool: silver", "") == "first");
  CHECK(shard_of("kai.scheduler/node-pool: bronze", "").empty());
  CHECK(shard_of("", "").empty());
  CHECK(shard_of("kai.scheduler/node-pool: gold", "first") == "first");
}

TEST_CASE("kai needed_for: PodGroups are needed if a pod names one", "[kai]") {
  const auto needed = [](const std::string& yaml) {
    Objects objects;
    REQUIRE(test::read_text(yaml, objects));
    const Snapshot cluster(objects);
    std::vector<std::string> kinds;
    for (const RequiredKind& need : kai_engine.needs()) {
      if (kai_engine.needed_for(cluster, need) != need.always) kinds.emplace_back(need.kind->name);
    }
    return kinds;
  };
  CHECK(needed(pod({.name = "p", .group = "g"})) == Names{"PodGroup"});
  CHECK(needed(pod({.name = "p"})).empty());
}

TEST_CASE("kai backoff: a group in backoff is pending, and a pod of it with a node is scheduled", "[kai]") {
  const auto backing = [](std::string_view ns) {
    return fmt::format(
        "---\n{{apiVersion: scheduling.run.ai/v2alpha2, kind: PodGroup, metadata: {{name: p, namespace: {}}}, spec: "
        "{{queue: want, schedulingBackoff: 1}}, status: {{schedulingConditions: [{{nodePool: default, transitionID: "
        "\"1\"}}]}}}}\n",
        ns);
  };
  const std::string cluster = std::string(kTrain) + queue("want", 2) + node("a", 1);
  const auto outcome = [&](std::string_view on, const std::string& kind) {
    test::AskedGroup asked(cluster + backing("ml") + pod({.name = "p", .group = "p", .node = on}), "p");
    asked.question.kind = kind;
    return asked.explain().outcome;
  };
  CHECK(outcome("", "podgroup") == Outcome::pending);
  CHECK(outcome("", "pod") == Outcome::pending);
  CHECK(outcome("a", "pod") == Outcome::scheduled);
  // The backoff of another group of the same name does not count.
  const auto told = [&](const std::string& groups) {
    test::AskedGroup asked(cluster + groups, "p");
    const auto answer = previct::explain(kai_engine, *asked.cluster, asked.question);
    return answer ? answer->sentence : answer.error().message;
  };
  CHECK(told(backing("ml")).find("schedulingBackoff") != std::string::npos);
  // Nor does it change what is known of other groups.
  const std::string running = group("q", "want") + pod({.name = "q", .group = "q", .node = "a"});
  CHECK(told(backing("ml") + running).find("schedulingBackoff") != std::string::npos);
  std::string other_pool = backing("ml");
  other_pool.insert(other_pool.find("name: p"), "labels: {kai.scheduler/node-pool: gold}, ");
  CHECK(told(other_pool + backing("other")).starts_with("podgroup ml/p does not belong to shard default"));
}

TEST_CASE("kai ConfigMap: the outcome is unknown if the input does not show whether it exists", "[kai]") {
  const auto told = [](std::string_view of_running, std::string_view of_pending) {
    return test::AskedGroup(std::string(kTrain) + queue("want", 2) + node("a", 2) + group("p", "want") +
                                pod({.name = "q", .group = "p", .node = "a", .container = of_running}) +
                                pod({.name = "p", .group = "p", .container = of_pending}),
                            "p")
        .explain();
  };
  const std::string needs = ", envFrom: [{configMapRef: {name: settings}}]";
  const Answer open = told("", needs);
  CHECK(open.outcome == Outcome::unknown);
  REQUIRE(open.assumed.size() == 2);
  CHECK(open.assumed[0].condition->rule == GapRule::if_config_maps_exist);
  CHECK(open.assumed[0].outcome == Outcome::fits);
  CHECK(open.assumed[1].condition->rule == GapRule::if_no_config_maps_exist);
  CHECK(open.assumed[1].outcome == Outcome::pending);
  CHECK(told(needs, "").outcome == Outcome::fits);
  CHECK(told(needs, "").assumed.empty());
  CHECK(told("", "").assumed.empty());
  // A pod starts without a ConfigMap that is optional.
  const Answer optional = told("", ", envFrom: [{configMapRef: {name: settings, optional: true}}]");
  CHECK(optional.outcome == Outcome::fits);
  CHECK(optional.assumed.empty());
}

TEST_CASE("kai ConfigMap: ConfigMaps of shared GPUs are created for the pod", "[kai]") {
  const auto outcome = [](std::string_view name) {
    return test::AskedGroup(std::string(kTrain) + queue("want", 2) + node("a", 2) +
                                alone({.name = "p",
                                       .annotations = ", runai/shared-gpu-configmap: mine",
                                       .container = fmt::format(", envFrom: [{{configMapRef: {{name: {}}}}}]", name)}),
                            "p")
        .explain()
        .outcome;
  };
  CHECK(outcome("mine-0") == Outcome::fits);
  CHECK(outcome("other") == Outcome::unknown);
}

TEST_CASE("kai start: only the group of the first pod that runs gets a new start time", "[kai]") {
  // Another group of the namespace and a group of the same name in another namespace are not started. A second pod of a
  // group that runs does not start it again.
  Objects objects;
  REQUIRE(test::read_text(std::string(kTrain) + queue("want", 2) + node("a", 2) + alone({.name = "p"}) +
                              alone({.name = "other"}) + group_in_namespace("web", "p") + group("both", "want") +
                              pod({.name = "first", .group = "both", .node = "a"}) +
                              pod({.name = "second", .group = "both"}),
                          objects));
  ChangedCluster changed(objects);
  const Snapshot cluster(objects);
  const Instant at = *parse_instant("2026-03-02T10:00:00Z");
  kai_engine.note_start(cluster, cluster.find_pod("ml", "p"), at, Verdict(), changed);
  kai_engine.note_start(cluster, cluster.find_pod("ml", "second"), at, Verdict(), changed);
  std::vector<std::string> started;
  for (const kai::PodGroup& each : objects.kai_pod_groups) {
    const Symbol key = objects.symbols.intern("kai.scheduler/last-start-timestamp");
    if (each.meta.annotations.has(key))
      started.push_back(fmt::format("{}/{}", objects.symbols.text(each.meta.ns), objects.symbols.text(each.meta.name)));
  }
  CHECK(started == Names{"ml/p"});
}
