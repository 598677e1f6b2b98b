#include "sweep/parameter.h"

#include "support/cluster.h"
#include "support/owned.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace previct::sweep {
namespace {

using test::a_class;
using test::a_cluster;
using test::a_node;
using test::a_pod;
using Values = std::vector<std::int64_t>;

const std::string kPrefix = "preemption-toleration.scheduling.x-k8s.io/";

auto engine_named(std::string_view name) -> const Engine& {
  const auto found =
      std::find_if(engines().begin(), engines().end(), [&](const Engine* e) { return e->name() == name; });
  REQUIRE(found != engines().end());
  return **found;
}

auto the_cluster() -> std::unique_ptr<test::TestCluster> {
  const std::string tolerant =
      "{" + kPrefix + "minimum-preemptable-priority: '50', " + kPrefix + "toleration-seconds: '600'}";
  return a_cluster(
      {a_node("n1", "4"), a_class("low", 10, tolerant), a_class("system-own", 20), a_class("plain", 30),
       a_pod("ml/p").priority(30).priority_class("plain").cpu("2").yaml(),
       a_pod("default/q").priority(10).priority_class("low").yaml(),
       a_pod("ml/runs").on("n1").priority(10).priority_class("low").scheduled("2026-03-02T11:55:00Z").yaml(),
       a_pod("ml/started").on("n1").priority(10).priority_class("low").started("2026-03-02T11:50:00Z").yaml(),
       a_pod("ml/later").on("n1").priority(7).priority_class("low").started("2026-03-02T12:01:00Z").yaml()});
}

auto a_question() -> Question {
  Question question;
  question.now = parse_instant("2026-03-02T12:00:00Z").value();
  return question;
}

// Returns `0 to 1800`, `1, 2, 4`, or the error message after the parameter.
auto read(const std::string& text, std::string_view engine = "kube") -> std::string {
  const auto cluster = the_cluster();
  const auto axis = read_axis(text, *cluster->snapshot, engine_named(engine), a_question());
  if (!axis) {
    const std::string& message = axis.error().message;
    return message.substr(std::min(message.size(), message.find(": ")) + 2);
  }
  if (!axis->list.empty()) {
    CHECK(axis->from == axis->list.front());
    CHECK(axis->to == axis->list.back());
    return fmt::format("{}", fmt::join(axis->list, ", "));
  }
  return fmt::format("{} to {}", axis->from, axis->to);
}

auto words(const std::string& axis, std::int64_t value) -> std::string {
  const auto cluster = the_cluster();
  return read_axis(axis, *cluster->snapshot, engine_named("kube"), a_question())->parameter.words(value);
}

auto turning(const std::string& text) -> Values {
  const auto cluster = the_cluster();
  const auto axis = read_axis(text, *cluster->snapshot, engine_named("kube"), a_question());
  REQUIRE(axis);
  return turning_values(*axis, *cluster->snapshot, a_question().now);
}

}  // namespace

TEST_CASE("--vary: a range has both ends, a list is sorted, without duplicates", "[sweep]") {
  CHECK(read("toleration-seconds:low=0..30m") == "0 to 1800");
  CHECK(read("toleration-seconds:low=-1..90") == "-1 to 90");
  CHECK(read("toleration-seconds:low=1m") == "60");
  CHECK(read("value:low=7..7") == "7 to 7");
  CHECK(read("replicas:q=4,1,2,1") == "1, 2, 4");
  CHECK(read("request:ml/p:cpu=500m..2") == "500 to 2000");
  CHECK(read("request:ml/p:memory=1Ki") == "1024");
  CHECK(read("nodes:n1=0..2") == "0 to 2");
  CHECK(read("now=0..1h") == "0 to 3600");
}

