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
         {"KA007", "0 alone", three("", "", "0s"), {}},
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

TEST_CASE("lint limits: classes of pods, by what the pod is", "[lint]") {
  const std::string unknown = "no PriorityClass x in the input";
  const std::string drifted = "has priority 7, but its class low now has 100";
  const auto low = [](std::string_view meta, std::string_view more) {
    return pod(fmt::format("name: p{}", meta), fmt::format("priorityClassName: low, priority: 7{}", more));
  };
  const std::string on_node = ", nodeName: n1";
  check({{"PC001", "a pod", kLow + pod("name: p", "priorityClassName: x"), {unknown}},
         {"PC001", "a template", kLow + workload("Deployment", "d", "priorityClassName: x"), {unknown}},
         {"PC001", "misspelled", kLow + pod("name: p", "priorityClassName: lou"), {"did you mean low?"}},
         {"PC001", "it has an owner", kLow + pod(kOwned, "priorityClassName: x"), {}},
         {"PC001", "it has finished", kLow + pod("name: p", "priorityClassName: x", kDone), {}},
         {"PC001", "it is on a node", kLow + pod("name: p", "priorityClassName: x, nodeName: n1"), {}},
         {"PC001", "no class", kLow + pod("name: p", ""), {}},
         {"PC001", "a built-in class", kLow + pod("name: p", "priorityClassName: system-node-critical"), {}},
         {"PC001", "without any class", pod("name: p", "priorityClassName: x"), {}},
         {"PC005", "on a node", kLow + low("", on_node), {drifted}},
         {"PC005", "pending in a dump", kLow + low(", uid: u", ""), {drifted}},
         {"PC005", "in a file", kLow + low("", ""), {}},
         {"PC005",
          "it has finished",
          kLow + pod("name: p", "priorityClassName: low, priority: 7, nodeName: n1", kDone),
          {}},
         {"PC005", "a template", kLow + workload("Deployment", "d", "priorityClassName: low, priority: 7"), {}},
         {"PC005", "its priority", kLow + pod("name: p", "priorityClassName: low, priority: 100, nodeName: n1"), {}},
         {"PC005", "no priority", kLow + pod("name: p", "priorityClassName: low, nodeName: n1"), {}},
         {"PC005",
          "its class is elsewhere",
          kTwo + pod("name: p", "priorityClassName: x, priority: 7, nodeName: n1"),
          {}},
         {"PC005",
          "a class whose value is unknown",
          object("scheduling.k8s.io/v1", "PriorityClass", "name: low", "value: x") + low("", on_node),
          {}},
         {"PC005",
          "a built-in class",
          kLow + pod("name: p", "priorityClassName: system-node-critical, priority: 7, nodeName: n1"),
          {"now has 2000001000"}},
         {"PC013",
          "elsewhere",
          pod("name: p, namespace: n1", "priorityClassName: system-node-critical"),
          {"outside kube-system"}},
         {"PC013",
          "the other class",
          pod("name: p, namespace: n1", "priorityClassName: system-cluster-critical"),
          {"outside kube-system"}},
         {"PC013",
          "two",
          pod("name: p, namespace: n1", "priorityClassName: system-node-critical") +
              pod("name: q, namespace: n1", "priorityClassName: system-node-critical"),
          {"outside kube-system (and 1 more)"}},
         {"PC013",
          "in kube-system",
          pod("name: p, namespace: kube-system", "priorityClassName: system-node-critical"),
          {}},
         {"PC013", "in no namespace", pod("name: p", "priorityClassName: system-node-critical"), {}},
         {"PC013", "another class", kLow + pod("name: p, namespace: n1", "priorityClassName: low"), {}},
         {"PC013",
          "it has finished",
          pod("name: p, namespace: n1", "priorityClassName: system-node-critical", kDone),
          {}}});
  CHECK(findings_of("PC001", kLow + pod("name: p", "priorityClassName: x")).at(0).notes ==
        std::vector<std::string>{"admission refuses pods of a class that does not exist"});
  CHECK(findings_of("PC005", kLow + low("", on_node)).at(0).related.size() == 1);
  CHECK(findings_of("PC005", pod("name: p", "priorityClassName: system-node-critical, priority: 7, nodeName: n1"))
            .at(0)
            .related.empty());
}

