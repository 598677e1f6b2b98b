#include "engine/yunikorn/configuration.h"
#include "engine/yunikorn/partition_context.h"
#include "support/input.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace previct;
using namespace previct::yunikorn;

namespace {

/// A cluster from manifests, with YuniKorn's view of it.
struct Scene {
  explicit Scene(const std::string& manifests, const std::string& queues = "", bool unique = false) {
    REQUIRE(test::read_text(manifests, objects));
    auto read = read_queues(queues, objects.files.add("queues.yaml"));
    REQUIRE(read);
    config = *std::move(read);
    cluster = std::make_unique<Snapshot>(objects);
    core = std::make_unique<PartitionContext>(*cluster, config, Assumptions(),
                                              PartitionSettings{.unique_app_ids = unique});
  }

  [[nodiscard]] auto pod(std::string_view name) const -> PodId { return cluster->find_pod("ns", name); }
  [[nodiscard]] auto queue_of(std::string_view name) const -> std::string {
    const Application& app = core->app(core->app_of(pod(name)));
    return app.queue ? core->queues()[app.queue].path : "rejected: " + app.refusal;
  }
  [[nodiscard]] auto app_of(std::string_view name) const -> std::string {
    const AppId app = core->app_of(pod(name));
    return app ? core->app(app).id : "foreign";
  }
  [[nodiscard]] auto size_of(std::string_view name) const -> std::string {
    std::string text;
    for (const auto& [type, amount] : core->types().by_name(core->size_of(pod(name)))) {
      text += fmt::format("{}{}={}", text.empty() ? "" : " ", type, amount);
    }
    return text;
  }

  Objects objects;
  Config config;
  std::unique_ptr<Snapshot> cluster;
  std::unique_ptr<PartitionContext> core;
};

/// A YuniKorn pod; `meta` and `spec` are JSON members, each followed by a comma.
auto a_pod(const std::string& name, const std::string& meta = "", const std::string& spec = "",
           const std::string& status = "") -> std::string {
  return fmt::format(
      R"({{"apiVersion": "v1", "kind": "Pod", "metadata": {{{}"name": "{}", "namespace": "ns", "uid": "uid-{}"}}, )"
      R"("spec": {{{}"schedulerName": "yunikorn"}}, "status": {{{}}}}})"
      "\n",
      meta, name, name, spec, status);
}

auto a_node(const std::string& name) -> std::string {
  return fmt::format(
      R"({{"apiVersion": "v1", "kind": "Node", "metadata": {{"name": "{}"}}, "status": {{"allocatable": )"
      R"({{"cpu": "4", "memory": "8Gi", "pods": "110", "example.com/none": "0"}}}}}})"
      "\n",
      name);
}

auto created(int second) -> std::string {
  return fmt::format(R"("creationTimestamp": "2026-05-01T12:00:{:02}Z", )", second);
}

constexpr const char* kTwoQueues = R"(
partitions:
  - name: default
    queues:
      - name: root
        submitacl: '*'
        queues:
          - name: default
          - name: team
            parent: true
            childtemplate: {resources: {max: {vcore: 2}}, properties: {preemption.delay: 7s}}
            queues: [{name: a}]
)";

}  // namespace

TEST_CASE("yunikorn application id: label before annotation before older labels", "[yunikorn]") {
  const Scene scene(
      a_pod("one", R"("labels": {"yunikorn.apache.org/app-id": "x", "applicationId": "y"}, )") +
      a_pod("two", R"("annotations": {"yunikorn.apache.org/app-id": "z"}, "labels": {"applicationId": "y"}, )") +
      a_pod("three", R"("labels": {"applicationId": "", "spark-app-selector": "s"}, )") +
      a_pod("four", R"("labels": {"applicationId": "run-uniqueautogen"}, )") + a_pod("five"));
  CHECK(scene.app_of("one") == "x");
  CHECK(scene.app_of("two") == "z");
  CHECK(scene.app_of("three") == "s");
  CHECK(scene.app_of("four") == "run-uid-four");
  CHECK(scene.app_of("five") == "yunikorn-ns-autogen");
}

