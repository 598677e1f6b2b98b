#include "analysis/timeline.h"

#include "analysis/subject.h"
#include "support/cluster.h"
#include "support/kueue.h"

#include <catch2/catch.hpp>

#include <algorithm>

namespace previct::test {
namespace {

const Instant kNow = parse_instant("2026-03-02T12:00:00Z").value();

auto at(std::int64_t minutes) -> Instant {
  return kNow.plus_seconds(minutes * 60);
}

// An engine that schedules the pod from `in_from` on, and whose answer changes every minute until then.
class Clockwork final : public Engine {
 public:
  Clockwork(Instant in_from, bool woken) : in_from_(in_from), woken_(woken) {}
  [[nodiscard]] auto name() const -> std::string_view override { return "clockwork"; }
  [[nodiscard]] auto owns_pod(const Snapshot& /*cluster*/, PodId /*pod*/) const -> bool override { return true; }
  [[nodiscard]] auto rank() const -> int override { return 0; }
  [[nodiscard]] auto verdict_on(const Snapshot& /*cluster*/, const Question& question) const
      -> Result<Verdict> override {
    Verdict answer;
    answer.engine = "clockwork";
    answer.subject_name = "ml/x";
    const bool in = question.now >= in_from_;
    answer.outcome = in ? Outcome::fits : Outcome::pending;
    if (!in) answer.node = std::to_string(question.now.seconds);
    if (!in) answer.next_change = question.now.plus_seconds(60);
    if (!in && !woken_) answer.acted_on_by = answer.next_change.plus_seconds(330);
    return answer;
  }