TEST_CASE("lint limits: values, names and defaults of classes", "[lint]") {
  const auto of = [](std::string_view name, std::string_view rest) {
    return object("scheduling.k8s.io/v1", "PriorityClass", fmt::format("name: {}", name), rest);
  };
  const std::string running = pod("name: p", "nodeName: n1, priorityClassName: low, priority: 100");
  check(
      {{"PC003", "the highest", of("a", "value: 1000000000"), {}},
       {"PC003", "more", of("a", "value: 1000000001"), {"a: value 1000000001 is above 1000000000"}},
       {"PC003", "of the system", of("system-x", "value: 2000000000"), {}},
       {"PC004", "a built-in class", of("system-node-critical", "value: 2000001000"), {}},
       {"PC004", "with another value", of("system-node-critical", "value: 5"), {"are reserved"}},
       {"PC004", "another name", of("system-x", "value: 5"), {"system-x: names that begin with system- are reserved"}},
       {"PC004", "a name that begins otherwise", of("systemx", "value: 5"), {}},
       {"PC007",
        "it says so",
        of("a", "value: 1\npreemptionPolicy: Never\ndescription: non-preemptible pods"),
        {"a is not protected"}},
       {"PC007", "its name says so", of("non-preemptible", "value: 1\npreemptionPolicy: Never"), {"is not protected"}},
       {"PC007", "it says nothing", of("a", "value: 1\npreemptionPolicy: Never"), {}},
       {"PC007", "it preempts", of("non-preemptible", "value: 1"), {}},
       {"PC010", "a default", of("a", "value: 1\nglobalDefault: true"), {"every new pod without a class"}},
       {"PC010", "of value 0", of("a", "value: 0\nglobalDefault: true"), {}},
       {"PC010", "no default", of("a", "value: 1\nglobalDefault: false"), {}},
       {"PC010", "it preempts nothing", of("a", "value: 1\nglobalDefault: true\npreemptionPolicy: Never"), {}},
       {"PC011", "used", kLow + running, {}},
       {"PC011", "unused", kTwo + running, {"no pod in the input uses class high"}},
       {"PC011", "the default", kLow + running + of("a", "value: 1\nglobalDefault: true"), {}},
       {"PC011", "of the system", kLow + running + of("system-x", "value: 1"), {}},
       {"PC011", "no running pods", kTwo + pod("name: p", "priorityClassName: low"), {}}});
}

TEST_CASE("lint limits: budgets of a dump whose controller requires all pods", "[lint]") {
  const auto stored = [](std::string_view meta, std::string_view status) {
    return object(
        "policy/v1", "PodDisruptionBudget", fmt::format("name: b, generation: 1{}", meta),
        fmt::format(
            "spec: {{minAvailable: 50%, selector: {{matchLabels: {{app: a}}}}}}\nstatus: {{disruptionsAllowed: 0, {}}}",
            status));
  };
  const auto three = [](std::string_view kind, std::string_view more) {
    return object("policy/v1", "PodDisruptionBudget", "name: b",
                  "spec: {minAvailable: 3, selector: {matchLabels: {app: a}}}") +
           workload(kind, "w", "", more);
  };
  check({{"PD002", "all", stored(", uid: u", "expectedPods: 3, desiredHealthy: 3, observedGeneration: 1"), {"b"}},
         {"PD002", "not all", stored(", uid: u", "expectedPods: 3, desiredHealthy: 2, observedGeneration: 1"), {}},
         {"PD002", "no pods", stored(", uid: u", "expectedPods: 0, desiredHealthy: 0, observedGeneration: 1"), {}},
         {"PD002",
          "of an older budget",
          stored(", uid: u", "expectedPods: 3, desiredHealthy: 3, observedGeneration: 0"),
          {}},
         {"PD002", "not stored", stored("", "expectedPods: 3, desiredHealthy: 3, observedGeneration: 1"), {}},
         {"PD002", "unknown how many", stored(", uid: u", "desiredHealthy: 3, observedGeneration: 1"), {}},
         {"PD002", "unknown how many are required", stored(", uid: u", "expectedPods: 3, observedGeneration: 1"), {}},
         {"PD002", "replicas", three("StatefulSet", "replicas: 3"), {"b"}},
         {"PD002", "more replicas", three("StatefulSet", "replicas: 4"), {}},
         {"PD002", "a kind that counts otherwise", three("DaemonSet", "replicas: 3"), {}},
         {"PD002", "also a pod", three("Deployment", "replicas: 2") + pod("name: p, labels: {app: a}", ""), {}},
         {"PD002", "unknown replicas", three("Deployment", "replicas: many"), {}},
         {"PD002",
          "two workloads",
          three("Deployment", "replicas: 1") + workload("Deployment", "v", "", "replicas: 2"),
          {"b"}}});
}

