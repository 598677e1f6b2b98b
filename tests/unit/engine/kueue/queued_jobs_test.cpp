// Source: kubernetes-sigs/kueue v0.19.0 pkg/controller/jobs/job/job_controller.go PodSets (the count is the smaller of
// parallelism and completions), pkg/controller/jobframework/reconciler.go ExtractPriority, tas.go
// NewPodSetTopologyRequest.
#include "overlay/overlay.h"
#include "support/kueue.h"
#include "support/scratch.h"

namespace previct {
namespace {

struct JobOf {
  std::string labels = ", kueue.x-k8s.io/queue-name: q";
  std::string annotations{};
  std::string spec = "parallelism: 4, completions: 3, ";
  std::string of_template{};  // annotations of the pods
  std::string pod{};          // more of their spec
  std::string kind = "Job";
  std::string api_version = "batch/v1";
  std::string ns = ", namespace: ns";
  std::string name = "name: train";
};

auto job(const JobOf& j) -> std::string {
  return fmt::format(
      "apiVersion: {}\nkind: {}\nmetadata: {{{}{}, labels: {{app: train{}}}, annotations: {{{}}}}}\n"
      "spec: {{{}template: {{metadata: {{annotations: {{{}}}}}, spec: {{{}containers: [{{name: c}}]}}}}}}\n",
      j.api_version, j.kind, j.name, j.ns, j.labels, j.annotations, j.spec, j.of_template, j.pod);
}

const std::string kQueue = test::flavor() + test::queue({});

// A cluster to which a Job is added.
struct WithJob {
  explicit WithJob(const JobOf& added, const std::string& cluster = kQueue) {
    REQUIRE(test::read_text(cluster, objects));
    const test::Scratch scratch;
    Overlay overlay;
    overlay.with = {scratch.file("job.yaml", job(added))};
    const auto done = apply_overlay(overlay, {}, objects);
    if (!done) error = done.error().message;
  }

  [[nodiscard]] auto workload() const -> const kueue::Workload& {
    REQUIRE(error.empty());
    REQUIRE(objects.kueue_workloads.size() == 1);
    return objects.kueue_workloads[0];
  }
  [[nodiscard]] auto text(Symbol symbol) const -> std::string { return std::string(objects.symbols.text(symbol)); }

