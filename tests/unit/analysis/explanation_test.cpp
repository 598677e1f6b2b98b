#include "analysis/explanation.h"

#include "analysis/backlog.h"
#include "analysis/decision.h"
#include "report/format.h"
#include "report/json_text.h"
#include "support/cluster.h"
#include "support/input.h"
#include "tell/tell.h"

#include <catch2/catch.hpp>

using namespace previct;

namespace {

constexpr const char* kCluster = R"(
apiVersion: v1
kind: Pod
metadata: {name: train-big-0, namespace: ml, uid: u1}
spec: {priority: 9000, priorityClassName: high}
---
apiVersion: v1
kind: Pod
metadata: {name: nightly, namespace: ml}
spec: {priority: 8000, priorityClassName: low, nodeName: gpu-2, terminationGracePeriodSeconds: 30}
---
apiVersion: v1
kind: Pod
metadata: {name: epoch, namespace: ml}
spec: {priority: 8000, priorityClassName: low-30min, nodeName: gpu-3}
---
apiVersion: v1
kind: Pod
metadata: {name: licence, namespace: ml}
spec: {priority: 8000, priorityClassName: low-forever, nodeName: gpu-1}
---
apiVersion: v1
kind: Node
metadata: {name: gpu-2}
)";

auto instant(const char* text) -> Instant {
  return parse_instant(text).value();
}

// The snapshot and an answer about it, as an engine would return it.
struct Explained {
  Objects objects;
  std::unique_ptr<Snapshot> cluster;
  Answer answer;

  Explained() {
    objects.files.add("dump.yaml");
    REQUIRE(test::read_text(kCluster, objects));
    cluster = std::make_unique<Snapshot>(objects);
    const auto pod = [&](const char* name) { return cluster->find_pod("ml", name); };
    answer.engine = "kube";
    answer.behaves = "1.35 + PreemptionToleration";
    answer.subject = pod("train-big-0");
    answer.subject_name = "ml/train-big-0";
    answer.outcome = Outcome::preempts;
    answer.node = "gpu-2";
    answer.tied = {cluster->find_node(cluster->symbol("gpu-2"))};
    answer.sentence = "would preempt 1 pod on node gpu-2";
    VictimLine victim;
    victim.pod = pod("nightly");
    victim.rule = "kube.victim.lower-priority";
    victim.why = "lower priority, no toleration";
    victim.evidence = {{"Pod/ml/nightly", "spec.priority", {FileId{0}, 9, 3}}};
    answer.victims = {victim};
    answer.victim_lines = {victim};
    ToleratingLine epoch;
    epoch.pod = pod("epoch");
    epoch.since = instant("2026-11-20T22:28:30Z");
    epoch.until = instant("2026-11-20T22:58:30Z");
    ToleratingLine licence;
    licence.pod = pod("licence");
    licence.why = "forever, against priority < 10000";
    answer.tolerating = {epoch, licence};
    answer.tolerating_lines = {epoch, licence};
    answer.next_change = instant("2026-11-20T22:58:30Z");
    answer.next_change_words = "gpu-3 becomes a candidate";
    answer.scheduler_message = "0/3 nodes are available";
    answer.evidence = {{"outcome", "preempting"}};
  }
  [[nodiscard]] auto context() const -> ReportContext {
    return {
        .cluster = *cluster, .now = instant("2026-11-20T22:41:07Z"), .now_source = "newest-in-input", .input_gaps = {}};
  }
  [[nodiscard]] auto text(const char* format = "text", const Style& style = {}) const -> std::string {
    Answer told = answer;
    return find_format(format)->render(explanation(told, context()), style);
  }
};

}  // namespace

