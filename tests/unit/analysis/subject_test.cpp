#include "analysis/subject.h"

#include "support/cluster.h"
#include "support/input.h"

#include <catch2/catch.hpp>

#include <memory>

using namespace previct;

namespace {

constexpr const char* kPods = R"(
apiVersion: v1
kind: Pod
metadata: {name: train-big-0, namespace: ml}
spec: {priority: 9000}
---
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: ml}
spec: {schedulerName: kai-scheduler}
---
apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {nodeName: n1}
---
apiVersion: v1
kind: Pod
metadata: {name: done, namespace: ml}
spec: {}
status: {phase: Succeeded}
)";

// An engine that schedules the pods of one schedulerName.
class StubEngine : public Engine {
 public:
  StubEngine(std::string_view name, std::string_view scheduler) : name_(name), scheduler_(scheduler) {}
  auto name() const -> std::string_view override { return name_; }
  auto rank() const -> int override { return 0; }
  auto decides_about_groups() const -> bool override { return name_ == "kai"; }
  auto asked_kind() const -> std::string_view override { return name_ == "kai" ? "podgroup" : ""; }
  auto owns_pod(const Snapshot& cluster, PodId pod) const -> bool override {
    return cluster.text(cluster.pod(pod).spec.scheduler_name) == scheduler_;
  }
  auto verdict_on(const Snapshot& /*cluster*/, const Question& /*question*/) const -> Result<Verdict> override {
    return Verdict{};
  }

 private:
  std::string_view name_;
  std::string_view scheduler_;
};

struct Cluster {
  Objects objects;
  std::unique_ptr<Snapshot> snapshot;
  Cluster() {
    REQUIRE(test::read_text(kPods, objects));
    snapshot = std::make_unique<Snapshot>(objects);
  }
  [[nodiscard]] auto find(std::string_view text, std::string_view ns = "default") const -> std::string {
    const auto subject = find_subject(*snapshot, text, ns);
    return subject ? subject->kind + ":" + subject->ns + "/" + subject->name : subject.error().message;
  }
};

}  // namespace

TEST_CASE("subject: a pod is named as in kubectl") {
  const Cluster cluster;
  CHECK(cluster.find("ml/train-big-0") == "pod:ml/train-big-0");
  CHECK(cluster.find("web") == "pod:default/web");
  CHECK(cluster.find("web", "ml") == "pod:ml/web");
  CHECK(cluster.find("pod/web") == "pod:default/web");
  CHECK(cluster.find("pods/ml/web") == "pod:ml/web");
  CHECK(cluster.find("podgroup/ml/any") == "podgroup:ml/any");
}

TEST_CASE("subject: for a missing pod, the most similar name is suggested") {
  const Cluster cluster;
  CHECK(cluster.find("ml/train-big") ==
        "no pod ml/train-big in the input; did you mean ml/train-big-0? (2 pending pods)");
  CHECK(cluster.find("train-big-0") ==
        "no pod default/train-big-0 in the input; did you mean ml/train-big-0? (2 pending pods)");
  CHECK(cluster.find("other/thing") == "no pod other/thing in the input (2 pending pods)");
  CHECK(cluster.find("a/b/c") ==
        "\"a/b/c\" is not a pod name; expected NAME, NAMESPACE/NAME, pod/NAME, podgroup/NAMESPACE/NAME or "
        "workload/NAMESPACE/NAME");
  CHECK(cluster.find("ml/") ==
        "\"ml/\" is not a pod name; expected NAME, NAMESPACE/NAME, pod/NAME, podgroup/NAMESPACE/NAME or "
        "workload/NAMESPACE/NAME");
}

TEST_CASE("subject: a finished pod is refused") {
  CHECK(Cluster().find("ml/done") == "pod ml/done has finished (phase Succeeded); no scheduler will try it again");
}

TEST_CASE("subject: pending pods are sorted by namespace and name") {
  const Cluster cluster;
  std::string all;
  for (const Subject& subject : pending_subjects(*cluster.snapshot, "")) all += subject.ns + "/" + subject.name + " ";
  CHECK(all == "ml/train-big-0 ml/web ");
  CHECK(pending_subjects(*cluster.snapshot, "default").empty());
}

