#include "api/deduplicate.h"
#include "api/kinds.h"
#include "history/post_mortem.h"
#include "history/redactor.h"
#include "history/rewind.h"
#include "history/timeline.h"
#include "report/format.h"
#include "support/cluster.h"
#include "support/objects_text.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

namespace previct::history {
namespace {

using test::a_class;
using test::a_cluster;
using test::a_node;
using test::a_pod;

/// Returns an event about a pod; `time` on 2026-03-02, `12:00:00.5`.
auto an_event(const std::string& key, const std::string& uid, const std::string& reason, const std::string& note,
              const std::string& time = "11:59:00.5", const std::string& kind = "Pod") -> std::string {
  static int count = 0;
  const std::size_t slash = key.find('/');
  const std::string ns = key.substr(0, slash);
  const std::string name = key.substr(slash + 1);
  return fmt::format(R"({{apiVersion: v1, kind: Event, metadata: {{namespace: {0}, name: e{5}}},
 involvedObject: {{kind: {6}, namespace: {0}, name: {1}, uid: "{2}"}}, reason: {3}, message: "{4}", eventTime: "2026-03-02T{7}Z"}})"
                     "\n",
                     ns, name, uid, reason, note, ++count, kind, time);
}

auto found_in(const std::vector<std::string>& documents) -> std::vector<Disruption> {
  const auto cluster = a_cluster(documents);
  return disruptions(*cluster->snapshot);
}

auto question(const std::string& now = "2026-03-02T12:00:00Z") -> Question {
  Question q;
  q.now = parse_instant(now).value();
  q.toleration_plugin = "off";
  return q;
}

auto judged(test::TestCluster& cluster, const std::string& pod) -> PostMortem {
  const Question q = question();
  auto result = post_mortem({cluster.objects, Snapshot(cluster.objects), q, "auto"}, pod, "default");
  REQUIRE(result);
  return *std::move(result);
}

TEST_CASE("post-mortem: every wording of a Preempted event is understood", "[history]") {
  struct Row {
    std::string note;
    std::string by;  // as Named::text()
    std::string kind;
    std::string node;
    bool in_memory;
  };
  // kubernetes/kubernetes: pkg/scheduler, 1.8 … 1.15, 1.16 … 1.25, 1.26, 1.28, then with groups and waiting pods.
  const std::vector<Row> rows = {
      {"by ml/train-0 on node gpu-2", "ml/train-0", "pod", "gpu-2", false},
      {"Preempted by ml/train-0 on node gpu-2", "ml/train-0", "pod", "gpu-2", false},
      {"Preempted by a pod on node gpu-2", "", "pod", "gpu-2", false},
      {"Preempted by pod 5d1c on node gpu-2", "5d1c", "pod", "gpu-2", false},
      {"Preempted by podgroup 77aa on node gpu-2", "77aa", "podgroup", "gpu-2", false},
      {"Preempted by pod 5d1c on node gpu-2 (in kube-scheduler memory).", "5d1c", "pod", "gpu-2", true},
  };
  for (const Row& row : rows) {
    INFO(row.note);
    const auto all = found_in({an_event("ml/eval-1", "aaaa", "Preempted", row.note)});
    REQUIRE(all.size() == 1);
    CHECK(all[0].pod.text() == "ml/eval-1");
    CHECK(all[0].cause == Cause::preemption);
    CHECK(all[0].node == row.node);
    CHECK(all[0].in_memory == row.in_memory);
    CHECK(all[0].by.has_value() == !row.by.empty());
    if (!all[0].by) continue;
    CHECK(all[0].by->text() == row.by);
    CHECK(all[0].by->kind == row.kind);
  }
}

TEST_CASE("post-mortem: events of other controllers with the same reason are ignored", "[history]") {
  CHECK(found_in({an_event("ml/job-1", "aaaa", "Preempted", "Preempted by ml/x on node n", "11:59:00", "Workload"),
                  an_event("ml/eval-1", "aaaa", "Preempted", "moved to the back of the line")})
            .empty());
}

TEST_CASE("post-mortem: the wording of KAI and YuniKorn is understood", "[history]") {
  struct Row {
    std::string reason;
    std::string kind;
    std::string note;
    Cause cause;
    std::string by;
  };
  const std::vector<Row> rows = {
      {"Evict", "PodGroup", "Pod ml/a was preempted by higher priority workload ml/pg-high", Cause::kai_preemption,
       "ml/pg-high"},
      {"Evict", "PodGroup", "Pod ml/a was preempted by workload lab/pg-q. leaf1 uses <1 GPU> with a quota of <2>",
       Cause::kai_reclaim, "lab/pg-q"},
      {"Evict", "PodGroup", "Pod ml/a was preempted by workload lab/pg-q.", Cause::kai_reclaim, "lab/pg-q"},
      {"Evict", "PodGroup",
       "Pod ml/a was preempted and rescheduled due to bin packing (resource consolidation) procedure",
       Cause::kai_consolidation, ""},
      {"Evict", "PodGroup",
       "Workload doesn't meet the minimum required number of pods (2), evicting remaining pod: ml/a",
       Cause::kai_stale_gang, ""},
      {"Evict", "PodGroup",
       "Workload doesn't have the minimum required number of pods (2), evicting remaining pod: ml/a",
       Cause::kai_stale_gang, ""},
      {"Informational", "Pod", "Preempted by 5d1c from application app-2 in root.a", Cause::yunikorn, "5d1c"},
      {"Informational", "Pod", "Preempted by Quota change enforcement process in root.a", Cause::yunikorn_quota,
       "root.a"},
      {"Evicted", "Pod", "The node was low on resource: memory.", Cause::kubelet_eviction, ""},
      {"Preempting", "Pod", "Preempted in order to admit critical pod", Cause::kubelet_critical, ""},
      {"TaintManagerEviction", "Pod", "Marking for deletion Pod ml/a", Cause::taint, ""},
      {"Evicted", "Pod", "Evicted pod: Underutilized", Cause::karpenter, ""},
      {"Evicted", "Pod", "Evicted pod", Cause::karpenter, ""},
      {"Disrupted", "Pod", "Deleting the pod to accommodate the terminationTime 2026-03-02 12:00:00 of the node.",
       Cause::karpenter, ""},
      {"ScaleDown", "Pod", "deleting pod for node scale down", Cause::cluster_autoscaler, ""},
      {"EvictedByVPA", "Pod", "Pod was evicted by VPA Updater to apply resource recommendation.",
       Cause::vertical_pod_autoscaler, ""},
      {"LowNodeUtilization", "Pod", "pod eviction from n1 node by sigs.k8s.io/descheduler", Cause::descheduler, ""},
      {"RemoveDuplicates", "Pod", "pod evicted from n1 node by sigs.k8s.io/descheduler", Cause::descheduler, ""},
  };
  for (const Row& row : rows) {
    INFO(row.note);
    CHECK(event_matters(row.reason));  // otherwise no reader would keep the event
    const auto all = found_in(
        {an_event(row.kind == "Pod" ? "ml/a" : "ml/pg-a", "aaaa", row.reason, row.note, "11:59:00", row.kind)});
    REQUIRE(all.size() == 1);
    CHECK(all[0].pod.text() == "ml/a");
    CHECK(all[0].cause == row.cause);
    CHECK((all[0].by ? all[0].by->text() : "") == row.by);
  }
  CHECK(found_in({an_event("ml/a", "aaaa", "TaintManagerEviction", "Cancelling deletion of Pod ml/a")}).empty());
}

