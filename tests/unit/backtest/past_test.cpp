#include "backtest/past.h"

#include "support/cluster.h"
#include "support/objects_text.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace previct;
using namespace previct::backtest;
using test::a_cluster;
using test::a_node;
using test::a_pod;

namespace {

auto at(const std::string& time) -> Instant {
  return *parse_instant("2026-03-02T" + time + "Z");
}

auto preempted(const std::string& pod, const std::string& uid, const std::string& by) -> std::string {
  return "{apiVersion: v1, kind: Event, metadata: {namespace: ml, name: " + pod +
         "-e}, involvedObject: {kind: Pod, namespace: ml, name: " + pod + ", uid: " + uid +
         "}, reason: Preempted, message: \"Preempted by pod " + by +
         " on node node-a\", eventTime: \"2026-03-02T11:59:00.5Z\"}\n";
}

auto running(const std::string& key, const std::string& node, int priority) -> test::PodBuilder {
  return a_pod(key)
      .on(node)
      .priority(priority)
      .cpu("3")
      .started("2026-03-02T09:00:00Z")
      .scheduled("2026-03-02T09:00:00Z");
}

// Two nodes of 4 CPUs, at 12:00. ml/low ran on node-a until lab/high, which needs 2 CPUs, preempted it at 11:59:00.5
// and was bound at 11:59:02. ml/mid, of a higher priority than ml/low, runs on node-b.
auto documents() -> std::vector<std::string> {
  return {a_node("node-a", "4"),
          a_node("node-b", "4"),
          a_pod("lab/high").on("node-a").priority(1000).cpu("2").scheduled("2026-03-02T11:59:02Z").yaml(),
          running("ml/mid", "node-b", 500).yaml(),
          running("ml/low", "node-a", 10).deleting("2026-03-02T11:59:31Z").yaml(),
          preempted("low", "uid-ml-low", "uid-lab-high")};
}

auto decide(const Snapshot& cluster, const std::string& pod, Instant moment) -> Result<ClusterDecisions> {
  Question question;
  question.now = moment;
  question.toleration_plugin = "off";
  ClusterDecisions decided;
  PREVICT_CHECK(decide_subjects(cluster, question, "kube", {pod}, decided));
  return decided;
}

auto state_before(const std::string& time) -> Earlier {
  Earlier earlier;
  earlier.at = at(time);
  return earlier;
}

auto record_of(Objects& objects, const Earlier& earlier) -> StateRecord {
  StateRecord record{.at = at("12:00:00")};
  static_cast<void>(observe(Snapshot(objects), earlier, record));
  return record;
}

auto decided(const std::vector<std::string>& all, const Earlier& earlier) -> StateRecord {
  const auto cluster = a_cluster(all);
  StateRecord record = record_of(cluster->objects, earlier);
  const std::string before = test::objects_text(cluster->objects);
  REQUIRE(decide_past(cluster->objects, earlier, Side::before, decide, record));
  CHECK(test::objects_text(cluster->objects) == before);
  return record;
}

auto without(std::vector<std::string> all, const std::string& name) -> std::vector<std::string> {
  std::erase_if(all, [&](const std::string& each) { return each.find("  name: " + name + "\n") != std::string::npos; });
  return all;
}

}  // namespace

TEST_CASE("backtest: a preemption between two states is decided in the state before it", "[backtest]") {
  const StateRecord record = decided(documents(), state_before("11:55:00"));
  REQUIRE(record.past.size() == 1);
  const Pending& pod = record.past[0];
  CHECK(pod.pod == "lab/high");
  CHECK(pod.id == "uid-lab-high");
  CHECK(pod.priority == 1000);
  CHECK(format_instant(pod.at) == "2026-03-02T11:59:00.5Z");
  // Either node has 1 CPU left. The victim of node-a has the lower priority.
  CHECK(pod.choices[0].outcome == "preempts");
  CHECK(pod.choices[0].node == "node-a");
  CHECK(pod.choices[0].victims == std::vector<std::string>{"ml/low"});
  CHECK(pod.choices[1] == Choice{});
  REQUIRE(record.victims.contains("ml/low"));
  CHECK(record.victims.at("ml/low").start == at("09:00:00"));
  CHECK(record.victims.at("ml/low").cpus == 3);
  // In the state itself, it is on its node.
  CHECK(record.pending.empty());
}

