#include "engine/kube/odd_values.h"

#include "support/cluster.h"
#include "unit/engine/kube/ask.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace previct;
using namespace previct::test;

namespace {

auto odd_values_of(const std::vector<std::string>& documents) -> std::vector<std::string> {
  const auto cluster = a_cluster(documents);
  kube::warn_of_odd_values(*cluster->snapshot);
  std::vector<std::string> said;
  for (const Warning& warning : cluster->snapshot->diagnostics().sorted()) {
    if (warning.id == "odd-value") said.push_back(warning.message);
  }
  return said;
}

auto tainted(std::string_view effects) -> std::string {
  return fmt::format("apiVersion: v1\nkind: Node\nmetadata: {{name: node}}\nspec: {{taints: [{}]}}\n", effects);
}
auto waiting(std::string_view policy) -> std::string {
  return a_pod("ns/new").spec(fmt::format("preemptionPolicy: \"{}\"", policy)).yaml();
}

}  // namespace

// Source: component-helpers scheduling/corev1 DoNotScheduleTaintsFilterFunc compares effects by their names;
// plugins/defaultpreemption PodEligibleToPreemptOthers checks whether the policy is Never.
TEST_CASE("odd values: unknown taint effects are reported, each with its taint", "[kube]") {
  CHECK(odd_values_of(
            {tainted("{key: a, effect: NoSchedule}, {key: b, effect: NoExecute}, {key: c, effect: PreferNoSchedule}")})
            .empty());
  CHECK(odd_values_of({tainted("{key: a, effect: NoSchedule}, {key: b, effect: noschedule}, {key: c}")}) ==
        std::vector<std::string>{
            "Node node: the taint b has the effect \"noschedule\", which schedulers do not know; it keeps no pod away",
            "Node node: the taint c has the effect \"\", which schedulers do not know; it keeps no pod away"});
}

TEST_CASE("odd values: an unknown preemption policy is reported for pending pods", "[kube]") {
  CHECK(odd_values_of({waiting("Never")}).empty());
  CHECK(odd_values_of({waiting("PreemptLowerPriority")}).empty());
  CHECK(odd_values_of({waiting("")}).empty());
  CHECK(odd_values_of({waiting("never")}) ==
        std::vector<std::string>{
            "ns/new: \"never\" is not a preemptionPolicy; the pod may preempt, as with PreemptLowerPriority"});
  CHECK(
      odd_values_of({a_node("node", "4"), a_pod("ns/old").on("node").spec("preemptionPolicy: never").yaml()}).empty());
}

TEST_CASE("resources: names that begin with requests. do not count, those of kubernetes.io/ do", "[kube]") {
  // Source: kubernetes: pkg/scheduler/util/utils.go, IsScalarResourceName; pkg/apis/core/v1/helper/helpers.go,
  // IsExtendedResourceName. kube-scheduler 1.35.4, 1.36.3 and 1.37.2 answer so, too.
  const auto with_overhead = [](const std::string& resource) {
    return ask({a_node("n", "4"), a_pod("ns/new").spec("overhead: {" + resource + ": '1'}").yaml()});
  };
  CHECK(with_overhead("requests.example.com/x").outcome == Outcome::fits);
  for (const char* each : {"kubernetes.io/x", "requests.kubernetes.io/x"})
    CHECK(with_overhead(each).outcome == Outcome::pending);
}
