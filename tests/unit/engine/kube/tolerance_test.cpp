#include "engine/kube/tolerance.h"

#include "unit/engine/kube/ask.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::test;
using kube::Rule;
using kube::Tolerance;

namespace {

constexpr const char* kPrefix = "preemption-toleration.scheduling.x-k8s.io/";

auto annotations(const std::string& minimum, const std::string& seconds) -> std::string {
  std::string text = "{";
  if (!minimum.empty()) text += std::string(kPrefix) + "minimum-preemptable-priority: \"" + minimum + "\", ";
  if (!seconds.empty()) text += std::string(kPrefix) + "toleration-seconds: \"" + seconds + "\"";
  return text + "}";
}

// Returns the tolerance of a victim of class `low` (8000), scheduled at noon, against `preemptor`.
auto tolerance(const std::string& minimum, const std::string& seconds, const std::string& now, int preemptor = 9000)
    -> Tolerance {
  const auto cluster =
      a_cluster({a_class("low", 8000, annotations(minimum, seconds)), a_node("n", "4"),
                 a_pod("ns/v").on("n").priority(8000).priority_class("low").scheduled("2026-03-02T12:00:00Z").yaml()});
  Moment moment(parse_instant(now).value());
  return kube::Tolerances(*cluster->snapshot, preemptor).of(PodId{0}, moment);
}

constexpr auto kYes = Tolerance::Answer::yes;
constexpr auto kNo = Tolerance::Answer::no;

}  // namespace

TEST_CASE("toleration: protects until its last instant, and not at it") {
  // Scheduled 12:00:00, 600 s: it ends at 12:10:00.
  CHECK(tolerance("10000", "600", "2026-03-02T12:09:59Z").answer == kYes);
  CHECK(tolerance("10000", "600", "2026-03-02T12:10:00Z").answer == kNo);
  CHECK(tolerance("10000", "600", "2026-03-02T12:10:01Z").reason.rule == Rule::tolerance_ended);
}

TEST_CASE("toleration: at its last instant, the answer says that the text of KEP-205 still protects") {
  // The KEP compares with !now.After(end), the released plugin with end.After(now): they differ only at 12:10:00.
  CHECK(tolerance("10000", "600", "2026-03-02T12:09:59Z").reason.rule == Rule::tolerance_runs);
  CHECK(tolerance("10000", "600", "2026-03-02T12:10:00Z").reason.rule == Rule::tolerance_ends_now);
  CHECK(tolerance("10000", "600", "2026-03-02T12:10:00.5Z").reason.rule == Rule::tolerance_ended);
}

TEST_CASE("toleration: a missing class is an error only if the input has all classes of the cluster") {
  const auto cluster = a_cluster({a_class("high", 8000), a_pod("ns/v").on("n").priority_class("low").yaml()});
  Moment moment(parse_instant("2026-03-02T12:00:00Z").value());
  CHECK(kube::Tolerances(*cluster->snapshot, 9000).of(PodId{0}, moment).answer == Tolerance::Answer::error);
  cluster->objects.manifest_only_kinds.insert("PriorityClass");
  const Tolerance unknown = kube::Tolerances(*cluster->snapshot, 9000).of(PodId{0}, moment);
  CHECK(unknown.answer == kNo);
  CHECK(unknown.reason.rule == Rule::tolerance_unknown);
}

TEST_CASE("toleration: the minimum is the first priority that may preempt") {
  CHECK(tolerance("10000", "-1", "2026-03-02T13:00:00Z", 9999).answer == kYes);
  CHECK(tolerance("10000", "-1", "2026-03-02T13:00:00Z", 10000).answer == kNo);
}

TEST_CASE("toleration: negative seconds protect forever") {
  const Tolerance t = tolerance("10000", "-1", "2036-03-02T12:00:00Z");
  CHECK(t.answer == kYes);
  CHECK(t.until.is_never());
}

TEST_CASE("toleration: each annotation alone protects no pod") {
  CHECK(tolerance("10000", "", "2026-03-02T12:00:01Z").answer == kNo);  // seconds default to 0
  CHECK(tolerance("", "-1", "2026-03-02T12:00:01Z").answer == kNo);     // the minimum defaults to 8001
  CHECK(tolerance("", "", "2026-03-02T12:00:01Z").reason.rule == Rule::tolerance_minimum_reached);
}

TEST_CASE("toleration: a malformed annotation removes the whole toleration") {
  for (const char* seconds : {"600s", "", " 600", "6e2", "1_000", "0x10"}) {
    if (*seconds == '\0') continue;  // an empty one cannot be written by annotations()
    INFO(seconds);
    CHECK(tolerance("10000", seconds, "2026-03-02T12:00:01Z").reason.rule == Rule::tolerance_malformed);
  }
  CHECK(tolerance("10k", "-1", "2026-03-02T12:00:01Z").reason.rule == Rule::tolerance_malformed);
  CHECK(tolerance("2147483648", "-1", "2026-03-02T12:00:01Z").reason.rule ==
        Rule::tolerance_malformed);                                           // beyond int32
  CHECK(tolerance("+10000", "+600", "2026-03-02T12:00:01Z").answer == kYes);  // a sign is fine
}

