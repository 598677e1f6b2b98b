// Sources: those that the rules name.
#include "unit/lint/edges.h"

namespace previct::lint::edges::of_schedulers {
namespace {

auto configuration(std::string_view text) -> std::string {
  return fmt::format("---\napiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n{}\n", text);
}
auto with_plugins(std::string_view plugins) -> std::string {
  return configuration(fmt::format("profiles:\n- plugins: {{{}}}", plugins));
}

}  // namespace

TEST_CASE("lint limits: arguments and names in scheduler configurations", "[lint]") {
  const auto candidates = [](std::string_view args, std::string_view plugin = "DefaultPreemption") {
    return configuration(fmt::format("profiles:\n- pluginConfig: [{{name: {}, args: {{{}}}}}]", plugin, args));
  };
  std::string nodes;
  for (int i = 0; i < 200; ++i) nodes += object("v1", "Node", fmt::format("name: n{}", i), "");
  const auto samples = [](int tried) {
    return fmt::format("preemption evaluates {} of 200 nodes, so the choice of victims is partly random", tried);
  };
  const std::string two = "profiles: [{schedulerName: a}, {schedulerName: b}]";
  const auto named = [](std::string_view scheduler) {
    return pod("name: p", fmt::format("schedulerName: {}", scheduler));
  };
  const std::string nobody = "no profile of the input has the schedulerName ";
  check({
      {"SC002", "from 0 to 100", candidates("minCandidateNodesPercentage: 0"), {}},
      {"SC002", "from 0 to 100", candidates("minCandidateNodesPercentage: 100"), {}},
      {"SC002",
       "101",
       candidates("minCandidateNodesPercentage: 101"),
       {"minCandidateNodesPercentage 101 is not between 0 and 100"}},
      {"SC002",
       "below 0",
       candidates("minCandidateNodesPercentage: -1", "PreemptionToleration"),
       {"minCandidateNodesPercentage -1 is not between 0 and 100"}},
      {"SC002", "0 nodes", candidates("minCandidateNodesAbsolute: 0"), {}},
      {"SC002", "fewer", candidates("minCandidateNodesAbsolute: -1"), {"minCandidateNodesAbsolute -1 is below 0"}},
      {"SC002",
       "both 0",
       candidates("minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0"),
       {"both minCandidateNodes limits are 0"}},
      {"SC002", "of another plugin", candidates("minCandidateNodesPercentage: 101", "Other"), {}},
      // The defaults are 10 % and at least 100. Source: default_preemption.go calculateNumCandidates.
      {"SC004", "half of them", nodes + candidates(""), {samples(100)}},
      {"SC004", "all of them", nodes + candidates("minCandidateNodesPercentage: 100"), {}},
      {"SC004", "nearly all", nodes + candidates("minCandidateNodesPercentage: 99"), {samples(198)}},
      {"SC004", "at least all", nodes + candidates("minCandidateNodesAbsolute: 200"), {}},
      {"SC004",
       "at least so many",
       nodes + candidates("minCandidateNodesAbsolute: 50", "PreemptionToleration"),
       {samples(50)}},
      {"SC004",
       "the larger one",
       nodes + candidates("minCandidateNodesPercentage: 30, minCandidateNodesAbsolute: 50"),
       {samples(60)}},
      {"SC004", "of another plugin", nodes + candidates("", "Other"), {}},
      {"SC006", "two names", configuration(two), {}},
      {"SC006",
       "one name twice",
       configuration("profiles: [{schedulerName: a}, {schedulerName: a}]"),
       {"two profiles have the schedulerName a"}},
      {"SC006",
       "the default's name, once without words",
       configuration("profiles: [{pluginConfig: []}, {schedulerName: default-scheduler}]"),
       {"two profiles have the schedulerName default-scheduler"}},
      {"SC006",
       "arguments twice",
       configuration("profiles: [{pluginConfig: [{name: A, args: {}}, {name: B, args: {}}, {name: A, args: {}}]}]"),
       {"A has arguments twice"}},
      {"SC006",
       "arguments in two profiles",
       configuration("profiles: [{schedulerName: a, pluginConfig: [{name: A}]}, {schedulerName: b, pluginConfig: "
                     "[{name: A}]}]"),
       {}},
      {"SC009", "a profile", configuration(two) + named("b"), {}},
      {"SC009", "another", configuration(two) + named("my-scheduler"), {nobody + "my-scheduler"}},
      {"SC009",
       "nearly one",
       configuration("profiles: [{schedulerName: batch-scheduler}]") + named("batch-schedular"),
       {nobody + "batch-schedular; did you mean batch-scheduler?"}},
      {"SC009", "no configuration", named("my-scheduler"), {}},
      {"SC009", "of other projects", configuration(two) + named("volcano"), {}},
      {"SC009", "of other projects", configuration(two) + named("kai-scheduler"), {}},
      {"SC009", "of other projects", configuration(two) + named("yunikorn"), {}},
      {"SC009", "it runs", configuration(two) + pod("name: p", "schedulerName: my-scheduler, nodeName: n"), {}},
      {"SC009", "a pod of a controller", configuration(two) + pod(kOwned, "schedulerName: my-scheduler"), {}},
      {"SC012",
       "a verb",
       configuration("extenders: [{urlPrefix: 'http://a', preemptVerb: preempt}]"),
       {"an extender takes part in preemption"}},
      {"SC012", "an empty verb", configuration("extenders: [{urlPrefix: 'http://a', preemptVerb: ''}]"), {}},
      {"SC012", "no verb", configuration("extenders: [{urlPrefix: 'http://a', filterVerb: filter}]"), {}},
      {"SC015",
       "nearly a plugin",
       with_plugins("score: {enabled: [{name: NodeResourceFit}]}"),
       {"no plugin NodeResourceFit; did you mean NodeResourcesFit?"}},
      {"SC015",
       "that is disabled",
       with_plugins("multiPoint: {disabled: [{name: NodeResourceFit}]}"),
       {"no plugin NodeResourceFit"}},
      {"SC015", "all are", with_plugins("score: {disabled: [{name: '*'}]}"), {}},
      {"SC015", "a plugin", with_plugins("score: {enabled: [{name: NodeResourcesFit}]}"), {}},
      {"SC015", "like none", with_plugins("score: {enabled: [{name: Weather}]}"), {}},
      {"SC014", "a valid one", configuration(two), {}},
      {"SC014", "reported by SC006", configuration("profiles: [{schedulerName: a}, {schedulerName: a}]"), {}},
      {"SC014",
       "reported by SC006",
       configuration("profiles: [{pluginConfig: [{name: NodeAffinity, args: {}}, {name: NodeAffinity, args: {}}]}]"),
       {}},
      {"SC014",
       "twice within arguments",
       configuration(
           "profiles: [{pluginConfig: [{name: PodTopologySpread, args: {defaultingType: List, "
           "defaultConstraints: [{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}, {maxSkew: "
           "2, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway}]}}]}]"),
       {"Duplicate value: \"{zone, ScheduleAnyway}\""}},
      {"SC014", "reported by SC002", candidates("minCandidateNodesPercentage: 101"), {}},
      {"SC014", "reported by SC002", candidates("minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0"), {}},
  });
}

TEST_CASE("lint limits: known schedulers need no profile in the input", "[lint]") {
  const auto messages = [](std::string_view scheduler, const std::vector<std::string>& known) {
    Tree tree;
    tree.known_schedulers = known;
    tree.read_text(
        "m.yaml",
        configuration("profiles: [{schedulerName: a}]") + pod("name: p", fmt::format("schedulerName: {}", scheduler)),
        false);
    tree.finish({}, true);
    std::vector<std::string> found;
    for (const Finding& finding : lint::lint(tree, {}, {}).items) {
      if (finding.rule == "SC009") found.push_back(finding.message);
    }
    return found;
  };
  using Messages = std::vector<std::string>;
  const Messages known = {"batch-scheduler", "other"};
  CHECK(messages("batch-scheduler", known).empty());
  CHECK(messages("other", known).empty());
  CHECK(messages("batch-scheduler", {}) == Messages{"no profile of the input has the schedulerName batch-scheduler"});
  CHECK(messages("batch-schedular", known) ==
        Messages{"no profile of the input has the schedulerName batch-schedular; did you mean batch-scheduler?"});
}

TEST_CASE("lint limits: nominations, requests, and classes of the system", "[lint]") {
  const auto node = [](std::string_view name, std::string_view ready) {
    return object(
        "v1", "Node", fmt::format("name: {}", name),
        fmt::format("status: {{conditions: [{{type: DiskPressure, status: \"False\"}}, {{type: Ready, status: "
                    "\"{}\"}}]}}",
                    ready));
  };
  const auto nominated = [](std::string_view to, std::string_view spec = "") {
    return pod("name: p", spec, fmt::format("status: {{nominatedNodeName: {}}}", to));
  };
  const auto batch = [](std::string_view more, std::string_view containers = "{name: c}") {
    return object("apps/v1", "Deployment", "name: d",
                  fmt::format("spec: {{template: {{metadata: {{labels: {{a: b}}}}, spec: {{containers: [{}]{}{}}}}}}}",
                              containers, more.empty() ? "" : ", ", more));
  };
  const std::string frees = "may be preempted, but that frees nothing: it has no requests";
  const std::string low = "priorityClassName: low";
  const auto critical = [](std::string_view meta, std::string_view name = "system-node-critical") {
    return pod(meta, fmt::format("priorityClassName: {}", name));
  };
  const auto never = [](std::string_view name, std::string_view more = "") {
    return priority_class(name, 1, fmt::format("preemptionPolicy: Never\n{}", more));
  };
  const std::string no_shield = "preemptionPolicy Never only prevents its pods from preempting others";
  check({
      {"PO002", "a node that is ready", node("a", "True") + nominated("a"), {}},
      {"PO002",
       "one that is not",
       node("a", "Unknown") + nominated("a"),
       {"is nominated to node a, which is not ready"}},
      {"PO002",
       "one that is missing",
       node("a", "True") + nominated("b"),
       {"is nominated to node b, which is not in the input"}},
      {"PO002", "no nodes are known", nominated("b"), {}},
      {"PO002", "it runs", node("a", "True") + nominated("b", "nodeName: a"), {}},
      {"PO002", "an empty one", node("a", "True") + nominated("''"), {}},
      {"PO007", "nothing", kTwo + batch(low), {frees}},
      {"PO007", "a request", kTwo + batch(low, "{name: c, resources: {requests: {cpu: 1}}}"), {}},
      {"PO007", "a limit", kTwo + batch(low, "{name: c, resources: {limits: {cpu: 1}}}"), {}},
      {"PO007",
       "of the second container",
       kTwo + batch(low, "{name: c}, {name: d, resources: {requests: {cpu: 1}}}"),
       {}},
      {"PO007", "empty requests", kTwo + batch(low, "{name: c, resources: {requests: {}}}"), {frees}},
      {"PO007", "of the pod", kTwo + batch(low + ", resources: {requests: {cpu: 1}}"), {}},
      // A pod requests at least as much as each of its init containers, also after they have ended.
      // Source: k8s.io/component-helpers resource/helpers.go AggregateContainerRequests.
      {"PO007",
       "of an init container",
       kTwo + batch(low + ", initContainers: [{name: i, resources: {requests: {cpu: 1}}}]"),
       {}},
      {"PO007", "the highest class", kTwo + batch("priorityClassName: high"), {}},
      {"PO007", "no class", kTwo + batch(""), {}},
      {"PO007",
       "a class above that never preempts",
       kLow + priority_class("high", 9000, "preemptionPolicy: Never") + batch(low),
       {}},
      {"PC013",
       "outside kube-system",
       critical("name: p, namespace: tools"),
       {"has the class system-node-critical outside kube-system"}},
      {"PC013",
       "the other one",
       critical("name: p, namespace: tools", "system-cluster-critical"),
       {"system-cluster-critical"}},
      {"PC013", "within", critical("name: p, namespace: kube-system"), {}},
      {"PC013", "no namespace", critical("name: p"), {}},
      {"PC013",
       "a pod of a controller",
       critical("name: p, namespace: tools, ownerReferences: [{kind: ReplicaSet, name: r, uid: u, controller: true}]"),
       {}},
      {"PC013",
       "two of them",
       critical("name: p, namespace: tools") + critical("name: q, namespace: tools"),
       {"Pod tools/p has the class system-node-critical outside kube-system"}},
      {"PC007", "by its name", never("batch-nonpreemptible"), {"batch-nonpreemptible is not protected: " + no_shield}},
      {"PC007", "by its description", never("batch", "description: These cannot be Preempted."), {no_shield}},
      {"PC007", "neither", never("batch", "description: These do not preempt others."), {}},
      {"PC007", "it preempts others", priority_class("batch-non-preemptible", 1), {}},
      {"PC007",
       "it tolerates preemption",
       object("scheduling.k8s.io/v1", "PriorityClass",
              "name: non-preemptible, annotations: "
              "{preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority: '9'}",
              "value: 1\npreemptionPolicy: Never"),
       {}},
      {"PC016", "0", priority_class("a", 0), {}},
      {"PC016",
       "none",
       object("scheduling.k8s.io/v1", "PriorityClass", "name: a", "globalDefault: true"),
       {"a has no value; it would be 0"}},
      {"PC003", "the highest", priority_class("a", 1000000000), {}},
      {"PC003",
       "one more",
       priority_class("a", 1000000001),
       {"a: value 1000000001 is above 1000000000, the highest that is allowed"}},
  });
}

TEST_CASE("lint limits: budgets in a dump, and kinds without a version", "[lint]") {
  const auto stored = [](std::string_view generation, std::string_view status) {
    return object("policy/v1", "PodDisruptionBudget", fmt::format("name: b, uid: u{}", generation),
                  fmt::format("spec: {{minAvailable: 1, selector: {{}}}}\n{}", status));
  };
  const auto no_version = [](std::string_view text) { return fmt::format("---\n{}\nmetadata: {{name: a}}\n", text); };
  check({
      {"PD003", "no status", stored("", ""), {"budget b has no status: 0 disruptions are allowed"}},
      {"PD003", "up to date", stored(", generation: 2", "status: {observedGeneration: 2}"), {}},
      {"PD003",
       "out of date",
       stored(", generation: 2", "status: {observedGeneration: 1}"),
       {"the status of budget b was computed for generation 1, and the budget is at 2"}},
      {"PD003", "no generation", stored("", "status: {observedGeneration: 1}"), {}},
      {"PD003", "nobody says which", stored(", generation: 2", "status: {disruptionsAllowed: 1}"), {}},
      {"PD003", "a manifest", budget("name: b", "a"), {}},
      {"DU007", "a pod", no_version("kind: Pod"), {"Pod a has no apiVersion"}},
      {"DU007", "a pod with one", no_version("kind: Pod\napiVersion: v1"), {}},
      {"DU007", "a kind of another tool", no_version("kind: Thing"), {}},
  });
}

TEST_CASE("lint limits: profiles, and the schedulers that pods name", "[lint]") {
  const auto profile = [](std::string_view text) {
    return configuration(fmt::format("profiles:\n- {{schedulerName: a{}}}", text));
  };
  const auto post_filter = [&](std::string_view lists) {
    return profile(fmt::format(", plugins: {{postFilter: {{{}}}}}", lists));
  };
  const auto filters = [&](std::string_view plugins) { return profile(fmt::format(", plugins: {{{}}}", plugins)); };
  const auto named = [](std::string_view name, std::string_view meta = "name: p", std::string_view rest = "",
                        std::string_view more = "") {
    return pod(meta, fmt::format("schedulerName: {}{}", name, more), rest);
  };
  const std::string on = "enabled: [{name: PreemptionToleration}]";
  const std::string off = "disabled: [{name: DefaultPreemption}]";
  const std::string missing = "no profile of the input has the schedulerName ";
  const std::string rejects = "does not filter by NodePorts";
  const auto arguments = [&](std::string_view list) { return profile(fmt::format(", pluginConfig: [{}]", list)); };
  check(
      {{"SC001", "both run", post_filter(on), {"leaves DefaultPreemption on"}},
       {"SC001", "one runs", post_filter(on + ", " + off), {}},
       {"SC001", "the other runs", profile(""), {}},
       {"SC010", "none runs", post_filter(off), {"profile a never preempts"}},
       {"SC010", "all are off", post_filter("disabled: [{name: '*'}]"), {"profile a never preempts"}},
       {"SC010", "another runs", post_filter(off + ", enabled: [{name: Mine}]"), {}},
       {"SC010", "the other runs", post_filter(off + ", " + on), {}},
       {"SC010", "it runs at all points", filters("multiPoint: {" + on + "}, postFilter: {" + off + "}"), {}},
       {"SC010", "by default", profile(""), {}},
       {"SC009", "another", profile("") + named("b"), {missing + "b"}},
       {"SC009", "its name", profile("") + named("a"), {}},
       {"SC009",
        "misspelled",
        configuration("profiles: [{schedulerName: batch-scheduler}]") + named("batch-schedular"),
        {"did you mean batch-scheduler?"}},
       {"SC009", "no name", profile("") + pod("name: p", ""), {}},
       // The API server sets default-scheduler. Source: pkg/apis/core/v1/defaults.go SetDefaults_PodSpec.
       {"SC009", "an empty name", profile("") + named("''"), {}},
       {"SC009", "of KAI", profile("") + named("kai-scheduler"), {}},
       {"SC009", "of Volcano", profile("") + named("volcano"), {}},
       {"SC009", "on a node", profile("") + named("b", "name: p", "", ", nodeName: n1"), {}},
       {"SC009", "it has finished", profile("") + named("b", "name: p", kDone), {}},
       {"SC009", "without any profile", named("b"), {}},
       {"SC006",
        "two profiles",
        configuration("profiles: [{schedulerName: a}, {schedulerName: a}]"),
        {"two profiles have the schedulerName a"}},
       {"SC006",
        "two without a name",
        configuration("profiles: [{}, {plugins: {}}]"),
        {"two profiles have the schedulerName default-scheduler"}},
       {"SC006",
        "one of them has its name",
        configuration("profiles: [{schedulerName: default-scheduler}, {plugins: {}}]"),
        {"default-scheduler"}},
       {"SC006", "two names", configuration("profiles: [{schedulerName: a}, {schedulerName: b}]"), {}},
       {"SC006",
        "arguments of one plugin",
        arguments("{name: X, args: {}}, {name: X, args: {}}"),
        {"X has arguments twice"}},
       {"SC006", "arguments of two plugins", arguments("{name: X, args: {}}, {name: Y, args: {}}"), {}},
       {"SC006", "arguments of none", arguments("{args: {}}, {args: {}}"), {}},
       {"SC011", "disabled", filters("filter: {disabled: [{name: NodePorts}]}"), {rejects}},
       {"SC011", "disabled at all points", filters("multiPoint: {disabled: [{name: NodePorts}]}"), {rejects}},
       {"SC011", "and enabled", filters("filter: {disabled: [{name: NodePorts}], enabled: [{name: NodePorts}]}"), {}},
       {"SC011",
        "and enabled at all points",
        filters("filter: {disabled: [{name: NodePorts}]}, multiPoint: {enabled: [{name: NodePorts}]}"),
        {}},
       {"SC011", "one that the kubelet does not apply", filters("filter: {disabled: [{name: PodTopologySpread}]}"), {}},
       {"SC011", "none", profile(""), {}},
       {"SC012",
        "a verb",
        configuration("extenders: [{urlPrefix: 'http://a', preemptVerb: preempt}]"),
        {"an extender takes part in preemption"}},
       {"SC012", "an empty verb", configuration("extenders: [{urlPrefix: 'http://a', preemptVerb: ''}]"), {}},
       {"SC012", "no verb", configuration("extenders: [{urlPrefix: 'http://a', filterVerb: filter}]"), {}}});
  CHECK(
      findings_of("SC006", configuration("profiles: [{schedulerName: a}, {schedulerName: a}]")).at(0).related.size() ==
      1);
  CHECK(findings_of("SC006", configuration("profiles: [{}, {plugins: {}}]")).at(0).related.empty());
}

TEST_CASE("lint limits: settings of queues of YuniKorn that are read, and those that are not", "[lint]") {
  const auto with = [](std::string_view partition, std::string_view queue) {
    return fmt::format(
        "partitions:\n- name: default\n  {}\n  queues:\n  - name: root\n    queues:\n    - {{name: a, {}}}\n",
        partition, queue);
  };
  const std::string disabled = "preemption: {enabled: false}";
  const std::string enabled = "preemption: {enabled: true}";
  check({{"YK001", "a policy", yunikorn_queue("preemption.policy: fence"), {}},
         {"YK001", "in capitals", yunikorn_queue("preemption.policy: Disabled"), {}},
         {"YK001", "no policy", yunikorn_queue("preemption.policy: ''"), {}},
         {"YK001",
          "another policy",
          yunikorn_queue("preemption.policy: never"),
          {"preemption.policy \"never\" is unknown"}},
         {"YK001", "an order", yunikorn_queue("application.sort.policy: fair"), {}},
         {"YK001", "an older order", yunikorn_queue("application.sort.policy: stateaware"), {}},
         {"YK001",
          "in capitals, an order",
          yunikorn_queue("application.sort.policy: FIFO"),
          {"\"FIFO\" is unknown: fifo is used"}},
         {"YK001", "no order", yunikorn_queue("application.sort.policy: ''"), {}},
         {"YK002", "a delay", yunikorn_queue("preemption.delay: 1s"), {}},
         {"YK002", "no unit", yunikorn_queue("preemption.delay: '1'"), {"is not a duration above 0"}},
         {"YK002", "0", yunikorn_queue("preemption.delay: 0s"), {"is not a duration above 0"}},
         {"YK004", "an offset", yunikorn_queue("priority.offset: '-2147483648'"), {}},
         {"YK004", "below it", yunikorn_queue("priority.offset: '-2147483649'"), {"is not a 32-bit number"}},
         {"YK004", "a policy", yunikorn_queue("priority.policy: Fence"), {}},
         {"YK004",
          "another policy",
          yunikorn_queue("priority.policy: disabled"),
          {"priority.policy \"disabled\" is unknown"}},
         {"YK010",
          "a policy",
          with(disabled, "properties: {preemption.policy: fence}"),
          {"preemption.policy has no effect"}},
         {"YK010",
          "both",
          with(disabled, "properties: {preemption.policy: fence, preemption.delay: 1s}"),
          {"preemption.policy", "preemption.delay"}},
         {"YK010", "enabled", with(enabled, "properties: {preemption.policy: fence}"), {}},
         {"YK010", "by default", with("limits: []", "properties: {preemption.policy: fence}"), {}},
         {"YK010", "another property", with(disabled, "properties: {priority.offset: '1'}"), {}},
         {"YK011",
          "a delay",
          with(enabled, "properties: {quota.preemption.delay: 1s}"),
          {"quota.preemption.delay has no effect"}},
         {"YK011",
          "with quota preemption",
          with("preemption: {quotapreemptionenabled: true}", "properties: {quota.preemption.delay: 1s}"),
          {}},
         {"YK011", "0", with(enabled, "properties: {quota.preemption.delay: 0s}"), {}},
         {"YK014", "cpu", with(enabled, "resources: {max: {cpu: 1}}"), {"no pod requests cpu in YuniKorn"}},
         {"YK014", "cpu of both", with(enabled, "resources: {max: {cpu: 1}, guaranteed: {cpu: 1}}"), {"cpu", "cpu"}},
         {"YK014", "vcore", with(enabled, "resources: {max: {vcore: 1}}"), {}}});
}

TEST_CASE("lint limits: min-runtimes against other top queues", "[lint]") {
  const auto tops = [](std::string_view first, std::string_view own, std::string_view more = "") {
    const auto set = [](std::string_view value) {
      return value.empty() ? std::string() : fmt::format("reclaimMinRuntime: {}", value);
    };
    return kai_queue("top", set(first)) + kai_queue("other", "") + std::string(more) +
           kai_queue("leaf", fmt::format("parentQueue: top{}{}", own.empty() ? "" : ", ", set(own)));
  };
  const std::string by_queue = object("kai.scheduler/v1", "SchedulingShard", "name: default",
                                      "spec: {plugins: {minruntime: {arguments: {reclaimResolveMethod: queue}}}}");
  check({{"KA008", "less above", tops("1m", "5m"), {"against other top-level queues 1m of top applies, not 5m"}},
         {"KA008", "as much above", tops("5m", "5m"), {}},
         {"KA008", "nothing above", tops("", "5m"), {"the default applies, not 5m"}},
         {"KA008", "nothing of its own", tops("1m", ""), {}},
         {"KA008", "0 of its own", tops("", "0s"), {}},
         {"KA008", "0 above", tops("0s", "5m"), {"0s of top applies"}},
         {"KA008", "by queue", tops("1m", "5m", by_queue), {}}});
  CHECK(findings_of("KA008", tops("1m", "5m")).at(0).related.at(0).message == "queue top");
  CHECK(findings_of("KA008", tops("", "5m")).at(0).related.empty());
}

}  // namespace previct::lint::edges::of_schedulers