// A label that ends with n may contain the pod's uid ("-uniqueautogen"), so its text is read for each pod.
TEST_CASE("yunikorn application id: pods with the same id belong to one application", "[yunikorn]") {
  for (const std::string id : {"train", "job", "run-uniqueautogen"}) {
    const std::string label = R"("labels": {"applicationId": ")" + id + R"("}, )";
    for (const bool unique : {false, true}) {
      INFO(id << ' ' << unique);
      const Scene scene(a_pod("one", label) + a_pod("two", label), "", unique);
      const bool one = scene.core->app_of(scene.pod("one")) == scene.core->app_of(scene.pod("two"));
      CHECK(one == (id != "run-uniqueautogen"));
    }
  }
}

TEST_CASE("yunikorn application id: with unique ids, every pod without one has its own application", "[yunikorn]") {
  const Scene scene(a_pod("one") + a_pod("two"), "", true);
  CHECK(scene.app_of("one") == "ns-uid-one");
  CHECK(scene.app_of("two") == "ns-uid-two");
}

TEST_CASE("yunikorn application id: pods of other schedulers and finished pods have none", "[yunikorn]") {
  const Scene scene(
      a_pod("done", "", "", R"("phase": "Succeeded")") +
      R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "other", "namespace": "ns"}, "spec": {"schedulerName": "Yunikorn"}})");
  CHECK(scene.app_of("done") == "foreign");
  CHECK(scene.app_of("other") == "foreign");
}

TEST_CASE("yunikorn originator: the first pod of an application, even if it is pending", "[yunikorn]") {
  const Scene scene(a_node("n") + a_pod("young", created(9), R"("nodeName": "n", )") + a_pod("old", created(1)));
  CHECK(scene.core->allocation(scene.pod("old")).originator);
  CHECK_FALSE(scene.core->allocation(scene.pod("young")).originator);
}

TEST_CASE("yunikorn originator: the pod that owns a placeholder, instead of the placeholder", "[yunikorn]") {
  const Scene scene(
      a_pod("holder", created(1) + R"("annotations": {"internal.yunikorn.apache.org/placeholder": "true"}, )" +
                          R"("ownerReferences": [{"kind": "Pod", "name": "driver", "uid": "uid-driver"}], )") +
      a_pod("driver", created(5)));
  CHECK_FALSE(scene.core->allocation(scene.pod("holder")).originator);
  CHECK(scene.core->allocation(scene.pod("driver")).originator);
}

TEST_CASE("yunikorn opt-out: the pod's annotation, exactly spelled, else that of its class; never a label",
          "[yunikorn]") {
  const Scene scene(
      R"({"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "shy", "annotations": {"yunikorn.apache.org/allow-preemption": "false"}}, "value": 1})"
      "\n" +
      a_pod("class", "", R"("priorityClassName": "shy", )") +
      a_pod("own", R"("annotations": {"yunikorn.apache.org/allow-preemption": "true"}, )",
            R"("priorityClassName": "shy", )") +
      a_pod("spelled", R"("annotations": {"yunikorn.apache.org/allow-preemption": "False"}, )") +
      a_pod("label", R"("labels": {"yunikorn.apache.org/allow-preemption": "false"}, )"));
  CHECK(scene.core->allocation(scene.pod("class")).opted_out);
  CHECK_FALSE(scene.core->allocation(scene.pod("own")).opted_out);
  CHECK_FALSE(scene.core->allocation(scene.pod("spelled")).opted_out);
  CHECK_FALSE(scene.core->allocation(scene.pod("label")).opted_out);
}

