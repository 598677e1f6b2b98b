#include "unit/lint/edges.h"

using namespace previct;
using namespace previct::lint;
using namespace previct::lint::edges;

TEST_CASE("lint limits: rules on KAI's queues", "[lint]") {
  const std::string top = kai_queue("top", "reclaimMinRuntime: 1m");
  const std::string mid = kai_queue("mid", "parentQueue: top");
  const std::string leaf = kai_queue("leaf", "parentQueue: mid, reclaimMinRuntime: 3m");
  const std::string by_queue = object("kai.scheduler/v1", "SchedulingShard", "name: default",
                                      "spec: {plugins: {minruntime: {arguments: {reclaimResolveMethod: queue}}}}");
  const std::string two_gpus = kai_queue("q", "resources: {gpu: {limit: 2}, cpu: {limit: -1}, memory: {limit: -1}}");
  const auto of_queue = [](std::string_view limits) {
    return object(
        "v1", "Pod", "name: p, labels: {kai.scheduler/queue: q}",
        fmt::format("spec: {{schedulerName: kai-scheduler, containers: [{{name: c, resources: {{limits: {{{}}}}}}}]}}",
                    limits));
  };
  check({
      {"KA006", "a queue alone says nothing about others", kai_queue("leaf", "parentQueue: team"), {}},
      {"KA006",
       "but it does in a cluster",
       kai_queue("leaf", "parentQueue: team") + object("v1", "Node", "name: n", ""),
       {"queue leaf: no queue team in the input"}},
      {"KA006",
       "with what was meant",
       kai_queue("research", "") + kai_queue("leaf", "parentQueue: reserch"),
       {"no queue reserch in the input; did you mean research?"}},
      {"KA026",
       "a pod without a queue is not in one without a name",
       object("scheduling.run.ai/v2", "Queue", "", "spec: {resources: {gpu: {limit: 0}}}") +
           object("v1", "Pod", "name: p, annotations: {gpu-fraction: '0.5'}",
                  "spec: {schedulerName: kai-scheduler, containers: [{name: c}]}"),
       {}},
      {"KQ009",
       "cohorts without names or parents are none",
       object("kueue.x-k8s.io/v1beta2", "Cohort", "", "spec: {}") +
           object("kueue.x-k8s.io/v1beta2", "Cohort", "name: a", "spec: {parentName: b}"),
       {}},
      // Against cousins, the values of the parents count, the lowest one that is set.
      {"KA007", "by the value further up", top + mid + leaf, {"queues outside mid it is 1m"}},
      {"KA007",
       "the one in between comes first",
       top + kai_queue("mid", "parentQueue: top, reclaimMinRuntime: 2m") + leaf,
       {"queues outside mid it is 2m"}},
      {"KA007", "which may be as long", top + kai_queue("mid", "parentQueue: top, reclaimMinRuntime: 3m") + leaf, {}},
      {"KA007", "none is set", kai_queue("top", "") + mid + leaf, {"queues outside mid the default counts"}},
      {"KA007", "nothing is promised", top + mid + kai_queue("leaf", "parentQueue: mid, reclaimMinRuntime: 0s"), {}},
      {"KA007", "two levels have no cousins", top + kai_queue("leaf", "parentQueue: top, reclaimMinRuntime: 3m"), {}},
      {"KA007", "resolved by queue, it holds against all", by_queue + top + mid + leaf, {}},
      {"KA009",
       "for preemption as well",
       kai_queue("b", "preemptMinRuntime: 10m") + kai_queue("leaf", "parentQueue: b, preemptMinRuntime: 9m"),
       {"queue leaf lowers preemptMinRuntime from 10m (queue b) to 9m"}},
      {"KA009",
       "the same is not lower",
       kai_queue("b", "preemptMinRuntime: 10m") + kai_queue("leaf", "parentQueue: b, preemptMinRuntime: 600s"),
       {}},
      {"KA009",
       "to nothing at all",
       kai_queue("b", "preemptMinRuntime: 10m") + kai_queue("leaf", "parentQueue: b, preemptMinRuntime: 0s"),
       {"from 10m (queue b) to 0s"}},
      {"KA009",
       "only the nearest queue above counts",
       kai_queue("b", "reclaimMinRuntime: 10m") + kai_queue("mid", "parentQueue: b, reclaimMinRuntime: 1m") +
           kai_queue("leaf", "parentQueue: mid, reclaimMinRuntime: 5m"),
       {"queue mid lowers"}},
      {"KA009",
       "across one that says nothing",
       kai_queue("b", "reclaimMinRuntime: 10m") + kai_queue("mid", "parentQueue: b") +
           kai_queue("leaf", "parentQueue: mid, reclaimMinRuntime: 5m"),
       {"queue leaf lowers reclaimMinRuntime from 10m (queue b) to 5m"}},
      {"KA009",
       "a negative one is another mistake",
       kai_queue("b", "reclaimMinRuntime: 10m") + kai_queue("leaf", "parentQueue: b, reclaimMinRuntime: -1m"),
       {}},
      {"KA010",
       "of each object itself, too",
       kai_queue("team", "") + kai_queue("leaf", "parentQueue: team") +
           object("apps/v1", "Deployment", "name: a, labels: {kai.scheduler/queue: team}", "") +
           object("apps/v1", "Deployment", "name: b, labels: {kai.scheduler/queue: leaf}", ""),
       {"queue team has child queues"}},
      {"KA010",
       "of a pod once",
       kai_queue("team", "") + kai_queue("leaf", "parentQueue: team") +
           pod("name: p, labels: {kai.scheduler/queue: team}", ""),
       {"queue team has child queues"}},
      {"KA010",
       "of a group",
       kai_queue("team", "") + kai_queue("leaf", "parentQueue: team") +
           object("scheduling.run.ai/v2alpha2", "PodGroup", "name: g", "spec: {queue: team}"),
       {"queue team has child queues"}},
      {"KA012",
       "a limit of 0",
       kai_queue("q", "resources: {gpu: {quota: 8, limit: 0}}"),
       {"queue q: the limit of gpu is 0, so no pod may use it; -1 means unlimited"}},
      {"KA012",
       "no limit",
       kai_queue("q", "resources: {gpu: {quota: 8}}"),
       {"the limit of gpu is not set, which is 0"}},
      {"KA012", "a queue that is to have nothing", kai_queue("q", "resources: {gpu: {quota: 0, limit: 0}}"), {}},
      {"KA012", "a limit without a quota", kai_queue("q", "resources: {gpu: {limit: 0}}"), {}},
      {"KA012", "a limit of 4", kai_queue("q", "resources: {gpu: {quota: 8, limit: 4}}"), {}},
      {"KA026",
       "a resource that the queue does not name",
       kai_queue("q", "resources: {gpu: {quota: 8, limit: -1}}") +
           object("v1", "Pod", "name: p, labels: {kai.scheduler/queue: q}",
                  "spec: {schedulerName: kai-scheduler, containers: [{name: c, resources: {requests: {cpu: 1, memory: "
                  "'0'}, limits: "
                  "{nvidia.com/gpu: 1}}}]}"),
       {"Pod p: the pod requests cpu, and queue q does not name it: its limit is 0"}},
      {"KA026",
       "a pod that requests only what is named",
       kai_queue("q", "resources: {gpu: {quota: 8, limit: -1}}") +
           object("v1", "Pod", "name: p, labels: {kai.scheduler/queue: q}",
                  "spec: {schedulerName: kai-scheduler, containers: [{name: c, resources: {limits: {nvidia.com/gpu: "
                  "1}}}]}"),
       {}},
      {"KA026",
       "GPUs, which the queue does not name",
       kai_queue("q", "resources: {cpu: {limit: -1}, memory: {limit: -1}}") + of_queue("nvidia.com/gpu: 1"),
       {"Pod p: the pod requests gpu, and queue q does not name it: its limit is 0"}},
      {"KA026",
       "no GPUs, which the queue does not name",
       kai_queue("q", "resources: {cpu: {limit: -1}, memory: {limit: -1}}") + of_queue("cpu: 1, nvidia.com/gpu: 0"),
       {}},
      {"KA026", "as many GPUs as the limit", two_gpus + of_queue("nvidia.com/gpu: 2"), {}},
      {"KA026",
       "more GPUs than the limit",
       two_gpus + of_queue("nvidia.com/gpu: 3"),
       {"Pod p: the pod counts as 3 GPUs, and queue q may have 2"}},
      {"KA026", "MIG devices of as many slices as the limit", two_gpus + of_queue("nvidia.com/mig-1g.5gb: 2"), {}},
      {"KA026",
       "MIG devices of more slices",
       two_gpus + of_queue("nvidia.com/mig-3g.20gb: 1"),
       {"Pod p: the pod counts as 3 GPUs, and queue q may have 2"}},
      {"KA026",
       "GPUs and MIG devices together",
       two_gpus + of_queue("nvidia.com/gpu: 1, nvidia.com/mig-2g.10gb: 1"),
       {"Pod p: the pod counts as 3 GPUs, and queue q may have 2"}},
      {"KA026",
       "a queue without resources has none",
       kai_queue("q", "priority: 1") +
           object("v1", "Pod", "name: p, labels: {kai.scheduler/queue: q}",
                  "spec: {schedulerName: kai-scheduler, containers: [{name: c, resources: {limits: {memory: 1Gi}}}]}"),
       {"Pod p: the pod requests memory, and queue q does not name it: its limit is 0"}},
      {"KA031", "unlimited", kai_queue("q", "resources: {gpu: {quota: -1, limit: -1}, cpu: {quota: -1.0}}"), {}},
      {"KA031",
       "of memory any negative number means unlimited",
       kai_queue("q", "resources: {memory: {quota: -2}}"),
       {}},
      {"KA031",
       "less than a quota of none",
       kai_queue("q", "resources: {gpu: {quota: -2, limit: -1}}"),
       {"queue q: the quota of gpu is -2: less than no quota; only -1 means unlimited"}},
      {"KA031",
       "also a fraction",
       kai_queue("q", "resources: {cpu: {quota: 5, limit: -0.5}}"),
       {"queue q: the limit of cpu is -0.5: nothing may run; only -1 means unlimited"}},
      {"KA013",
       "an unlimited child takes nothing from the sum",
       kai_queue("top", "resources: {cpu: {quota: 8}}") +
           kai_queue("a", "parentQueue: top, resources: {cpu: {quota: 9}}") +
           kai_queue("b", "parentQueue: top, resources: {cpu: {quota: -1}}"),
       {"queue top: its children have 9 of cpu in quotas, it has 8"}},
      {"KA013",
       "an unlimited parent",
       kai_queue("top", "resources: {cpu: {quota: -1}}") +
           kai_queue("a", "parentQueue: top, resources: {cpu: {quota: 9}}"),
       {}},
      {"KA013",
       "a parent with nothing",
       kai_queue("top", "resources: {memory: {quota: 0}}") +
           kai_queue("a", "parentQueue: top, resources: {memory: {quota: 9}}"),
       {"it has 0"}},
      {"KA013",
       "a parent that says nothing",
       kai_queue("top", "") + kai_queue("a", "parentQueue: top, resources: {cpu: {quota: 9}}"),
       {}},
      {"KA013",
       "other queues do not count",
       kai_queue("top", "resources: {cpu: {quota: 8}}") + kai_queue("a", "resources: {cpu: {quota: 9}}"),
       {}},
      {"KA020",
       "the known fields",
       kai_queue("q",
                 "displayName: Q, parentQueue: p, priority: 1, preemptMinRuntime: 1s, reclaimMinRuntime: 1s, "
                 "resources: {gpu: {quota: 1, limit: 1, overQuotaWeight: 1}}"),
       {}},
      {"KA020", "nothing like it is known", kai_queue("q", "colour: red"), {"queue q: unknown field colour"}},
      {"KA020",
       "by a part of the name",
       kai_queue("q", "reclaimAfter: 1m"),
       {"unknown field reclaimAfter, did you mean reclaimMinRuntime?"}},
      {"KA020",
       "by a part of the name",
       kai_queue("q", "safeFromPreemption: 1m"),
       {"unknown field safeFromPreemption, did you mean preemptMinRuntime?"}},
      {"KA020",
       "of a resource",
       kai_queue("q", "resources: {gpu: {quotas: 1}}"),
       {"unknown field quotas of gpu, did you mean quota?"}},
  });
  const auto fixes = [](const std::string& spec) { return findings_of("KA020", kai_queue("q", spec)).at(0).fixes; };
  CHECK(fixes("reclaimAfter: 1m").size() == 1);
  // A fix must not produce a duplicate key.
  CHECK(fixes("reclaimAfter: 1m, reclaimMinRuntime: 1m").empty());
  CHECK(fixes("colour: red").empty());
}

