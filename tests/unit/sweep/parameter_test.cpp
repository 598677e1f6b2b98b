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

// Of the design of YuniKorn 1.5.1, which has settings.
auto a_design_question() -> Question {
  Question question = a_question();
  question.yunikorn_mode = "design-1.5.1";
  return question;
}

// Returns `0 to 1800`, `1, 2, 4`, or the error message after the parameter.
auto read(const std::string& text, std::string_view engine = "kube", const Question& question = a_question())
    -> std::string {
  const auto cluster = the_cluster();
  const auto axis = read_axis(text, *cluster->snapshot, engine_named(engine), question);
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
  CHECK(read("request:ml/p:memory=1..8Gi") == "1 to 8589934592");
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

TEST_CASE("--vary setting: only those that the scheduler has", "[sweep]") {
  // Those of design-1.5.1 are two numbers and a length of time; up to 100,000,000.
  const auto read_setting = [](const std::string& text) { return read(text, "yunikorn", a_design_question()); };
  CHECK(read("setting:max_victims=0..1") == "with these options, no setting of the kube engine can be varied");
  CHECK(read_setting("setting:victims=0..1") ==
        "the settings are deviation_percent, max_victims, preemption_start_delay");
  CHECK(read_setting("setting:max_victims=0..9") == "0 to 9");
  CHECK(read_setting("setting:max_victims=0..1m") == "expected FROM..TO, the smaller value first");
  CHECK(read_setting("setting:preemption_start_delay=0..1m") == "0 to 60");
  CHECK(read_setting("setting:max_victims=-1..9") == "it cannot be less than 0");
  CHECK(read_setting("setting:max_victims=0..100000000") == "0 to 100000000");
  CHECK(read_setting("setting:max_victims=0..100000001") == "it cannot be more than 100000000");
  const auto cluster = the_cluster();
  const auto written = [&](const std::string& text, std::int64_t value) {
    Question question = a_design_question();
    const auto axis = read_axis(text, *cluster->snapshot, engine_named("yunikorn"), question);
    REQUIRE(axis);
    std::vector<PodId> waiting;
    Changed(cluster->objects).set(axis->parameter, value, question, waiting);
    REQUIRE(question.settings.size() == 1);
    return fmt::format("{}={} ({})", question.settings[0].first, question.settings[0].second,
                       axis->parameter.words(value));
  };
  CHECK(written("setting:max_victims=0..9", 7) == "max_victims=7 (7)");
  CHECK(written("setting:preemption_start_delay=0..9", 90) == "preemption_start_delay=90s (1m30s)");
}

TEST_CASE("--vary: a field of the scheduler's own objects has its unit, and its limits", "[sweep]") {
  const std::string kueue = "apiVersion: kueue.x-k8s.io/v1beta2\nkind: ";
  const auto cluster = a_cluster(
      {"apiVersion: scheduling.run.ai/v2\nkind: Queue\nmetadata: {name: team}\nspec: {}\n",
       kueue + "ResourceFlavor\nmetadata: {name: f}\n",
       kueue + "ClusterQueue\nmetadata: {name: q}\nspec: {namespaceSelector: {}, fairSharing: {weight: 1}, "
               "resourceGroups: [{coveredResources: [cpu, memory], flavors: [{name: f, resources: [{name: cpu, "
               "nominalQuota: 4}, {name: memory, nominalQuota: 4Gi}]}]}]}\n"});
  const auto said = [&](const std::string& text, std::string_view engine, std::int64_t value) {
    const auto axis = read_axis(text, *cluster->snapshot, engine_named(engine), a_question());
    if (!axis) return axis.error().message;
    return fmt::format("{} to {}, {}", axis->from, axis->to, axis->parameter.words(value));
  };
  CHECK(said("preempt-min-runtime:team=0..1m", "kai", 90) == "0 to 60, 1m30s");
  CHECK(said("nominal-quota:q:f:cpu=500m..2", "kueue", 1500) == "500 to 2000, 1500m");
  CHECK(said("nominal-quota:q:f:memory=1Gi..2Gi", "kueue", 1073741824) == "1073741824 to 2147483648, 1Gi");
  CHECK(said("nominal-quota:q:f:cpu=-1..2", "kueue", 0)
            .starts_with("--vary \"nominal-quota:q:f:cpu=-1..2\": values from 0 "));
  CHECK(said("preempt-min-runtime:none=0..1m", "kai", 0)
            .starts_with("--vary preempt-min-runtime:none: KAI queue \"none\" does not exist"));
  CHECK(said("preempt-min-runtime=0..1m", "kai", 0) ==
        "--vary \"preempt-min-runtime=0..1m\": expected preempt-min-runtime:QUEUE=RANGE");
  CHECK(said("value:low=0..1", "kueue", 0)
            .starts_with("--vary \"value:low=0..1\": for kueue, expected one of nodes, setting, now, "));
}

TEST_CASE("--vary: lengths of time that are whole minutes or hours are written without the rest", "[sweep]") {
  CHECK(words("toleration-seconds:low=0..1", 0) == "0s");
  CHECK(words("toleration-seconds:low=0..1", 3600) == "1h");
  CHECK(words("toleration-seconds:low=0..1", 3660) == "1h1m");
  CHECK(words("now=0..1", 0) == "+0s");
}

TEST_CASE("--vary: only what is named so is changed", "[sweep]") {
  // A pod of the same name in another namespace, and another node, stay as they are.
  const auto cluster = a_cluster({a_node("m", "4"), a_node("n1", "2"), a_pod("a/p").cpu("1").yaml(),
                                  a_pod("b/p").cpu("1").yaml(), a_class("low", 10), a_class("lower", 5)});
  Objects& objects = cluster->objects;
  const auto set = [&](Changed& changed, const std::string& text, std::int64_t value) {
    const auto axis = read_axis(text, *cluster->snapshot, engine_named("kube"), a_question());
    REQUIRE(axis);
    Question question = a_question();
    std::vector<PodId> waiting;
    changed.set(axis->parameter, value, question, waiting);
  };
  const auto cpu_of = [&](std::string_view ns) {
    const PodId pod = cluster->snapshot->find_pod(ns, "p");
    return objects.pods[pod].spec.containers[0].resources.requests.get(objects.symbols.intern("cpu"))->milli();
  };
  {
    Changed changed(objects);
    set(changed, "request:b/p:cpu=1..9", 3000);
    CHECK(cpu_of("a") == 1000);
    CHECK(cpu_of("b") == 3000);
  }
  {
    Changed changed(objects);
    set(changed, "nodes:n1=0..9", 1);
    REQUIRE(objects.nodes.size() == 3);
    CHECK(objects.symbols.text(objects.nodes[NodeId{2}].meta.name) == "n1-copy-1");
    const auto cpu = objects.nodes[NodeId{2}].status.allocatable.get(objects.symbols.intern("cpu"));
    REQUIRE(cpu);
    CHECK(cpu->milli() == 2000);
  }
  {
    Changed changed(objects);
    set(changed, "value:low=0..9", 7);
    CHECK(objects.priority_classes[1].value == 5);
  }
}

TEST_CASE("--vary: pods that have ended, or start later, give no values", "[sweep]") {
  // It is 12:00. `now` was scheduled at this moment, so that a toleration of 0 s has just ended.
  const auto turning_of = [](const std::string& pod, const std::string& vary) {
    const auto cluster = a_cluster({a_node("n1", "4"), a_class("low", 10), a_class("high", 50), pod});
    const auto axis = read_axis(vary, *cluster->snapshot, engine_named("kube"), a_question());
    REQUIRE(axis);
    return turning_values(*axis, *cluster->snapshot, a_question().now);
  };
  const auto pod = [](const std::string& time) {
    return a_pod("ml/p").on("n1").priority(30).priority_class("low").scheduled("2026-03-02T" + time + "Z").yaml();
  };
  std::string ended = pod("11:59:00");
  ended.replace(ended.find("phase: Running"), 14, "phase: Succeeded");
  CHECK(turning_of(pod("11:59:00"), "toleration-seconds:low=0..99") == Values{59, 60, 61});
  CHECK(turning_of(ended, "toleration-seconds:low=0..99").empty());
  CHECK(turning_of(pod("12:00:00"), "toleration-seconds:low=0..99") == Values{0, 1});
  CHECK(turning_of(pod("12:00:01"), "toleration-seconds:low=-9..99").empty());
  // Of classes without annotations, the least priorities that may preempt are 10 + 1 and 50 + 1.
  CHECK(turning_of(pod("11:59:00"), "value:high=0..99") == Values{10, 11, 12, 29, 30, 31, 50, 51, 52});
}

}  // namespace previct::sweep