TEST_CASE("--vary: other texts are refused, with the reason", "[sweep]") {
  CHECK(read("value:low") == "expected PARAMETER=RANGE, such as toleration-seconds:low=0..30m");
  CHECK(read("toleration:low=0..1") ==
        "for kube, expected one of toleration-seconds, minimum-preemptable-priority, value, request, replicas, nodes, "
        "setting, now before the colon");
  CHECK(read("value:low=2..1") == "expected FROM..TO, the smaller value first");
  CHECK(read("value:low=..1") == "expected FROM..TO, the smaller value first");
  CHECK(read("value:low=1..") == "expected FROM..TO, the smaller value first");
  CHECK(read("value:low=1,x") == "\"x\" is not a valid value; a range is FROM..TO, a list has commas");
  CHECK(read("value:low=1,2,x,30") == "\"x\" is not a valid value; a range is FROM..TO, a list has commas");
  CHECK(read("value:low=1,") == "\"\" is not a valid value; a range is FROM..TO, a list has commas");
  CHECK(read("value:low=1m") == "\"1m\" is not a valid value; a range is FROM..TO, a list has commas");
  CHECK(read("request:ml/p=1..2") == "expected request:POD:RESOURCE=RANGE");
  CHECK(read("request:ml/p:gpu=1..2") == "gpu is not a valid resource name for a container");
  CHECK(read("value=1..2") == "expected a name after the colon");
  CHECK(read("now:x=0..1") == "expected a name after the colon");
}

TEST_CASE("--vary: the object exists", "[sweep]") {
  CHECK(read("value:none=0..1").starts_with("PriorityClass \"none\" does not exist"));
  CHECK(read("minimum-preemptable-priority:none=0..1").starts_with("PriorityClass \"none\" does not exist"));
  CHECK(read("toleration-seconds:none=0..1").starts_with("PriorityClass \"none\" does not exist"));
  CHECK(read("replicas:ml/q=0..1").starts_with("pending pod \"ml/q\" does not exist"));
  CHECK(read("replicas:p=0..1").starts_with("pending pod \"p\" does not exist"));
  CHECK(read("request:ml/runs:cpu=0..1").starts_with("pending pod \"ml/runs\" does not exist"));
  CHECK(read("nodes:m=0..1").starts_with("node \"m\" does not exist"));
  CHECK(read("nodes:ml=0..1").starts_with("node \"ml\" does not exist"));
}

TEST_CASE("--vary: values have limits", "[sweep]") {
  CHECK(read("now=-5m..0") == "it cannot be less than 0");
  CHECK(read("nodes:n1=-1..0") == "it cannot be less than 0");
  CHECK(read("replicas:q=-1..0") == "it cannot be less than 0");
  CHECK(read("request:ml/p:cpu=-1m..0") == "it cannot be less than 0");
  CHECK(read("nodes:n1=0..10000") == "0 to 10000");
  CHECK(read("nodes:n1=0..10001") == "10000 copies at most");
  CHECK(read("replicas:q=0..10001") == "10000 copies at most");
  CHECK(read("nodes:n1=0..1000", "kai") == "0 to 1000");
  CHECK(read("nodes:n1=0..1001", "kai") == "1000 copies at most");
  CHECK(read("value:low=0..1000000000") == "0 to 1000000000");
  CHECK(read("value:low=0..1000000001") == "a class of users has 1000000000 at most");
  CHECK(read("value:system-own=0..2147483647") == "0 to 2147483647");
  CHECK(read("value:system-own=0..2147483648") == "no number of 32 bits");
  CHECK(read("minimum-preemptable-priority:low=-2147483649..0") == "no number of 32 bits");
  CHECK(read("minimum-preemptable-priority:low=-2147483648..2147483647") == "-2147483648 to 2147483647");
}