TEST_CASE("lint limits: rules on priority classes", "[lint]") {
  const std::string bound = "nodeName: n1, priority: 5";
  check({
      {"PC002",
       "of one name: that is another mistake",
       priority_class("a", 1, "globalDefault: true") + priority_class("a", 1, "globalDefault: true"),
       {}},
      {"PC004", "the system's own", priority_class("system-node-critical", 2000001000), {}},
      {"PC004",
       "their names with other values",
       priority_class("system-node-critical", 2000000000),
       {"system-node-critical: names that begin with system- are reserved"}},
      {"PC005",
       "one that runs",
       kLow + pod("name: p", "priorityClassName: low, " + bound),
       {"Pod p has priority 5, but its class low now has 100"}},
      {"PC005", "finished", kLow + pod("name: p", "priorityClassName: low, " + bound, kDone), {}},
      {"PC005",
       "of the system's classes",
       pod("name: p", "priorityClassName: system-node-critical, " + bound),
       {"Pod p has priority 5, but its class system-node-critical now has 2000001000"}},
      {"PC005", "not seen by admission", kLow + pod("name: p", "priorityClassName: low, priority: 5"), {}},
      {"PC005",
       "pending, but seen by admission",
       kLow + pod("name: p, uid: u", "priorityClassName: low, priority: 5"),
       {"has priority 5"}},
      {"PC005",
       "a template",
       kLow + workload("Deployment", "w", "priorityClassName: low, priority: 5, nodeName: n1"),
       {}},
      {"PC005", "without a number", kLow + pod("name: p", "priorityClassName: low, nodeName: n1"), {}},
      {"PC005", "a class that is gone", kLow + pod("name: p", "priorityClassName: gone, " + bound), {}},
      {"PC009", "without a class it is 0", pod("name: p", "priority: 0"), {}},
      {"PC009",
       "without a class it is 0",
       pod("name: p", "priority: 7"),
       {"admission rejects this pod: it sets priority 7, but a pod without a PriorityClass gets 0"}},
      {"PC009",
       "or that of the default",
       priority_class("d", 7, "globalDefault: true") + pod("name: p", "priority: 7"),
       {}},
      {"PC009",
       "of two defaults the lowest",
       priority_class("e", 9, "globalDefault: true") + priority_class("d", 7, "globalDefault: true") +
           pod("name: p", "priority: 9"),
       {"admission rejects this pod: it sets priority 9, but PriorityClass d gives 7"}},
      {"PC009", "admission had it", kLow + pod("name: p, uid: u", "priorityClassName: low, priority: 7"), {}},
      {"PC009", "it runs", kLow + pod("name: p", "priorityClassName: low, priority: 7, nodeName: n1"), {}},
      {"PC009", "a class that is not here", kLow + pod("name: p", "priorityClassName: gone, priority: 7"), {}},
      {"PC009",
       "the policy of a class",
       priority_class("mild", 1, "preemptionPolicy: Never") +
           pod("name: p", "priorityClassName: mild, preemptionPolicy: Never"),
       {}},
      {"PC009",
       "the policy of a class",
       priority_class("mild", 1, "preemptionPolicy: Never") +
           pod("name: p", "priorityClassName: mild, preemptionPolicy: PreemptLowerPriority"),
       {"admission rejects this pod: it sets preemptionPolicy PreemptLowerPriority, but PriorityClass mild gives "
        "Never"}},
      {"PC009",
       "without a class",
       pod("name: p", "preemptionPolicy: Never"),
       {"admission rejects this pod: it sets preemptionPolicy Never, but a pod without a PriorityClass gets "
        "PreemptLowerPriority"}},
      {"DU004",
       "objects of two lives, or of two clusters",
       pod("name: p, uid: u", "nodeName: n1") + pod("name: p, uid: v", "nodeName: n2"),
       {}},
      {"DU004",
       "a manifest beside the object that was made of it",
       pod("name: p", "") + pod("name: p, uid: u", "nodeName: n2"),
       {}},
      {"DU004",
       "one object, written twice",
       pod("name: p", "nodeName: n1") + pod("name: p", "nodeName: n2"),
       {"defined twice"}},
      {"SC011",
       "beside a filter of a build of its own",
       "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n- plugins:\n    "
       "filter: "
       "{enabled: [{name: OwnNodeResources}], disabled: [{name: NodeResourcesFit}]}\n",
       {}},
      {"PC010", "of no more than 0", priority_class("d", 0, "globalDefault: true"), {}},
      {"PC010", "of 1", priority_class("d", 1, "globalDefault: true"), {"(1 against 0)"}},
      {"PC010", "which never preempts", priority_class("d", 1, "globalDefault: true\npreemptionPolicy: Never"), {}},
      {"PC011", "one that is used", kLow + pod("name: p", "priorityClassName: low, nodeName: n1"), {}},
      {"PC011", "one that is not", kLow + pod("name: p", "nodeName: n1"), {"no pod in the input uses class low"}},
      {"PC011", "nothing runs", kLow + pod("name: p", ""), {}},
      {"PC011", "what runs has ended", kLow + pod("name: p", "nodeName: n1", kDone), {}},
      {"PC011", "the default", priority_class("d", 1, "globalDefault: true") + pod("name: p", "nodeName: n1"), {}},
      {"PC011",
       "the system's",
       priority_class("system-node-critical", 2000001000) + pod("name: p", "nodeName: n1"),
       {}},
      {"PC015", "the default in words", priority_class("d", 1, "preemptionPolicy: PreemptLowerPriority"), {}},
      {"PC015", "of a pod", pod("name: p", "preemptionPolicy: Sometimes"), {"\"Sometimes\" is neither Never nor"}},
  });
  CHECK(findings_of("PC015", priority_class("d", 1, "preemptionPolicy: never")).at(0).fixes.size() == 1);
  CHECK(findings_of("PC015", priority_class("d", 1, "preemptionPolicy: Sometimes")).at(0).fixes.empty());
}

