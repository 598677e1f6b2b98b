#include "overlay/overlay.h"

#include "overlay/admission.h"
#include "support/cluster.h"
#include "support/scratch.h"

#include <catch2/catch.hpp>

namespace previct::test {
namespace {

// What laying `yaml` over the cluster leads to.
auto lay(TestCluster& cluster, const std::string& yaml) -> Result<Overlaid> {
  const Scratch scratch;
  Overlay overlay;
  overlay.with = {scratch.file("overlay.yaml", yaml)};
  return lay_over(overlay, {}, cluster.objects);
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

TEST_CASE("an object laid over takes the place of its namesake and keeps what the server knows", "[overlay]") {
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
  CHECK(objects.disruption_budgets[0].status.disruptions_allowed == 3);
  const Pod& changed = pod(*cluster, "a");
  CHECK(objects.symbols.text(changed.spec.node_name) == "n1");
  CHECK(objects.symbols.text(changed.meta.uid) == "uid-ml-a");
  CHECK(changed.status.start_time == parse_instant("2026-03-02T09:00:00Z"));
  CHECK(changed.spec.priority == 2'000'001'000);
  CHECK(done->pods.empty());  // it has its node
}

TEST_CASE("admission gives a pod the priority of its class", "[overlay]") {
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
        "pod ml/x would be refused by the API server: there is no PriorityClass hihg");
  CHECK(lay(*cluster, a_manifest("z", "priority: 5")).error().message ==
        "pod ml/z would be refused by the API server: priority 5 is not that of class usual, 70");
  CHECK(lay(*cluster, a_manifest("w", "priorityClassName: high, preemptionPolicy: Never")).error().message ==
        "pod ml/w would be refused by the API server: preemptionPolicy Never is not that of class high, "
        "PreemptLowerPriority");
}

TEST_CASE("a resource that containers do not have is refused, as by the API server", "[overlay]") {
  const auto said = [](const std::string& requests) {
    const auto cluster = a_cluster({a_node("n1", "4")});
    Overlay overlay;
    overlay.requests = {requests};
    const auto done = lay_over(overlay, {}, cluster->objects);
    return done ? std::string("accepted") : done.error().message;
  };
  CHECK(said("memroy=400Gi") ==
        "pod default/what-if would be refused by the API server: memroy is no resource of a container; did you mean "
        "memory?");
  CHECK(said("pods=1").find("pods is no resource") != std::string::npos);
  for (const char* request : {"cpu=1", "ephemeral-storage=1Gi", "hugepages-2Mi=4Mi", "nvidia.com/gpu=1"})
    CHECK(said(request) == "accepted");
}

TEST_CASE("a workload adds the pod that it would make next", "[overlay]") {
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

TEST_CASE("a changed class counts for new pods, and the answer says so", "[overlay]") {
  const auto cluster = a_cluster({a_class("low", 5), a_pod("ml/a").priority(5).priority_class("low").yaml()});
  const auto done = lay(*cluster, a_class("low", 7));
  REQUIRE(done);
  CHECK(pod(*cluster, "a").spec.priority == 5);
  CHECK(done->remarks ==
        std::vector<std::string>{
            "the value 7 of PriorityClass low counts for new pods; the pod that has the class keeps its "
            "priority 5",
            "replaced PriorityClass low"});
}

TEST_CASE("configurations among the manifests are set aside", "[overlay]") {
  const auto cluster = a_cluster({a_node("n1", "4")});
  const auto done = lay(*cluster, "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n");
  REQUIRE(done);
  REQUIRE(done->configurations.scheduler_config);
  CHECK(done->configurations.scheduler_config->bytes.starts_with("apiVersion: kubescheduler"));
  const auto queues = lay(*cluster, "partitions: [{name: default}]\n");
  REQUIRE(queues);
  CHECK(queues->configurations.yunikorn_config);
}

}  // namespace previct::test
