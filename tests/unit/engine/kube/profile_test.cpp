// Which plugins run at which point. Expected values are derived by hand from upstream's mergePluginSet and
// expandMultiPointPlugins.
#include "engine/kube/profile.h"

#include "engine/kube/attempt.h"
#include "engine/kube/plugins.h"
#include "tell/tell.h"
#include "unit/engine/kube/ask.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

using namespace previct;
using namespace previct::test;

namespace {

auto refs(const Names& names) -> std::vector<PluginRef> {
  std::vector<PluginRef> out;
  for (const std::string& name : names) out.push_back({name, {}});
  return out;
}

auto answer_with_profile(const TestCluster& cluster, const std::string& profile) -> Answer {
  Question q;
  q.ns = "ns";
  q.name = "new";
  q.now = parse_instant("2026-03-02T12:00:00Z").value();
  q.scheduler_config = ConfigFile{
      FileId{},
      "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n- " + profile + "\n"};
  for (const Engine* engine : engines()) {
    if (engine->name() != "kube") continue;
    const auto answer = explain(*engine, *cluster.snapshot, q);
    if (!answer) FAIL(answer.error().message);
    return *answer;
  }
  FAIL("no engine");
  return {};
}

auto answer_with_plugins(const TestCluster& cluster, const std::string& plugins) -> Answer {
  return answer_with_profile(cluster, "plugins: {" + plugins + "}");
}

auto one_full_node() -> std::unique_ptr<TestCluster> {
  return a_cluster({a_node("a", "1"), a_pod("ns/old").on("a").priority(1).started("2026-03-02T11:00:00Z").yaml(),
                    a_pod("ns/new").priority(9).yaml()});
}

}  // namespace

TEST_CASE("profile: a pod whose scheduler has no profile is never tried, and the verdict names it", "[kube]") {
  const auto cluster = test::a_cluster({test::a_node("n", "4"), test::a_pod("ns/new").yaml()});
  Question question = test::a_question();
  question.scheduler_config = test::with_profile("schedulerName: other");
  const Verdict verdict = test::verdict_on(*cluster, question);
  CHECK(verdict.never_tried);
  CHECK(verdict.engine == "kube");
  CHECK(verdict.subject == cluster->snapshot->find_pod("ns", "new"));
  CHECK(verdict.subject_name == "ns/new");
}

TEST_CASE("plugins_at: multiPoint plugins run at the points they implement, and a point's own list overrides",
          "[kube][config]") {
  ProfilePlugins plugins;
  CHECK(kube::plugins_at(plugins, kube::Point::post_filter, kube::Release(35)) ==
        Names{"DynamicResources", "DefaultPreemption"});
  plugins.post_filter.enabled = refs({"PreemptionToleration"});
  CHECK(kube::plugins_at(plugins, kube::Point::post_filter, kube::Release(35)) ==
        Names{"DynamicResources", "DefaultPreemption", "PreemptionToleration"});
  // A plugin in multiPoint and at the point: the point overrides, and the plugin comes first.
  plugins.post_filter.enabled = refs({"PreemptionToleration", "DefaultPreemption"});
  CHECK(kube::plugins_at(plugins, kube::Point::post_filter, kube::Release(35)) ==
        Names{"DefaultPreemption", "DynamicResources", "PreemptionToleration"});
  // A plugin that is disabled and enabled at the point comes last.
  plugins.post_filter.disabled = refs({"DynamicResources"});
  plugins.post_filter.enabled = refs({"DynamicResources"});
  CHECK(kube::plugins_at(plugins, kube::Point::post_filter, kube::Release(35)) ==
        Names{"DefaultPreemption", "DynamicResources"});
  plugins.post_filter.disabled = refs({"*"});
  CHECK(kube::plugins_at(plugins, kube::Point::post_filter, kube::Release(35)) == Names{"DynamicResources"});
  plugins = {};
  plugins.multi_point.enabled = refs({"PreemptionToleration"});
  plugins.multi_point.disabled = refs({"DefaultPreemption"});
  CHECK(kube::plugins_at(plugins, kube::Point::post_filter, kube::Release(35)) ==
        Names{"DynamicResources", "PreemptionToleration"});
  CHECK(kube::plugins_at(plugins, kube::Point::filter, kube::Release(35)).size() == 13);
  CHECK(kube::plugins_at(plugins, kube::Point::filter, kube::Release(36)).back() == "NodeDeclaredFeatures");
  CHECK(kube::plugins_at({}, kube::Point::post_filter, kube::Release(33)) == Names{"DefaultPreemption"});
}