TEST_CASE("post-mortem: the component of an event names the evictor, and the event says more than the condition",
          "[history]") {
  const std::string pod =
      "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: ml, uid: aaaa}\n"
      "spec: {nodeName: node-a, containers: [{name: c}]}\nstatus: {phase: Running, conditions: [{type: "
      "DisruptionTarget, status: 'True', reason: EvictionByEvictionAPI, lastTransitionTime: 2026-03-02T11:58:59Z}]}\n";
  const auto because_of = [&](const std::string& event) {
    return judged(*a_cluster({a_node("node-a", "4"), pod, event}), "ml/a").why;
  };
  const auto reported_by = [](const std::string& component, const std::string& note) {
    return fmt::format(
        "apiVersion: v1\nkind: Event\nmetadata: {{namespace: ml, name: e}}\ninvolvedObject: {{kind: Pod, namespace: "
        "ml, name: a, uid: aaaa}}\nreason: Evicted\nmessage: '{}'\nsource: {{component: {}}}\nlastTimestamp: "
        "2026-03-02T11:59:00Z\n",
        note, component);
  };
  CHECK(because_of(
            an_event("ml/a", "aaaa", "LowNodeUtilization", "pod eviction from n1 node by sigs.k8s.io/descheduler")) ==
        "evicted by the descheduler (LowNodeUtilization)");
  CHECK(because_of(an_event("ml/a", "aaaa", "Evicted", "Evicted pod: Drifted")) ==
        "evicted by Karpenter, which drained its node (Drifted)");
  CHECK(because_of(reported_by("karpenter", "Pod evicted")) == "evicted by Karpenter, which drained its node");
  CHECK(because_of(reported_by("kubelet", "The node was low on resource: memory.")) ==
        "evicted by the kubelet (node pressure, or a limit of local storage)");
  // Any controller may use the reason; the condition says that it used the API.
  CHECK(because_of(reported_by("node-operator", "for maintenance")) ==
        "evicted through the API (a drain, an autoscaler, a descheduler)");
  // Only what a program did counts, not what it could not do.
  CHECK(because_of(an_event("ml/a", "aaaa", "EvictionFailed",
                            "pod eviction from n1 node by sigs.k8s.io/descheduler failed: total eviction limit")) ==
        "evicted through the API (a drain, an autoscaler, a descheduler)");
}

/// Adds lines below `metadata:` of a pod.
auto with_meta(std::string yaml, const std::string& lines) -> std::string {
  return yaml.insert(yaml.find("spec:\n"), lines);
}
/// Adds a condition to a pod that has some.
auto marked(std::string yaml, const std::string& at) -> std::string {
  return yaml.insert(yaml.find("  - {type: PodScheduled"),
                     fmt::format("  - {{type: DisruptionTarget, status: \"True\", reason: PreemptionByScheduler, "
                                 "lastTransitionTime: \"{}\"}}\n",
                                 at));
}
auto running(const std::string& key, const std::string& node, int priority, const std::string& cpu)
    -> test::PodBuilder {
  return a_pod(key)
      .on(node)
      .priority(priority)
      .cpu(cpu)
      .started("2026-03-02T09:00:00Z")
      .scheduled("2026-03-02T09:00:00Z");
}

constexpr const char* kPreempted = "Preempted by pod uid-lab-high on node node-a";

/// Two nodes of 4 CPUs. lab/high (2 CPUs, priority 1000) has been on node-a since 11:59:02; ml/low (3 CPUs) was
/// preempted there at 11:59:00.5 and is terminating; ml/mid (3 CPUs, priority 500) is on node-b.
auto an_incident(int priority_of_low = 10) -> std::vector<std::string> {
  return {a_node("node-a", "4"),
          a_node("node-b", "4"),
          a_pod("lab/high").on("node-a").priority(1000).cpu("2").scheduled("2026-03-02T11:59:02Z").yaml(),
          running("ml/mid", "node-b", 500, "3").yaml(),
          running("ml/low", "node-a", priority_of_low, "3").deleting("2026-03-02T11:59:31Z").yaml(),
          an_event("ml/low", "uid-ml-low", "Preempted", kPreempted)};
}
auto without(std::vector<std::string> documents, const std::string& name) -> std::vector<std::string> {
  std::erase_if(documents, [&](const std::string& d) {
    return d.find("kind: Pod\n") != std::string::npos && d.find("  name: " + name + "\n") != std::string::npos;
  });
  return documents;
}