TEST_CASE("--vary: values are written in the unit of the parameter", "[sweep]") {
  CHECK(words("toleration-seconds:low=0..1", 600) == "10m");
  CHECK(words("toleration-seconds:low=0..1", 7200) == "2h");
  CHECK(words("toleration-seconds:low=0..1", 3661) == "1h1m1s");
  CHECK(words("toleration-seconds:low=0..1", 30) == "30s");
  CHECK(words("toleration-seconds:low=0..1", -1) == "forever");
  CHECK(words("now=0..1", 600) == "+10m");
  CHECK(words("value:low=0..1", -5) == "-5");
  CHECK(words("request:ml/p:cpu=1..2", 1500) == "1500m");
  CHECK(words("request:ml/p:cpu=1..2", 2000) == "2");
}

// Around each value of the input at which a result may change, the values next to it are tried, too.
TEST_CASE("--vary: values at which the answer may change are those of the input", "[sweep]") {
  // Of class low, one pod was scheduled 300 s ago, one started 600 s ago, and one will start in a minute.
  CHECK(turning("toleration-seconds:low=0..1000") == Values{299, 300, 301, 599, 600, 601});
  CHECK(turning("toleration-seconds:low=300..599") == Values{300, 301, 599});
  CHECK(turning("toleration-seconds:plain=0..1000").empty());
  // The priorities of the pending pods.
  CHECK(turning("minimum-preemptable-priority:low=0..100") == Values{9, 10, 11, 29, 30, 31});
  // Those of all pods, and the least ones that may preempt those of a class: its value + 1, or the annotation's.
  CHECK(turning("value:plain=0..100") == Values{6, 7, 8, 9, 10, 11, 20, 21, 22, 29, 30, 31, 32, 49, 50, 51});
  // The toleration of 600 s of ml/runs ends in 300 s. The others have no time of scheduling.
  CHECK(turning("now=0..1h") == Values{299, 300, 301});
  CHECK(turning("nodes:n1=0..2").empty());
}

TEST_CASE("--vary now: a toleration that has no end, or no known start, does not end at a value", "[sweep]") {
  // It is 12:00, and these pods were scheduled at 12:05 or at an unknown time. Only the toleration of 10 minutes ends.
  const auto seconds = [](const std::string& text) { return "{" + kPrefix + "toleration-seconds: '" + text + "'}"; };
  const auto turning_with = [&](const std::string& priority_class, const std::string& time) {
    std::string pod = a_pod("ml/runs").on("n1").priority_class(priority_class).yaml();
    if (!time.empty())
      pod += "  conditions:\n  - {type: PodScheduled, status: \"True\"" +
             (time == "none" ? "" : ", lastTransitionTime: \"2026-03-02T" + time + "Z\"") + "}\n";
    const auto cluster =
        a_cluster({a_node("n1", "4"), a_class("low", 1, seconds("600")), a_class("forever", 1, seconds("-1")),
                   a_class("zero", 1, seconds("0")), a_class("plain", 1), pod});
    const auto axis = read_axis("now=0..1h", *cluster->snapshot, engine_named("kube"), a_question());
    REQUIRE(axis);
    return turning_values(*axis, *cluster->snapshot, a_question().now);
  };
  CHECK(turning_with("low", "12:05:00") == Values{899, 900, 901});
  for (const char* name : {"forever", "zero", "plain", "none"}) {
    INFO(name);
    CHECK(turning_with(name, "12:05:00").empty());
    CHECK(turning_with(name, "12:00:00").empty());
  }
  CHECK(turning_with("low", "none").empty());
  CHECK(turning_with("low", "").empty());
}

