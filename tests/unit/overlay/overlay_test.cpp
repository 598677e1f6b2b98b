#include "overlay/overlay.h"

#include "cluster/manifest_nodes.h"
#include "overlay/admission.h"
#include "support/cluster.h"
#include "support/owned.h"
#include "support/scratch.h"
#include "tell/gap_words.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace previct::test {
namespace {

using Lines = std::vector<std::string>;

// Returns the result of applying `yaml` to the cluster.
auto lay(TestCluster& cluster, const std::string& yaml, Overlay overlay = {}) -> Result<OverlayResult> {
  const Scratch scratch;
  overlay.with = {scratch.file("overlay.yaml", yaml)};
  return apply_overlay(overlay, {}, cluster.objects);
}

auto pod(const TestCluster& cluster, const std::string& name) -> const Pod& {
  for (const Pod& each : cluster.objects.pods) {
    if (cluster.objects.symbols.text(each.meta.name) == name) return each;
  }
  FAIL("no pod " + name);
  return cluster.objects.pods.items().front();
}

auto a_manifest(const std::string& name, const std::string& spec) -> std::string {
  return "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ml, name: " + name + "}\nspec: {containers: [{name: c}]" +
         (spec.empty() ? "" : ", " + spec) + "}\n";
}

}  // namespace

TEST_CASE("overlay: what the earlier manifests have and the later ones lack is removed", "[overlay]") {
  const Scratch scratch;
  const std::string low = a_class("low", 10);
  const std::string budget =
      "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: b}\nspec: {minAvailable: 1, selector: "
      "{matchLabels: {app: a}}}\n";
  const std::string earlier = scratch.file("from/all.yaml", low + "---\n" + a_class("high", 20) + "---\n" + budget);
  const std::string later = scratch.file("to/all.yaml", a_class("high", 20));
  const auto gone = removed_between({earlier}, {later}, {});
  REQUIRE(gone);
  CHECK(*gone == std::vector<ObjectName>{{"PodDisruptionBudget", "default", "b"}, {"PriorityClass", "", "low"}});
  CHECK(removed_between({later}, {earlier}, {})->empty());

  // An object that the state lacks is no error.
  const auto cluster = a_cluster({low, a_class("high", 20)});
  Overlay overlay;
  overlay.gone = *gone;
  const auto done = apply_overlay(overlay, {}, cluster->objects);
  REQUIRE(done);
  CHECK(done->remarks == std::vector<std::string>{"without PriorityClass/low"});
  CHECK(cluster->objects.priority_classes.size() == 1);
}

