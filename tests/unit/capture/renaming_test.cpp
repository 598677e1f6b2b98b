#include "capture/renaming.h"

#include "api/load.h"
#include "capture/capture.h"
#include "capture/rewriting.h"
#include "support/input.h"
#include "support/scratch.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

using namespace previct;
using namespace previct::capture;
using previct::test::Scratch;

namespace {

struct Anonymized {
  Objects objects;
  Configurations configurations;
  std::map<std::string, std::string, std::less<>> names;
  std::string text;
};

auto anonymized(const std::string& yaml) -> Anonymized {
  const Scratch scratch;
  Anonymized out;
  auto loaded = load({scratch.file("in.yaml", yaml)}, {}, out.objects);
  REQUIRE(loaded);
  out.configurations = *loaded;
  const auto renaming = Renaming::of(out.objects, out.configurations);
  REQUIRE(renaming);
  out.names = renaming->pairs();
  out.text = text_of(out.objects, out.configurations, manifest_of(out.objects, nullptr, {}), *renaming).value();
  return out;
}

auto keeps(std::string_view text, Role) -> std::string {
  return std::string(text);
}
auto marks(std::string_view text, Role role) -> std::string {
  return fmt::format("<{}:{}>", text, suffix_of(role));
}

}  // namespace

TEST_CASE("anonymize: a text has one new name everywhere, and names keep their order", "[anonymize]") {
  const Anonymized a = anonymized(R"(apiVersion: v1
kind: Node
metadata: {name: gpu-b, labels: {kubernetes.io/hostname: gpu-b, acme.com/rack: r7, topology.kubernetes.io/zone: berlin}}
spec: {taints: [{key: acme.com/team, value: blue, effect: NoSchedule}]}
status: {allocatable: {cpu: "4", nvidia.com/gpu: "8", acme.com/chip: "2"}}
---
apiVersion: v1
kind: Pod
metadata: {name: gpu-a, namespace: team-x, labels: {app: web, version: "17", serial: "4711471147"}, annotations: {yunikorn.apache.org/queue: root.Sales.emea}}
spec:
  nodeName: gpu-b
  schedulerName: default-scheduler
  priorityClassName: system-node-critical
  nodeSelector: {acme.com/rack: r7}
  tolerations: [{key: acme.com/team, operator: Equal, value: blue}]
  affinity:
    podAntiAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
      - {topologyKey: topology.kubernetes.io/zone, namespaces: [team-x], labelSelector: {matchLabels: {app: web}}}
  containers: [{name: main, resources: {requests: {cpu: 500m, acme.com/chip: "1"}}}]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: keep, namespace: team-x}
spec: {selector: {matchExpressions: [{key: app, operator: In, values: [web]}]}}
)");
  // Derived by hand: the user's own names, sorted by bytes, are
  //   Sales, acme.com/chip, acme.com/rack, acme.com/team, app, berlin, blue, emea, gpu-a, gpu-b, keep, main, r7,
  //   serial, 4711471147 (digits sort first), team-x, version, web
  const std::map<std::string, std::string, std::less<>> want = {{"4711471147", "01-value"},
                                                                {"Sales", "02-queue"},
                                                                {"acme.com/chip", "03.example/resource"},
                                                                {"acme.com/rack", "04.example/label"},
                                                                {"acme.com/team", "05.example/label"},
                                                                {"app", "06-label"},
                                                                {"berlin", "07-value"},
                                                                {"blue", "08-value"},
                                                                {"emea", "09-queue"},
                                                                {"gpu-a", "10-pod"},
                                                                {"gpu-b", "11-node"},
                                                                {"keep", "12-name"},
                                                                {"main", "13-name"},
                                                                {"r7", "14-value"},
                                                                {"serial", "15-label"},
                                                                {"team-x", "16-ns"},
                                                                {"version", "17-label"},
                                                                {"web", "18-value"},
                                                                {"root.Sales.emea", "root.02-queue.09-queue"}};
  CHECK(a.names == want);
  for (
      const char* part :
      {R"("labels":{"kubernetes.io/hostname":"11-node","04.example/label":"14-value","topology.kubernetes.io/zone":"07-value"})",
       R"("taints":[{"key":"05.example/label","value":"08-value","effect":"NoSchedule"}])",
       R"("allocatable":{"cpu":"4","nvidia.com/gpu":"8","03.example/resource":"2"})",
       R"("metadata":{"name":"10-pod","namespace":"16-ns","labels":{"06-label":"18-value","17-label":"17","15-label":"01-value"},)",
       R"("annotations":{"yunikorn.apache.org/queue":"root.02-queue.09-queue"})",
       R"("nodeName":"11-node","schedulerName":"default-scheduler","priorityClassName":"system-node-critical")",
       R"("nodeSelector":{"04.example/label":"14-value"})",
       R"("topologyKey":"topology.kubernetes.io/zone","labelSelector":{"matchLabels":{"06-label":"18-value"}},"namespaces":["16-ns"])",
       R"("matchExpressions":[{"key":"06-label","operator":"In","values":["18-value"]}])"}) {
    INFO(part << "\n" << a.text);
    CHECK(a.text.find(part) != std::string::npos);
  }
}