TEST_CASE("profile: without a preemption plugin the pod stays pending, and the answer says so", "[kube][config]") {
  const auto cluster = one_full_node();
  for (const char* plugins :
       {"postFilter: {disabled: [{name: DefaultPreemption}]}", "postFilter: {disabled: [{name: '*'}]}",
        "multiPoint: {disabled: [{name: DefaultPreemption}]}"}) {
    INFO(plugins);
    const Answer answer = answer_with_plugins(*cluster, plugins);
    CHECK(answer.outcome == Outcome::pending);
    CHECK(answer.sentence ==
          "stays pending: a lacks cpu (1 requested, none free); its profile runs no preemption plugin");
    CHECK(answer.victims.empty());
  }
}

TEST_CASE("profile: a Filter without its PreFilter ends the attempt in an error", "[kube][config]") {
  const Answer answer = answer_with_plugins(*one_full_node(), "preFilter: {disabled: [{name: NodePorts}]}");
  CHECK(answer.outcome == Outcome::error);  // "kube.filter.no-state"
  CHECK(answer.evidence.at("error") ==
        "running \"NodePorts\" filter plugin: reading \"PreFilterNodePorts\" from cycleState: not found");
  // NodeAffinity works without its PreFilter: the result is the usual one.
  CHECK(answer_with_plugins(*one_full_node(), "preFilter: {disabled: [{name: NodeAffinity}]}").outcome ==
        Outcome::preempts);
}

TEST_CASE("profile: any set of disabled plugins, at any point, gives an answer", "[kube][config]") {
  const auto cluster = one_full_node();
  for (const kube::PointInfo& point : kube::points()) {
    if (point.point == kube::Point::queue_sort || point.point == kube::Point::bind) continue;  // may not be empty
    for (const kube::PluginInfo& plugin : kube::plugins()) {
      if (!plugin.implements(point.point)) continue;
      INFO(point.field << " " << plugin.name);
      const Answer answer =
          answer_with_plugins(*cluster, fmt::format("{}: {{disabled: [{{name: {}}}]}}", point.field, plugin.name));
      CHECK_FALSE(answer.sentence.empty());
    }
    CHECK_FALSE(
        answer_with_plugins(*cluster, fmt::format("{}: {{disabled: [{{name: '*'}}]}}", point.field)).sentence.empty());
  }
}

TEST_CASE("profile: a Score without its PreScore ends the attempt in an error if nodes are compared",
          "[kube][config]") {
  const std::string off = "preScore: {disabled: [{name: TaintToleration}]}";
  const auto two = a_cluster({a_node("a", "4"), a_node("b", "4"), a_pod("ns/new").yaml()});
  // "kube.score.no-state"
  CHECK(
      answer_with_plugins(*two, off).evidence.at("error") ==
      "running Score plugins: plugin \"TaintToleration\" failed with: failed to read \"PreScoreTaintToleration\" from "
      "cycleState: not found");
  const auto one = a_cluster({a_node("a", "4"), a_pod("ns/new").yaml()});
  CHECK(answer_with_plugins(*one, off).outcome == Outcome::fits);
}

// kube-scheduler 1.35.4 answers so, with the same configuration. Without any Score plugin, nodes are not compared, and
// PreScore does not run. Source: pkg/scheduler/schedule_one.go prioritizeNodes; framework/runtime/framework.go
// RunPreScorePlugins.
TEST_CASE("profile: an error of PreScore counts although the plugin's Score is disabled", "[kube][config]") {
  const auto cluster =
      a_cluster({a_node("a", "4"), a_node("b", "4"),
                 a_pod("ns/new")
                     .spec("affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, "
                           "preference: {matchExpressions: [{key: disk, operator: Gt, values: [abc]}]}}]}}")
                     .yaml()});
  const std::string off = "score: {disabled: [{name: NodeAffinity}]}";
  const std::string few = "score: {disabled: [{name: '*'}], enabled: [{name: TaintToleration}]}";
  for (const std::string& plugins : {off, few}) {
    INFO(plugins);
    CHECK(answer_with_plugins(*cluster, plugins).evidence.at("error") ==
          "running PreScore plugin \"NodeAffinity\": [0].matchExpressions[0].values[0]: Invalid value: \"abc\": for "
          "'Gt', 'Lt' operators, the value must be an integer");
  }
  CHECK(answer_with_plugins(*cluster, off + ", preScore: {disabled: [{name: NodeAffinity}]}").outcome == Outcome::fits);
  CHECK(answer_with_plugins(*cluster, "score: {disabled: [{name: '*'}]}").outcome == Outcome::fits);
}

