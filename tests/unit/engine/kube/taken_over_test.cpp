#include "cluster/changed_cluster.h"
#include "engine/kube/disruption.h"
#include "engine/kube/known.h"
#include "engine/kube/node_info_snapshot.h"
#include "support/cluster.h"

#include <catch2/catch.hpp>

#include <functional>
#include <map>
#include <tuple>

using namespace previct;        // NOLINT: a test
using namespace previct::test;  // NOLINT: a test

namespace {

/// Four nodes. On `a`: two pods, one with anti-affinity; on `b`: one pod with a budget; on `c` and `d`: one pod each.
/// Pending: shop/new.
auto four_nodes() {
  const std::string anti =
      "{podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: kubernetes.io/hostname, "
      "labelSelector: {matchLabels: {app: db}}}]}}";
  return a_cluster(
      {a_node("a", "4"), a_node("b", "4"), a_node("c", "4"), a_node("d", "4"),
       a_pod("shop/one").on("a").cpu("1").started("2026-03-02T10:00:00Z").yaml(),
       a_pod("shop/two").on("a").cpu("2").priority(7).started("2026-03-02T09:00:00Z").spec("affinity: " + anti).yaml(),
       a_pod("shop/web").on("b").cpu("1").labels("{app: web}").yaml(),
       a_pod("shop/three").on("c").cpu("500m").spec("affinity: " + anti).yaml(),
       a_pod("shop/four").on("d").cpu("250m").spec("affinity: " + anti).yaml(), a_budget("shop/web", "web", 1),
       a_pod("shop/new").cpu("1").yaml()});
}

using PlacedRow = std::tuple<std::string, std::string, std::int32_t, std::uint32_t, std::vector<std::int64_t>, bool,
                             std::vector<std::uint32_t>>;

// Everything that filters read of running pods, in order.
auto rows_of(const kube::SharedState& state) -> std::vector<PlacedRow> {
  const kube::NodeInfoSnapshot& infos = state.node_infos;
  std::vector<PlacedRow> rows;
  for (const NodeId node : infos.nodes()) {
    for (const kube::PodInfo& each : infos.pods_on(node)) {
      std::vector<std::int64_t> amounts;
      for (const kube::Amount& amount : infos.amounts(each)) amounts.push_back(amount.value);
      const auto budgets = state.budgets.of(each.pod);
      CHECK(infos.place_of(each.pod) == node);
      rows.emplace_back(infos.cluster().text(infos.name(node)), infos.cluster().key(each.pod), each.priority,
                        each.order, amounts, infos.strictly_ordered(node),
                        std::vector<std::uint32_t>(budgets.begin(), budgets.end()));
    }
  }
  return rows;
}

// How many pods of each node have which terms.
auto counts_of(const kube::TermsOfPods& terms) {
  std::map<std::tuple<Symbol, Symbol, std::uint32_t>, std::int64_t> counts;
  for (const kube::TermsOfPods::Alike& each : terms.all()) {
    for (const auto& [node, pods] : each.pods) {
      const Symbol key = each.required.empty() ? Symbol{} : each.required.front().topology_key;
      counts[{each.ns, key, node}] += pods;
    }
  }
  CHECK(counts.empty() == terms.empty());
  return counts;
}

auto used_cpu(kube::NodeInfoSnapshot& infos, PodId pending) -> std::vector<std::int64_t> {
  static_cast<void>(infos.incoming(pending));
  return infos.column_of(infos.cluster().known().cpu)->used.items();
}

void check_taken_over(const std::function<void(ChangedCluster&)>& change) {
  const auto made = four_nodes();
  const kube::Release release(kube::NodeInfoSnapshot::kBuiltIn);
  const Snapshot& before = *made->snapshot;
  static_cast<void>(kube::known_of(before, release).node_infos.scored_columns());
  ChangedCluster changed(made->objects);
  change(changed);
  const Snapshot afresh(made->objects);
  const Snapshot cluster(made->objects);
  kube::take_over_known(before, changed, cluster);
  kube::SharedState& wanted = kube::known_of(afresh, release);
  kube::SharedState& taken = kube::known_of(cluster, release);
  CHECK(rows_of(taken) == rows_of(wanted));
  CHECK(counts_of(taken.node_infos.repelling()) == counts_of(wanted.node_infos.repelling()));
  CHECK(counts_of(taken.node_infos.attracting()) == counts_of(wanted.node_infos.attracting()));
  CHECK(taken.node_infos.nominees() == wanted.node_infos.nominees());
  CHECK(taken.budgets.allowed() == wanted.budgets.allowed());
  const PodId pending = cluster.find_pod("shop", "new");
  CHECK(used_cpu(taken.node_infos, pending) == used_cpu(wanted.node_infos, pending));
  CHECK(taken.node_infos.scored_columns().milli_cpu.used.items() ==
        wanted.node_infos.scored_columns().milli_cpu.used.items());
  for (const NodeId node : cluster.nodes().ids())
    CHECK(taken.node_infos.restricted(node) == wanted.node_infos.restricted(node));
}

auto pod_of(const ChangedCluster& changed, const char* name) -> PodId {
  for (const PodId id : changed.objects().pods.ids()) {
    if (changed.objects().symbols.text(changed.objects().pods[id].meta.name) == name) return id;
  }
  return {};
}

}  // namespace

TEST_CASE("kube: what is taken over from before a change equals what is derived afresh", "[kube]") {
  SECTION("nothing changed") {
    check_taken_over([](ChangedCluster&) {});
  }
  SECTION("a pod with anti-affinity is gone") {
    check_taken_over([](ChangedCluster& changed) { changed.hide(pod_of(changed, "two")); });
  }
  SECTION("an evicted pod had a budget") {
    check_taken_over([](ChangedCluster& changed) { changed.evict(pod_of(changed, "web")); });
  }
  SECTION("a pod moves to another node") {
    check_taken_over([](ChangedCluster& changed) {
      const PodId moved = pod_of(changed, "three");
      changed.release(moved);
      changed.bind(moved, changed.objects().symbols.intern("a"), Instant{});
    });
  }
  SECTION("a request, a priority and the labels change") {
    check_taken_over([](ChangedCluster& changed) {
      Pod& one = changed.pod(pod_of(changed, "one"));
      one.spec.containers[0].resources.requests.set(changed.objects().symbols.intern("cpu"), Quantity::of(3));
      one.spec.priority = 9;
      changed.pod(pod_of(changed, "web")).meta.labels = {};
    });
  }
  SECTION("a pod and a node are added") {
    check_taken_over([](ChangedCluster& changed) {
      Pod pod = changed.objects().pods[pod_of(changed, "web")];
      pod.meta.name = changed.objects().symbols.intern("web-2");
      pod.spec.node_name = changed.objects().symbols.intern("e");
      changed.add(std::move(pod));
      Node node = changed.objects().nodes[NodeId{0}];
      node.meta.name = changed.objects().symbols.intern("e");
      changed.add(std::move(node));
    });
  }
  SECTION("a node is cordoned, and offers less") {
    check_taken_over([](ChangedCluster& changed) {
      Node& node = changed.node(NodeId{1});
      node.spec.unschedulable = true;
      node.status.allocatable.set(changed.objects().symbols.intern("cpu"), Quantity::of(1));
    });
  }
  SECTION("the first node is gone") {
    check_taken_over([](ChangedCluster& changed) {
      const Symbol a = changed.objects().symbols.find("a");
      changed.remove_nodes([&](const Node& node) { return node.meta.name == a; });
    });
  }
}