TEST_CASE("explanation: verdict first, then confidence, then the pods that are evicted and those that are not") {
  CHECK(Explained().text() ==
        "ml/train-big-0 (high, 9000) would preempt 1 pod on node gpu-2.\n"
        "as of 2026-11-20 22:41:07 UTC (newest time in the input); kube 1.35 + PreemptionToleration; input "
        "complete\n"
        "\n"
        "VICTIM (most important first)   PRIORITY   CLASS   WHY\n"
        "ml/nightly                          8000   low     lower priority, no toleration\n"
        "no owner, so not recreated: ml/nightly\n"
        "\n"
        "TOLERATES THIS PREEMPTION   NODE    PRIORITY   CLASS         UNTIL\n"
        "ml/epoch                    gpu-3       8000   low-30min     22:58:30, in 17m23s\n"
        "ml/licence                  gpu-1       8000   low-forever   forever, against priority < 10000\n"
        "\n"
        "next change: 22:58:30 (in 17m23s), gpu-3 becomes a candidate\n"
        "scheduler message: 0/3 nodes are available\n");
}

TEST_CASE("explanation: unknown facts are near the top, with what they affect") {
  Explained explained;
  explained.answer.gaps = {{GapRule::missing, {"PodDisruptionBudget", "every eviction is assumed to be allowed"}},
                           {GapRule::default_profile, {"mine"}}};
  const std::string text = explained.text();
  CHECK(text.find("; input incomplete\n"
                  "not in the input: PodDisruptionBudget; every eviction is assumed to be allowed\n"
                  "assumed: scheduler mine works like kube-scheduler's default profile\n") != std::string::npos);
  CHECK_FALSE(Provenance(explained.context(), explained.answer).complete());
  const Json data = explanation(explained.answer, explained.context()).data;
  CHECK(data["completeness"]["level"] == "incomplete");
  CHECK(data["completeness"]["missingKinds"] == Json{"PodDisruptionBudget"});
  CHECK(data["completeness"]["weakens"][0]["conclusion"] == "every eviction is assumed to be allowed");
}

TEST_CASE("explanation: assumptions, and gaps that cannot change the answer, leave it complete") {
  Explained explained;
  explained.answer.gaps = {{GapRule::whole_grace}, {GapRule::likeliest_node, {}, false, false}};
  CHECK(Provenance(explained.context(), explained.answer).complete());
}

TEST_CASE("explanation: the JSON is the documented one") {
  Explained explained;
  const Json data = explanation(explained.answer, explained.context()).data;
  CHECK(json_text(data["metadata"], -1) == R"({"tool":"previct )" PREVICT_VERSION
                                           R"(","engine":{"name":"kube","behaves":"1.35 + PreemptionToleration"},)"
                                           R"("now":"2026-11-20T22:41:07Z","nowSource":"newest-in-input",)"
                                           R"("inputs":[{"path":"dump.yaml","objects":{"Node":1,"Pod":4}}]})");
  CHECK(json_text(data["completeness"], -1) ==
        R"({"level":"complete","missingKinds":[],"unmodelled":[],"assumptions":[]})");
  CHECK(json_text(data["subject"], -1) == R"({"pod":{"namespace":"ml","name":"train-big-0","uid":"u1"},)"
                                          R"("priority":9000,"priorityClassName":"high"})");
  CHECK(json_text(data["verdict"], -1) == R"({"outcome":"preempts","node":"gpu-2","tiedNodes":["gpu-2"],)"
                                          R"("summary":"would preempt 1 pod on node gpu-2",)"
                                          R"("nextChange":"2026-11-20T22:58:30Z",)"
                                          R"("nextChangeSummary":"gpu-3 becomes a candidate"})");
  CHECK(
      json_text(data["victims"], -1) ==
      R"([{"pod":{"namespace":"ml","name":"nightly"},"node":"gpu-2","priority":8000,)"
      R"("rule":"kube.victim.lower-priority","reason":"lower priority, no toleration","certain":true,"ownerless":true,)"
      R"("gracePeriodSeconds":30,"evidence":[{"object":"Pod/ml/nightly","field":"spec.priority",)"
      R"("source":{"path":"dump.yaml","line":9,"column":3}}]}])");
  CHECK(data["tolerating"][0]["toleration"]["until"] == "2026-11-20T22:58:30Z");
  CHECK_FALSE(data["tolerating"][1].contains("toleration"));
  CHECK(data["schedulerMessage"] == "0/3 nodes are available");
  CHECK(data["evidence"]["outcome"] == "preempting");
  CHECK(json_text(data, -1).find("null") == std::string::npos);
}