// Source: plugins/dynamicresources New, v1.33: without its gate, the plugin exists and does nothing.
TEST_CASE("profile: an enabled plugin does nothing if its gate is off", "[kube][config]") {
  const auto cluster =
      a_cluster({a_node("a", "4"), a_pod("ns/other").on("a").yaml(),
                 "apiVersion: resource.k8s.io/v1beta1\nkind: ResourceClaim\nmetadata: {namespace: ns, name: other}\n"
                 "spec: {}\n",
                 a_pod("ns/new").spec("resourceClaims: [{name: c, resourceClaimName: missing}]").yaml()});
  Question question = a_question();
  question.k8s_version = "1.33";
  for (const char* points : {"multiPoint", "filter", "preFilter"}) {
    INFO(points);
    question.scheduler_config =
        with_profile(fmt::format("plugins: {{{}: {{enabled: [{{name: DynamicResources}}]}}}}", points));
    CHECK(verdict_on(*cluster, question).outcome == Outcome::fits);
  }
}

TEST_CASE("profile: scheduling gates are ignored if SchedulingGates is disabled", "[kube][config]") {
  const auto cluster = a_cluster({a_node("a", "4"), a_pod("ns/new").spec("schedulingGates: [{name: wait}]").yaml()});
  CHECK(answer_with_plugins(*cluster, "").outcome == Outcome::gated);
  CHECK(answer_with_plugins(*cluster, "preEnqueue: {disabled: [{name: SchedulingGates}]}").outcome == Outcome::fits);
}

TEST_CASE("profile: a plugin that is not modeled makes the answer unknown only where it takes part", "[kube][config]") {
  const std::string numa = "filter: {enabled: [{name: NodeResourceTopologyMatch}]}";
  const Answer preempting = answer_with_plugins(*one_full_node(), numa);
  CHECK(preempting.outcome == Outcome::unknown);
  CHECK(preempting.sentence.starts_with("cannot tell, because filter plugin NodeResourceTopologyMatch is not modeled"));
  // No node fits the pod, even without all victims: whatever the plugin refuses, the pod stays pending.
  const auto small = a_cluster({a_node("a", "1"), a_pod("ns/new").cpu("2").yaml()});
  CHECK(answer_with_plugins(*small, numa).outcome == Outcome::pending);
  CHECK(answer_with_plugins(*small, "postFilter: {enabled: [{name: CapacityScheduling}]}").outcome == Outcome::unknown);
  const auto roomy = a_cluster({a_node("a", "4"), a_pod("ns/new").yaml()});
  CHECK(answer_with_plugins(*roomy, "postFilter: {enabled: [{name: CapacityScheduling}]}").outcome == Outcome::fits);
  // It comes after DefaultPreemption, which succeeds, so it is not reached.
  CHECK(answer_with_plugins(*one_full_node(), "postFilter: {enabled: [{name: CapacityScheduling}]}").outcome ==
        Outcome::preempts);
}

TEST_CASE("profile: resources that extenders let the scheduler ignore replace those of the arguments",
          "[kube][config]") {
  // Source: pkg/scheduler/scheduler.go buildExtenders, 1.35.4: it assigns args.IgnoredResources and does not append.
  // Resources of Kubernetes itself cannot be ignored (noderesources/fit.go fitsRequest, IsExtendedResourceName).
  const auto wants = [](const std::string& resource) {
    return a_cluster({a_node("a", "4"), a_pod("ns/r").on("a").yaml(),
                      a_pod("ns/new").spec("overhead: {" + resource + ": 1}").yaml()});
  };
  const std::string arguments =
      "}\n  pluginConfig: [{name: NodeResourcesFit, args: {ignoredResources: [example.com/a, x.kubernetes.io/c]}}]\n"
      "extenders: [{urlPrefix: 'http://e', bindVerb: b, managedResources: [{name: example.com/b";
  const std::string ignoring = arguments + ", ignoredByScheduler: true}]}]\n#";
  const std::string managing = arguments + "}]}]\n#";
  CHECK(answer_with_plugins(*wants("example.com/b"), ignoring).outcome == Outcome::fits);
  CHECK(answer_with_plugins(*wants("example.com/a"), ignoring).outcome == Outcome::pending);
  CHECK(answer_with_plugins(*wants("example.com/a"), managing).outcome == Outcome::fits);
  CHECK(answer_with_plugins(*wants("example.com/b"), managing).outcome == Outcome::pending);
  CHECK(answer_with_plugins(*wants("x.kubernetes.io/c"), managing).outcome == Outcome::pending);
}