TEST_CASE("lint limits: pods that wait, and nodes that they are nominated to", "[lint]") {
  const std::string unschedulable =
      "status: {conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable}]}";
  const auto waits = [&](std::string_view spec, std::string_view rest) {
    return pod("name: w, uid: u", fmt::format("priority: 9{}", spec), rest);
  };
  const auto runs = [](int priority) { return pod("name: r", fmt::format("nodeName: n1, priority: {}", priority)); };
  const std::string never = ", preemptionPolicy: Never";
  const auto nominated = [](std::string_view node, std::string_view spec = "") {
    return pod("name: w", spec, fmt::format("status: {{nominatedNodeName: {}}}", node));
  };
  const auto node = [](std::string_view status) {
    return object(
        "v1", "Node", "name: n1",
        fmt::format("status: {{conditions: [{{type: Ready, status: '{}'}}, {{type: DiskPressure, status: 'False'}}]}}",
                    status));
  };
  check(
      {{"PO001", "a lower one runs", runs(8) + waits(never, unschedulable), {"waits, although pods of priority 8 run"}},
       {"PO001",
        "the lowest counts",
        runs(8) + pod("name: s", "nodeName: n1, priority: 3") + waits(never, unschedulable),
        {"pods of priority 3 run"}},
       {"PO001",
        "the lowest comes first",
        pod("name: s", "nodeName: n1, priority: 3") + runs(8) + waits(never, unschedulable),
        {"pods of priority 3 run"}},
       {"PO001", "an equal one runs", runs(9) + waits(never, unschedulable), {}},
       {"PO001", "none runs", waits(never, unschedulable), {}},
       {"PO001", "it may preempt", runs(8) + waits("", unschedulable), {}},
       {"PO001", "it is on a node", runs(8) + waits(never + ", nodeName: n1", unschedulable), {}},
       {"PO001",
        "it has finished",
        runs(8) + waits(never, "status: {phase: Failed, conditions: [{reason: Unschedulable}]}"),
        {}},
       {"PO001", "another reason", runs(8) + waits(never, "status: {conditions: [{reason: SchedulingGated}]}"), {}},
       {"PO002", "ready", node("True") + nominated("n1"), {}},
       {"PO002", "not ready", node("False") + nominated("n1"), {"n1, which is not ready"}},
       {"PO002", "missing", node("True") + nominated("n2"), {"n2, which is not in the input"}},
       {"PO002", "none", node("True") + nominated("''"), {}},
       {"PO002", "it is on a node", node("True") + nominated("n2", "nodeName: n1"), {}},
       {"PO002", "without nodes, nothing is known", nominated("n2"), {}}});
}

TEST_CASE("lint limits: workloads of low priority", "[lint]") {
  const auto of = [](std::string_view kind, std::string_view name, std::string_view pod,
                     std::string_view more = "replicas: 3") {
    return workload(kind, name, fmt::format("priorityClassName: {}", pod), more);
  };
  const std::string web = of("Deployment", "web", "low");
  const auto shield = [](std::string_view annotation, std::string_view name = "low") {
    return workload("Deployment", "d", fmt::format("priorityClassName: {}", name), "replicas: 3",
                    fmt::format("annotations: {{{}}}", annotation));
  };
  const std::string grace = ", terminationGracePeriodSeconds: ";
  check(
      {{"PO003",
        "below",
        kTwo + web + of("DaemonSet", "d", "low") + of("Deployment", "v", "high"),
        {"has priority 100, below Deployment v with 9000"}},
       {"PO003", "equal", kTwo + web + of("DaemonSet", "d", "low"), {}},
       {"PO003", "above", kTwo + web + of("DaemonSet", "d", "high"), {}},
       {"PO003",
        "below those of the system",
        kTwo + of("Deployment", "v", "system-node-critical") + of("DaemonSet", "d", "low"),
        {}},
       {"PO003", "below other daemons", kTwo + of("DaemonSet", "e", "high") + of("DaemonSet", "d", "low"), {}},
       {"PO003",
        "without a class",
        kTwo + web + workload("DaemonSet", "d", ""),
        {"has priority 0, below Deployment web with 100"}},
       {"PO003",
        "nothing is above 0",
        kTwo + workload("Deployment", "v", "") + workload("DaemonSet", "d", "priority: -1"),
        {}},
       {"PO004", "5 minutes", kTwo + of("Deployment", "d", "low" + grace + "300"), {}},
       {"PO004", "more", kTwo + of("Deployment", "d", "low" + grace + "301"), {"waits up to 301s"}},
       {"PO004", "none is above", kTwo + of("Deployment", "d", "high" + grace + "301"), {}},
       {"PO004", "no number", kTwo + of("Deployment", "d", "low" + grace + "long"), {}},
       {"PO008",
        "a pod",
        kTwo + pod("name: p", "priorityClassName: low"),
        {"has no owner: if preempted, for example by class high"}},
       {"PO008", "with an owner", kTwo + pod(kOwned, "priorityClassName: low"), {}},
       {"PO008", "a template", kTwo + web, {}},
       {"PO008", "none is above", kTwo + pod("name: p", "priorityClassName: high"), {}},
       {"PO008", "no class", kTwo + pod("name: p", ""), {}},
       {"PO008",
        "a mirror pod",
        kTwo + pod("name: p, annotations: {kubernetes.io/config.mirror: x}", "priorityClassName: low"),
        {}},
       {"PO009", "a workload", kLow + workload("Deployment", "d", ""), {"Deployment d has no PriorityClass"}},
       {"PO009",
        "two",
        kLow + workload("Deployment", "d", "") + workload("Deployment", "e", ""),
        {"its pods have priority 0 (and 1 more)"}},
       {"PO009", "a class", kLow + web, {}},
       {"PO009", "a priority", kLow + workload("Deployment", "d", "priority: 5"), {}},
       {"PO009", "a default", priority_class("low", 100, "globalDefault: true") + workload("Deployment", "d", ""), {}},
       {"PO009", "no classes", workload("Deployment", "d", ""), {}},
       {"PO009", "on a node", kLow + pod("name: p", "nodeName: n1"), {}},
       {"PO009", "it has finished", kLow + pod("name: p", "", kDone), {}},
       {"PO010",
        "one replica",
        kTwo + of("StatefulSet", "db", "low", "replicas: 1"),
        {"has one replica and the lowest class, low"}},
       {"PO010", "the default of 1", kTwo + of("StatefulSet", "db", "low", "serviceName: s"), {"has one replica"}},
       {"PO010", "two", kTwo + of("StatefulSet", "db", "low", "replicas: 2"), {}},
       {"PO010", "the other class", kTwo + of("StatefulSet", "db", "high", "replicas: 1"), {}},
       {"PO010", "one class", kLow + of("StatefulSet", "db", "low", "replicas: 1"), {}},
       {"PO010", "another kind", kTwo + of("Deployment", "db", "low", "replicas: 1"), {}},
       {"PO010", "no class", kTwo + workload("StatefulSet", "db", "", "replicas: 1"), {}},
       {"PO013",
        "of cluster-autoscaler",
        kTwo + shield("cluster-autoscaler.kubernetes.io/safe-to-evict: 'false'"),
        {"safe-to-evict does not prevent"}},
       {"PO013", "its other value", kTwo + shield("cluster-autoscaler.kubernetes.io/safe-to-evict: 'true'"), {}},
       {"PO013", "of Karpenter", kTwo + shield("karpenter.sh/do-not-disrupt: 'true'"), {"do-not-disrupt"}},
       {"PO013", "its older one", kTwo + shield("karpenter.sh/do-not-evict: 'true'"), {"do-not-evict"}},
       {"PO013", "none is above", kTwo + shield("karpenter.sh/do-not-evict: 'true'", "high"), {}}});
}