TEST_CASE("subject: the engine is the one that owns the pod, or the one requested") {
  const Cluster cluster;
  const StubEngine kube("kube", "");
  const StubEngine kai("kai", "kai-scheduler");
  const std::vector<const Engine*> both = {&kube, &kai};
  const auto choose = [&](const std::vector<const Engine*>& from, std::string_view name,
                          std::string_view pod) -> std::string {
    const auto engine = choose_engine(from, name, *cluster.snapshot, *find_subject(*cluster.snapshot, pod, "ml"));
    return engine ? std::string((*engine)->name()) : engine.error().message;
  };
  CHECK(choose(both, "auto", "train-big-0") == "kube");
  CHECK(choose(both, "auto", "web") == "kai");
  CHECK(choose(both, "auto", "podgroup/g") == "kai");
  CHECK(choose(both, "kube", "web") == "kube");
  CHECK(choose({&kube}, "auto", "web") ==
        "no engine models the scheduler of pod ml/web: schedulerName is \"kai-scheduler\"");
  CHECK(choose({&kube}, "auto", "podgroup/g") == "no engine decides about a podgroup");
  CHECK(choose(both, "kub", "web") == "unknown engine \"kub\"; did you mean kube?");
}

TEST_CASE("subject: without a pod, the engine of most pods is used; without pods, the engine for unclaimed pods") {
  const StubEngine kai("kai", "kai-scheduler");
  const StubEngine kube("kube", "");
  const std::vector<const Engine*> by_rank = {&kai, &kube};
  const Cluster cluster;  // one pod for kai, three for kube
  CHECK(*main_engine(by_rank, "auto", *cluster.snapshot) == &kube);
  CHECK(*main_engine(by_rank, "kai", *cluster.snapshot) == &kai);
  CHECK(main_engine(by_rank, "kuby", *cluster.snapshot).error().message ==
        "unknown engine \"kuby\"; did you mean kube?");
  CHECK(check_engine_name(by_rank, "auto"));
  Objects nothing;
  CHECK(*main_engine(by_rank, "auto", Snapshot(nothing)) == &kube);
  CHECK(*choose_engine(by_rank, "kube", Snapshot(nothing), {}) == &kube);
}

TEST_CASE("subject: a question about pending pods is for an engine for which some wait", "[subject]") {
  const auto chosen = [](const std::vector<std::string>& pending, std::string_view name = "auto",
                         std::string_view ns = "") {
    std::vector<std::string> documents = {test::a_node("n", "4"), test::a_pod("ml/r").on("n").yaml(),
                                          test::a_pod("ml/s").on("n").yaml()};
    documents.insert(documents.end(), pending.begin(), pending.end());
    const auto cluster = test::a_cluster(documents);
    CHECK((*main_engine(engines(), "auto", *cluster->snapshot))->name() == "kube");
    return std::string((*engine_of_pending(engines(), name, *cluster->snapshot, ns))->name());
  };
  const std::string theirs = test::a_pod("ml/a").spec("schedulerName: kai-scheduler").yaml();
  CHECK(chosen({}) == "kube");
  CHECK(chosen({theirs}) == "kai");
  CHECK(chosen({theirs}, "kube") == "kube");
  CHECK(chosen({theirs}, "auto", "other") == "kube");
  CHECK(chosen({theirs, test::a_pod("ml/b").yaml()}) == "kube");
}

TEST_CASE("subject: a workload is named by its kind, short name, or kind and group", "[subject]") {
  for (const char* text : {"deploy/web", "deployments/web", "deployment.apps/web", "deployments.apps/web",
                           "jobs.batch/a", "jobset/a", "PyTorchJob/a", "rayclusters.ray.io/a"})
    CHECK(names_workload(text));
  CHECK_FALSE(names_workload("ml/web"));
  CHECK_FALSE(names_workload("web"));
}

TEST_CASE("subject: an object that owns a Workload stands for it", "[subject][kueue]") {
  Objects objects;
  REQUIRE(test::read_text(
      "{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {name: jobset-js-1, namespace: ns, "
      "ownerReferences: [{apiVersion: jobset.x-k8s.io/v1alpha2, kind: JobSet, name: js, uid: u}]}, spec: {queueName: "
      "q}}\n",
      objects));
  const Snapshot cluster(objects);
  const auto found = stand_in_of_workload(engines(), "auto", cluster, "jobset/js", "ns");
  REQUIRE(found);
  CHECK(found->kind == "workload");
  CHECK(found->name == "jobset-js-1");
  CHECK_FALSE(stand_in_of_workload(engines(), "auto", cluster, "rayjob/js", "ns"));
}

TEST_CASE("engine without subjects: the input has the queues of a scheduler, but not what waits in them") {
  const auto engine_of_text = [](const std::string& text) {
    Objects objects;
    REQUIRE(test::read_text(text, objects));
    const Engine* const engine = engine_without_subjects(Snapshot(objects));
    return engine == nullptr ? std::string_view() : engine->name();
  };
  const std::string queue = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ClusterQueue\nmetadata: {name: q}\n---\n";
  // Kueue decides about Workloads, of which the list shows that there are none.
  CHECK(engine_of_text(queue) == "kueue");
  CHECK(engine_of_text(queue + "apiVersion: kueue.x-k8s.io/v1beta2\nkind: WorkloadList\nitems: []\n").empty());
  CHECK(engine_of_text("apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n").empty());
}