auto rendered(const PostMortem& result, test::TestCluster& cluster, bool hide) -> Report {
  if (cluster.objects.files.size() == 0) cluster.objects.files.add("cluster.yaml");
  const ReportContext context{
      .cluster = *cluster.snapshot, .now = question().now, .now_source = "flag", .input_gaps = {}};
  Report report = post_mortem_report(result, context);
  if (hide) hide_foreign(report, *cluster.snapshot, result.pod.ns, {*result.disruption->by});
  return report;
}

TEST_CASE("post-mortem: the decision is repeated with the state at that time", "[history]") {
  const auto cluster = a_cluster(an_incident());
  const std::string before = test::objects_text(cluster->objects);
  const PostMortem result = judged(*cluster, "ml/low");
  CHECK(result.verdict == Verdict::expected);
  CHECK(result.preemptor_words == "lab/high (priority 1000)");
  CHECK(result.disruption->node == "node-a");
  REQUIRE(result.rerun);
  REQUIRE(result.rerun->victims.size() == 1);
  CHECK(result.rerun->victims[0].pod == "ml/low");
  CHECK(result.rerun->victims[0].now == "terminating");
  CHECK(result.rerun->possible == std::vector<std::string>{"node-a"});
  // The input is unchanged.
  CHECK(test::objects_text(cluster->objects) == before);
  const std::string text = find_format("text")->render(rendered(result, *cluster, false), {});
  CHECK(text.find("decided by rule: 1 other candidate was not chosen: node-b; no PodDisruptionBudget was violated") !=
        std::string::npos);
}

TEST_CASE("post-mortem: hidden names of other namespaces are not printed, not even of claims and owners", "[history]") {
  auto documents = without(an_incident(), "high");
  // The preemptor is pending because the input lacks a claim of its namespace.
  documents.push_back(a_pod("lab/high")
                          .priority(1000)
                          .cpu("2")
                          .spec("volumes: [{name: v, persistentVolumeClaim: {claimName: weights}}]")
                          .yaml());
  documents.push_back(
      "apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: other, namespace: lab}\nspec: {volumeName: "
      "pv-7}\n");
  const auto cluster = a_cluster(documents);
  const PostMortem result = judged(*cluster, "ml/low");
  for (const char* format : {"text", "wide", "json", "yaml", "html", "md", "name"}) {
    const std::string text = find_format(format)->render(rendered(result, *cluster, true), {});
    INFO(format << ": " << text);
    for (const char* name : {"lab", "weights", "other", "pv-7"}) {
      CHECK(text.find(fmt::format(" {} ", name)) == std::string::npos);
      CHECK(text.find(fmt::format("\"{}\"", name)) == std::string::npos);
      CHECK(text.find(fmt::format("{}/", name)) == std::string::npos);
    }
  }
}

TEST_CASE("post-mortem: an additional earlier dump shows the victims as they were", "[history]") {
  auto documents = without(an_incident(), "low");
  documents.push_back(running("ml/low", "node-a", 10, "3").yaml());
  const auto cluster = a_cluster(documents);
  CHECK(judged(*cluster, "ml/low").verdict == Verdict::expected);
}

TEST_CASE("post-mortem: a pod that has finished since used resources at that time", "[history]") {
  std::vector<std::string> documents = without(an_incident(), "mid");
  std::string mid = running("ml/mid", "node-b", 500, "3").yaml();
  mid.replace(mid.find("Running"), 7, "Succeeded");
  mid.insert(
      mid.find("  - {type: PodScheduled"),
      "  - {type: Ready, status: \"False\", reason: PodCompleted, lastTransitionTime: \"2026-03-02T11:59:10Z\"}\n");
  documents.push_back(mid);
  const auto cluster = a_cluster(documents);
  CHECK(judged(*cluster, "ml/low").verdict == Verdict::expected);
}

TEST_CASE("post-mortem: without the victim, nothing is guessed", "[history]") {
  const auto cluster = a_cluster(without(an_incident(), "low"));
  const PostMortem result = judged(*cluster, "ml/low");
  CHECK(result.verdict == Verdict::unclear);
  CHECK(result.why ==
        "the input has neither ml/low nor a similar pod: also pass a dump from before the preemption (-f BEFORE -f "
        "AFTER)");
  CHECK(result.preemptor_words == "lab/high (priority 1000)");
}

TEST_CASE("post-mortem: a victim that is gone is reconstructed from its sibling", "[history]") {
  std::vector<std::string> documents = without(an_incident(), "low");
  // The sibling is created by the same ReplicaSet right after, and is pending.
  documents.push_back(with_meta(a_pod("ml/low-x2").priority(10).cpu("3").yaml(),
                                "  generateName: low-\n  creationTimestamp: \"2026-03-02T11:59:00Z\"\n"));
  documents.push_back(an_event("ml/low-x1", "uid-ml-low-x1", "Preempted", kPreempted));
  std::erase_if(documents, [](const std::string& d) { return d.find("uid: \"uid-ml-low\"") != std::string::npos; });
  const auto cluster = a_cluster(documents);
  const PostMortem result = judged(*cluster, "ml/low-x1");
  CHECK(result.verdict == Verdict::expected);
  REQUIRE(result.rerun);
  CHECK(result.rerun->copied_from == std::vector<std::pair<std::string, std::string>>{{"ml/low-x1", "ml/low-x2"}});
}

