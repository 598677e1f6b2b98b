// False and missing findings that public repositories revealed.
#include "lint/autoscaler.h"
#include "unit/lint/edges.h"

using namespace previct;
using namespace previct::lint;
using namespace previct::lint::edges;

namespace {

auto limit(std::string_view field) -> std::string {
  return object("policy/v1", "PodDisruptionBudget", "name: b", fmt::format("spec: {{{}, selector: {{}}}}", field));
}

auto budget_with(std::string_view spec) -> std::string {
  return object("policy/v1", "PodDisruptionBudget", "name: b", fmt::format("spec: {{{}}}", spec));
}

auto priority_class_of(std::string_view version) -> std::string {
  return object(fmt::format("scheduling.k8s.io/{}", version), "PriorityClass", "name: a", "value: 1");
}

auto configuration(std::string_view profile) -> std::string {
  return fmt::format("apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n- {}\n",
                     profile);
}

}  // namespace

TEST_CASE("lint: what the API server refuses in budgets and classes", "[lint]") {
  check({
      // intstr.IntOrString.UnmarshalJSON: what is not a string must be an int32.
      {"PD012", "a fraction", limit("minAvailable: 1.5"), {"budget b: minAvailable 1.5 must be a 32-bit integer"}},
      {"PD012", "a boolean", limit("minAvailable: true"), {"minAvailable true must be a 32-bit integer"}},
      {"PD012", "2^31", limit("maxUnavailable: 2147483648"), {"maxUnavailable 2147483648 must be a 32-bit integer"}},
      {"PD012", "2^31 - 1", limit("maxUnavailable: 2147483647"), {}},
      {"PD012",
       "a whole number of JSON",
       R"({"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "b"}, "spec": {"minAvailable": 1.0}})",
       {}},
      {"PD012", "a list", limit("maxUnavailable: [1]"), {"budget b: maxUnavailable must be a 32-bit integer"}},
      {"PD012", "a map", limit("maxUnavailable: {}"), {"budget b: maxUnavailable must be a 32-bit integer"}},
      {"PD012", "a map that is to be filled in", limit("maxUnavailable: {max}"), {}},
      {"DU011",
       "capitals count",
       budget_with("minavailable: 1, selector: {}"),
       {"PodDisruptionBudget b: unknown field minavailable, did you mean minAvailable?"}},
      {"DU011",
       "in the selector",
       budget_with("minAvailable: 1, selector: {matchLabel: {a: b}}"),
       {"unknown field matchLabel, did you mean matchLabels?"}},
      {"DU011",
       "all that are known",
       budget_with("minAvailable: 1, maxUnavailable: 1, unhealthyPodEvictionPolicy: AlwaysAllow, selector: "
                   "{matchLabels: {}, matchExpressions: []}"),
       {}},
      {"DU011", "like none that is known", budget_with("colour: red, selector: {app: a}"), {}},
      {"DU011",
       "of a class",
       priority_class("a", 1, "globaldefault: true"),
       {"PriorityClass a: unknown field globaldefault, did you mean globalDefault?"}},
      {"DU011",
       "by a part of the name",
       priority_class("a", 1, "preemptPolicy: Never"),
       {"unknown field preemptPolicy, did you mean preemptionPolicy?"}},
      {"DU011",
       "a class has no spec",
       object("scheduling.k8s.io/v1", "PriorityClass", "name: a", "spec: {value: 1}"),
       {"PriorityClass a: unknown field spec; value belongs next to kind and metadata"}},
      {"DU011",
       "the first field of a class that the API server knows",
       object("scheduling.k8s.io/v1", "PriorityClass", "name: a", "spec: {other: 1, globalDefault: true, value: 1}"),
       {"PriorityClass a: unknown field spec; globalDefault belongs"}},
      {"DU011",
       "all of a class",
       priority_class("a", 1, "globalDefault: true\ndescription: d\npreemptionPolicy: Never"),
       {}},
      {"DU006", "a description", priority_class("a", 1, "description: 5"), {"description: expected a string, found 5"}},
      {"DU006",
       "annotations that are a list",
       object("scheduling.k8s.io/v1", "PriorityClass", "name: a, annotations: [b]", "value: 1"),
       {"metadata.annotations"}},
      {"DU006",
       "replicas",
       workload("Deployment", "d", "", "replicas: '2'"),
       {"spec.replicas: expected an integer of 32 bits, found the string \"2\""}},
      {"DU006",
       "a template",
       workload("Deployment", "d", "terminationGracePeriodSeconds: 30s"),
       {"pod template: spec.terminationGracePeriodSeconds: expected an integer of 64 bits, found the string \"30s\""}},
      {"DU006",
       "a class that is a number",
       workload("StatefulSet", "d", "priorityClassName: 100"),
       {"pod template: spec.priorityClassName: expected a string, found the number 100"}},
      {"DU006", "labels of a template: PO011", workload("Deployment", "d", "", "replicas: 1", "labels: {a: 1}"), {}},
      {"DU006",
       "a template of somebody else's kind",
       object("example.com/v1", "Fleet", "name: f",
              "spec: {replicas: '2', template: {spec: {priorityClassName: 1, containers: [{name: c}]}}}"),
       {}},
      {"KA025",
       "a level of a sub-group",
       object("kai.scheduler/v1alpha1", "Topology", "name: racks", "spec: {levels: [{nodeLabel: rack}]}") +
           object("scheduling.run.ai/v2alpha2", "PodGroup", "name: g",
                  "spec: {minMember: 1, subGroups: [{name: s, minMember: 1, topologyConstraint: {topology: racks, "
                  "requiredTopologyLevel: row}}]}"),
       {"topology racks has no level row"}},
      // An enum of the CRD.
      {"KA027",
       "of a PodGroup",
       object("scheduling.run.ai/v2alpha2", "PodGroup", "name: g", "spec: {minMember: 1, preemptibility: Preemptible}"),
       {"preemptibility \"Preemptible\" is not preemptible, non-preemptible or semi-preemptible"}},
      {"KA018",
       "is not ignored there",
       object("scheduling.run.ai/v2alpha2", "PodGroup", "name: g", "spec: {minMember: 1, preemptibility: Preemptible}"),
       {}},
      {"KA027",
       "of 0.18",
       object("scheduling.run.ai/v2alpha2", "PodGroup", "name: g",
              "spec: {minMember: 1, preemptibility: semi-preemptible}"),
       {}},
      {"PC017", "v1beta1", priority_class_of("v1beta1"), {"is not served since Kubernetes 1.22"}},
      {"PC017", "never was", priority_class_of("v2"), {"PriorityClass does not exist in scheduling.k8s.io/v2"}},
      {"PC017",
       "an API server had it",
       object("scheduling.k8s.io/v1beta1", "PriorityClass", "name: a, uid: u", "value: 1"),
       {}},
      {"PD010",
       "never was",
       object("policy/v2", "PodDisruptionBudget", "name: a", "spec: {minAvailable: 1}"),
       {"PodDisruptionBudget does not exist in policy/v2"}},
      {"PD004",
       "one budget twice",
       budget("name: web", "a") + budget("name: web, namespace: default", "a") + workload("Deployment", "web", ""),
       {}},
      {"DU008", "of a kind that no scheduler reads", object("v1", "Service", "name: s", "spec: {a: 1, a: 2}"), {}},
      {"DU008",
       "either by ytt",
       object("v1", "Pod", "name: p", "spec:\n  #@ if values.x:\n  a: 1\n  #@ else:\n  a: 2\n  #@ end"),
       {}},
      {"DU008",
       "of two in one, of any kind",
       object("v1", "Service", "name: s", "kind: ConfigMap"),
       {"kind occurs twice"}},
      {"DU008",
       "of one with a template",
       object("example.com/v1", "Fleet", "name: f", "spec: {a: 1, a: 2, template: {spec: {containers: [{name: c}]}}}"),
       {"a occurs twice in this mapping"}},
  });
  // If the right key exists, too, the wrong one cannot be renamed.
  CHECK(findings_of("DU011", budget_with("minavailable: 1, selector: {}")).at(0).fixes.size() == 1);
  CHECK(findings_of("DU011", budget_with("minavailable: 1, minAvailable: 1, selector: {}")).at(0).fixes.empty());
}