TEST_CASE("profile: pods of all profiles of a configuration share one queue", "[kube][config]") {
  const auto cluster =
      a_cluster({a_node("n", "1"), a_pod("ns/first").priority(9).nominated("n").spec("schedulerName: second").yaml(),
                 a_pod("ns/new").priority(9).yaml()});
  const auto with = [&](const std::string& other) {
    return answer_with_plugins(
               *cluster,
               fmt::format("}}\n  schedulerName: default-scheduler\n- schedulerName: {}\n  plugins: {{", other))
        .outcome;
  };
  // The nomination of a pod of the other profile counts; nothing is known about another scheduler.
  CHECK(with("second") == Outcome::pending);
  CHECK(with("third") == Outcome::fits);
}

TEST_CASE("own_plugins: recognized by their arguments, their points or the other plugins with them") {
  const auto own = [](const std::string& plugins, const std::string& arguments = "") {
    SchedulerConfig config;
    ProfileConfig& profile = config.profiles.emplace_back();
    profile.plugins.filter.enabled = refs({plugins});
    if (!arguments.empty()) profile.plugin_config.push_back({arguments, 0});
    return kube::own_plugins(config, false);
  };
  CHECK(own("CarefulPlacement").empty());  // may be a typo
  CHECK(own("CarefulPlacement", "CarefulPlacement") == Names{"CarefulPlacement"});
  CHECK(own("NodeAfinity", "CarefulPlacement").empty());
  SchedulerConfig once;
  once.profiles.emplace_back().plugins.filter.enabled = refs({"CarefulPlacement", "NodeAfinity"});
  CHECK(kube::own_plugins(once, true) == Names{"CarefulPlacement"});
  SchedulerConfig twice;
  ProfilePlugins& plugins = twice.profiles.emplace_back().plugins;
  plugins.filter.enabled = refs({"CarefulPlacement"});
  plugins.score.enabled = refs({"CarefulPlacement"});
  CHECK(kube::own_plugins(twice, false) == Names{"CarefulPlacement"});
  plugins.score.enabled = refs({"Coscheduling"});
  CHECK(kube::own_plugins(twice, false) == Names{"CarefulPlacement"});
}

TEST_CASE("profile: decisions of a plugin of the scheduler's own build are not known") {
  const auto cluster = one_full_node();
  const std::string filter = "filter: {enabled: [{name: CarefulPlacement}]}";
  const std::string score = "score: {enabled: [{name: CarefulPlacement}]}";
  CHECK(answer_with_plugins(*cluster, filter + ", " + score).outcome == Outcome::unknown);
  CHECK(answer_with_plugins(*cluster, "multiPoint: {enabled: [{name: CarefulPlacement}]}, " + score).outcome ==
        Outcome::unknown);
  CHECK(answer_with_plugins(*cluster, score + ", preScore: {enabled: [{name: CarefulPlacement}]}").outcome ==
        Outcome::preempts);
  // The points of a plugin from another repository depend on its release.
  CHECK(answer_with_plugins(*cluster, "preScore: {enabled: [{name: Reservation}, {name: DeviceShare}]}").outcome ==
        Outcome::preempts);
}

TEST_CASE("other schedulers: the answer is unknown for a pod of a scheduler that is not kube-scheduler") {
  const auto cluster =
      a_cluster({a_node("a", "1"), a_pod("ns/old").on("a").priority(1).started("2026-03-02T11:00:00Z").yaml(),
                 a_pod("ns/new").priority(9).spec("schedulerName: volcano").yaml()});
  const Answer answer = ask_kube(*cluster, "ns/new");
  CHECK(answer.outcome == Outcome::unknown);
  CHECK(answer.sentence.starts_with("cannot tell, because previct does not model the rules of its scheduler, volcano"));
}

TEST_CASE("other schedulers: the answer is unknown for a scheduler that the input does not show", "[kube][config]") {
  const auto cluster = a_cluster({a_node("a", "1"), a_pod("ns/new").cpu("2").spec("schedulerName: mine").yaml()});
  const Answer answer = ask_kube(*cluster, "ns/new");
  CHECK(answer.outcome == Outcome::unknown);
  CHECK(answer.sentence.starts_with("cannot tell, because the input does not show how its scheduler, mine, decides"));
  // If the kube engine is chosen explicitly, its rules apply.
  Question chosen;
  chosen.ns = "ns";
  chosen.name = "new";
  chosen.now = parse_instant("2026-03-02T12:00:00Z").value();
  chosen.engine = "kube";
  const auto same = a_cluster({a_node("a", "1"), a_pod("ns/new").cpu("2").spec("schedulerName: mine").yaml()});
  const auto kube =
      std::find_if(engines().begin(), engines().end(), [](const Engine* each) { return each->name() == "kube"; });
  const auto by_choice = explain(**kube, *same->snapshot, chosen);
  REQUIRE(by_choice);
  CHECK(by_choice->outcome == Outcome::pending);
  // A configuration that has the profile shows it.
  CHECK(answer_with_plugins(*cluster, "}\n  schedulerName: default-scheduler\n- schedulerName: mine\n  plugins: {")
            .outcome == Outcome::pending);
}

