// Objects that only plugins read suggest that these plugins run, if no configuration shows which plugins run.
#include "api/plugin_kinds.h"
#include "support/cluster.h"
#include "tell/tell.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace previct;
using namespace previct::test;

namespace {

auto quota(const std::string& ns) -> std::string {
  return "apiVersion: scheduling.x-k8s.io/v1alpha1\nkind: ElasticQuota\nmetadata: {namespace: " + ns +
         ", name: q}\nspec: {min: {cpu: \"1\"}, max: {cpu: \"2\"}}\n";
}

auto asked(const std::vector<std::string>& documents, const Question& given = {}) -> Answer {
  const auto cluster = a_cluster(documents);
  Question question = given;
  question.ns = "ns";
  question.name = "new";
  question.now = parse_instant("2026-03-02T12:00:00Z").value();
  const auto found =
      std::find_if(engines().begin(), engines().end(), [](const Engine* e) { return e->name() == "kube"; });
  const auto answer = explain(**found, *cluster->snapshot, question);
  REQUIRE(answer);
  return *answer;
}

auto has_gap(const Answer& answer, GapRule rule) -> bool {
  return std::any_of(answer.gaps.begin(), answer.gaps.end(), [&](const Gap& gap) { return gap.rule == rule; });
}

}  // namespace

TEST_CASE("plugin objects: with ElasticQuotas in the input, priorities alone do not decide", "[kube][config]") {
  const std::string node = a_node("n1", "1");
  const std::string old = a_pod("ns/old").on("n1").priority(1).yaml();
  const std::string pod = a_pod("ns/new").priority(9).yaml();
  const Answer answer = asked({node, old, pod, quota("other")});
  CHECK(answer.outcome == Outcome::unknown);
  CHECK(answer.sentence ==
        "cannot tell, because the input has ElasticQuota objects, on which the decisions of plugin CapacityScheduling "
        "depend, but does not show whether the scheduler runs it (pass --scheduler-config). Apart from that, it would "
        "preempt ns/old on n1");
  // A pod that fits can be refused only by a quota of its own namespace.
  CHECK(asked({node, pod, quota("other")}).outcome == Outcome::fits);
  CHECK(asked({node, pod, quota("ns")}).outcome == Outcome::unknown);

  // A configuration, or a message of DefaultPreemption, shows which plugin preempts.
  Question told_by_flag;
  told_by_flag.toleration_plugin = "off";
  CHECK(asked({node, old, pod, quota("ns")}, told_by_flag).outcome == Outcome::preempts);
  Question configured;
  configured.scheduler_config = ConfigFile{
      FileId{}, "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n- {}\n"};
  CHECK(asked({node, old, pod, quota("ns")}, configured).outcome == Outcome::preempts);
  const std::string waits =
      a_pod("ns/waits").priority(0).yaml() +
      "  conditions: [{type: PodScheduled, status: \"False\", reason: Unschedulable, message: \"0/1 nodes are "
      "available: 1 "
      "Insufficient cpu. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.\"}]\n";
  CHECK(asked({node, old, pod, quota("ns"), waits}).outcome == Outcome::preempts);
}

TEST_CASE("plugin objects: objects of other plugins decide about the pods that they apply to", "[kube][config]") {
  const std::string node = a_node("n1", "1");
  const std::string group =
      "apiVersion: scheduling.x-k8s.io/v1alpha1\nkind: PodGroup\nmetadata: {namespace: ns, name: g}\nspec: {minMember: "
      "2}\n";
  CHECK(asked({node, a_pod("ns/new").yaml(), group}).outcome == Outcome::fits);
  CHECK(asked({node, a_pod("ns/new").labels("{scheduling.x-k8s.io/pod-group: g}").yaml(), group}).outcome ==
        Outcome::unknown);
  const Answer numa = asked(
      {node, a_pod("ns/new").yaml(),
       "apiVersion: topology.node.k8s.io/v1alpha2\nkind: NodeResourceTopology\nmetadata: {name: n1}\nzones: []\n"});
  CHECK(numa.outcome == Outcome::fits);
  CHECK(has_gap(numa, GapRule::plugin_objects_passed_over));
}