TEST_CASE("lint: cluster-autoscaler in the input decides which pods are expendable", "[lint]") {
  const std::string filler = priority_class("d", -11);
  const std::string message = "d: cluster-autoscaler adds no nodes for pods of priority below ";
  check({
      {"PC012", "it does not occur", filler, {}},
      {"PC012", "it occurs", filler + "# cluster-autoscaler\n", {message + "-10"}},
      {"PC012", "-10 is enough", priority_class("d", -10) + "# cluster-autoscaler\n", {}},
      {"PC012", "its flag", filler + "# cluster-autoscaler --expendable-pods-priority-cutoff=-12\n", {}},
      {"PC012",
       "the lowest of two, one of them in values",
       filler + "# cluster-autoscaler --expendable-pods-priority-cutoff=-5, expendable-pods-priority-cutoff: '-7'\n",
       {message + "-7"}},
  });
  Tree tree;
  tree.read_text("class.yaml", filler, false);
  tree.read_text("templates/ca.yaml",
                 "kind: Deployment\n{{ if .x }}\nmetadata: [\n# cluster-autoscaler "
                 "--expendable-pods-priority-cutoff=-3\n",
                 false);
  tree.finish({}, true);
  CHECK(tree.templates().size() == 1);
  CHECK(tree.autoscaler().occurs);
  CHECK(tree.autoscaler().cutoff == -3);
  Autoscaler of;
  of.look_into("- --expendable-pods-priority-cutoff\n- \"-12\"\n");
  CHECK_FALSE(of.occurs);
  CHECK(of.cutoff == -12);
  of.look_into("- --expendable-pods-priority-cutoff\n- -5\nexpendable-pods-priority-cutoff: -14, cluster-autoscaler\n");
  CHECK(of.occurs);
  CHECK(of.cutoff == -14);
}