TEST_CASE("backtest: both sides of a past preemption are of one pod", "[backtest]") {
  const auto cluster = a_cluster(documents());
  const Earlier earlier = state_before("11:55:00");
  StateRecord record = record_of(cluster->objects, earlier);
  REQUIRE(decide_past(cluster->objects, earlier, Side::before, decide, record));
  // With the change, ml/low has a higher priority than ml/mid.
  const auto low = std::find_if(cluster->objects.pods.begin(), cluster->objects.pods.end(),
                                [&](const Pod& pod) { return cluster->objects.symbols.text(pod.meta.name) == "low"; });
  low->spec.priority = 600;
  REQUIRE(decide_past(cluster->objects, earlier, Side::after, decide, record));
  REQUIRE(record.past.size() == 1);
  CHECK(record.past[0].choices[0].victims == std::vector<std::string>{"ml/low"});
  CHECK(record.past[0].choices[1].victims == std::vector<std::string>{"ml/mid"});
}

TEST_CASE("backtest: what is not between two states, or was pending in the earlier one, is not decided", "[backtest]") {
  CHECK(decided(documents(), {}).past.empty());
  CHECK(decided(documents(), state_before("11:59:30")).past.empty());
  Earlier pending = state_before("11:55:00");
  pending.pending = {{.pod = "lab/high", .id = "uid-lab-high"}};
  CHECK(decided(documents(), pending).past.empty());
  pending.pending[0].id = "another-uid";  // an earlier pod of the same name
  CHECK(decided(documents(), pending).past.size() == 1);
}

// lab/high was pending at 11:55. At 11:58, it preempts a pod on node-b, where it does not get its node, because ml/mid
// does; at 11:59:00.5, it preempts ml/low.
TEST_CASE("backtest: a pod that preempts others again is decided again", "[backtest]") {
  Earlier pending = state_before("11:55:00");
  pending.pending = {{.pod = "lab/high", .id = "uid-lab-high"}};
  std::vector<std::string> all = documents();
  all.push_back(running("ml/other", "node-b", 10).cpu("1").deleting("2026-03-02T11:58:31Z").yaml());
  std::string event = preempted("other", "uid-ml-other", "uid-lab-high");
  event.replace(event.find("node-a"), 6, "node-b");
  event.replace(event.find("11:59:00.5"), 10, "11:58:00.5");
  all.push_back(event);
  const StateRecord record = decided(all, pending);
  REQUIRE(record.past.size() == 1);
  CHECK(record.past[0].at > at("11:58:30"));
  // It was nominated when the state before was recorded: the decision there was about that node.
  pending.nominated = {"uid-lab-high"};
  CHECK(decided(all, pending).past.size() == 2);
}

TEST_CASE("backtest: a preemption whose victim is gone has no decision", "[backtest]") {
  const StateRecord record = decided(without(documents(), "low"), state_before("11:55:00"));
  REQUIRE(record.past.size() == 1);
  CHECK(record.past[0].choices[0] == Choice{});
  CHECK(record.victims.empty());
}