TEST_CASE("anonymize: numbers that are compared stay", "[anonymize]") {
  const std::string node = "apiVersion: v1\nkind: Node\nmetadata: {name: a, labels: {size: \"123456789\"}}\n";
  const std::string pod = R"(---
apiVersion: v1
kind: Pod
metadata: {name: b}
spec: {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: size, operator: Gt, values: ["1000000"]}]}]}}}}
)";
  CHECK(anonymized(node).names.contains("123456789"));
  const Anonymized compared = anonymized(node + pod);
  CHECK_FALSE(compared.names.contains("123456789"));
  CHECK_FALSE(compared.names.contains("1000000"));
  const Anonymized annotated = anonymized(
      "apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: c, annotations: "
      "{preemption-toleration.scheduling.x-k8s.io/toleration-seconds: \"1800000\", previct/ignore: \"PC012: our Friday "
      "run\"}}\nvalue: 5\n");
  CHECK(annotated.text.find("1800000") != std::string::npos);
  CHECK(annotated.text.find("Friday") == std::string::npos);
}

TEST_CASE("anonymize: several zones in one value are renamed individually", "[anonymize]") {
  const Anonymized a = anonymized(R"(apiVersion: v1
kind: Node
metadata: {name: node-1, labels: {topology.kubernetes.io/zone: east}}
---
apiVersion: v1
kind: PersistentVolume
metadata: {name: v, labels: {topology.kubernetes.io/zone: east__west}}
)");
  CHECK(a.names.at("east__west") == a.names.at("east") + "__" + a.names.at("west"));
}

TEST_CASE("anonymize: the claim of an ephemeral volume keeps its relation to the pod", "[anonymize]") {
  const Anonymized a = anonymized(R"(apiVersion: v1
kind: Pod
metadata: {name: db-0}
spec: {volumes: [{name: scratch, ephemeral: {volumeClaimTemplate: {}}}]}
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: db-0-scratch}
)");
  CHECK(a.names.at("db-0-scratch") == a.names.at("db-0") + "-" + a.names.at("scratch"));
}

TEST_CASE("anonymize: a queue whose name begins like another's keeps that prefix", "[anonymize]") {
  // yunikorn-core: pkg/scheduler/objects/preemption.go treats a queue as below another if its path begins like that.
  const Anonymized a = anonymized(R"(apiVersion: v1
kind: Pod
metadata: {name: p, labels: {queue: root.a, yunikorn.apache.org/queue: root.ab.abc}}
---
apiVersion: v1
kind: Pod
metadata: {name: q, labels: {queue: root.b, yunikorn.apache.org/queue: root.default.default2}}
)");
  const auto begins = [&](const char* one, const char* other) {
    return a.names.at(one).starts_with(a.names.at(other));
  };
  CHECK(begins("ab", "a"));
  CHECK(begins("abc", "ab"));
  CHECK_FALSE(begins("b", "a"));
  CHECK_FALSE(begins("a", "b"));
  CHECK(a.names.at("default2").starts_with("default"));
}