// Source: kubernetes cmd/kube-scheduler/app/options/configfile.go loadConfig.
TEST_CASE("lint limits: what kube-scheduler does not accept as its configuration", "[lint]") {
  const auto text = [](std::string_view api, std::string_view kind, std::string_view rest = "") {
    return fmt::format("---\napiVersion: {}\nkind: {}\n{}\n", api, kind, rest);
  };
  const std::string group = "kubescheduler.config.k8s.io/v1";
  const std::string old = "kube-scheduler has not read Policy since 1.23";
  check({
      {"SC017", "the old Policy", text("v1", "Policy", "predicates: []"), {old}},
      {"SC017", "in the group of configurations", text(group, "Policy", "priorities: []"), {old}},
      {"SC017", "with extenders", text("v1", "Policy", "extenders: []"), {old}},
      {"SC017", "a Policy of another group", text("kyverno.io/v1", "Policy", "priorities: []"), {}},
      {"SC017", "another Policy", text("v1", "Policy", "spec: {}"), {}},
      {"SC017", "another group", text("v1", "KubeSchedulerConfiguration"), {"is registered for version \"v1\""}},
      {"SC017", "another kind", text(group, "Settings"), {"no kind \"Settings\" is registered for version \"" + group}},
      {"SC017", "arguments of a plugin", text(group, "NodeResourcesFitArgs"), {}},
      {"SC017", "a configuration", text(group, "KubeSchedulerConfiguration"), {}},
      {"SC017",
       "in a List",
       text("v1", "List", "items: [{apiVersion: " + group + ", kind: KubeSchedulerConfiguration}]"),
       {"a configuration within a List"}},
  });
}

