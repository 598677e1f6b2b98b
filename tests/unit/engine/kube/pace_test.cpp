#include "engine/kube/client_limits.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>

namespace previct::kube {
namespace {

auto pace_of(const std::string& fields) -> Result<Pace> {
  const auto cluster = test::a_cluster({test::a_node("n1", "1")});
  Question question;
  question.scheduler_config =
      ConfigFile{cluster->objects.files.add("scheduler.yaml"),
                 "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n" + fields};
  return read_pace(*cluster->snapshot, question);
}

}  // namespace

TEST_CASE("the pace is the configuration's, else upstream's default", "[kube][config]") {
  const auto said =
      pace_of("clientConnection: {qps: 2.5, burst: 7}\npodInitialBackoffSeconds: 3\npodMaxBackoffSeconds: 20\n");
  REQUIRE(said);
  CHECK(said->qps == 2.5);
  CHECK(said->burst == 7);
  CHECK(said->initial_backoff == 3);
  CHECK(said->max_backoff == 20);
  // SetDefaults_KubeSchedulerConfiguration: a zero rate counts as not said; an absent back-off as 1 and 10.
  const auto zero = pace_of("clientConnection: {qps: 0, burst: 0}\n");
  REQUIRE(zero);
  CHECK(zero->qps == 50);
  CHECK(zero->burst == 100);
  CHECK(zero->initial_backoff == 1);
  CHECK(zero->max_backoff == 10);
}

TEST_CASE("a pace that kube-scheduler refuses is an error with its place", "[kube][config]") {
  for (const char* fields : {"podInitialBackoffSeconds: 0\n", "podInitialBackoffSeconds: 11\n",
                             "podMaxBackoffSeconds: 0\n", "clientConnection: {burst: -1}\n"}) {
    const auto pace = pace_of(fields);
    INFO(fields);
    REQUIRE(!pace);
    CHECK(pace.error().place.line == 3);
  }
}

}  // namespace previct::kube