TEST_CASE("anonymize: a configuration of queues has the new names", "[anonymize]") {
  const std::string queues = R"(partitions:   # of the sales department
- name: default
  placementrules:
  - {name: tag, value: namespace, create: true, parent: {name: fixed, value: root.Sales}}
  nodesortpolicy: {type: binpacking, resourceweights: {vcore: 1.5, acme.com/chip: 2}}
  limits: [{limit: everybody, users: ["*"], groups: [staff], maxapplications: 3}]
  queues:
  - name: root
    submitacl: "bob,eve staff"
    queues:
    - name: Sales
      parent: yes
      properties: {priority.policy: fence, preemption.delay: 30s, our.secret: plan}
      resources: {guaranteed: {memory: 10G, acme.com/chip: 4}}
)";
  // Keys, policies, numbers and built-in names stay; comments and properties that no scheduler reads are removed. Names
  // of queues are compared in lower case.
  const std::string want =
      R"({"partitions":[{"name":"<default:queue>","placementrules":[{"name":"tag","value":"namespace","create":true,)"
      R"("parent":{"name":"fixed","value":"<root:queue>.<sales:queue>"}}],"nodesortpolicy":{"type":"binpacking",)"
      R"("resourceweights":{"<vcore:resource>":1.5,"<acme.com/chip:resource>":2}},"limits":[{"limit":"<everybody:name>",)"
      R"("users":["<*:user>"],"groups":["<staff:user>"],"maxapplications":3}],"queues":[{"name":"<root:queue>",)"
      R"("submitacl":"<bob:user>,<eve:user> <staff:user>","queues":[{"name":"<sales:queue>","parent":true,)"
      R"("properties":{"priority.policy":"fence","preemption.delay":"30s"},)"
      R"("resources":{"guaranteed":{"<memory:resource>":"10G","<acme.com/chip:resource>":4}}}]}]}]})";
  CHECK(queues_json(queues, {}, marks).value() == want);
  CHECK(
      queues_json("partitions: [{name: default, queues: [{name: y, parent: yes, maxapplications: 0x10}]}]", {}, marks)
          .value() ==
      R"({"partitions":[{"name":"<default:queue>","queues":[{"name":"<y:queue>","parent":true,"maxapplications":16}]}]})");
  CHECK_FALSE(queues_json("partitions: [", {}, keeps));
  CHECK(note_json(R"({"user":"bob","groups":["staff"],"acme.com/x":1})", marks).value() ==
        R"({"user":"<bob:user>","groups":["<staff:user>"],"<acme.com/x:resource>":1})");
  CHECK_FALSE(note_json("a text", marks));
  CHECK_FALSE(note_json("12", marks));
}

// Kueue counts acme.com/chip as acme.com/slices, and no resource of nvidia.com at all.
TEST_CASE("anonymize: a configuration of Kueue has the new names of resources", "[anonymize]") {
  const std::string settings =
      "apiVersion: config.kueue.x-k8s.io/v1beta2\n"
      "kind: Configuration\n"
      "manageJobsWithoutQueueName: true\n"
      "integrations: {frameworks: [batch/job], labelKeysToCopy: [acme.com/team]}\n"
      "admissionFairSharing: {usageHalfLifeTime: 1h, resourceWeights: {acme.com/chip: 2}}\n"
      "resources: {excludeResourcePrefixes: [nvidia.com/], transformations: [{input: acme.com/chip, strategy: Replace, "
      "outputs: {acme.com/slices: \"4\"}}], deviceClassMappings: [{name: secret}]}\n";
  CHECK(
      kueue_json(settings, {}, marks).value() ==
      R"({"apiVersion":"config.kueue.x-k8s.io/v1beta2","kind":"Configuration","integrations":{"frameworks":)"
      R"(["batch/job"]},"admissionFairSharing":{"usageHalfLifeTime":"1h","resourceWeights":)"
      R"({"<acme.com/chip:resource>":2}},"resources":{"excludeResourcePrefixes":["nvidia.com/"],"transformations":)"
      R"([{"input":"<acme.com/chip:resource>","strategy":"Replace","outputs":{"<acme.com/slices:resource>":"4"}}]}})");
  const auto refused = [](const std::string& text) {
    Objects objects;
    Configurations given;
    given.kueue_config = ConfigFile{objects.files.add("kueue.yaml"), text};
    const auto renaming = Renaming::of(objects, given);
    return renaming ? std::string() : renaming.error().message;
  };
  CHECK(refused(settings).empty());
  std::string own = settings;
  own.replace(own.find("nvidia.com/"), 11, "acme.com/");
  CHECK(refused(own) ==
        "Kueue's Configuration excludes the resources that begin with acme.com/, and these get new names");
  const std::string in_map = R"({data: {controller_manager_config.yaml: "apiVersion: config.kueue.x-k8s.io/v1beta2\n)"
                             R"(resources: {excludeResourcePrefixes: [acme.com/]}"}})";
  CHECK(refused(in_map) == refused(own));
}