TEST_CASE("post-mortem: a new pod of the same name is another pod", "[history]") {
  std::vector<std::string> documents = without(an_incident(), "low");
  // A StatefulSet recreated the pod: other UID, later. The new pod was preempted before, too.
  std::string anew =
      with_meta(a_pod("ml/low").priority(10).cpu("3").yaml(), "  creationTimestamp: \"2026-03-02T11:59:31Z\"\n");
  const std::size_t uid = anew.find("uid-ml-low");
  documents.push_back(anew.replace(uid, 10, "uid-new"));
  documents.push_back(an_event("ml/low", "uid-older", "Preempted", kPreempted, "11:10:00"));
  const auto cluster = a_cluster(documents);
  const PostMortem result = judged(*cluster, "ml/low");
  CHECK(result.pod.uid == "uid-ml-low");
  CHECK_FALSE(result.pod.pod);
  CHECK(result.namesakes == std::vector<std::string>{"uid-older at 11:10:00"});
  CHECK(judged(*cluster, "uid-older").disruption->at == parse_instant("2026-03-02T11:10:00Z").value());
  const std::string text = find_format("text")->render(rendered(result, *cluster, false), {});
  CHECK_THAT(text, Catch::StartsWith("ml/low (an earlier pod of this name) was preempted at 11:59:00 by "));
}

TEST_CASE("post-mortem: a note names a preemptor of the same namespace, even if others are hidden", "[history]") {
  const auto cluster =
      a_cluster({a_node("node-a", "4"), a_pod("ml/high").on("node-a").priority(1000).cpu("2").yaml(),
                 running("ml/low", "node-a", 10, "3").deleting("2026-03-02T11:59:31Z").yaml(),
                 an_event("ml/low", "uid-ml-low", "Preempted", "Preempted by ml/high on node node-a")});
  const Question q = question();
  const auto result = post_mortem({cluster->objects, Snapshot(cluster->objects), q, "auto", true}, "ml/low", "default");
  REQUIRE(result);
  CHECK(result->disruption->signs.front().what == "Preempted by ml/high on node node-a");
}

TEST_CASE("post-mortem: a pod replaced by another of its name is restored from the earlier dump", "[history]") {
  // A StatefulSet recreated the pod, but smaller: a victim modeled on the new pod would have freed too much.
  std::vector<std::string> documents = without(an_incident(), "low");
  documents.push_back(running("ml/low", "node-a", 10, "3").yaml());
  std::string anew =
      with_meta(running("ml/low", "node-b", 10, "500m").yaml(), "  creationTimestamp: \"2026-03-02T11:59:31Z\"\n");
  documents.push_back(anew.replace(anew.find("uid-ml-low"), 10, "uid-new"));
  const auto cluster = a_cluster(documents);
  const FileId file = cluster->objects.files.add("before-and-after.yaml");
  for (Pod& pod : cluster->objects.pods) pod.meta.source.file = file;
  keep_one_of_each(Watched{}, cluster->objects);
  REQUIRE(cluster->objects.replaced_pods.size() == 1);
  const PostMortem result = judged(*cluster, "ml/low");
  CHECK(result.verdict == Verdict::expected);
  REQUIRE(result.rerun);
  CHECK(result.rerun->copied_from.empty());
}

TEST_CASE("post-mortem: a preemption against the rules is unexpected", "[history]") {
  // A pod never preempts a pod of equal priority.
  const auto equal = a_cluster(an_incident(1000));
  const PostMortem result = judged(*equal, "ml/low");
  CHECK(result.verdict == Verdict::unexpected);
  CHECK(result.why == "its priority 1000 is not below the preemptor's 1000");

  // 600 on node-a costs more than 500 on node-b.
  const auto dearer = a_cluster(an_incident(600));
  const PostMortem other = judged(*dearer, "ml/low");
  CHECK(other.verdict == Verdict::unclear);  // a pod that has ended since may have used node-b
  CHECK(other.why ==
        "repeated with the state of 11:59:00, it would preempt ml/mid on node-b; to know the state at that moment, "
        "previct needs dumps from before and after it: -f BEFORE -f AFTER");
}

// Returns the cluster of the incident before anything happened.
auto before_incident(int priority_of_low) -> std::vector<std::string> {
  return {a_node("node-a", "4"), a_node("node-b", "4"), a_pod("lab/high").priority(1000).cpu("2").yaml(),
          running("ml/mid", "node-b", 500, "3").yaml(), running("ml/low", "node-a", priority_of_low, "3").yaml()};
}

auto objects_of(const std::vector<std::string>& documents, const std::string& newest) -> std::unique_ptr<Objects> {
  auto cluster = a_cluster(documents);
  cluster->snapshot.reset();
  auto objects = std::make_unique<Objects>(std::move(cluster->objects));
  objects->newest = parse_instant(newest).value();
  return objects;
}

TEST_CASE("post-mortem: dumps from before and after prove the state", "[history]") {
  const auto judge = [](const std::vector<std::string>& before) {
    const auto cluster = a_cluster(an_incident(600));
    const Question q = question();
    const auto dumps = [&] {
      Dumps all;
      all.push_back(objects_of(before, "2026-03-02T11:58:50Z"));
      all.push_back(objects_of(an_incident(600), "2026-03-02T11:59:05Z"));
      return all;
    };
    auto result =
        post_mortem({cluster->objects, Snapshot(cluster->objects), q, "auto", false, dumps}, "ml/low", "default");
    REQUIRE(result);
    return *std::move(result);
  };
  const PostMortem proven = judge(before_incident(600));
  CHECK(proven.verdict == Verdict::unexpected);
  CHECK(proven.why == "repeated with the state of 11:59:00, it would preempt ml/mid on node-b");

  // A pod in the dump from before that is not in the dump from after: it may have used node-b at the decision.
  std::vector<std::string> with_another = before_incident(600);
  with_another.push_back(running("ml/gone", "node-b", 2000, "1").yaml());
  const PostMortem open = judge(with_another);
  CHECK(open.verdict == Verdict::unclear);
  CHECK(open.why ==
        "repeated with the state of 11:59:00, it would preempt ml/mid on node-b; pod ml/gone ended between the dumps, "
        "at a time that the input does not show");

  // A cordon that was removed may have had the same effect.
  std::vector<std::string> cordoned = before_incident(600);
  cordoned[1] += "spec: {unschedulable: true}\n";
  CHECK(judge(cordoned).verdict == Verdict::unclear);
}