TEST_CASE("yunikorn required node: only for pods of a DaemonSet, and the last metadata.name counts", "[yunikorn]") {
  const std::string affinity =
      R"("affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [)"
      R"({"matchFields": [{"key": "metadata.name", "operator": "In", "values": ["n1"]}]},)"
      R"({"matchFields": [{"key": "metadata.name", "operator": "NotIn", "values": ["n2", "n3"]}]}]}}}, )";
  const Scene scene(a_pod("set", R"("ownerReferences": [{"kind": "DaemonSet", "name": "d", "uid": "u"}], )", affinity) +
                    a_pod("pinned", "", affinity));
  CHECK(scene.cluster->text(scene.core->allocation(scene.pod("set")).required_node) == "n2");
  CHECK_FALSE(scene.core->allocation(scene.pod("pinned")).required_node);
}

TEST_CASE("yunikorn pod size: each container is rounded up by itself", "[yunikorn]") {
  // 0.1m counts as 1 thousandth, twice as 2. The exact sum of kube-scheduler would be 0.2m, which counts as 1.
  const Scene scene(a_pod("p", "",
                          R"("containers": [{"name": "a", "resources": {"requests": {"cpu": "0.1m"}}},)"
                          R"({"name": "b", "resources": {"requests": {"cpu": "0.1m"}}}], )"));
  CHECK(scene.size_of("p") == "pods=1 vcore=2");
}

TEST_CASE("yunikorn pod size: init containers need resources beside the sidecars that run already", "[yunikorn]") {
  // The sidecar has 1 cpu, so an init container of 5 needs 6. The container of 2 and the sidecar need only 3.
  const Scene scene(
      a_pod("p", "",
            R"("containers": [{"name": "a", "resources": {"requests": {"cpu": "2"}}}], )"
            R"("initContainers": [{"name": "s", "restartPolicy": "Always", "resources": {"requests": {"cpu": "1"}}},)"
            R"({"name": "i", "resources": {"requests": {"cpu": "5"}}}], )"));
  CHECK(scene.size_of("p") == "pods=1 vcore=6000");
}

TEST_CASE("yunikorn pod size: a resize takes the larger of spec and status, an infeasible one the status",
          "[yunikorn]") {
  const std::string spec = R"("containers": [{"name": "a", "resources": {"requests": {"cpu": "3"}}}], )";
  const std::string container =
      R"("containerStatuses": [{"name": "a", "resources": {"requests": {"cpu": "1"}}, "allocatedResources": {"memory": "5"}}])";
  const Scene scene(
      a_pod("p", "", spec, container) + a_pod("q", "", spec, container + R"(, "resize": "Infeasible")") +
      a_pod("r", "", spec,
            container + R"(, "conditions": [{"type": "PodResizePending", "status": "True", "reason": "Infeasible"}])"));
  CHECK(scene.size_of("p") == "memory=5 pods=1 vcore=3000");
  CHECK(scene.size_of("q") == "pods=1 vcore=1000");
  CHECK(scene.size_of("r") == "pods=1 vcore=1000");
}

TEST_CASE("yunikorn pod size: pod requests replace cpu, memory and huge pages; overhead is added", "[yunikorn]") {
  const Scene scene(a_pod("p", "",
                          R"("containers": [{"name": "a", "resources": {"requests": {"cpu": "3", "x.io/y": "2"}}}], )"
                          R"("resources": {"requests": {"cpu": "1", "x.io/y": "7"}}, "overhead": {"cpu": "250m"}, )"));
  CHECK(scene.size_of("p") == "pods=1 vcore=1250 x.io/y=2");
}

TEST_CASE("yunikorn placement: without any configuration, queues are created from namespaces", "[yunikorn]") {
  const Scene scene(a_pod("p", R"("labels": {"queue": "root.elsewhere"}, )"));
  CHECK(scene.queue_of("p") == "root.ns");
}