TEST_CASE("anonymize: attributes of devices keep their names, whatever their domain", "[anonymize]") {
  // The selector, which stays as it is, names the attribute with its domain, which is not that of the driver.
  const Anonymized a = anonymized(R"(apiVersion: resource.k8s.io/v1
kind: ResourceSlice
metadata: {name: s}
spec:
  driver: gpu.acme.com
  nodeName: n1
  pool: {name: p, generation: 1, resourceSliceCount: 1}
  devices: [{name: d, attributes: {acme.com/model: {string: a100}}, capacity: {acme.com/memory: {value: 80Gi}}}]
---
apiVersion: resource.k8s.io/v1
kind: DeviceClass
metadata: {name: c}
spec: {selectors: [{cel: {expression: "device.attributes['acme.com'].model == 'a100'"}}]}
)");
  CHECK(a.text.find(R"("acme.com/model":{"string":"a100"})") != std::string::npos);
  CHECK(a.text.find(R"("acme.com/memory":)") != std::string::npos);
}

TEST_CASE("anonymize: namespaces of the platform keep their names", "[anonymize]") {
  // A name with such a prefix that is not a namespace may contain the name of a node, as that of a static pod does.
  const Anonymized out = anonymized(
      "apiVersion: v1\nkind: Pod\nmetadata: {name: openshift-dns-n1, namespace: openshift-dns}\nspec: {nodeName: n1}\n"
      "---\napiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: team}\nspec: {nodeName: n1}\n");
  CHECK_FALSE(out.names.contains("openshift-dns"));
  CHECK(out.names.contains("openshift-dns-n1"));
  CHECK(out.names.contains("team"));
}

TEST_CASE("anonymize: labels with a scheduler's release keep their values, those of other charts do not",
          "[anonymize]") {
  const Anonymized a = anonymized(R"(apiVersion: v1
kind: Pod
metadata: {name: scheduler, namespace: kai-scheduler, labels: {helm.sh/chart: kai-scheduler-v0.14.0, app.kubernetes.io/version: v0.14.0}}
spec: {containers: [{name: c, image: "registry.acme.com/kai-scheduler/scheduler@sha256:abc"}]}
---
apiVersion: v1
kind: Pod
metadata: {name: shop, namespace: web, labels: {helm.sh/chart: acme-billing-1.2.3, app.kubernetes.io/version: 1.2.3-acme}}
spec: {containers: [{name: c, image: "registry.acme.com/billing:1"}]}
)");
  CHECK(a.text.find("kai-scheduler-v0.14.0") != std::string::npos);
  CHECK(a.text.find("acme") == std::string::npos);
}

// By label or container name and by image, kube-scheduler's pod shows the release: engine/kube/seen_release.cpp. Flags
// and tags stay, too.
TEST_CASE("anonymize: the pods of the control plane still show their release", "[anonymize]") {
  const Anonymized a = anonymized(R"(apiVersion: v1
kind: Pod
metadata: {name: kube-scheduler-acme1, namespace: kube-system, labels: {component: kube-scheduler, tier: acme}}
spec:
  nodeName: acme1
  containers: [{name: kube-scheduler, image: "registry.acme.com/kube-scheduler:v1.34.2", command: [kube-scheduler, --feature-gates=PodLevelResources=false]}]
---
apiVersion: v1
kind: Node
metadata: {name: acme1}
status: {nodeInfo: {kubeletVersion: v1.35.2-acme.7}}
---
apiVersion: v1
kind: Node
metadata: {name: acme2}
status: {nodeInfo: {kubeletVersion: v1.35.2+k3s1}}
)");
  CHECK(a.text.find("\"component\":\"kube-scheduler\"") != std::string::npos);
  CHECK(a.text.find("\"name\":\"kube-scheduler\"") != std::string::npos);
  CHECK(a.text.find("kube-scheduler:v1.34.2") != std::string::npos);
  CHECK(a.text.find("--feature-gates=PodLevelResources=false") != std::string::npos);
  CHECK(a.text.find("\"v1.35.2\"") != std::string::npos);
  CHECK(a.text.find("v1.35.2+k3s1") != std::string::npos);
  CHECK(a.text.find("acme") == std::string::npos);
}

// Source: kubernetes-sigs/kueue pkg/workloadslicing/workloadslicing.go: the annotation holds the key of a Workload,
// namespace/name.
TEST_CASE("anonymize: the arguments of KAI's plugins keep their names", "[anonymize]") {
  const auto a = anonymized(
      "{apiVersion: kai.scheduler/v1, kind: SchedulingShard, metadata: {name: default}, spec: {plugins: {proportion: "
      "{arguments: {kValue: \"0.5\", queuePriorityInQuotaReclaim: \"true\", secret: \"1\"}}}}}\n");
  CHECK(a.text.find("queuePriorityInQuotaReclaim") != std::string::npos);
  CHECK(a.text.find("kValue") != std::string::npos);
  CHECK(a.text.find("secret") == std::string::npos);
}