TEST_CASE("explanation: the JSON marks victims that are being deleted already") {
  for (const bool terminating : {false, true}) {
    const auto cluster = test::a_cluster(
        {test::a_node("n1", "1"),
         test::a_pod("d/low").on("n1").priority(1).deleting(terminating ? "2026-03-02T12:00:20Z" : "").yaml(),
         test::a_pod("d/p").priority(9).cpu("1").yaml()});
    cluster->objects.files.add("cluster.yaml");
    Answer answer = test::ask_kube(*cluster, "d/p");
    const ReportContext context{.cluster = *cluster->snapshot, .now = {}, .now_source = "flag", .input_gaps = {}};
    const Json victims = explanation(answer, context).data["victims"];
    REQUIRE(victims.size() == 1);
    CHECK(victims[0].contains("terminating") == terminating);
  }
}

TEST_CASE("explanation: the JSON lists a hundred of many equal victims, and counts the rest") {
  // One CPU is requested, and each of the 150 pods has 10m: 100 of them are evicted, any of the 150.
  std::vector<std::string> objects = {test::a_node("n1", "1500m", 200), test::a_pod("d/p").priority(9).cpu("1").yaml()};
  for (int i = 0; i < 150; ++i) {
    objects.push_back(
        test::a_pod("d/low" + std::to_string(i)).on("n1").cpu("10m").started("2026-03-02T10:00:00Z").yaml());
  }
  const auto cluster = test::a_cluster(objects);
  cluster->objects.files.add("cluster.yaml");
  Answer answer = test::ask_kube(*cluster, "d/p");
  const ReportContext context{.cluster = *cluster->snapshot, .now = {}, .now_source = "flag", .input_gaps = {}};
  const Json victims = explanation(answer, context).data["victims"];
  REQUIRE(victims.size() == 100);
  CHECK(victims[0]["oneOf"].size() == 100);
  CHECK(victims[99]["oneOfMore"] == 50);
}

TEST_CASE("explanation: an answer with few facts still has its outcome") {
  Explained explained;
  explained.answer = Answer{};
  explained.answer.subject_name = "ml/group";
  const Json data = explanation(explained.answer, explained.context()).data;
  CHECK(data["verdict"]["outcome"] == "pending");
  CHECK(data["victims"] == Json::array());
  CHECK_FALSE(data.contains("evidence"));
  CHECK(json_text(data, -1).find("null") == std::string::npos);
}

TEST_CASE("explanation: -o wide prints the positions in the input that a statement is based on") {
  CHECK(Explained().text("wide").find("dump.yaml:9:3") != std::string::npos);
  CHECK(Explained().text("name") == "ml/nightly\n");
}

TEST_CASE("explanation: several answers print one verdict per line") {
  const Explained explained;
  std::vector<Answer> answers = {explained.answer, explained.answer};
  const Report report =
      backlog_report({answers, {}}, provenance_of(answers, explained.context()), "in the input", explained.context());
  CHECK(find_format("text")->render(report, {}) ==
        "2 pending pods, each as if it were alone: 2 would preempt.\n"
        "as of 2026-11-20 22:41:07 UTC (newest time in the input); kube 1.35 + PreemptionToleration; input "
        "complete\n"
        "\n"
        "POD              PRIORITY   CLASS   OUTCOME    VERDICT\n"
        "ml/train-big-0       9000   high    preempts   would preempt 1 pod on node gpu-2\n"
        "ml/train-big-0       9000   high    preempts   would preempt 1 pod on node gpu-2\n");
  CHECK(report.data["kind"] == "ExplanationList");
  CHECK(report.data["items"].size() == 2);
  CHECK(report.data["metadata"] == report.data["items"][0]["metadata"]);
  CHECK(report.names == std::vector<std::string>{"ml/nightly"});
}

