// The pods that a ReplicaSet deletes first. Expected values are derived by hand from upstream's
// ActivePodsWithRanks.Less (pkg/controller/controller_utils.go, v1.35).
#include "cluster/surplus_pods.h"

#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

using namespace previct;
using namespace previct::test;

namespace {

constexpr const char* kNow = "2026-03-02T12:00:00Z";

auto ready_since(const std::string& time) -> std::string {
  return fmt::format("  conditions: [{{type: Ready, status: 'True', lastTransitionTime: '{}'}}]\n", time);
}

// The name of the one pod of two that is deleted first; `?`: not known. `on_first`: pods of the Deployment on the first
// node.
auto first_of(const std::string& a, const std::string& b, std::size_t on_first = 1,
              DeletedBy by = DeletedBy::replica_set) -> std::string {
  const auto cluster = a_cluster({a, b});
  const Symbols& symbols = cluster->objects.symbols;
  std::vector<PodId> pods;
  for (const PodId id : cluster->snapshot->pods().ids()) pods.push_back(id);
  const Symbol node = symbols.find("n1");
  const auto first = first_to_delete(
      by, pods, 1, [&](const Pod& pod) { return pod.spec.node_name == node ? on_first : 1; },
      parse_instant(kNow).value(), *cluster->snapshot);
  return first ? std::string(symbols.text(cluster->snapshot->pod(first->front()).meta.name)) : "?";
}

auto with_cost(std::string pod, const std::string& cost) -> std::string {
  const std::string before = "spec:\n";
  return pod.insert(pod.find(before),
                    fmt::format("  annotations: {{controller.kubernetes.io/pod-deletion-cost: '{}'}}\n", cost));
}

}  // namespace

TEST_CASE("first_to_delete: without a node, by phase, not ready, cheaper, with more of its Deployment on the node",
          "[surplus]") {
  const std::string a = a_pod("ml/a").on("n1").yaml();
  const std::string b = a_pod("ml/b").on("n2").yaml();
  const std::string ready = ready_since("2026-03-01T00:00:00Z");
  CHECK(first_of(a, a_pod("ml/b").yaml()) == "b");
  CHECK(first_of(a + ready, b) == "b");
  CHECK(first_of(with_cost(a, "5"), with_cost(b, "-1")) == "b");
  CHECK(first_of(with_cost(a, "-1"), b + ready) == "a");
  CHECK(first_of(with_cost(a + ready, "5"), b + ready) == "b");
  CHECK(first_of(a + ready, b + ready, 2) == "a");
  CHECK(first_of(with_cost(a, "+5"), b, 2) == "a");  // not a number for upstream: it counts as 0
}

TEST_CASE("first_to_delete: of two that are ready, the newer one, in powers of two of their time", "[surplus]") {
  const auto pods = [](const std::string& first, const std::string& second) {
    return first_of(a_pod("ml/a").on("n1").yaml() + ready_since(first),
                    a_pod("ml/b").on("n2").yaml() + ready_since(second));
  };
  // 10 s are 2^33.2 ns, 100 s are 2^36.5 ns
  CHECK(pods("2026-03-02T11:59:50Z", "2026-03-02T11:58:20Z") == "a");
  CHECK(pods("2026-03-02T11:58:20Z", "2026-03-02T11:59:50Z") == "b");
  // 100 s and 130 s are both 2^36.x ns: the uid decides, uid-ml-a or uid-ml-b
  CHECK(pods("2026-03-02T11:57:50Z", "2026-03-02T11:58:20Z") == "a");
  CHECK(pods("2026-03-02T11:58:20Z", "2026-03-02T11:57:50Z") == "a");
  // 130 s and 140 s: 2^36.9 and 2^37.03 ns
  CHECK(pods("2026-03-02T11:57:40Z", "2026-03-02T11:57:50Z") == "b");
  // The restarts decide.
  CHECK(pods("2026-03-02T11:57:40Z", "2026-03-02T11:57:40Z") == "?");
}

// Costs and ranks do not count, and the exact time does.
TEST_CASE("first_to_delete: a Job deletes the pod that became ready last", "[surplus]") {
  const auto pod = [](const std::string& name, const std::string& time) {
    return a_pod("ml/" + name).on(name == "a" ? "n1" : "n2").yaml() + ready_since(time);
  };
  const std::string older = "2026-03-02T11:57:50Z";
  const std::string newer = "2026-03-02T11:58:20Z";
  CHECK(first_of(pod("a", older), pod("b", newer), 1, DeletedBy::job) == "b");
  CHECK(first_of(with_cost(pod("a", newer), "9"), pod("b", older), 1, DeletedBy::job) == "a");
  CHECK(first_of(pod("a", older), pod("b", newer), 5, DeletedBy::job) == "b");
}

TEST_CASE("first_to_delete: of pods that only differ in their names, the first by name", "[surplus]") {
  const auto pod = [](const std::string& name, const std::string& cpu) {
    return a_pod("ml/" + name).on("n1").cpu(cpu).yaml();
  };
  CHECK(first_of(pod("b", "1"), pod("a", "1")) == "a");
  CHECK(first_of(pod("b", "2"), pod("a", "1")) == "?");
}