TEST_CASE("anonymize: a slice of an elastic job refers to the workload that it replaces", "[anonymize]") {
  const Anonymized a = anonymized(R"(apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: acme-old, namespace: acme}
spec: {queueName: q}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: Workload
metadata: {name: acme-new, namespace: acme, annotations: {kueue.x-k8s.io/workload-slice-replacement-for: acme/acme-old}}
spec: {queueName: q}
)");
  const std::string key = a.names.at("acme") + "/" + a.names.at("acme-old");
  CHECK(a.text.find("\"kueue.x-k8s.io/workload-slice-replacement-for\":\"" + key + "\"") != std::string::npos);
}

namespace {

// Kueue's ConfigMap, with more of its Configuration.
auto kueue_map(const std::string& more) -> std::string {
  return fmt::format(R"(apiVersion: v1
kind: ConfigMap
metadata: {{name: acme-kueue-manager-config, namespace: kueue-system}}
data:
  controller_manager_config.yaml: |
    apiVersion: config.kueue.x-k8s.io/v1beta2
    kind: Configuration
    manager: {{clusterName: acme}}
    fairSharing: {{preemptionStrategies: [LessThanInitialShare]}}
    integrations: {{frameworks: [pod], externalFrameworks: [acme.v1.acme.com]}}
    {}
---
apiVersion: kueue.x-k8s.io/v1beta2
kind: ClusterQueue
metadata: {{name: q}}
spec: {{resourceGroups: [{{coveredResources: [acme.com/chip], flavors: []}}]}}
)",
                     more);
}

}  // namespace

TEST_CASE("anonymize: Kueue's Configuration keeps what its decisions depend on", "[anonymize][kueue]") {
  const Anonymized a =
      anonymized(kueue_map("resources: {excludeResourcePrefixes: [nvidia.com/], transformations: "
                           "[{input: acme.com/chip, outputs: {acme.com/half: 2}}]}"));
  CHECK(a.text.find("acme") == std::string::npos);
  for (const std::string kept : {"config.kueue.x-k8s.io/v1beta2", "LessThanInitialShare", "frameworks", "nvidia.com/",
                                 a.names.at("acme.com/chip").c_str()})
    CHECK(a.text.find(kept) != std::string::npos);
}

TEST_CASE("anonymize: resources that get new names cannot be excluded by a prefix", "[anonymize][kueue]") {
  // Kueue does not count resources that begin with the prefix; their new names have no prefix in common.
  Objects objects;
  REQUIRE(test::read_text(kueue_map("resources: {excludeResourcePrefixes: [acme.com/]}"), objects));
  const auto renaming = Renaming::of(objects, {});
  REQUIRE_FALSE(renaming);
  CHECK(renaming.error().message ==
        "Kueue's Configuration excludes the resources that begin with acme.com/, and these get new names");
  Objects other;
  Configurations given;
  given.kueue_config = ConfigFile{
      other.files.add("c.yaml"),
      "apiVersion: config.kueue.x-k8s.io/v1beta2\nkind: Configuration\nresources: {excludeResourcePrefixes: [x]}\n"};
  CHECK_FALSE(Renaming::of(other, given));
}

// Source: KAI Scheduler: cmd/scheduler/app/options/options.go AddFlags, pkg/scheduler/plugins/factory.go,
// plugins/proportion/proportion.go. A new name would be one that the scheduler does not know.
TEST_CASE("anonymize: the scheduler's own flags, plugins and arguments keep their names", "[anonymize][kai]") {
  const Anonymized a = anonymized(R"(apiVersion: kai.scheduler/v1
kind: SchedulingShard
metadata: {name: acme}
spec:
  args: {queue-label-key: "acme", namespace: "acme", feature-gates: "acme"}
  plugins: {reflectjoborder: {enabled: true}, proportion: {arguments: {queuePriorityInQuotaReclaim: "true"}}}
)");
  CHECK(a.text.find("acme") == std::string::npos);
  for (const std::string kept :
       {"queue-label-key", "namespace", "feature-gates", "reflectjoborder", "queuePriorityInQuotaReclaim"})
    CHECK_FALSE(a.names.contains(kept));
}
