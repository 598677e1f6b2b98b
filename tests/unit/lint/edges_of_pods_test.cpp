#include "unit/lint/edges.h"

using namespace previct;
using namespace previct::lint;
using namespace previct::lint::edges;

TEST_CASE("where rules on pods end", "[lint]") {
  const std::string web = workload("Deployment", "web", "priorityClassName: low");
  const auto with_terms = [](std::string_view kind, std::string_view term) {
    return fmt::format(
        "priorityClassName: high, affinity: {{{}: {{requiredDuringSchedulingIgnoredDuringExecution: [{{{}}}]}}}}", kind,
        term);
  };
  const std::string selector = "labelSelector: {matchLabels: {app: a}}";
  const auto near = [&](std::string_view more) {
    return workload("Deployment", "near", with_terms("podAffinity", selector + std::string(more)), "replicas: 1",
                    "labels: {app: b}");
  };
  const auto off = [&](std::string_view key, std::string_view more = "") {
    return workload("Deployment", "away",
                    with_terms("podAntiAffinity", fmt::format("topologyKey: {}, {}{}", key, selector, more)),
                    "replicas: 1", "labels: {app: b}");
  };
  const std::string waits = "preemptionPolicy: Never, priorityClassName: high";
  const std::string unschedulable = "status: {conditions: [{type: PodScheduled, reason: Unschedulable}]}";
  const std::string runs = pod("name: r", "priorityClassName: low, nodeName: n1");
  const auto shielded = [](std::string_view annotation) {
    return workload("Deployment", "web", "priorityClassName: low", "replicas: 1",
                    fmt::format("annotations: {{{}}}", annotation));
  };
  check({
      {"PO001",
       "others run below it",
       kTwo + runs + pod("name: p", waits, unschedulable),
       {"(priority 9000) waits although pods of priority 100 run"}},
      {"PO001",
       "none below it",
       kTwo + pod("name: r", "priorityClassName: high, nodeName: n1") + pod("name: p", waits, unschedulable),
       {}},
      {"PO001", "it is on a node", kTwo + runs + pod("name: p", waits + ", nodeName: n1", unschedulable), {}},
      {"PO001", "nothing runs", kTwo + pod("name: p", waits, unschedulable), {}},
      {"PO001", "nobody tried it", kTwo + runs + pod("name: p", waits), {}},
      {"PO001", "it may preempt", kTwo + runs + pod("name: p", "priorityClassName: high", unschedulable), {}},
      {"PO003",
       "as high as the highest",
       kLow + web + workload("DaemonSet", "agent", "priorityClassName: low", "paused: false"),
       {}},
      {"PO003",
       "below the highest of several",
       kTwo + web + workload("Deployment", "top", "priorityClassName: high") + workload("DaemonSet", "agent", ""),
       {"has priority 0, below Deployment top with 9000"}},
      {"PO003",
       "others have none, either",
       workload("Deployment", "w", "") + priority_class("neg", -5) +
           workload("DaemonSet", "agent", "priorityClassName: neg"),
       {}},
      {"PO003",
       "the system's pods are above everybody",
       workload("Deployment", "dns", "priorityClassName: system-cluster-critical") + workload("DaemonSet", "agent", ""),
       {}},
      {"PO003",
       "pods that others make",
       kLow + pod(kOwned, "priorityClassName: low") + workload("DaemonSet", "agent", ""),
       {}},
      {"PO003",
       "finished pods",
       kLow + pod("name: p", "priorityClassName: low", kDone) + workload("DaemonSet", "agent", ""),
       {}},
      {"PO004", "as long as it may be", kTwo + workload("Deployment", "w", "terminationGracePeriodSeconds: 300"), {}},
      {"PO004",
       "longer",
       kTwo + workload("Deployment", "w", "terminationGracePeriodSeconds: 301"),
       {"waits up to 301s"}},
      {"PO004",
       "nobody preempts it",
       kTwo + workload("Deployment", "w", "priorityClassName: high, terminationGracePeriodSeconds: 301"),
       {}},
      {"PO004",
       "of a class that is not here",
       kTwo + workload("Deployment", "w", "priorityClassName: gone, terminationGracePeriodSeconds: 301"),
       {}},
      {"PO004", "made by another", kTwo + pod(kOwned, "terminationGracePeriodSeconds: 301"), {}},
      {"PO005",
       "near one of lower priority",
       kTwo + web + near(""),
       {"Deployment near (9000) must be near Deployment web (100)"}},
      {"PO005", "near its equal", kTwo + workload("Deployment", "web", "priorityClassName: high") + near(""), {}},
      {"PO005", "in namespaces that it names", kTwo + web + near(", namespaces: [x]"), {}},
      {"PO005", "in namespaces that it selects", kTwo + web + near(", namespaceSelector: {}"), {}},
      {"PO005",
       "one of them is named",
       kTwo + web + workload("Deployment", "more", "priorityClassName: low") + near(""),
       {"near Deployment web"}},
      {"PO005", "not near that one", kTwo + near(""), {}},
      {"PO006", "over zones", kTwo + web + off("zone"), {"Deployment away keeps off Deployment web over zone"}},
      {"PO006", "over nodes", kTwo + web + off("kubernetes.io/hostname"), {}},
      {"PO006", "in namespaces that it names", kTwo + web + off("zone", ", namespaces: [x]"), {}},
      {"PO006", "in namespaces that it selects", kTwo + web + off("zone", ", namespaceSelector: {}"), {}},
      {"PO006",
       "its equals are no victims",
       kTwo + workload("Deployment", "web", "priorityClassName: high") + off("zone"),
       {}},
      {"PO006",
       "what is made by others",
       kTwo + pod(fmt::format("{}, labels: {{app: a}}", kOwned), "") + off("zone"),
       {}},
      {"PO008", "made by another", kTwo + pod(kOwned, "priorityClassName: low"), {}},
      {"PO008",
       "of the kubelet",
       kTwo + pod("name: p, annotations: {kubernetes.io/config.mirror: x}", "priorityClassName: low"),
       {}},
      {"PO008", "a template", kTwo + web, {}},
      {"PO008", "without a class", kTwo + pod("name: p", ""), {}},
      {"PO008", "of a class that is not here", kTwo + pod("name: p", "priorityClassName: gone"), {}},
      {"PO008", "has ended", kTwo + pod("name: p", "priorityClassName: low", kDone), {}},
      {"PO008", "may be preempted", kTwo + pod("name: p", "priorityClassName: low"), {"preempted by class high, say"}},
      {"PO009", "no classes are known", pod("name: p", ""), {}},
      {"PO009", "there is a default", priority_class("d", 1, "globalDefault: true") + pod("name: p", ""), {}},
      {"PO009",
       "several",
       kLow + pod("name: p", "") + pod("name: q", ""),
       {"Pod p has no class: its pods have priority 0 (and 1 more)"}},
      {"PO009", "with a number", kLow + pod("name: p", "priority: 0"), {}},
      {"PO009", "on a node", kLow + pod("name: p", "nodeName: n1"), {}},
      {"PO009", "made by another", kLow + pod(kOwned, ""), {}},
      {"PO010", "two replicas", kTwo + workload("StatefulSet", "db", "priorityClassName: low", "replicas: 2"), {}},
      {"PO010",
       "one unless it says otherwise",
       kTwo + workload("StatefulSet", "db", "priorityClassName: low", "serviceName: db"),
       {"StatefulSet db has one replica and the lowest class, low"}},
      {"PO010", "no StatefulSet", kTwo + workload("Deployment", "db", "priorityClassName: low", "replicas: 1"), {}},
      {"PO010",
       "of one class it is the highest, too",
       kLow + workload("StatefulSet", "db", "priorityClassName: low", "replicas: 1"),
       {}},
      {"PO010",
       "without a class",
       priority_class("a", 0) + priority_class("b", 9) + workload("StatefulSet", "db", "", "replicas: 1"),
       {}},
      {"PO011", "a label", pod("name: p, labels: {a: 1}", ""), {"label a is not a string"}},
      {"PO011",
       "of a template",
       workload("Deployment", "w", "", "replicas: 1", "annotations: {a: true}"),
       {"annotation a is not a string"}},
      {"PO011",
       "of what is not Kubernetes' own",
       object("example.com/v1", "Thing", "name: t, labels: {a: 1}", "spec: {}"),
       {}},
      {"PO012",
       "of a container",
       object("v1", "Pod", "name: p", "spec: {containers: [{name: c, priorityClassName: low}]}"),
       {"priorityClassName does not stand in the spec of the pod"}},
      {"PO012",
       "of the metadata",
       pod("name: p, priorityClassName: low", ""),
       {"does not stand in the spec of the pod"}},
      {"PO012",
       "of the spec of a workload",
       workload("Deployment", "w", "", "priorityClassName: low"),
       {"does not stand in the spec of the pod"}},
      {"PO012",
       "where others define it",
       object("example.com/v1", "Thing", "name: t",
              "spec:\n  priorityClassName: low\n  template: {metadata: {}, spec: {containers: [{name: c}]}}"),
       {}},
      {"PO012",
       "of a job",
       object("batch/v1", "Job", "name: j",
              "spec:\n  priorityClassName: low\n  template: {spec: {containers: [{name: c}]}}"),
       {"does not stand in the spec of the pod"}},
      {"PO012",
       "misspelt",
       pod("name: p", "priorityClass: low"),
       {"unknown field priorityClass, did you mean priorityClassName?"}},
      {"PO012", "the number has a field of its own", pod("name: p", "priority: 5, priorityClassName: low"), {}},
      {"PO013",
       "of Karpenter",
       kTwo + shielded("karpenter.sh/do-not-disrupt: 'true'"),
       {"karpenter.sh/do-not-disrupt does not keep the scheduler from preempting"}},
      {"PO013",
       "of Karpenter, as it was",
       kTwo + shielded("karpenter.sh/do-not-evict: 'true'"),
       {"karpenter.sh/do-not-evict"}},
      {"PO013", "it says the contrary", kTwo + shielded("cluster-autoscaler.kubernetes.io/safe-to-evict: 'true'"), {}},
      {"PO013", "nobody may preempt it", kLow + shielded("karpenter.sh/do-not-disrupt: 'true'"), {}},
      {"PT008",
       "of a template",
       workload("Deployment", "w", "", "replicas: 1", "annotation: {a: b}"),
       {"did you mean annotations?"}},
      {"PT008", "of a pod, once", pod("name: p, annotation: {a: b}", ""), {"did you mean annotations?"}},
  });
  CHECK(findings_of("PO008", kTwo + pod("name: p", "priorityClassName: low"), false).empty());
  CHECK(findings_of("PO009", kLow + pod("name: p", ""), false).empty());
  CHECK(findings_of("PO012", pod("name: p", "priorityClass: low")).at(0).fixes.size() == 1);
  CHECK(findings_of("PO011", pod("name: p, labels: {a: 1}", "")).at(0).fixes.size() == 1);
  CHECK(findings_of("PO011", pod("name: p, labels: {a: {b: c}}", "")).at(0).fixes.empty());
}

