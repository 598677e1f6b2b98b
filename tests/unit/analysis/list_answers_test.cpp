#include "analysis/list_answers.h"

#include "base/shared_reading.h"
#include "support/cluster.h"
#include "tell/tell.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>

namespace previct {
namespace {

using test::a_cluster;
using test::a_node;
using test::a_pod;

constexpr std::size_t kNodes = 40;
constexpr std::size_t kPending = 90;

// Each node n has 4 CPUs, of which a pod of priority n uses 2. Pending: w-0 to w-89, where w-i requests 1 + i % 3 CPUs;
// every third of them also has the label of its own that makes it unlike all others.
auto cluster_with_list() -> std::unique_ptr<test::TestCluster> {
  std::vector<std::string> documents;
  for (std::size_t n = 0; n < kNodes; ++n) {
    documents.push_back(a_node(fmt::format("node-{}", n), "4"));
    documents.push_back(
        a_pod(fmt::format("a/old-{}", n)).on(fmt::format("node-{}", n)).priority(static_cast<int>(n)).cpu("2").yaml());
  }
  for (std::size_t i = 0; i < kPending; ++i) {
    const std::string labels = i % 3 == 0 ? fmt::format("{{own: \"{}\"}}", i) : "{}";
    documents.push_back(
        a_pod(fmt::format("b/w-{}", i)).priority(1000).cpu(std::to_string(1 + i % 3)).labels(labels).yaml());
  }
  return a_cluster(documents);
}

auto kube() -> const Engine& {
  return *find_engine("kube");
}

auto answer_to(const Snapshot& cluster, PodId pod) -> Result<Answer> {
  Question question;
  question.ns = cluster.text(cluster.pod(pod).meta.ns);
  question.name = cluster.text(cluster.pod(pod).meta.name);
  question.now = parse_instant("2026-03-02T12:00:00Z").value();
  question.brief = true;
  return explain(kube(), cluster, question);
}

// One line for each pod: name, outcome, sentence and victims.
auto lines_of(const Snapshot& cluster, bool alike_share, unsigned threads,
              const std::function<Result<Answer>(const Snapshot&, PodId)>& ask) -> std::vector<std::string> {
  std::vector<Answer> answers;
  const std::vector<Subject> pods = pending_subjects(cluster, "");
  Question question;
  question.threads = threads;
  ListAnswers list(cluster, pods, answers,
                   {.engine = "kube",
                    .alike_share = alike_share,
                    .question = std::move(question),
                    .ask = [&](const Snapshot& of_thread, const Subject& subject, const Question&) {
                      return ask(of_thread, subject.pod);
                    }});
  std::vector<std::string> lines;
  for (const Subject& pod : pods) {
    Result<Answer> answer = list.next();
    REQUIRE(answer);
    CHECK(answer->subject == pod.pod);
    lines.push_back(fmt::format("{}: {} {} {}", answer->subject_name, outcome_name(answer->outcome), answer->sentence,
                                answer->victims.size()));
    answers.push_back(*std::move(answer));
  }
  return lines;
}

}  // namespace

TEST_CASE("answers of a list: the same for any number of threads", "[list-answers]") {
  const auto cluster = cluster_with_list();
  const std::vector<std::string> alone = lines_of(*cluster->snapshot, true, 1, answer_to);
  REQUIRE(alone.size() == kPending);
  // w-0 requests 1 CPU, for which each node has room; w-2 requests 3, which takes the pod of a node.
  const auto has = [&](std::string_view begin) {
    return std::any_of(alone.begin(), alone.end(), [&](const std::string& line) { return line.starts_with(begin); });
  };
  CHECK(has("b/w-0: fits"));
  CHECK(has("b/w-2: preempts"));
  for (const bool alike_share : {true, false}) {
    for (const unsigned threads : {1U, 2U, 5U}) {
      INFO(alike_share << ' ' << threads);
      CHECK(lines_of(*cluster->snapshot, alike_share, threads, answer_to) == alone);
    }
  }
}

TEST_CASE("answers of a list: threads have snapshots of their own, and pods that are alike are asked about once",
          "[list-answers]") {
  const auto cluster = cluster_with_list();
  for (const unsigned threads : {1U, 3U}) {
    std::atomic<std::size_t> asked = 0;
    std::atomic<std::size_t> elsewhere = 0;
    static_cast<void>(lines_of(*cluster->snapshot, true, threads, [&](const Snapshot& of_thread, PodId pod) {
      ++asked;
      if (&of_thread != cluster->snapshot.get()) ++elsewhere;
      return answer_to(of_thread, pod);
    }));
    // 30 pods have a label of their own; the others request 2 or 3 CPUs.
    CHECK(asked == 32);
    if (threads == 1) CHECK(elsewhere == 0);
  }
}

TEST_CASE("answers of a list: a question that adds a text is asked when no other thread reads", "[list-answers]") {
  const auto cluster = cluster_with_list();
  const std::vector<std::string> alone = lines_of(*cluster->snapshot, false, 1, answer_to);
  const auto adds = [&](const Snapshot& of_thread, PodId pod) {
    if (pod.index % 7 == 0) static_cast<void>(of_thread.symbols().intern(fmt::format("added for {}", pod.index)));
    return answer_to(of_thread, pod);
  };
  CHECK(lines_of(*cluster->snapshot, false, 4, adds) == alone);
  for (const PodId pod : cluster->snapshot->pods().ids()) {
    if (cluster->snapshot->pending(pod) && pod.index % 7 == 0)
      CHECK(cluster->snapshot->symbol(fmt::format("added for {}", pod.index)));
  }
  // Nothing is shared any more.
  CHECK(cluster->snapshot->symbols().intern("another text"));
}

TEST_CASE("answers of a list: an error in a thread ends the list", "[list-answers]") {
  const auto cluster = cluster_with_list();
  const auto breaks = [&](const Snapshot& of_thread, PodId pod) -> Result<Answer> {
    if (of_thread.key(pod) == "b/w-40") throw std::bad_alloc();
    return answer_to(of_thread, pod);
  };
  CHECK_THROWS_AS(lines_of(*cluster->snapshot, false, 3, breaks), std::bad_alloc);
  CHECK(cluster->snapshot->symbols().intern("another text"));
}

TEST_CASE("shared reading: nothing is added, and what exists is found", "[list-answers]") {
  const auto cluster = cluster_with_list();
  const Snapshot& snapshot = *cluster->snapshot;
  const Symbol known = snapshot.symbols().intern("node-3");
  snapshot.share(true);
  CHECK(snapshot.symbols().intern("node-3") == known);
  CHECK_THROWS_AS(snapshot.symbols().intern("no such text"), AddedWhileShared);
  CHECK_THROWS_AS(snapshot.diagnostics().warn("id", "text"), AddedWhileShared);
  CHECK(snapshot.diagnostics().empty());
  snapshot.share(false);
  CHECK(snapshot.symbols().intern("no such text"));
  snapshot.diagnostics().warn("id", "text");
  CHECK_FALSE(snapshot.diagnostics().empty());
}

}  // namespace previct