TEST_CASE("lint: a plugin of another build is reported once, and only for the default scheduler", "[lint]") {
  const std::string twice = "plugins: {filter: {enabled: [{name: Mine}]}, score: {enabled: [{name: Mine}]}}";
  check({
      {"SC016", "at two points", configuration(twice), {"plugin Mine is in no published scheduler"}},
      {"SC016", "of a scheduler of another name", configuration("schedulerName: mine\n  " + twice), {}},
      // SC007 reports removed plugins.
      {"SC018", "removed", configuration("plugins: {filter: {enabled: [{name: EBSLimits}]}}"), {}},
      {"SC007", "removed", configuration("plugins: {filter: {enabled: [{name: EBSLimits}]}}"), {"EBSLimits"}},
  });
}

TEST_CASE("lint: a configuration version is removed from the release that dropped it", "[lint]") {
  const auto of = [](std::string_view version) {
    return fmt::format("apiVersion: kubescheduler.config.k8s.io/{}\nkind: KubeSchedulerConfiguration\n", version);
  };
  check({
      {"SC005", "in 1.19", of("v1alpha1"), {"is not read by kube-scheduler 1.19 and later"}},
      {"SC005", "in 1.19", of("v1alpha2"), {"is not read by kube-scheduler 1.19 and later"}},
      {"SC005", "in 1.23", of("v1beta1"), {"is not read by kube-scheduler 1.23 and later"}},
  });
}

TEST_CASE("lint: a budget in a folder is compared with the most similar workload", "[lint]") {
  const std::string web = workload("Deployment", "web", "");  // app: a
  const auto in_folder = [&](const std::string& text) { return findings_of("PD008", text, false).size(); };
  CHECK(in_folder(budget("name: b", "b") + web) == 1);  // the key with another value
  CHECK(in_folder(object("policy/v1", "PodDisruptionBudget", "name: b",
                         "spec: {minAvailable: 1, selector: {matchLabels: {name: a}}}") +
                  web) == 1);  // the value under another key
  const std::string other =
      object("policy/v1", "PodDisruptionBudget", "name: b", "spec: {selector: {matchLabels: {tier: db}}}") + web;
  CHECK(in_folder(other) == 0);
  CHECK(findings_of("PD008", other).size() == 1);                                       // in a whole cluster
  CHECK(in_folder(budget("name: b", "b") + "kind: PodDisruptionBudget\n" + web) == 0);  // documents without ---
}

TEST_CASE("lint: budgets are found by any of their labels", "[lint]") {
  const auto of = [](std::string_view name, std::string_view selector) {
    return object("policy/v1", "PodDisruptionBudget", fmt::format("name: {}", name),
                  fmt::format("spec: {{minAvailable: 1, selector: {{{}}}}}", selector));
  };
  const std::string web = workload("Deployment", "web", "", "replicas: 3", "labels: {app: web, part: shop}");
  const std::string shop = of("a", "matchLabels: {part: shop}") + of("b", "matchLabels: {part: shop, app: web}") +
                           of("c", "matchExpressions: [{key: app, operator: In, values: [web, x]}]");
  // In the order of the input, whichever label finds them; each pair once.
  const auto two = findings_of("PD004", shop + web);
  REQUIRE(two.size() == 2);
  CHECK(two[0].message == "Deployment web is covered by two budgets, a and b");
  CHECK(two[1].message == "Deployment web is covered by two budgets, a and c");
  CHECK(findings_of("PD008", shop + web).empty());
  // All labels count, not only the one that finds the budget.
  const std::string other = of("d", "matchLabels: {part: shop, app: db}");
  REQUIRE(findings_of("PD008", shop + other + web).size() == 1);
  CHECK(findings_of("PD008", shop + other + web)[0].message == "budget d matches no pod and no template");
  // An absent namespace equals other absent ones, and `default`.
  CHECK(findings_of("PD008", budget("name: b, namespace: default", "a") + workload("Deployment", "w", "")).empty());
  CHECK(findings_of("PD008", budget("name: b, namespace: default", "x") + workload("Deployment", "w", "")).size() == 1);
  CHECK(findings_of("PD008", budget("name: b, namespace: n", "x") + workload("Deployment", "w", "")).empty());
  // An object whose name is a part of the pods' name may create them.
  const std::string operated = object("example.com/v1", "Database", "name: orders", "spec: {}");
  const std::string pods = workload("Deployment", "w", "");
  CHECK(findings_of("PD008", of("orders-primary", "matchLabels: {app: x}") + operated + pods).empty());
  CHECK(findings_of("PD008", of("payments", "matchLabels: {app: orders}") + operated + pods).empty());
  CHECK(findings_of("PD008", of("payments", "matchLabels: {app: x}") + operated + pods).size() == 1);
}