TEST_CASE("where rules on several schedulers of one node end", "[lint]") {
  const auto of = [](std::string_view name, std::string_view scheduler, std::string_view more) {
    return pod(fmt::format("name: {}, namespace: x", name),
               fmt::format("schedulerName: {}, priorityClassName: {}", scheduler, more));
  };
  const std::string low = of("a", "one", "low, nodeName: n1");
  check({
      {"SC008",
       "one outranks the other",
       kTwo + low + of("b", "two", "high, nodeName: n1"),
       {"Pod x/b of two outranks Pod x/a of one on node n1"}},
      {"SC008",
       "in the other order",
       kTwo + of("b", "two", "high, nodeName: n1") + low,
       {"Pod x/b of two outranks Pod x/a of one on node n1"}},
      {"SC008",
       "each pair once",
       kTwo + low + of("b", "two", "high, nodeName: n1") + of("c", "two", "high, nodeName: n1"),
       {"Pod x/b of two"}},
      {"SC008",
       "both ways",
       kTwo + low + of("b", "two", "high, nodeName: n1") + of("c", "one", "high, nodeName: n2") +
           of("d", "two", "low, nodeName: n2"),
       {"Pod x/b of two outranks", "Pod x/c of one outranks"}},
      {"SC008", "of one priority", kTwo + low + of("b", "two", "low, nodeName: n1"), {}},
      {"SC008", "of one scheduler", kTwo + low + of("b", "one", "high, nodeName: n1"), {}},
      {"SC008", "on two nodes", kTwo + low + of("b", "two", "high, nodeName: n2"), {}},
      {"SC008", "on none", kTwo + low + of("b", "two", "high"), {}},
  });
}