TEST_CASE("yunikorn placement: the implicit rule accepts existing leaf queues, others go to root.default",
          "[yunikorn]") {
  const Scene scene(a_pod("leaf", R"("labels": {"queue": "ROOT.Team.A", "applicationId": "1"}, )") +
                        a_pod("full", R"("labels": {"queue": "root.Team.A", "applicationId": "2"}, )") +
                        a_pod("parent", R"("labels": {"queue": "root.team", "applicationId": "3"}, )") +
                        a_pod("missing", R"("labels": {"queue": "root.nobody", "applicationId": "4"}, )"),
                    kTwoQueues);
  CHECK(scene.queue_of("full") == "root.team.a");
  CHECK(scene.queue_of("leaf") ==
        "root.default");  // `ROOT.` is no full path, so dots are replaced and nothing is found
  CHECK(scene.queue_of("parent") == "root.default");
  CHECK(scene.queue_of("missing") == "root.default");
}

TEST_CASE("yunikorn placement: unplaced applications that run go to the recovery queue, others are rejected",
          "[yunikorn]") {
  const std::string queues =
      "partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [{name: a}]}]}]";
  const Scene scene(a_node("n") + a_pod("runs", R"("labels": {"applicationId": "1"}, )", R"("nodeName": "n", )") +
                        a_pod("waits", R"("labels": {"applicationId": "2"}, )"),
                    queues);
  CHECK(scene.queue_of("runs") == "root.@recovery@");
  CHECK(scene.queue_of("waits") == "rejected: no placement rule matched");
}

TEST_CASE("yunikorn queues: one created on demand gets the nearest template, and inherits no properties",
          "[yunikorn]") {
  const std::string queues = std::string(kTwoQueues) + "    placementrules: [{name: provided, create: true}]\n";
  const Scene scene(a_pod("p", R"("labels": {"queue": "root.team.new.Deep"}, )"), queues);
  REQUIRE(scene.queue_of("p") == "root.team.new.deep");
  const QueueTree& tree = scene.core->queues();
  const Queue& leaf = tree[tree.find("root.team.new.deep")];
  CHECK(leaf.max->amount(TypeNames::kVcore) == 2000);
  CHECK(leaf.policy.preemption_delay == 7'000'000'000);
  CHECK_FALSE(tree[tree.find("root.team.new")].max);
}

// Source: apache/yunikorn-core 1.9 pkg/scheduler/partition.go createQueue.
TEST_CASE("yunikorn queues: none is created below a leaf", "[yunikorn]") {
  const std::string queues = std::string(kTwoQueues) + "    placementrules: [{name: provided, create: true}]\n";
  const Scene scene(a_pod("below", R"("labels": {"queue": "root.team.a.deep", "applicationId": "1"}, )") +
                        a_pod("leaf", R"("labels": {"queue": "root.team.a", "applicationId": "2"}, )"),
                    queues);
  CHECK(scene.queue_of("below") == "rejected: queue root.team.a.deep cannot be created");
  CHECK(scene.queue_of("leaf") == "root.team.a");
}

TEST_CASE("yunikorn placement: the parent rule of a rule names the queue above", "[yunikorn]") {
  const Scene scene(a_pod("p", R"("labels": {"queue": "x.y"}, )"), R"(
partitions:
  - name: default
    placementrules:
      - {name: provided, create: true, parent: {name: tag, value: namespace, create: true}}
    queues: [{name: root, submitacl: '*'}]
)");
  CHECK(scene.queue_of("p") == "root.ns.x_dot_y");
}

TEST_CASE("yunikorn placement: if the user may not submit, the next rule is tried", "[yunikorn]") {
  const std::string queues = R"(
partitions:
  - name: default
    placementrules:
      - {name: provided}
      - {name: fixed, value: root.open}
    queues:
      - name: root
        queues:
          - {name: closed, submitacl: 'ann devs'}
          - {name: open, submitacl: '*'}
)";
  const auto pod = [](const std::string& name, const std::string& user) {
    return a_pod(name, fmt::format(R"("labels": {{"queue": "root.closed", "applicationId": "{}"}}, )"
                                   R"("annotations": {{"yunikorn.apache.org/user.info": "{}"}}, )",
                                   name, user));
  };
  const Scene scene(pod("ann", R"({\"user\":\"ann\"})") + pod("bob", R"({\"user\":\"bob\",\"groups\":[\"devs\"]})") +
                        pod("eve", R"({\"user\":\"eve\",\"groups\":[\"ops\"]})") + pod("none", ""),
                    queues);
  CHECK(scene.queue_of("ann") == "root.closed");
  CHECK(scene.queue_of("bob") == "root.closed");
  CHECK(scene.queue_of("eve") == "root.open");
  CHECK(scene.queue_of("none") == "root.open");
}