TEST_CASE("post-mortem: a pod that came and went between the dumps makes the state uncertain", "[history]") {
  const auto judge = [](const std::string& event, bool hide = false) {
    std::vector<std::string> documents = an_incident(600);
    documents.push_back(event);
    const auto cluster = a_cluster(documents);
    const Question q = question();
    const auto dumps = [&] {
      Dumps all;
      all.push_back(objects_of(before_incident(600), "2026-03-02T11:58:50Z"));
      all.push_back(objects_of(an_incident(600), "2026-03-02T11:59:05Z"));
      return all;
    };
    auto result =
        post_mortem({cluster->objects, Snapshot(cluster->objects), q, "auto", hide, dumps}, "ml/low", "default");
    REQUIRE(result);
    return *std::move(result);
  };
  const std::string again = "repeated with the state of 11:59:00, it would preempt ml/mid on node-b";
  // The pod was bound to node-b, where it may have left no capacity: before the earlier dump, after it, and after the
  // eviction.
  const auto bound = [](const std::string& time) {
    return an_event("ml/gone", "uid-ml-gone", "Scheduled", "Successfully assigned ml/gone to node-b", time);
  };
  CHECK(judge(bound("11:58:40")).why == again);
  CHECK(judge(bound("11:58:55")).verdict == Verdict::unclear);
  CHECK(judge(bound("11:58:55")).why == again + "; pod ml/gone, which took part at that time, is in neither dump");
  CHECK(judge(bound("11:58:55"), true).why ==
        again + "; pod uid-ml-gone, which took part at that time, is in neither dump");
  CHECK(judge(bound("11:59:03")).verdict == Verdict::unexpected);
  // Another preemptor of the same pod, of which nothing else remains. The decision of the existing preemptor is
  // repeated, whichever event was first.
  const PostMortem shared = judge(
      an_event("ml/low", "uid-ml-low", "Preempted", "Preempted by pod uid-lab-gone on node node-a", "11:59:00.2"));
  CHECK(shared.verdict == Verdict::unclear);
  CHECK(shared.preemptor_words == "lab/high (priority 1000)");
  CHECK(shared.disruption->by->name == "high");
  CHECK(shared.why ==
        again + "; pod uid-lab-gone, which took part at that time, is in neither dump; uid-lab-gone also chose it");
}

TEST_CASE("post-mortem: vanished victims of other preemptions are restored", "[history]") {
  // low-1 (3 CPUs) and low-2 (1 CPU) filled node-a. lab/first evicted low-1 at 11:59:00, lab/second low-2 at 11:59:01;
  // both are gone, and their ReplicaSet has created low-3, which is pending. Without low-2, the first would have needed
  // 1 CPU less.
  std::vector<std::string> documents = {
      a_node("node-a", "4"),
      a_pod("lab/first").on("node-a").priority(1000).cpu("1").scheduled("2026-03-02T11:59:02Z").yaml(),
      a_pod("lab/second").on("node-a").priority(900).cpu("3").scheduled("2026-03-02T11:59:03Z").yaml(),
      with_meta(a_pod("ml/small-z").priority(10).cpu("1").yaml(),
                "  generateName: small-\n  creationTimestamp: \"2026-03-02T11:59:10Z\"\n"),
      with_meta(a_pod("ml/large-z").priority(20).cpu("3").yaml(),
                "  generateName: large-\n  creationTimestamp: \"2026-03-02T11:59:10Z\"\n"),
      an_event("ml/small-a", "u-small-a", "Preempted", "Preempted by pod uid-lab-first on node node-a", "11:59:00.5"),
      an_event("ml/large-a", "u-large-a", "Preempted", "Preempted by pod uid-lab-second on node node-a", "11:59:01.5")};
  const auto cluster = a_cluster(documents);
  CHECK(judged(*cluster, "ml/small-a").verdict == Verdict::expected);
}

TEST_CASE("post-mortem: an attempt between two evictions starts a new preemption, one after both does not",
          "[history]") {
  const auto evicted = [](const std::string& pod, const std::string& time) {
    return an_event("ml/" + pod, "u-" + pod, "Preempted", "Preempted by pod uid-lab-high on node node-a", time);
  };
  const auto decides = [](const std::string& time) {
    return an_event("lab/high", "uid-lab-high", "FailedScheduling", "0/1 nodes are available: 1 Insufficient cpu.",
                    time);
  };
  const auto found = [](std::vector<std::string> documents) {
    documents.push_back(a_node("node-a", "4"));
    documents.push_back(a_pod("lab/high").on("node-a").priority(1000).yaml());
    const auto cluster = a_cluster(documents);
    const std::vector<Disruption> all = disruptions(*cluster->snapshot);
    std::vector<std::pair<std::string, std::size_t>> preemptions;  // time and number of victims
    for (const Preemption& each : preemptions_of(*cluster->snapshot, all, Timeline(*cluster->snapshot)))
      preemptions.emplace_back(format_instant(each.at).substr(11), each.victims.size());
    return preemptions;
  };
  using Preemptions = std::vector<std::pair<std::string, std::size_t>>;
  // There is no sign of a second attempt: both are victims of one.
  CHECK(found({evicted("a", "11:59:00.5"), evicted("b", "11:59:05.5"), decides("11:59:00.4")}) ==
        Preemptions{{"11:59:00.4Z", 2}});
  CHECK(found({evicted("a", "11:59:00.5"), evicted("b", "11:59:05.5"), decides("11:59:00.4"), decides("11:59:05.4")}) ==
        Preemptions{{"11:59:00.4Z", 1}, {"11:59:05.4Z", 1}});
  // Far apart, with only one attempt recorded: it was not that of the second eviction.
  CHECK(found({evicted("a", "11:59:00.5"), evicted("b", "11:59:20.5"), decides("11:59:00.4")}) ==
        Preemptions{{"11:59:00.4Z", 1}, {"11:59:20.5Z", 1}});
  // Synchronous preemption: the event of the attempt follows those of its victims.
  CHECK(found({evicted("a", "11:59:00.5"), evicted("b", "11:59:00.6"), decides("11:59:00.7")}) ==
        Preemptions{{"11:59:00.5Z", 2}});
}

