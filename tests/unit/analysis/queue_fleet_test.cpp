#include "analysis/queue_fleet.h"

#include "report/format.h"
#include "support/cluster.h"
#include "support/input.h"

#include <catch2/catch.hpp>

#include <algorithm>

namespace previct {

extern const Engine& kai_engine;
extern const Engine& kueue_engine;
extern const Engine& yunikorn_engine;

namespace {

struct Found {
  Objects objects;
  std::unique_ptr<Snapshot> cluster;
  QueueFleet fleet;
  Instant now;

  Found(const Engine& engine, const std::string& dump, const std::string& at)
      : Found(parse_instant(at).value(), engine, test::fixture(dump)) {}
  Found(Instant at, const Engine& engine, const std::string& text) : now(at) {
    REQUIRE(test::read_text(text, objects));
    cluster = std::make_unique<Snapshot>(objects);
    Question question;
    question.now = now;
    auto found = queue_fleet(engine, *cluster, question);
    REQUIRE(found);
    fleet = *std::move(found);
  }

  [[nodiscard]] auto leaf(const std::string& name) const -> std::size_t {
    for (std::size_t i = 0; i < fleet.leaves.size(); ++i) {
      if (fleet.lines[fleet.leaves[i]].name == name) return i;
    }
    FAIL("no leaf queue " + name);
    return 0;
  }
  [[nodiscard]] auto reach(const std::string& by, const std::string& of) const -> const QueueReach& {
    return fleet.reach[leaf(by)][leaf(of)];
  }
  [[nodiscard]] auto text() const -> std::string {
    const ReportContext context{*cluster, now, "flag", {}};
    return find_format("text")->render(queue_fleet_report(fleet, context), {});
  }
};

constexpr const char* kSharing = "kai/examples/gpu-sharing/dump.yaml";

}  // namespace

TEST_CASE("KAI fleet: which queue may reclaim from which, now and from when", "[fleet][kai]") {
  // batch has two pods of half a GPU each, and a quota of half a GPU; research has nothing and requests its half. The
  // min-runtime of batch is an hour: sweep-1 started at 09:01, sweep-2 at 11:41.
  const Found found(kai_engine, kSharing, "2026-05-01T12:00:00Z");
  const QueueReach& reach = found.reach("research", "batch");
  CHECK(reach.asked);
  CHECK(reach.pods == 2);
  CHECK(reach.now == 1);
  CHECK(reach.later == 1);
  CHECK(format_instant(reach.first) == "2026-05-01T12:41:00Z");
  CHECK(reach.last == reach.first);
  CHECK(reach.rule == "kai.no-candidate.min-runtime");
  // No pod of batch is pending: its own priorities are not asked about, and no preemptMinRuntime protects.
  CHECK_FALSE(found.reach("batch", "batch").asked);
  CHECK(found.reach("batch", "batch").now == 2);

  REQUIRE(found.fleet.pending.size() == 1);
  CHECK(found.fleet.pending[0].who == "research/notebook");
  CHECK(found.fleet.pending[0].outcome == Outcome::preempts);
  REQUIRE(found.fleet.pending[0].victims.size() == 1);
  CHECK(found.cluster->key(found.fleet.pending[0].victims[0]) == "batch/sweep-1-0");
}

TEST_CASE("KAI fleet: a protection ends exactly at its end", "[fleet][kai]") {
  CHECK(Found(kai_engine, kSharing, "2026-05-01T12:40:59Z").reach("research", "batch").now == 1);
  CHECK(Found(kai_engine, kSharing, "2026-05-01T12:41:00Z").reach("research", "batch").now == 2);
}

TEST_CASE("KAI fleet: a disabled action evicts no pod", "[fleet][kai]") {
  const auto without = [](const std::string& action) {
    std::string text = test::fixture(kSharing);
    const std::string none = "spec: {}";
    text.replace(text.find(none), none.size(), "spec: {actions: {" + action + ": {enabled: false}}}");
    return Found(*parse_instant("2026-05-01T12:00:00Z"), kai_engine, text);
  };
  const Found no_reclaim = without("reclaim");
  CHECK(no_reclaim.reach("research", "batch").now == 0);
  CHECK(no_reclaim.reach("research", "batch").rule == "kai.action.off");
  CHECK(no_reclaim.reach("batch", "batch").now == 2);
  const Found no_preempt = without("preempt");
  CHECK(no_preempt.reach("research", "batch").now == 1);
  CHECK(no_preempt.reach("batch", "batch").now == 0);
  CHECK(no_preempt.reach("batch", "batch").rule == "kai.action.off");
}

TEST_CASE("KAI fleet: queues are listed with their quotas and fair shares", "[fleet][kai]") {
  const Found found(kai_engine, kSharing, "2026-05-01T12:00:00Z");
  REQUIRE(found.fleet.lines.size() == 3);
  const QueueLine& batch = found.fleet.lines[1];
  CHECK(batch.name == "batch");
  CHECK(batch.depth == 1);
  CHECK(batch.running == 2);
  // Only GPUs are bounded. 1 GPU is divided: each queue gets its quota of a half, and nothing is left.
  REQUIRE(batch.amounts.size() == 1);
  CHECK(batch.amounts[0].resource == "gpu");
  CHECK(batch.amounts[0].allocated.value == 1);
  CHECK(batch.amounts[0].quota->value == 0.5);
  CHECK(batch.amounts[0].fair_share->value == 0.5);
  CHECK_FALSE(batch.amounts[0].limit);
  const std::vector<Picture> pictures = queue_pictures(found.fleet);
  REQUIRE(pictures.size() == 1);
  // The scale is the 1.5 GPUs that the top queue has or requests. Of batch: 0.5 of 1.5 within quota and share, 0.5
  // above.
  const Picture::Row& row = pictures[0].rows[1];
  REQUIRE(row.parts.size() == 2);
  CHECK(row.parts[0].tone == Tone::safe);
  CHECK(row.parts[0].to == 3333);
  CHECK(row.parts[1].tone == Tone::danger);
  CHECK(row.parts[1].to == 6666);
}

TEST_CASE("KAI fleet: the report of queues contains all of it", "[fleet][kai]") {
  const std::string text = Found(kai_engine, kSharing, "2026-05-01T12:00:00Z").text();
  INFO(text);
  CHECK(text.starts_with(
      "2 leaf queues; 1 of 1 pending group would evict pods, all decided in one cycle; 1 running pod is at risk.\n"));
  CHECK(text.find("ROWS MAY RECLAIM FROM COLUMNS") != std::string::npos);
  CHECK(text.find("research, 1 pending               1/2") != std::string::npos);
  CHECK(text.find("12:41:00 (in 41m)") != std::string::npos);
}

TEST_CASE("KAI fleet: pods without a queue and pods of other schedulers are pending, too", "[fleet][kai]") {
  const auto cluster =
      test::a_cluster({test::a_node("n", "4"), test::a_pod("ml/a").spec("schedulerName: kai-scheduler").yaml(),
                       test::a_pod("ml/b").yaml()});
  Question question;
  question.now = *parse_instant("2026-03-02T12:00:00Z");
  const auto found = queue_fleet(kai_engine, *cluster->snapshot, question);
  REQUIRE(found);
  const ReportContext context{*cluster->snapshot, question.now, "flag", {}};
  CHECK(queue_fleet_report(*found, context).data["summary"] ==
        "the input has no queues; the decisions for 1 pending pod of KAI Scheduler are not known. Not included: 1 "
        "pending pod of kube (--engine kube).");
}

TEST_CASE("YuniKorn fleet: which queue may preempt from which", "[fleet][yunikorn]") {
  // queue-1 uses 10 cores and has 5 guaranteed, queue-2 uses 2 of 5 and requests more: it can preempt all ten pods of
  // queue-1, but none of its own.
  const Found found(yunikorn_engine, "yunikorn/queue-named/q-01-docs-normal/dump.yaml", "2026-05-01T12:00:00Z");
  const QueueReach& reach = found.reach("root.normal.queue-2", "root.normal.queue-1");
  CHECK(reach.asked);
  CHECK(reach.pods == 10);
  CHECK(reach.now == 10);
  CHECK(reach.later == 0);
  const QueueReach& own = found.reach("root.normal.queue-2", "root.normal.queue-2");
  CHECK(own.now == 0);
  CHECK(own.rule == "yunikorn.spared.own-queue");
  // No pod of queue-1 is pending; queue-2 is within its guaranteed share, whichever queue asks.
  const QueueReach& back = found.reach("root.normal.queue-1", "root.normal.queue-2");
  CHECK_FALSE(back.asked);
  CHECK(back.now == 0);
  CHECK(back.rule == "yunikorn.spared.within-guarantee");
  REQUIRE(found.fleet.pending.size() == 1);
  CHECK(found.fleet.pending[0].outcome == Outcome::preempts);
  CHECK(found.cluster->key(found.fleet.pending[0].victims.at(0)) == "default/a-9");
}

TEST_CASE("fleet: what rows without pending pods leave out has the scheduler's own name", "[fleet]") {
  const auto leaves_out = [](const Engine& engine, const std::string& dump, std::string_view words) {
    return Found(engine, dump, "2026-05-01T12:00:00Z").text().find(words) != std::string::npos;
  };
  CHECK(leaves_out(yunikorn_engine, "yunikorn/queue-named/q-01-docs-normal/dump.yaml",
                   "regardless of guaranteed shares of the row and priorities"));
  CHECK(leaves_out(kueue_engine, "kueue/cohort/issue-4028/dump.yaml",
                   "regardless of the nominal quota of the row and priorities"));
}

TEST_CASE("YuniKorn fleet: of victims among which chance chooses, none is certain", "[fleet][yunikorn]") {
  // newcomer-0 evicts 1 of the pods of queue-1, which are equally old: one victim at most.
  const Found found(yunikorn_engine, "yunikorn/queue-named/q-39-tie/dump.yaml", "2026-05-01T11:59:30Z");
  REQUIRE(found.fleet.pending.size() == 1);
  const QueueAsk& ask = found.fleet.pending.front();
  CHECK(ask.outcome == Outcome::preempts);
  CHECK(ask.most == 1);
  CHECK(ask.certain.empty());
  CHECK(ask.victims.size() > 1);
  const std::string text = found.text();
  CHECK(text.find("running pods are at risk, none of them for certain.") != std::string::npos);
  CHECK(text.find("up to 1") != std::string::npos);
  CHECK(text.find("default/newcomer-0 (not in every possible outcome)") != std::string::npos);
}

}  // namespace previct