  Objects objects;
  std::string error;
};

auto topology_of(const std::string& annotations) -> std::string {
  const WithJob with({.of_template = annotations});
  const auto& asked = with.workload().spec.pod_sets[0].topology;
  if (!asked) return "none";
  return fmt::format("{}|{}|{}|{}|{}", with.text(asked->required), with.text(asked->preferred),
                     asked->unconstrained.value_or(false), with.text(asked->slice_required),
                     asked->slice_size.value_or(0));
}

auto a_class(const std::string& kind, const std::string& name, int value, const std::string& more = "") -> std::string {
  const bool of_kueue = kind == "WorkloadPriorityClass";
  return fmt::format("---\n{{apiVersion: {}, kind: {}, metadata: {{name: {}}}, value: {}{}}}\n",
                     of_kueue ? "kueue.x-k8s.io/v1beta2" : "scheduling.k8s.io/v1", kind, name, value, more);
}

}  // namespace

TEST_CASE("kueue jobs: a Job with a queue gets a Workload instead of pods", "[kueue]") {
  const WithJob with(
      {.annotations = "kueue.x-k8s.io/job-min-parallelism: \"2\"", .pod = "nodeSelector: {disk: ssd}, "});
  const kueue::Workload& made = with.workload();
  CHECK(with.objects.pods.size() == 0);
  CHECK(with.text(made.meta.ns) == "ns");
  CHECK(with.text(made.meta.name) == "job-train");
  REQUIRE(made.meta.owners.size() == 1);
  CHECK(with.text(made.meta.owners[0].kind) == "Job");
  CHECK(with.text(made.meta.owners[0].name) == "train");
  CHECK(made.meta.owners[0].controller);
  CHECK(with.text(made.spec.queue_name) == "q");
  CHECK(made.spec.priority == 0);
  REQUIRE(made.spec.pod_sets.size() == 1);
  const kueue::PodSet& set = made.spec.pod_sets[0];
  CHECK(with.text(set.name) == "main");
  CHECK(set.count == 3);
  CHECK(set.min_count == 2);
  CHECK(set.pod_template.spec.node_selector.size() == 1);
  CHECK_FALSE(set.topology);
}

TEST_CASE("kueue jobs: the count is 1 without parallelism, and parallelism without completions", "[kueue]") {
  CHECK(WithJob({.spec = ""}).workload().spec.pod_sets[0].count == 1);
  CHECK(WithJob({.spec = "completions: 5, "}).workload().spec.pod_sets[0].count == 1);
  CHECK(WithJob({.spec = "parallelism: 2, "}).workload().spec.pod_sets[0].count == 2);
  CHECK_FALSE(WithJob({.spec = ""}).workload().spec.pod_sets[0].min_count);
}

TEST_CASE("kueue jobs: other objects, and Jobs without a queue, get no Workload", "[kueue]") {
  for (const JobOf& other : {JobOf{.labels = ""}, JobOf{.kind = "Task"}, JobOf{.api_version = "example.com/v1"}}) {
    CHECK(WithJob(other).objects.kueue_workloads.empty());
  }
  const WithJob without({}, "---\n{apiVersion: v1, kind: Node, metadata: {name: n1}}\n");
  CHECK(without.objects.kueue_workloads.empty());
  CHECK(without.objects.pods.size() == 1);
}

// Source: pkg/controller/jobframework/defaults.go ApplyDefaultLocalQueue.
TEST_CASE("kueue jobs: a Job without a queue joins the LocalQueue `default` of its namespace", "[kueue]") {
  const auto local = [](const std::string& ns) {
    return fmt::format(
        "---\n{{apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {{name: default, namespace: {}}}, "
        "spec: "
        "{{clusterQueue: q}}}}\n",
        ns);
  };
  const WithJob with({.labels = ""}, kQueue + local("ns"));
  CHECK(with.text(with.workload().spec.queue_name) == "default");
  const WithJob other({.labels = ""}, kQueue + local("elsewhere"));
  CHECK(other.objects.kueue_workloads.empty());
}

TEST_CASE("kueue jobs: a Job that has a Workload keeps its name", "[kueue]") {
  const auto has = [](const std::string& ns, const std::string& kind, const std::string& name) {
    return fmt::format(
        "---\n{{apiVersion: kueue.x-k8s.io/v1beta2, kind: Workload, metadata: {{name: job-train-9f1c2, namespace: {}, "
        "ownerReferences: [{{apiVersion: batch/v1, kind: {}, name: {}, uid: u, controller: true}}]}}, spec: "
        "{{queueName: "
        "q}}}}\n",
        ns, kind, name);
  };
  CHECK(WithJob({}, kQueue + has("ns", "Job", "train")).workload().spec.pod_sets.size() == 1);
  for (const std::string& other : {has("x", "Job", "train"), has("ns", "JobSet", "train"), has("ns", "Job", "other")}) {
    const WithJob with({}, kQueue + other);
    REQUIRE(with.objects.kueue_workloads.size() == 2);
    CHECK(with.text(with.objects.kueue_workloads[1].meta.name) == "job-train");
  }
  CHECK(WithJob({.ns = ""}, kQueue).text(WithJob({.ns = ""}, kQueue).workload().meta.ns) == "default");
}

TEST_CASE("kueue jobs: annotations of the pods request a topology", "[kueue]") {
  const std::string podset = "kueue.x-k8s.io/podset-";
  CHECK(topology_of(podset + "required-topology: rack") == "rack||false||0");
  CHECK(topology_of(podset + "preferred-topology: block") == "|block|false||0");
  CHECK(topology_of(podset + "required-topology: rack, " + podset + "preferred-topology: block") == "rack||false||0");
  CHECK(topology_of(podset + "unconstrained-topology: \"true\"") == "||true||0");
  CHECK(topology_of(podset + "unconstrained-topology: \"false\"") == "none");
  CHECK(topology_of(podset + "required-topology: rack, " + podset + "unconstrained-topology: \"true\"") ==
        "rack||false||0");
  CHECK(topology_of(podset + "preferred-topology: rack, " + podset + "unconstrained-topology: \"true\"") ==
        "|rack|false||0");
  CHECK(topology_of(podset + "slice-required-topology: host, " + podset + "slice-size: \"2\"") == "||false|host|2");
  CHECK(topology_of(podset + "slice-required-topology: host") == "none");
  CHECK(topology_of(podset + "slice-size: \"2\"") == "none");
}

TEST_CASE("kueue jobs: the priority is that of its label, then that of its pods, then the default", "[kueue]") {
  const std::string classes = kQueue + a_class("WorkloadPriorityClass", "low", 10) +
                              a_class("WorkloadPriorityClass", "urgent", 50) + a_class("PriorityClass", "pods", 7);
  const std::string urgent = JobOf().labels + ", kueue.x-k8s.io/priority-class: urgent";
  const auto priority = [&](const std::string& labels, const std::string& pod, const std::string& more = "") {
    return WithJob({.labels = labels, .pod = pod}, classes + more).workload().spec.priority;
  };
  CHECK(priority(urgent, "priorityClassName: pods, ") == 50);
  CHECK(priority(JobOf().labels, "priorityClassName: pods, ") == 7);
  CHECK(priority(JobOf().labels, "") == 0);
  CHECK(priority(JobOf().labels, "", a_class("PriorityClass", "usual", 3, ", globalDefault: true")) == 3);
  CHECK(WithJob({.labels = urgent}).error ==
        "Job train: its WorkloadPriorityClass urgent is not in the input, so its priority is not known");
  CHECK(WithJob({.pod = "priorityClassName: gone, "}).error ==
        "Job train: its PriorityClass gone is not in the input, so its priority is not known");
}

// Source: apis/config/v1beta2/defaults.go SetDefaults_Configuration: without frameworks, batch/job.
TEST_CASE("kueue jobs: a Job with generateName gets a Workload, too", "[kueue]") {
  // The API server appends five letters to the prefix; the Workload of another Job is not that of the new one.
  const WithJob with({.name = "generateName: train-"});
  CHECK(with.objects.pods.size() == 0);
  CHECK(with.text(with.workload().meta.name) == "job-train");
  CHECK(with.text(with.workload().meta.owners[0].name) == "train");
  const std::string other =
      test::workload({.name = "job-train-1f", .meta = ", ownerReferences: [{kind: Job, name: train, uid: u}]"});
  const WithJob second({.name = "generateName: train-"}, kQueue + other);
  CHECK(second.objects.kueue_workloads.size() == 2);
}

TEST_CASE("kueue jobs: none gets a Workload without the integration batch/job", "[kueue]") {
  const auto with_config = [](const std::string& text) {
    return kQueue + fmt::format(
                        "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {{name: kueue-manager-config, "
                        "namespace: kueue-system}}\ndata:\n  controller_manager_config.yaml: |\n    "
                        "apiVersion: config.kueue.x-k8s.io/v1beta2\n    kind: Configuration\n    {}\n",
                        text);
  };
  const WithJob pods({}, with_config("integrations: {frameworks: [pod]}"));
  CHECK(pods.error.empty());
  CHECK(pods.objects.kueue_workloads.empty());
  CHECK_FALSE(pods.objects.pods.size() == 0);
  const WithJob jobs({}, with_config("integrations: {frameworks: [pod, batch/job]}"));
  CHECK(jobs.objects.kueue_workloads.size() == 1);
  const WithJob usual({}, with_config("integrations: {}"));
  CHECK(usual.objects.kueue_workloads.size() == 1);
}

}  // namespace previct
