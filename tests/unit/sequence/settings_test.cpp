#include "sequence/settings.h"

#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

namespace previct::sequence {
namespace {

using test::a_cluster;
using test::a_node;
using test::a_pod;

// Returns `remove ml/p`, `any +1s..+20s`, `any 50000` per million, or the error message.
auto failure_of(const std::string& text) -> std::string {
  const auto cluster =
      a_cluster({a_node("n1", "4"), a_pod("ml/p").on("n1").yaml(), a_pod("default/q").on("n1").yaml()});
  const auto read = read_failure(text, *cluster->snapshot);
  if (!read) return read.error().message;
  const std::string verb = read->verb == Failure::Verb::remove     ? "remove"
                           : read->verb == Failure::Verb::mark     ? "mark"
                           : read->verb == Failure::Verb::nominate ? "nominate"
                                                                   : "any";
  if (read->per_million > 0) return fmt::format("{} {}", verb, read->per_million);
  if (read->pod) return fmt::format("{} {}", verb, cluster->snapshot->key(read->pod));
  return fmt::format("{} {}..{}", verb, read->from / kSecond, read->until / kSecond);
}

auto lasting(const std::string& text) -> std::string {
  const auto read = read_lasting(text, "--lasting");
  return read ? fmt::format("{} {}", read->pods, read->length / kSecond) : read.error().message;
}

// A cluster with a pending pod and one on a node.
auto recurring(const std::string& text) -> std::string {
  const auto cluster = a_cluster({a_node("n1", "4"), a_pod("ml/p").yaml(), a_pod("ml/runs").on("n1").yaml()});
  const auto read = read_recurring(text, *cluster->snapshot);
  return read ? fmt::format("{} {}", cluster->snapshot->key(read->pod), read->every / kSecond) : read.error().message;
}
auto arrival(const std::string& text) -> std::string {
  const auto cluster = a_cluster({a_node("n1", "4"), a_pod("ml/p").yaml(), a_pod("ml/runs").on("n1").yaml()});
  const auto read = read_arrival(text, *cluster->snapshot);
  return read ? fmt::format("{} {}", cluster->snapshot->key(read->pod), read->at / kSecond) : read.error().message;
}

}  // namespace

TEST_CASE("sequence settings: --fail names a call and its pod, a period, or a rate", "[sequence]") {
  CHECK(failure_of("delete:ml/p") == "remove ml/p");
  CHECK(failure_of("patch-status:ml/p") == "mark ml/p");
  CHECK(failure_of("nominate:q") == "nominate default/q");
  CHECK(failure_of("api:+1s..+20s") == "any 1..20");
  CHECK(failure_of("api:+0s..+1m") == "any 0..60");
  CHECK(failure_of("api:5%") == "any 50000");
  CHECK(failure_of("delete:0.25%") == "remove 2500");
  CHECK(failure_of("nominate:100%") == "nominate 1000000");
  CHECK(failure_of("api:0.001%") == "any 10");
}

TEST_CASE("sequence settings: --fail refuses other texts", "[sequence]") {
  for (const char* rate : {"api:0%", "api:100.001%", "delete:-1%", "delete:%", "api:1e1%", "api:1k%"}) {
    CHECK(failure_of(rate) == fmt::format("--fail \"{}\": expected a rate from 0.001% to 100%", rate));
  }
  for (const char* period :
       {"api:", "api", "api:+20s..+1s", "api:+1s..+1s", "api:1s..+20s", "api:+1s", "api:+1s..x", "api:+-1s..+2s"}) {
    CHECK(failure_of(period) ==
          fmt::format("--fail \"{}\": expected a period such as api:+1s..+20s, or a rate such as api:5%", period));
  }
  CHECK(failure_of("bind:ml/p") ==
        "--fail \"bind:ml/p\": expected delete:POD, patch-status:POD, nominate:POD or api:+1s..+20s");
  CHECK(failure_of("delete:") == "--fail \"delete:\": the pod is missing; expected delete:NAMESPACE/POD");
  CHECK(failure_of("delete:ml/gone").starts_with("no pod ml/gone"));
}

TEST_CASE("sequence settings: PODS=LENGTH needs both, and a length above 0", "[sequence]") {
  CHECK(lasting("train-*=15m") == "train-* 900");
  CHECK(lasting("a=b=1s") == "a=b 1");
  for (const char* wrong : {"train-*", "train-*=", "=15m", "train-*=0s", "train-*=-1s", "train-*=soon"}) {
    CHECK(lasting(wrong) == fmt::format("--lasting \"{}\": expected PODS=LENGTH, such as train-*=15m", wrong));
  }
}

TEST_CASE("sequence settings: PODS may name a namespace and end in a wildcard", "[sequence]") {
  const auto fits = [](const std::string& pods) { return matches(PodDuration{pods, kSecond}, "ml", "train-0"); };
  for (const char* yes : {"train-0", "ml/train-0", "train-*", "ml/train-*", "*", "ml/*"}) CHECK(fits(yes));
  for (const char* no : {"train", "x/train-0", "train-1*", "x/*", "ml/train", "train-00", "/train-0"}) {
    CHECK_FALSE(fits(no));
  }
}

TEST_CASE("sequence settings: --every and --arrive name a pending pod and a time", "[sequence]") {
  CHECK(recurring("ml/p=10m") == "ml/p 600");
  for (const char* wrong : {"ml/p", "ml/p=0s", "ml/p=-1s", "ml/p=x"}) {
    CHECK(recurring(wrong) == fmt::format("--every \"{}\": expected POD=LENGTH, such as ml/eval=10m", wrong));
  }
  CHECK(recurring("ml/runs=10m") == "--every ml/runs: the pod is already on a node");
  CHECK(arrival("ml/p=+2s") == "ml/p 2");
  CHECK(arrival("ml/p=+0s") == "ml/p 0");
  for (const char* wrong : {"ml/p", "ml/p=2s", "ml/p=+-2s", "ml/p=+x"}) {
    CHECK(arrival(wrong) == fmt::format("--arrive \"{}\": expected POD=+LENGTH, such as default/pod2=+2s", wrong));
  }
  CHECK(arrival("ml/runs=+2s") == "--arrive ml/runs: the pod is already on a node");
}

TEST_CASE("sequence settings: --every creates at most 2,000 pods within the horizon", "[sequence]") {
  const auto allowed = [](std::vector<Time> periods, Time horizon) {
    Settings settings;
    settings.horizon = horizon;
    for (const Time each : periods) settings.recurring.push_back({{}, each});
    return check_recurring(settings).has_value();
  };
  CHECK(allowed({}, 3600 * kSecond));
  CHECK(allowed({kSecond}, 2000 * kSecond));
  CHECK_FALSE(allowed({kSecond}, 2001 * kSecond));
  CHECK(allowed({2 * kSecond, 2 * kSecond}, 2000 * kSecond));
  CHECK_FALSE(allowed({2 * kSecond, 2 * kSecond, 2000 * kSecond}, 2000 * kSecond));
  CHECK_FALSE(allowed({1, 1}, 3600 * kSecond));
}

TEST_CASE("sequence settings: failures at a rate are known as such", "[sequence]") {
  Settings settings;
  CHECK_FALSE(fails_by_rate(settings));
  settings.failures.push_back({});
  CHECK_FALSE(fails_by_rate(settings));
  settings.failures.push_back({.per_million = 1});
  CHECK(fails_by_rate(settings));
}

}  // namespace previct::sequence