TEST_CASE("lint limits: two budgets of a pod, pods that a budget counts as evicted, and limits", "[lint]") {
  const auto web = [](std::string_view labels) {
    return workload("Deployment", "w", "", "replicas: 3", fmt::format("labels: {{{}}}", labels));
  };
  const std::string two =
      budget("name: a", "x") + object("policy/v1", "PodDisruptionBudget", "name: b",
                                      "spec: {minAvailable: 1, selector: {matchLabels: {tier: y}}}");
  const auto evicted = [](std::string_view ns = "n1") {
    return object("policy/v1", "PodDisruptionBudget", fmt::format("name: b, namespace: {}", ns),
                  "status: {disruptedPods: {p: '2026-05-01T00:00:00Z'}}");
  };
  const std::string bound_p = pod("name: p, namespace: n1", "nodeName: n1");
  const auto limits = [](std::string_view spec) {
    return object("policy/v1", "PodDisruptionBudget", "name: b", fmt::format("spec: {{{}}}", spec));
  };
  check(
      {{"PD004", "both", two + web("app: x, tier: y"), {"Deployment w is covered by two budgets, a and b"}},
       {"PD004", "one", two + web("app: x"), {}},
       {"PD004",
        "two workloads are one finding",
        two + web("app: x, tier: y") + workload("StatefulSet", "v", "", "replicas: 3", "labels: {app: x, tier: y}"),
        {"Deployment w"}},
       {"PD004", "one that is defined twice", budget("name: a", "x") + budget("name: a", "x") + web("app: x"), {}},
       {"PD004", "it has finished", two + pod("name: p, labels: {app: x, tier: y}", "", kDone), {}},
       {"PD005",
        "no budget",
        kTwo + workload("Deployment", "w", "priorityClassName: low"),
        {"3 replicas of priority 100 without a budget"}},
       {"PD005", "a budget", kTwo + budget("name: b", "a") + workload("Deployment", "w", "priorityClassName: low"), {}},
       {"PD005",
        "two replicas",
        kTwo + workload("StatefulSet", "w", "priorityClassName: low", "replicas: 2"),
        {"2 replicas"}},
       {"PD005", "one replica", kTwo + workload("Deployment", "w", "priorityClassName: low", "replicas: 1"), {}},
       {"PD005", "another kind", kTwo + workload("DaemonSet", "w", "priorityClassName: low"), {}},
       {"PD005", "none is above", kTwo + workload("Deployment", "w", "priorityClassName: high"), {}},
       {"PD005", "a class that is elsewhere", kTwo + workload("Deployment", "w", "priorityClassName: x"), {}},
       {"PD007", "it still runs", evicted() + bound_p, {"budget b counts p as evicted, although it still runs"}},
       {"PD007",
        "it is being deleted",
        evicted() + pod("name: p, namespace: n1, deletionTimestamp: '2026-05-01T00:00:00Z'", "nodeName: n1"),
        {}},
       {"PD007", "it is on no node", evicted() + pod("name: p, namespace: n1", ""), {}},
       {"PD007", "another pod", evicted() + pod("name: q, namespace: n1", "nodeName: n1"), {}},
       {"PD007", "in another namespace", evicted("n2") + bound_p, {}},
       {"PD011", "both limits", limits("minAvailable: 1, maxUnavailable: 1"), {"budget b also has minAvailable"}},
       {"PD011", "one limit", limits("minAvailable: 1"), {}},
       {"PD011", "the other limit", limits("maxUnavailable: 1"), {}},
       {"PD001", "no selector", limits("minAvailable: 1"), {"budget b has no selector and covers no pod"}},
       {"PD001", "an empty one", limits("minAvailable: 1, selector: {}"), {"budget b has an empty selector"}},
       {"PD001", "another", limits("minAvailable: 1, selector: {matchLabels: {a: b}}"), {}}});
}