TEST_CASE("explanation: many tolerating pods are counted by class, unless all are requested") {
  Explained explained;
  explained.answer.tolerating_lines.resize(14, explained.answer.tolerating_lines[1]);
  const std::string text = explained.text();
  CHECK(text.find("+ 4 more: 4 low-forever (--show all lists them)\n") != std::string::npos);
  ReportContext context = explained.context();
  context.show_all = true;
  const Report report = explanation(explained.answer, context);
  CHECK(find_format("text")->render(report, {}).find("more:") == std::string::npos);
  CHECK(report.data["tolerating"].size() == 14);
}

TEST_CASE("explanation: a date other than today's is printed") {
  Explained explained;
  explained.answer.tolerating_lines[0].until = instant("2026-11-22T01:00:00Z");
  CHECK(explained.text().find("2026-11-22 01:00:00, in 1d2h") != std::string::npos);
}

TEST_CASE("explanation: a long reason shared by many pending pods is printed once, below the others") {
  const Explained explained;
  Answer open = explained.answer;
  open.outcome = Outcome::unknown;
  open.node.clear();
  open.victims.clear();
  // It is derived from the gap that decides, not cut out of an answer's sentence.
  open.gaps = {{GapRule::namespaces_missing, {"Namespace"}, true}};
  open.sentence = "cannot tell, because " + doubt_words(open);
  const std::string why = "a namespaceSelector selects by labels of namespaces, and the input lacks these Namespaces";
  const auto text = [&](std::size_t pods) {
    std::vector<Answer> answers(pods, open);
    const Backlog backlog{answers, std::vector<std::optional<SimulatedOutcome>>(pods)};
    const ReportContext context = explained.context();
    const Report report = backlog_report(backlog, provenance_of(answers, context), "in the input", context);
    return find_format("text")->render(report, {});
  };
  const std::string many = text(3);
  CHECK(many.find("cannot tell (*)") != std::string::npos);
  CHECK(many.find("*: because " + why) != std::string::npos);
  // Once in the first line, and once below the table.
  CHECK(many.find(why, many.find('\n')) == many.rfind(why));
  CHECK(many.find(why) < many.find('\n'));
  CHECK(text(2).find("cannot tell (*)") == std::string::npos);
}

TEST_CASE("backlog: workloads whose pods then get no node are counted") {
  const Explained explained;
  std::vector<Answer> answers(2, explained.answer);
  const Backlog backlog{.answers = answers, .in_turn = {{}, {}}, .left_pending = {"", "1 of its 2 pods gets no node"}};
  const ReportContext context = explained.context();
  const std::string text = find_format("text")->render(
      backlog_report(backlog, provenance_of(answers, context), "in the input", context), {});
  CHECK(text.substr(0, text.find('\n')).ends_with("; of 1 of them, pods then get no node."));
  CHECK(text.find(explained.answer.sentence + "; then 1 of its 2 pods gets no node") != std::string::npos);
}

TEST_CASE("explanation: a decision names no victim that an equal pod may replace", "[explanation]") {
  const auto running = [](const std::string& key) {
    return test::a_pod(key).on("n1").priority(1).started("2026-03-02T10:00:00Z").yaml();
  };
  const auto cluster =
      test::a_cluster({test::a_node("n1", "2"), running("d/a"), running("d/b"), test::a_pod("d/p").priority(9).yaml()});
  CHECK(words_of(decision_of(test::ask_kube(*cluster, "d/p"), *cluster->snapshot)) ==
        "would preempt 1 of 2 equal pods on n1");
  const auto alone = test::a_cluster({test::a_node("n1", "1"), running("d/a"), test::a_pod("d/p").priority(9).yaml()});
  CHECK(words_of(decision_of(test::ask_kube(*alone, "d/p"), *alone->snapshot)) == "preempts d/a on n1");
}
