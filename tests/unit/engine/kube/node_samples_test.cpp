// kube-scheduler scores only some of the nodes of a large cluster. previct follows the scores from sample to sample;
// here, each sample is scored by itself, as if no other node fit.
#include "engine/kube/known.h"
#include "engine/kube/selection.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <map>
#include <random>

using namespace previct;
using namespace previct::test;

namespace {

constexpr std::size_t kSample = 100;

/// A cluster whose nodes differ in labels, taints, room and pods, and a pod with preferences of all kinds.
class ClusterMaker {
 public:
  explicit ClusterMaker(std::uint64_t seed) : random_(seed) {}

  [[nodiscard]] auto documents() -> std::vector<std::string> {
    std::vector<std::string> all;
    const std::size_t nodes = kSample + 5 + below(30);
    for (std::size_t i = 0; i < nodes; ++i) {
      const std::string name = fmt::format("n{:03}", i);
      const std::string zone = below(8) == 0 ? "" : fmt::format(", zone: z{}", below(3));
      const std::string taint = below(4) == 0 ? "spec: {taints: [{key: k, effect: PreferNoSchedule}]}\n" : "";
      all.push_back(
          fmt::format("apiVersion: v1\nkind: Node\nmetadata: {{name: {}, labels: {{kubernetes.io/hostname: "
                      "{}, disk: d{}{}}}}}\n{}status: {{allocatable: {{cpu: '{}', memory: 8Gi, pods: '9'}}}}\n",
                      name, name, below(3), zone, taint, 4 + below(2) * 4));
      for (std::size_t pods = below(3); pods > 0; --pods) {
        const std::string labels = fmt::format("{{app: a{}}}", below(3));
        all.push_back(a_pod(fmt::format("ns/p{}", all.size())).on(name).cpu("500m").labels(labels).yaml());
      }
    }
    all.push_back(
        fmt::format("apiVersion: v1\nkind: Pod\nmetadata: {{namespace: ns, name: new, labels: {{app: a0}}}}\nspec:\n"
                    "  containers: [{{name: c, resources: {{requests: {{cpu: '1', memory: 100Mi}}}}}}]\n"
                    "  affinity: {{{}}}\n  topologySpreadConstraints: [{}]\nstatus: {{phase: Pending}}\n",
                    affinity(), spread()));
    return all;
  }

  [[nodiscard]] auto below(std::size_t n) -> std::size_t { return random_() % n; }

 private:
  [[nodiscard]] auto affinity() -> std::string {
    const auto near = [&](const char* kind, const char* key) {
      return fmt::format(
          "{}: {{preferredDuringSchedulingIgnoredDuringExecution: [{{weight: {}, podAffinityTerm: {{topologyKey: {}, "
          "labelSelector: {{matchLabels: {{app: a{}}}}}}}}}]}}",
          kind, 1 + below(100), key, below(3));
    };
    return fmt::format(
        "{}, {}, nodeAffinity: {{preferredDuringSchedulingIgnoredDuringExecution: [{{weight: {}, preference: "
        "{{matchExpressions: [{{key: disk, operator: In, values: [d0]}}]}}}}]}}",
        near("podAffinity", "kubernetes.io/hostname"), near("podAntiAffinity", "zone"), 1 + below(100));
  }
  [[nodiscard]] auto spread() -> std::string {
    if (below(3) == 0) return "";
    return fmt::format(
        "{{maxSkew: {}, topologyKey: {}, whenUnsatisfiable: ScheduleAnyway, labelSelector: "
        "{{matchLabels: {{app: {}}}}}}}",
        1 + below(3), below(3) == 0 ? "kubernetes.io/hostname" : "zone", below(3) == 0 ? "none" : "a0");
  }

  std::mt19937_64 random_;
};

}  // namespace

TEST_CASE("node sample: each sample is scored as if no other node fit", "[kube][scores]") {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    INFO("seed " << seed);
    ClusterMaker maker(seed);
    const auto owner = a_cluster(maker.documents());
    const Snapshot& cluster = *owner->snapshot;
    const kube::Release release(34);
    kube::NodeInfoSnapshot node_infos(cluster, release);
    const PodId pod = cluster.find_pod("ns", "new");
    const kube::Incoming incoming{node_infos, node_infos.incoming(pod)};
    const kube::Profile profile = kube::Profile::standard(cluster, false, release);
    std::vector<NodeId> fitting;
    for (const NodeId node : cluster.nodes().ids()) {
      if (fitting.size() < kSample + 2 || maker.below(10) != 0) fitting.push_back(node);
    }
    const std::vector<char> searched(cluster.nodes().size(), 1);
    const auto selected = [&](const std::vector<NodeId>& nodes) {
      auto result = kube::select_node({.incoming = incoming,
                                       .profile = profile,
                                       .feasible = nodes,
                                       .nodes_to_find = kSample,
                                       .searched = searched});
      REQUIRE(result.selection);
      return *std::move(result.selection);
    };
    // The search may start at every node, and ends at the hundredth that fits.
    const std::vector<NodeId>& order = kube::snapshot_order(cluster);
    std::map<NodeId, double> shares;
    for (std::size_t start = 0; start < order.size(); ++start) {
      std::vector<NodeId> sample;
      for (std::size_t i = 0; sample.size() < kSample; ++i) {
        const NodeId node = order[(start + i) % order.size()];
        if (std::find(fitting.begin(), fitting.end(), node) != fitting.end()) sample.push_back(node);
      }
      const kube::Selection alone = selected(sample);
      REQUIRE(alone.by == kube::SelectedBy::sample);
      for (const NodeId node : alone.best)
        shares[node] += 1 / static_cast<double>(alone.best.size()) / static_cast<double>(order.size());
    }
    const kube::Selection whole = selected(fitting);
    CHECK(whole.best.size() == shares.size());
    REQUIRE(whole.shares.size() == whole.best.size());
    for (std::size_t i = 0; i < whole.best.size(); ++i)
      CHECK(whole.shares[i] == Approx(shares[whole.best[i]]).margin(1e-9));
  }
}