// The expectations are those of the CRDs: deployments/kai-scheduler/crds of kai-scheduler/KAI-Scheduler, 0.17.
TEST_CASE("lint: KAI objects are validated by its CRDs", "[lint]") {
  const auto shard = [](std::string_view spec) {
    return object("kai.scheduler/v1", "SchedulingShard", "name: s", fmt::format("spec: {{{}}}", spec));
  };
  const auto group = [](std::string_view spec) {
    return object("scheduling.run.ai/v2alpha2", "PodGroup", "name: g", fmt::format("spec: {{{}}}", spec));
  };
  const auto topology = [](std::string_view levels) {
    return object("kai.scheduler/v1alpha1", "Topology", "name: t", fmt::format("spec: {{levels: [{}]}}", levels));
  };
  const auto usage = [&](std::string_view rest) {
    return shard(fmt::format("usageDBConfig: {{clientType: prometheus, usageParams: {{{}}}}}", rest));
  };
  std::string levels;  // 17 of them
  for (int i = 0; i < 17; ++i) levels += fmt::format("{{nodeLabel: l{}}},", i);
  check({
      {"KA029", "as required", shard("usageDBConfig: {clientType: prometheus}"), {}},
      {"KA029", "required", shard("usageDBConfig: {}"), {"spec.usageDBConfig.clientType is required"}},
      {"KA029",
       "a type",
       shard("usageDBConfig: {clientType: 5}"),
       {"spec.usageDBConfig.clientType should be a string"}},
      {"KA029", "a pattern", usage("windowSize: 1w2d"), {}},
      {"KA029", "zero", usage("windowSize: '0'"), {}},
      {"KA029", "out of order", usage("windowSize: 2d1w"), {"is not a duration in y, w, d, h, m, s and ms"}},
      {"KA029", "no unit", usage("windowSize: 7 days"), {"is not a duration in y, w, d, h, m, s and ms"}},
      {"KA029", "of a map", usage("extraParams: {a: 1}"), {"spec.usageDBConfig.usageParams.extraParams.a should be a"}},
      {"KA029", "more than the least", shard("goMemLimitRatio: 0"), {"should be greater than 0"}},
      {"KA029", "the most", shard("goMemLimitRatio: 1"), {}},
      {"KA029", "above", shard("goMemLimitRatio: 1.5"), {"at most 1"}},
      {"KA029", "a quantity", shard("goMemLimit: 2Gi"), {}},
      {"KA029", "none", shard("goMemLimit: 2Gib"), {"is not a quantity"}},
      {"KA029", "a template", shard("goMemLimit: '{{ .x }}'"), {}},
      {"KA029", "a name", kai_queue("q", "displayName: true"), {"spec.displayName should be a string"}},
      {"KA029", "no spec", object("kai.scheduler/v1alpha1", "Topology", "name: t", ""), {"spec is required"}},
      {"KA029", "levels", topology("{nodeLabel: zone}, {nodeLabel: kubernetes.io/hostname}"), {}},
      {"KA029", "no level", topology(""), {"should have at least one level"}},
      {"KA029", "17 levels", topology(levels), {"should have at most 16 levels"}},
      {"KA029", "no label", topology("{alias: zone}"), {"spec.levels[0].nodeLabel is required"}},
      {"KA029", "a bad label", topology("{nodeLabel: a b}"), {"spec.levels[0].nodeLabel \"a b\" is no label"}},
      {"KA029", "one twice", topology("{nodeLabel: a}, {nodeLabel: a}"), {"has the nodeLabel \"a\" twice"}},
      {"KA029", "hosts above", topology("{nodeLabel: kubernetes.io/hostname}, {nodeLabel: a}"), {"only be the lowest"}},
      {"KA029", "of Kueue", object("kueue.x-k8s.io/v1", "Topology", "name: t", "spec: {}"), {}},
      {"KA030", "of Volcano", group("minMember: 1, minAvailable: 1"), {"no field spec.minAvailable"}},
      {"KA030",
       "of an element",
       group("subGroups: [{name: a, minmember: 1}]"),
       {"no field spec.subGroups[0].minmember, did you mean minMember?"}},
      {"KA030", "of an older release", group("parallelism: 1, completions: 1, backoffLimit: 1"), {}},
      {"KA030", "of a constraint", group("topologyConstraint: {level: a}"), {"no field spec.topologyConstraint.level"}},
      {"KA030", "of a map", shard("plugins: {elastic: {args: {a: b}}}"), {"no field spec.plugins.elastic.args"}},
      {"KA030", "any plugin, action, argument", shard("plugins: {x: {arguments: {y: z}}}, args: {v: '4'}"), {}},
      {"KA030", "a misspelt one", shard("minRuntimes: {}"), {}},  // KA028
      {"KA030", "one like no other", shard("nodePool: a"), {"no field spec.nodePool"}},
      {"KA030", "beside the spec", object("scheduling.run.ai/v2", "Queue", "name: q", "specs: {}"), {"no field specs"}},
      {"KA020", "gpus", kai_queue("q", "resources: {gpus: {quota: 1}}"), {"unknown resource gpus, did you mean gpu?"}},
      {"KA020", "another", kai_queue("q", "resources: {disk: {quota: 1}}"), {"unknown resource disk"}},
      {"KA012", "gpus", kai_queue("q", "resources: {gpus: {quota: 1}}"), {}},
  });
}