// ValidatePriorityClass: a class whose name does not begin with system- has a value of at most 1000000000.
TEST_CASE("overlay: a class with a value that the API server refuses", "[overlay]") {
  const auto laid = [](const std::string& name, int value) {
    return lay(*a_cluster({a_node("n1", "4")}), a_class(name, value));
  };
  CHECK(laid("huge", 1'000'000'000));
  CHECK(laid("system-node-critical", 2'000'001'000));
  const auto refused = laid("huge", 1'000'000'001);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message ==
        "PriorityClass huge would be refused by the API server: its value is above 1000000000, the highest of a class "
        "that is not built in");
  CHECK(refused.error().place.line == 6);
}

TEST_CASE("overlay: an object replaces the one of its name and keeps what the server knows", "[overlay]") {
  const auto cluster =
      a_cluster({a_node("n1", "4"), a_pod("ml/a").on("n1").priority(5).started("2026-03-02T09:00:00Z").yaml(),
                 a_budget("ml/guard", "a", 3)});
  const auto done = lay(*cluster,
                        "apiVersion: v1\nkind: Node\nmetadata: {name: n1, labels: {zone: z}}\n---\n"
                        "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {namespace: ml, name: guard}\n"
                        "spec: {minAvailable: 1, selector: {matchLabels: {app: b}}}\n---\n" +
                            a_manifest("a", "priorityClassName: system-node-critical"));
  REQUIRE(done);
  const Objects& objects = cluster->objects;
  REQUIRE(objects.nodes.size() == 1);
  CHECK(objects.nodes[NodeId{0}].status.allocatable.size() == 3);  // cpu, memory, pods as before
  CHECK(objects.nodes[NodeId{0}].meta.labels.size() == 1);
  REQUIRE(objects.disruption_budgets.size() == 1);
  CHECK(objects.disruption_budgets[0].status.disruptions_allowed == 0);  // computed: no pod has the label b
  const Pod& changed = pod(*cluster, "a");
  CHECK(objects.symbols.text(changed.spec.node_name) == "n1");
  CHECK(objects.symbols.text(changed.meta.uid) == "uid-ml-a");
  CHECK(changed.status.start_time == parse_instant("2026-03-02T09:00:00Z"));
  CHECK(changed.spec.priority == 2'000'001'000);
  CHECK(done->pods.empty());  // it is bound already
}

TEST_CASE("overlay: admission gives a pod the priority of its class", "[overlay]") {
  const auto cluster = a_cluster({a_class("high", 9000), a_class("usual", 70) + "globalDefault: true\n",
                                  a_class("other", 80) + "globalDefault: true\npreemptionPolicy: Never\n"});
  REQUIRE(lay(*cluster, a_manifest("named", "priorityClassName: high")));
  CHECK(pod(*cluster, "named").spec.priority == 9000);
  REQUIRE(lay(*cluster, a_manifest("bare", "")));
  CHECK(pod(*cluster, "bare").spec.priority == 70);  // the lowest of several defaults
  CHECK(cluster->objects.symbols.text(pod(*cluster, "bare").spec.priority_class_name) == "usual");
  CHECK(cluster->objects.symbols.text(pod(*cluster, "bare").spec.preemption_policy) == "PreemptLowerPriority");
  REQUIRE(lay(*cluster, a_manifest("system", "priorityClassName: system-cluster-critical, priority: 2000000000")));

  CHECK(lay(*cluster, a_manifest("x", "priorityClassName: hihg")).error().message ==
        "pod ml/x would be refused by the API server: there is no PriorityClass hihg; did you mean high?");
  CHECK(lay(*cluster, a_manifest("z", "priority: 5")).error().message ==
        "pod ml/z would be refused by the API server: its priority is 5, but PriorityClass usual gives 70");
  CHECK(lay(*cluster, a_manifest("w", "priorityClassName: high, preemptionPolicy: Never")).error().message ==
        "pod ml/w would be refused by the API server: its preemptionPolicy is Never, but PriorityClass high gives "
        "PreemptLowerPriority");
}

// Source: KAI pkg/binder/plugins/gpusharing/gpu-request/gpu_request_validator.go ValidateGpuRequests.
TEST_CASE("overlay: a part of a GPU that KAI's webhook refuses is refused", "[overlay]") {
  const auto said = [](const std::string& annotations, const std::string& limits = "",
                       const std::string& scheduler = "kai-scheduler") {
    const auto cluster = a_cluster({a_node("n1", "4")});
    const auto done = lay(*cluster, "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ml, name: p, annotations: {" +
                                        annotations + "}}\nspec: {schedulerName: " + scheduler +
                                        ", containers: [{name: c, resources: {limits: {" + limits + "}}}]}\n");
    if (done) return std::string("accepted");
    const std::string start = "pod ml/p would be refused by KAI's admission webhook: ";
    REQUIRE(done.error().message.starts_with(start));
    return done.error().message.substr(start.size());
  };
  for (const char* fraction : {"0.5", ".5", "5e-1"})
    CHECK(said(std::string("gpu-fraction: '") + fraction + "'") == "accepted");
  for (const char* fraction : {"1.5", "1", "0", "50%", "500m", "0x1p-1", "nan"})
    CHECK(said(std::string("gpu-fraction: '") + fraction + "'").ends_with("is no decimal number between 0 and 1"));
  CHECK(said("gpu-memory: '4096', gpu-fraction-num-devices: '2'") == "accepted");
  CHECK(said("gpu-memory: 4Gi") == "gpu-memory \"4Gi\" is no positive integer (MiB)");
  CHECK(said("gpu-memory: '0'") == "gpu-memory \"0\" is no positive integer (MiB)");
  CHECK(said("gpu-fraction: '0.5', gpu-memory: '4096'") == "it has gpu-memory and gpu-fraction");
  CHECK(said("gpu-fraction: '0.5'", "nvidia.com/gpu: 1") == "it has gpu-fraction and a limit of nvidia.com/gpu");
  CHECK(said("gpu-fraction-num-devices: '2'") ==
        "the annotation gpu-fraction-num-devices needs gpu-fraction or gpu-memory");
  CHECK(said("mps: 'true'") == "the annotation mps needs gpu-fraction or gpu-memory");
  CHECK(said("gpu-fraction: '1.5'", "", "default-scheduler") == "accepted");
}

TEST_CASE("overlay: new pods are created at the time of the question", "[overlay]") {
  const auto cluster = a_cluster({a_node("n1", "4")});
  Overlay overlay;
  overlay.now = parse_instant("2026-03-02T12:00:00Z");
  REQUIRE(lay(*cluster, a_manifest("p", ""), overlay));
  CHECK(pod(*cluster, "p").meta.created == overlay.now);
}

TEST_CASE("overlay: a resource that containers cannot have is refused, as by the API server", "[overlay]") {
  const auto said = [](const std::string& requests) {
    const auto cluster = a_cluster({a_node("n1", "4")});
    Overlay overlay;
    overlay.requests = {requests};
    const auto done = apply_overlay(overlay, {}, cluster->objects);
    return done ? std::string("accepted") : done.error().message;
  };
  CHECK(said("memroy=400Gi") ==
        "pod default/what-if would be refused by the API server: memroy is not a valid resource name for a container; "
        "did you mean "
        "memory?");
  CHECK(said("pods=1").find("pods is not a valid resource name") != std::string::npos);
  for (const char* request : {"cpu=1", "ephemeral-storage=1Gi", "hugepages-2Mi=4Mi", "nvidia.com/gpu=1"})
    CHECK(said(request) == "accepted");
}

TEST_CASE("overlay: a workload adds the pod that it would create next", "[overlay]") {
  const auto cluster = a_cluster({a_node("n1", "4"), a_node("n2", "4"), a_pod("ml/db-0").on("n1").yaml()});
  const std::string spec = "spec: {containers: [{name: c, resources: {limits: {cpu: 2}}}]}";
  const auto done =
      lay(*cluster,
          "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {namespace: ml, name: db}\n"
          "spec: {template: {" +
              spec +
              "}}\n---\n"
              "apiVersion: batch/v1\nkind: CronJob\nmetadata: {name: night}\n"
              "spec: {jobTemplate: {spec: {template: {metadata: {labels: {app: night}}, " +
              spec +
              "}}}}\n---\n"
              "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {namespace: ml, name: agent}\n"
              "spec: {template: {spec: {nodeSelector: {kubernetes.io/hostname: n2}, containers: [{name: c}]}}}\n");
  REQUIRE(done);
  CHECK(done->pods == std::vector<std::string>{"default/night-new", "ml/agent-n2-new", "ml/db-1"});
  const Pod& next = pod(*cluster, "db-1");
  CHECK(next.spec.containers.front().resources.requests.get(cluster->objects.symbols.find("cpu"))->value() == 2);
  REQUIRE(next.meta.owners.size() == 1);
  CHECK(cluster->objects.symbols.text(next.meta.owners.front().kind) == "StatefulSet");
  CHECK(pod(*cluster, "night-new").meta.labels.size() == 1);
}

TEST_CASE("overlay: a workload that has its pods creates no other, and a rollout is a gap", "[overlay]") {
  const auto overlaid = [](const std::string& kind, const std::string& spec, const std::string& cpu,
                           const Lines& more = {}) {
    const std::string owner = kind == "Deployment" ? "ReplicaSet" : kind;
    Lines documents = {a_node("n1", "4"), a_node("n2", "4"),
                       owned(a_pod("ml/w-0").on("n1").cpu("1").yaml(), owner, "w"),
                       owned(a_pod("ml/w-1").on("n2").cpu("1").yaml(), owner, "w")};
    documents.insert(documents.end(), more.begin(), more.end());
    const auto cluster = a_cluster(documents);
    const auto done =
        lay(*cluster, fmt::format("apiVersion: {}v1\nkind: {}\nmetadata: {{namespace: ml, name: w}}\nspec: "
                                  "{{{}template: {{spec: {{containers: [{{name: main, resources: {{requests: "
                                  "{{cpu: {}}}}}}}]}}}}}}\n",
                                  kind == "Job"                     ? "batch/"
                                  : kind == "ReplicationController" ? ""
                                                                    : "apps/",
                                  kind, spec, cpu));
    REQUIRE(done);
    Lines lines = done->pods;
    lines.insert(lines.end(), done->remarks.begin(), done->remarks.end());
    for (const Gap& gap : done->unknown) lines.push_back("? " + gap.operands.front());
    for (const auto& workload : cluster->objects.overlaid.unknown_deletions) lines.push_back("? " + workload.front());
    return lines;
  };
  CHECK(overlaid("Deployment", "replicas: 2, ", "1") == Lines{"Deployment ml/w creates no pods: 2 of 2 exist"});
  CHECK(overlaid("Deployment", "replicas: 3, ", "1") == Lines{"ml/w-new", "added Pod ml/w-new"});
  CHECK(overlaid("Deployment", "replicas: 1, ", "1") ==
        Lines{"? Deployment ml/w"});  // nothing distinguishes its pods on n1 and n2
  CHECK(overlaid("Deployment", "replicas: 0, ", "1") ==
        Lines{"Deployment ml/w has deleted 2 of its 2 pods: ml/w-0, ml/w-1"});
  // kubectl apply leaves the number as it is if the manifest does not say.
  CHECK(overlaid("Deployment", "", "1") == Lines{"Deployment ml/w creates no pods: 2 of 2 exist"});
  CHECK(overlaid("StatefulSet", "replicas: 1, ", "1") == Lines{"StatefulSet ml/w has deleted 1 of its 2 pods: ml/w-1"});
  CHECK(overlaid("Job", "suspend: true, ", "1") == Lines{"Job ml/w has deleted 2 of its 2 pods: ml/w-0, ml/w-1"});
  CHECK(overlaid("Job", "parallelism: 1, ", "1") == Lines{"? Job ml/w"});
  CHECK(overlaid("StatefulSet", "replicas: 3, ", "1") == Lines{"ml/w-2", "added Pod ml/w-2"});
  CHECK(overlaid("Job", "parallelism: 2, ", "1") == Lines{"Job ml/w creates no pods: 2 of 2 exist"});
  CHECK(overlaid("Job", "", "1",
                 {"apiVersion: batch/v1\nkind: Job\nmetadata: {namespace: ml, name: w}\nstatus: {conditions: [{type: "
                  "Complete, status: 'True'}]}\n"}) == Lines{"Job ml/w creates no pods: it has ended"});
  // A Deployment exceeds its replicas by maxSurge, 25% rounded up by default; others delete an old pod first.
  CHECK(
      overlaid("Deployment", "replicas: 2, ", "2") ==
      Lines{"ml/w-new", "added Pod ml/w-new", "? the rollout of Deployment ml/w (changed in its template: requests)"});
  for (const std::string& strategy : {std::string("{type: Recreate}"), std::string("{rollingUpdate: {maxSurge: 0}}")}) {
    CHECK(overlaid("Deployment", "replicas: 2, strategy: " + strategy + ", ", "2") ==
          Lines{"Deployment ml/w creates no pods: it deletes an old one first",
                "? the rollout of Deployment ml/w (changed in its template: requests)"});
  }
  CHECK(overlaid("DaemonSet", "", "2") == Lines{"? the rollout of DaemonSet ml/w (changed in its template: requests)"});
  CHECK(overlaid("DaemonSet", "", "1").empty());
  // Pods stay until others delete them: OnDelete, or the ordinals 0 and 1 below the partition.
  CHECK(overlaid("DaemonSet", "updateStrategy: {type: OnDelete}, ", "2").empty());
  for (const std::string& strategy : {std::string("{type: OnDelete}"), std::string("{rollingUpdate: {partition: 2}}")})
    CHECK(
        overlaid("StatefulSet", "replicas: 2, updateStrategy: " + strategy + ", ", "2") ==
        Lines{"StatefulSet ml/w creates no pods: 2 of 2 exist; only new ones follow the changed template (requests)"});
  // The controllers of these count pods and compare none with the template.
  for (const std::string& kind : {std::string("ReplicaSet"), std::string("ReplicationController")})
    CHECK(overlaid(kind, "replicas: 2, ", "2") ==
          Lines{kind + " ml/w creates no pods: 2 of 2 exist; only new ones follow the changed template (requests)"});
  CHECK(overlaid("StatefulSet", "replicas: 2, updateStrategy: {rollingUpdate: {partition: 1}}, ", "2") ==
        Lines{"StatefulSet ml/w creates no pods: it deletes an old one first",
              "? the rollout of StatefulSet ml/w (changed in its template: requests)"});
}

// A ReplicaSet deletes a pod that is not ready before one that is.
TEST_CASE("overlay: a Deployment with fewer replicas deletes pods, in a simulation through its ReplicaSet",
          "[overlay]") {
  const auto scaled = [](int replicas, bool over_time) {
    const std::string ready =
        "  conditions: [{type: Ready, status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z'}]\n";
    const auto cluster = a_cluster(
        {a_node("n1", "4"), owned(a_pod("ml/w-0").on("n1").cpu("1").yaml(), "ReplicaSet", "w") + ready,
         owned(a_pod("ml/w-1").on("n1").cpu("1").yaml(), "ReplicaSet", "w"),
         "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {namespace: ml, name: w, uid: w}\nspec: {replicas: 2}\n"});
    Overlay overlay;
    overlay.over_time = over_time;
    const auto done = lay(
        *cluster,
        fmt::format("apiVersion: apps/v1\nkind: Deployment\nmetadata: {{namespace: ml, name: w}}\nspec: {{replicas: "
                    "{}, template: {{spec: {{containers: [{{name: main, resources: {{requests: {{cpu: 1}}}}}}]}}}}}}\n",
                    replicas),
        overlay);
    REQUIRE(done);
    return std::tuple(done->remarks.front(), cluster->objects.pods.size(),
                      cluster->objects.replica_sets.front().spec.replicas.value());
  };
  CHECK(scaled(1, false) == std::tuple("Deployment ml/w has deleted 1 of its 2 pods: ml/w-1", 1U, 2));
  CHECK(scaled(1, true) == std::tuple("Deployment ml/w wants 1 pod", 2U, 1));
  CHECK(scaled(0, true) == std::tuple("Deployment ml/w wants no pods", 2U, 0));
}

// A simulation of the controllers rolls out the template, if the input has what decides it.
TEST_CASE("overlay: a changed template is rolled out in a simulation if the input shows how", "[overlay]") {
  const auto template_of = [](const std::string& cpu) {
    return "template: {spec: {containers: [{name: main, resources: {requests: {cpu: " + cpu + "}}}]}}";
  };
  const std::string revision = "annotations: {deployment.kubernetes.io/revision: '1'}";
  const std::string deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {namespace: ml, name: w, uid: d, " +
                                 revision + "}\nspec: {replicas: 2, paused: true, minReadySeconds: 7, " +
                                 template_of("1") + "}\n";
  const auto a_set = [&](int counted) {
    return "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {namespace: ml, name: w-1, uid: w, " + revision +
           ", ownerReferences: [{kind: Deployment, name: w, controller: true}]}\nspec: {replicas: 2, " +
           template_of("1") + "}\nstatus: {replicas: " + std::to_string(counted) + "}\n";
  };
  const auto lines_of = [&](const Lines& objects, bool over_time) {
    Lines documents = {a_node("n1", "4")};
    for (const char* name : {"ml/w-1-a", "ml/w-1-b"})
      documents.push_back(owned(a_pod(name).on("n1").labels("{pod-template-hash: \"1\"}").yaml(), "ReplicaSet", "w-1"));
    documents.insert(documents.end(), objects.begin(), objects.end());
    const auto cluster = a_cluster(documents);
    Overlay overlay;
    overlay.over_time = over_time;
    const auto done = lay(
        *cluster,
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {namespace: ml, name: w}\nspec: {" + template_of("2") + "}\n",
        overlay);
    REQUIRE(done);
    Lines lines = done->pods;
    lines.insert(lines.end(), done->remarks.begin(), done->remarks.end());
    for (const Gap& gap : done->unknown) lines.push_back("? " + gap.operands.front());
    const DeploymentSpec& spec = cluster->objects.deployments.front().spec;
    if (done->unknown.empty())
      lines.push_back(fmt::format("{} {} {}", spec.replicas.value_or(0), spec.paused, spec.min_ready_seconds));
    CHECK(cluster->objects.overlaid.unknown_rollouts.empty() == (done->unknown.empty() || !over_time));
    return lines;
  };
  const std::string gap = "? the rollout of Deployment ml/w (changed in its template: requests)";
  // What the manifest does not say stays: the replicas, the pause, and minReadySeconds.
  CHECK(lines_of({deployment, a_set(2)}, true) ==
        Lines{"Deployment ml/w rolls out its template (changed: requests)", "2 true 7"});
  CHECK(lines_of({deployment, a_set(2)}, false) == Lines{"ml/w-new", "added Pod ml/w-new", gap});
  // A pod that the status counts is missing; and so is the ReplicaSet.
  CHECK(lines_of({deployment, a_set(3)}, true) == Lines{"ml/w-new", "added Pod ml/w-new", gap});
  CHECK(lines_of({deployment}, true) == Lines{"ml/w-new", "added Pod ml/w-new", gap});
}

// Source: kubernetes pkg/controller/daemon/util/daemonset_util.go AddOrUpdateDaemonPodTolerations.
TEST_CASE("overlay: a DaemonSet in the host network tolerates a node without a network", "[overlay]") {
  const auto pods_on_node = [](const std::string& spec) {
    const auto cluster = a_cluster({a_node("n1", "4") + "spec: {taints: [{key: node.kubernetes.io/network-unavailable, "
                                                        "effect: NoSchedule}]}\n"});
    const auto done =
        lay(*cluster,
            "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {namespace: ml, name: cni}\nspec: {template: "
            "{spec: {" +
                spec + "containers: [{name: c}]}}}\n");
    REQUIRE(done);
    return done->pods.size();
  };
  CHECK(pods_on_node("hostNetwork: true, ") == 1);
  CHECK(pods_on_node("") == 0);
}

TEST_CASE("overlay: a StatefulSet creates the claims of its templates, and its pod uses them", "[overlay]") {
  // Source: kubernetes pkg/controller/statefulset/stateful_set_utils.go: <template>-<set>-<ordinal>, replacing the
  // template's own volume of that name.
  const std::string set =
      "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {namespace: ml, name: db}\n"
      "spec: {replicas: 3, template: {spec: {containers: [{name: c}], volumes: [{name: data, persistentVolumeClaim: "
      "{claimName: data}}, {name: tmp, persistentVolumeClaim: {claimName: tmp}}]}}, volumeClaimTemplates: [{metadata: "
      "{name: data}, spec: {accessModes: [ReadWriteOnce], storageClassName: wait}}]}\n";
  const auto cluster = a_cluster({a_node("n1", "4")});
  const auto done = lay(*cluster, set);
  REQUIRE(done);
  const auto& claims = cluster->objects.persistent_volume_claims;
  REQUIRE(claims.size() == 1);
  CHECK(cluster->objects.symbols.text(claims.front().meta.name) == "data-db-0");
  CHECK(cluster->objects.symbols.text(claims.front().spec.storage_class_name) == "wait");
  const auto& volumes = pod(*cluster, "db-0").spec.volumes;
  REQUIRE(volumes.size() == 2);
  CHECK(cluster->objects.symbols.text(volumes[0].claim.claim_name) == "data-db-0");
  CHECK(cluster->objects.symbols.text(volumes[1].claim.claim_name) == "tmp");
  CHECK(done->remarks.front() == "StatefulSet ml/db creates 3 pods, of which one is explained");
  // An existing claim is used unchanged.
  const auto again = lay(*cluster, set);
  REQUIRE(again);
  CHECK(cluster->objects.persistent_volume_claims.size() == 2);  // db-0 exists, so the next pod is db-1
}

TEST_CASE("overlay: a claim without a class gets the default class", "[overlay]") {
  const auto a_storage_class = [](const std::string& name, bool is_default) {
    return fmt::format(
        "apiVersion: storage.k8s.io/v1\nkind: StorageClass\nmetadata: {{name: {}, annotations: "
        "{{storageclass.kubernetes.io/is-default-class: \"{}\"}}}}\nprovisioner: x\n",
        name, is_default);
  };
  const std::string claim =
      "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {namespace: ml, name: data}\nspec: {}\n";
  const auto cluster = a_cluster({a_storage_class("other", false), a_storage_class("usual", true)});
  REQUIRE(lay(*cluster, claim));
  const auto& made = cluster->objects.persistent_volume_claims.front();
  CHECK(cluster->objects.symbols.text(made.spec.storage_class_name) == "usual");
  CHECK(made.to_be_made);
}

TEST_CASE("overlay: a suspended workload, or one without replicas, creates no pod", "[overlay]") {
  const std::string pod_template = "template: {spec: {containers: [{name: c}]}}";
  const auto remark = [&](const std::string& kind, const std::string& spec) {
    const auto cluster = a_cluster({a_node("n1", "4")});
    const std::string group = kind == "Deployment" ? "apps" : "batch";
    const auto done =
        lay(*cluster, fmt::format("apiVersion: {}/v1\nkind: {}\nmetadata: {{namespace: ml, name: w}}\nspec: {{{}}}\n",
                                  group, kind, spec));
    REQUIRE(done);
    CHECK(cluster->objects.pods.size() == 0);
    return done->remarks.at(0);
  };
  CHECK(remark("Deployment", "replicas: 0, " + pod_template) ==
        "Deployment ml/w creates no pods: its spec.replicas is 0");
  CHECK(remark("Job", "suspend: true, " + pod_template) == "Job ml/w creates no pods: it is suspended");
  CHECK(remark("Job", "completions: 0, " + pod_template) ==
        "Job ml/w creates no pods: its parallelism or completions is 0");
  CHECK(remark("CronJob", "suspend: true, jobTemplate: {spec: {" + pod_template + "}}") ==
        "CronJob ml/w creates no pods: it is suspended");
}

TEST_CASE("overlay: pods of a group are created together, and the API server may generate a name", "[overlay]") {
  const auto cluster = a_cluster({a_node("n1", "4")});
  const auto done = lay(*cluster,
                        "apiVersion: batch/v1\nkind: Job\nmetadata: {namespace: ml, generateName: train-, annotations: "
                        "{kai.scheduler/batch-min-member: \"2\"}}\nspec: {parallelism: 3, completions: 2, template: "
                        "{spec: {schedulerName: kai-scheduler, containers: [{name: c}]}}}\n");
  REQUIRE(done);
  CHECK(done->pods == std::vector<std::string>{"ml/train-new", "ml/train-new-1"});
  const Pod& one = pod(*cluster, "train-new");
  CHECK(one.meta.owners.front().uid == pod(*cluster, "train-new-1").meta.owners.front().uid);
  const Symbol least = cluster->objects.symbols.find("kai.scheduler/batch-min-member");
  CHECK(cluster->objects.symbols.text(one.meta.annotations.get(least)) == "2");
}

TEST_CASE("overlay: pods of an unknown controller are not created, and the answer says so", "[overlay]") {
  const std::string set =
      "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: {namespace: ml, name: js}\nspec: "
      "{replicatedJobs: [{name: w, template: {spec: {template: {spec: {containers: [{name: c}]}}}}}]}\n";
  const auto cluster = a_cluster({a_node("n1", "4")});
  const auto done = lay(*cluster, set + "---\n" + a_class("other", 5));
  REQUIRE(done);
  CHECK(done->pods.empty());
  REQUIRE(done->unknown.size() == 1);
  CHECK(done->unknown[0].rule == GapRule::controller_unknown);
  CHECK(done->unknown[0].operands == std::vector<std::string>{"JobSet ml/js"});
  // Alone, it leaves no pod to ask about.
  const auto alone = lay(*cluster, set);
  REQUIRE_FALSE(alone);
  CHECK(alone.error().message == "--with: previct does not know the controller of JobSet ml/js");
  CHECK(alone.error().help == "pass a manifest of its pods with --with");
  // Kueue suspends it, whatever its pods need.
  const auto queued = a_cluster({a_node("n1", "4")});
  REQUIRE(lay(*queued,
              "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {namespace: ml, name: q}\nspec: "
              "{clusterQueue: q}\n"));
  const auto of_kueue =
      lay(*queued,
          "apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nmetadata: {namespace: ml, name: js, labels: "
          "{kueue.x-k8s.io/queue-name: q}}\nspec: {replicatedJobs: [{name: w, template: {spec: {template: {spec: "
          "{containers: [{name: c}]}}}}}]}\n");
  REQUIRE_FALSE(of_kueue);
  CHECK(of_kueue.error().help == "Kueue decides first: pass a manifest of its Workload with --with");
}

// Source: kubernetes pkg/controller/deployment/sync.go getNewReplicaSet and stateful_set_utils.go setPodRevision name
// the labels; pkg/registry/core/pod/strategy.go applyMatchLabelKeysAndMismatchLabelKeys merges them.
TEST_CASE("overlay: pods of a new template have their own revision", "[overlay]") {
  const auto cluster = a_cluster({a_node("n1", "4")});
  const std::string body =
      "spec: {template: {metadata: {labels: {app: low}}, spec: {containers: [{name: c}], affinity: {podAntiAffinity: "
      "{requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: z, labelSelector: {matchLabels: {app: low}}, "
      "matchLabelKeys: [pod-template-hash]}]}}}}}\n";
  REQUIRE(lay(*cluster, "apiVersion: apps/v1\nkind: Deployment\nmetadata: {namespace: ml, name: web}\n" + body +
                            "---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata: {namespace: ml, name: db}\n" +
                            body));
  const Symbols& symbols = cluster->objects.symbols;
  const Pod& web = pod(*cluster, "web-new");
  CHECK(symbols.text(web.meta.labels.get(symbols.find("pod-template-hash"))) == "web-new");
  const auto& expressions = web.spec.affinity.pod_anti.required[0].selector->match_expressions;
  REQUIRE(expressions.size() == 1);
  CHECK(symbols.text(expressions[0].key) == "pod-template-hash");
  CHECK(expressions[0].op == SelectorOperator::in);
  CHECK(symbols.text(expressions[0].values.at(0)) == "web-new");
  const Pod& db = pod(*cluster, "db-0");
  CHECK(symbols.text(db.meta.labels.get(symbols.find("controller-revision-hash"))) == "db-new");
  CHECK(db.spec.affinity.pod_anti.required[0].selector->match_expressions.empty());  // it has no pod-template-hash
}

// Source: kubernetes pkg/controller/volume/ephemeral/controller.go handleVolume: <pod>-<volume>, controlled by the pod.
TEST_CASE("overlay: the claims of a new pod's ephemeral volumes are created at once", "[overlay]") {
  const auto cluster = a_cluster({a_node("n1", "4")});
  const auto done = lay(*cluster, a_manifest("p",
                                             "volumes: [{name: d, ephemeral: {volumeClaimTemplate: {metadata: {labels: "
                                             "{a: b}}, spec: {storageClassName: std}}}}, {name: e, emptyDir: {}}]"));
  REQUIRE(done);
  REQUIRE(cluster->objects.persistent_volume_claims.size() == 1);
  const Symbols& symbols = cluster->objects.symbols;
  const PersistentVolumeClaim& claim = cluster->objects.persistent_volume_claims.front();
  CHECK(symbols.text(claim.meta.name) == "p-d");
  CHECK(symbols.text(claim.meta.ns) == "ml");
  CHECK(symbols.text(claim.spec.storage_class_name) == "std");
  CHECK(symbols.text(claim.meta.labels.get(symbols.find("a"))) == "b");
  CHECK(claim.to_be_made);
  REQUIRE(claim.meta.owners.size() == 1);
  CHECK(claim.meta.owners.front().uid == pod(*cluster, "p").meta.uid);
  CHECK(std::find(done->remarks.begin(), done->remarks.end(), "added PersistentVolumeClaim ml/p-d") !=
        done->remarks.end());
}

TEST_CASE("overlay: a pod's claims are created from its ResourceClaimTemplate, or it is an error", "[overlay]") {
  const std::string claiming =
      "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ml, name: p}\nspec: {containers: [{name: c}], resourceClaims: "
      "[{name: gpu, resourceClaimTemplateName: one-gpu}]}\n";
  const auto cluster = a_cluster({a_node("n1", "4")});
  const auto without = lay(*cluster, claiming);
  REQUIRE_FALSE(without);
  CHECK(without.error().message ==
        "pod ml/p claims devices through the ResourceClaimTemplate one-gpu, which is not in the input");
  const auto fresh = a_cluster({a_node("n1", "4")});
  REQUIRE(lay(*fresh, claiming +
                          "---\napiVersion: resource.k8s.io/v1\nkind: ResourceClaimTemplate\nmetadata: {namespace: ml, "
                          "name: one-gpu}\nspec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: "
                          "gpu}}]}}}\n"));
  REQUIRE(fresh->objects.resource_claims.size() == 1);
  const ResourceClaim& claim = fresh->objects.resource_claims.front();
  CHECK(fresh->objects.symbols.text(claim.meta.name) == "p-gpu-new");
  CHECK(pod(*fresh, "p").status.resource_claim_statuses[0].claim_name == claim.meta.name);
}

TEST_CASE("overlay: without any PriorityClass in the input, the value of a class is unknown", "[overlay]") {
  const auto cluster = a_cluster({a_node("n1", "4")});
  const auto done = lay(*cluster, a_manifest("p", "priorityClassName: high"));
  REQUIRE_FALSE(done);
  CHECK(done.error().message == "pod ml/p: the input has no PriorityClasses, so the priority of high is not known");
  CHECK(lay(*cluster, a_manifest("q", "priorityClassName: high, priority: 7")));
  CHECK(pod(*cluster, "q").spec.priority == 7);
}

TEST_CASE("overlay: a changed class applies to new pods, and the answer says so", "[overlay]") {
  const auto cluster = a_cluster({a_class("low", 5), a_pod("ml/a").priority(5).priority_class("low").yaml()});
  const auto done = lay(*cluster, a_class("low", 7));
  REQUIRE(done);
  CHECK(pod(*cluster, "a").spec.priority == 5);
  CHECK(done->remarks ==
        std::vector<std::string>{
            "the value 7 of PriorityClass low applies to new pods; the pod that has the class keeps its "
            "priority 5",
            "replaced PriorityClass low"});
}

TEST_CASE("overlay: configurations among the manifests are set aside", "[overlay]") {
  const auto cluster = a_cluster({a_node("n1", "4")});
  const auto done = lay(*cluster, "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n");
  REQUIRE(done);
  REQUIRE(done->configurations.scheduler_config);
  CHECK(done->configurations.scheduler_config->bytes.starts_with("apiVersion: kubescheduler"));
  const auto queues = lay(*cluster, "partitions: [{name: default}]\n");
  REQUIRE(queues);
  CHECK(queues->configurations.yunikorn_config);
}

// ---- the work of controllers and the API server

namespace {

auto a_replica(const std::string& key, bool ready, const std::string& more = "") -> std::string {
  const std::size_t slash = key.find('/');
  return "apiVersion: v1\nkind: Pod\nmetadata:\n  namespace: " + key.substr(0, slash) +
         "\n  name: " + key.substr(slash + 1) + "\n  uid: u-" + key.substr(slash + 1) + "\n  labels: {app: web}\n" +
         more +
         "  ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web-1, uid: rs1, controller: true}]\n"
         "spec: {nodeName: n1, priority: 0, containers: [{name: c}]}\n"
         "status: {phase: Running, conditions: [{type: Ready, status: \"" +
         (ready ? "True" : "False") + "\"}]}\n";
}
constexpr const char* kWeb =
    "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {namespace: ml, name: web-1, uid: rs1, ownerReferences: "
    "[{kind: Deployment, name: web, uid: d1, controller: true}]}\nspec: {replicas: 4}\n";
constexpr const char* kDeployment =
    "apiVersion: apps/v1\nkind: Deployment\nmetadata: {namespace: ml, name: web, uid: d1}\nspec: {replicas: 5}\n";

auto a_budget_of(const std::string& spec) -> std::string {
  return "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {namespace: ml, name: new}\nspec: {" + spec +
         ", selector: {matchLabels: {app: web}}}\n";
}

// Returns the result of an overlay on a cluster that also has the objects of an input file.
auto lay_over_file(TestCluster& cluster, const std::vector<std::string>& documents, const std::string& yaml)
    -> Result<OverlayResult> {
  const Scratch scratch;
  std::string all;
  for (const std::string& document : documents) all += document + "---\n";
  Overlay overlay;
  overlay.with = {scratch.file("overlay.yaml", yaml)};
  PREVICT_CHECK(load({scratch.file("input.yaml", all)}, {}, cluster.objects));
  return apply_overlay(overlay, {}, cluster.objects);
}

}  // namespace

TEST_CASE("overlay: a budget gets the status of its controller", "[overlay]") {
  // Four of five pods exist; one is not ready and one is being deleted, so 2 are healthy.
  const std::vector<std::string> pods = {a_replica("ml/a", true), a_replica("ml/b", true), a_replica("ml/c", false),
                                         a_replica("ml/d", true, "  deletionTimestamp: \"2026-03-02T12:00:30Z\"\n")};
  struct Row {
    std::string spec;
    std::int32_t allowed;
  };
  // pkg/controller/disruption/disruption.go: for the pods of a Deployment, its replicas count, 5.
  const std::vector<Row> rows = {{"minAvailable: 1", 1},         {"minAvailable: 2", 0},
                                 {"minAvailable: \"20%\"", 1},    // 1 of 5
                                 {"minAvailable: \"21%\"", 0},    // 1.05, rounded up to 2
                                 {"maxUnavailable: 4", 1},        // 5 - 4 = 1 wanted
                                 {"maxUnavailable: 3", 0},        // 2 wanted
                                 {"maxUnavailable: \"61%\"", 1},  // 3.05, rounded up to 4: 1 wanted
                                 {"maxUnavailable: \"60%\"", 0}};
  for (const Row& row : rows) {
    INFO(row.spec);
    const auto cluster = a_cluster(pods);
    const auto done = lay_over_file(*cluster, {kWeb, kDeployment}, a_budget_of(row.spec));
    REQUIRE(done);
    REQUIRE(cluster->objects.disruption_budgets.size() == 1);
    CHECK(cluster->objects.disruption_budgets[0].status.disruptions_allowed == row.allowed);
    CHECK(done->unknown.empty());
  }
}

TEST_CASE("overlay: a budget whose total is unknown is reported as unknown", "[overlay]") {
  // The ReplicaSet belongs to a Deployment that the input lacks.
  const auto cluster = a_cluster({a_replica("ml/a", true)});
  const auto done = lay_over_file(*cluster, {kWeb}, a_budget_of("maxUnavailable: 1"));
  REQUIRE(done);
  REQUIRE(done->unknown.size() == 1);
  CHECK(what_words(done->unknown[0]) ==
        "it is not known how many disruptions PodDisruptionBudget ml/new allows: the input does not show the number of "
        "replicas of Deployment web");
  // An absolute number needs no total.
  const auto other = a_cluster({a_replica("ml/a", true)});
  const auto number = lay_over_file(*other, {kWeb}, a_budget_of("minAvailable: 0"));
  REQUIRE(number);
  CHECK(number->unknown.empty());
  CHECK(other->objects.disruption_budgets[0].status.disruptions_allowed == 1);
}

TEST_CASE("overlay: LimitRanges fill in values that a new pod lacks, and refuse excess", "[overlay]") {
  const std::string range =
      "apiVersion: v1\nkind: LimitRange\nmetadata: {namespace: ml, name: usual}\nspec: {limits: [{type: Container, "
      "default: {cpu: \"2\"}, defaultRequest: {cpu: 500m, memory: 1Gi}, max: {cpu: \"3\"}}]}\n";
  const auto cluster = a_cluster({a_node("n1", "4")});
  REQUIRE(lay_over_file(*cluster, {range}, a_manifest("new", "")));
  const ResourceRequirements& filled = pod(*cluster, "new").spec.containers.begin()->resources;
  CHECK(filled.requests.get(cluster->objects.symbols.find("cpu"))->milli() == 500);
  CHECK(filled.requests.get(cluster->objects.symbols.find("memory"))->value() == 1LL << 30);
  CHECK(filled.limits.get(cluster->objects.symbols.find("cpu"))->milli() == 2000);

  const auto too_much = a_cluster({a_node("n1", "4")});
  const auto refused = lay_over_file(
      *too_much, {range},
      "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ml, name: big}\nspec: {containers: [{name: c, resources: "
      "{limits: {cpu: \"4\"}}}]}\n");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message ==
        "pod ml/big would be refused by the API server: LimitRange usual allows at most 3 cpu for each container");
}

// Message of the API server of 1.35.4: "maximum cpu usage per Pod is 1500m, but limit is 2", for two containers of 1
// each.
TEST_CASE("overlay: LimitRanges bound a pod's total, and limits by requests", "[overlay]") {
  const auto refusal = [](const std::string& limits, const std::string& spec) {
    const auto cluster = a_cluster({a_node("n1", "4")});
    const auto done = lay_over_file(
        *cluster,
        {"apiVersion: v1\nkind: LimitRange\nmetadata: {namespace: ml, name: lr}\nspec: {limits: [" + limits + "]}\n"},
        "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ml, name: new}\nspec: {" + spec + "}\n");
    return done ? std::string() : done.error().message;
  };
  const std::string both =
      "containers: [{name: a, resources: {limits: {cpu: \"1\"}}}, {name: b, resources: {limits: {cpu: \"1\"}}}]";
  CHECK(refusal("{type: Pod, max: {cpu: 1500m}}", both) ==
        "pod ml/new would be refused by the API server: LimitRange lr allows at most 1500m cpu for a pod");
  CHECK(refusal("{type: Pod, max: {cpu: \"2\"}}", both).empty());
  CHECK(refusal("{type: Pod, min: {cpu: 2500m}}", both) ==
        "pod ml/new would be refused by the API server: LimitRange lr requires at least 2500m cpu for a pod");
  // An init container counts alone, a sidecar together with the containers: 1 + 1 + 1.
  const std::string sidecar = both +
                              ", initContainers: [{name: s, restartPolicy: Always, resources: {limits: {cpu: "
                              "\"1\"}}}, {name: i, resources: {limits: {cpu: \"2\"}}}]";
  CHECK(refusal("{type: Pod, max: {cpu: \"3\"}}", sidecar).empty());
  CHECK_FALSE(refusal("{type: Pod, max: {cpu: 2900m}}", sidecar).empty());
  // 1.35.4: "must be less than or equal to cpu limit of 2", before any bound is checked.
  CHECK(refusal("{type: Container, default: {cpu: \"2\"}, max: {cpu: \"2\"}}",
                "containers: [{name: a, resources: {requests: {cpu: 3500m}}}]") ==
        "pod ml/new would be refused by the API server: container a requests 3500m of cpu, more than its limit of 2");
  const std::string twice = "containers: [{name: a, resources: {limits: {cpu: \"1\"}, requests: {cpu: 500m}}}]";
  CHECK(refusal("{type: Container, maxLimitRequestRatio: {cpu: \"2\"}}", twice).empty());
  CHECK(refusal("{type: Container, maxLimitRequestRatio: {cpu: 1500m}}", twice) ==
        "pod ml/new would be refused by the API server: LimitRange lr requires the limit of cpu to be at most 1.5 "
        "times the request for each container");
}

TEST_CASE("overlay: an exhausted quota refuses a new pod", "[overlay]") {
  const std::string quota =
      "apiVersion: v1\nkind: ResourceQuota\nmetadata: {namespace: ml, name: team}\nspec: {hard: {requests.cpu: "
      "\"4\"}}\nstatus: {hard: {requests.cpu: \"4\"}, used: {requests.cpu: 3500m}}\n";
  const auto asking = [&](const std::string& cpu) {
    const auto cluster = a_cluster({a_node("n1", "4")});
    const auto done = lay_over_file(
        *cluster, {quota},
        "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ml, name: new}\nspec: {containers: [{name: c, resources: "
        "{requests: {cpu: " +
            cpu + "}}}]}\n");
    return done ? std::string() : done.error().message;
  };
  CHECK(asking("500m").empty());
  CHECK(asking("501m") ==
        "pod ml/new would be refused by the API server: ResourceQuota team is exceeded: 501m requested, 3500m in use, "
        "limited to 4 of requests.cpu");
}

// 3500m are in use. The limit grows from 4 to 5, so 1500m are left.
TEST_CASE("overlay: a quota that is applied again keeps its usage and gets the new limit", "[overlay]") {
  const std::string head = "apiVersion: v1\nkind: ResourceQuota\nmetadata: {namespace: ml, name: team}\n";
  const std::string now =
      head +
      "spec: {hard: {requests.cpu: \"4\"}}\nstatus: {hard: {requests.cpu: \"4\"}, used: {requests.cpu: 3500m}}\n";
  const auto is_created = [&](const std::string& cpu) {
    const auto cluster = a_cluster({a_node("n1", "4")});
    const std::string pod =
        "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ml, name: new}\nspec: {containers: [{name: c, resources: "
        "{requests: {cpu: " +
        cpu + "}}}]}\n";
    return lay_over_file(*cluster, {now}, head + "spec: {hard: {requests.cpu: \"5\"}}\n---\n" + pod).has_value();
  };
  CHECK(is_created("1500m"));
  CHECK_FALSE(is_created("1501m"));
}

// Source: kubernetes pkg/quota/v1/evaluator/core/pods.go podMatchesScopeFunc.
TEST_CASE("overlay: a quota counts only the pods of its scopes", "[overlay]") {
  const auto refused = [](const std::string& scope, const std::string& spec) {
    const auto cluster = a_cluster({a_node("n1", "4")});
    const std::string quota =
        "apiVersion: v1\nkind: ResourceQuota\nmetadata: {namespace: ml, name: team}\nspec: {scopes: [" + scope +
        "], hard: {pods: \"1\"}}\nstatus: {hard: {pods: \"1\"}, used: {pods: \"1\"}}\n";
    const std::string pod = "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ml, name: new}\nspec: {" + spec + "}\n";
    return !lay_over_file(*cluster, {quota}, pod).has_value();
  };
  const std::string plain = "containers: [{name: c}]";
  const std::string ending = plain + ", activeDeadlineSeconds: 60";
  CHECK(refused("Terminating", ending));
  CHECK_FALSE(refused("Terminating", plain));
  CHECK(refused("NotTerminating", plain));
  CHECK_FALSE(refused("NotTerminating", ending));
  const auto with_term = [&](const std::string& term) {
    return plain +
           ", affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: zone" + term +
           "}]}}";
  };
  CHECK(refused("CrossNamespacePodAffinity", with_term(", namespaces: [web]")));
  CHECK(refused("CrossNamespacePodAffinity", with_term(", namespaceSelector: {}")));
  CHECK_FALSE(refused("CrossNamespacePodAffinity", with_term("")));
}

// Sources: kubernetes pkg/quota/v1/evaluator/core/persistent_volume_claims.go; plugin/pkg/admission/limitranger.
TEST_CASE("overlay: quotas and LimitRanges on claims refuse them", "[overlay]") {
  const auto refusal = [](const std::string& object) {
    const auto cluster = a_cluster({a_node("n1", "4"), object});
    const auto done =
        lay(*cluster,
            "apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {namespace: ml, name: db}\nspec: {template: "
            "{spec: {containers: [{name: c}]}}, volumeClaimTemplates: [{metadata: {name: data}, spec: "
            "{storageClassName: fast, resources: {requests: {storage: 10Gi}}}}]}\n");
    return done ? std::string() : done.error().message;
  };
  const auto quota = [](const std::string& name, const std::string& hard, const std::string& used) {
    return fmt::format(
        "apiVersion: v1\nkind: ResourceQuota\nmetadata: {{namespace: ml, name: team}}\nspec: {{hard: {{{0}: {1}}}}}\n"
        "status: {{hard: {{{0}: {1}}}, used: {{{0}: {2}}}}}\n",
        name, hard, used);
  };
  const std::string refused = "claim ml/data-db-0 would be refused by the API server: ";
  CHECK(refusal(quota("persistentvolumeclaims", "'1'", "'1'")) ==
        refused + "ResourceQuota team is exceeded: 1 requested, 1 in use, limited to 1 of persistentvolumeclaims");
  CHECK(refusal(quota("persistentvolumeclaims", "'2'", "'1'")).empty());
  CHECK_FALSE(refusal(quota("requests.storage", "15Gi", "6Gi")).empty());
  CHECK(refusal(quota("requests.storage", "16Gi", "6Gi")).empty());
  CHECK_FALSE(refusal(quota("fast.storageclass.storage.k8s.io/requests.storage", "9Gi", "'0'")).empty());
  CHECK(refusal(quota("slow.storageclass.storage.k8s.io/requests.storage", "9Gi", "'0'")).empty());
  CHECK(refusal("apiVersion: v1\nkind: LimitRange\nmetadata: {namespace: ml, name: lr}\nspec: {limits: [{type: "
                "PersistentVolumeClaim, max: {storage: 1Gi}}]}\n") ==
        refused + "LimitRange lr allows at most 1Gi of storage for each claim");
}

TEST_CASE("overlay: a namespace must exist if the input has all of them", "[overlay]") {
  const auto refusal = [](const std::string& namespaces) {
    const auto cluster = a_cluster({a_node("n1", "4"), namespaces});
    cluster->objects.listed[std::string(kinds::namespaces.key)] = 1;
    const auto done = lay(*cluster, a_manifest("new", ""));
    return done ? std::string() : done.error().message;
  };
  const auto named = [](const std::string& name, const std::string& more = "") {
    return "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + name + ", uid: u-" + name + more + "}\n";
  };
  CHECK(refusal(named("default")) == "pod ml/new would be refused by the API server: its namespace does not exist");
  CHECK(refusal(named("default") + "---\n" + named("ml")).empty());
  CHECK(refusal(named("other")).empty());  // not a list of a cluster, which has the namespace default
  CHECK(refusal(named("ml", ", deletionTimestamp: 2026-03-02T12:00:00Z")) ==
        "pod ml/new would be refused by the API server: its namespace is being deleted");
}

// 3 of 4 are in use, 1 of them by the pod itself: in its place, a pod may request 2.
TEST_CASE("overlay: a changed pod of the input counts in quotas instead of the old one", "[overlay]") {
  const auto refusal = [](const std::string& cpu) {
    const auto cluster = a_cluster(
        {a_node("n1", "9"), a_pod("ml/a").cpu("1").yaml(),
         "apiVersion: v1\nkind: ResourceQuota\nmetadata: {namespace: ml, name: team}\nspec: {hard: {requests.cpu: "
         "'4'}}\nstatus: {hard: {requests.cpu: '4'}, used: {requests.cpu: '3'}}\n"});
    Overlay overlay;
    overlay.ns = "ml";
    overlay.pod = "a";
    overlay.requests = {"cpu=" + cpu};
    const auto done = apply_overlay(overlay, {}, cluster->objects);
    return done ? std::string() : done.error().message;
  };
  CHECK(refusal("2").empty());
  CHECK(
      refusal("3") ==
      "pod ml/a would be refused by the API server: ResourceQuota team is exceeded: 3 requested, 2 in use, limited to "
      "4 of requests.cpu");
}

// Source: kubernetes pkg/apis/core/validation/validation.go validateContainerResourceRequirements.
TEST_CASE("overlay: extended resources are integers, and have a limit", "[overlay]") {
  const auto refusal = [](const std::string& resources) {
    const auto cluster = a_cluster({a_node("n1", "4")});
    const auto done = lay(*cluster,
                          "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ml, name: g}\nspec: {containers: "
                          "[{name: c, resources: {" +
                              resources + "}}]}\n");
    return done ? std::string() : done.error().message;
  };
  const std::string refused = "pod ml/g would be refused by the API server: ";
  CHECK(refusal("limits: {x/gpu: 1}").empty());
  CHECK(refusal("limits: {x/gpu: 500m}") == refused + "the amount of x/gpu must be an integer");
  CHECK(refusal("requests: {x/gpu: 1}") == refused + "container c requests x/gpu without an equal limit");
  CHECK(refusal("requests: {hugepages-2Mi: 4Mi}") ==
        refused + "container c requests hugepages-2Mi without an equal limit");
  CHECK(refusal("requests: {cpu: 500m}").empty());
}

TEST_CASE("overlay: immutable fields are reported to need a new object", "[overlay]") {
  const auto cluster = a_cluster({a_class("high", 9000)});
  cluster->objects.priority_classes[0].meta.uid = cluster->objects.symbols.intern("uid-high");
  const auto done = lay(*cluster, a_class("high", 8000));
  REQUIRE(done);
  CHECK(std::find(done->remarks.begin(), done->remarks.end(),
                  "PriorityClass high must be deleted and recreated: its value cannot be changed") !=
        done->remarks.end());
}

// Source: kubernetes plugin/pkg/admission/runtimeclass/admission.go prepareObjects: 'RuntimeClass "kata" not found'.
TEST_CASE("overlay: a RuntimeClass missing from the input leaves the answer open, or the pod is refused", "[overlay]") {
  const std::string runtime_class = "apiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: other, uid: u}\n";
  const std::string manifest = a_manifest("p", "runtimeClassName: kata");
  const auto open = a_cluster({a_node("n1", "4")});
  REQUIRE(lay(*open, manifest));
  CHECK(open->objects.symbols.text(pod(*open, "p").spec.missing_runtime_class) == "kata");

  const auto full = a_cluster({a_node("n1", "4")});
  const auto refused = lay_over_file(*full, {runtime_class}, manifest);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().message == "pod ml/p would be refused by the API server: there is no RuntimeClass kata");

  const auto given = a_cluster({a_node("n1", "4")});
  REQUIRE(lay(*given, manifest + "---\napiVersion: node.k8s.io/v1\nkind: RuntimeClass\nmetadata: {name: kata}\n"
                                 "overhead: {podFixed: {cpu: 2}}\n"));
  CHECK_FALSE(pod(*given, "p").spec.missing_runtime_class);
  // An overlaid class does not prove that the cluster has no others.
  const auto beside = a_cluster({a_node("n1", "4")});
  CHECK(lay(*beside, manifest + "---\n" + runtime_class));
}

TEST_CASE("overlay: Kueue or YuniKorn may decide about new pods before their scheduler does", "[overlay]") {
  const std::string queue =
      "apiVersion: kueue.x-k8s.io/v1beta2\nkind: LocalQueue\nmetadata: {name: q, namespace: ml}\nspec: "
      "{clusterQueue: c}\n";
  const auto why = [](const std::vector<std::string>& cluster, const std::string& manifest) {
    const auto with = a_cluster(cluster);
    REQUIRE(lay(*with, manifest));
    const Pod& added = with->objects.pods.items().back();
    return std::string(with->objects.symbols.text(added.spec.other_decides));
  };
  const std::string label = "labels: {kueue.x-k8s.io/queue-name: q}";
  const std::string spec = "spec: {containers: [{name: c}]}";
  const auto deployment = [&](const std::string& own, const std::string& of_template) {
    return fmt::format(
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {{namespace: ml, name: d, {}}}\nspec: "
        "{{template: {{metadata: {{{}}}, {}}}}}\n",
        own, of_template, spec);
  };
  const auto cron_job = [&](const std::string& of_job) {
    return fmt::format(
        "apiVersion: batch/v1\nkind: CronJob\nmetadata: {{namespace: ml, name: night}}\nspec: "
        "{{jobTemplate: {{metadata: {{{}}}, spec: {{template: {{{}}}}}}}}}\n",
        of_job, spec);
  };
  const auto nodes = std::vector<std::string>{a_node("n1", "4")};
  const auto with_queue = std::vector<std::string>{a_node("n1", "4"), queue};
  const auto starts = [](const std::string& text, const std::string& with) { return text.starts_with(with); };
  CHECK(starts(why(with_queue, deployment(label, "")), "Kueue decides first about the pods of Deployment ml/d"));
  CHECK(starts(why(with_queue, deployment("", label)), "Kueue decides first about the pods of Deployment ml/d"));
  CHECK(starts(why(with_queue, cron_job(label)), "Kueue decides first about the pods of CronJob ml/night"));
  CHECK(why(with_queue, cron_job("")).empty());
  CHECK(why(with_queue, deployment("", "")).empty());
  CHECK(why(nodes, deployment(label, "")).empty());  // no LocalQueue, no Kueue
  auto manages_all = nodes;
  manages_all.push_back(
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: kueue-manager-config, namespace: kueue-system}\ndata:\n"
      "  controller_manager_config.yaml: |\n    manageJobsWithoutQueueName: true\n");
  CHECK(starts(why(manages_all, cron_job("")), "Kueue suspends the Jobs of CronJob ml/night"));
  auto yunikorn = nodes;
  yunikorn.push_back(a_pod("yunikorn/yunikorn-admission-controller-x").on("n1").yaml());
  CHECK(starts(why(yunikorn, a_manifest("p", "")), "YuniKorn's admission controller sets schedulerName yunikorn"));
  CHECK(why(yunikorn, a_manifest("p", "schedulerName: other")).empty());
}

TEST_CASE("overlay: a pod that waits for Kueue is not changed in place of its Workload", "[overlay]") {
  const auto cluster =
      a_cluster({"apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: ml, uid: u}\nspec: "
                 "{schedulingGates: [{name: kueue.x-k8s.io/admission}], containers: [{name: c}]}\n"});
  Overlay overlay;
  overlay.ns = "ml";
  overlay.pod = "p";
  overlay.requests = {"cpu=1"};
  const auto done = apply_overlay(overlay, {}, cluster->objects);
  REQUIRE_FALSE(done);
  CHECK(done.error().message == "--request and --priority-class change pod ml/p, and Kueue decides about its Workload");
}

TEST_CASE("overlay: the class of a pod of KAI is the class of its PodGroup as well", "[overlay]") {
  const auto cluster =
      a_cluster({a_class("high", 60),
                 "apiVersion: scheduling.run.ai/v2alpha2\nkind: PodGroup\nmetadata: {name: w, "
                 "namespace: ml}\nspec: {queue: a, priorityClassName: low}\n",
                 "apiVersion: v1\nkind: Pod\nmetadata: {name: w-0, namespace: ml, uid: u, annotations: "
                 "{pod-group-name: w}}\nspec: {schedulerName: kai-scheduler, containers: [{name: c}]}\n"});
  Overlay overlay;
  overlay.ns = "ml";
  overlay.pod = "w-0";
  overlay.priority_class = "high";
  const auto done = apply_overlay(overlay, {}, cluster->objects);
  REQUIRE(done);
  REQUIRE(cluster->objects.kai_pod_groups.size() == 1);
  CHECK(cluster->objects.symbols.text(cluster->objects.kai_pod_groups[0].spec.priority_class_name) == "high");
  CHECK(std::find(done->remarks.begin(), done->remarks.end(),
                  "PodGroup ml/w with class high, which KAI takes for all its pods") != done->remarks.end());
}

TEST_CASE("overlay: a missing class from the command line is named as such", "[overlay]") {
  const auto refusal = [](TestCluster& cluster, const std::string& name) {
    Overlay overlay;
    overlay.priority_class = name;
    overlay.requests = {"cpu=1"};
    const auto done = apply_overlay(overlay, {}, cluster.objects);
    REQUIRE_FALSE(done);
    CHECK_FALSE(done.error().place.file);
    return done.error().message;
  };
  const auto cluster = a_cluster({a_node("n1", "4"), a_class("high", 9)});
  CHECK(refusal(*cluster, "hgh") == "--priority-class hgh: the PriorityClass does not exist; did you mean high?");
  const auto none = a_cluster({a_node("n1", "4")});
  CHECK(refusal(*none, "high") == "--priority-class high: the input has no PriorityClasses, so its value is not known");
}

TEST_CASE("overlay: a new pod tolerates the loss of its node for five minutes", "[overlay]") {
  const auto cluster = a_cluster({a_node("n1", "4")});
  REQUIRE(lay(*cluster, a_manifest("a", "")));
  const auto& tolerations = pod(*cluster, "a").spec.tolerations;
  REQUIRE(tolerations.size() == 2);  // not-ready and unreachable
  CHECK(tolerations[0].seconds == 300);
  CHECK(tolerations[1].seconds == 300);
}

TEST_CASE("overlay: a new node gets the pods that DaemonSets create on it", "[overlay]") {
  const auto daemon = [](const std::string& name, const std::string& node, const std::string& spec) {
    auto pod = a_pod("kube-system/" + name).on(node).priority(2000);
    if (!spec.empty()) pod.spec(spec);
    return owned(pod.yaml(), "DaemonSet", name.substr(0, name.find('-')));
  };
  const std::string pinned =
      "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchFields: "
      "[{key: metadata.name, operator: In, values: [n1]}]}]}}}";
  const auto cluster = a_cluster({a_node("n1", "4"), a_node("n2", "4"), daemon("log-a", "n1", pinned),
                                  daemon("log-b", "n2", ""), daemon("part-a", "n1", ""),
                                  daemon("gpu-a", "n1", "nodeSelector: {gpu: h200}"), a_pod("d/x").on("n1").yaml()});
  const Scratch scratch;
  Overlay overlay;
  overlay.node_count = 2;
  const auto added = [&](const std::string& node) {
    overlay.node_template = scratch.file("node.yaml", node);
    const auto done = apply_overlay(overlay, {}, cluster->objects);
    if (!done) FAIL(done.error().message);
    return *done;
  };
  const auto names_on = [&](const std::string& node) {
    std::vector<std::string> names;
    for (const Pod& each : cluster->objects.pods) {
      if (cluster->objects.symbols.text(each.spec.node_name) == node)
        names.emplace_back(cluster->objects.symbols.text(each.meta.name));
    }
    std::sort(names.begin(), names.end());
    return names;
  };
  SECTION("any node: every DaemonSet that may want it") {
    // The template of part may exclude nodes, as n2 has no pod of it: no pod shows the affinity of a template.
    const OverlayResult done = added(a_node("pool", "4"));
    CHECK(names_on("pool-1") == std::vector<std::string>{"log-a-pool-1", "part-a-pool-1"});
    CHECK(names_on("pool-2") == std::vector<std::string>{"log-a-pool-2", "part-a-pool-2"});
    CHECK(done.remarks == std::vector<std::string>{"added 2 nodes like pool, each with 2 pods of DaemonSets"});
    REQUIRE(done.unknown.size() == 1);
    CHECK(done.unknown.front().operands == std::vector<std::string>{"DaemonSet kube-system/part", "nodes like pool"});
  }
  SECTION("a taint that no pod tolerates") {
    const OverlayResult done = added(a_node("pool", "4") + "spec: {taints: [{key: k, effect: NoSchedule}]}\n");
    CHECK(names_on("pool-1").empty());
    CHECK(done.remarks == std::vector<std::string>{"added 2 nodes like pool"});
  }
  SECTION("a copy of a node of the input: the DaemonSets that run there") {
    const OverlayResult done = added(a_node("n2", "4"));
    CHECK(names_on("n2-1") == std::vector<std::string>{"log-b-n2-1"});
    CHECK(done.unknown.empty());
  }
  SECTION("a DaemonSet of the manifests, too") {
    overlay.with = {scratch.file("with.yaml",
                                 "apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: new, namespace: d}\n"
                                 "spec: {selector: {matchLabels: {app: new}}, template: {metadata: {labels: {app: "
                                 "new}}, spec: {containers: [{name: c}]}}}\n")};
    const OverlayResult done = added(a_node("pool", "4"));
    CHECK(done.pods.size() == 4);  // n1, n2, pool-1, pool-2
  }
}

// The API server sets the allocatable of a new node to its capacity (SetDefaults_NodeStatus).
TEST_CASE("overlay: the capacity of a new node is allocatable", "[overlay]") {
  const std::string node = "apiVersion: v1\nkind: Node\nmetadata: {name: big}\nstatus: {capacity: {cpu: 4}}\n";
  const auto cluster = a_cluster({a_node("n1", "4")});
  const Scratch scratch;
  Overlay overlay;
  overlay.node_template = scratch.file("node.yaml", node);
  REQUIRE(lay(*cluster, node, overlay));
  REQUIRE(cluster->objects.nodes.size() == 3);  // n1, big, big-1
  CHECK(cluster->objects.nodes[NodeId{1}].status.allocatable.size() == 1);
  CHECK(cluster->objects.nodes[NodeId{2}].status.allocatable.size() == 1);
}

// Drivers publish ResourceSlices and the CSINode of each node; a node of a manifest alone has none that are known.
TEST_CASE("overlay: a new node like a node of the input has its devices and volume limits, and is not cordoned",
          "[overlay]") {
  const std::string dumped =
      "apiVersion: v1\nkind: Node\nmetadata: {name: n1, uid: u1}\nspec: {unschedulable: true, taints: [{key: "
      "node.kubernetes.io/unschedulable, effect: NoSchedule}, {key: mine, effect: NoSchedule}]}\nstatus: {allocatable: "
      "{cpu: '4', pods: '9'}}\n";
  const std::string published =
      "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s-n1}\nspec: {driver: d, nodeName: n1, "
      "pool: {name: n1, generation: 1, resourceSliceCount: 1}, devices: [{name: d0}]}\n---\n"
      "apiVersion: storage.k8s.io/v1\nkind: CSINode\nmetadata: {name: n1}\nspec: {drivers: [{name: c, allocatable: "
      "{count: 3}}]}\n";
  const auto cluster = a_cluster({dumped, published});
  const Scratch scratch;
  Overlay overlay;
  overlay.node_template = scratch.file("node.yaml", dumped);
  const auto done = apply_overlay(overlay, {}, cluster->objects);
  REQUIRE(done);
  CHECK(done->remarks == Lines{"added 1 node like n1, without its cordon and the taints of its state"});
  const Objects& objects = cluster->objects;
  REQUIRE(objects.nodes.size() == 2);
  const Node& made = objects.nodes[NodeId{1}];
  CHECK_FALSE(made.spec.unschedulable);
  CHECK(made.spec.taints.size() == 1);
  REQUIRE(objects.resource_slices.size() == 2);
  CHECK(objects.resource_slices[1].spec.node_name == made.meta.name);
  CHECK(objects.resource_slices[1].spec.pool.name == made.meta.name);  // devices are identified by their pool
  REQUIRE(objects.csi_nodes.size() == 2);
  CHECK(objects.csi_nodes[1].meta.name == made.meta.name);
  CHECK_FALSE(ManifestNodes(Snapshot(cluster->objects)).lacks_slices(NodeId{1}));
}

TEST_CASE("overlay: what drivers would publish on a node of a manifest is not known", "[overlay]") {
  const std::string slice =
      "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: s}\nspec: {driver: d, nodeName: ";
  const auto cluster =
      a_cluster({"apiVersion: v1\nkind: Node\nmetadata: {name: n1, uid: u1}\n", a_node("pool", "4"), slice + "n1}\n"});
  CHECK_FALSE(ManifestNodes(*cluster->snapshot).lacks_slices(NodeId{0}));
  CHECK(ManifestNodes(*cluster->snapshot).lacks_slices(NodeId{1}));
  const auto by_hand = a_cluster({a_node("n1", "4"), a_node("pool", "4"), slice + "n1}\n"});
  CHECK_FALSE(ManifestNodes(*by_hand->snapshot).lacks_slices(NodeId{1}));
}

// The status counted the workload, too, which is missing on purpose.
TEST_CASE("overlay: without a Workload, the counts of ClusterQueues do not hold", "[overlay][kueue]") {
  const auto cluster = a_cluster(
      {"{apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: q}, status: {reservingWorkloads: "
       "1}}\n",
       "{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: w, namespace: ns}, spec: {queueName: "
       "q}}\n"});
  REQUIRE(cluster->objects.cluster_queues.size() == 1);
  CHECK(cluster->objects.cluster_queues[0].status.reserving_workloads == 1);
  Overlay overlay;
  overlay.without = {"workload/ns/w"};
  REQUIRE(apply_overlay(overlay, {}, cluster->objects));
  CHECK(cluster->objects.kueue_workloads.empty());
  CHECK_FALSE(cluster->objects.cluster_queues[0].status.reserving_workloads);
}

}  // namespace previct::test