TEST_CASE("profile: a pod is never tried if no profile has its scheduler name", "[kube][config]") {
  const Answer answer = answer_with_profile(*one_full_node(), "schedulerName: other");
  CHECK(answer.outcome == Outcome::pending);
  CHECK(answer.sentence ==
        "stays pending: the scheduler has no profile named default-scheduler, so it never tries the pod");
}

TEST_CASE("victims: a victim of unknown priority makes the answer unknown") {
  const auto cluster = a_cluster(
      {a_node("a", "1"),
       "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ns, name: old}\nspec: {nodeName: a, priorityClassName: gone, "
       "containers: [{name: c, resources: {requests: {cpu: 1}}}]}\nstatus: {phase: Running}\n",
       a_pod("ns/new").priority(9).yaml()});
  const Answer answer = ask_kube(*cluster, "ns/new");
  CHECK(answer.outcome == Outcome::unknown);
  CHECK(answer.sentence.find("ns/old has no spec.priority, and its PriorityClass gone is not in the input") !=
        std::string::npos);
}

TEST_CASE("DefaultPreemption arguments: determine among how many nodes the best is chosen", "[kube][config]") {
  // The victim on `a` has the lowest priority, so `a` is chosen among all four; in a sample of one, any node may be.
  std::vector<std::string> documents = {a_pod("ns/new").priority(9).yaml()};
  int priority = 0;
  for (const std::string name : {"a", "b", "c", "d"}) {
    documents.push_back(a_node(name, "1"));
    documents.push_back(a_pod("ns/on-" + name).on(name).priority(++priority).started("2026-03-02T11:00:00Z").yaml());
  }
  const auto cluster = a_cluster(documents);
  const auto possible = [&](const std::string& arguments) -> std::size_t {
    const Answer answer =
        answer_with_profile(*cluster, "pluginConfig: [{name: DefaultPreemption, args: {" + arguments + "}}]");
    return answer.odds ? answer.odds->nodes.size() : 1;
  };
  CHECK(possible("") == 1);
  CHECK(possible("minCandidateNodesAbsolute: 4") == 1);
  CHECK(possible("minCandidateNodesAbsolute: 1") == 4);  // a tenth of four is less
  CHECK(possible("minCandidateNodesAbsolute: 1, minCandidateNodesPercentage: 100") == 1);
  // Of two, `d` is never the best.
  CHECK(possible("minCandidateNodesAbsolute: 1, minCandidateNodesPercentage: 50") == 3);
  CHECK(possible("minCandidateNodesAbsolute: 2, minCandidateNodesPercentage: 25") == 3);
}

// PreemptionToleration waits for any pod that terminates on the nominated node, DefaultPreemption only for its own
// victims: it looks for victims, and finds too few. Then PreemptionToleration looks at no pod.
TEST_CASE("preemption plugins: findings of the first are not reported if the second looks at no node",
          "[kube][config]") {
  const std::string tolerates =
      "{preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority: \"100\", "
      "preemption-toleration.scheduling.x-k8s.io/toleration-seconds: \"-1\"}";
  const auto cluster = a_cluster({a_class("low", 1, tolerates), a_node("a", "3"),
                                  a_pod("ns/kept").on("a").priority(1).priority_class("low").yaml(),
                                  a_pod("ns/leaving").on("a").priority(1).deleting("2026-03-02T11:59:50Z").yaml(),
                                  a_pod("ns/important").on("a").priority(10).yaml(),
                                  a_pod("ns/new").priority(9).cpu("3").nominated("a").yaml()});
  const Answer answer = answer_with_plugins(*cluster, "postFilter: {enabled: [{name: PreemptionToleration}]}");
  CHECK(answer.outcome == Outcome::waits);
  CHECK(answer.victims.empty());
  CHECK(answer.tolerating.empty());
  CHECK_FALSE(answer.nodes.at(0).contains("preemption"));
}