TEST_CASE("backtest: a victim that is gone is as the state before had it", "[backtest]") {
  const auto cluster = a_cluster(documents());
  const auto is_low = [&](const Pod& pod) { return cluster->objects.symbols.text(pod.meta.name) == "low"; };
  Pod low = *std::find_if(cluster->objects.pods.begin(), cluster->objects.pods.end(), is_low);
  const auto later = a_cluster(without(documents(), "low"));
  const auto here = [&](Symbol symbol) { return later->objects.symbols.intern(cluster->objects.symbols.text(symbol)); };
  Pod& gone = later->objects.replaced_pods.emplace_back(later->objects.pods.items().back());  // of the same namespace
  gone.meta.name = here(low.meta.name);
  gone.meta.uid = here(low.meta.uid);
  gone.spec.node_name = here(low.spec.node_name);
  gone.spec.priority = 10;
  const Earlier earlier = state_before("11:55:00");
  StateRecord record = record_of(later->objects, earlier);
  REQUIRE(decide_past(later->objects, earlier, Side::before, decide, record));
  REQUIRE(record.past.size() == 1);
  CHECK(record.past[0].choices[0].victims == std::vector<std::string>{"ml/low"});
  CHECK(record.victims.at("ml/low").start == at("09:00:00"));
}

// A victim of 11:50 is in neither state: it had ended by 11:55.
TEST_CASE("backtest: a victim that the state before lacks had ended", "[backtest]") {
  std::vector<std::string> all = documents();
  std::string event = preempted("old", "uid-ml-old", "uid-lab-high");
  event.replace(event.find("11:59:00.5"), 10, "11:50:00.5");
  all.push_back(event);
  Earlier earlier = state_before("11:55:00");
  CHECK(decided(all, earlier).past.at(0).choices[0] == Choice{});
  earlier.has_its_gone_pods = true;
  CHECK(decided(all, earlier).past.at(0).choices[0].victims == std::vector<std::string>{"ml/low"});
}

TEST_CASE("backtest: at most 20 preemptions between two states are decided", "[backtest]") {
  std::vector<std::string> all = {a_node("node-a", "100")};
  for (int i = 10; i < 35; ++i) {
    const std::string number = std::to_string(i);
    all.push_back(
        a_pod("lab/high-" + number).on("node-a").priority(1000).cpu("2").scheduled("2026-03-02T11:59:02Z").yaml());
    all.push_back(running("ml/low-" + number, "node-a", 10).deleting("2026-03-02T11:59:31Z").yaml());
    all.push_back(preempted("low-" + number, "uid-ml-low-" + number, "uid-lab-high-" + number));
  }
  CHECK(decided(all, state_before("11:55:00")).past.size() == 20);
}

TEST_CASE("backtest: an error of a decision is that of the backtest", "[backtest]") {
  const auto cluster = a_cluster(documents());
  const Earlier earlier = state_before("11:55:00");
  StateRecord record = record_of(cluster->objects, earlier);
  const auto fails = [](const Snapshot&, const std::string&, Instant) -> Result<ClusterDecisions> {
    return fail("no decision");
  };
  const auto done = decide_past(cluster->objects, earlier, Side::before, fails, record);
  REQUIRE_FALSE(done);
  CHECK(done.error().message == "no decision");
}

TEST_CASE("backtest: a pod counts as finished in the first state that shows it, after the first one", "[backtest]") {
  const auto succeeded = [](const std::string& key) {
    std::string yaml = a_pod(key).on("node-a").yaml();
    return yaml.replace(yaml.find("Running"), 7, "Succeeded");
  };
  const auto first = a_cluster({a_node("node-a", "4"), succeeded("ml/a")});
  StateRecord record{.at = at("11:55:00")};
  Earlier earlier = observe(*first->snapshot, {}, record);
  CHECK(record.finished.empty());
  const auto second =
      a_cluster({a_node("node-a", "4"), succeeded("ml/a"), succeeded("ml/b"), a_pod("ml/c").on("node-a").yaml()});
  record = {.at = at("12:00:00")};
  earlier = observe(*second->snapshot, earlier, record);
  REQUIRE(record.finished.size() == 1);
  CHECK(record.finished[0].pod == "ml/b");
  CHECK(record.finished[0].id == "uid-ml-b");
  record = {.at = at("12:05:00")};
  earlier = observe(*second->snapshot, earlier, record);
  CHECK(record.finished.empty());
}
