// Configurations of kube-scheduler in ConfigMaps of the input.
#include "engine/kube/mapped_configurations.h"

#include "unit/engine/kube/ask.h"

#include <catch2/catch.hpp>

using namespace previct;
using namespace previct::test;

namespace {

auto config_map(const std::string& name, const std::string& profiles, const std::string& key = "scheduler-config.yaml")
    -> std::string {
  return fmt::format(
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {{namespace: sched, name: {}}}\ndata:\n  other.yaml: 'a: b'\n  {}: "
      "|\n"
      "    apiVersion: kubescheduler.config.k8s.io/v1\n    kind: KubeSchedulerConfiguration\n    profiles: {}\n",
      name, key, profiles);
}

// A pod of priority 9 that only fits if the pod of priority 1 is evicted.
auto cluster_of(const std::string& scheduler, const Names& more) -> std::unique_ptr<TestCluster> {
  Names documents = {a_node("a", "1"), a_pod("ns/old").on("a").priority(1).yaml(),
                     a_pod("ns/new").priority(9).spec("schedulerName: " + scheduler).yaml()};
  documents.insert(documents.end(), more.begin(), more.end());
  return a_cluster(documents);
}

auto outcome(const std::string& scheduler, const Names& more) -> std::string {
  const Verdict verdict = verdict_on(*cluster_of(scheduler, more), a_question());
  return std::string(outcome_name(verdict.outcome));
}

const std::string kNoPreemption =
    "[{schedulerName: mine, plugins: {postFilter: {disabled: [{name: DefaultPreemption}]}}}]";
const std::string kDefault = "[{schedulerName: mine}]";

auto mounting_pod(const std::string& map) -> std::string {
  return a_pod("sched/scheduler")
      .on("a")
      .cpu("0")
      .spec("volumes: [{name: config, configMap: {name: " + map + "}}]")
      .yaml();
}

}  // namespace

TEST_CASE("configuration in a ConfigMap: it applies to the pods of its profiles", "[kube][config]") {
  CHECK(outcome("mine", {}) == "unknown");  // nothing shows how this scheduler decides
  CHECK(outcome("mine", {config_map("c", kDefault)}) == "preempts");
  CHECK(outcome("mine", {config_map("c", kNoPreemption)}) == "pending");
  CHECK(outcome("mine", {config_map("c", kNoPreemption, "config")}) == "pending");
  CHECK(outcome("other", {config_map("c", kNoPreemption)}) == "unknown");
  CHECK(outcome("default-scheduler", {config_map("c", kNoPreemption)}) == "preempts");
  const Verdict verdict = verdict_on(*cluster_of("mine", {config_map("c", kDefault)}), a_question());
  const auto applied = std::find_if(verdict.gaps.begin(), verdict.gaps.end(),
                                    [](const Gap& gap) { return gap.rule == GapRule::config_map_in_force; });
  REQUIRE(applied != verdict.gaps.end());
  CHECK(applied->operands == Names{"sched/c", "mine"});
}

TEST_CASE("configuration in a ConfigMap: of several, the one that a pod mounts", "[kube][config]") {
  const Names both = {config_map("c", kNoPreemption), config_map("d", kDefault)};
  CHECK(outcome("mine", both) == "unknown");
  CHECK(outcome("mine", {both[0], both[1], mounting_pod("c")}) == "pending");
  CHECK(outcome("mine", {both[0], both[1], mounting_pod("d")}) == "preempts");
  // Not one of another namespace, nor one that has ended.
  std::string elsewhere = mounting_pod("c");
  elsewhere.replace(elsewhere.find("namespace: sched"), 16, "namespace: other");
  CHECK(outcome("mine", {both[0], both[1], elsewhere}) == "unknown");
  std::string ended = mounting_pod("c");
  ended.replace(ended.find("phase: Running"), 14, "phase: Failed");
  CHECK(outcome("mine", {both[0], both[1], ended}) == "unknown");
  CHECK(outcome("mine", {config_map("c", kDefault), config_map("d", kDefault)}) == "preempts");
}

TEST_CASE("configuration in a ConfigMap: one that the scheduler would refuse is a gap", "[kube][config]") {
  const Verdict verdict =
      verdict_on(*cluster_of("mine", {config_map("c", "[{schedulerName: mine, nosuchfield: 1}]")}), a_question());
  CHECK(verdict.outcome == Outcome::unknown);
  REQUIRE(deciding_gap(verdict.gaps) != nullptr);
  CHECK(deciding_gap(verdict.gaps)->rule == GapRule::config_map_refused);
}

TEST_CASE("configuration in a ConfigMap: the default scheduler without --config has none", "[kube][config]") {
  const std::string map = config_map("c", "[{plugins: {postFilter: {disabled: [{name: DefaultPreemption}]}}}]");
  CHECK(outcome("default-scheduler", {map}) == "pending");
  CHECK(outcome("default-scheduler", {map, scheduler_pod("1.35.4")}) == "preempts");
}

TEST_CASE("configuration in a ConfigMap: --scheduler-config takes precedence", "[kube][config]") {
  Question question = a_question();
  question.scheduler_config = with_profile("schedulerName: mine");
  CHECK(verdict_on(*cluster_of("mine", {config_map("c", kNoPreemption)}), question).outcome == Outcome::preempts);
}