TEST_CASE("toleration: seconds overflow like an int64 of nanoseconds") {
  // 9223372037 s · 10⁹ is just beyond 2⁶³ and becomes negative: it ended long ago.
  CHECK(tolerance("10000", "9223372037", "2026-03-02T12:00:01Z").answer == kNo);
  // 18446744674 s · 10⁹ mod 2⁶⁴ = 600.290448384 s.
  CHECK(tolerance("10000", "18446744674", "2026-03-02T12:10:00Z").answer == kYes);
  CHECK(tolerance("10000", "18446744674", "2026-03-02T12:10:01Z").answer == kNo);
}

TEST_CASE("Moment: remembers when an answer would change") {
  const auto cluster =
      a_cluster({a_class("low", 8000, annotations("10000", "600")), a_node("n", "4"),
                 a_pod("ns/v").on("n").priority(8000).priority_class("low").scheduled("2026-03-02T12:00:00Z").yaml()});
  Moment moment(parse_instant("2026-03-02T12:05:00Z").value());
  (void)kube::Tolerances(*cluster->snapshot, 9000).of(PodId{0}, moment);
  CHECK(format_instant(moment.horizon()) == "2026-03-02T12:10:00Z");
}

TEST_CASE("toleration: a pod without PodScheduled=True is protected, whatever its seconds") {
  const auto cluster = a_cluster({a_class("low", 8000, annotations("10000", "0")), a_node("n", "4"),
                                  a_pod("ns/v").on("n").priority(8000).priority_class("low").yaml()});
  Moment moment(parse_instant("2026-03-02T12:05:00Z").value());
  CHECK(kube::Tolerances(*cluster->snapshot, 9000).of(PodId{0}, moment).reason.rule == Rule::tolerance_not_scheduled);
}

TEST_CASE("toleration: a class that is not in the cluster is an error, and no class is not") {
  const auto cluster =
      a_cluster({a_class("other", 1), a_node("n", "4"), a_pod("ns/gone").on("n").priority_class("gone").yaml(),
                 a_pod("ns/none").on("n").yaml()});
  Moment moment(parse_instant("2026-03-02T12:05:00Z").value());
  const kube::Tolerances tolerances(*cluster->snapshot, 9000);
  CHECK(tolerances.of(PodId{0}, moment).answer == Tolerance::Answer::error);
  CHECK(tolerances.of(PodId{1}, moment).reason.rule == Rule::tolerance_no_class);
}

TEST_CASE("brief answer: names the pods that tolerate, too") {
  const auto cluster = a_cluster(
      {a_class("low", 8000, annotations("10000", "-1")), a_class("plain", 8000), a_node("n", "2"),
       a_pod("ns/tolerates").on("n").priority(8000).priority_class("low").scheduled("2026-03-02T11:00:00Z").yaml(),
       a_pod("ns/goes").on("n").priority(8000).priority_class("plain").scheduled("2026-03-02T11:00:00Z").yaml(),
       a_pod("ns/new").priority(9000).yaml()});
  Question question = a_question();
  question.toleration_plugin = "on";
  question.brief = true;
  const Verdict verdict = verdict_on(*cluster, question);
  REQUIRE(verdict.tolerating.size() == 1);
  CHECK(cluster->snapshot->key(verdict.tolerating[0].pod) == "ns/tolerates");
  REQUIRE(verdict.victims.size() == 1);
  CHECK(cluster->snapshot->key(verdict.victims[0].pod) == "ns/goes");
  CHECK(verdict.victims[0].certain);
}

TEST_CASE("toleration: questions with and without the plugin get answers of their own") {
  const auto cluster = a_cluster(
      {a_class("low", 8000, annotations("10000", "-1")), a_node("n", "1"),
       a_pod("ns/tolerates").on("n").priority(8000).priority_class("low").scheduled("2026-03-02T11:00:00Z").yaml(),
       a_pod("ns/new").priority(9000).yaml()});
  const auto outcome = [&](std::string_view plugin) {
    Question question = a_question();
    question.toleration_plugin = plugin;
    return verdict_on(*cluster, question).outcome;
  };
  CHECK(outcome("off") == Outcome::preempts);
  CHECK(outcome("on") == Outcome::pending);
  CHECK(outcome("off") == Outcome::preempts);
}

TEST_CASE("toleration: its end is unnoticed until the next flush") {
  // Scheduled at 11:50:00, 600 s: it ends at 12:00:00. The last attempt before it may be as late as that.
  const auto cluster =
      a_cluster({a_class("low", 8000, annotations("10000", "600")), a_node("n", "1"),
                 a_pod("ns/v").on("n").priority(8000).priority_class("low").scheduled("2026-03-02T11:50:00Z").yaml(),
                 a_pod("ns/new").priority(9000).yaml()});
  const auto unnoticed = [&](const char* now) {
    Question question = a_question();
    question.toleration_plugin = "on";
    question.now = parse_instant(now).value();
    return verdict_on(*cluster, question).unobserved_expiry;
  };
  CHECK_FALSE(unnoticed("2026-03-02T11:59:59Z"));
  const auto end = unnoticed("2026-03-02T12:00:00Z");
  REQUIRE(end);
  CHECK(cluster->snapshot->key(end->pod) == "ns/v");
  CHECK(end->at == parse_instant("2026-03-02T12:00:00Z"));
  CHECK(end->tried_by == parse_instant("2026-03-02T12:05:30Z"));
  CHECK(unnoticed("2026-03-02T12:05:29Z"));
  CHECK_FALSE(unnoticed("2026-03-02T12:05:30Z"));
}