TEST_CASE("lint: in a dump, a budget allows no disruption if its controller wants all pods healthy", "[lint]") {
  const auto messages = [](const std::string& limit, int pods, int healthy, int seen = 1) {
    return findings_of(
               "PD002",
               fmt::format(
                   "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {{name: b, namespace: n, uid: u, "
                   "generation: 1, resourceVersion: '7'}}\nspec: {{{}, selector: {{matchLabels: {{app: a}}}}}}\n"
                   "status: {{expectedPods: {}, desiredHealthy: {}, observedGeneration: {}}}\n",
                   limit, pods, healthy, seen))
        .size();
  };
  // One replica with minAvailable: 1; two of which 51 % are rounded up to both; more required than exist.
  CHECK(messages("minAvailable: 1", 1, 1) == 1);
  CHECK(messages("minAvailable: 51%", 2, 2) == 1);
  CHECK(messages("minAvailable: 2", 1, 2) == 1);
  CHECK(messages("minAvailable: 1", 2, 1) == 0);
  CHECK(messages("maxUnavailable: 1", 1, 0) == 0);
  CHECK(messages("minAvailable: 1", 0, 1) == 0);     // nothing runs
  CHECK(messages("minAvailable: 1", 1, 1, 0) == 0);  // the controller has not processed it yet
  CHECK(messages("maxUnavailable: 0", 1, 1) == 1);   // once, whatever reveals it
}