// Source: apache/yunikorn-core 1.9 pkg/scheduler/placement/filter.go allowUser, newFilter.
TEST_CASE("yunikorn placement filter: allows its users and groups, or all others; if empty, by its type",
          "[yunikorn]") {
  const auto placed = [](const std::string& filter, const std::string& user, const std::string& groups = "") {
    const std::string info = fmt::format(R"({{\"user\":\"{}\",\"groups\":[{}]}})", user, groups);
    const Scene scene(
        a_pod("p", fmt::format(R"("annotations": {{"yunikorn.apache.org/user.info": "{}"}}, )", info)),
        "partitions: [{name: default, placementrules: [{name: fixed, value: root.first, filter: {" + filter +
            "}}, {name: fixed, value: root.second}], queues: [{name: root, submitacl: '*', queues: [{name: first}, "
            "{name: second}]}]}]");
    return scene.queue_of("p");
  };
  const std::string devs = R"(\"ops\",\"devs\")";
  CHECK(placed("users: [ann]", "ann") == "root.first");
  CHECK(placed("users: [ann]", "eve") == "root.second");
  CHECK(placed("type: deny, users: [ann]", "ann") == "root.second");
  CHECK(placed("type: deny, users: [ann]", "eve") == "root.first");
  CHECK(placed("type: allow, groups: [devs]", "bob", devs) == "root.first");
  CHECK(placed("type: allow, groups: [devs]", "eve", R"(\"ops\")") == "root.second");
  CHECK(placed("type: deny, groups: [devs]", "bob", devs) == "root.second");
  CHECK(placed("type: deny, users: [ann], groups: [devs]", "eve", R"(\"ops\")") == "root.first");
  CHECK(placed("type: deny", "eve") == "root.second");
  CHECK(placed("type: allow", "eve") == "root.first");
  // Entries that cannot be names are left out of a list.
  CHECK(placed("users: [1a, ann]", "1a") == "root.second");
  CHECK(placed("type: deny, groups: [1a, devs]", "eve", R"(\"1a\")") == "root.first");
}