// The answers of kube-apiserver 1.35's registry when each of them is created.
TEST_CASE("lint: names, namespaces and labels that the API server refuses", "[lint]") {
  const auto labelled = [](std::string_view labels) {
    return object("scheduling.k8s.io/v1", "PriorityClass", fmt::format("name: a, labels: {{{}}}", labels), "value: 1");
  };
  check({
      {"DU010",
       "a name that is no text",
       object("scheduling.k8s.io/v1", "PriorityClass", "name: [a]", "value: 1"),
       {"a name is a string"}},
      {"DU010", "a namespace with a dot", budget("name: a, namespace: a.b", "web"), {"namespace \"a.b\""}},
      {"DU010", "a namespace", budget("name: a, namespace: a-1", "web"), {}},
      {"DU010", "a namespace that is filled in", budget("name: a, namespace: '${NS}'", "web"), {}},
      {"DU010", "labels", labelled("a: '', b.c/D_e.f: X-1_y.z, n: 'true'"), {}},
      {"DU010", "a value with a blank", labelled("a: b c"), {"label a: \"b c\" is not a valid label value"}},
      {"DU010", "a value of 64 letters", labelled("a: " + std::string(64, 'x')), {"is not a valid label value"}},
      {"DU010", "a domain with capitals", labelled("App.kubernetes.io/name: a"), {"label App.kubernetes.io/name"}},
      {"DU010", "a value that is filled in", labelled("a: '${A B}'"), {}},
  });
}

