#include "engine/kube/client_limits.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>

#include <tuple>

namespace previct::kube {
namespace {

auto pace_of(const std::string& fields) -> Result<RateLimits> {
  const auto cluster = test::a_cluster({test::a_node("n1", "1")});
  Question question;
  question.scheduler_config =
      ConfigFile{cluster->objects.files.add("scheduler.yaml"),
                 "apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\n" + fields};
  return read_rate_limits(*cluster->snapshot, question);
}

}  // namespace

TEST_CASE("client limits: those of the configuration, else upstream's defaults", "[kube][config]") {
  const auto said =
      pace_of("clientConnection: {qps: 2.5, burst: 7}\npodInitialBackoffSeconds: 3\npodMaxBackoffSeconds: 20\n");
  REQUIRE(said);
  CHECK(said->qps == 2.5);
  CHECK(said->burst == 7);
  CHECK(said->initial_backoff == 3);
  CHECK(said->max_backoff == 20);
  // Source: SetDefaults_KubeSchedulerConfiguration. A zero rate counts as absent; an absent back-off is 1 and 10
  // seconds.
  const auto zero = pace_of("clientConnection: {qps: 0, burst: 0}\n");
  REQUIRE(zero);
  CHECK(zero->qps == 50);
  CHECK(zero->burst == 100);
  CHECK(zero->initial_backoff == 1);
  CHECK(zero->max_backoff == 10);
}

// Source: cmd/kube-scheduler/app/options/options.go ApplyTo: with --config, the two rates are ignored, the flush is
// not. A client without a rate makes 5 calls per second, and 10 at once (client-go rest/config.go).
TEST_CASE("client limits: the flags of the scheduler's own pod", "[kube][config]") {
  const auto pace = [](const std::string& flags, std::optional<std::int64_t> asked = {}) {
    const auto cluster = test::a_cluster(
        {"apiVersion: v1\nkind: Pod\nmetadata: {name: s, namespace: kube-system, labels: {component: kube-scheduler}}\n"
         "spec: {containers: [{name: kube-scheduler, image: 'registry.k8s.io/kube-scheduler:v1.35.4', command: "
         "[kube-scheduler" +
         flags + "]}]}\n"});
    Question question;
    question.flush_seconds = asked;
    const auto limits = read_rate_limits(*cluster->snapshot, question);
    REQUIRE(limits);
    return std::tuple(limits->qps, limits->burst, limits->flush);
  };
  const std::string all = ", --kube-api-qps=2, --kube-api-burst=3, --pod-max-in-unschedulable-pods-duration=30s";
  CHECK(pace("") == std::tuple(50.0, 100, 300));
  CHECK(pace(all) == std::tuple(2.0, 3, 30));
  CHECK(pace(all + ", --config=/s.yaml") == std::tuple(50.0, 100, 30));
  CHECK(pace(all, 45) == std::tuple(2.0, 3, 45));
  CHECK(pace(", --kube-api-qps=0, --kube-api-burst=0") == std::tuple(5.0, 10, 300));
}

TEST_CASE("client limits: values that kube-scheduler refuses are an error with its place", "[kube][config]") {
  for (const char* fields : {"podInitialBackoffSeconds: 0\n", "podInitialBackoffSeconds: 11\n",
                             "podMaxBackoffSeconds: 0\n", "clientConnection: {burst: -1}\n"}) {
    const auto pace = pace_of(fields);
    INFO(fields);
    REQUIRE(!pace);
    CHECK(pace.error().place.line == 3);
  }
}

}  // namespace previct::kube
