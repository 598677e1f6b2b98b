#include "analysis/fleet.h"

#include "report/format.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>

namespace previct {
namespace {

using test::a_class;
using test::a_cluster;
using test::a_node;
using test::a_pod;

constexpr const char* kTolerant =
    "{preemption-toleration.scheduling.x-k8s.io/minimum-preemptable-priority: \"2000\", "
    "preemption-toleration.scheduling.x-k8s.io/toleration-seconds: \"600\"}";

/// node-a (4 CPUs): ml/keep tolerates until 12:05, ml/over did until 11:50; node-b (4 CPUs): ml/plain. Pending: lab/one
/// and lab/two, class high, 2 CPUs; lab/big, class low, 8 CPUs.
auto a_fleet() -> std::unique_ptr<test::TestCluster> {
  const auto on = [](const std::string& key, const std::string& node, const std::string& name, const std::string& since,
                     const char* cpu) {
    const std::string at = "2026-03-02T" + since + ":00Z";
    return a_pod(key).on(node).priority(10).priority_class(name).cpu(cpu).started(at).scheduled(at).yaml();
  };
  return a_cluster({a_node("node-a", "4"), a_node("node-b", "4"), a_class("low", 10),
                    a_class("tolerant", 10, kTolerant), a_class("high", 1000), a_class("top", 2000),
                    a_class("meek", 1500) + "preemptionPolicy: Never\n",
                    on("ml/keep", "node-a", "tolerant", "11:55", "2"),
                    on("ml/over", "node-a", "tolerant", "11:40", "2"), on("ml/plain", "node-b", "low", "09:00", "4"),
                    a_pod("lab/one").priority(1000).priority_class("high").cpu("2").yaml(),
                    a_pod("lab/two").priority(1000).priority_class("high").cpu("2").yaml(),
                    a_pod("lab/big").priority(10).priority_class("low").cpu("8").yaml()});
}

auto survey(const test::TestCluster& cluster) -> Fleet {
  Question question;
  question.now = parse_instant("2026-03-02T12:00:00Z").value();
  question.toleration_plugin = "on";
  for (const Engine* engine : engines()) {
    if (engine->name() != "kube") continue;
    auto found = fleet(*engine, *cluster.snapshot, question);
    REQUIRE(found);
    return *std::move(found);
  }
  FAIL("no kube engine");
  return {};
}

TEST_CASE("fleet: compares classes with classes", "[fleet]") {
  const auto cluster = a_fleet();
  const Fleet f = survey(*cluster);
  REQUIRE(f.victims.size() == 2);
  CHECK(f.victims[0] == std::pair(ClassOfPods{"low", 10}, std::size_t{1}));
  CHECK(f.victims[1] == std::pair(ClassOfPods{"tolerant", 10}, std::size_t{2}));

  // Highest first; no class is below low and tolerant.
  REQUIRE(f.preemptors.size() == 3);
  CHECK(f.preemptors[0].who == ClassOfPods{"top", 2000});
  CHECK(f.preemptors[1].who == ClassOfPods{"meek", 1500});
  CHECK(f.preemptors[2].who == ClassOfPods{"high", 1000});
  CHECK(f.preemptors[1].never == "preemptionPolicy Never");

  // 2000 reaches the minimum, 1000 does not: ml/keep tolerates it for five more minutes, ml/over does not any more.
  CHECK(f.preemptors[0].reach[1].protected_now == 0);
  CHECK(f.preemptors[2].reach[0].protected_now == 0);
  CHECK_FALSE(f.preemptors[2].reach[0].tolerates);
  CHECK(f.preemptors[2].reach[1].protected_now == 1);
  CHECK(f.preemptors[2].reach[1].until == parse_instant("2026-03-02T12:05:00Z").value());
  CHECK_FALSE(f.preemptors[2].reach[1].forever);
}

TEST_CASE("fleet: pods of other schedulers count as pending, too", "[fleet]") {
  const auto text = [](const std::vector<std::string>& documents) {
    const auto cluster = a_cluster(documents);
    const Fleet found = survey(*cluster);
    return fleet_report(found, {.cluster = *cluster->snapshot, .now = {}, .now_source = {}, .input_gaps = {}})
        .data["summary"]
        .get<std::string>();
  };
  const std::string theirs = a_pod("ml/a").spec("schedulerName: kai-scheduler").yaml();
  CHECK(text({a_node("n", "4"), theirs}) ==
        "kube-scheduler has no pending pod. Not included: 1 pending pod of kai (--engine kai).");
  CHECK(text({a_node("n", "4"), a_pod("ml/b").on("n").yaml()}) == "no pod is pending: no pod is at risk now.");
  CHECK(text({a_node("n", "4")}) == "the input has no pods, so it is not known which are pending or at risk.");
}

TEST_CASE("fleet: each of several equal pods is at risk, none is certain", "[fleet]") {
  // One of the two is evicted, and MoreImportantPod ranks neither before the other.
  const auto cluster =
      a_cluster({a_node("n1", "2"), a_pod("d/a").on("n1").started("2026-03-02T10:00:00Z").yaml(),
                 a_pod("d/b").on("n1").started("2026-03-02T10:00:00Z").yaml(), a_pod("d/p").priority(9).yaml()});
  const Fleet f = survey(*cluster);
  REQUIRE(f.at_risk.size() == 2);
  CHECK(cluster->snapshot->key(f.at_risk[0].pod) == "d/a");
  CHECK_FALSE(f.at_risk[0].certain);
  CHECK(cluster->snapshot->key(f.at_risk[1].pod) == "d/b");
  CHECK_FALSE(f.at_risk[1].certain);
}

TEST_CASE("fleet: alike pods share one answer, and all of them are named", "[fleet]") {
  // Each of the three would preempt d/v. d/a and d/c are alike, and d/b requests less.
  const auto cluster =
      a_cluster({a_node("n1", "2"), a_pod("d/v").on("n1").cpu("2").yaml(), a_pod("d/a").priority(9).cpu("2").yaml(),
                 a_pod("d/b").priority(9).cpu("1").yaml(), a_pod("d/c").priority(9).cpu("2").yaml()});
  const Fleet f = survey(*cluster);
  REQUIRE(f.at_risk.size() == 1);
  CHECK(f.at_risk[0].by == std::vector<std::uint32_t>{0, 1});
  CHECK(f.at_risk[0].times == 3);
  const ReportContext context{.cluster = *cluster->snapshot,
                              .now = parse_instant("2026-03-02T12:00:00Z").value(),
                              .now_source = "flag",
                              .input_gaps = {}};
  CHECK(fleet_report(f, context).data["atRisk"][0]["takenBy"] == Json({"d/a", "d/b", "d/c"}));
}

TEST_CASE("fleet: pending pods are asked one by one, and may have the same victim", "[fleet]") {
  const auto cluster = a_fleet();
  const Fleet f = survey(*cluster);
  // There is one victim of priority 10 on either node; the one on node-a started later.
  REQUIRE(f.at_risk.size() == 1);
  CHECK(cluster->snapshot->key(f.at_risk[0].pod) == "ml/over");
  CHECK(f.at_risk[0].times == 2);
  CHECK(f.at_risk[0].certain);
  CHECK(f.preemptors[2].pending.size() == 2);

  const ReportContext context{.cluster = *cluster->snapshot,
                              .now = parse_instant("2026-03-02T12:00:00Z").value(),
                              .now_source = "flag",
                              .input_gaps = {}};
  const Report report = fleet_report(f, context);
  const Json& row = report.data["preemptors"][2];
  CHECK(row["blastRadius"] ==
        Json({{"fit", 0}, {"stayPending", 0}, {"unknown", 0}, {"preempt", 2}, {"victims", 1}, {"nodes", 1}}));
  CHECK(row["reach"][1] == Json({{"class", "tolerant"},
                                 {"priority", 10},
                                 {"pods", 2},
                                 {"takeableNow", 1},
                                 {"tolerating", 1},
                                 {"lastUntil", "2026-03-02T12:05:00Z"},
                                 {"someForever", false}}));
  CHECK(report.data["preemptors"][1]["reach"][1]["takeableNow"] == 0);
  const std::string text = find_format("text")->render(report, {});
  CHECK(text.find("2 of 3 pending pods would preempt, each evaluated separately; 1 running pod is at risk.") == 0);
  INFO(text);
  CHECK(
      text.find(
          "1/2 (high on tolerant): 1 of 2 pods can be preempted now; the other tolerates preemption until 12:05:00") !=
      std::string::npos);
  CHECK(text.find("meek: preemptionPolicy Never") != std::string::npos);
}

// Admission set the priority and the policy when the pod was created. Source: kubernetes v1.35
// plugin/pkg/admission/priority/admission.go admitPod.
TEST_CASE("fleet: a class that differs from that of its pending pods is reported", "[fleet]") {
  const auto cluster = a_cluster({a_node("n", "4"), a_class("high", 500) + "preemptionPolicy: Never\n",
                                  a_pod("d/v").on("n").cpu("4").yaml(),
                                  a_pod("d/p")
                                      .priority(1000)
                                      .priority_class("high")
                                      .cpu("2")
                                      .spec("preemptionPolicy: PreemptLowerPriority")
                                      .yaml()});
  const Fleet f = survey(*cluster);
  REQUIRE(f.preemptors.size() == 2);
  CHECK(f.preemptors[0].who == ClassOfPods{"high", 1000});
  CHECK(f.preemptors[0].never.empty());
  CHECK(f.preemptors[0].new_pods == "priority 500 and preemptionPolicy Never");
  CHECK(f.preemptors[1].who == ClassOfPods{"high", 500});
  CHECK(f.preemptors[1].new_pods.empty());
}

}  // namespace
}  // namespace previct