TEST_CASE("yunikorn properties: offsets and fences are not inherited, disabled and all others are", "[yunikorn]") {
  const Scene scene(a_pod("p"), R"(
partitions:
  - name: default
    queues:
      - name: root
        submitacl: '*'
        queues:
          - name: top
            properties: {priority.offset: 5, priority.policy: fence, preemption.policy: Fence, preemption.delay: 1m}
            queues: [{name: leaf}, {name: own, properties: {preemption.delay: 10s, priority.offset: 3}},
                     {name: odd, properties: {preemption.delay: 0s}}]
          - name: off
            properties: {preemption.policy: disabled, preemption.delay: 0s, priority.offset: 1e3}
            queues: [{name: leaf}]
)");
  const QueueTree& tree = scene.core->queues();
  const auto policy = [&](const char* path) { return tree[tree.find(path)].policy; };
  CHECK(policy("root.top").priority_offset == 5);
  CHECK(policy("root.top").priority_fence);
  CHECK(policy("root.top").preemption == PreemptionPolicy::fence);
  CHECK(policy("root.top.leaf").priority_offset == 0);
  CHECK_FALSE(policy("root.top.leaf").priority_fence);
  CHECK(policy("root.top.leaf").preemption == PreemptionPolicy::normal);
  CHECK(policy("root.top.leaf").preemption_delay == 60'000'000'000);
  // Its own properties replace those that it inherits.
  CHECK(policy("root.top.own").preemption_delay == 10'000'000'000);
  CHECK(policy("root.top.own").priority_offset == 3);
  CHECK(policy("root.top.odd").preemption_delay == 30'000'000'000);  // also one that is not valid
  CHECK(policy("root.off.leaf").preemption == PreemptionPolicy::disabled);
  CHECK(policy("root.off.leaf").preemption_delay == 30'000'000'000);  // 0s is not valid
  CHECK(policy("root.off").priority_offset == 0);                     // 1e3 is no int32
}

TEST_CASE("yunikorn max: one without a value above zero is none, zero beside others is a limit", "[yunikorn]") {
  const Scene scene(a_pod("p"), R"(
partitions: [{name: default, queues: [{name: root, submitacl: '*', queues: [
  {name: a, resources: {max: {vcore: 0}}}, {name: b, resources: {max: {vcore: 0, memory: 1}}}]}]}]
)");
  const QueueTree& tree = scene.core->queues();
  CHECK_FALSE(tree[tree.find("root.a")].max);
  CHECK(tree[tree.find("root.b")].max->get(TypeNames::kVcore) == 0);
}

TEST_CASE("yunikorn headroom: the smallest maximum on the path minus usage, without foreign pods", "[yunikorn]") {
  const std::string use =
      R"("nodeName": "n", "containers": [{"name": "a", "resources": {"requests": {"cpu": "1"}}}], )";
  const Scene scene(
      a_node("n") + a_pod("p", R"("labels": {"queue": "root.team.a"}, )", use) +
          R"({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "f", "namespace": "ns"}, "spec": {"nodeName": "n", "containers": [{"name": "a", "resources": {"requests": {"cpu": "2"}}}]}})",
      kTwoQueues);
  const QueueTree& tree = scene.core->queues();
  const Resources room = tree.headroom(tree.find("root.team.a"));
  CHECK(room.get(TypeNames::kVcore) == 3000);  // all nodes have 4 cpus
  CHECK(room.get(TypeNames::kPods) == 109);
  const NodeUsage node = scene.core->room(NodeId{0});
  CHECK(node.occupied.amount(TypeNames::kVcore) == 2000);
  CHECK(node.available().amount(TypeNames::kVcore) == 1000);
  CHECK_FALSE(node.total.has(scene.core->types().find("example.com/none").value_or(99)));  // a type with 0 is left out
}

TEST_CASE("yunikorn queues.yaml: an error in a ConfigMap has its place in the dump", "[yunikorn]") {
  const std::string dump =
      "apiVersion: v1\ndata:\n    queues.yaml: |\n      partitions:\n        - name: default\n          "
      "quues: []\n"
      "kind: ConfigMap\nmetadata:\n  name: yunikorn-configs\n  namespace: yunikorn\n";
  Objects objects;
  REQUIRE(test::read_text(dump, objects));
  const FileId file = objects.config_maps.at(0).data.at(0).second.place.file;
  objects.sources.add_text(file, dump);
  const Snapshot cluster(objects);
  const auto setup = read_setup(cluster, Question());
  REQUIRE_FALSE(setup);
  CHECK(setup.error().place.line == 6);
  CHECK(setup.error().place.column == 11);
}

TEST_CASE("yunikorn ConfigMaps: other maps, and other keys, are not kept", "[yunikorn]") {
  Objects objects;
  REQUIRE(
      test::read_text("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: passwords}\ndata: {queues.yaml: secret}\n---\n"
                      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: yunikorn-configs}\ndata: {other: secret}\n",
                      objects));
  REQUIRE(objects.config_maps.size() == 2);
  for (const ConfigMap& map : objects.config_maps) CHECK(map.data.empty());
  CHECK_FALSE(objects.symbols.find("secret"));
}