TEST_CASE("lint limits: budgets that match nothing, and what may create their pods", "[lint]") {
  const std::string none = "budget web-db matches no pod and no template";
  const std::string web = workload("Deployment", "d", "", "replicas: 3", "labels: {app: x}");
  const std::string lone = budget("name: web-db", "a") + web;
  const auto thing = [](std::string_view name) { return object("example.com/v1", "Thing", name, ""); };
  const auto with = [&](std::string_view selector, std::string_view meta = "name: web-db") {
    return object("policy/v1", "PodDisruptionBudget", meta, fmt::format("spec: {{minAvailable: 1{}}}", selector)) + web;
  };
  check({{"PD008", "another label", lone, {none}},
         {"PD008", "its label", budget("name: web-db", "x") + web, {}},
         {"PD008", "no selector", with(""), {}},
         {"PD008", "an empty selector", with(", selector: {}"), {}},
         {"PD008",
          "expressions",
          with(", selector: {matchExpressions: [{key: app, operator: In, values: [a]}]}"),
          {none}},
         {"PD008",
          "expressions that match",
          with(", selector: {matchExpressions: [{key: app, operator: In, values: [x]}]}"),
          {}},
         {"PD008", "a placeholder", with(", selector: {matchLabels: {app: '${APP}'}}"), {}},
         {"PD008",
          "no pods in its namespace",
          with(", selector: {matchLabels: {app: a}}", "name: web-db, namespace: n1"),
          {}},
         {"PD008", "an object of an operator", lone + thing("name: other"), {none}},
         {"PD008", "of its name", lone + thing("name: web-db"), {}},
         {"PD008", "of the first part of its name", lone + thing("name: web"), {}},
         {"PD008", "of the last part of its name", lone + thing("name: db"), {}},
         {"PD008", "of the value of its label", lone + thing("name: a"), {}},
         {"PD008", "of a longer name", lone + thing("name: web-db-x"), {none}},
         {"PD008", "without a name", lone + thing("labels: {a: b}"), {none}},
         {"PD008", "of a kind that is known", lone + object("v1", "ConfigMap", "name: web", ""), {none}}});
  for (const std::string kind : {"HelmRelease", "HelmChart", "Application", "Subscription", "KfDef"}) {
    INFO(kind);
    CHECK(findings_of("PD008", lone + object("example.com/v1", kind, "name: other", "")).empty());
  }
  // In a repository, some label must be similar.
  const auto near = [&](std::string_view selector, const std::string& more = "") {
    return findings_of("PD008", with(fmt::format(", selector: {{{}}}", selector)) + more, false).size();
  };
  const std::string other = workload("Deployment", "e", "", "replicas: 3", "labels: {app: y}");
  CHECK(near("matchLabels: {app: a}") == 1);
  CHECK(near("matchLabels: {name: x}") == 1);
  CHECK(near("matchLabels: {name: y}") == 0);
  CHECK(near("matchLabels: {app: x, tier: z}") == 0);
  CHECK(near("matchLabels: {app: x, tier: z}", other) == 1);
  CHECK(near("matchExpressions: [{key: app, operator: In, values: [a]}]") == 1);
  CHECK(near("matchExpressions: [{key: tier, operator: In, values: [z]}]") == 0);
}

TEST_CASE("lint limits: versions, limits and policies of budgets", "[lint]") {
  const auto of = [](std::string_view version, std::string_view spec, std::string_view meta = "name: b") {
    return object(fmt::format("policy/{}", version), "PodDisruptionBudget", meta, fmt::format("spec: {{{}}}", spec));
  };
  const std::string selector = "selector: {matchLabels: {a: b}}";
  const std::string policy = "unhealthyPodEvictionPolicy: ";
  check({{"PD010", "v1", of("v1", selector), {}},
         {"PD010", "v1beta1", of("v1beta1", selector), {"policy/v1beta1 is not served since Kubernetes 1.25"}},
         {"PD010", "another", of("v2", selector), {"PodDisruptionBudget does not exist in policy/v2"}},
         {"PD010", "in a dump", of("v1beta1", selector, "name: b, uid: u"), {}},
         {"PD012", "the lowest number", of("v1", "minAvailable: -2147483648"), {"must be greater than or equal to 0"}},
         {"PD012", "below it", of("v1", "minAvailable: -2147483649"), {"must be a 32-bit integer"}},
         {"PD012", "a placeholder", of("v1", "minAvailable: '${X}'"), {}},
         {"PD012", "a list", of("v1", "maxUnavailable: [1]"), {"budget b: maxUnavailable must be"}},
         {"PD012", "a policy", of("v1", policy + "AlwaysAllow"), {}},
         {"PD012", "the other policy", of("v1", policy + "IfHealthyBudget"), {}},
         {"PD012", "no such policy", of("v1", policy + "Never"), {"unhealthyPodEvictionPolicy Never is neither"}}});
  CHECK(findings_of("PD010", of("v1beta1", selector)).at(0).fixes.size() == 1);
  // An empty selector means no pod in v1beta1, and all pods in v1.
  CHECK(findings_of("PD010", of("v1beta1", "selector: {}")).at(0).fixes.empty());
}