 private:
  Instant in_from_;
  bool woken_;
};

auto verdict_of(const Report& report) -> std::string {
  return std::get<Line>(report.blocks.front()).spans.front().text;
}

auto says(const Report& report, std::string_view words) -> bool {
  for (const Block& block : report.blocks) {
    const Line* line = std::get_if<Line>(&block);
    if (line != nullptr && line->spans.front().text.find(words) != std::string::npos) return true;
  }
  return false;
}

auto grounds_on(const TestCluster& cluster) -> ReportContext {
  return {.cluster = *cluster.snapshot, .now = kNow, .now_source = "flag", .input_gaps = {}};
}

}  // namespace

TEST_CASE("timeline: a cut one reports until when it is known", "[timeline]") {
  const auto cluster = a_cluster({a_node("n", "1")});
  const Clockwork engine(at(1000), false);
  Question question;
  question.now = kNow;
  const auto intervals = timeline(engine, cluster->objects, *cluster->snapshot, question, at(600), 5);
  REQUIRE(intervals.has_value());
  // Five answers, each valid for a minute.
  REQUIRE(intervals->size() == 5);
  const Report report = timeline_report(*intervals, grounds_on(*cluster), at(600));
  CHECK(verdict_of(report).find("before 12:05:00") != std::string::npos);
  CHECK(says(report, "the answers after 12:05:00 are not known"));
  CHECK(report.data["knownUntil"] == "2026-03-02T12:05:00Z");
}

TEST_CASE("timeline: only a scheduler without requeue events is reported to wait for its flush", "[timeline]") {
  const auto cluster = a_cluster({a_node("n", "1")});
  Question question;
  question.now = kNow;
  for (const bool woken : {false, true}) {
    const Clockwork engine(at(2), woken);
    const auto intervals = timeline(engine, cluster->objects, *cluster->snapshot, question, at(60));
    const Report report = timeline_report(*intervals, grounds_on(*cluster), at(60));
    CHECK(verdict_of(report) == "ml/x is scheduled at 12:02:00 (in 2m) at the earliest: it fits.");
    CHECK(says(report, "tries again between 12:02:00 and 12:07:30") == !woken);
    CHECK(report.data["firstMoment"].contains("actedOnBy") == !woken);
  }
}

TEST_CASE("timeline: nothing is reported about the time between individually requested times", "[timeline]") {
  const auto cluster = a_cluster({a_node("n", "1")});
  const Clockwork engine(at(2), false);
  Question question;
  question.now = kNow;
  // The answers are in the order of the requested times, the second of which is the first at which the pod fits.
  const auto later = answers_at(engine, cluster->objects, *cluster->snapshot, question, {at(30), at(10), at(0)});
  CHECK(verdict_of(timeline_report(*later, grounds_on(*cluster), Instant::never())) ==
        "ml/x is scheduled at 12:10:00 (in 10m), and at no earlier time in question: it fits.");
  const auto never = answers_at(engine, cluster->objects, *cluster->snapshot, question, {at(0), at(1)});
  CHECK(verdict_of(timeline_report(*never, grounds_on(*cluster), Instant::never())) ==
        "ml/x is not scheduled at any of these times.");
}

TEST_CASE("timeline: the picture of a long horizon ends soon after the last change", "[timeline]") {
  const auto cluster = a_cluster({a_node("n", "1")});
  Question question;
  question.now = kNow;
  const auto intervals = timeline(Clockwork(at(2), true), cluster->objects, *cluster->snapshot, question, at(600));
  const Report report = timeline_report(*intervals, grounds_on(*cluster), at(600));
  const auto picture = std::find_if(report.blocks.begin(), report.blocks.end(),
                                    [](const Block& block) { return std::holds_alternative<Picture>(block); });
  REQUIRE(picture != report.blocks.end());
  const auto& [title, rows, marks, legend, folded_title, folded] = std::get<Picture>(*picture);
  // Two minutes of changes, and a quarter more: of 150 seconds, the last part begins at 120.
  REQUIRE(rows.front().parts.size() == 3);
  CHECK(rows.front().parts.back().from == 8'000);
  CHECK(rows.front().parts.back().to == Picture::kScale);
  CHECK(marks.back().text == "unchanged until 22:00:00");
}

namespace {

// The first line about pod ns/new for the kube engine, from 12:00:00 on.
auto over_an_hour(const std::vector<std::string>& documents) -> Report {
  const auto cluster = a_cluster(documents);
  const Result<const Engine*> kube = main_engine(engines(), "kube", *cluster->snapshot);
  REQUIRE(kube);
  Question question;
  question.now = kNow;
  question.kind = "pod";
  question.ns = "ns";
  question.name = "new";
  question.toleration_plugin = "off";
  const auto intervals = timeline(**kube, cluster->objects, *cluster->snapshot, question, at(60));
  REQUIRE(intervals.has_value());
  Report report = timeline_report(*intervals, grounds_on(*cluster), at(60));
  CHECK(ask_kube(*cluster, "ns/new").next_change == intervals->front().until);
  return report;
}

auto owned(const std::string& pod, const std::string& kind) -> std::string {
  std::string text = pod;
  text.insert(text.find("  namespace: "),
              "  ownerReferences: [{apiVersion: apps/v1, kind: " + kind + ", name: o, uid: u, controller: true}]\n");
  return text;
}

}  // namespace

TEST_CASE("timeline: a terminating pod leaves its node when its grace period ends", "[timeline]") {
  // 4 CPUs, all of them used by a pod of higher priority, which is gone 20 s later.
  const std::string going = a_pod("ns/going").on("n").priority(9000).cpu("4").deleting("2026-03-02T12:00:20Z").yaml();
  const std::string waiting = a_pod("ns/new").priority(1000).cpu("1").yaml();
  CHECK(verdict_of(over_an_hour({a_node("n", "4"), going, waiting})) ==
        "ns/new is scheduled at 12:00:20 (in 20s) at the earliest: it fits only on n; no preemption needed.");
  // A ReplicaSet has replaced it when it was deleted.
  CHECK(verdict_of(over_an_hour({a_node("n", "4"), owned(going, "ReplicaSet"), waiting})).find("at 12:00:20") !=
        std::string::npos);
  // What removes its finalizer is not known.
  std::string held = going;
  held.insert(held.find("  namespace: "), "  finalizers: [a.b/hold]\n");
  const Json told = over_an_hour({a_node("n", "4"), held, waiting}).data["completeness"];
  CHECK(told["unmodelled"].dump().find("the finalizer a.b/hold of ns/going") != std::string::npos);
  // A DaemonSet makes its next pod for this node then.
  const Report again = over_an_hour({a_node("n", "4"), owned(going, "DaemonSet"), waiting});
  CHECK(verdict_of(again).ends_with("and time alone does not change that before 12:00:20."));
  CHECK(says(again,
             "ns/going terminates until then, and its controller creates it again, so the answers after 12:00:20 "
             "are not known"));
  // The kubelet of the node cannot be reached.
  const std::string lost =
      a_node("n", "4") + "spec: {taints: [{key: node.kubernetes.io/unreachable, effect: NoExecute}]}\n";
  CHECK(verdict_of(over_an_hour({lost, going, waiting}))
            .ends_with("and time alone does not change that before 13:00:00."));
  // Its grace period ended before: what keeps it is not known.
  const std::string stuck = a_pod("ns/going").on("n").priority(9000).cpu("4").deleting("2026-03-02T11:00:20Z").yaml();
  CHECK(verdict_of(over_an_hour({a_node("n", "4"), stuck, waiting}))
            .ends_with("and time alone does not change that before 13:00:00."));
}

// The node accepts one volume, and v stays attached until ns/going is gone.
TEST_CASE("timeline: the volumes of a pod that leaves are detached", "[timeline]") {
  std::vector<std::string> documents = {
      a_node("node", "4"),
      "apiVersion: storage.k8s.io/v1\nkind: CSINode\nmetadata: {name: node}\nspec: {drivers: [{name: csi.x, nodeID: "
      "node, "
      "allocatable: {count: 1}}]}\n",
      "apiVersion: storage.k8s.io/v1\nkind: VolumeAttachment\nmetadata: {name: x}\nspec: {attacher: csi.x, nodeName: "
      "node, source: {persistentVolumeName: v}}\nstatus: {attached: true}\n"};
  for (const std::string name : {"v", "w"}) {
    documents.push_back("apiVersion: v1\nkind: PersistentVolume\nmetadata: {name: " + name +
                        "}\nspec: {capacity: {storage: 1Gi}, accessModes: [ReadWriteOnce], csi: {driver: csi.x, "
                        "volumeHandle: " +
                        name + "}}\nstatus: {phase: Bound}\n");
    documents.push_back("apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {namespace: ns, name: " + name +
                        ", annotations: {pv.kubernetes.io/bind-completed: 'yes'}}\nspec: {accessModes: "
                        "[ReadWriteOnce], volumeName: " +
                        name + "}\nstatus: {phase: Bound}\n");
  }
  const auto user_of = [](const std::string& claim) {
    return "volumes: [{name: d, persistentVolumeClaim: {claimName: " + claim + "}}]";
  };
  documents.push_back(a_pod("ns/going").on("node").cpu("1").deleting("2026-03-02T12:00:20Z").spec(user_of("v")).yaml());
  documents.push_back(a_pod("ns/new").cpu("1").spec(user_of("w")).yaml());
  CHECK(verdict_of(over_an_hour(documents)).find("is scheduled at 12:00:20") != std::string::npos);
}

TEST_CASE("timeline: the answers end where activeDeadlineSeconds of a pod end", "[timeline]") {
  // Started at 11:59:00, 2 minutes before its deadline.
  const std::string active = a_pod("ns/r")
                                 .on("n")
                                 .priority(9000)
                                 .cpu("4")
                                 .started("2026-03-02T11:59:00Z")
                                 .spec("activeDeadlineSeconds: 120")
                                 .yaml();
  const Report report = over_an_hour({a_node("n", "4"), active, a_pod("ns/new").priority(1000).cpu("1").yaml()});
  CHECK(verdict_of(report).ends_with("and time alone does not change that before 12:01:00."));
  CHECK(says(report, "activeDeadlineSeconds of ns/r end then, and what follows is not evaluated"));
}

TEST_CASE("timeline: the answers end where activeDeadlineSeconds of a Job end", "[timeline]") {
  // The Job started at 11:59:00, 2 minutes before its deadline; its pod started later.
  const std::string pod = a_pod("ns/r").on("n").priority(9000).cpu("4").started("2026-03-02T11:59:30Z").yaml();
  const std::string job =
      "apiVersion: batch/v1\nkind: Job\nmetadata: {name: o, namespace: ns}\n"
      "spec: {activeDeadlineSeconds: 120}\nstatus: {startTime: \"2026-03-02T11:59:00Z\"}\n";
  const std::string waiting = a_pod("ns/new").priority(1000).cpu("1").yaml();
  const Report report = over_an_hour({a_node("n", "4"), owned(pod, "Job"), job, waiting});
  CHECK(verdict_of(report).ends_with("and time alone does not change that before 12:01:00."));
  CHECK(says(report, "activeDeadlineSeconds of the Job of ns/r end then, and what follows is not evaluated"));
}

TEST_CASE("timeline: a workload that is evicted later returns its quota", "[timeline][kueue]") {
  // waitForPodsReady: the pods of run, admitted at 11:00, are not ready until 12:30. Then it is evicted, and its quota
  // returns when its pods have ended.
  KueueAsked asked(flavor() + queue({}) +
                   workload({.name = "run",
                             .cpu = "4",
                             .holds = true,
                             .status = ", {type: PodsReady, status: \"False\", reason: WaitForStart}"}) +
                   workload({.name = "w", .cpu = "4"}));
  asked.config("waitForPodsReady: {timeout: 90m}\n");
  REQUIRE(asked.decide("w"));
  const Instant end = asked.question.now.plus_seconds(2 * 3600);
  const auto found = timeline(kueue_engine, asked.objects, *asked.cluster, asked.question, end);
  REQUIRE(found);
  const auto& gaps = found->front().answer.gaps;
  CHECK(std::any_of(gaps.begin(), gaps.end(), [](const Gap& gap) { return gap.rule == GapRule::kueue_quota_returns; }));
}

}  // namespace previct::test