TEST_CASE("--vary: a value is applied to the objects, and taken back", "[sweep]") {
  const auto cluster = the_cluster();
  Objects& objects = cluster->objects;
  const PodId p = cluster->snapshot->find_pod("ml", "p");
  const PodId q = cluster->snapshot->find_pod("default", "q");
  const auto with = [&](const std::string& text, std::int64_t value, const auto& check) {
    const auto axis = read_axis(text, Snapshot(objects), engine_named("kube"), a_question());
    REQUIRE(axis);
    Question question = a_question();
    std::vector<PodId> waiting = {p, q};
    Changed changed(objects);
    changed.set(axis->parameter, value, question, waiting);
    check(question, waiting);
  };
  using Waiting = std::vector<PodId>;
  const auto annotation = [&](const std::string& key) {
    return objects.symbols.text(
        objects.priority_classes[0].meta.annotations.get(objects.symbols.intern(kPrefix + key)));
  };
  with("toleration-seconds:low=0..9", 9, [&](const Question&, const Waiting&) {
    CHECK(annotation("toleration-seconds") == "9");
    CHECK(annotation("minimum-preemptable-priority") == "50");
  });
  with("minimum-preemptable-priority:low=0..9", 9, [&](const Question&, const Waiting&) {
    CHECK(annotation("minimum-preemptable-priority") == "9");
    CHECK(annotation("toleration-seconds") == "600");
  });
  with("value:low=0..9", 9, [&](const Question&, const Waiting&) {
    CHECK(objects.priority_classes[0].value == 9);
    CHECK(objects.priority_classes[1].value == 20);
    CHECK(objects.pods[q].spec.priority == 9);
    CHECK(objects.pods[p].spec.priority == 30);
    CHECK(objects.pods[cluster->snapshot->find_pod("ml", "runs")].spec.priority == 10);  // it keeps what it got
  });
  with("request:q:cpu=1..9", 1500, [&](const Question&, const Waiting&) {
    const auto cpu = objects.pods[q].spec.containers[0].resources.requests.get(objects.symbols.intern("cpu"));
    REQUIRE(cpu);
    CHECK(cpu->milli() == 1500);
  });
  const std::size_t pods = objects.pods.size();
  with("replicas:ml/p=0..9", 3, [&](const Question&, const Waiting& waiting) {
    REQUIRE(waiting.size() == 4);
    CHECK(objects.pods.size() == pods + 2);
    CHECK(objects.symbols.text(objects.pods[waiting[3]].meta.name) == "p-copy-2");
    CHECK_FALSE(objects.pods[waiting[3]].meta.uid);
  });
  with("replicas:ml/p=0..9", 1, [&](const Question&, const Waiting& waiting) { CHECK(waiting == Waiting{p, q}); });
  with("replicas:ml/p=0..9", 0, [&](const Question&, const Waiting& waiting) { CHECK(waiting == Waiting{q}); });
  with("nodes:n1=0..9", 2, [&](const Question&, const Waiting&) {
    REQUIRE(objects.nodes.size() == 3);
    CHECK(objects.symbols.text(objects.nodes[NodeId{2}].meta.name) == "n1-copy-2");
  });
  with("nodes:n1=0..9", 0, [&](const Question&, const Waiting&) { CHECK(objects.nodes.size() == 1); });
  with("now=0..9", 9,
       [&](const Question& question, const Waiting&) { CHECK(question.now == a_question().now.plus_seconds(9)); });
  CHECK(objects.pods.size() == pods);
  CHECK(objects.nodes.size() == 1);
  CHECK(objects.priority_classes[0].value == 10);
}

TEST_CASE("--vary nodes: pods of DaemonSets come with the new nodes", "[sweep]") {
  const auto cluster = a_cluster({a_node("n1", "4"), a_pod("d/x").on("n1").yaml(),
                                  test::owned(a_pod("d/log-a").on("n1").yaml(), "DaemonSet", "log")});
  Question question = a_question();
  std::vector<PodId> waiting;
  const auto axis = read_axis("nodes:n1=0..9", *cluster->snapshot, engine_named("kube"), question);
  REQUIRE(axis);
  Objects& objects = cluster->objects;
  {
    Changed changed(objects);
    changed.set(axis->parameter, 2, question, waiting);
    REQUIRE(objects.pods.size() == 4);
    CHECK(objects.symbols.text(objects.pods[PodId{3}].meta.name) == "log-a-n1-copy-2");
    CHECK(objects.symbols.text(objects.pods[PodId{3}].spec.node_name) == "n1-copy-2");
  }
  CHECK(objects.pods.size() == 2);
}

}  // namespace previct::sweep