TEST_CASE("lint limits: affinity to pods of lower priority, by namespace and state", "[lint]") {
  const auto high = [](std::string_view kind, std::string_view meta = "name: h") {
    return object("v1", "Pod", meta,
                  fmt::format("spec: {{priorityClassName: high, containers: [{{name: c}}], affinity: {{{}: "
                              "{{requiredDuringSchedulingIgnoredDuringExecution: [{{topologyKey: zone, labelSelector: "
                              "{{matchLabels: {{app: a}}}}}}]}}}}}}",
                              kind));
  };
  const auto low = [](std::string_view meta, std::string_view rest = "", std::string_view name = "low") {
    return pod(fmt::format("labels: {{app: a}}, {}", meta), fmt::format("priorityClassName: {}", name), rest);
  };
  struct Rule {
    std::string_view id;
    std::string kind;
    std::string message;
  };
  for (const Rule& rule : {Rule{"PO005", "podAffinity", "preemption cannot help it"},
                           Rule{"PO006", "podAntiAffinity", "preemption evicts pods only on the chosen node"}}) {
    const std::string own = kTwo + high(rule.kind);
    check({{rule.id, "one", own + low("name: l"), {rule.message}},
           {rule.id, "two are one finding", own + low("name: l") + low("name: m"), {rule.message}},
           {rule.id, "of the same priority", own + low("name: l", "", "high"), {}},
           {rule.id, "a class that is elsewhere", own + low("name: l", "", "x"), {}},
           {rule.id, "it has finished", own + low("name: l", kDone), {}},
           {rule.id, "another label", own + pod("name: l, labels: {app: b}", "priorityClassName: low"), {}},
           {rule.id,
            "in its namespace",
            kTwo + high(rule.kind, "name: h, namespace: n1") + low("name: l, namespace: n1"),
            {rule.message}},
           {rule.id,
            "in another namespace",
            kTwo + high(rule.kind, "name: h, namespace: n1") + low("name: l, namespace: n2"),
            {}},
           {rule.id, "the first has an owner", kTwo + high(rule.kind, kOwned) + low("name: l"), {}}});
  }
}

TEST_CASE("lint limits: pods of a class that is elsewhere, and amounts that are missing", "[lint]") {
  const auto cluster_queue = [](std::string_view resources, std::string_view more) {
    return object(
        "kueue.x-k8s.io/v1beta2", "ClusterQueue", "name: q",
        fmt::format("spec: {{cohortName: c{}, resourceGroups: [{{coveredResources: [cpu, gpu], flavors: [{{name: "
                    "f, resources: [{}]}}]}}]}}",
                    more, resources));
  };
  const auto container = [](std::string_view requests, std::string_view limits) {
    return object("v1", "Pod", "name: p",
                  fmt::format("spec: {{containers: [{{name: c, resources: {{requests: {{{}}}, limits: {{{}}}}}}}]}}",
                              requests, limits));
  };
  check({{"PO001",
          "unknown",
          pod("name: r", "nodeName: n1, priority: 1") + pod("name: w", "priorityClassName: x, preemptionPolicy: Never",
                                                            "status: {conditions: [{reason: Unschedulable}]}"),
          {}},
         {"PO001",
          "one that runs",
          pod("name: r", "nodeName: n1, priorityClassName: x") + pod("name: w, uid: u",
                                                                     "priority: 9, preemptionPolicy: Never",
                                                                     "status: {conditions: [{reason: Unschedulable}]}"),
          {}},
         {"PO003",
          "a daemon",
          kTwo + workload("Deployment", "d", "priorityClassName: high") +
              workload("DaemonSet", "e", "priorityClassName: x"),
          {}},
         {"PO003",
          "a workload",
          kTwo + workload("Deployment", "d", "priorityClassName: x") +
              workload("DaemonSet", "e", "priorityClassName: low"),
          {}},
         {"SC008",
          "one of two",
          kLow + pod("name: a", "nodeName: n1, schedulerName: s1, priorityClassName: x") + bound("b", "s2", 2),
          {}},
         {"PO004",
          "a workload",
          kTwo + workload("Deployment", "d", "priorityClassName: x, terminationGracePeriodSeconds: 400"),
          {}},
         {"PO007", "a workload", kTwo + workload("Deployment", "d", "priorityClassName: x"), {}},
         {"PO013",
          "a workload",
          kTwo + workload("Deployment", "d", "priorityClassName: x", "replicas: 1",
                          "annotations: {karpenter.sh/do-not-evict: 'true'}"),
          {}},
         {"KQ004", "no nominal quota", cluster_queue("{name: cpu}", ""), {}},
         {"KQ006", "no nominal quota", cluster_queue("{name: cpu}, {name: gpu, nominalQuota: 0}", ""), {}},
         {"PO014", "above its limit", container("cpu: 2", "cpu: 1"), {"requests 2 of cpu, more than its limit of 1"}},
         {"PO014", "its limit", container("cpu: 1", "cpu: 1"), {}},
         {"PO014", "no limit", container("cpu: 2", ""), {}},
         {"PO014", "no request", container("", "cpu: 1"), {}},
         {"PO014", "unreadable", container("cpu: much", "cpu: 1"), {}},
         {"PO014", "an unreadable limit", container("cpu: 2", "cpu: much"), {}}});
}