TEST_CASE("lint fix: a v1beta3 configuration can be read as v1", "[lint][fix]") {
  const auto fixes = [](std::string_view version, std::string_view arguments) {
    const std::string text = fmt::format(
        "apiVersion: kubescheduler.config.k8s.io/{}\nkind: KubeSchedulerConfiguration\nprofiles:\n- pluginConfig:\n"
        "  - {{name: InterPodAffinity, args: {{{}}}}}\n",
        version, arguments);
    return findings_of("SC005", text).at(0).fixes.size();
  };
  CHECK(fixes("v1beta3", "hardPodAffinityWeight: 1") == 1);
  CHECK(fixes("v1beta3", "apiVersion: kubescheduler.config.k8s.io/v1beta3") == 0);
  CHECK(fixes("v1beta2", "hardPodAffinityWeight: 1") == 0);
}

TEST_CASE("lint: a configuration in a dump is one that its scheduler reads, unless a node shows otherwise", "[lint]") {
  const auto in_configmap = [](std::string_view meta) {
    return object("v1", "ConfigMap", meta,
                  "data:\n  c.yaml: |\n    apiVersion: kubescheduler.config.k8s.io/v1beta3\n"
                  "    kind: KubeSchedulerConfiguration");
  };
  const std::string node = object("v1", "Node", "name: n", "status: {nodeInfo: {kubeletVersion: v1.33.1}}");
  check({
      {"SC005", "a manifest", in_configmap("name: a"), {"v1beta3"}},
      {"SC005", "what a cluster has", in_configmap("name: a, uid: u"), {}},
      {"SC005", "what a younger cluster has", in_configmap("name: a, uid: u") + node, {"v1beta3"}},
  });
}