TEST_CASE("post-mortem: an impossible state proves nothing", "[history]") {
  // The victim and the pods that have long been on node-a need 5 of its 4 CPUs.
  std::vector<std::string> documents = an_incident();
  documents.push_back(running("ml/other", "node-a", 2000, "2").yaml());
  const auto cluster = a_cluster(documents);
  const PostMortem result = judged(*cluster, "ml/low");
  CHECK(result.verdict == Verdict::unclear);
  CHECK(result.why.find("the state of 11:59:00 cannot be rebuilt from the input: node-a would hold") == 0);
}

TEST_CASE("post-mortem: equal pods of different sizes are no evidence: their order decides how many are evicted",
          "[history]") {
  // node-a has pods of 1, 1 and 2 CPUs, all equal to the scheduler; lab/high needs 2. In the order of the input, the
  // small ones are reprieved and the large one is evicted; if the large one is reprieved first, both small ones are
  // evicted, as happened.
  std::vector<std::string> documents = {
      a_node("node-a", "4"),
      a_pod("lab/high").on("node-a").priority(1000).cpu("2").scheduled("2026-03-02T11:59:02Z").yaml(),
      running("ml/large", "node-a", 10, "2").yaml()};
  for (const char* small : {"small-1", "small-2"}) {
    const std::string key = std::string("ml/") + small;
    documents.insert(documents.begin() + 1, running(key, "node-a", 10, "1").deleting("2026-03-02T11:59:31Z").yaml());
    documents.push_back(an_event(key, std::string("uid-ml-") + small, "Preempted", kPreempted));
  }
  const auto cluster = a_cluster(documents);
  CHECK(judged(*cluster, "ml/small-1").verdict != Verdict::unexpected);
}

TEST_CASE("post-mortem: a toleration that had not ended is reported, and is no evidence by itself", "[history]") {
  // Scheduled at 11:58, with 600 s: until 12:08.
  const std::string annotations =
      "{preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority: \"2000\", "
      "preemption-toleration.scheduling.x-k8s.io/toleration-seconds: \"600\"}";
  std::vector<std::string> documents = without(an_incident(), "low");
  documents.push_back(a_class("tolerant", 10, annotations));
  documents.push_back(a_class("plain", 500));
  documents.push_back(a_pod("ml/low")
                          .on("node-a")
                          .priority(10)
                          .priority_class("tolerant")
                          .cpu("3")
                          .started("2026-03-02T11:58:00Z")
                          .scheduled("2026-03-02T11:58:00Z")
                          .deleting("2026-03-02T11:59:31Z")
                          .yaml());
  const auto cluster = a_cluster(documents);
  Question q = question();
  q.toleration_plugin = "on";
  const auto result = post_mortem({cluster->objects, Snapshot(cluster->objects), q, "auto"}, "ml/low", "default");
  REQUIRE(result);
  CHECK(result->verdict == Verdict::unclear);  // its class may have been different at that time
  CHECK(result->why.find("it tolerated the preemption until 12:08:00") == 0);
}

TEST_CASE("post-mortem: without an event, the pod that took the node identifies the preemptor", "[history]") {
  std::vector<std::string> documents = without(an_incident(), "low");
  documents.pop_back();  // the event
  documents.push_back(
      marked(running("ml/low", "node-a", 10, "3").deleting("2026-03-02T11:59:31Z").yaml(), "2026-03-02T11:59:00Z"));
  const auto cluster = a_cluster(documents);
  const PostMortem result = judged(*cluster, "ml/low");
  CHECK(result.disruption->cause == Cause::unnamed_scheduler);
  CHECK(result.disruption->by_inferred);
  CHECK(result.preemptor_words == "lab/high (priority 1000)");
  CHECK(result.verdict == Verdict::expected);

  // Two pods could be the preemptor, so none is named.
  documents.push_back(a_pod("lab/too").on("node-a").priority(1000).cpu("1").scheduled("2026-03-02T11:59:03Z").yaml());
  const auto two = a_cluster(documents);
  const PostMortem unknown = judged(*two, "ml/low");
  CHECK(unknown.verdict == Verdict::unclear);
  CHECK(unknown.why == "the input does not show for which pod");
}

TEST_CASE("post-mortem: names of other namespaces can be hidden everywhere", "[history]") {
  std::vector<std::string> documents = an_incident();
  documents.push_back(running("lab/small", "node-a", 5, "1").deleting("2026-03-02T11:59:31Z").yaml());
  documents.push_back(
      an_event("lab/small", "uid-lab-small", "Preempted", "Preempted by lab/high on node node-a", "11:59:00.6"));
  const auto cluster = a_cluster(documents);
  const PostMortem result = judged(*cluster, "ml/low");
  const Report report = rendered(result, *cluster, true);
  for (const char* format : {"text", "wide", "json", "yaml", "md", "html", "name"}) {
    INFO(format);
    const std::string text = find_format(format)->render(report, {});
    CHECK(text.find("lab/") == std::string::npos);
    CHECK(text.find("\"lab\"") == std::string::npos);
    CHECK(text.find("\"small\"") == std::string::npos);
    CHECK(text.find("\"high\"") == std::string::npos);
    CHECK(text.find("uid-lab-high") != std::string::npos);
  }
  const std::string text = find_format("text")->render(report, {});
  CHECK(text.find("ml/low was preempted at 11:59:00 by uid-lab-high (priority 1000) on node-a") == 0);
}

TEST_CASE("post-mortem: disruptions by other controllers are not reported as preemptions", "[history]") {
  // Kueue's pkg/controller/jobs/pod/pod_controller.go sets TerminationTarget before it deletes a pod of a workload that
  // it evicts, for another workload or for other reasons.
  const auto judge = [](const std::string& condition) {
    return judged(*a_cluster({a_node("node-a", "4"),
                              "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: ml, uid: u}\n"
                              "spec: {nodeName: node-a, containers: [{name: c}]}\n"
                              "status: {phase: Failed, conditions: [{" +
                                  condition + "}]}\n"}),
                  "ml/a");
  };
  const PostMortem kueue = judge("type: TerminationTarget, status: 'True', reason: WorkloadEvicted");
  CHECK(kueue.verdict == Verdict::unclear);
  CHECK(kueue.why ==
        "its condition TerminationTarget has the reason WorkloadEvicted, which no scheduler known to previct uses");
  CHECK(judge("type: TerminationTarget, status: 'False', reason: WorkloadEvicted").verdict == Verdict::not_preempted);
}