TEST_CASE("where rules on YuniKorn's queues end", "[lint]") {
  check({
      {"YK001", "known words", yunikorn_queue("application.sort.policy: fair, preemption.policy: FENCE"), {}},
      {"YK001", "known words", yunikorn_queue("application.sort.policy: fifo, preemption.policy: default"), {}},
      {"YK001", "known words", yunikorn_queue("application.sort.policy: stateaware, preemption.policy: Disabled"), {}},
      {"YK001", "no words", yunikorn_queue("application.sort.policy: '', preemption.policy: ''"), {}},
      {"YK001",
       "an order",
       yunikorn_queue("application.sort.policy: random"),
       {"application.sort.policy \"random\" is not known: fifo is taken"}},
      {"YK001",
       "both",
       yunikorn_queue("application.sort.policy: random, preemption.policy: never"),
       {"\"random\" is not known", "\"never\" is not known: preemption stays on"}},
      {"YK004", "the words", yunikorn_queue("priority.policy: Fence"), {}},
      {"YK004", "the words", yunikorn_queue("priority.policy: default"), {}},
      {"YK004", "another", yunikorn_queue("priority.policy: fenced"), {"priority.policy \"fenced\" is not known"}},
      {"YK004", "beyond 32 bits", yunikorn_queue("priority.offset: '2147483648'"), {"is no number of 32 bits"}},
      {"YK004", "the last of 32 bits", yunikorn_queue("priority.offset: '-2147483648'"), {}},
      {"YK015",
       "YK012 tells of what is refused",
       "partitions:\n- name: default\n  placementrules:\n  - name: tag\n  queues:\n  - name: root\n    queues:\n"
       "    - name: a\n    - name: a\n",
       {}},
  });
  CHECK(findings_of("YK001", yunikorn_queue("preemption.policy: disable")).at(0).fixes.size() == 1);
  CHECK(findings_of("YK001", yunikorn_queue("preemption.policy: never")).at(0).fixes.empty());
}