TEST_CASE("lint limits: rules on quotas of flavors", "[lint]") {
  const std::string flavor =
      object("kueue.x-k8s.io/v1beta2", "ResourceFlavor", "name: spot", "spec: {nodeLabels: {pool: a, zone: x}}");
  const auto quota = [](std::string_view name, int cpu) {
    return object("kueue.x-k8s.io/v1beta2", "ClusterQueue", fmt::format("name: {}", name),
                  fmt::format("spec: {{namespaceSelector: {{}}, resourceGroups: [{{coveredResources: [cpu], flavors: "
                              "[{{name: spot, resources: [{{name: cpu, nominalQuota: {}}}]}}]}}]}}",
                              cpu));
  };
  const auto node = [](std::string_view name, std::string_view labels) {
    return object("v1", "Node", fmt::format("name: {}, labels: {{{}}}", name, labels),
                  "status: {allocatable: {cpu: 4, pods: 110}}");
  };
  const std::string both = node("n1", "pool: a, zone: x") + node("n2", "pool: a, zone: x, disk: ssd");
  check({
      {"KQ011", "as much as two nodes have", flavor + quota("q", 8) + both, {}},
      {"KQ011", "more than they have", flavor + quota("q", 9) + both, {"add up to 9, and its nodes have 8"}},
      {"KQ011",
       "quotas of two queues",
       flavor + quota("q", 5) + quota("r", 4) + both,
       {"add up to 9, and its nodes have 8"}},
      {"KQ011",
       "nodes without all labels do not count",
       flavor + quota("q", 5) + node("n1", "pool: a, zone: x") + node("n2", "pool: a") + node("n3", "pool: a, zone: y"),
       {"add up to 5, and its nodes have 4"}},
      {"KQ011", "a flavor without nodes is not judged", flavor + quota("q", 5) + node("n2", "pool: b"), {}},
      {"KQ011", "a flavor that is missing is not judged", quota("q", 5) + both, {}},
  });
}