TEST_CASE("post-mortem: the status of a pod that the kubelet ended is enough, without events", "[history]") {
  // Reasons: pkg/kubelet/eviction (Evicted), preemption (Preempting: for a critical static pod), nodeshutdown
  // (Terminated); DeadlineExceeded belongs to activeDeadlineSeconds, and is not an eviction.
  const auto judge = [](const std::string& status) {
    return judged(*a_cluster({a_node("node-a", "4"),
                              "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: ml, uid: u}\n"
                              "spec: {nodeName: node-a, containers: [{name: c}]}\nstatus: {" +
                                  status + "}\n"}),
                  "ml/a");
  };
  const std::vector<std::pair<std::string, std::string>> causes = {
      {"Evicted", "evicted by the kubelet (node pressure, or a limit of local storage)"},
      {"Preempting", "preempted by its node's kubelet, which admitted a critical pod"},
      {"Terminated", "terminated by the kubelet, because its node was shut down"}};
  for (const auto& [reason, words] : causes) {
    const PostMortem ended = judge(fmt::format("phase: Failed, reason: {}", reason));
    CHECK(ended.verdict == Verdict::not_preempted);
    CHECK(ended.why == words);
    REQUIRE(ended.disruption->signs.size() == 1);
    CHECK(ended.disruption->signs[0].what == fmt::format("reason {}", reason));
  }
  // If the pod's reason is gone, the message of its condition is used.
  const auto by_condition = [&](const std::string& message) {
    return judge("phase: Running, conditions: [{type: DisruptionTarget, status: 'True', reason: TerminationByKubelet" +
                 (message.empty() ? "" : ", message: '" + message + "'") + "}]")
        .why;
  };
  CHECK(by_condition("Pod was preempted by Kubelet to accommodate a critical pod.") == causes[1].second);
  CHECK(by_condition("Pod was terminated in response to imminent node shutdown.") == causes[2].second);
  CHECK(by_condition("The node was low on resource: memory.") == causes[0].second);
  CHECK(by_condition("") == "terminated by the kubelet (node pressure, a critical pod, a shutdown)");
  CHECK(judge("phase: Running, reason: Evicted").why == "it is on node-a");
  CHECK(judge("phase: Failed, reason: DeadlineExceeded").why ==
        "it has finished (phase Failed, reason DeadlineExceeded)");
  CHECK(judge("phase: Succeeded").why == "it has finished (phase Succeeded)");
}

TEST_CASE("post-mortem: a list of preemptions includes those of kubelets, which belong to no scheduler", "[history]") {
  const auto cluster = a_cluster({a_node("node-a", "4"),
                                  "apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: ml, uid: u}\n"
                                  "spec: {nodeName: node-a, containers: [{name: c}]}\n"
                                  "status: {phase: Failed, reason: Preempting}\n"});
  cluster->objects.files.add("cluster.yaml");
  const Question q = question();
  const auto all = post_mortems({cluster->objects, Snapshot(cluster->objects), q, "auto"}, "");
  REQUIRE(all);
  REQUIRE(all->size() == 1);
  CHECK(all->front().verdict == Verdict::not_preempted);
  const ReportContext context{.cluster = *cluster->snapshot, .now = q.now, .now_source = "flag", .input_gaps = {}};
  const Report report = post_mortems_report(*all, context);
  CHECK(std::get<Line>(report.blocks[0]).spans[0].text ==
        "no scheduler preempted a pod according to the input; 1 pod was preempted by the kubelet of a node.");
}

// Returns a pod with the given status, and its condition DisruptionTarget since 11:59:00.
auto disrupted(const std::string& key, const std::string& reason, const std::string& message) -> std::string {
  const std::size_t slash = key.find('/');
  return fmt::format(
      "apiVersion: v1\nkind: Pod\nmetadata: {{namespace: {0}, name: {1}, uid: uid-{0}-{1}, "
      "creationTimestamp: \"2026-03-02T10:00:00Z\"}}\nspec: {{nodeName: n1, priority: 10, containers: "
      "[{{name: c}}]}}\nstatus: {{phase: Running, conditions: [{{type: DisruptionTarget, status: 'True', "
      "reason: {2}, message: \"{3}\", lastTransitionTime: \"2026-03-02T11:59:00Z\"}}]}}\n",
      key.substr(0, slash), key.substr(slash + 1), reason, message);
}

