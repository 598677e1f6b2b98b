// For each condition of a rule: the smallest input on which the rule speaks, and the same input, changed
// so that it must not. Sources: those that the rules name.
#include "lint/placeholder.h"
#include "lint/rule.h"
#include "unit/lint/edges.h"

namespace previct::lint::edges::near_misses {
namespace {

auto named(std::string_view api, std::string_view kind, std::string_view name) -> std::string {
  return object(api, kind, fmt::format("name: {}", name), "");
}

auto bound(std::string_view name, std::string_view scheduler, int priority, std::string_view node = "n1",
           std::string_view meta = "") -> std::string {
  return pod(fmt::format("name: {}{}", name, meta),
             fmt::format("nodeName: {}, schedulerName: {}, priority: {}", node, scheduler, priority));
}

auto scheduler_with(std::string_view arguments) -> std::string {
  return fmt::format(
      "---\napiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n"
      "- schedulerName: s\n  pluginConfig:\n  - name: DefaultPreemption\n    args: {{{}}}\n",
      arguments);
}

}  // namespace

TEST_CASE("lint limits: names that the API server refuses, of each kind that is looked at", "[lint]") {
  struct Kind {
    const char* api;
    const char* kind;
  };
  const std::vector<Kind> kinds = {{"scheduling.k8s.io/v1", "PriorityClass"},
                                   {"policy/v1", "PodDisruptionBudget"},
                                   {"scheduling.run.ai/v2", "Queue"},
                                   {"scheduling.run.ai/v2alpha2", "PodGroup"},
                                   {"kai.scheduler/v1", "SchedulingShard"}};
  // k8s.io/apimachinery pkg/util/validation IsDNS1123Subdomain: at most 253 characters.
  const std::string longest(253, 'a');
  for (const Kind& each : kinds) {
    INFO(each.kind);
    const auto count = [&](const std::string& name) {
      return findings_of("DU010", named(each.api, each.kind, name)).size();
    };
    for (const std::string name : {"a", "0", "a-b", "a.b", "a-.b", "a.-b", "z9.0a"}) {
      INFO(name);
      const bool refused = name == "a-.b" || name == "a.-b";
      CHECK(count(name) == (refused ? 1 : 0));
    }
    for (const std::string name :
         {"-a", "a-", "A", "a_b", "a..b", ".a", "a.", "'a b'", "'a/b'", "'a:b'", "'`a'", "'a{'"}) {
      INFO(name);
      CHECK(count(name) == 1);
    }
    CHECK(count(longest) == 0);
    CHECK(count(longest + "a") == 1);
  }
  // Of other kinds, whose names may follow other rules, nothing is said.
  CHECK(findings_of("DU010", named("example.com/v1", "Thing", "A_B")).empty());
}

TEST_CASE("lint limits: namespaces, with one part of at most 63 characters", "[lint]") {
  const auto count = [](const std::string& ns) {
    return findings_of("DU010", object("policy/v1", "PodDisruptionBudget", "name: b, namespace: " + ns, "")).size();
  };
  CHECK(count("n") == 0);
  CHECK(count("\"\"") == 0);
  CHECK(count("a.b") == 1);
  CHECK(count("Nn") == 1);
  CHECK(count(std::string(63, 'n')) == 0);
  CHECK(count(std::string(64, 'n')) == 1);
}

TEST_CASE("lint limits: an object that an API server has stored was of a version that it served", "[lint]") {
  const auto stored = [](std::string_view api, std::string_view kind, std::string_view uid) {
    return object(api, kind, fmt::format("name: a{}", uid), "");
  };
  check({{"DU012", "a file", stored("scheduling.run.ai/v1", "Queue", ""), {"no supported release serves Queue"}},
         {"DU012", "a dump", stored("scheduling.run.ai/v1", "Queue", ", uid: u"), {}},
         {"DU012", "served", stored("scheduling.run.ai/v2", "Queue", ""), {}},
         {"PC017", "a file", stored("scheduling.k8s.io/v1beta1", "PriorityClass", ""), {"is not served since"}},
         {"PC017", "a dump", stored("scheduling.k8s.io/v1beta1", "PriorityClass", ", uid: u"), {}},
         {"PC017", "never there", stored("scheduling.k8s.io/v3", "PriorityClass", ""), {"does not exist in"}}});
}

TEST_CASE("lint limits: each resource of a queue of KAI that has a quota needs a limit", "[lint]") {
  const auto queue = [](std::string_view resource) {
    return kai_queue("q", fmt::format("resources: {{{}}}", resource));
  };
  check({{"KA012", "cpu", queue("cpu: {quota: 1}"), {"the limit of cpu is not set"}},
         {"KA012", "gpu", queue("gpu: {quota: 1}"), {"the limit of gpu is not set"}},
         {"KA012", "memory", queue("memory: {quota: 1}"), {"the limit of memory is not set"}},
         {"KA012", "another, which is not read", queue("disk: {quota: 1}"), {}},
         {"KA012", "no quota", queue("cpu: {}, gpu: {overQuotaWeight: 1}"), {}},
         {"KA012", "a quota of 0", queue("cpu: {quota: 0}"), {}},
         {"KA012", "limit 0", queue("cpu: {quota: 1, limit: 0}"), {"the limit of cpu is 0"}},
         {"KA012", "limit 1", queue("cpu: {quota: 1, limit: 1}"), {}},
         {"KA012", "no limit at all", queue("cpu: {quota: 1, limit: -1}"), {}}});
}

TEST_CASE("lint limits: levels of topologies", "[lint]") {
  const auto group = [](std::string_view constraint) {
    return object("scheduling.run.ai/v2alpha2", "PodGroup", "name: g",
                  fmt::format("spec: {{topologyConstraint: {{{}}}}}", constraint));
  };
  const std::string topology =
      object("kai.scheduler/v1alpha1", "Topology", "name: t", "spec: {levels: [{nodeLabel: rack, alias: r}]}");
  const auto node = [](std::string_view labels) {
    return object("v1", "Node", fmt::format("name: n1, labels: {{{}}}", labels), "");
  };
  check({{"KA025", "a level", topology + group("topology: t, requiredTopologyLevel: rack"), {}},
         {"KA025", "its alias", topology + group("topology: t, preferredTopologyLevel: r"), {}},
         {"KA025", "an empty one is none", topology + group("topology: t, requiredTopologyLevel: ''"), {}},
         {"KA025", "another", topology + group("topology: t, requiredTopologyLevel: x"), {"has no level x"}},
         {"KA025",
          "another that is preferred",
          topology + group("topology: t, preferredTopologyLevel: x"),
          {"no level x"}},
         {"KA025", "another topology", topology + group("topology: u"), {"no Topology u in the input"}},
         {"KA025", "without any topology, it may be elsewhere", group("topology: u"), {}},
         {"KA025", "no topology is named", topology + group("topology: ''"), {}},
         {"KA025", "a node with the label", topology + node("rack: a") + group("topology: t"), {}},
         {"KA025", "a node without", topology + node("zone: a") + group("topology: t"), {"no node has the labels"}}});
}

TEST_CASE("lint limits: budgets for pods whose labels are known only later", "[lint]") {
  const std::string text = budget("name: b", "a");
  check(
      {{"PD008", "other labels", text + workload("Deployment", "w", "", "replicas: 3", "labels: {app: x}"), {"b"}},
       {"PD008", "a placeholder", text + workload("Deployment", "w", "", "replicas: 3", "labels: {app: '${APP}'}"), {}},
       {"PD008",
        "a placeholder beside others",
        text + workload("Deployment", "w", "", "replicas: 3", "labels: {app: x}") +
            workload("Deployment", "v", "", "replicas: 3", "labels: {app: '${APP}'}"),
        {}},
       {"PD008",
        "the first of two",
        text + workload("Deployment", "v", "", "replicas: 3", "labels: {app: '${APP}'}") +
            workload("Deployment", "w", "", "replicas: 3", "labels: {app: x}"),
        {}}});
}

TEST_CASE("lint limits: numbers and percentages of budgets", "[lint]") {
  const auto count = [](std::string_view limit) {
    return findings_of("PD012", object("policy/v1", "PodDisruptionBudget", "name: b",
                                       fmt::format("spec: {{minAvailable: {}}}", limit)))
        .size();
  };
  for (const std::string limit : {"0", "1", "2147483647", "1.0", "1e3", "'0%'", "'9%'", "'100%'", "'09%'"}) {
    INFO(limit);
    CHECK(count(limit) == 0);
  }
  for (const std::string limit :
       {"-1", "2147483648", "1.5", "'%'", "'/%'", "':%'", "'-1%'", "'101%'", "'1'", "'50'", "true"}) {
    INFO(limit);
    CHECK(count(limit) == 1);
  }
}

TEST_CASE("lint limits: budgets that require all pods", "[lint]") {
  const auto all = [](std::string_view meta, std::string_view least) {
    return object("policy/v1", "PodDisruptionBudget", meta,
                  fmt::format("spec: {{minAvailable: {}, selector: {{matchLabels: {{app: a}}}}}}", least));
  };
  const std::string web = workload("Deployment", "web", "");
  const std::string kustomization = "---\napiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\n";
  check({{"PD002", "each of three", all("name: b", "3") + web, {"b"}},
         {"PD002", "two of three", all("name: b", "2") + web, {}},
         {"PD002", "a percentage that is rounded up", all("name: b", "67%") + web, {"b"}},
         {"PD002", "one that is not", all("name: b", "66%") + web, {}},
         {"PD002", "a text without a percent sign", all("name: b", "'3'") + web, {}},
         {"PD002", "a kustomization sets replicas", all("name: b", "3") + web + kustomization + "replicas: []\n", {}},
         {"PD002", "a kustomization sets none", all("name: b", "3") + web + kustomization, {"b"}},
         {"PD002",
          "another kind has replicas of its own",
          all("name: b", "3") + web + "---\napiVersion: example.com/v1\nkind: Thing\nreplicas: []\n",
          {"b"}}});
}

TEST_CASE("lint limits: pods on nodes that say what no pod of their class gets", "[lint]") {
  const std::string low = priority_class("low", 100);
  const auto wrong = [](std::string_view more, std::string_view meta = "name: p") {
    return pod(meta, fmt::format("priorityClassName: low, priority: 7{}", more));
  };
  check(
      {{"PC009", "another priority", low + wrong(""), {"it sets priority 7, but PriorityClass low gives 100"}},
       {"PC009", "it was admitted, as it is on a node", low + wrong(", nodeName: n"), {}},
       {"PC009", "its own priority", low + pod("name: p", "priorityClassName: low, priority: 100"), {}},
       {"PC009", "another policy", low + pod("name: p", "priorityClassName: low, preemptionPolicy: Never"), {"Never"}},
       {"PC009", "the class is elsewhere", low + pod("name: p", "priorityClassName: x, priority: 7"), {}},
       {"PC009", "no class", low + pod("name: p", "priority: 7"), {"a pod without a PriorityClass gets 0"}},
       {"PC009", "no class, priority 0", low + pod("name: p", "priority: 0"), {}}});
}

TEST_CASE("lint limits: anti-affinity to pods that its terms select", "[lint]") {
  const auto high = [](std::string_view term) {
    return workload("Deployment", "high",
                    fmt::format("priorityClassName: high, affinity: {{podAntiAffinity: "
                                "{{requiredDuringSchedulingIgnoredDuringExecution: [{{{}}}]}}}}",
                                term),
                    "replicas: 3", "labels: {app: h}");
  };
  const auto low = [](std::string_view labels, std::string_view name = "low") {
    return workload("Deployment", "low", fmt::format("priorityClassName: {}", name), "replicas: 3",
                    fmt::format("labels: {{{}}}", labels));
  };
  const std::string selects_a = "topologyKey: zone, labelSelector: {matchLabels: {app: a}}";
  check({{"PO006", "selected", kTwo + high(selects_a) + low("app: a"), {"over zone"}},
         {"PO006", "another label", kTwo + high(selects_a) + low("app: b"), {}},
         {"PO006", "its own priority", kTwo + high(selects_a) + low("app: a", "high"), {}},
         {"PO006",
          "of a node",
          kTwo + high("topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: a}}") + low("app: a"),
          {}},
         {"PO006", "in namespaces", kTwo + high(selects_a + ", namespaces: [n1]") + low("app: a"), {}},
         {"PO006", "in selected namespaces", kTwo + high(selects_a + ", namespaceSelector: {}") + low("app: a"), {}},
         {"PO006", "without a key", kTwo + high("labelSelector: {matchLabels: {app: a}}") + low("app: a"), {}}});
}

TEST_CASE("lint limits: workloads whose eviction frees nothing", "[lint]") {
  const auto of = [](std::string_view more) {
    return workload("Deployment", "w", fmt::format("priorityClassName: low{}", more));
  };
  const std::string message = "that frees nothing";
  check({{"PO007", "no requests", kTwo + of(""), {message}},
         {"PO007", "a pod of its own", kTwo + pod("name: p", "priorityClassName: low"), {}},
         {"PO007", "no class", kTwo + workload("Deployment", "w", ""), {}},
         {"PO007", "none is above", kLow + of(""), {}},
         {"PO007", "requests of the pod", kTwo + of(", resources: {requests: {cpu: 1}}"), {}},
         {"PO007", "of an init container", kTwo + of(", initContainers: [{resources: {limits: {cpu: 1}}}]"), {}},
         {"PO007", "of one without", kTwo + of(", initContainers: [{resources: {limits: {}}}]"), {message}}});
}

TEST_CASE("lint limits: limits of candidates", "[lint]") {
  const auto count = [](std::string_view arguments) { return findings_of("SC002", scheduler_with(arguments)).size(); };
  // ValidateDefaultPreemptionArgs: 0 to 100, at least 0, and not both 0. The defaults are 10 and 100.
  CHECK(count("") == 0);
  CHECK(count("minCandidateNodesPercentage: 0") == 0);
  CHECK(count("minCandidateNodesAbsolute: 0") == 0);
  CHECK(count("minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0") == 1);
  CHECK(count("minCandidateNodesPercentage: 1, minCandidateNodesAbsolute: 0") == 0);
  CHECK(count("minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 1") == 0);
  CHECK(count("minCandidateNodesPercentage: 100") == 0);
  CHECK(count("minCandidateNodesPercentage: 101") == 1);
  CHECK(count("minCandidateNodesPercentage: -1") == 1);
  CHECK(count("minCandidateNodesAbsolute: -1") == 1);
  CHECK(count("minCandidateNodesPercentage: x, minCandidateNodesAbsolute: y") == 2);
}

TEST_CASE("lint limits: pods of two schedulers on one node", "[lint]") {
  const std::string message = "outranks";
  check({{"SC008", "of different priority", bound("a", "s1", 1) + bound("b", "s2", 2), {"Pod b of s2 outranks"}},
         {"SC008", "the first is above", bound("a", "s1", 2) + bound("b", "s2", 1), {"Pod a of s1 outranks"}},
         {"SC008", "of one priority", bound("a", "s1", 1) + bound("b", "s2", 1), {}},
         {"SC008", "of one scheduler", bound("a", "s1", 1) + bound("b", "s1", 2), {}},
         {"SC008", "on two nodes", bound("a", "s1", 1, "n1") + bound("b", "s2", 2, "n2"), {}},
         {"SC008", "in kube-system", bound("a", "s1", 1) + bound("b", "s2", 2, "n1", ", namespace: kube-system"), {}},
         {"SC008", "a helper", bound("a", "s1", 1) + bound("b", "s2", 2, "n1", ", labels: {app: scaling-pod}"), {}},
         // A second pod of a scheduler counts only with a priority of its own.
         {"SC008",
          "the second of a scheduler",
          bound("a", "s1", 2) + bound("b", "s2", 2) + bound("c", "s1", 1),
          {"Pod b of s2 outranks Pod c of s1"}},
         {"SC008", "both ways", bound("a", "s1", 1) + bound("b", "s2", 2) + bound("c", "s1", 3), {message, message}}});
}

TEST_CASE("lint limits: what is a placeholder, and what is a name in capitals", "[lint]") {
  for (const std::string_view text : {"A_BCD", "XABCX", "x/FROM_OVERLAY", "$A", "$_a", "${a}", "a$Bc", "<a>", "__a__",
                                      "%a%", "@a@", "RELEASE-NAME-x", "[[x]]", "{{x}}", "{%x%}", "<%x%>", "$(x)"}) {
    INFO(text);
    CHECK(is_placeholder(text));
  }
  for (const std::string_view text :
       {"A_BC", "XABX", "ABCDE", "XABCD", "ABCDX", "a_bcd", "$a", "$", "a$",      "$1",   "<a",
        "<>",   "<a>b", "____",  "__a_",  "%%",    "%a",    "@a", "",  "A_BCD/x", "A_B-D"}) {
    INFO(text);
    CHECK_FALSE(is_placeholder(text));
  }
  // Only the text counts, and not what follows it in the file.
  CHECK_FALSE(is_placeholder(std::string_view("a$B").substr(0, 2)));
}

TEST_CASE("lint limits: two definitions of one object, by what differs", "[lint]") {
  const auto of = [](std::string_view meta, std::string_view rest) {
    return object("scheduling.k8s.io/v1", "PriorityClass", meta, rest);
  };
  const auto both = [&](std::string_view one, std::string_view other) {
    return of("name: a", fmt::format("x: {}", one)) + of("name: a", fmt::format("x: {}", other));
  };
  const std::string twice = "PriorityClass a is defined twice";
  check({{"DU004", "nothing", both("[1, {b: c}]", "[1, {b: c}]"), {}},
         {"DU004", "a value", both("1", "2"), {twice}},
         {"DU004", "a key", both("{a: 1}", "{b: 1}"), {twice}},
         {"DU004", "a type", both("[]", "{}"), {twice}},
         {"DU004", "what belongs together", both("[[1], 2]", "[[1, 2]]"), {twice}},
         {"DU004", "the first has more", both("[1, 2]", "[1]"), {twice}},
         {"DU004", "the second has more", both("[1]", "[1, 2]"), {twice}},
         {"DU004", "without a name", of("labels: {a: b}", "x: 1") + of("labels: {a: b}", "x: 2"), {}},
         {"DU004",
          "a kind that no scheduler reads",
          object("v1", "Service", "name: a", "x: 1") + object("v1", "Service", "name: a", "x: 2"),
          {}},
         {"DU004", "two UIDs", of("name: a, uid: u", "x: 1") + of("name: a, uid: v", "x: 2"), {}},
         {"DU004", "one UID", of("name: a, uid: u", "x: 1") + of("name: a, uid: u", "x: 2"), {twice}},
         {"DU004",
          "the second has no UID",
          of("name: a, uid: u", "x: 1") + of("name: a, resourceVersion: '1'", "x: 2"),
          {twice}},
         {"DU004",
          "the first has no UID",
          of("name: a, resourceVersion: '1'", "x: 1") + of("name: a, uid: u", "x: 2"),
          {twice}},
         {"DU004", "one is stored", of("name: a", "x: 1") + of("name: a, uid: u", "x: 2"), {}}});
}

TEST_CASE("lint limits: values that the API server refuses, in objects and in templates", "[lint]") {
  const auto web = [](std::string_view meta) { return workload("Deployment", "web", "", "replicas: 3", meta); };
  check({{"DU006", "a label that is a list", web("labels: [a]"), {"pod template: metadata.labels"}},
         {"DU006", "a label that is no string: PO011", web("labels: {a: 1}"), {}},
         {"DU006",
          "no metadata",
          object("apps/v1", "Deployment", "name: d", "spec: {template: {spec: {containers: [{name: c}]}}}"),
          {}},
         {"DU006", "a description of another kind", budget("name: b", "a") + "description: 5\n", {}},
         {"DU006",
          "a map as a description",
          priority_class("a", 1, "description: {}"),
          {"expected a string, found an object"}},
         {"DU006", "a list", priority_class("a", 1, "description: []"), {"expected a string, found a list"}},
         {"DU006", "without a name", object("scheduling.k8s.io/v1", "PriorityClass", "labels: {a: b}", "value: x"), {}},
         {"DU006", "with one", object("scheduling.k8s.io/v1", "PriorityClass", "name: a", "value: x"), {"value"}}});
  // The object that is named is the one that holds the template.
  const auto found =
      findings_of("DU006", object("apps/v1", "Deployment", "name: d, namespace: n1",
                                  "spec: {template: {metadata: {labels: [a]}, spec: {containers: [{name: c}]}}}"));
  REQUIRE(found.size() == 1);
  CHECK(found[0].object == "Deployment n1/d");
}

TEST_CASE("lint limits: names, namespaces and labels that are no strings are for other rules", "[lint]") {
  const auto of = [](std::string_view meta) { return object("policy/v1", "PodDisruptionBudget", meta, ""); };
  check({{"DU010", "no name", of("labels: {a: b}"), {"name or generateName is required"}},
         {"DU010", "generateName", of("generateName: b-"), {}},
         {"DU010", "a name that is a map", of("name: {a: b}"), {"a name is a string"}},
         {"DU010", "a number", of("name: -5"), {}},
         {"DU010", "a text", of("name: '-5'"), {"\"-5\""}},
         {"DU010", "a namespace that is a number", of("name: b, namespace: -5"), {}},
         {"DU010", "a namespace that is a text", of("name: b, namespace: '-5'"), {"\"-5\""}},
         {"DU010", "a label that is a number", of("name: b, labels: {a: -5}"), {}},
         {"DU010", "a label that is a text", of("name: b, labels: {a: '-5'}"), {"label a"}},
         {"DU010", "of another group", object("example.com/v1", "PriorityClass", "name: a", ""), {}},
         {"DU010",
          "of a group of Kubernetes",
          object("apps/v1", "PriorityClass", "name: a", ""),
          {"does not exist in apps/v1"}},
         {"DU010",
          "of a group that has its end",
          object("x.k8s.io/v1", "PodDisruptionBudget", "name: a", ""),
          {"does not exist in x.k8s.io/v1"}},
         {"DU010",
          "an item of a list",
          "apiVersion: v1\nkind: List\nitems: [{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: "
          "A_b}}]\n",
          {}}});
}

TEST_CASE("lint limits: keys that occur twice, in what is rendered and in what is not", "[lint]") {
  const std::string twice = "a: {b: 1, b: 2}\n";
  check({{"DU008", "in a class", priority_class("a", 1, twice), {"b occurs twice in this mapping"}},
         {"DU008",
          "in a list in it",
          priority_class("a", 1, "a: [[{b: 1, b: 2, b: 3}]]\n"),
          {"b occurs twice in this mapping (and 1 more)"}},
         {"DU008",
          "of two classes, the second",
          priority_class("a", 1) + priority_class("b", 1, twice),
          {"b occurs twice"}},
         {"DU008", "in a template", priority_class("a", 1, twice + "c: '{{ .Values.c }}'\n"), {}}});
}

TEST_CASE("lint limits: secrets of a dump, and those of a file", "[lint]") {
  const auto secret = [](std::string_view meta, std::string_view data) { return object("v1", "Secret", meta, data); };
  check({{"DU003", "stored", secret("name: s, uid: u", "data: {a: b}"), {"Secret s is in the file"}},
         {"DU003",
          "two",
          secret("name: s, uid: u", "data: {a: b}") + secret("name: t, uid: v", "data: {a: b}"),
          {"(and 1 more)"}},
         {"DU003", "written", secret("name: s", "data: {a: b}"), {}},
         {"DU003", "without data", secret("name: s, uid: u", "data: {}"), {}}});
}

TEST_CASE("lint limits: queues of KAI that pods, workloads and groups name", "[lint]") {
  const std::string queues = kai_queue("top", "") + kai_queue("leaf", "parentQueue: top");
  const auto in = [](std::string_view name) { return fmt::format("labels: {{kai.scheduler/queue: {}}}", name); };
  const auto pod_in = [&](std::string_view name, std::string_view more = "") {
    return pod(fmt::format("name: p, {}{}", in(name), more), "schedulerName: kai-scheduler");
  };
  const auto group = [](std::string_view name) {
    return object("scheduling.run.ai/v2alpha2", "PodGroup", "name: g", fmt::format("spec: {{queue: {}}}", name));
  };
  const std::string missing = "no queue none in the input";
  const std::string parent = "queue top has child queues";
  check({{"KA010", "a leaf", queues + pod_in("leaf") + group("leaf"), {}},
         {"KA010", "a parent", queues + pod_in("top"), {parent}},
         {"KA010", "none", queues + pod_in("none"), {missing}},
         {"KA010", "an empty name", queues + pod_in("''") + group("''"), {}},
         {"KA010", "of a group", queues + group("none"), {missing}},
         {"KA010", "a parent, of a group", queues + group("top"), {parent}},
         {"KA010",
          "of a workload itself",
          queues + workload("Deployment", "d", "", "replicas: 1", "labels: {a: b}") +
              object("batch/v1", "Job", "name: j, " + in("none"), "spec: {}"),
          {missing}},
         {"KA010", "of a template", queues + workload("Deployment", "d", "", "replicas: 1", in("top")), {parent}},
         {"KA010",
          "a pod that has an owner",
          queues + pod_in("none", ", ownerReferences: [{kind: Job, name: j, uid: u, controller: true}]"),
          {}},
         {"KA010", "without any queue", pod_in("none"), {}}});
  // Of a file of a repository, the queue may be created elsewhere.
  CHECK(findings_of("KA010", queues + pod_in("none"), false).empty());
  CHECK(findings_of("KA010", queues + pod_in("top"), false).size() == 1);
}

TEST_CASE("lint limits: parents of queues of KAI", "[lint]") {
  const std::string node = object("v1", "Node", "name: n1", "");
  const std::string child = kai_queue("a", "parentQueue: none");
  check({{"KA006", "one of two", child + kai_queue("b", ""), {"queue a: no queue none in the input"}},
         {"KA006", "one alone may be a sample", child, {}},
         {"KA006", "one alone in a dump", child + node, {"no queue none in the input"}},
         {"KA006", "an empty parent", kai_queue("a", "parentQueue: ''") + kai_queue("b", ""), {}},
         {"KA006", "its parent", kai_queue("a", "parentQueue: b") + kai_queue("b", ""), {}},
         {"KA006", "misspelled", kai_queue("a", "parentQueue: teams") + kai_queue("team", ""), {"did you mean team?"}},
         {"KA006", "a placeholder has any name", child + kai_queue("'${X}'", ""), {}}});
}

TEST_CASE("lint limits: min-runtimes that protect only against siblings", "[lint]") {
  const auto three = [](std::string_view top, std::string_view middle, std::string_view own) {
    const auto set = [](std::string_view value) {
      return value.empty() ? std::string() : fmt::format("reclaimMinRuntime: {}", value);
    };
    const auto with = [&](std::string_view parent, std::string_view value) {
      return fmt::format("parentQueue: {}{}{}", parent, value.empty() ? "" : ", ", set(value));
    };
    return kai_queue("top", set(top)) + kai_queue("middle", with("top", middle)) +
           kai_queue("leaf", with("middle", own));
  };
  const auto shard = [](std::string_view method) {
    return object(
        "kai.scheduler/v1", "SchedulingShard", "name: default",
        fmt::format("spec: {{plugins: {{minruntime: {{arguments: {{reclaimResolveMethod: {}}}}}}}}}", method));
  };
  check({{"KA007", "the default", three("", "", "5m"), {"against queues outside middle the default counts"}},
         {"KA007", "that of the parent", three("", "1m", "5m"), {"outside middle it is 1m"}},
         {"KA007", "that of the parent first", three("9m", "1m", "5m"), {"outside middle it is 1m"}},
         {"KA007", "that of the top queue", three("1m", "", "5m"), {"outside middle it is 1m"}},
         {"KA007", "as much", three("", "5m", "5m"), {}},
         {"KA007", "more above", three("9m", "", "5m"), {}},
         {"KA007", "none", three("1m", "", ""), {}},
         {"KA007", "0", three("1m", "", "0s"), {}},
         {"KA007", "below 0", three("", "-2m", "-1m"), {}},
         {"KA007", "by queue", shard("queue") + three("1m", "", "5m"), {}},
         {"KA007", "by the lowest common ancestor", shard("lca") + three("1m", "", "5m"), {"it is 1m"}}});
  // What is above is shown, unless it is the default.
  CHECK(findings_of("KA007", three("", "", "5m")).at(0).related.empty());
  CHECK(findings_of("KA007", three("1m", "", "5m")).at(0).related.at(0).message == "queue top");
  CHECK(findings_of("KA007", three("", "1m", "5m")).at(0).related.at(0).message == "queue middle");
}

TEST_CASE("lint limits: fields of queues of KAI, and which of them can be meant", "[lint]") {
  struct Row {
    std::string spec;
    std::string message;  // empty: none
    std::string fix = {};
  };
  const std::vector<Row> rows = {
      {"resources: {cpu: {quota: 1}}", ""},
      {"resources: {gpus: {quota: 1}}", "unknown resource gpus, did you mean gpu?", "write gpu"},
      {"resources: {nvidia.com/gpu: {quota: 1}}", "unknown resource nvidia.com/gpu, did you mean gpu?", "write gpu"},
      {"resources: {memory.x: {quota: 1}}", "unknown resource memory.x, did you mean memory?", "write memory"},
      {"resources: {disk: {quota: 1}}", "unknown resource disk"},
      {"resources: {cpu: {quotas: 1}}", "unknown field quotas of cpu, did you mean quota?", "write quota"},
      {"resources: {cpu: {weight: 1}}", "unknown field weight of cpu"},
      {"resources: [cpu]", ""},
      {"parentqueue: a", "unknown field parentqueue, did you mean parentQueue?", "write parentQueue"},
      {"parentqueue: a, parentQueue: b", "unknown field parentqueue, did you mean parentQueue?"},
      {"reclaimTime: 1m", "unknown field reclaimTime, did you mean reclaimMinRuntime?", "write reclaimMinRuntime"},
      {"preemptTime: 1m", "unknown field preemptTime, did you mean preemptMinRuntime?", "write preemptMinRuntime"},
      {"preemptTime: 1m, preemptMinRuntime: 2m", "unknown field preemptTime, did you mean preemptMinRuntime?"},
      {"colour: red", "unknown field colour"}};
  for (const Row& row : rows) {
    INFO(row.spec);
    const auto found = findings_of("KA020", kai_queue("q", row.spec));
    REQUIRE(found.size() == (row.message.empty() ? 0 : 1));
    if (found.empty()) continue;
    CHECK(found[0].message == "queue q: " + row.message);
    REQUIRE(found[0].fixes.size() == (row.fix.empty() ? 0 : 1));
    if (!row.fix.empty()) CHECK(found[0].fixes[0].what == row.fix);
  }
}

TEST_CASE("lint limits: GPUs of pods against the limits of their queues", "[lint]") {
  const auto with = [](std::string_view limits, std::string_view meta = "", std::string_view spec = "") {
    return object(
        "v1", "Pod", fmt::format("name: p, labels: {{kai.scheduler/queue: q}}{}", meta),
        fmt::format(
            "spec: {{schedulerName: kai-scheduler, containers: [{{name: c, resources: {{limits: {{{}}}}}}}]{}}}",
            limits, spec));
  };
  const auto limit = [](std::string_view gpus) {
    return kai_queue("q", fmt::format("resources: {{gpu: {{quota: 1, limit: {}}}}}", gpus));
  };
  const auto more = [](int gpus) { return fmt::format("the pod counts as {} GPUs, and queue q may have 2", gpus); };
  check({{"KA026", "as many", limit("2") + with("nvidia.com/gpu: 2"), {}},
         {"KA026", "more", limit("2") + with("nvidia.com/gpu: 3"), {more(3)}},
         {"KA026", "without limit", limit("-1") + with("nvidia.com/gpu: 3"), {}},
         {"KA026", "a limit of 0", limit("0") + with("nvidia.com/gpu: 1"), {"and queue q may have 0"}},
         {"KA026", "slices", limit("2") + with("nvidia.com/mig-3g.20gb: 1"), {more(3)}},
         {"KA026", "two of one slice", limit("2") + with("nvidia.com/mig-1g.5gb: 2"), {}},
         {"KA026", "two of two slices", limit("2") + with("nvidia.com/mig-2g.10gb: 2"), {more(4)}},
         {"KA026",
          "no number of slices",
          limit("2") + with("nvidia.com/mig-g.10gb: 9, nvidia.com/mig-3x: 9, nvidia.com/mig-3: 9"),
          {}},
         {"KA026", "another resource", limit("2") + with("amd.com/gpu: 9"), {}},
         {"KA026",
          "a fraction of several devices",
          limit("2") + with("", ", annotations: {gpu-fraction: '0.5', gpu-fraction-num-devices: '6'}"),
          {more(3)}},
         {"KA026", "a fraction of one", limit("2") + with("", ", annotations: {gpu-fraction: '0.5'}"), {}},
         {"KA026",
          "it has an owner",
          limit("2") + with("nvidia.com/gpu: 3", ", ownerReferences: [{kind: Job, name: j, uid: u, controller: true}]"),
          {}},
         {"KA026", "it is on a node", limit("2") + with("nvidia.com/gpu: 3", "", ", nodeName: n1"), {}},
         {"KA026",
          "its queue is elsewhere",
          kai_queue("other", "resources: {gpu: {limit: 2}}") + with("nvidia.com/gpu: 3"),
          {}},
         {"KA026",
          "a queue without the resource",
          kai_queue("q", "resources: {cpu: {limit: 2}}") + with("nvidia.com/gpu: 1"),
          {"the pod requests gpu, and queue q does not name it"}},
         {"KA026", "a request for nothing", limit("2") + with("cpu: 0"), {}},
         {"KA026", "a request", limit("2") + with("cpu: 1"), {"the pod requests cpu"}}});
}

TEST_CASE("lint limits: groups that the webhook of KAI refuses", "[lint]") {
  const auto group = [](std::string_view spec, std::string_view name = "g", std::string_view ns = "") {
    return object("scheduling.run.ai/v2alpha2", "PodGroup",
                  fmt::format("name: {}{}{}", name, ns.empty() ? "" : ", namespace: ", ns),
                  fmt::format("spec: {{{}}}", spec));
  };
  const auto subs = [&](std::string_view list) { return group(fmt::format("subGroups: [{}]", list)); };
  const std::string exclusive = "mutually exclusive";
  const std::string own = "is its own ancestor";
  check({{"KA027", "a number", group("minMember: 0"), {}},
         {"KA027", "below 0", group("minMember: -1"), {"minMember -1 should be greater than or equal to 0"}},
         {"KA027", "the other below 0", group("minSubGroup: -1"), {"minSubGroup -1"}},
         {"KA027", "one of both", group("minSubGroup: 1"), {}},
         {"KA027", "both", group("minMember: 1, minSubGroup: 1"), {exclusive}},
         {"KA027", "names of letters, digits and dashes", subs("{name: a-9}, {name: '0'}, {name: z}"), {}},
         {"KA027", "a dot", subs("{name: a.b}"), {"\"a.b\" is not a valid name"}},
         {"KA027", "a capital", subs("{name: Ab}"), {"\"Ab\""}},
         {"KA027", "a dash at the end", subs("{name: a-}"), {"\"a-\""}},
         {"KA027", "a dash at the start", subs("{name: -a}"), {"\"-a\""}},
         {"KA027",
          "what is beside the letters",
          subs("{name: '`a'}, {name: 'a{'}, {name: 'a/'}, {name: ':a'}"),
          {"`a", "a{", "a/", ":a"}},
         {"KA027", "no name", subs("{minMember: 1}"), {"\"\" is not a valid name"}},
         {"KA027", "a parent", subs("{name: a}, {name: b, parent: a}"), {}},
         {"KA027",
          "a parent with pods",
          subs("{name: a, minMember: 1}, {name: b, parent: a}"),
          {"sub-group a has children"}},
         {"KA027", "a parent with groups", subs("{name: a, minSubGroup: 1}, {name: b, parent: a}"), {}},
         {"KA027", "a parent that is missing", subs("{name: b, parent: a}"), {}},
         {"KA027", "itself", subs("{name: a, parent: a}"), {own}},
         {"KA027", "two", subs("{name: a, parent: b}, {name: b, parent: a}"), {own, own}},
         {"KA027", "below a cycle", subs("{name: a, parent: b}, {name: b, parent: b}"), {own}},
         {"KA027", "three", subs("{name: a, parent: b}, {name: b, parent: c}, {name: c, parent: a}"), {own, own, own}},
         {"KA024", "a parent that is missing", subs("{name: b, parent: a}"), {"no sub-group a"}},
         {"KA024", "two of a name", subs("{name: a}, {name: a}"), {"two sub-groups are named a"}},
         {"KA024", "no parents", subs("{name: a}, {name: b}"), {}},
         {"KA023", "two namespaces", group("", "g", "n1") + group("", "g", "n2"), {"have the same name"}},
         {"KA023", "one namespace", group("", "g", "n1") + group("", "g", "n1"), {}},
         {"KA023", "two names", group("", "g", "n1") + group("", "h", "n2"), {}},
         {"KA014", "no start", group(""), {}}});
}

TEST_CASE("lint limits: negative amounts of queues of KAI", "[lint]") {
  const auto queue = [](std::string_view amounts) {
    return kai_queue("q", fmt::format("resources: {{gpu: {{{}}}}}", amounts));
  };
  check({{"KA031", "0", queue("quota: 0, limit: 0"), {}},
         {"KA031", "unlimited", queue("quota: -1, limit: -1"), {}},
         {"KA031", "a quota", queue("quota: -2"), {"the quota of gpu is -2: less than no quota"}},
         {"KA031", "a limit", queue("limit: -0.5"), {"the limit of gpu is -0.5: nothing may run"}}});
}

TEST_CASE("lint limits: min-runtimes without their plugin", "[lint]") {
  const auto shard = [](std::string_view more) {
    return object("kai.scheduler/v1", "SchedulingShard", "name: default",
                  fmt::format("spec: {{plugins: {{minruntime: {{enabled: false}}}}{}}}", more));
  };
  check({{"KA005", "none is set", shard(""), {}},
         {"KA005",
          "two of the shard are one finding",
          shard(", minRuntime: {reclaimMinRuntime: 1m, preemptMinRuntime: 2m}"),
          {"so reclaimMinRuntime of the shard"}},
         {"KA005",
          "the other of the shard",
          shard(", minRuntime: {preemptMinRuntime: 2m}"),
          {"so preemptMinRuntime of the shard"}},
         {"KA005",
          "of two queues, the first",
          shard("") + kai_queue("a", "preemptMinRuntime: 1m") + kai_queue("b", "reclaimMinRuntime: 1m"),
          {"queue a"}}});
}

TEST_CASE("lint limits: queues of Kueue that are missing or stopped", "[lint]") {
  const auto of = [](std::string_view kind, std::string_view meta, std::string_view spec) {
    return object("kueue.x-k8s.io/v1beta2", kind, meta, fmt::format("spec: {{{}}}", spec));
  };
  const auto cluster = [&](std::string_view name, std::string_view spec = "") {
    return of("ClusterQueue", fmt::format("name: {}", name), spec);
  };
  const auto local = [&](std::string_view queue, std::string_view more = "") {
    return of("LocalQueue", "name: l, namespace: n1", fmt::format("clusterQueue: {}{}", queue, more));
  };
  const auto waits = [&](std::string_view spec) { return of("Workload", "name: w, namespace: n1", spec); };
  check({{"KQ007", "there", cluster("q") + local("q"), {}},
         {"KQ007", "missing", cluster("q") + local("r"), {"LocalQueue n1/l: no ClusterQueue r in the input"}},
         {"KQ007", "an empty name", cluster("q") + local("''"), {}},
         {"KQ007", "no ClusterQueue at all", local("r"), {}},
         {"KQ007", "stopped", cluster("q", "stopPolicy: Hold") + local("q"), {"ClusterQueue q is stopped"}},
         {"KQ007", "not stopped", cluster("q", "stopPolicy: None") + local("q"), {}},
         {"KQ007", "a placeholder has any name", cluster("q") + cluster("'${X}'") + local("r"), {}},
         {"KQ007", "a workload of it", cluster("q") + local("q") + waits("queueName: l"), {}},
         {"KQ007",
          "a workload of another",
          cluster("q") + local("q") + waits("queueName: m"),
          {"Workload n1/w: LocalQueue m is not in the input"}},
         {"KQ007", "a workload of none", cluster("q") + local("q") + waits(""), {"Workload n1/w names no LocalQueue"}},
         {"KQ007",
          "a workload of one that is stopped",
          cluster("q") + local("q", ", stopPolicy: HoldAndDrain") + waits("queueName: l"),
          {"LocalQueue l is stopped"}},
         {"KQ007", "no LocalQueue at all", cluster("q") + waits("queueName: l"), {}}});
}

TEST_CASE("lint rules: the fixes that the examples have", "[lint]") {
  struct Row {
    std::string_view rule;
    std::vector<std::string> fixes;
  };
  const std::string prefix = "write preemption-toleration.scheduling.x-k8s.io/";
  const std::vector<Row> rows = {{"DU011", {"write minAvailable"}},
                                 {"KA001", {"write \"600s\""}},
                                 {"KA004", {"write queue"}},
                                 {"KA016", {"write \"300s\""}},
                                 {"KA020", {"write reclaimMinRuntime"}},
                                 {"KA021", {"write relcaimerSaturationMultiplier"}},
                                 {"KA028", {"write minRuntime"}},
                                 {"PC015", {"write Never"}},
                                 {"PC017", {"write scheduling.k8s.io/v1"}},
                                 {"PD010", {"write policy/v1"}},
                                 {"PO011", {"write \"10000\"", "write \"600\""}},
                                 {"PT002", {"write \"900\""}},
                                 {"PT006", {prefix + "minimum-preemptable-priority", prefix + "toleration-seconds"}},
                                 {"PT008", {"write annotations"}},
                                 {"PT016", {prefix + "toleration-seconds"}},
                                 {"YK006", {"write \"false\""}},
                                 {"YK013", {"write preemption.policy"}},
                                 {"YK014", {"write vcore"}}};
  for (const Rule* rule : rules()) {
    INFO(rule->id);
    std::vector<std::string> fixes;
    for (const Finding& finding : findings_of(rule->id, std::string(examples_of(*rule).bad))) {
      for (const Fix& fix : finding.fixes) fixes.push_back(fix.what);
    }
    const auto expected = std::find_if(rows.begin(), rows.end(), [&](const Row& row) { return row.rule == rule->id; });
    CHECK(fixes == (expected == rows.end() ? std::vector<std::string>{} : expected->fixes));
  }
}

}  // namespace previct::lint::edges::near_misses