TEST_CASE("lint limits: rules on budgets", "[lint]") {
  const std::string web = workload("Deployment", "web", "priorityClassName: low");
  const std::string two = budget("name: one", "a") + budget("name: two", "a");
  const auto budget_of = [](const std::string& limit) {
    return object("policy/v1", "PodDisruptionBudget", "name: b", "spec: {" + limit + ", selector: {}}");
  };
  const auto replicas = [](int count) { return workload("Deployment", "web", "", fmt::format("replicas: {}", count)); };
  const std::string disrupted = object("policy/v1", "PodDisruptionBudget", "name: web, namespace: x",
                                       "spec: {minAvailable: 1}\nstatus: {disruptedPods: {p: '2026-03-02T10:00:00Z'}}");
  check({
      {"PD002",
       "none may be away",
       object("policy/v1", "PodDisruptionBudget", "name: b", "spec: {maxUnavailable: 0%, selector: {}}"),
       {"budget b never allows a disruption"}},
      {"PD002",
       "all must be there",
       object("policy/v1", "PodDisruptionBudget", "name: b", "spec: {minAvailable: 100%, selector: {}}"),
       {"budget b never allows a disruption"}},
      {"PD002",
       "one may",
       object("policy/v1", "PodDisruptionBudget", "name: b", "spec: {maxUnavailable: 1, selector: {}}"),
       {}},
      {"PD002",
       "one must",
       object("policy/v1", "PodDisruptionBudget", "name: b", "spec: {minAvailable: 0, selector: {}}"),
       {}},
      // One of one; 50 % of one and 67 % of three are rounded up; two of three leave one.
      {"PD002",
       "one of one",
       budget_of("minAvailable: 1") + replicas(1),
       {"minAvailable 1 requires the only replica of Deployment web, and"}},
      {"PD002",
       "all of three",
       budget_of("minAvailable: 3") + replicas(3),
       {"requires all 3 replicas of Deployment web"}},
      {"PD002", "half of one", budget_of("minAvailable: 50%") + replicas(1), {"requires the only replica"}},
      {"PD002",
       "two thirds of three",
       budget_of("minAvailable: 67%") + replicas(3),
       {"requires all 3 replicas of Deployment web"}},
      {"PD002", "two of three", budget_of("minAvailable: 66%") + replicas(3), {}},
      {"PD002",
       "replicas that nothing sets: 1 by default",
       budget_of("minAvailable: 1") + workload("Deployment", "web", "", "paused: false"),
       {"requires the only replica of Deployment web (replicas defaults to 1, unless an autoscaler sets it)"}},
      {"PD002",
       "replicas that only an autoscaler sets",
       budget_of("minAvailable: 1") + workload("Deployment", "web", "", "paused: false") +
           object("autoscaling/v2", "HorizontalPodAutoscaler", "name: web", "spec: {scaleTargetRef: {name: web}}"),
       {}},
      {"PD002",
       "replicas that an autoscaler sets",
       budget_of("minAvailable: 1") + replicas(1) +
           object("autoscaling/v2", "HorizontalPodAutoscaler", "name: web", "spec: {scaleTargetRef: {name: web}}"),
       {}},
      {"PD002",
       "replicas that a kustomization sets",
       budget_of("minAvailable: 1") + replicas(1) +
           object("kustomize.config.k8s.io/v1beta1", "Kustomization", "name: k", "replicas: [{name: web, count: 3}]"),
       {}},
      {"PD010",
       "without a version, another rule says so",
       "---\nkind: PodDisruptionBudget\nmetadata: {name: b}\nspec: {minAvailable: 1, selector: {matchLabels: {a: "
       "b}}}\n",
       {}},
      {"PD010",
       "v2",
       object("policy/v2", "PodDisruptionBudget", "name: b", "spec: {minAvailable: 1}"),
       {"PodDisruptionBudget does not exist in policy/v2"}},
      {"PD010",
       "a dump",
       object("policy/v1beta1", "PodDisruptionBudget", "name: b, uid: u", "spec: {minAvailable: 1}"),
       {}},
      {"PD002", "of no pod", object("policy/v1", "PodDisruptionBudget", "name: b", "spec: {maxUnavailable: 0}"), {}},
      {"PD004", "one covers others", budget("name: one", "a") + budget("name: two", "b") + web, {}},
      {"PD004", "of another namespace", budget("name: one", "a") + budget("name: two, namespace: x", "a") + web, {}},
      {"PD004",
       "is said once",
       two + web + workload("Deployment", "more", ""),
       {"Deployment web is covered by two budgets, one and two"}},
      {"PD004",
       "of three",
       two + budget("name: three", "a") + web,
       {"Deployment web is covered by two budgets, one and two",
        "Deployment web is covered by two budgets, one and three"}},
      {"PD004", "finished pods count for no budget", two + pod("name: p, labels: {app: a}", "", kDone), {}},
      {"PD005", "one replica", kTwo + workload("Deployment", "web", "priorityClassName: low", "replicas: 1"), {}},
      {"PD005",
       "no word of replicas",
       kTwo + workload("Deployment", "web", "priorityClassName: low", "paused: false"),
       {}},
      {"PD005",
       "two of a StatefulSet",
       kTwo + workload("StatefulSet", "db", "priorityClassName: low", "replicas: 2"),
       {"2 replicas of priority 100 without a budget"}},
      {"PD005", "what others make", kTwo + workload("ReplicaSet", "web", "priorityClassName: low"), {}},
      {"PD005",
       "several",
       kTwo + web + workload("Deployment", "more", "priorityClassName: low"),
       {"without a budget (and 1 more)"}},
      {"PD005", "a class that is not here", kTwo + workload("Deployment", "web", "priorityClassName: gone"), {}},
      {"PD005", "nobody is above", kTwo + workload("Deployment", "web", "priorityClassName: high"), {}},
      {"PD005",
       "who is above never preempts",
       kLow + priority_class("high", 9000, "preemptionPolicy: Never") + web,
       {}},
      {"PD005", "a budget for others", kTwo + budget("name: b", "b") + web, {"3 replicas"}},
      {"PD005", "a budget elsewhere", kTwo + budget("name: b, namespace: x", "a") + web, {"3 replicas"}},
      {"PD007",
       "it runs",
       disrupted + pod("name: p, namespace: x", "nodeName: n1"),
       {"budget web counts p as evicted, although it still runs"}},
      {"PD007",
       "it goes",
       disrupted + pod("name: p, namespace: x, deletionTimestamp: '2026-03-02T10:00:00Z'", "nodeName: n1"),
       {}},
      {"PD007", "it never ran", disrupted + pod("name: p, namespace: x", ""), {}},
      {"PD007", "another", disrupted + pod("name: q, namespace: x", "nodeName: n1"), {}},
      {"PD007", "one of that name elsewhere", disrupted + pod("name: p, namespace: y", "nodeName: n1"), {}},
      {"PD011",
       "the other one alone",
       object("policy/v1", "PodDisruptionBudget", "name: b", "spec: {maxUnavailable: 1}"),
       {}},
  });
  CHECK(findings_of("PD005", kTwo + web, true).size() == 1);
  CHECK(findings_of("PD005", kTwo + web, false).empty());  // the budget may be in another folder
}