TEST_CASE("lint limits: flavors, checks and cohorts that queues of Kueue name", "[lint]") {
  const auto of = [](std::string_view kind, std::string_view meta, std::string_view spec, std::string_view rest = "") {
    return object("kueue.x-k8s.io/v1beta2", kind, meta, fmt::format("spec: {{{}}}\n{}", spec, rest));
  };
  const auto queue = [&](std::string_view flavor, std::string_view more = "", std::string_view amount = "1") {
    return of("ClusterQueue", "name: q",
              fmt::format("resourceGroups: [{{coveredResources: [cpu], flavors: [{{name: {}, resources: [{{name: cpu, "
                          "nominalQuota: {}}}]}}]}}]{}",
                          flavor, amount, more));
  };
  const auto checked = [&](std::string_view name) {
    return queue("f", fmt::format(", admissionChecksStrategy: {{admissionChecks: [{{name: {}}}]}}", name));
  };
  const std::string f = of("ResourceFlavor", "name: f", "nodeLabels: {pool: a}");
  const auto check_of = [&](std::string_view status) {
    return of("AdmissionCheck", "name: c", "",
              status.empty() ? "" : fmt::format("status: {{conditions: [{}]}}", status));
  };
  const auto cohort = [&](std::string_view name, std::string_view parent) {
    return of("Cohort", fmt::format("name: {}", name), parent.empty() ? "" : fmt::format("parentName: {}", parent));
  };
  const auto node = [](std::string_view name, std::string_view pool, std::string_view cpu) {
    return object("v1", "Node", fmt::format("name: {}, labels: {{pool: {}}}", name, pool),
                  fmt::format("status: {{allocatable: {{cpu: '{}'}}}}", cpu));
  };
  const auto workload_of = [&](std::string_view name, std::string_view spec, std::string_view rest = "") {
    return of("Workload", fmt::format("name: {}, namespace: n1", name), fmt::format("queueName: l{}", spec), rest);
  };
  const std::string local = of("LocalQueue", "name: l, namespace: n1", "clusterQueue: q");
  const std::string finished = "status: {conditions: [{type: Finished, status: 'True'}]}";
  const auto kueue_class = [](int value) {
    return object("kueue.x-k8s.io/v1beta2", "WorkloadPriorityClass", "name: k", fmt::format("value: {}", value));
  };
  const std::string ref = ", priorityClassRef: {group: kueue.x-k8s.io, kind: WorkloadPriorityClass, name: k}";
  check(
      {{"KQ008", "a flavor", f + queue("f"), {}},
       {"KQ008", "another flavor", f + queue("g"), {"ClusterQueue q is inactive: no ResourceFlavor g in the input"}},
       {"KQ008", "a flavor without a name", f + queue("''"), {}},
       {"KQ008", "a flavor whose name is filled in", f + of("ResourceFlavor", "name: '${X}'", "") + queue("g"), {}},
       {"KQ008", "an active check", f + check_of("{type: Active, status: 'True'}") + checked("c"), {}},
       {"KQ008",
        "an inactive check",
        f + check_of("{type: Active, status: 'False'}") + checked("c"),
        {"AdmissionCheck c is not active"}},
       {"KQ008", "a check without a status", f + check_of("") + checked("c"), {}},
       {"KQ008", "another check", f + check_of("") + checked("d"), {"no AdmissionCheck d in the input"}},
       {"KQ008", "a check without a name", f + check_of("") + checked("''"), {}},
       {"KQ008", "a check whose name is filled in", f + of("AdmissionCheck", "name: '${X}'", "") + checked("d"), {}},
       {"KQ009", "no cycle", cohort("a", "b") + cohort("b", ""), {}},
       {"KQ009", "itself", cohort("a", "a"), {"cohort a is its own ancestor, through a"}},
       {"KQ009", "two", cohort("a", "b") + cohort("b", "a"), {"cohort a is", "cohort b is"}},
       {"KQ009", "three", cohort("a", "b") + cohort("b", "c") + cohort("c", "a"), {"cohort a", "cohort b", "cohort c"}},
       {"KQ009", "below a cycle", cohort("a", "b") + cohort("b", "b"), {"cohort b is"}},
       {"KQ011",
        "as much as the nodes have",
        f + queue("f", "", "4") + node("n1", "a", "2") + node("n2", "a", "2"),
        {}},
       {"KQ011",
        "more",
        f + queue("f", "", "5") + node("n1", "a", "2") + node("n2", "a", "2"),
        {"add up to 5, and its nodes have 4"}},
       {"KQ011",
        "nodes of another pool",
        f + queue("f", "", "5") + node("n1", "a", "4") + node("n2", "b", "4"),
        {"its nodes have 4"}},
       {"KQ011", "no nodes of its pool", f + queue("f", "", "5") + node("n2", "b", "4"), {}},
       {"KQ011", "no nodes", f + queue("f", "", "5"), {}},
       {"KQ011", "a flavor that is elsewhere", queue("f", "", "5") + node("n1", "a", "4"), {}},
       {"KQ012",
        "two priorities",
        queue("f") + local + workload_of("a", ", priority: 1") + workload_of("b", ", priority: 2"),
        {"have 2 priorities"}},
       {"KQ012", "one", queue("f") + local + workload_of("a", ", priority: 1") + workload_of("b", ", priority: 1"), {}},
       {"KQ012", "none counts as 0", queue("f") + local + workload_of("a", "") + workload_of("b", ", priority: 0"), {}},
       {"KQ012",
        "one that has finished",
        queue("f") + local + workload_of("a", ", priority: 1") + workload_of("b", ", priority: 2", finished),
        {}},
       {"KQ012",
        "they preempt",
        queue("f", ", preemption: {withinClusterQueue: LowerPriority}") + local + workload_of("a", ", priority: 1") +
            workload_of("b", ", priority: 2"),
        {}},
       {"KQ012",
        "of a queue that is elsewhere",
        queue("f") + workload_of("a", ", priority: 1") + workload_of("b", ", priority: 2"),
        {}},
       {"KQ014", "its class", kueue_class(5) + workload_of("w", ref + ", priority: 5"), {}},
       {"KQ014",
        "another value",
        kueue_class(5) + workload_of("w", ref + ", priority: 6"),
        {"has priority 6, and its class k has 5"}},
       {"KQ014", "no priority", kueue_class(5) + workload_of("w", ref), {"has no spec.priority: it counts as 0"}},
       {"KQ014", "no class", kueue_class(5) + workload_of("w", ", priority: 6"), {}},
       {"KQ014",
        "no name",
        kueue_class(5) + workload_of("w", ", priorityClassRef: {kind: WorkloadPriorityClass, name: ''}"),
        {}},
       {"KQ014", "it has finished", kueue_class(5) + workload_of("w", ref + ", priority: 6", finished), {}},
       {"KQ014", "a class that is elsewhere", workload_of("w", ref + ", priority: 6"), {}},
       {"KQ016", "a policy", queue("f", ", stopPolicy: Hold"), {}},
       {"KQ016",
        "no such policy",
        queue("f", ", stopPolicy: Holds"),
        {"\"Holds\" is not one of None, Hold, HoldAndDrain"}},
       {"KQ016", "an empty policy", queue("f", ", stopPolicy: ''"), {}},
       {"KQ016", "a map", queue("f", ", stopPolicy: {a: b}"), {}},
       {"KQ016",
        "a field of the other version",
        queue("f", ", cohort: x"),
        {"v1beta2 has no field spec.cohort, but spec.cohortName"}},
       {"KQ016", "a field of this version", queue("f", ", cohortName: x"), {}}});
  // A repository may have the rest elsewhere.
  const auto broken_beside = [&](const std::string& text) {
    return text + "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: [\n";
  };
  for (const auto& [rule, text] :
       {std::pair<std::string, std::string>{"KQ008", f + queue("g")},
        {"KQ011", f + queue("f", "", "5") + node("n1", "a", "4")},
        {"PD002", budget("name: b", "a") + workload("Deployment", "w", "", "replicas: 1")}}) {
    INFO(rule);
    CHECK(findings_of(rule, text).size() == 1);
    Tree tree;
    tree.read_text("m.yaml", broken_beside(text));
    tree.finish({}, true);
    for (const Finding& finding : lint::lint(tree, {}, {}).items) CHECK(finding.rule != rule);
  }
}

TEST_CASE("lint limits: preemptibility of groups, and children of queues of KAI", "[lint]") {
  const auto group = [](std::string_view word) {
    return object("scheduling.run.ai/v2alpha2", "PodGroup", "name: g",
                  fmt::format("spec: {{preemptibility: {}}}", word));
  };
  check({{"KA027", "preemptible", group("preemptible"), {}},
         {"KA027", "non-preemptible", group("non-preemptible"), {}},
         {"KA027", "semi-preemptible", group("semi-preemptible"), {}},
         {"KA027", "a number: another rule", group("5"), {}},
         {"KA027", "in other letters", group("Preemptible"), {"\"Preemptible\" is not preemptible, non-preemptible"}},
         {"KA027", "a word", group("never"), {"\"never\" is not preemptible"}}});
  CHECK(findings_of("KA027", group("Preemptible")).at(0).fixes.size() == 1);
  CHECK(findings_of("KA027", group("never")).at(0).fixes.empty());
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
