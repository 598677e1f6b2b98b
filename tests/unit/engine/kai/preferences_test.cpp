// Preferred pod affinity and anti-affinity among equal nodes a and b; by name, a comes first.
// Source: kai-scheduler/KAI-Scheduler: pkg/scheduler/plugins/podaffinity (d5bc503a). Each result was observed with the
// real scheduler.
#include "support/kai_cycle.h"

using namespace previct;
using namespace previct::test::cycles;

namespace {

auto prefers(std::string_view kind, int weight, std::string_view more = "") -> std::string {
  return fmt::format(
      ", affinity: {{{}: {{preferredDuringSchedulingIgnoredDuringExecution: [{{weight: {}, podAffinityTerm: "
      "{{topologyKey: kubernetes.io/hostname, labelSelector: {{matchLabels: {{app: x}}}}{}}}}}]}}}}",
      kind, weight, more);
}

auto running_pod(std::string_view name, std::string_view on, std::string_view label, std::string_view spec = "")
    -> std::string {
  return alone({.name = name, .node = on, .labels = label, .spec = spec}, "have");
}

auto place_beside(const std::string& residents, std::string_view spec, std::string_view labels = "",
                  const std::string& settings = "") -> std::string {
  return Cluster(settings + two_nodes() + residents +
                 alone({.name = "p", .labels = labels, .request = kGpuEach, .spec = spec}))
      .place("p");
}

}  // namespace

TEST_CASE("kai preferred affinity: a pod prefers the nodes of the pods that its terms select", "[kai]") {
  const std::string on_b = running_pod("r", "b", "app: x");
  CHECK(place_beside(on_b, prefers("podAffinity", 5)) == "b");
  CHECK(place_beside(on_b, prefers("podAffinity", 5), "", shard("plugins: {podaffinity: {enabled: false}}")) == "a");
  CHECK(place_beside(running_pod("r", "a", "app: x"), prefers("podAntiAffinity", 5)) == "b");
  // The score against a is greater than the score against b, and both totals are below zero.
  const std::string both =
      running_pod("r1", "a", "app: x") + running_pod("r2", "b", "app: x") + running_pod("r3", "a", "app: x");
  CHECK(place_beside(both, prefers("podAntiAffinity", 5)) == "b");
}

TEST_CASE("kai preferred affinity: terms of running pods count for a new pod", "[kai]") {
  CHECK(place_beside(running_pod("r", "b", "app: z", prefers("podAffinity", 5)), "", "app: x") == "b");
  CHECK(place_beside(running_pod("r", "b", "app: z", prefers("podAffinity", 5)), "", "app: z") == "a");
  CHECK(place_beside(running_pod("r", "a", "app: z", prefers("podAntiAffinity", 5)), "", "app: x") == "b");
}

TEST_CASE("kai preferred affinity: applies to the namespaces that it names and those that it selects", "[kai]") {
  const std::string on_b = running_pod("r", "b", "app: x");
  const auto in = [&](std::string_view namespaces) {
    return place_beside(on_b, prefers("podAffinity", 5, fmt::format(", {}", namespaces)));
  };
  CHECK(in("namespaces: [other], namespaceSelector: {matchLabels: {no: such}}") == "a");
  CHECK(in("namespaces: [ml], namespaceSelector: {matchLabels: {no: such}}") == "b");
  CHECK(in("namespaces: [other], namespaceSelector: {}") == "b");
  CHECK(in("namespaces: [other]") == "a");
}
