// For each condition of a rule: the smallest input on which the rule speaks, and the same input, changed
// so that it must not. Sources: those that the rules name.
#include "lint/placeholder.h"
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

}  // namespace previct::lint::edges::near_misses