TEST_CASE("post-mortem: the kubelet names no critical pod, so those that came to the node are listed", "[history]") {
  const auto critical = [](const std::string& key, const std::string& time) {
    return a_pod(key).on("n1").priority(2'000'001'000).scheduled("2026-03-02T" + time + "Z").yaml();
  };
  const auto cluster = a_cluster(
      {a_node("n1", "4"), critical("kube-system/mount", "11:59:01"), critical("kube-system/old", "08:00:00"),
       a_pod("ml/rival").on("n1").priority(900).scheduled("2026-03-02T11:59:01Z").yaml(),
       disrupted("ml/a", "TerminationByKubelet", "Pod was preempted by Kubelet to accommodate a critical pod.")});
  const PostMortem result = judged(*cluster, "ml/a");
  CHECK(result.verdict == Verdict::not_preempted);
  CHECK(result.disruption->cause == Cause::kubelet_critical);
  CHECK_FALSE(result.disruption->by);
  REQUIRE(result.disruption->signs.size() == 2);
  CHECK(result.disruption->signs[1].what ==
        "kube-system/mount (priority 2000001000) came to n1 at that time and may be the critical pod");
}

TEST_CASE("post-mortem: the texts of KAI and Koordinator on a pod give the action and the group", "[history]") {
  const std::string group =
      "apiVersion: scheduling.run.ai/v2alpha2\nkind: PodGroup\nmetadata: {namespace: ml, name: "
      "reclaimer, uid: pg-1}\nspec: {queue: research, minMember: 1}\n";
  // From the condition alone, and from the event with its annotations, whose action has precedence.
  const auto by_condition = a_cluster(
      {a_node("n1", "4"), group,
       disrupted("ml/a", "PreemptionByScheduler", "Pod ml/a was preempted by workload ml/reclaimer. q uses <4>")});
  const PostMortem reclaimed = judged(*by_condition, "ml/a");
  CHECK(reclaimed.disruption->cause == Cause::kai_reclaim);
  CHECK(reclaimed.preemptor_words == "PodGroup ml/reclaimer of queue research");
  const std::string event =
      "apiVersion: v1\nkind: Event\nmetadata: {namespace: ml, name: e, annotations: {evictor-action-type: "
      "consolidation, evictor-pod-group-name: reclaimer, evictor-pod-group-namespace: ml}}\ninvolvedObject: {kind: "
      "PodGroup, namespace: ml, name: pg}\nreason: Evict\neventTime: \"2026-03-02T11:59:00Z\"\nmessage: \"Pod ml/a was "
      "preempted and rescheduled due to bin packing (resource consolidation) procedure\"\n";
  const PostMortem moved = judged(*a_cluster({a_node("n1", "4"), group, a_pod("ml/a").on("n1").yaml(), event}), "ml/a");
  CHECK(moved.disruption->cause == Cause::kai_consolidation);
  REQUIRE(moved.disruption->by);
  CHECK(moved.disruption->by->uid == "pg-1");

  // kube-scheduler identifies groups only by UID.
  const auto by_uid = a_cluster({a_node("n1", "4"), group, a_pod("ml/a").on("n1").yaml(),
                                 an_event("ml/a", "uid-ml-a", "Preempted", "Preempted by podgroup pg-1 on node n1")});
  CHECK(judged(*by_uid, "ml/a").disruption->by->text() == "ml/reclaimer");

  const auto koordinator = a_cluster(
      {a_node("n1", "4"), a_pod("ml/train-1").priority(900).yaml(),
       disrupted("ml/a", "PreemptionByScheduler",
                 "koord-scheduler: preempting to accommodate higher priority pods, preemptor: ml/train, triggerpod: "
                 "ml/train-1")});
  const PostMortem result = judged(*koordinator, "ml/a");
  CHECK(result.disruption->cause == Cause::koordinator);
  CHECK(result.preemptor_words == "job ml/train");
  CHECK_FALSE(result.disruption->by_inferred);
}

TEST_CASE("post-mortem: without an event, a nominated node identifies the preemptor", "[history]") {
  // Its condition shows that the pod existed, whatever its creation time is.
  const std::string nominated =
      "apiVersion: v1\nkind: Pod\nmetadata: {namespace: ml, name: pod1, uid: uid-ml-pod1, creationTimestamp: "
      "\"2026-03-02T12:00:00Z\"}\nspec: {priority: 1000, containers: [{name: c}]}\nstatus: {phase: Pending, "
      "nominatedNodeName: n1, conditions: [{type: PodScheduled, status: \"False\", reason: Unschedulable, "
      "lastTransitionTime: \"2026-03-02T11:59:00Z\"}]}\n";
  const auto cluster = a_cluster({a_node("n1", "4"), nominated, a_pod("ml/pod2").priority(1000).yaml(),
                                  disrupted("ml/v", "PreemptionByScheduler",
                                            "default-scheduler: preempting to accommodate a higher priority pod")});
  const PostMortem result = judged(*cluster, "ml/v");
  CHECK(result.disruption->by_inferred);
  CHECK(result.preemptor_words == "ml/pod1 (priority 1000)");
}

TEST_CASE("post-mortem: other terminations are reported not to be preemptions", "[history]") {
  const auto cluster = a_cluster({a_node("node-a", "4"), running("ml/a", "node-a", 10, "1").yaml(),
                                  running("ml/b", "node-a", 10, "1").yaml(),
                                  an_event("ml/b", "uid-ml-b", "Evicted", "The node was low on resource: memory.")});
  const PostMortem fine = judged(*cluster, "ml/a");
  CHECK(fine.verdict == Verdict::not_preempted);
  CHECK(fine.why == "it is on node-a");
  const PostMortem evicted = judged(*cluster, "ml/b");
  CHECK(evicted.verdict == Verdict::not_preempted);
  CHECK(evicted.why == "evicted by the kubelet (node pressure, or a limit of local storage)");
  const Question q = question();
  const auto none = post_mortem({cluster->objects, Snapshot(cluster->objects), q, "auto"}, "ml/c", "default");
  REQUIRE_FALSE(none);
  CHECK(none.error().message.find("neither pod ml/c nor an event that explains its end exists in the input") == 0);
}

}  // namespace
TEST_CASE("post-mortem: of a note, only words that schedulers always write are printed", "[history]") {
  const std::set<std::string, std::less<>> own = {"tenant/v", "n1"};
  CHECK(without_names("Preempted by 83418e5e from application spark-of-rival in root.rival.prod", own) ==
        "Preempted by 83418e5e from application hidden in hidden");
  CHECK(without_names("Pod tenant/v was preempted by workload rival/pg. Queue q uses <4> of b.", own) ==
        "Pod tenant/v was preempted by workload hidden. Queue hidden uses hidden of hidden.");
  CHECK(without_names("Preempted by pod 11111111-0000-4000-8000-064742653441 on node n1", own) ==
        "Preempted by pod 11111111-0000-4000-8000-064742653441 on node n1");
  CHECK(without_names("Preempted by rival/p on node n2", own) == "Preempted by hidden on node hidden");
}

}  // namespace previct::history
